"""Which tables the calls of a block read, as SQLite's authorizer sees them.

The authorizer speaks only while a statement is compiled, and compiled statements are kept. So a
block notes the statements that its calls run, and each new text is compiled once more afterwards,
under EXPLAIN, which runs nothing. While no block is open, nothing of this costs anything: the
cursor of the tools is exchanged for a noting one only inside a block.
"""

from __future__ import annotations

import sqlite3
from typing import Any


class NotingCursor:
    """A cursor that notes what it runs. Stands in for the cursor of the tools.

    Attributes:
        ran: SQL text that ran without an error → values of its last run.
    """

    __slots__ = ("_cursor", "ran")

    def __init__(self, cursor: sqlite3.Cursor) -> None:
        self._cursor = cursor
        self.ran: dict[str, Any] = {}

    def execute(self, sql: str, bind: Any) -> sqlite3.Cursor:
        """Run a statement."""
        cursor = self._cursor.execute(sql, bind)
        self.ran[sql] = bind
        return cursor

    @property
    def description(self) -> Any:
        """As the cursor has it."""
        return self._cursor.description

    @property
    def rowcount(self) -> int:
        """As the cursor has it."""
        return self._cursor.rowcount
