"""What the SQL of a tool may do: read, and change rows. Everything else is refused, also if the tool hides it."""

from __future__ import annotations

import sqlite3

import pytest

from envfactory_gym.environment.errors import EnvironmentFault
from envfactory_gym.environment.tool import build_tool
from envfactory_gym.world import LiveWorld, World

from .shop import TOOLS, dump, run, shop

REFUSED = {
    "COMMIT": "COMMIT is not allowed",
    "END": "END is not allowed",
    "ROLLBACK": "ROLLBACK is not allowed",
    "BEGIN": "BEGIN is not allowed",
    "SAVEPOINT call": "SAVEPOINT is not allowed",
    "RELEASE call": "RELEASE is not allowed",
    "ROLLBACK TO base": "ROLLBACK is not allowed",
    " ; -- x\n /* y */ RELEASE base": "RELEASE is not allowed",
    "ATTACH ':memory:' AS x": "ATTACH is not allowed",
    "DETACH main": "DETACH is not allowed",
    "VACUUM": "VACUUM is not allowed",
    "PRAGMA cache_spill = ON": "PRAGMA is not allowed",
    "PRAGMA defer_foreign_keys = ON": "PRAGMA is not allowed",
    "PRAGMA foreign_keys = OFF": "PRAGMA is not allowed",
    "PRAGMA writable_schema = ON": "PRAGMA is not allowed",
    "CREATE TABLE x(y)": "CREATE is not allowed",
    "CREATE TEMP TABLE x(y)": "CREATE is not allowed",
    "DROP TABLE a": "DROP is not allowed",
    "ALTER TABLE a ADD COLUMN z": "ALTER is not allowed",
    "REINDEX": "REINDEX is not allowed",
    "ANALYZE": "ANALYZE is not allowed",
    "EXPLAIN SELECT 1": "EXPLAIN is not allowed",
    "": "is not allowed",
    "SELECT 1; DELETE FROM a": "one statement at a time",
    "DELETE FROM a; COMMIT": "one statement at a time",
    "SELECT * FROM pragma_journal_mode": "not allowed",
    "SELECT * FROM pragma_defer_foreign_keys": "not allowed",
    "SELECT load_extension('x')": "load_extension",
    "SELECT last_insert_rowid()": "RETURNING",
    "SELECT changes()": "world.run returns",
    "SELECT total_changes()": "world.run returns",
    "SELECT sqlite_version()": "differs between machines",
    "SELECT * FROM envfactory_log": "belong to the library",
    "DELETE FROM temp.ENVFACTORY_LOG": "belong to the library",
    "SELECT * FROM sqlite_temp_schema": "belongs to the library",
    "SELECT * FROM temp.sqlite_master": "belongs to the library",
    "DELETE FROM sqlite_sequence": "not allowed",
    "DELETE FROM sqlite_schema": "may not be modified",
    "INSERT INTO words(words) VALUES ('optimize')": "no search index",
    "DELETE FROM words_data": "no search index",
}


@pytest.mark.parametrize("statement", REFUSED)
def test_it_is_refused_by_name(world: LiveWorld, statement: str) -> None:
    run(world, "UPDATE p SET v = 9")
    before = dump(world)
    for _ in range(2):  # the second time, SQLite or Python may have kept the statement
        with pytest.raises(EnvironmentFault, match=r"^sql") as caught:
            run(world, "UPDATE p SET v = 8", statement)
        assert REFUSED[statement] in str(caught.value)
    assert dump(world) == before


HIDDEN = (
    "COMMIT",
    "ATTACH ':memory:' AS x",
    "PRAGMA cache_spill = ON",
    "SELECT last_insert_rowid()",
    "ROLLBACK TO base",
)


@pytest.mark.parametrize("statement", HIDDEN)
def test_a_tool_that_hides_a_refusal_fails_all_the_same(cache: object, form: bool, statement: str) -> None:
    def hide(world: World) -> int:
        """Try, and pretend that nothing happened."""
        world.run("DELETE FROM c")
        try:
            world.run(statement)
        except sqlite3.Error:
            return 1
        raise AssertionError("it went through")

    template = shop(cache, tools={**TOOLS, "hide": build_tool(hide)})  # type: ignore[arg-type]
    world = template.acquire(shared=form)
    before = dump(world)
    with pytest.raises(EnvironmentFault, match=r"^hide: .* not allowed"):
        world.call("hide", {})
    assert dump(world) == before
    template.close()


ALLOWED = {
    "SELECT 1": 0,
    "VALUES (1), (2)": 0,
    "-- why\nUPDATE p SET v = v + 1": 2,
    "WITH x(i) AS (VALUES (1), (2)) UPDATE a SET v = 0 WHERE id IN x": 2,
    "WITH x(i) AS (VALUES (7), (8)) INSERT INTO seq(v) SELECT i FROM x": 2,
    "DELETE FROM p WHERE id = 'p1'": 1,
    "UPDATE trg SET v = 5": 1,
    "INSERT INTO seq(v) VALUES ('a'), ('b'), ('c') RETURNING id": 3,
    "REPLACE INTO a VALUES (1, 'k1', 2)": 1,
    "SELECT name FROM pragma_table_info('a')": 0,
    "SELECT sql FROM sqlite_schema": 0,
    "SELECT * FROM rich": 0,
    "UPDATE p SET v = 1 WHERE 0": 0,
}


