"""Rows that hang together: of each table the first ones whose parents are there, at most `MAX_ROWS`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..model import Resource, Row
from .columns import stored
from .rows import MAX_ROWS

Rows = dict[str, list[Row]]


def linked_rows(resources: Sequence[Resource], records: Mapping[str, list[Row]]) -> Rows:
    """The rows each table keeps; references to rows that are not kept are emptied, or take their row along.

    Args:
        resources: The tables, those that are referred to before those that must refer.
        records: Table → its rows, with the source's columns as keys.
    """
    done: Rows = {}
    for resource in resources:
        seen: set[tuple[Any, ...]] = set()
        unique: dict[str, set[Any]] = {one.name: set() for one in resource.fields if one.unique}
        kept: list[Row] = []
        for number, record in enumerate(records.get(resource.table, ())):
            row = _row(resource, record, number, done, kept)
            identity = tuple(row[name] for name in resource.key_columns) if row is not None else ()
            if row is None or identity in seen or any(row[name] in taken for name, taken in unique.items()):
                continue
            seen.add(identity)
            for name, taken in unique.items():
                if row[name] is not None:
                    taken.add(row[name])
            kept.append(row)
            if len(kept) == MAX_ROWS:
                break
        done[resource.table] = kept
    return done


def _row(resource: Resource, record: Row, number: int, done: Rows, own: list[Row]) -> Row | None:
    """One row as stored; None where something it needs is missing."""
    row: Row = {}
    for field in resource.fields:
        value = number + 1 if field.source == "(row)" else stored(field, record.get(field.source))
        if field.references and value is not None:
            there = own if field.references == resource.table else done.get(field.references, [])
            key = _key_of(field.references, done, own, resource)
            if all(other.get(key) != value for other in there):
                value = None
        needed = field.required or field.role in ("key", "parent")
        if value is None and needed:
            return None
        outside = (
            isinstance(value, (int, float))
            and not isinstance(value, bool)
            and (
                (field.minimum is not None and value < field.minimum)
                or (field.maximum is not None and value > field.maximum)
            )
        )
        row[field.name] = None if outside and not needed else value
        if outside and needed:
            return None
    return row


def _key_of(table: str, done: Rows, own: list[Row], resource: Resource) -> str:
    if table == resource.table:
        return resource.key
    first = next(iter(done.get(table, ())), {})
    return next(iter(first), "")
