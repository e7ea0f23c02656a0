"""Each operator makes the faults it is named for, in Python and in SQL, and no others."""

import pytest

from envfactory_gym.environment import Package
from envfactory_gym.verify.mutation import OPERATORS, all_mutants, sample
from envfactory_gym.verify.mutation.python_operators import PythonOperators
from envfactory_gym.verify.mutation.source import ServerText
from envfactory_gym.verify.mutation.sql_text import looks_like_sql, tokens
from envfactory_gym.verify.mutation.vocabulary import Vocabulary
from tests.support import copy_of_lending, lending


@pytest.fixture(scope="module")
def vocabulary():
    return Vocabulary(lending())


def mutants_of(body, vocabulary):
    """(operator, the body with the fault) of a function with these lines."""
    source = "def tool(world, a, b, c=None):\n" + "".join(f"    {line}\n" for line in body.split("\n"))
    text = ServerText(source)
    start = source.index("\n") + 1
    found = []
    for edit in PythonOperators(text, vocabulary).of_function(text.functions["tool"]):
        mutated = source[: edit.start] + edit.replacement + source[edit.end :]
        compile(mutated, "server.py", "exec")
        found.append((edit.operator, "\n".join(line[4:] for line in mutated[start:].rstrip("\n").split("\n"))))
    return found


@pytest.mark.parametrize(
    ("operator", "body", "mutant"),
    [
        ("comparison", "return a < b", "return a > b"),
        ("comparison", "return a == b", "return a != b"),
        ("comparison", "return (a) not  in (b)", "return (a) in (b)"),
        ("comparison", "return a is not None", "return a is None"),
        ("boundary", "return a < b", "return a <= b"),
        ("boundary", "return a >= 2", "return a > 2"),
        ("dropped-conjunct", "return a and b and c", "return (a) and (c)"),
        ("dropped-conjunct", "return a or b", "return (b)"),
        ("dropped-statement", "world.run('DELETE FROM loans')\nreturn 1", "pass\nreturn 1"),
        ("dropped-statement", "a += 1\nreturn a", "pass\nreturn a"),
        ("dropped-statement", "a['x'] = 1\nreturn a", "pass\nreturn a"),
        ("swapped", "return helper(world, a, b)", "return helper(world, b, a)"),
        ("swapped", "return helper(x=a, y=b)", "return helper(x=b, y=a)"),
        ("swapped", "return a - b", "return b - a"),
        ("swapped", "return a['x'] + a['y']", "return a[\"y\"] + a['y']"),
        ("constant", "return 24", "return 25"),
        ("constant", "return True", "return False"),
        ("constant", "return a == 'basic'", "return a == 'plus'"),
        ("constant", "return a == 'teapot'", "return a == 'teapot_'"),
        ("removed-check", "if a:\n    raise ToolError('limit', 'no')\nreturn 1", "if False:\n    raise ToolError('limit', 'no')\nreturn 1"),
        ("constant", "if a:\n    raise ToolError('limit', 'no')", "if a:\n    raise ToolError('not_found', 'no')"),
        ("constant", "raise ToolError('limit', 'no', reason='full')", "raise ToolError('limit', 'no', reason='full_')"),
        ("negated-condition", "return 1 if a else 2", "return 1 if not (a) else 2"),
        ("negated-condition", "if not a:\n    return 1", "if a:\n    return 1"),
        ("negated-condition", "return [x for x in a if x]", "return [x for x in a if not (x)]"),
        ("comparison", "return world.all('SELECT a FROM loans WHERE b = ?', a)", "return world.all('SELECT a FROM loans WHERE b <> ?', a)"),
        ("comparison", "return world.all('SELECT a FROM loans WHERE b IS NULL')", "return world.all('SELECT a FROM loans WHERE b IS NOT NULL')"),
        ("comparison", "return world.all('SELECT a FROM loans WHERE b NOT IN (1)')", "return world.all('SELECT a FROM loans WHERE b IN (1)')"),
        ("boundary", "return world.all('SELECT a FROM loans WHERE b <= 3')", "return world.all('SELECT a FROM loans WHERE b < 3')"),
        ("boundary", "return world.all('SELECT a FROM loans WHERE b BETWEEN :x AND :y')", "return world.all('SELECT a FROM loans WHERE (b >= :x AND b < :y)')"),
        ("dropped-conjunct", "return world.all('SELECT a FROM loans WHERE b = ? AND c = 2', a)", "return world.all('SELECT a FROM loans WHERE (1 OR (b = ?)) AND c = 2', a)"),
        ("dropped-conjunct", "return world.all('SELECT a FROM t WHERE b BETWEEN 1 AND 2 AND c')", "return world.all('SELECT a FROM t WHERE (1 OR (b BETWEEN 1 AND 2)) AND c')"),
        ("dropped-conjunct", "return world.all('SELECT a FROM t WHERE b = 1 OR c = 2')", "return world.all('SELECT a FROM t WHERE (0 AND (b = 1)) OR c = 2')"),
        ("swapped", "return world.all('SELECT due_on FROM loans')", "return world.all('SELECT state AS due_on FROM loans')"),
        ("swapped", "return world.all('SELECT max(due_on) FROM loans')", "return world.all('SELECT max(state) FROM loans')"),
        ("swapped", "return world.all('SELECT 2 FROM loans ORDER BY extended')", "return world.all('SELECT 2 FROM loans ORDER BY item_id')"),
        ("swapped", "world.run('INSERT INTO loans (loan_id, due_on) VALUES (?, ?)', a, b)", "world.run('INSERT INTO loans (due_on, loan_id) VALUES (?, ?)', a, b)"),
        ("constant", "world.run(\"UPDATE loans SET state = 'open'\")", "world.run(\"UPDATE loans SET state = 'closed'\")"),
        ("constant", "world.run(\"UPDATE loans SET due_on = date(due_on, '+7 days')\")", "world.run(\"UPDATE loans SET due_on = date(due_on, '+8 days')\")"),
        ("negated-condition", "return world.value('SELECT CASE WHEN a > 1 THEN 2 ELSE 3 END')", "return world.value('SELECT CASE WHEN NOT (a > 1) THEN 2 ELSE 3 END')"),
        ("negated-condition", "return world.all('SELECT a FROM t WHERE (b OR c)')", "return world.all('SELECT a FROM t WHERE NOT ((b OR c))')"),
    ],
)  # fmt: skip
def test_an_operator_makes_this_fault(vocabulary, operator, body, mutant):
    assert (operator, mutant) in mutants_of(body, vocabulary)


