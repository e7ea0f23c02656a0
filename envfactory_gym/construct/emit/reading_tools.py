"""Tools that only read: `list_...` and `get_...`."""

from __future__ import annotations

from ..model import Filter, Model, Resource, ToolPlan
from ..naming import a, words
from .checks import check_parent, item_lines
from .parts import Argument, Built, item_arguments
from .render import bracket, quoted, sql
from .types import Types


def build_list(model: Model, types: Types, resource: Resource, tool: ToolPlan) -> Built:
    """A list that filters, sorts and pages."""
    parent = resource.parent_field
    arguments: list[Argument] = []
    if parent:
        above = model.resource(parent.references or "")
        arguments.append(
            (parent.name, types.keys[above.table], f"The {words(above.one)} whose {words(resource.table)} to list.")
        )
    for one in resource.listing.filters:
        arguments.append(
            (one.argument, f"{_filter_type(types, model, resource, one)} | None = None", _filter_about(resource, one))
        )
    sorts = resource.listing.sorts
    if sorts:
        arguments.append(
            (
                "sort_by",
                f"{types.orders[resource.table]} | None = None",
                f"Column to sort by; by {words(resource.key)} if not given.",
            )
        )
        arguments.append(("descending", "bool = False", "Whether the largest comes first."))
    limit = resource.listing
    arguments.append(
        ("limit", f"Annotated[int, Field(ge=1, le={limit.max_limit})] = {limit.default_limit}", "Most rows to return.")
    )
    if limit.cursor:
        arguments.append(("cursor", "Cursor | None = None", "The `next_cursor` of the page before."))
    else:
        arguments.append(("offset", "Offset = 0", "How many rows to skip."))
    where = [f"{quoted(parent.name)} = :{parent.name}"] if parent else []
    where += [line for one in limit.filters for line in _condition(resource, one)]
    order = _order(resource)
    lines = [f"SELECT * FROM {quoted(resource.table)}"]
    for condition in where:
        lead = "" if condition.startswith("   ") else "WHERE " if len(lines) == 1 else "  AND "
        lines.append(lead + condition)
    lines.append(order)
    named = [
        f"{name}={name}" for name in [*([parent.name] if parent else []), *(one.argument for one in limit.filters)]
    ]
    query = sql(lines, 8, 0 if sorts else None)  # the order's own quotes want a block
    body = check_parent(model, resource)
    start = "start" if limit.cursor else "offset"
    if limit.cursor:
        body.append("start = int(cursor or 0)")
    body.append(bracket("rows = world.all(", [("f" if sorts else "") + query, *named], ")", 4))
    following = f"str({start} + limit)" if limit.cursor else f"{start} + limit"
    pointer = "next_cursor" if limit.cursor else "next_offset"
    body.append(
        bracket(
            "return {",
            [
                f'"{resource.table}": [as_{resource.one}(row) for row in rows[{start} : {start} + limit]]',
                '"total": len(rows)',
                f'"{pointer}": {following} if {start} + limit < len(rows) else None',
            ],
            "}",
            4,
        )
    )
    summary = f"List {words(resource.table)}, one page at a time; what is not given does not narrow the list."
    return arguments, summary, types.pages[resource.table], body


def _order(resource: Resource) -> str:
    """The `ORDER BY` of a list; a column that the client chooses is quoted where one of them is a reserved word."""
    key, sorts = quoted(resource.key), resource.listing.sorts
    if not sorts:
        return f"ORDER BY {key}"
    chosen = f'{{sort_by or "{resource.key}"}}'
    if any(quoted(one) != one for one in (*sorts, resource.key)):
        chosen = f'"{chosen}"'
    return f'ORDER BY {chosen} {{"DESC" if descending else "ASC"}}, {key}'


def _filter_type(types: Types, model: Model, resource: Resource, one: Filter) -> str:
    if one.op == "search":
        return "Line"
    field = resource.field(one.column)
    return "Line" if field.long else types.argument(field, model)


def _filter_about(resource: Resource, one: Filter) -> str:
    if one.op == "search":
        return f"Text that must occur in {', '.join(words(column) for column in one.columns)}."
    field = words(one.column)
    if one.column.endswith("_at") and one.op in (">=", "<="):
        done, degree = words(one.column.removesuffix("_at")), "later" if one.op == ">=" else "earlier"
        return f"Only {words(resource.table)} {done} at this time or {degree}."
    if one.op == "=":
        return f"Only {words(resource.table)} with this {field}."
    return f"Only {words(resource.table)} with {a(field)} not {'before' if one.op == '>=' else 'after'} this."


def _condition(resource: Resource, one: Filter) -> list[str]:
    """SQL lines of one filter; continuation lines begin with spaces."""
    name = f":{one.argument}"
    if one.op == "search":
        inside = [f"instr(lower({quoted(column)}), lower({name}))" for column in one.columns]
        return [f"({name} IS NULL", *(f"       OR {part}" for part in inside[:-1]), f"       OR {inside[-1]})"]
    field = resource.field(one.column)
    loose = (
        " COLLATE NOCASE" if one.op == "=" and field.kind == "text" and not field.enum and not field.references else ""
    )
    return [f"({name} IS NULL OR {quoted(one.column)} {one.op} {name}{loose})"]


def build_get(model: Model, types: Types, resource: Resource, tool: ToolPlan) -> Built:
    """One row by its key."""
    lines = item_lines(model, resource, keep=False)
    body = [*lines[:-1], f"return {lines[-1]}"]
    return (
        item_arguments(model, types, resource),
        f"Return one {words(resource.one)}.",
        types.rows[resource.table],
        body,
    )
