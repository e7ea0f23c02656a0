"""Families of rows: what a row belongs to, so that all of it comes into one split.

A comment belongs to its ticket, and a calendar's events to the calendar. Were each dealt by itself, few calls
about a row and its part would find both in one split.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from ...environment import Package
from ...world import LiveWorld

Row = tuple[str, Any]
"""A table and the key of one of its rows."""


class Families:
    """Finds what rows of the base world belong to.

    Args:
        package: The environment.
        world: A world in its base state.
        reference: Tables that belong to every split; nothing belongs to their rows.
    """

    def __init__(self, package: Package, world: LiveWorld, reference: Set[str]) -> None:
        self._tables, self._world = package.schema.tables, world
        self._above = {name: self._parent(name, reference) for name in self._tables}
        self._found: dict[Row, Row] = {}

    def head(self, table: str, key: Any) -> Row:
        """The row at the head of a row's family: itself, where it belongs to none."""
        if (table, key) not in self._found:
            self._found[table, key] = self._climb(table, key)
        return self._found[table, key]

    def _climb(self, table: str, key: Any) -> Row:
        row, seen = (table, key), {table}
        while (above := self._above.get(row[0])) is not None and above[1] not in seen:
            column, parent = above
            own = self._tables[row[0]].key[0]
            found = self._world.query(f'SELECT "{column}" FROM "{row[0]}" WHERE "{own}" IS ?', (row[1],))
            if len(found) != 1 or found[0][0] is None:
                break
            row = (parent, found[0][0])
            seen.add(parent)
        return row

    def _parent(self, table: str, reference: Set[str]) -> tuple[str, str] | None:
        """The column by which rows of a table belong to others, and whose rows these are."""
        definition = self._tables[table]
        if len(definition.key) != 1 or table in reference:
            return None
        for column in definition.columns:
            above, _, key = (column.references or "").partition(".")
            owned = above in self._tables and above != table and above not in reference
            if owned and not column.nullable and self._tables[above].key == (key,):
                return column.name, above
        return None
