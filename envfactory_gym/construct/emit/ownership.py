"""What a deletion touches: rows that belong to the deleted one, and rows that forbid it."""

from __future__ import annotations

from dataclasses import dataclass

from ..model import Field, Model, Resource
from .render import quoted


@dataclass(frozen=True)
class Owned:
    """A table whose rows go with the deleted row, and the SQL condition that finds them (`:key` bound)."""

    resource: Resource
    condition: str


@dataclass(frozen=True)
class Use:
    """A table whose rows point at what is deleted, and the SQL condition that finds them (`:key` bound)."""

    resource: Resource
    condition: str


def owned(model: Model, resource: Resource) -> list[Owned]:
    """Everything that belongs to a row of the resource, owners before what they own."""
    found: list[Owned] = []

    def walk(above: Resource, condition: str) -> None:
        for child, column in model.owned_by(above.table):
            owners = f"SELECT {quoted(above.key)} FROM {quoted(above.table)} WHERE {condition}"
            inner = f"{quoted(column.name)} IN ({owners})" if condition else f"{quoted(column.name)} = :key"
            found.append(Owned(child, inner))
            if not child.scoped:
                walk(child, inner)

    walk(resource, "")
    return found


def deletions(going: list[Owned]) -> list[str]:
    """SQL that deletes what belongs to a row (`:key` bound): what refers to others goes before them.

    Where two tables refer to each other, the references of one are emptied first.
    """
    left, done = going[::-1], []
    while left:
        one = next((one for one in left if not any(_pointers(other, one) for other in left)), left[0])
        done += [
            f"UPDATE {quoted(other.resource.table)} SET {quoted(field.name)} = NULL WHERE {other.condition}"
            for other in left
            for field in _pointers(other, one)
        ]
        done.append(f"DELETE FROM {quoted(one.resource.table)} WHERE {one.condition}")
        left.remove(one)
    return done


def _pointers(one: Owned, other: Owned) -> list[Field]:
    """Columns by which rows of one table refer to rows of another."""
    if one.resource.table == other.resource.table:
        return []
    return [field for field in one.resource.fields if field.references == other.resource.table]


def uses(model: Model, resource: Resource) -> list[Use]:
    """Tables that forbid a deletion: rows of theirs that stay point at the row or at what it owns."""
    going = owned(model, resource)
    inside: dict[str, list[str]] = {}
    for one in going:
        inside.setdefault(one.resource.table, []).append(one.condition)
    conditions: dict[str, list[str]] = {}
    for target, condition in [(resource, ""), *((one.resource, one.condition) for one in going)]:
        for other, column in model.pointing_at(target.table):
            if condition and other.beside(target):
                continue  # both belong to one row, and go together
            gone = f"SELECT {quoted(target.key)} FROM {quoted(target.table)} WHERE {condition}"
            where = f"{quoted(column.name)} IN ({gone})" if condition else f"{quoted(column.name)} = :key"
            if other.table in inside:
                where = f"({where} AND NOT ({' OR '.join(inside[other.table])}))"
            if where not in conditions.setdefault(other.table, []):
                conditions[other.table].append(where)
    return [Use(model.resource(table), " OR ".join(found)) for table, found in conditions.items()]
