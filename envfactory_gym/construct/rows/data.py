"""The base world: linked rows for every table, the same for the same seed on every Python.

Keys of all tables are drawn first, so that any column can point at any row; then each row is
filled from one subject, so that its name, its address and its dates agree.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..model import Field, Model, Resource, Row
from .amounts import add_up
from .chronology import in_turn
from .dice import Dice
from .labels import named_thing
from .values import Subject, nested, scalar

Data = Mapping[str, list[Row]]
"""Table → rows, in the order of `Model.resources`."""

ROOT_ROWS, NESTED_ROWS, FEW_ROWS = 40, 60, 3


def make_data(model: Model, seed: int) -> dict[str, list[Row]]:
    """Rows for every table.

    Args:
        model: The resource model.
        seed: Chooses among equally plausible worlds.
    """
    data: dict[str, list[Row]] = {}
    for resource in _parents_first(model):
        given = [dict(row) for row in resource.rows]
        data[resource.table] = given or _keys(model, resource, data, seed)
    for resource in model.resources:
        if resource.rows:
            continue
        taken: dict[str, set[object]] = {}
        for number, row in enumerate(data[resource.table]):
            _fill(model, resource, row, number, data, seed, taken)
            data[resource.table][number] = {field.name: row[field.name] for field in resource.fields}
    return {resource.table: data[resource.table] for resource in model.resources}


_ENDS = (
    ("starts", "ends"), ("start", "end"), ("begins", "ends"), ("begin", "end"), ("from", "until"), ("from", "to"),
    ("check_in", "check_out"), ("checkin", "checkout"), ("arrival", "departure"), ("not_before", "not_after"),
)  # fmt: skip
"""Words for the beginning and the end of one thing, in names that are otherwise alike."""


def order_pairs(resource: Resource) -> list[tuple[Field, Field]]:
    """Columns of which the second may not lie before the first: `start_date`, `end_date`.

    No pair that a row of the source itself breaks.
    """
    by_name = {field.name: field for field in resource.fields}
    pairs: list[tuple[Field, Field]] = []
    for field in resource.fields:  # what the source says
        start = by_name.get(field.after)
        free = start is not None and not any(one in pair for pair in pairs for one in (start, field))
        if start is not None and free and start.kind == field.kind and not (start.server or field.server):
            pairs.append((start, field))
    for field in resource.fields:  # what the names say
        if field.kind not in ("date", "datetime") or field.server:
            continue
        for first, last in _ENDS:
            other = by_name.get(re.sub(rf"(^|_){first}(_|$)", rf"\1{last}\2", field.name))
            taken = any(other in pair or field in pair for pair in pairs)
            if other is not None and other is not field and other.kind == field.kind and not (other.server or taken):
                pairs.append((field, other))
    return [(start, end) for start, end in pairs if not any(_backwards(row, start, end) for row in resource.rows)]


def _backwards(row: Row, start: Field, end: Field) -> bool:
    return row[start.name] is not None and row[end.name] is not None and row[end.name] < row[start.name]


def _parents_first(model: Model) -> list[Resource]:
    def depth(resource: Resource) -> int:
        above = resource.parent or resource.key_field.references
        return 0 if above is None else 1 + depth(model.resource(above))

    return sorted(model.resources, key=depth)


def _keys(model: Model, resource: Resource, data: Data, seed: int) -> list[Row]:
    """Rows that hold only their key and parent."""
    dice = Dice(seed, resource.table, "keys")
    key, parent = resource.key_field, resource.parent_field
    if key.references and not parent:
        owners = [row[model.resource(key.references).key] for row in data[key.references]]
        taken = [owner for owner in owners if not dice.one_in(5)]
        if len(taken) == len(owners) > 1 and resource.tool("create"):
            taken.pop()  # one stays without, so that another can be created
        return [{key.name: owner} for owner in taken]
    above_rows: list[Row] = [{}]
    if parent is not None and parent.references is not None:
        above = model.resource(parent.references)
        above_rows = [{parent.name: row[above.key]} for row in data[above.table]]
        for needed in _needed_beside(model, resource):  # what a row must refer to is there in its parent
            theirs = {row.get(needed.parent_field.name) for row in data.get(needed.table, ()) if needed.parent_field}
            above_rows = [one for one in above_rows if one[parent.name] in theirs] or above_rows[:1]
    nesting = any(other.parent == resource.table for other in model.resources)
    creates = resource.tool("create") is not None
    total = FEW_ROWS if nesting and not creates else NESTED_ROWS if parent else 24 if nesting else ROOT_ROWS
    rows: list[Row] = []
    seen: set[object] = set()
    given: set[object] = set()
    for number in range(total):
        spread = number < len(above_rows) - len(above_rows) // 6
        owner = above_rows[number % len(above_rows)] if spread else dice.pick(above_rows)
        value = _key(resource, key, number, dice, data)
        if key.kind == "text" and not (key.references or resource.minted or resource.scoped or key.enum):
            value = _fresh(value, given)
        row = {**owner, key.name: value}
        identity = (row.get(parent.name) if parent and resource.scoped else None, row[key.name])
        if identity not in seen and row[key.name] is not None:
            seen.add(identity)
            rows.append(row)
    return rows


def _needed_beside(model: Model, resource: Resource) -> list[Resource]:
    """Tables of the same parent to which every row must refer."""
    wanted = [model.resource(one.references) for one in resource.fields if one.required and one.references]
    return [one for one in wanted if one.table != resource.table and one.beside(resource)]


def _key(resource: Resource, key: Field, number: int, dice: Dice, data: Data) -> object:
    if key.references:
        return dice.pick(data[key.references])[next(iter(data[key.references][0]))]
    if key.kind == "integer":
        return number + 1
    if resource.minted:
        return dice.code()
    subject = Subject.draw(resource, dice, "2026-05-14T09:00:00Z", number)
    if key.name.rstrip("_") == "address" or resource.one == "address":
        return subject.email  # a street names nothing
    named = key.name.rstrip("_") in ("key", "slug") or (key.name.endswith("_name") and not key.label)
    return named_thing(resource.one, dice) if named else str(scalar(key, subject, dice))


def _fill(
    model: Model, resource: Resource, row: Row, number: int, data: Data, seed: int, taken: dict[str, set[object]]
) -> None:
    dice = Dice(seed, resource.table, "row", number)
    subject = Subject.draw(resource, dice, model.clock, number)
    for field in resource.fields:
        if field.name in row:
            continue
        if field.references:
            row[field.name] = _reference(model, resource, field, number, row, data, dice)
        elif _absent(field, number, dice):
            row[field.name] = None
        elif field.kind == "json":
            row[field.name] = nested(field, subject, dice)
        else:
            value = scalar(field, subject, dice)
            if field.unique or (field.label and field is resource.label and not subject.is_person):
                value = _fresh(value, taken.setdefault(field.name, set()))
            row[field.name] = value
    for start, end in order_pairs(resource):
        if _backwards(row, start, end):
            row[start.name], row[end.name] = row[end.name], row[start.name]
        if row[start.name] is None:
            row[end.name] = None
    in_turn(resource, row, dice, frozenset(field.name for pair in order_pairs(resource) for field in pair))
    add_up(resource, row)
    names = {field.name for field in resource.fields}
    for field in resource.fields:  # an all-day date and an exact time exclude each other
        if (
            field.kind == "date"
            and f"{field.name}_time" in names
            and row[f"{field.name}_time"] is not None
            and not field.required
        ):
            row[field.name] = None


def _absent(field: Field, number: int, dice: Dice) -> bool:
    """Whether a row has no value there; of lists and flags, one row at least has none."""
    if field.required or field.role != "plain" or field.label:
        return False
    return dice.one_in(6) or (number == 1 and field.kind in ("boolean", "json"))


def _fresh(value: object, taken: set[object]) -> object:
    """The value, numbered where another row has it."""
    text, number = value, 2
    while text in taken:
        text = _numbered(str(value), number)
        number += 1
    taken.add(text)
    return text


def _numbered(value: str, number: int) -> str:
    """A name told apart by a number: `Walnut desk 2`, `orders-export-2`, `ada2@brook.example`, `brook-2.example`."""
    if " " in value:
        return f"{value} {number}"
    if "@" in value:
        return value.replace("@", f"{number}@", 1)
    head, dot, rest = value.partition(".")
    return f"{head}-{number}{dot}{rest}"


def _reference(model: Model, resource: Resource, field: Field, number: int, row: Row, data: Data, dice: Dice) -> object:
    """A key of the table referred to; the last quarter of its rows stays unreferenced, free to be deleted."""
    target = model.resource(field.references or "")
    rows = data[target.table]
    parent, owner = resource.parent_field, target.parent_field
    if parent is not None and owner is not None and target.beside(resource) and target is not resource:
        rows = [one for one in rows if one[owner.name] == row[parent.name]]
    if target.table == resource.table:
        rows = [one for one in rows[:number] if parent is None or one[parent.name] == row[parent.name]]
        if not dice.one_in(4):
            return None
    elif not field.required and dice.one_in(3):
        return None
    else:
        rows = rows[: max(1, len(rows) * 3 // 4)]
    return dice.pick(rows)[target.key] if rows else None
