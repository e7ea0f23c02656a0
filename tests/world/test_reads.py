"""The tables that calls read are told by what SQLite compiles, through views and triggers too."""

from __future__ import annotations

import pytest

from envfactory_gym.environment.errors import EnvironmentFault
from envfactory_gym.world import LiveWorld


@pytest.mark.parametrize(
    ("statement", "tables"),
    [
        ("SELECT v FROM p", {"p"}),
        ("SELECT count(*) FROM p", {"p"}),
        ("SELECT * FROM rich", {"p"}),
        ("SELECT 1", set()),
        ("INSERT INTO nopk VALUES ('u3', 1)", set()),
        ("INSERT INTO nopk SELECT x, v FROM b", {"b"}),
        ("UPDATE p SET v = 5", set()),
        ("UPDATE p SET v = v + 1", {"p"}),
        ("UPDATE p SET v = 5 WHERE id IN (SELECT p FROM c)", {"p", "c"}),
    ],
)
def test_a_call_reads_what_its_statements_name(world: LiveWorld, statement: str, tables: set[str]) -> None:
    for _ in range(2):  # the second time, the statement is compiled already
        with world.reads() as found, world.trial():
            world.call("sql", {"statements": [statement]})
        assert found == tables


def test_triggers_of_the_schema_read_too(world: LiveWorld) -> None:
    with world.reads() as found:
        world.call("sql", {"statements": ["UPDATE self SET v = 7 WHERE id = 1"]})
    assert found == {"self"}


def test_a_failed_statement_reads_nothing_and_the_world_goes_on(world: LiveWorld) -> None:
    with world.reads() as found:
        with pytest.raises(EnvironmentFault):
            world.call("sql", {"statements": ["SELECT nothing FROM nowhere"]})
        world.call("read", {"query": "SELECT v FROM b"})
    assert found == {"b"}
    assert world.call("read", {"query": "SELECT id FROM p"}) == '[{"id":"p1"},{"id":"p2"}]'
    assert found == {"b"}


def test_reading_leaves_the_state_alone(world: LiveWorld) -> None:
    before = world.digest()
    with world.reads(), world.trial():
        world.call("sql", {"statements": ["DELETE FROM c"]})
    assert world.digest() == before
