"""Reading one row, and the checks before a write: what a tool refuses, in which order.

Each function returns statements of the emitted tool; continuation lines carry their indentation.
"""

from __future__ import annotations

from ..model import Field, Model, Resource
from ..naming import a, words
from ..rows.data import order_pairs
from ..rules import order_rule, unique_rule
from .render import bracket, documented, quoted, render, sql, text
from .types import Types


def can_be_missing(model: Model, resource: Resource) -> bool:
    """Whether anything names a row that may not be there; a row that is only created and listed is always there."""
    named = any(tool.verb not in ("list", "create") for tool in resource.tools)
    return named or any(True for _ in model.references_to(resource.table))


def read_new(resource: Resource) -> str:
    """The expression that reads a row which was just written."""
    where = " AND ".join(f"{quoted(one)} = ?" for one in resource.key_columns)
    given = [one.name for one in (resource.parent_field,) if one is not None and resource.scoped]
    query = sql([f"SELECT * FROM {quoted(resource.table)} WHERE {where}"], 8)
    rows = bracket("world.all(", [query, *given, resource.key_argument], ")[0]", 8)
    return f"as_{resource.one}({rows})"


def emit_reader(model: Model, types: Types, resource: Resource) -> str:
    """`read_<one>` and `as_<one>` of a table."""
    one, argument, parent = resource.one, resource.key_argument, resource.parent_field
    key_type = "int" if resource.key_field.kind == "integer" else "str"
    row, thing = types.rows[resource.table], words(resource.one)
    parameters = ["world: World", f"{argument}: {key_type}", f'field: str = "{argument}"']
    blamed = "field"
    select, key = f"SELECT * FROM {quoted(resource.table)} WHERE", quoted(resource.key)
    if parent is None:
        lookup = bracket("world.one(", [sql([f"{select} {key} = ?"], 8), argument], ")", 4)
    elif resource.scoped:
        parameters = ["world: World", f"{parent.name}: {_plain(parent)}", f"{argument}: {key_type}"]
        blamed = f'"{argument}"'
        lookup = bracket(
            "world.one(", [sql([f"{select} {quoted(parent.name)} = ? AND {key} = ?"], 8), parent.name, argument], ")", 4
        )
    else:
        parameters += ["*", f"{parent.name}: {_plain(parent)} | None = None"]
        query = f"{select} {key} = :key AND (:parent IS NULL OR {quoted(parent.name)} = :parent)"
        lookup = bracket("world.one(", [sql([query], 8), f"key={argument}", f"parent={parent.name}"], ")", 4)
    conversions = [
        f'"{field.name}": {"parsed" if field.kind == "json" else "flag"}(row["{field.name}"])'
        for field in resource.shown
        if field.kind in ("json", "boolean")
    ]
    inside = f", in that {parent.name} if given" if parent and not resource.scoped else ""
    return render(
        "reader.py.j2",
        section=words(resource.table),
        signature=bracket(f"def read_{one}(", parameters, f") -> {row}:"),
        words=thing,
        doc=documented(f"The {thing} with that {argument}{inside}; refused where there is none.", []),
        reads=can_be_missing(model, resource),
        lookup=lookup,
        refusal=bracket(
            "raise ToolError(", ['"not_found"', f'f"There is no {thing} {{{argument}}}."', f"field={blamed}"], ")", 8
        ),
        one=one,
        row=row,
        secrets=[field.name for field in resource.fields if field.secret],
        converted=bracket("converted = {", conversions, "}", 4) if conversions else "",
    ).strip("\n")


def _plain(field: Field) -> str:
    return "int" if field.kind == "integer" else "str"


def read_item(resource: Resource, owner: str | None = None) -> str:
    """The expression that reads the row a tool is about."""
    if resource.scoped and resource.parent_field:
        return f"read_{resource.one}(world, {resource.parent_field.name}, {resource.key_argument})"
    inside = f", {owner}={owner}" if owner else ""
    return f"read_{resource.one}(world, {resource.key_argument}{inside})"


