"""Each check of an environment catches the faults it is there for, planted in copies of a sound package."""

import pytest

from envfactory_gym.environment import Package
from envfactory_gym.verify import verify
from envfactory_gym.verify.checks import CHECKS, determinism, static
from tests.support import copy_of_lending, lending

RETURN = "    world.run(\"UPDATE loans SET state = 'closed' WHERE loan_id = ?\", loan_id)\n"
EXTEND = '    world.run("UPDATE loans SET due_on'
SEARCH = "    rows = world.all(\n"
LIST = "    _member(world, member_id)\n    return {\n"
ENV = "env = Environment(__file__)\n"

FAULTS = {
    "static": [
        ("imports the operating system", ("server.py", ENV, "import os\n\n" + ENV)),
        ("imports from a network module", ("server.py", ENV, "from urllib import request\n\n" + ENV)),
        ("opens a file", ("server.py", EXTEND, "    open('x')\n" + EXTEND)),
        ("evaluates text", ("server.py", EXTEND, "    eval('1')\n" + EXTEND)),
        ("reaches behind the facade", ("server.py", EXTEND, "    world._core\n" + EXTEND)),
        ("reads the wall clock", ("server.py", ENV, "import datetime\n\n" + ENV + "\nNOW = datetime.date.today()\n")),
        ("keeps a global", ("server.py", EXTEND, "    global COUNT\n    COUNT = 1\n" + EXTEND)),
        ("does not parse", ("server.py", ENV, ENV + "def (:\n")),
        ("holds a NUL", ("server.py", ENV, ENV + "\0")),
        ("is nested beyond measure", ("server.py", ENV, ENV + "x = " + "1+" * 20_000 + "1\n")),
        ("is nested beyond what is parsed", ("server.py", ENV, ENV + "x = " + "(" * 5_000 + ")" * 5_000 + "\n")),
        ("reaches the system through another module", ("server.py", ENV, "from enum import sys\n\n" + ENV)),
        ("words a tool that does not exist", ("language.yaml", "  extend_loan:", "  prolong_loan:")),
        ("words rows of no table", ("language.yaml", "rows:\n  loans:", "rows:\n  lendings:")),
        ("a behaviour of an unknown rule", ("behaviours.yaml", "ref: extend-once", "ref: extend-twice")),
        ("a behaviour that asserts nothing", ("behaviours.yaml", "  changes: {loans: 1, items: 1}\n", "- {name: x, origin: {kind: source}, calls: [{tool: search_items}]}\n")),
        ("a task that declines by an unknown rule", ("tasks.jsonl", '"decline": "extend-once"', '"decline": "extend-never"')),
        ("a task that calls an unknown tool", ("tasks.jsonl", '"tool": "return_item"', '"tool": "return_thing"')),
        ("a table that is not STRICT", ("schema.sql", "text(ignored)\n) STRICT;", "text(ignored)\n);")),
        ("a broken data line", ("data/items.jsonl", '"item_id": 3', '"item_id": ')),
    ],
    "import": [("code that fails on import", ("server.py", ENV, ENV + "\nTABLE = {}['x']\n"))],
    "tools": [
        ("an argument that is not described", ("server.py", "        category: Only things of that kind.\n", "")),
        ("a reference to no column", ("server.py", 'Ref("items.item_id")', 'Ref("items.id")')),
        ("writes to no table", ("server.py", '    writes=["loans"],\n', '    writes=["lendings"],\n')),
        ("a result that is a bare list", ("server.py", "class Items(TypedDict):\n    items: list[Item]\n", "Items = list[Item]\n")),
    ],
    "data": [
        ("a row that breaks a CHECK", ("data/items.jsonl", '"fee_cents": 520', '"fee_cents": -1')),
        ("a row that refers to nothing", ("data/loans.jsonl", '"member_id": "M-103", "item_id": 6', '"member_id": "M-909", "item_id": 6')),
        ("a row of the wrong type", ("data/items.jsonl", '"fee_cents": 520', '"fee_cents": "much"')),
        ("an invariant that is broken", ("data/items.jsonl", '"status": "repair"', '"status": "out"')),
        ("an invariant that does not run", ("invariants.sql", "FROM loans", "FROM lendings")),
        ("a table that no tool names", ("schema.sql", "CREATE TABLE notes", "CREATE TABLE dead (\n  a TEXT PRIMARY KEY NOT NULL\n) STRICT;\nCREATE TABLE notes")),
        ("a tool that can never succeed", ("server.py", LIST, "    raise ToolError('limit', 'never', reason='x')\n" + LIST)),
    ],
    "declarations": [
        ("a read that logs", ("server.py", LIST, "    world.run(\"INSERT INTO notes (loan_id, body) VALUES ('K8VNS', 'read')\")\n" + LIST)),
        ("a table it does not declare", ("server.py", 'writes=["loans", "items", "notes"]', 'writes=["loans", "notes"]')),
        ("a deletion it does not declare", ("server.py", EXTEND, "    world.run(\"DELETE FROM loans WHERE state = 'closed'\")\n" + EXTEND)),
        ("idempotence that is none", ("server.py", '    if loan["extended"]:', '    if loan["extended"] > 9:'), ("server.py", '    writes=["loans"],\n', '    writes=["loans"],\n    idempotent=True,\n'), ("server.py", "extended > 0", "extended > 0 AND state = 'lost'")),
        ("a result off its schema", ("server.py", '    return {"items": rows}', '    return {"items": rows, "items": [{**row, "fee_cents": row["fee_cents"] / 100} for row in rows]}')),
        ("candidates that are refused", ("server.py", "state = 'open' AND extended = 0", "state = 'closed'")),
        ("a refusal for another reason", ("server.py", 'reason="extend-once"', 'reason="extended-before"')),
        ("a refusal that is none", ("server.py", '    if loan["extended"]:', '    if loan["extended"] > 5:')),
        ("a hint that does not run", ("server.py", "SELECT 'M-999' AS member_id", "SELECT nope")),
        ("a hint for no argument", ("server.py", "SELECT 'M-999' AS member_id", "SELECT 'M-999' AS member")),
        ("a fault instead of a refusal", ("server.py", '    if loan["state"] != "open":\n        raise ToolError("conflict", "The loan is closed already.", field="loan_id", reason="closed")', '    if loan["state"] != "open":\n        raise KeyError("closed")')),
        ("a refusal without a field", ("server.py", 'f"There is no loan {loan_id}.", field="loan_id"', 'f"There is no loan {loan_id}."')),
        ("a refusal that blames no argument", ("server.py", 'f"There is no loan {loan_id}.", field="loan_id"', 'f"There is no loan {loan_id}.", field="loan"')),
        ("a result too long to pass on", ("server.py", '    return {"items": rows}', '    return {"items": rows * 60}')),
    ],
    "behaviours": [
        ("a loan that grows by a day too many", ("server.py", "'+7 days'", "'+8 days'")),
        ("a thing that does not come back", ("server.py", "SET status = 'in'", "SET status = 'repair'")),
        ("a row too many", ("server.py", EXTEND, "    world.run(\"UPDATE items SET fee_cents = 1 WHERE item_id = 1\")\n" + EXTEND)),
    ],
    "atomicity": [
        ("an effect outside the world", ("server.py", '    world.run(\n        "INSERT INTO loans (', '    SEEN.append(loan_id)\n    if len(SEEN) > 1:\n        raise ToolError("conflict", "seen", field="item_id")\n    world.run(\n        "INSERT INTO loans ('), ("server.py", ENV, ENV + "\nSEEN = []\n")),
    ],
    "isolation": [
        ("a cache between worlds", ("server.py", SEARCH, "    if category in CACHE and title is None:\n        return {\"items\": CACHE[category]}\n" + SEARCH), ("server.py", '    return {"items": rows}', '    CACHE[category] = rows\n    return {"items": rows}'), ("server.py", ENV, ENV + "\nCACHE = {}\n")),
        ("a counter in a mutable default", ("server.py", "def list_loans(world: World, member_id: MemberId) -> Loans:", "def list_loans(world: World, member_id: MemberId, seen: list[int] = []) -> Loans:"), ("server.py", LIST, "    seen = COUNT\n    seen.append(1)\n    if len(seen) % 3 == 0:\n        raise ToolError('limit', 'too often', field='member_id')\n" + LIST), ("server.py", ENV, ENV + "\nCOUNT: list[int] = []\n")),
    ],
    "determinism": [
        ("the order of a set", ("server.py", '    return {"items": rows}', '    order = {row["title"] for row in rows}\n    return {"items": sorted(rows, key=lambda row: list(order).index(row["title"]))}')),
        ("a hash of text", ("server.py", '    return {"items": rows}', '    return {"items": sorted(rows, key=lambda row: hash(row["title"]))}')),
    ],
}  # fmt: skip

