"""The row `reorder` catches effects that hang on the order of calls that have nothing to do with each other."""

import json

import pytest

from envfactory_gym import Package
from envfactory_gym.environment import TaskPrivate
from envfactory_gym.verify import certify
from tests.support import copy_of_lending

ADD_NOTE = '''
class Note(TypedDict):
    loan_id: LoanId


@env.tool(writes=["notes"], candidates="SELECT loan_id, 'Handle is loose.' AS body FROM loans")
def add_note(world: World, loan_id: LoanId, body: Annotated[str, Field(max_length=200)]) -> Note:
    """Write something down about a loan.

    Args:
        loan_id: Code of the loan.
        body: What to write down.
    """
    INSERT
    return {"loan_id": loan_id}


def _member('''
SOUND = 'world.run("INSERT INTO notes (loan_id, body) VALUES (?, ?)", loan_id, body)'
BODY = "  body TEXT NOT NULL -- compare: text(ignored)"
EXACT = "  body TEXT NOT NULL"

BROKEN = {
    "a running number that is compared exactly": [
        ("schema.sql", "  note_id INTEGER PRIMARY KEY,", "  note_id INTEGER PRIMARY KEY, -- compare: exact"),
    ],
    "a colour that is picked by turns": [
        ("server.py", ", loan_id, body)\n    return {", ", loan_id, world.pick('colour', ['red', 'blue', 'green', 'grey']) + body)\n    return {"),
    ],
    "a weight that is drawn by turns": [
        ("server.py", ", loan_id, body)\n    return {", ", loan_id, f\"{world.chance('weight'):.3f} {body}\")\n    return {"),
    ],
}  # fmt: skip


def said(span):
    return {"kind": "said", "turn": 0, "span": span}


def note(identifier, loan, body):
    arguments = {"loan_id": said(loan), "body": said(body)}
    return {"id": identifier, "tool": "add_note", "wish": True, "arguments": arguments}


def literal(identifier, loan, body):
    return {"id": identifier, "tool": "add_note", "arguments": {"loan_id": loan, "body": body}}


TASK = {
    "id": "two-notes", "environment": "EnvFactory/lending-v0", "split": "train", "user": {"name": "Ada Brook"},
    "turns": [{
        "request": "For QF7KD please note: chuck is worn. For H2MZP please note: belt is new.",
        "goal": {"calls": [note("drill", "QF7KD", "chuck is worn"), note("sander", "H2MZP", "belt is new")]},
        "gold": [
            {"calls": [literal("drill", "QF7KD", "chuck is worn")]},
            {"calls": [literal("sander", "H2MZP", "belt is new")]},
            {"say": "Both are written down.", "expect": "ends"},
        ],
    }],
}  # fmt: skip


def certificate(folder, edits, change=lambda task: None):
    copy = copy_of_lending(
        folder,
        ("server.py", "\ndef _member(", ADD_NOTE.replace("INSERT\n", SOUND + "\n")),
        ("schema.sql", BODY, EXACT),
        *edits,
    )
    task = json.loads(json.dumps(TASK))
    change(task)
    return certify(Package.load(copy, trusted=True), TaskPrivate.model_validate(task))


def test_independent_writes_may_change_places(tmp_path):
    found = certificate(tmp_path, [])
    assert found.passed, [row for row in found.findings if not row.passed]
    assert next(row for row in found.findings if row.check == "reorder").figures == {"moved": 2}


@pytest.mark.parametrize("what", BROKEN)
def test_effects_of_the_order_are_caught_by_this_row_alone(tmp_path, what):
    found = certificate(tmp_path, BROKEN[what])
    assert [row.check for row in found.findings if not row.passed] == ["reorder"]
    assert "sander, drill in another order" in next(row for row in found.findings if not row.passed).evidence[0]


def test_calls_stay_in_the_order_that_the_goal_names(tmp_path):
    def ordered(task):
        task["turns"][0]["goal"]["order"] = [["drill", "sander"]]

    found = certificate(tmp_path, BROKEN["a colour that is picked by turns"], ordered)
    assert next(row for row in found.findings if row.check == "reorder").figures == {"moved": 0}


def test_calls_on_the_same_rows_stay_in_order(tmp_path):
    def same(task):
        turn = task["turns"][0]
        turn["goal"]["calls"][1] = {
            "id": "back", "tool": "return_item", "wish": True, "arguments": {"loan_id": said("QF7KD"), "note": said("belt is new")},
        }  # fmt: skip
        turn["gold"][1]["calls"] = [
            {"id": "back", "tool": "return_item", "arguments": {"loan_id": "QF7KD", "note": "belt is new"}}
        ]
        turn["goal"]["calls"].insert(0, {"id": "look", "tool": "list_loans", "arguments": {"member_id": said("M-101")}})
        turn["request"] += " I am M-101."
        turn["gold"].insert(0, {"calls": [{"id": "look", "tool": "list_loans", "arguments": {"member_id": "M-101"}}]})

    found = certificate(tmp_path, [], same)
    assert found.passed, [row for row in found.findings if not row.passed]
    # The note may come before the look-up; the return, which changes what was looked up, may not.
    assert next(row for row in found.findings if row.check == "reorder").figures == {"moved": 2}