def check_parent(model: Model, resource: Resource) -> list[str]:
    """Refuse a parent that does not exist; nothing without a parent."""
    parent = resource.parent_field
    if parent is None or parent.references is None:
        return []
    above = model.resource(parent.references)
    field = "" if above.key_argument == parent.name else f', "{parent.name}"'
    return [f"read_{above.one}(world, {parent.name}{field})"]


def item_lines(model: Model, resource: Resource, keep: bool) -> list[str]:
    """Statements that find the row (and its parent) or refuse."""
    parent = resource.parent_field
    read = read_item(resource, parent.name if parent and not resource.scoped else None)
    return [*check_parent(model, resource), f"stored = {read}" if keep else read]


def check_references(model: Model, resource: Resource, arguments: tuple[Field, ...]) -> list[str]:
    """Refuse arguments that name a row which does not exist."""
    lines = []
    for one in arguments:
        if one.references is None or one.role == "key":
            continue
        target = model.resource(one.references)
        named = "" if one.name == target.key_argument else f', "{one.name}"'
        parent = resource.parent_field
        owner = target.parent_field
        inside = f", {owner.name}={parent.name}" if parent and owner and target.beside(resource) else ""
        call = f"read_{target.one}(world, {one.name}{named}{inside})"
        lines += [call] if one.required else [f"if {one.name} is not None:", f"    {call}"]
    return lines


def check_unique(resource: Resource, arguments: tuple[Field, ...], *, new: bool, partial: bool) -> list[str]:
    """Refuse a value that another row has; `new` before an insert, `partial` where arguments may be missing."""
    lines: list[str] = []
    parent = resource.parent_field
    for one in arguments:
        if not one.unique:
            continue
        where = [f"{quoted(one.name)} = :{one.name}"]
        named = [f"{one.name}={one.name}"]
        if parent:
            where.insert(0, f"{quoted(parent.name)} = :{parent.name}")
            named.insert(0, f"{parent.name}={parent.name}")
        if not new:
            where.append(f"{quoted(resource.key)} != :{resource.key_argument}")
            named.append(f"{resource.key_argument}={resource.key_argument}")
        query = f"SELECT 1 FROM {quoted(resource.table)} WHERE {' AND '.join(where)}"
        given = f"{one.name} is not None and " if partial or not one.required else ""
        message = f"There is already {a(words(resource.one))} with the {words(one.name)} {{{one.name}}}."
        lines += [
            bracket(f"if {given}world.value(", [sql([query], 4), *named], "):", 4),
            "    "
            + bracket(
                "raise ToolError(",
                ['"conflict"', f"f{text(message)}", f'field="{one.name}"', f'reason="{unique_rule(resource, one)}"'],
                ")",
                8,
            ),
        ]
    return lines


def check_order(resource: Resource, arguments: tuple[Field, ...], *, partial: bool) -> list[str]:
    """Refuse an end before its start; `partial` where a missing argument means the stored value."""
    names = {one.name for one in arguments}
    lines = []
    for start, end in order_pairs(resource):
        if not names & {start.name, end.name}:
            continue

        def value(one: Field) -> str:
            stored = f'stored["{one.name}"]'
            if one.name not in names:
                return stored
            return f"{one.name} or {stored}" if partial else one.name

        blamed = end.name if end.name in names else start.name
        lines.append(
            bracket("refuse_backwards(", [value(start), value(end), f'"{blamed}"', f'"{order_rule(resource)}"'], ")", 4)
        )
    return lines


def check_key(resource: Resource) -> list[str]:
    """Refuse a key that another row has."""
    parent = resource.parent_field if resource.scoped else None
    where = [f"{quoted(one)} = ?" for one in resource.key_columns]
    given = [parent.name] if parent else []
    given.append(resource.key_argument)
    query = f"SELECT 1 FROM {quoted(resource.table)} WHERE {' AND '.join(where)}"
    argument = resource.key_argument
    message = f"There is already {a(words(resource.one))} with the {words(argument)} {{{argument}}}."
    rule = unique_rule(resource, resource.key_field)
    return [
        bracket("if world.value(", [sql([query], 4), *given], "):", 4),
        "    "
        + bracket(
            "raise ToolError(",
            ['"conflict"', f"f{text(message)}", f'field="{argument}"', f'reason="{rule}"'],
            ")",
            8,
        ),
    ]
