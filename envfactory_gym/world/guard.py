"""What the SQL of a tool may do: read everything, and change rows of the schema's tables.

Two defences. A statement is looked at when its text is seen for the first time: only SELECT,
VALUES, WITH, INSERT, REPLACE, UPDATE and DELETE pass. SQLite's authorizer then sees what the
statement does in truth (through triggers and views too) while it is compiled. Statements of the
library itself are compiled under `trusted`.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection

from .log import PREFIX, TABLE

_VERBS = frozenset({"SELECT", "VALUES", "WITH", "INSERT", "REPLACE", "UPDATE", "DELETE"})
_FIRST_WORD = re.compile(r"(?:\s+|--[^\n]*(?:\n|$)|/\*.*?(?:\*/|$)|;)*([A-Za-z]*)", re.DOTALL)
_READ_PRAGMAS = frozenset(
    {
        "table_info",
        "table_xinfo",
        "table_list",
        "foreign_key_list",
        "foreign_key_check",
        "index_list",
        "index_info",
        "index_xinfo",
    }
)
_FORBIDDEN_FUNCTIONS = {
    "load_extension": "code outside the package is never loaded",
    "fts3_tokenizer": "code outside the package is never loaded",
    "last_insert_rowid": "it survives a rollback; use INSERT ... RETURNING",
    "changes": "it survives a rollback; use the number that world.run returns",
    "total_changes": "it survives a rollback; use the number that world.run returns",
    "sqlite_version": "it differs between machines",
    "sqlite_source_id": "it differs between machines",
}
_UNREADABLE = frozenset({"dbstat", "sqlite_stmt", "sqlite_dbpage"})
_SCHEMA_TABLES = frozenset({"sqlite_master", "sqlite_schema"})
_WRITES = {sqlite3.SQLITE_INSERT: "INSERT", sqlite3.SQLITE_UPDATE: "UPDATE", sqlite3.SQLITE_DELETE: "DELETE"}
_ALLOWED = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE})
_NAMES = {
    sqlite3.SQLITE_ATTACH: "ATTACH",
    sqlite3.SQLITE_DETACH: "DETACH",
    sqlite3.SQLITE_ALTER_TABLE: "ALTER TABLE",
    sqlite3.SQLITE_ANALYZE: "ANALYZE",
    sqlite3.SQLITE_REINDEX: "REINDEX",
}


class Guard:
    """The authorizer of one connection.

    Attributes:
        trusted: True while the library compiles its own statements.
        denied: Why the last statement was refused; None where none was.
        seen: Collects the tables that compiled statements read; None where nobody wants to know.
    """

    __slots__ = ("_tables", "denied", "seen", "trusted")

    def __init__(self, tables: Collection[str]) -> None:
        self._tables = frozenset(tables)
        self.trusted = True
        self.denied: str | None = None
        self.seen: set[str] | None = None

    def inspect(self, sql: str) -> None:
        """Look at a text before it is compiled for the first time.

        Raises:
            sqlite3.ProgrammingError: It is not a statement that a tool may run.
        """
        if not isinstance(sql, str):
            raise sqlite3.ProgrammingError(f"SQL is a text, not {type(sql).__name__}")
        match = _FIRST_WORD.match(sql)
        verb = match.group(1).upper() if match else ""
        if verb not in _VERBS:
            self.denied = f"{verb or 'this'} is not allowed in a tool; it may only read and change rows"
        elif PREFIX in sql.lower():
            self.denied = f"names that begin with {PREFIX} belong to the library"
        if self.denied:
            raise sqlite3.ProgrammingError(self.denied)

    def __call__(self, action: int, one: str | None, two: str | None, database: str | None, trigger: str | None) -> int:
        """SQLite's question, asked while a statement is compiled."""
        if self.trusted or action in _ALLOWED:
            return sqlite3.SQLITE_OK
        reason = self._reason(action, one, two, database, trigger)
        if reason is None:
            return sqlite3.SQLITE_OK
        self.denied = reason
        return sqlite3.SQLITE_DENY

    def _reason(
        self, action: int, one: str | None, two: str | None, database: str | None, trigger: str | None
    ) -> str | None:
        if action == sqlite3.SQLITE_READ:
            if one in _UNREADABLE:
                return f"{one} is not part of a world"
            if self.seen is not None and one in self._tables and not (trigger or "").startswith(PREFIX):
                self.seen.add(one)
            if database != "temp" or (trigger or "").startswith(PREFIX):
                return None
            return f"{one} belongs to the library"
        if action in _WRITES:
            if database == "main" and one in self._tables:
                return None
            if one in _SCHEMA_TABLES:
                return None  # virtual tables declare themselves so; to really write there, SQLite refuses itself
            if database == "temp" and one == TABLE and (trigger or "").startswith(PREFIX):
                return None
            return f"{_WRITES[action]} on {one} is not allowed; only tables of the schema change, no search index"
        if action == sqlite3.SQLITE_FUNCTION:
            why = _FORBIDDEN_FUNCTIONS.get((two or "").lower())
            return None if why is None else f"{two}() is not allowed: {why}"
        if action == sqlite3.SQLITE_PRAGMA:
            if one in _READ_PRAGMAS or (one == "data_version" and two is None):
                return None
            return f"PRAGMA {one} is not allowed in a tool"
        if action == sqlite3.SQLITE_SAVEPOINT or (action == sqlite3.SQLITE_TRANSACTION and one != "COMMIT"):
            return None  # the episode's own: `inspect` lets no tool come here
        if action == sqlite3.SQLITE_TRANSACTION:
            return "COMMIT is not allowed: an episode is never committed"
        return f"{_NAMES.get(action, 'CREATE or DROP')} is not allowed in a tool"
