"""More broken environments, each caught by the check that should: wrong rules, bad SQL, hidden state, lies.

What these have in common is that the tool looks right, answers most calls as it should, and passes
a glance at its code.
"""

import pytest

from envfactory_gym.environment import Package
from envfactory_gym.verify.checks import CHECKS, determinism, static
from envfactory_gym.verify.fuzzing import shrinking
from tests.support import copy_of_lending

SERVER = "server.py"
ENV = "env = Environment(__file__)\n"
SEARCH = "    rows = world.all(\n"
EXTEND = '    world.run("UPDATE loans SET due_on'
CODE = '    loan_id = world.new_code("loans.loan_id", 5)\n'
FREE = '    world.run("UPDATE items SET status = \'in\' WHERE item_id = ?", loan["item_id"])\n'
OUT = '    if item["status"] != "in":\n'
MEMBER = "def _member(world: World, member_id: str) -> dict:\n"
LOAN = "def _loan(world: World, loan_id: str) -> Loan:\n"
CLOSE = "    world.run(\"UPDATE loans SET state = 'closed' WHERE loan_id = ?\", loan_id)\n"

FAULTS = {
    "static": [
        ("a clock behind another name", (SERVER, ENV, "import datetime\n\n" + ENV + "\ntick = datetime.date.today\n"), (SERVER, "        world.today,\n", "        tick().isoformat(),\n")),
        ("chance of its own", (SERVER, ENV, "import random\n\n" + ENV)),
        ("ids of its own", (SERVER, ENV, "from uuid import uuid4\n\n" + ENV)),
        ("a database of its own", (SERVER, ENV, "import sqlite3\n\n" + ENV)),
        ("a clock from the operating system", (SERVER, ENV, "from time import time\n\n" + ENV)),
        ("a thread", (SERVER, ENV, "import threading\n\n" + ENV)),
        ("a cursor that outlives its line", (SERVER, SEARCH, "    cursor = world._core._tool\n" + SEARCH)),
        ("money in floats", ("schema.sql", "fee_cents INTEGER NOT NULL", "fee_cents REAL NOT NULL")),
    ],
    "declarations": [
        ("an annotation that lies", (SERVER, "    due_on: str\n", "    due_on: int\n")),
        ("a money amount that is no integer", (SERVER, "SELECT item_id, title, category, fee_cents, status", "SELECT item_id, title, category, fee_cents * 1.1 AS fee_cents, status")),
        ("a number stored where only integers fit", (SERVER, "extended = extended + 1", "extended = extended + 0.5")),
        ("a check that blames the wrong side", (SERVER, 'reason="basic-limit"', 'reason="limit-basic"')),
        ("a member who is not there and has no loans", (SERVER, "    _member(world, member_id)\n    return {\n", "    return {\n")),
    ],
    "behaviours": [
        ("a wrong column", (SERVER, "SELECT loan_id, member_id, item_id, title, due_on", "SELECT loan_id, member_id, item_id, category AS title, due_on")),
        ("no order", (SERVER, "\n           ORDER BY fee_cents, item_id", "")),
        ("the wrong order", (SERVER, "ORDER BY due_on, loan_id", "ORDER BY due_on DESC, loan_id")),
        ("one loan too many for a basic member", (SERVER, "open_loans >= 2", "open_loans > 2")),
        ("one loan too few for a basic member", (SERVER, "open_loans >= 2", "open_loans >= 1")),
        ("a limit that counts closed loans", (SERVER, "FROM loans WHERE member_id = ? AND state = 'open'", "FROM loans WHERE member_id = ? AND state <> 'lost'")),
        ("a limit for everybody", (SERVER, 'member["level"] == "basic" and open_loans >= 2', "open_loans >= 2")),
        ("a day lost in counting", (SERVER, "'+14 days'", "'+13 days'")),
        ("a date in the author's time zone", (SERVER, "date(?, '+14 days'), 'open')\",\n        loan_id,\n        member_id,\n        item_id,\n        world.today,", "date(?, '-10 hours', '+14 days'), 'open')\",\n        loan_id,\n        member_id,\n        item_id,\n        world.now,")),
        ("a date as people write it", (SERVER, "SET due_on = date(due_on, '+7 days')", "SET due_on = strftime('%d.%m.%Y', due_on, '+7 days')")),
        ("wildcards in what the user types", (SERVER, "instr(lower(title), lower(:title)) > 0", "title LIKE '%' || :title || '%'")),
        ("a search that minds the case", (SERVER, "instr(lower(title), lower(:title)) > 0", "instr(title, :title) > 0")),
        ("a search for either, not both", (SERVER, "             AND (:title IS NULL OR", "             OR (:title IS NULL OR")),
        ("another code for the same refusal", (SERVER, 'ToolError("conflict", f"{item', 'ToolError("forbidden", f"{item')),
        ("another field for the same refusal", (SERVER, 'is not in.", field="item_id"', 'is not in.", field="member_id"')),
        ("an extension that closes", (SERVER, "extended = extended + 1 WHERE", "extended = extended + 1, state = 'closed' WHERE")),
        ("everybody's loans extended", (SERVER, "extended = extended + 1 WHERE loan_id = ?", "extended = extended + 1 WHERE loan_id = ? OR extended = 0")),
        ("a cache that outlives a write", (SERVER, LOAN, "@cache\n" + LOAN), (SERVER, ENV, "from functools import cache\n\n" + ENV)),
        ("a note that is lost", (SERVER, "    if note is not None:\n", "    if note is not None and len(note) > 80:\n")),
    ],
    "isolation": [
        ("a mutable default", (SERVER, MEMBER, "def _member(world: World, member_id: str, met: list[str] = []) -> dict:\n    met.append(member_id)\n    if met.count(member_id) > 5:\n        raise ToolError('limit', 'You again.', field='member_id')\n")),
        ("module state that numbers things", (SERVER, CODE, "    NUMBERS.append(len(NUMBERS))\n    loan_id = f'L{NUMBERS[-1]:04}'\n"), (SERVER, ENV, ENV + "\nNUMBERS: list[int] = []\n")),
        ("an iterator of the module", (SERVER, CODE, "    loan_id = f'L{next(NUMBERS):04}'\n"), (SERVER, ENV, "from itertools import count\n\n" + ENV + "\nNUMBERS = count()\n")),
        ("an attribute of a function", (SERVER, "    loan = _loan(world, loan_id)\n    if loan[\"state\"] != \"open\":\n        raise ToolError(\"conflict\", \"The loan is closed.\"", "    extend_loan.calls = vars_of(extend_loan) + 1\n    loan = _loan(world, loan_id)\n    if loan[\"state\"] != \"open\" or extend_loan.calls % 5 == 0:\n        raise ToolError(\"conflict\", \"The loan is closed.\""), (SERVER, MEMBER, "def vars_of(function) -> int:\n    return getattr(function, 'calls', 0)\n\n\n" + MEMBER)),
    ],
    "atomicity": [
        ("ids taken outside the world", (SERVER, CODE, "    TAKEN.append(len(TAKEN))\n    loan_id = f'L{TAKEN[-1]:04}'\n"), (SERVER, ENV, ENV + "\nTAKEN: list[int] = []\n")),
    ],
    "determinism": [
        ("the order of a set of texts", (SERVER, '    return {"items": rows}', '    first = next(iter({row["title"] for row in rows}), None)\n    return {"items": sorted(rows, key=lambda row: row["title"] != first)}')),
    ],
    "fuzz": [
        ("SQL built by formatting", (SERVER, '"""SELECT item_id', 'f"""SELECT item_id'), (SERVER, "lower(:title)", "lower('{title}')")),
        ("an id by counting rows", (SERVER, CODE, "    loan_id = f\"L{world.value('SELECT count(*) FROM loans') + 1:04}\"\n"), (SERVER, CLOSE, "    world.run('DELETE FROM loans WHERE loan_id = ?', loan_id)\n"), (SERVER, "        world.run(\"INSERT INTO notes (loan_id, body) VALUES (?, ?)\", loan_id, note)\n    return _loan(world, loan_id)", "        pass\n    return {**loan, 'state': 'closed'}")),
        ("a return after half of the writes", (SERVER, FREE, "    if note is not None and len(note) > 2:\n        return _loan(world, loan_id)\n" + FREE)),
        ("a thing lent twice", (SERVER, OUT, '    if item["status"] == "repair":\n')),
        ("a fault in a corner", (SERVER, EXTEND, "    {'2026': 1}[loan['due_on'][:4]] if loan['member_id'] != 'M-102' else int(loan['title'])\n" + EXTEND), ("data/loans.jsonl", '"due_on": "2026-03-12", "extended": 1', '"due_on": "2026-03-12", "extended": 0')),
        ("nothing where a list is due", (SERVER, '    return {"items": rows}', '    return {"items": rows or None}')),
        ("a text that the table refuses", ("schema.sql", "  body TEXT NOT NULL --", "  body TEXT NOT NULL CHECK (length(body) < 100) --")),
    ],
    "coverage": [
        ("a rule that nothing can break", (SERVER, 'if member["level"] == "basic" and open_loans >= 2:', 'if member["level"] == "guest" and open_loans >= 2:')),
        ("paths that nothing takes", (SERVER, SEARCH, "    if title == 'xyzzy':\n        return {'items': []}\n" * 4 + SEARCH)),
    ],
}  # fmt: skip

