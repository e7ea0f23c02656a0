"""What hangs on a row: what is deleted with it, and what forbids its deletion. Computed from rows, not by SQL."""

from __future__ import annotations

from .model import Model, Resource, Row
from .rows.data import Data


def going_with(model: Model, data: Data, resource: Resource, row: Row) -> dict[str, list[Row]]:
    """Every row that is deleted with a row, itself included, by table."""
    found: dict[str, list[Row]] = {resource.table: [row]}
    waiting = [(resource, row)]
    while waiting:
        above, owner = waiting.pop()
        for child, column in model.owned_by(above.table):
            for other in data[child.table]:
                if other[column.name] == owner[above.key] and other not in found.setdefault(child.table, []):
                    found[child.table].append(other)
                    if not child.scoped:
                        waiting.append((child, other))
    return {table: rows for table, rows in found.items() if rows}


def kept_by(model: Model, data: Data, resource: Resource, row: Row) -> list[str]:
    """Tables whose rows forbid deleting a row, since they stay and refer to it or to what goes with it."""
    going = going_with(model, data, resource, row)
    tables: list[str] = []
    for table, rows in going.items():
        target = model.resource(table)
        gone = {one[target.key] for one in rows}
        for other, column in model.pointing_at(table):
            staying = (one for one in data[other.table] if one not in going.get(other.table, ()))
            if other.table not in tables and any(one[column.name] in gone for one in staying):
                tables.append(other.table)
    return tables


def tables_going(model: Model, table: str) -> list[str]:
    """Tables whose rows can be deleted with a row of a table, itself apart; owners before what they own."""
    found: list[str] = []
    waiting = [table]
    while waiting:
        for child, _ in model.owned_by(waiting.pop(0)):
            if child.table != table and child.table not in found:
                found.append(child.table)
                if not child.scoped:
                    waiting.append(child.table)
    return found


def tables_using(model: Model, resource: Resource) -> list[str]:
    """Tables whose rows can forbid the deletion of a row, in the model's order of references."""
    found: list[str] = []
    for table in [resource.table, *tables_going(model, resource.table)]:
        for other, _ in model.pointing_at(table):
            together = table != resource.table and other.beside(model.resource(table))
            if other.table not in found and not together:
                found.append(other.table)
    return found
