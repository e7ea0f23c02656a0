"""Coverage says which branches, tables and sides of rules nothing reaches, and changes nothing by looking."""

import ast

import pytest

from envfactory_gym.environment import Package
from envfactory_gym.verify.branches import instrumented
from envfactory_gym.verify.checks import coverage
from envfactory_gym.world import Template
from tests.support import copy_of_lending, edit_task, lending

SEARCH = "    rows = world.all(\n"
NEVER = "    if title == 'xyzzy':\n        return {'items': []}\n"


def broken(tmp_path, *edits):
    return Package.load(copy_of_lending(tmp_path, *edits), trusted=True)


def hits(tmp_path, body, calls):
    """The branches of a tool `probe(number)` with this body, and those that calls with these numbers take."""
    tool = (
        "@env.tool()\ndef probe(world: World, number: int) -> Items:\n"
        '    """Probe.\n\n    Args:\n        number: Any.\n    """\n'
    )
    code = tool + "".join(f"    {line}\n" for line in body.split("\n")) + "    return {'items': []}\n\n\n"
    package = broken(tmp_path, ("server.py", 'if __name__ == "__main__":', code + 'if __name__ == "__main__":'))
    tools, branches = instrumented(package)
    template = Template(package.schema, package.data, tools=tools, now=package.manifest.clock, world_hash="probe")
    try:
        world = template.acquire()
        for number in calls:
            assert world.call("probe", {"number": number}) == '{"items":[]}'
    finally:
        template.close()
    return [
        (branch.side, key in branches.taken) for key, branch in branches.known.items() if branch.function == "probe"
    ]


@pytest.mark.parametrize(
    ("body", "calls", "expected"),
    [
        ("if number > 1:\n    number = 1", [5], [("the condition holds", True), ("the condition does not hold", False)]),
        ("number = 1 if number else 2", [0], [("the condition holds", False), ("the condition does not hold", True)]),
        ("list(n for n in range(number) if n)", [1], [("the filter holds", False), ("the filter does not hold", True)]),
        ("for n in range(number):\n    pass", [0], [("the loop is entered", False)]),
        ("for n in range(number):\n    pass", [0, 1], [("the loop is entered", True)]),
        ("while number:\n    number -= 1", [2], [("the condition of the loop holds", True), ("the condition of the loop does not hold", True)]),
        ("try:\n    1 / number\nexcept ZeroDivisionError:\n    pass", [1], [("the handler is entered", False)]),
        ("try:\n    1 / number\nexcept ZeroDivisionError:\n    pass", [0], [("the handler is entered", True)]),
        ("match number:\n    case 1:\n        pass\n    case _:\n        pass", [1], [("the case is entered", True), ("the case is entered", False)]),
    ],
)  # fmt: skip
def test_a_branch_is_one_side_of_one_condition(tmp_path, body, calls, expected):
    assert hits(tmp_path, body, calls) == expected


def test_a_sound_package_is_reached_all_over():
    finding = coverage.check(lending())
    assert finding.passed, finding.evidence
    assert finding.figures["taken"] == 1.0
    assert (finding.figures["tables_read"], finding.figures["tables_written"]) == (3, 3)
    assert finding.figures["rules_enforced"] == 2


def test_looking_changes_nothing():
    package = lending()
    tools, _ = instrumented(package)
    template = Template(package.schema, package.data, tools=tools, now=package.manifest.clock, world_hash="look")
    try:
        there, here = template.acquire(), Template.of(package).acquire()
        for tool, arguments in (
            ("list_loans", {"member_id": "M-101"}),
            ("borrow_item", {"member_id": "M-104", "item_id": 9}),
        ):
            assert there.call(tool, arguments) == here.call(tool, arguments)
        assert there.changes() == here.changes()
    finally:
        template.close()


def test_a_branch_that_nothing_takes_is_named_with_its_line(tmp_path):
    package = broken(tmp_path, ("server.py", SEARCH, NEVER + SEARCH))
    finding = coverage.check(package)
    assert finding.passed
    line = next(node.lineno for node in ast.walk(ast.parse(package.server_source)) if isinstance(node, ast.Compare) and "xyzzy" in ast.unparse(node))  # fmt: skip
    assert f"never taken: server.py:{line} (search_items): the condition holds" in finding.notes


def test_too_many_of_them_are_a_failure(tmp_path):
    finding = coverage.check(broken(tmp_path, ("server.py", SEARCH, NEVER * 5 + SEARCH)))
    assert not finding.passed
    assert finding.evidence[0].startswith("only 82% of the branches")
    assert sum("xyzzy" not in line and "(search_items)" in line for line in finding.evidence) == 5


def test_a_table_that_is_only_talked_about_is_a_failure(tmp_path):
    edits = (
        ("schema.sql", "CREATE TABLE notes", "CREATE TABLE dead (\n  a TEXT PRIMARY KEY NOT NULL\n) STRICT;\nCREATE TABLE notes"),
        ("server.py", SEARCH, "    dead = None\n" + SEARCH),
    )  # fmt: skip
    finding = coverage.check(broken(tmp_path, *edits))
    assert finding.evidence == ("the table dead is neither read nor written",)


def test_a_table_that_is_declared_and_never_written_is_a_failure(tmp_path):
    edit = ("server.py", '    writes=["loans"],\n', '    writes=["loans", "members"],\n')
    finding = coverage.check(broken(tmp_path, edit))
    assert finding.evidence == ("the table members is never written, though a tool declares it",)


def test_tables_are_those_that_sqlite_touches_through_views_and_subqueries(tmp_path):
    package = broken(tmp_path, ("schema.sql", "-- People", "CREATE VIEW v AS SELECT title FROM items;\n-- People"))
    statements = {
        "SELECT * FROM v WHERE EXISTS (SELECT 1 FROM members WHERE level = ?)": ("basic",),
        "UPDATE loans SET extended = :extended": {"extended": 1},
        "DELETE FROM notes": (),
        "not sql": (),
    }
    assert coverage.tables(package, statements) == ({"items", "members"}, {"loans", "notes"})


def test_a_rule_that_the_tools_name_and_never_refuse_by_is_a_failure(tmp_path):
    check = "    if loan['extended'] > 90:\n        raise ToolError('forbidden', 'No.', field='loan_id', reason='no-camping-basic')\n"
    extend = '    world.run("UPDATE loans SET due_on'
    finding = coverage.check(broken(tmp_path, ("server.py", extend, check + extend)))
    assert finding.evidence == ("policy.md: [no-camping-basic] is enforced in server.py, but nothing was ever refused by it",)  # fmt: skip


def test_a_rule_of_the_agents_own_is_exercised_by_a_refusal_task_and_its_twin(tmp_path):
    folder = copy_of_lending(tmp_path)
    edit_task(folder, "extend-tent-twice", lambda task: task["turns"][0]["goal"].update(decline="no-camping-basic"))
    ways = coverage.rules(Package.load(folder, trusted=True), {("extend_loan", "extend-once")}, {"extend_loan"})
    assert ways["no-camping-basic"].startswith("kept by the agent alone")
    assert ways["extend-once"] == "refused by the tools and allowed by them"


def test_a_rule_that_refuses_everybody_is_one_sided():
    ways = coverage.rules(lending(), {("extend_loan", "extend-once")}, set())
    assert ways["extend-once"].endswith("never succeeded")
    assert ways["no-camping-basic"].startswith("not exercised")
