"""Rows that hang together: of each table the first ones whose parents are there, at most `MAX_ROWS`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..model import Resource, Row
from .columns import stored
from .rows import MAX_ROWS

Rows = dict[str, list[Row]]
_FREED = 6
"""Most rows of a table that lose what points at them, so that some can be deleted."""


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
    for resource in reversed(resources):
        _free_some(resource, resources, done)
    return done


def _free_some(resource: Resource, resources: Sequence[Resource], done: Rows) -> None:
    """Take what points at the last rows of a table away where every row is pointed at: else none could be deleted."""
    pointing = [
        (other, field)
        for other in resources
        for field in other.fields
        if field.references == resource.table and field.role == "plain"
    ]
    keys = [row[resource.key] for row in done[resource.table]]
    used = {row[field.name] for other, field in pointing for row in done[other.table]}
    if len(keys) < 2 or any(key not in used for key in keys):
        return
    for key in keys[-max(1, min(_FREED, len(keys) // 8)) :]:
        for other, field in pointing:
            for row in [row for row in done[other.table] if row[field.name] == key]:
                if field.required:
                    _drop(other, row, resources, done)
                else:
                    row[field.name] = None


def _drop(resource: Resource, row: Row, resources: Sequence[Resource], done: Rows) -> None:
    """Take a row away, and with it what cannot be without it."""
    if row not in done[resource.table]:
        return
    done[resource.table].remove(row)
    for other in resources:
        for field in other.fields:
            if field.references != resource.table:
                continue
            for child in [one for one in done[other.table] if one[field.name] == row[resource.key]]:
                if field.required or field.role in ("key", "parent"):
                    _drop(other, child, resources, done)
                else:
                    child[field.name] = None


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
