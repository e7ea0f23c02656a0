"""What a deletion touches: rows that belong to the deleted one, and rows that forbid it."""

from __future__ import annotations

from dataclasses import dataclass

from ..model import Model, Resource
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


def uses(model: Model, resource: Resource) -> list[Use]:
    """Tables that forbid a deletion, because their rows point at the row or at what it owns."""
    going = owned(model, resource)
    inside = {one.resource.table for one in going}
    conditions: dict[str, list[str]] = {}
    for other, column in model.pointing_at(resource.table):
        if other.table not in inside:
            conditions.setdefault(other.table, []).append(f"{quoted(column.name)} = :key")
    for one in going:
        for other, column in model.pointing_at(one.resource.table):
            if other.table not in inside:
                gone = f"SELECT {quoted(one.resource.key)} FROM {quoted(one.resource.table)} WHERE {one.condition}"
                where = f"{quoted(column.name)} IN ({gone})"
                conditions.setdefault(other.table, []).append(where)
    return [Use(model.resource(table), " OR ".join(found)) for table, found in conditions.items()]
