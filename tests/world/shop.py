"""A small shop with every kind of table that makes life hard for a change log, and tools that misbehave on request."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from envfactory_gym.environment.columns import read_schema
from envfactory_gym.environment.errors import ToolError
from envfactory_gym.environment.tool import Tool, build_tool
from envfactory_gym.world import Changes, LiveWorld, Template, World

NOW = "2026-05-14T09:00:00Z"

SCHEMA = """
CREATE TABLE a(id INTEGER PRIMARY KEY, k TEXT UNIQUE, v INTEGER) STRICT;
CREATE TABLE b(x TEXT, y TEXT, v INTEGER, PRIMARY KEY(x, y)) STRICT, WITHOUT ROWID;
CREATE TABLE p(id TEXT PRIMARY KEY NOT NULL, v INTEGER NOT NULL CHECK (v >= 0)) STRICT;
CREATE TABLE c(id INTEGER PRIMARY KEY, p TEXT REFERENCES p(id) ON DELETE CASCADE ON UPDATE CASCADE, v INT) STRICT;
CREATE TABLE nopk(u TEXT, v INTEGER) STRICT;
CREATE TABLE nullpk(id TEXT PRIMARY KEY, v INTEGER);
CREATE TABLE seq(id INTEGER PRIMARY KEY AUTOINCREMENT, v TEXT) STRICT;
CREATE TABLE gen(
    id INTEGER PRIMARY KEY,
    v INTEGER,
    stored INTEGER GENERATED ALWAYS AS (v * 2) STORED,
    virtual INTEGER GENERATED ALWAYS AS (v * 3) VIRTUAL
) STRICT;
CREATE TABLE trg(id INTEGER PRIMARY KEY, v INTEGER) STRICT;
CREATE TABLE trglog(id INTEGER PRIMARY KEY, msg TEXT) STRICT;
CREATE TRIGGER t1 AFTER UPDATE ON trg BEGIN INSERT INTO trglog(msg) VALUES ('upd ' || NEW.id); END;
CREATE TRIGGER t2 AFTER DELETE ON a BEGIN INSERT INTO trglog(msg) VALUES ('del a ' || OLD.id); END;
CREATE TABLE self(id INTEGER PRIMARY KEY, v INTEGER, n INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TRIGGER t3 AFTER UPDATE OF v ON self BEGIN UPDATE self SET n = n + 1 WHERE id = NEW.id; END;
CREATE TRIGGER t4 AFTER INSERT ON self BEGIN UPDATE self SET n = 100 WHERE id = NEW.id; END;
CREATE TRIGGER t5 BEFORE DELETE ON self BEGIN UPDATE self SET n = -1 WHERE id <> OLD.id; END;
CREATE TABLE flt(
    id INTEGER PRIMARY KEY,
    r REAL, -- compare: number(0.01)
    bl BLOB
) STRICT;
CREATE TABLE loose(id INTEGER PRIMARY KEY, any ANY) STRICT;
CREATE TABLE mail(address TEXT NOT NULL COLLATE NOCASE, v INTEGER, PRIMARY KEY(address)) STRICT;
CREATE TABLE odd("group" INTEGER PRIMARY KEY, "sa""y" TEXT, "rowid" TEXT) STRICT;
CREATE TABLE stamp(
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP CHECK (datetime(at) IS NOT NULL),
    day TEXT DEFAULT (date('now')),
    hour TEXT GENERATED ALWAYS AS (strftime('%H', at)) VIRTUAL
) STRICT;
CREATE INDEX stamp_day ON stamp(date(at));
CREATE VIEW rich AS SELECT * FROM p WHERE v > 1;
CREATE VIRTUAL TABLE words USING fts5(v, content='seq', content_rowid='id');
"""

ROWS: dict[str, list[dict[str, Any]]] = {
    "a": [{"id": 1, "k": "k1", "v": 1}, {"id": 2, "k": "k2", "v": 2}, {"id": 3, "k": "k3", "v": 3}],
    "b": [{"x": "x1", "y": "y1", "v": 1}, {"x": "x2", "y": "y2", "v": 2}],
    "c": [{"id": 1, "p": "p1", "v": 1}, {"id": 2, "p": "p1", "v": 2}, {"id": 3, "p": "p2", "v": 3}],
    "p": [{"id": "p1", "v": 1}, {"id": "p2", "v": 2}],
    "nopk": [{"u": "u1", "v": 1}, {"u": "u1", "v": 1}, {"u": "u2", "v": 2}],
    "nullpk": [{"id": None, "v": 1}, {"id": "n2", "v": 2}],
    "seq": [{"v": "hello world"}, {"v": "s2"}],
    "gen": [{"id": 1, "v": 10}],
    "trg": [{"id": 1, "v": 1}],
    "self": [{"id": 1, "v": 1, "n": 0}, {"id": 2, "v": 2, "n": 0}],
    "flt": [{"id": 1, "r": 1.0, "bl": None}, {"id": 2, "r": 0.1, "bl": None}],
    "loose": [{"id": 1, "any": 1}, {"id": 2, "any": "1"}],
    "mail": [{"address": "ann@example.com", "v": 1}],
    "odd": [{"group": 1, 'sa"y': "hi", "rowid": "no"}],
    "stamp": [{"id": 1}],
}


def sql(world: World, statements: list[str]) -> list[int]:
    """Run statements; one that begins with ! is expected to break a constraint."""
    done = []
    for statement in statements:
        if not statement.startswith("!"):
            done.append(world.run(statement))
            continue
        try:
            world.run(statement[1:])
        except sqlite3.IntegrityError:
            done.append(-1)
        else:
            raise AssertionError(f"{statement} went through")
    return done


def read(world: World, query: str) -> list[dict[str, Any]]:
    """Rows of a query."""
    return world.all(query)


def draw(world: World) -> dict[str, Any]:
    """One of everything that is drawn."""
    return {
        "code": world.new_code("p.id"),
        "number": world.new_number("a.id", 1, 10),
        "chance": world.chance("coin"),
        "pick": world.pick("side", ["left", "right", "middle"]),
        "sql": world.value("SELECT random()"),
        "blob": world.value("SELECT hex(randomblob(8))"),
    }


def refuse(world: World, code: str = "conflict") -> None:
    """Write, draw, and then refuse."""
    world.run("UPDATE p SET v = v + 1")
    world.run("INSERT INTO seq(v) VALUES (?)", world.new_code("p.id"))
    world.chance("coin")
    raise ToolError(code, "no", field="code", reason="because")  # type: ignore[arg-type]


def break_(world: World, how: str) -> int:
    """Write, draw, and then go wrong in the way that is asked for."""
    world.run("UPDATE p SET v = v + 1")
    world.new_code("p.id")
    return WAYS[how](world)


def _recurse(world: World) -> int:
    return _recurse(world) + 1


def _commit_and_hide(world: World) -> int:
    try:
        world.run("COMMIT")
    except sqlite3.Error:
        return 1
    raise AssertionError("COMMIT went through")


def _kill_and_hide(world: World) -> int:
    for statement in ("INSERT OR ROLLBACK INTO p VALUES ('p1', 5)", "UPDATE p SET v = 99"):
        try:
            world.run(statement)
        except sqlite3.Error:
            continue
        raise AssertionError(f"{statement} went through")
    return 1


def _raise(error: BaseException) -> Callable[[World], int]:
    def way(world: World) -> int:
        raise error

    return way


def _hide(way: str) -> Callable[[World], int]:
    """Go wrong, catch whatever comes of it, and refuse as if nothing had been."""

    def refuse_instead(world: World) -> int:
        try:
            WAYS[way](world)
        except Exception:  # noqa: BLE001 - what a bad tool does
            raise ToolError("conflict", "all is well") from None
        raise AssertionError(f"{way} went through")

    return refuse_instead


class Unspeakable(Exception):
    """An error that cannot even be shown."""

    def __str__(self) -> str:
        raise RuntimeError("no")


ENDLESS = "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT count(*) FROM r"

WAYS: dict[str, Callable[[World], int]] = {
    "raise": _raise(RuntimeError("boom")),
    "memory": _raise(MemoryError()),
    "exit": _raise(SystemExit(3)),
    "generator": _raise(StopIteration()),
    "unspeakable": _raise(Unspeakable()),
    "recurse": _recurse,
    "integrity": lambda world: world.run("INSERT INTO p VALUES ('p1', 1)"),
    "check": lambda world: world.run("UPDATE p SET v = -1"),
    "foreign key": lambda world: world.run("INSERT INTO c(p) VALUES ('nobody')"),
    "syntax": lambda world: world.run("SELEC 1"),
    "no table": lambda world: world.run("SELECT * FROM nowhere"),
    "or rollback": lambda world: world.run("INSERT OR ROLLBACK INTO p VALUES ('p1', 5)"),
    "or rollback, hidden": _kill_and_hide,
    "commit, hidden": _commit_and_hide,
    "endless read": lambda world: world.value(ENDLESS),
    "endless write": lambda world: world.run(f"UPDATE p SET v = v + ({ENDLESS})"),
    "or rollback, then refuse": _hide("or rollback"),
    "commit, then refuse": _hide("commit"),
    "endless read, then refuse": _hide("endless read"),
    "endless write, then refuse": _hide("endless write"),
    "commit": lambda world: world.run("COMMIT"),
    "many rows": lambda world: world.one("SELECT * FROM a"),  # type: ignore[dict-item, return-value]
    "not json": lambda world: object(),  # type: ignore[dict-item, return-value]
    "surrogate": lambda world: world.run("INSERT INTO seq(v) VALUES (?)", "\ud800"),
    "huge number": lambda world: world.run("INSERT INTO seq(v) VALUES (?)", 1 << 70),
    "list as value": lambda world: world.run("INSERT INTO seq(v) VALUES (?)", [1]),
    "both ways": lambda world: world.run("SELECT ?", 1, two=2),
    "same name twice": lambda world: len(world.all("SELECT a.id, c.id FROM a JOIN c")),
    "empty pick": lambda world: world.pick("side", []),
    "no column": lambda world: world.new_code("p.nothing"),  # type: ignore[dict-item, return-value]
    "too large": lambda world: world.run("INSERT INTO seq(v) VALUES (hex(zeroblob(20000000)))"),
}


def only_user(world: World) -> int:
    """A tool of the user."""
    return world.run("UPDATE trg SET v = v + 1")


def _named(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    function.__name__ = name
    return function


TOOLS: dict[str, Tool] = {
    tool.name: tool
    for tool in (
        build_tool(_named(sql, "sql")),
        build_tool(read),
        build_tool(draw),
        build_tool(refuse),
        build_tool(_named(break_, "break_it")),
        build_tool(only_user, actor="user"),
    )
}

TABLES = (*ROWS, "trglog")


def shop(cache: Path, **more: Any) -> Template:
    """A template of the shop."""
    options = {"tools": TOOLS, "now": NOW, "world_hash": "shop", "cache_dir": cache, **more}
    return Template(read_schema(SCHEMA), options.pop("rows", ROWS), **options)


def run(world: LiveWorld, *statements: str) -> None:
    """Run statements through the tool."""
    world.call("sql", {"statements": list(statements)})


Dump = dict[str, Counter[tuple[Any, ...]]]


def dump(world: LiveWorld) -> Dump:
    """All rows, read the slow way, with their types."""
    return {
        name: Counter(
            tuple((type(value).__name__, value) for value in row)
            for row in world.query(f'SELECT {_columns(world, name)} FROM "{name}"')
        )
        for name in world.schema.tables
    }


def _columns(world: LiveWorld, table: str) -> str:
    return ", ".join('"' + name.replace('"', '""') + '"' for name in world.schema.tables[table].names)


def difference(before: Dump, after: Dump) -> dict[str, tuple[Counter[Any], Counter[Any]]]:
    """Per table: rows that went and rows that came."""
    found = {name: (before[name] - after[name], after[name] - before[name]) for name in before}
    return {name: both for name, both in found.items() if both[0] or both[1]}


def as_difference(changes: Changes) -> dict[str, tuple[Counter[Any], Counter[Any]]]:
    """What `changes()` says, in the same form."""
    found: dict[str, tuple[Counter[Any], Counter[Any]]] = {}
    for (table, _), rows in changes.items():
        for side, row in zip(found.setdefault(table, (Counter(), Counter())), rows, strict=True):
            if row is not None:
                side[tuple((type(value).__name__, value) for value in row)] += 1
    cancelled = {name: (gone - came, came - gone) for name, (gone, came) in found.items()}
    return {name: both for name, both in cancelled.items() if both[0] or both[1]}