@pytest.mark.parametrize(
    "body",
    [
        "'a docstring, 2 > 1'",
        "return {'key': a}",
        "return a",
        "return world.new_code('loans.loan_id', 5)",
        "return world.new_number('code', 100, 999)",
        "message = 'No such loan is known here.'",
        "return world.value(\"SELECT strftime('%s', :now)\")",
        "return max(a, b)",
        "return f'{a} of 3'",
        "return world.one('SELECT 1 FROM loans')",
    ],
)
def test_what_nobody_could_notice_is_left_alone(vocabulary, body):
    assert mutants_of(body, vocabulary) == []


def test_prose_of_an_error_is_left_alone(vocabulary):
    found = mutants_of("raise ToolError('limit', 'At most 3 of them.', field='a')", vocabulary)
    assert all("At most 3 of them." in mutant for _, mutant in found)
    assert len(found) == 2


def test_numbers_beside_a_boundary_are_not_moved_twice(vocabulary):
    assert ("constant", "return a >= 3") not in mutants_of("return a >= 2", vocabulary)


def test_setting_a_column_is_no_comparison(vocabulary):
    found = mutants_of("world.run('UPDATE loans SET extended = extended + 1 WHERE loan_id = ?', a)", vocabulary)
    assert [mutant for operator, mutant in found if operator == "comparison"] == [
        "world.run('UPDATE loans SET extended = extended + 1 WHERE loan_id <> ?', a)"
    ]


def test_tokens_know_their_place_through_prefixes_pieces_and_holes():
    source = """x = (f"{_LOAN} WHERE a = 'it''s' "\n     r'AND b >= :b -- why\\n')"""
    start, end = source.index("f"), len(source) - 1
    found = tokens(source, start, end)
    assert [token.text for token in found] == ["{_LOAN}", "WHERE", "a", "=", "'it''s'", "AND", "b", ">=", ":b"]
    assert all(source[token.start : token.end] == token.text for token in found)
    assert [token.piece for token in found] == [0] * 5 + [1] * 4


def test_parentheses_and_cases_have_depth():
    source = '"SELECT CASE WHEN (a) THEN 1 END"'
    assert {token.text: token.depth for token in tokens(source, 0, len(source))} == {
        "SELECT": 0, "CASE": 0, "WHEN": 1, "(": 1, "a": 2, ")": 1, "THEN": 1, "1": 1, "END": 0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "is_sql"),
    [("SELECT a FROM b", True), ("\n  UPDATE b SET a = 1", True), ("Select a seat.", False), ("SELECT", False), ("WITHIN a day", False)],
)  # fmt: skip
def test_prose_is_not_taken_for_sql(text, is_sql):
    assert looks_like_sql(text) is is_sql


def test_every_mutant_of_a_package_compiles_and_has_its_own_id():
    package = lending()
    found = all_mutants(package)
    assert len({mutant.id for mutant in found}) == len(found) > 100
    assert {mutant.operator for mutant in found} == set(OPERATORS)
    for mutant in found:
        compile(mutant.apply(package.server_source), "server.py", "exec")
        assert mutant.apply(package.server_source) != package.server_source


def test_a_fault_in_a_helper_or_a_constant_belongs_to_every_tool_that_reaches_it():
    tools = {mutant.function: set(mutant.tools) for mutant in all_mutants(lending())}
    assert tools["_member"] == {"list_loans", "borrow_item"}
    assert tools["<module>"] == {"list_loans", "borrow_item", "extend_loan", "return_item"}


def test_ids_stay_when_lines_move(tmp_path):
    moved = Package.load(copy_of_lending(tmp_path, ("server.py", '"""The lending desk', '"""\n\nThe lending desk')))
    moved.trusted = True
    assert {mutant.id for mutant in all_mutants(moved)} == {mutant.id for mutant in all_mutants(lending())}


def test_a_sample_is_seeded_capped_and_even_over_the_operators():
    every = all_mutants(lending())
    chosen = sample(every, most=8)
    assert chosen == sample(every, most=8)
    assert chosen != sample(every, most=8, seed=1)
    alone = sample([mutant for mutant in every if mutant.tools == ("extend_loan",)], most=8)
    assert len(alone) == 8
    assert len({mutant.operator for mutant in alone}) >= 5
    assert sample(every, most=1000) == every