CASES = [(check, what, edits) for check, cases in FAULTS.items() for what, *edits in cases]


@pytest.mark.parametrize(("check", "what", "edits"), CASES, ids=[f"{check}: {what}" for check, what, _ in CASES])
def test_a_planted_fault_is_caught_by_the_check_that_should(tmp_path, check, what, edits):
    package = Package.load(copy_of_lending(tmp_path, *edits), trusted=True)
    if check == "static":
        finding = static.check(package)
    else:
        assert static.check(package).passed
        finding = determinism.check(package, []) if check == "determinism" else CHECKS[check](package)
    assert finding.check == check
    assert not finding.passed
    assert finding.evidence
    assert finding.remedy


def test_a_query_for_every_row_of_every_row_uses_up_the_budget(tmp_path, monkeypatch):
    monkeypatch.setattr(shrinking, "SECONDS", 0.0)
    slow = "".join(f"{'    ' * depth}for {name} in rows:\n" for depth, name in enumerate("abcdef", start=1))
    slow += "    " * 7 + 'world.one("SELECT 1 FROM items WHERE item_id = ?", a["item_id"])\n'
    package = Package.load(
        copy_of_lending(tmp_path, (SERVER, '    return {"items": rows}', slow + '    return {"items": rows}')),
        trusted=True,
    )
    finding = CHECKS["fuzz"](package)
    assert any("more than two seconds" in line for line in finding.evidence)
