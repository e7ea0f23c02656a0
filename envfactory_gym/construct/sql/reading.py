"""A script or a SQLite file as a `Database`."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from ..problem import BuildError
from .database import Database
from .definitions import dialect_of, read_definitions
from .rows import load_rows, take_rows
from .statements import Statement, statements

SQLITE = b"SQLite format 3\x00"
"""How every SQLite file begins."""


def read_script(text: str, file: str) -> Database:
    """Read DDL, with or without the rows of a dump.

    Raises:
        BuildError: It defines no table.
    """
    script = list(statements(text))
    dialect = dialect_of(text)
    database = Database(file, "SQL")
    read_definitions(database, script, dialect)
    if not database.tables:
        _refuse(database)
    load_rows(database, script, dialect)
    return database


def read_file(path: Path) -> Database:
    """Read a SQLite file, which is opened read-only and never changed.

    Raises:
        BuildError: It is damaged, encrypted, or defines no table.
    """
    database = Database(path.name, "SQLite database")
    try:
        # Immutable: no lock is taken and no journal is written beside somebody's file.
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
        try:
            connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
            found = connection.execute(
                "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' "
                "ORDER BY type = 'index', rowid"
            ).fetchall()
            read_definitions(database, [Statement(str(row[0]), 1) for row in found], "sqlite")
            if not database.tables:
                _refuse(database)
            for table in database.tables.values():
                take_rows(table, connection, table.name)
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise BuildError(f"this SQLite file cannot be read: {error}", file=path) from error
    return database


def _refuse(database: Database) -> None:
    why = next(iter(database.skipped.items()), None)
    told = f"; {why[0]} {why[1]}" if why else ""
    raise BuildError(f"no table is defined here{told}", file=database.file, remedy="expected CREATE TABLE statements")
