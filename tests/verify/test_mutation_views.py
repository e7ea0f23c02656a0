"""Faults in views: a tool that reads one is only as right as the view."""

import sqlite3

import pytest

from envfactory_gym.environment import Package
from envfactory_gym.verify.mutation import all_mutants, measure
from envfactory_gym.verify.mutation.judge import Judge
from envfactory_gym.verify.mutation.source import ServerText
from envfactory_gym.verify.mutation.views import readers_of, views, with_view
from tests.support import copy_of_lending

VIEWS = """-- Loans; a name in a comment is none: CREATE VIEW x AS SELECT 1;
CREATE VIEW open_loans (loan_id, member_id, item_id, title, due_on, extended, state) AS
SELECT loan_id, member_id, item_id, title, due_on, extended, state
FROM loans JOIN items USING (item_id) WHERE state = 'open';
CREATE VIEW IF NOT EXISTS my_loans AS SELECT * FROM open_loans;

CREATE TABLE notes"""
EDITS = (
    ("schema.sql", "CREATE TABLE notes", VIEWS),
    ("server.py", "f\"{_LOAN} WHERE member_id = :member AND state = 'open' ORDER", '"SELECT * FROM my_loans WHERE member_id = :member ORDER'),
)  # fmt: skip


@pytest.fixture
def package(tmp_path):
    return Package.load(copy_of_lending(tmp_path, *EDITS), trusted=True)


def test_views_are_found_with_their_readers_through_each_other(package):
    found = views(package.schema.ddl)
    assert list(found) == ["open_loans", "my_loans"]
    assert [token.text for token in found["my_loans"]] == ["SELECT", "*", "FROM", "open_loans"]
    text = ServerText(package.server_source)
    assert readers_of("open_loans", found, text) == ("list_loans",)
    assert readers_of("my_loans", found, text) == ("list_loans",)


def test_a_fault_in_a_view_is_noticed_like_one_in_the_tool(package):
    judge = Judge(package)
    (other,) = [
        mutant
        for mutant in all_mutants(package)
        if (mutant.file, mutant.operator) == ("schema.sql", "comparison") and mutant.function == "open_loans"
    ]
    assert other.tools == ("list_loans",)
    assert other.diff(package.schema.ddl).splitlines()[:2] == ["--- schema.sql", "+++ schema.sql (comparison)"]
    assert judge.judge(other).outcome == "killed"
    assert all(judge._problem(behaviour) is None for behaviour in package.behaviours)


def test_the_score_counts_views_too(package):
    score = measure(package, cache=False)
    assert score.share >= 0.9
    assert score.possible > len([mutant for mutant in all_mutants(package) if mutant.file == "server.py"])


def test_an_image_gets_another_view_and_keeps_its_rows():
    ddl = "CREATE TABLE t (a) ; CREATE VIEW v AS SELECT a FROM t WHERE a > 1;"
    sound = sqlite3.connect(":memory:")
    sound.executescript(ddl + "INSERT INTO t VALUES (1), (2);")
    other = sqlite3.connect(":memory:")
    other.deserialize(with_view(sound.serialize(), ddl.replace(">", ">="), "v"))
    assert other.execute("SELECT a FROM v").fetchall() == [(1,), (2,)]
    trigger = "CREATE TRIGGER w INSTEAD OF INSERT ON v BEGIN INSERT INTO t VALUES (new.a); END;"
    sound.executescript(trigger)
    assert with_view(sound.serialize(), ddl + trigger, "v") is None
    sound.close()
    other.close()
