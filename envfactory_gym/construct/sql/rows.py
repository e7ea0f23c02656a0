"""The rows a source brings: a dump's INSERTs are run by SQLite on tables without rules, a file's are selected.

Nothing but INSERT is ever run, on a database in memory that forbids everything else, and for a
bounded time.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from typing import Any

from .database import Column, Database, Table
from .statements import Statement, copied

MAX_ROWS = 200
"""Most rows of one table that an environment takes."""

_READ = 20_000
"""Most rows of one table that are looked at to find linked ones."""

NOW = "2026-05-14 09:00:00"
"""What a script's current time is: the environment's clock, so that the same script gives the same rows."""

_STEPS = 2_000_000
"""Thousands of SQLite instructions that one dump may take: minutes at most, never for ever."""

_ALLOWED = frozenset(
    {sqlite3.SQLITE_INSERT, sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, 33}
)  # 33 is a recursive query, which the step limit bounds
_SCHEMA_PREFIX = re.compile(
    r"^(\s*(?:INSERT|REPLACE)\s+(?:OR\s+\w+\s+|IGNORE\s+)?INTO\s+)(?:[`\"\[]?\w+[`\"\]]?\.)+(?=[`\"\[\w])", re.I
)


def load_rows(database: Database, script: Iterable[Statement], dialect: str) -> None:
    """Fill the tables from a script's INSERT and COPY statements; what cannot be read goes to `skipped`."""
    staged = _staging(database)
    try:
        for statement in script:
            word = statement.words.partition(" ")[0]
            if word in ("INSERT", "REPLACE"):
                _insert(database, staged, statement, dialect)
            elif word == "COPY":
                _copy(database, staged, statement)
        for table in database.tables.values():
            take_rows(table, staged, table.name)
    finally:
        staged.close()


def take_rows(table: Table, connection: sqlite3.Connection, name: str) -> None:
    """Take the first rows of a table of an open database, in the order of its key."""
    quoted = _quoted(name)
    order = ", ".join(map(_quoted, table.key)) or "rowid"
    cursor = connection.execute(f"SELECT * FROM {quoted} ORDER BY {order} LIMIT {_READ}")
    names = [one[0] for one in cursor.description]
    table.rows = [dict(zip(names, row, strict=True)) for row in cursor]
    table.total = int(connection.execute(f"SELECT count(*) FROM {quoted}").fetchone()[0])


def _staging(database: Database) -> sqlite3.Connection:
    """An empty database in memory with the tables' columns, and none of their rules."""
    staged = sqlite3.connect(":memory:", isolation_level=None)
    for table in database.tables.values():
        columns = ", ".join(_staged(table, column) for column in table.columns.values())
        staged.execute(f"CREATE TABLE {_quoted(table.name)} ({columns or 'nothing'})")
    left = [_STEPS]

    def step() -> int:
        left[0] -= 1
        return int(left[0] <= 0)

    staged.set_progress_handler(step, 1000)
    staged.create_function("now", 0, lambda: NOW)
    return staged


def _staged(table: Table, column: Column) -> str:
    """A column without its rules, but with the values that rows get where they give none."""
    name = _quoted(column.name)
    if (table.key == (column.name,) and "INT" in column.type) or (column.made and "SERIAL" in column.type):
        return f"{name} INTEGER PRIMARY KEY"
    default = NOW if column.stamp else column.default
    if default is None:
        return name
    text = str(int(default) if isinstance(default, bool) else default)
    return f"{name} DEFAULT {text}" if not isinstance(default, str) else f"{name} DEFAULT {_literal(text)}"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _insert(database: Database, staged: sqlite3.Connection, statement: Statement, dialect: str) -> None:
    text = _SCHEMA_PREFIX.sub(r"\1", statement.text)
    text = re.sub(r"^(\s*)INSERT\s+IGNORE\b", r"\1INSERT OR IGNORE", text, flags=re.I)
    if dialect == "mysql":
        text = _ansi_strings(text)
    elif dialect == "tsql":
        text = re.sub(r"\bN'", "'", text)
    staged.set_authorizer(lambda action, *_: sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY)
    try:
        staged.execute(text)
    except sqlite3.Error as error:
        first = f"{' '.join(statement.text[:60].split())} (line {statement.line})"
        database.skipped[first] = f"its rows cannot be read: {error}"
    finally:
        staged.set_authorizer(None)


def _ansi_strings(text: str) -> str:
    """MySQL's strings with backslashes as strings that every database reads."""

    def plain(match: re.Match[str]) -> str:
        inner = match[0][1:-1].replace("''", "'")
        inner = re.sub(r"\\(.)", lambda one: {"n": "\n", "t": "\t", "r": "\r", "0": ""}.get(one[1], one[1]), inner)
        return "'" + inner.replace("'", "''") + "'"

    return re.sub(r"'(?:[^'\\]|''|\\.)*'", plain, text, flags=re.S)


def _copy(database: Database, staged: sqlite3.Connection, statement: Statement) -> None:
    found = copied(statement)
    table = database.table(found[0]) if found else None
    if found is None or table is None:
        return
    names = found[1] or list(table.columns)
    values: list[list[Any]] = [one for one in found[2] if len(one) == len(names)]
    columns = ", ".join(map(_quoted, names))
    marks = ", ".join("?" * len(names))
    staged.executemany(f"INSERT INTO {_quoted(table.name)} ({columns}) VALUES ({marks})", values)
