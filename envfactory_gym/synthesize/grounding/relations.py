"""Which table or view stands behind a listed result: found by comparing its items with the columns.

A referring expression is proved unique by SQL, and SQL knows tables and views, not what a tool
returns. A relation fits a list if it has the key's column and, for every item, equal values in the
columns that are called like the item's fields.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from ...environment import EnvironmentFault, Package
from ...world import LiveWorld

Item = Mapping[str, Any]

MOST_COMPARED = 12
"""Items of a list that are compared with rows."""


@dataclass(frozen=True)
class Fit:
    """A relation whose rows are a list's items.

    Attributes:
        relation: A table or a view.
        key: Its column that holds the key.
        fields: Field of the items → column with equal values.
        scope: SQL conditions that leave the rows which the call asked for.
        ways: Argument → the SQL condition, with `?` for the value, by which it narrows the rows.
    """

    relation: str
    key: str
    fields: Mapping[str, str]
    scope: tuple[str, ...] = ()
    ways: Mapping[str, str] = field(default_factory=dict)


class Relations:
    """The tables and views of one environment, with their columns."""

    def __init__(self, package: Package, world: LiveWorld) -> None:
        self._package, self._world = package, world
        self._scopes: dict[tuple[str, str, Any], str | None] = {}
        self._values: dict[str, frozenset[Any]] = {}
        self._samples: dict[str, tuple[Any, ...]] = {}

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

    def values(self, table: str, column: str) -> frozenset[Any]:
        """All values of a column in the base world."""
        known = f"{table}.{column}"
        if known not in self._values:
            rows = self._world.query(f'SELECT DISTINCT "{column}" FROM "{table}" WHERE "{column}" IS NOT NULL')
            self._values[known] = frozenset(row[0] for row in rows)
        return self._values[known]

    def behind(
        self, lists: Sequence[tuple[Sequence[Item], Mapping[str, Any]]], field: str, key: str, world: LiveWorld
    ) -> Fit | None:
        """The relation behind some lists of one tool, without a scope.

        Args:
            lists: Listed items, each with the arguments that listed them.
            field: Field of the items that holds the key.
            key: The key's column, `table.column`.
            world: Where the lists were read.
        """
        table, _, column = key.partition(".")
        items = [(item, given) for listed, given in lists for item in listed[:MOST_COMPARED]]
        found = self._find(items, field, table, column, world)
        if found is None:
            return None
        relation, fields = found
        asked: dict[str, list[tuple[Any, list[Any]]]] = {}
        for listed, given in lists:
            for name, value in given.items():
                if value is not None and not isinstance(value, (list, dict, bool)):
                    asked.setdefault(name, []).append((value, [item.get(field) for item in listed]))
        ways = {name: self._way(relation, column, name, lists_of, world) for name, lists_of in asked.items()}
        return Fit(relation, column, fields, ways={name: way for name, way in ways.items() if way is not None})

    def scoped(self, fit: Fit, given: Mapping[str, Any]) -> Fit:
        """The same relation with the scope that a call's arguments put on a list."""
        found = (self._scope(fit, name, value) for name, value in sorted(given.items()))
        return replace(fit, scope=tuple(condition for condition in found if condition is not None))

    def _scope(self, fit: Fit, name: str, value: Any) -> str | None:
        """The condition for one argument; of another column called like it where its own does not have the value."""
        if name not in fit.ways or isinstance(value, (list, dict, bool)) or value is None:
            return None
        known = (fit.relation, name, value)
        if known not in self._scopes:
            others = [f'"{column}" = ?' for column in self.columns[fit.relation] if column.startswith(f"{name}_")]
            self._scopes[known] = next(
                (
                    way.replace("?", literal(value))
                    for way in (fit.ways[name], *others)
                    if self._world.query(f'SELECT 1 FROM "{fit.relation}" WHERE {way} LIMIT 1', (value,))
                ),
                None,
            )
        return self._scopes[known]

    def _find(
        self, items: Sequence[tuple[Item, Mapping[str, Any]]], field: str, table: str, column: str, world: LiveWorld
    ) -> tuple[str, dict[str, str]] | None:
        """The relation with most columns equal to fields, one whose key is unique before others."""
        best: tuple[tuple[int, bool], str, dict[str, str]] | None = None
        for name in self.having(column):
            fields: set[str] | None = None
            for item, given in items:
                rows = self._rows_of(name, column, item.get(field), given, world)
                # Where a relation has several rows of a key, its rows are not the items.
                equal = {key for key, value in item.items() if _same(rows[0], key, value)} if len(rows) == 1 else set()
                fields = equal if fields is None else fields & equal
                if not fields:
                    break
            if fields and (best is None or (len(fields), name == table) > best[0]):
                best = (len(fields), name == table), name, {key: key for key in sorted(fields)}
        return None if best is None else (best[1], best[2])

    def _rows_of(
        self, name: str, column: str, value: Any, given: Mapping[str, Any], world: LiveWorld
    ) -> list[dict[str, Any]]:
        """The rows of a key; where it has several, those that the call asked for."""
        rows = world.rows(f'SELECT * FROM "{name}" WHERE "{column}" IS ?', (value,))
        if len(rows) > 1:
            rows = [row for row in rows if all(row.get(key, one) == one for key, one in given.items())]
        return rows

    def _way(
        self, relation: str, key: str, name: str, lists: Sequence[tuple[Any, Sequence[Any]]], world: LiveWorld
    ) -> str | None:
        """The SQL condition, with `?`, that says of the rows what an argument asked for; None where no column does.

        Args:
            relation: The relation.
            key: Its key column.
            name: The argument.
            lists: Values asked for, each with the keys listed for it.
            world: Where they were listed.
        """
        alike = sorted(self.columns[relation], key=lambda column: (column != name, not column.startswith(name)))
        ways = [way for column in alike for way in (f'"{column}" = ?', f'substr("{column}", 1, 10) = ?')]
        ways += [
            f'"{key}" IN (SELECT "{key}" FROM "{link}" WHERE "{name}" = ?)'
            for link in self.having(key)
            if link != relation and name in self.columns[link]
        ]
        for way in ways:
            sql = f'SELECT "{key}" FROM "{relation}" WHERE {way}'
            if all({row[0] for row in world.query(sql, (value,))}.issuperset(keys) for value, keys in lists):
                return way
        return None


def literal(value: Any) -> str:
    """A value as SQL writes it."""
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else repr(value)


def _same(row: Item, name: str, value: Any) -> bool:
    if name not in row or isinstance(value, (list, dict)):
        return False
    stored = row[name]
    return bool(stored == value) or (isinstance(value, bool) and stored == int(value))
