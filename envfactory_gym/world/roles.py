"""What each column of a table does in a comparison: its role, worked out once per schema.

Under its policy a column is compared by equality, carries a reference, is a surrogate id, is text
that may quote ids, or is checked on paired rows only. A reference through a chain of foreign keys
is followed to the column where the value is born.
"""

from __future__ import annotations

import re
import sqlite3
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from operator import itemgetter
from typing import Any

from ..environment.columns import ColumnPolicy, Schema

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Roles:
    """The columns of one table by role; every tuple starts with the column's index in a row.

    Attributes:
        table: Name of the table.
        names: Column names, in the order of a row.
        literal: Reads all values out of a row that must be equal where ids are taken literally.
        constants: Reads those of them that can hold no id.
        integers: (index, label) of those of them that could hold a minted number.
        numbers: (index, policy) compared after rounding.
        references: (index, label, `table.column` where the value is born, constants read it too).
        generated: (index, label, `table.column`).
        keys: (index, label, `table.column`) of an exact key of one column: an id where it was minted.
        texts: (index, label) compared by equality, but with ids inside them renamed.
        checked: (index, policy) compared on paired rows only.
        unary: Whether a row must pass a check even where it equals the expected one literally.
        policies: One per column.
    """

    table: str
    names: tuple[str, ...]
    literal: Callable[[Row], Any]
    constants: Callable[[Row], Any]
    integers: tuple[tuple[int, int], ...]
    numbers: tuple[tuple[int, ColumnPolicy], ...]
    references: tuple[tuple[int, int, str], ...]
    generated: tuple[tuple[int, int, str], ...]
    keys: tuple[tuple[int, int, str], ...]
    texts: tuple[tuple[int, int], ...]
    checked: tuple[tuple[int, ColumnPolicy], ...]
    unary: bool
    policies: tuple[ColumnPolicy, ...]


_ROLES = ("constants", "integers", "numbers", "references", "generated", "keys", "texts", "checked")
_LITERAL = ("exact", "generated")
_CACHE: dict[int, tuple[weakref.ref[Schema], dict[str, Roles]]] = {}


def roles_of(schema: Schema) -> dict[str, Roles]:
    """Table name → roles; kept for as long as the schema object lives."""
    known = _CACHE.get(id(schema))
    if known is not None and known[0]() is schema:
        return known[1]
    identity = id(schema)
    roles = _roles(schema)
    _CACHE[identity] = weakref.ref(schema, lambda _: _CACHE.pop(identity, None)), roles
    return roles


def _roles(schema: Schema) -> dict[str, Roles]:
    composite = _composite_references(schema.ddl)
    parents: dict[str, str] = {}
    for table in schema.tables.values():
        for column in table.columns:
            ref = f"{table.name}.{column.name}"
            target = column.references or composite.get(ref)
            if target and target != ref:
                parents[ref] = target
    found = {}
    number = 0
    for table in schema.tables.values():
        parts: dict[str, list[Any]] = {name: [] for name in _ROLES}
        for index, column in enumerate(table.columns):
            number += 1
            policy, ref = column.policy, f"{table.name}.{column.name}"
            if policy.kind == "ignore" or (policy.kind == "text" and not policy.contains):
                continue
            if policy.kind in ("exact", "generated") and ref in parents:
                parts["references"].append((index, number, _born(ref, parents)))
            elif policy.kind == "generated":
                parts["generated"].append((index, number, ref))
            elif policy.kind == "exact" and table.key == (column.name,):
                parts["keys"].append((index, number, ref))
            elif policy.kind == "exact" and column.type == "INTEGER":
                parts["integers"].append((index, number))
                parts["constants"].append(index)
            elif policy.kind == "exact" and column.type in ("TEXT", "ANY"):
                parts["texts"].append((index, number))
            elif policy.kind == "exact":
                parts["constants"].append(index)
            elif policy.kind == "number":
                parts["numbers"].append((index, policy))
            else:
                parts["checked"].append((index, policy))
        constants = parts.pop("constants")
        found[table.name] = Roles(
            table=table.name,
            names=table.names,
            literal=_reader([i for i, column in enumerate(table.columns) if column.policy.kind in _LITERAL]),
            constants=_reader(constants),
            unary=any(policy.kind in ("where", "text") for _, policy in parts["checked"]),
            policies=tuple(column.policy for column in table.columns),
            **{name: tuple(values) for name, values in parts.items()},
        )
    return found


def _reader(indexes: list[int]) -> Callable[[Row], Any]:
    return itemgetter(*indexes) if indexes else _nothing


def _nothing(row: Row) -> None:
    return None


def _born(ref: str, parents: dict[str, str]) -> str:
    """The end of a chain of references; in a ring, the first of its columns in order."""
    seen = [ref]
    while (following := parents.get(seen[-1])) is not None:
        if following in seen:
            return min(seen[seen.index(following) :])
        seen.append(following)
    return seen[-1]


@lru_cache(maxsize=64)
def _composite_references(ddl: str) -> dict[str, str]:
    """Column → `table.column` for foreign keys of several columns, which `Column` does not carry."""
    if not re.search(r"FOREIGN\s+KEY\s*\([^)]*,", ddl, re.IGNORECASE):
        return {}
    connection = sqlite3.connect(":memory:")
    try:
        connection.executescript(ddl)
        found: dict[str, str] = {}
        names = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
        for (table,) in names:
            rows = connection.execute(f'PRAGMA foreign_key_list("{table}")').fetchall()
            for row in rows:
                several = sum(other[0] == row[0] for other in rows) > 1
                if several and row[4] is not None:
                    found.setdefault(f"{table}.{row[3]}", f"{row[2]}.{row[4]}")
        return found
    finally:
        connection.close()


def near(policy: ColumnPolicy, expected: Any, actual: Any) -> bool:
    """Whether two values of a `time` or `one_of` column agree."""
    if expected == actual:
        return True
    if policy.kind == "one_of":
        return actual in policy.values
    first, second = _moment(expected), _moment(actual)
    if first is None or second is None:
        return False
    return abs(first - second) <= (policy.window or 0)


def _moment(value: Any) -> float | None:
    """Seconds since 1970 of an ISO 8601 timestamp or date (UTC where it names no zone), or of a number."""
    if isinstance(value, (int, float)):
        return float(value)
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