CASES = [(check, what, edits) for check, cases in FAULTS.items() for what, *edits in cases]


@pytest.mark.parametrize(("check", "what", "edits"), CASES, ids=[f"{check}: {what}" for check, what, _ in CASES])
def test_a_planted_fault_is_caught_by_the_check_that_should(tmp_path, check, what, edits):
    package = Package.load(copy_of_lending(tmp_path, *edits), trusted=True)
    if check == "static":
        finding = static.check(package)
    elif check == "determinism":
        finding = determinism.check(package, [])
    elif check == "import":
        finding = verify(package).checks[-1]
    else:
        finding = CHECKS[check](package)
    assert finding.check == check
    assert not finding.passed
    assert finding.evidence
    assert finding.remedy


def test_a_package_with_a_failed_check_is_a_draft(tmp_path):
    report = verify(Package.load(copy_of_lending(tmp_path, FAULTS["behaviours"][0][1])))
    assert not report.passed
    assert report.tier == "draft"


def test_a_sound_package_passes_every_check():
    report = verify(lending())
    assert report.passed, [check for check in report.checks if not check.passed]
    assert [check.check for check in report.checks] == [
        "static", "tools", "data", "declarations", "behaviours", "atomicity", "isolation", "fuzz", "coverage",
        "determinism", "mutation",
    ]  # fmt: skip
    assert len(report.certificates) == 10
    assert report.content()["mutation"]["score"] >= 0.9


def test_nothing_of_a_package_runs_before_the_static_check_has_read_it(tmp_path):
    marker = tmp_path / "ran"
    folder = copy_of_lending(tmp_path, ("server.py", ENV, f"import os\n\nopen({str(marker)!r}, 'w')\n" + ENV))
    assert not verify(Package.load(folder)).passed
    assert not marker.exists()