@pytest.mark.parametrize("statement", ALLOWED)
def test_reading_and_changing_rows_is_allowed_and_counted(world: LiveWorld, statement: str) -> None:
    for _ in range(2):
        world.reset()
        assert world.call("sql", {"statements": [statement]}) == f"[{ALLOWED[statement]}]"


def test_foreign_keys_are_checked_at_once(world: LiveWorld) -> None:
    with pytest.raises(EnvironmentFault, match="FOREIGN KEY"):
        run(world, "INSERT INTO c(p) VALUES ('nobody')")


def test_search_finds_base_rows(world: LiveWorld) -> None:
    assert world.call("read", {"query": "SELECT rowid FROM words WHERE words MATCH 'hello'"}) == '[{"rowid":1}]'


# ---------------------------------------------------------------- the facade


def returning(world: World) -> list[object]:
    """Use RETURNING in every way."""
    return [
        world.one("INSERT INTO seq(v) VALUES ('r') RETURNING id, v"),
        world.value("UPDATE p SET v = 7 WHERE id = 'p1' RETURNING v"),
        world.all("DELETE FROM a RETURNING id"),
        world.run("UPDATE b SET v = 0 RETURNING x"),
    ]


def facade(world: World) -> list[object]:
    """Everything a tool may ask."""
    return [
        world.one("SELECT * FROM p WHERE id = ?", "p1"),
        world.one("SELECT * FROM p WHERE id = :id", id="none"),
        world.value("SELECT v FROM p WHERE id = :id AND :now > :today", id="p2"),
        world.value("SELECT v FROM p WHERE 0"),
        world.all("SELECT :now AS now, :today AS today"),
        world.all("SELECT id FROM p ORDER BY id"),
        world.value("SELECT :x || :x", x="x"),
        world.now,
        world.today,
    ]


@pytest.fixture
def tooled(cache: object, form: bool) -> object:
    template = shop(cache, tools={tool.name: tool for tool in map(build_tool, (returning, facade))})  # type: ignore[arg-type]
    yield template.acquire(shared=form)
    template.close()


def test_returning_leaves_nothing_open(tooled: LiveWorld) -> None:
    first = tooled.call("returning", {})
    assert first == '[{"id":3,"v":"r"},7,[{"id":1},{"id":2},{"id":3}],2]'
    assert len(tooled.changes()) == 1 + 1 + 3 + 3 + 2  # three of them by the trigger on deletes
    tooled.reset()
    assert tooled.call("returning", {}) == first


def test_rows_are_dicts_and_the_clock_is_there(tooled: LiveWorld) -> None:
    assert tooled.call("facade", {}) == (
        '[{"id":"p1","v":1},null,2,null,[{"now":"2026-05-14T09:00:00Z","today":"2026-05-14"}],'
        '[{"id":"p1"},{"id":"p2"}],"xx","2026-05-14T09:00:00Z","2026-05-14"]'
    )


def test_nothing_public_leads_to_the_connection(world: LiveWorld) -> None:
    public = {name for name in dir(world.view) if not name.startswith("_")}
    assert public == {"all", "chance", "new_code", "new_number", "now", "one", "pick", "run", "today", "value"}


# ---------------------------------------------------------------- from outside


def test_queries_from_outside_read_and_never_write(world: LiveWorld) -> None:
    assert world.query("SELECT v FROM p WHERE id = ?", ("p1",)) == [(1,)]
    assert world.query("SELECT :now, :today, :x", {"x": 1}) == [("2026-05-14T09:00:00Z", "2026-05-14", 1)]
    assert world.rows("SELECT id, v FROM p WHERE :now > '2026' ORDER BY id LIMIT 1") == [{"id": "p1", "v": 1}]
    assert world.view.value("SELECT count(*) FROM p") == 2
    before, digest = dump(world), world.digest()
    for write in ("DELETE FROM c", "UPDATE p SET v = 5 RETURNING v", "INSERT INTO seq(v) VALUES ('x')"):
        with pytest.raises(EnvironmentFault, match="only inside a tool call"):
            world.query(write)
        with pytest.raises(EnvironmentFault, match="only inside a tool call"):
            world.view.run(write)
    for bad in ("SELEC", "COMMIT", "SELECT 1; SELECT 2", "INSERT OR ROLLBACK INTO p VALUES ('p1', 1)"):
        with pytest.raises(EnvironmentFault, match="failed"):
            world.query(bad)
    assert (dump(world), world.digest()) == (before, digest)


def test_chance_is_drawn_inside_calls_only(world: LiveWorld) -> None:
    first = world.query("SELECT random()")
    assert world.query("SELECT random()") == first
    for draw in (
        lambda: world.view.chance("x"),
        lambda: world.view.new_code("p.id"),
        lambda: world.view.pick("x", [1]),
    ):
        with pytest.raises(EnvironmentFault, match="inside a tool call only"):
            draw()


def test_an_endless_query_is_stopped(world: LiveWorld) -> None:
    with pytest.raises(EnvironmentFault, match="budget"):
        world.query("WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT count(*) FROM r")
    run(world, "UPDATE p SET v = 2 WHERE id = 'p1'")
    assert len(world.changes()) == 1
