"""Which table or view stands behind a listed result: found by comparing its items with the columns.

A referring expression is proved unique by SQL, and SQL knows tables and views, not what a tool
returns. A relation fits a list if it has the key's column and, for every item, equal values in the
columns that are called like the item's fields.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ...environment import EnvironmentFault, Package
from ...world import LiveWorld

Item = Mapping[str, Any]


@dataclass(frozen=True)
class Fit:
    """A relation whose rows are a list's items.

    Attributes:
        relation: A table or a view.
        key: Its column that holds the key.
        fields: Field of the items → column with equal values.
        scope: Column → value that all items of the list share because the call asked for it.
    """

    relation: str
    key: str
    fields: dict[str, str]
    scope: dict[str, Any] = field(default_factory=dict)


class Relations:
    """The tables and views of one environment, with their columns."""

    def __init__(self, package: Package, world: LiveWorld) -> None:
        self._package, self._world = package, world
        self._samples: dict[str, tuple[Any, ...]] = {}
        self._fits: dict[tuple[str, str, str], tuple[str, dict[str, str]] | None] = {}

    @cached_property
    def columns(self) -> dict[str, tuple[str, ...]]:
        """Columns by table and view; an empty view is left out, since it describes nothing."""
        found = {name: table.names for name, table in self._package.schema.tables.items()}
        views = self._world.query("SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name")
        for (name,) in views:
            try:
                rows = self._world.rows(f'SELECT * FROM "{name}" LIMIT 1')
            except EnvironmentFault:
                continue  # a view over functions that only tools may call
            if rows:
                found[name] = tuple(rows[0])
        return found

    def having(self, column: str) -> list[str]:
        """Relations with a column of that name, tables first."""
        return [name for name, columns in self.columns.items() if column in columns]

    def rows(self, relation: str, column: str, value: Any) -> list[dict[str, Any]]:
        """The rows of a relation with a value in a column, of the present state."""
        return self._world.rows(f'SELECT * FROM "{relation}" WHERE "{column}" IS ?', (value,))

    def sample(self, table: str, column: str) -> tuple[Any, ...]:
        """A few different values of a column in the base world."""
        known = f"{table}.{column}"
        if known not in self._samples:
            sql = f'SELECT DISTINCT "{column}" FROM "{table}" WHERE "{column}" IS NOT NULL ORDER BY 1 LIMIT 40'
            self._samples[known] = tuple(row[0] for row in self._world.query(sql))
        return self._samples[known]

    def fit(
        self,
        place: tuple[str, str],
        items: Sequence[Item],
        field: str,
        key: str,
        given: Mapping[str, Any],
        world: LiveWorld | None = None,
    ) -> Fit | None:
        """The relation behind a list, with the scope that the call's arguments put on it.

        Args:
            place: Tool and path of the list; which relation fits is remembered by it.
            items: The listed items.
            field: Their field that holds the key.
            key: The key's column, `table.column`.
            given: Column names or argument names → values the call asked for.
            world: Where the list was read; the base world if left out.
        """
        column = key.partition(".")[2]
        known = (*place, field)
        if known not in self._fits:
            self._fits[known] = self._find(items, field, key.partition(".")[0], column, world or self._world)
        if (found := self._fits[known]) is None:
            return None
        relation, fields = found
        scope = {name: value for name, value in given.items() if name in self.columns[relation]}
        return Fit(relation, column, fields, scope)

    def _find(
        self, items: Sequence[Item], field: str, table: str, column: str, world: LiveWorld
    ) -> tuple[str, dict[str, str]] | None:
        best: tuple[str, dict[str, str]] | None = None
        for name in self.having(column):
            fields: set[str] | None = None
            for item in items[:12]:
                rows = world.rows(f'SELECT * FROM "{name}" WHERE "{column}" IS ?', (item.get(field),))
                # Where a relation has several rows of a key, its rows are not the items.
                equal = {key for key, value in item.items() if _same(rows[0], key, value)} if len(rows) == 1 else set()
                fields = equal if fields is None else fields & equal
                if not fields:
                    break
            if fields and (best is None or (len(fields), name == table) > (len(best[1]), best[0] == table)):
                best = name, {key: key for key in sorted(fields)}
        return best


def _same(row: Item, name: str, value: Any) -> bool:
    if name not in row or isinstance(value, (list, dict)):
        return False
    stored = row[name]
    return bool(stored == value) or (isinstance(value, bool) and stored == int(value))
