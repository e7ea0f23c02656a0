"""What may stand instead: other values of the same column, other columns of the same table.

A mutant is worth running where the world accepts it. A status that no CHECK admits only shows
that the CHECK works; another admitted status shows whether a behaviour looks.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection

from ...environment import Package
from ...environment.errors import ERROR_CODES

_LISTED = re.compile(r"(\w+)\s+IN\s*\(([^()]*)\)", re.IGNORECASE)
_STRING = re.compile(r"'((?:[^']|'')*)'")
_AMOUNT = re.compile(r"^([+-]?)(\d+)( \w+)$")
DISTINCT = 40
"""A column with more different values than this holds names or texts, not kinds."""


class Vocabulary:
    """Other values and other columns, from schema.sql and the base rows.

    Args:
        package: The environment.
    """

    def __init__(self, package: Package) -> None:
        ddl = package.schema.ddl
        self.relations = _relations(ddl)
        self._lists: list[tuple[str, list[str]]] = []
        for match in _LISTED.finditer(ddl):
            if (values := _STRING.findall(match.group(2))) and len(values) > 1:
                self._lists.append((match.group(1), values))
        for name, table in package.schema.tables.items():
            for column in table.names:
                held = sorted({row[column] for row in package.rows(name) if isinstance(row.get(column), str)})
                if 1 < len(held) <= DISTINCT:
                    self._lists.append((column, held))

    def other_text(self, value: str) -> str:
        """Another value of a column that holds this one; a longer amount of time; else a text that is nothing."""
        if match := _AMOUNT.match(value):
            return f"{match.group(1)}{int(match.group(2)) + 1}{match.group(3)}"
        for _, values in self._lists:
            if value in values:
                return values[(values.index(value) + 1) % len(values)]
        return value + "_"

    def other_code(self, value: str) -> str:
        """Another error code."""
        if value not in ERROR_CODES:
            return value + "_"
        return ERROR_CODES[(ERROR_CODES.index(value) + 1) % len(ERROR_CODES)]

    def other_column(self, column: str, relations: Collection[str]) -> str | None:
        """Another column of the same type in the first of these tables or views that has the column."""
        for name in sorted(relations):
            columns = self.relations.get(name, [])
            kinds = dict(columns)
            if column in kinds:
                alike = [other for other, kind in columns if kind == kinds[column]]
                if len(alike) > 1:
                    return alike[(alike.index(column) + 1) % len(alike)]
        return None


def _relations(ddl: str) -> dict[str, list[tuple[str, str]]]:
    """Columns and their types of every table and view."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.executescript(ddl)
        names = [
            name
            for (name,) in connection.execute(
                "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name"
            )
        ]
        return {
            name: [(row[1], row[2]) for row in connection.execute(f'PRAGMA table_info("{name}")')] for name in names
        }
    finally:
        connection.close()
