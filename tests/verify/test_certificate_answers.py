"""The rows about answers catch what can be guessed, is given away, or counts without being meant."""

import json

import pytest

from envfactory_gym import Package
from envfactory_gym.environment import TaskPrivate
from envfactory_gym.verify import certify
from tests.support import copy_of_lending

TOLD, AWAY, HEAP = "paraphrase, negation, guess", "not given away", "heap"


def said(span):
    return {"kind": "said", "turn": 0, "span": span}


DRILL = {
    "kind": "derived", "op": "first", "sources": [{
        "kind": "derived", "op": "filter", "sources": [{"kind": "result", "call": "look", "path": "loans"}, said("drill")],
        "options": {"where": [["title", "contains", {"source": 1}]]},
    }],
}  # fmt: skip
LOOK = {"id": "look", "tool": "list_loans", "arguments": {"member_id": said("M-101")}}


def of_drill(field):
    return {"kind": "derived", "op": "field", "sources": [DRILL], "options": {"path": field}}


DUE_ON = {"subject": "due date", "kind": "date", "source": of_drill("due_on"), "column": "loans.due_on"}
STATE = {"subject": "state", "kind": "enum", "source": of_drill("state"), "phrases": "state"}
TITLE = {"subject": "title", "kind": "name", "source": of_drill("title"), "column": "items.title"}
EXTEND = {"id": "longer", "tool": "extend_loan", "arguments": {"loan_id": of_drill("loan_id")}, "wish": True}
MEMBER = "M-101 here. Tell me about my drill, please."
MANY = "".join(
    json.dumps(
        {
            "loan_id": f"X{number:04}",
            "member_id": "M-103",
            "item_id": 6,
            "due_on": due,
            "extended": 0,
            "state": "closed",
        }
    )
    + "\n"
    for number, due in enumerate(["2026-03-14"] * 6 + [f"2026-01-{day:02}" for day in range(1, 31)])
)
LAST_LOAN = '"due_on": "2026-03-11", "extended": 1, "state": "open"}\n'


def task(*answers, request=MEMBER, calls=(), more=0, turns=()):
    """One turn about the drill that wants these answers, and does these calls as well."""
    subjects = " and ".join(f"{{{answer['subject']}}}" for answer in answers)
    made = [{"id": "longer", "tool": "extend_loan", "arguments": {"loan_id": "QF7KD"}} for _ in calls]
    turn = {
        "request": request,
        "goal": {"calls": [LOOK, *calls], "answers": list(answers)},
        "gold": [
            {"calls": [{"id": "look", "tool": "list_loans", "arguments": {"member_id": "M-101"}}, *made]},
            {"say": f"I see {subjects}.", "expect": "ends"},
        ],
        "max_other_values": more,
    }
    return {
        "id": "about-the-drill", "environment": "EnvFactory/lending-v0", "split": "train",
        "user": {"name": "Ada Brook"}, "turns": [turn, *turns],
    }  # fmt: skip


def phrases(table):
    """An edit of the package: a phrase table for the states of a loan."""
    return ("language.yaml", "phrases:\n", f"phrases:\n  state: {json.dumps(table)}\n")


OPEN = {"open": ["still running"], "closed": ["finished"]}
CROWD = ("data/loans.jsonl", LAST_LOAN, LAST_LOAN + MANY)

FAULTS = {
    # what is wrong: (row, edits of the package, task)
    "one of two values, and nothing else": (TOLD, [phrases(OPEN)], task(STATE)),
    "a value that one loan in seven has": (TOLD, [CROWD], task(DUE_ON)),
    "a wording that every sentence holds": (
        TOLD, [phrases({"open": ["still running", "it"], "closed": ["finished"]})], task(STATE, calls=[EXTEND])),
    "a subject that names another value": (
        TOLD, [], task({**DUE_ON, "subject": "due date after 16 March 2026"}, calls=[EXTEND])),
    "the policy tells the date": (
        AWAY, [("policy.md", "# Rules of the desk", "# Rules of the desk\n\nThe drill of M-101 is due on 14 March 2026.")],
        task(DUE_ON)),
    "a tool's documentation tells the date": (
        AWAY, [("server.py", "by due date.\n", "by due date, such as 2026-03-14.\n")], task(DUE_ON)),
    "it is due today": (AWAY, [], task(DUE_ON) | {"setup": {"now": "2026-03-14T09:00:00Z"}}),
    "the request tells the date": (
        AWAY, [], task(DUE_ON, request="M-101 here. My drill is due on 14 March, isn't it?")),
    "a tool's documentation tells the name": (
        AWAY, [("server.py", "title: Only things", 'title: Such as "Cordless drill". Only things')], task(TITLE)),
    "two due dates are shown, and two others may be named": (HEAP, [], task(DUE_ON, more=2)),
    "two due dates are shown, and one other may be named": (HEAP, [], task(DUE_ON, more=1)),
    "two titles are shown, and two others may be named": (HEAP, [], task(TITLE, DUE_ON, more=2)),
}  # fmt: skip

SOUND = {
    "a date": ([], task(DUE_ON)),
    "a date that few loans have": (
        [("data/loans.jsonl", LAST_LOAN, LAST_LOAN + MANY.replace("2026-03-14", "2026-02-01"))],
        task(DUE_ON, calls=[EXTEND])),
    "one of two values, beside a date": ([phrases(OPEN)], task(DUE_ON, STATE)),
    "one of two values, beside an action": ([phrases(OPEN)], task(STATE, calls=[EXTEND])),
    "two dates that the request asks to choose from": (
        [], task(DUE_ON, request="M-101 here. Is my drill due on 13 or 14 March?", calls=[EXTEND])),
    "two answers of one value": ([], task(DUE_ON, {**DUE_ON, "subject": "end"})),
}  # fmt: skip


def rows(folder, edits, content):
    package = Package.load(copy_of_lending(folder, *edits), trusted=True)
    found = certify(package, TaskPrivate.model_validate(content)).findings
    return {row.check: row for row in found}


@pytest.mark.parametrize("what", FAULTS)
def test_a_planted_fault_is_caught_by_one_row_alone(tmp_path, what):
    row, edits, content = FAULTS[what]
    found = rows(tmp_path, edits, content)
    assert [name for name, finding in found.items() if not finding.passed] == [row]
    assert found[row].evidence
    assert found[row].remedy


@pytest.mark.parametrize("what", SOUND)
def test_sound_answers_are_certified(tmp_path, what):
    found = rows(tmp_path, *SOUND[what])
    assert {name: finding.evidence for name, finding in found.items() if not finding.passed} == {}
    assert found[TOLD].figures["wordings"] >= 10


def test_each_answer_is_told_in_ten_wordings_at_least(tmp_path):
    found = rows(tmp_path, [], task(DUE_ON, {**DUE_ON, "subject": "end"}))
    assert found[TOLD].figures == {"answers": 2, "wordings": 24}


def test_a_chance_that_is_not_known_is_said(tmp_path):
    found = rows(tmp_path, [], task(DUE_ON))
    assert "too few like values" in found[TOLD].notes[0]


def test_a_guess_that_happens_to_be_right_is_told(tmp_path):
    row = rows(tmp_path, [CROWD], task(DUE_ON))[TOLD]
    assert "an agent that only says the most frequent values succeeds" in row.evidence
