"""`server.py` of a model: plain functions over a world, one table after the other."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from .data import order_pairs
from .emit_schema import insert_lines
from .helpers import helpers_for
from .hints import already_word, candidates, refused
from .model import Field, Filter, Model, Resource, ToolPlan
from .naming import a, sentence, words
from .ownership import owned, uses
from .pytypes import Types
from .render import bracket, documented, listed, literal, quoted, render, sql, text
from .trial import Trial


def emit_server(model: Model, world: Trial) -> str:
    """The source text, formatted as `ruff format` with a line length of 120 would.

    Args:
        model: The resource model.
        world: Its base world, on which `candidates` and `refused` are tried.
    """
    types = Types.of(model)
    returns = _returns(model, types)
    tables = []
    for resource in model.resources:
        tables.append(_reader(types, resource))
        tables += [_tool(model, types, resource, tool, world) for tool in resource.tools]
    code = "\n\n\n".join([returns, *tables])
    helpers = helpers_for(code)
    values = _values(model, types, code)
    everything = "\n".join([values, code, *helpers])
    return render(
        "server.py.j2",
        opening=_opening(model),
        json=re.search(r"\bjson\.", everything) is not None,
        typing=[name for name in ("Annotated", "Any", "Literal", "cast") if re.search(rf"\b{name}\b", everything)],
        extensions=[name for name in ("NotRequired", "TypedDict") if re.search(rf"\b{name}\b", everything)],
        values=values,
        returns=returns,
        helpers=helpers,
        tables=tables,
    )


def _opening(model: Model) -> str:
    tables = ", ".join(words(one.table) for one in model.resources)
    tools = sum(len(one.tools) for one in model.resources)
    head = documented(f"{model.title}: {tools} tools over {tables}.", [], indent=0).removesuffix('"""').rstrip("\n")
    return f'{head}\n\n{_GUIDE}\n"""'


_GUIDE = """\
Compiled from an API document. Read it top down: what the values are, what the tools return, what they share,
then each table with the function that reads one row, and its tools. `candidates` and `refused` are examples for
testing: arguments that succeed, and arguments that are refused for that reason."""


_ALIASES = {
    "Line": ("Annotated[str, Field(min_length=1, max_length=200)]", "One line of text."),
    "Prose": ("Annotated[str, Field(max_length=2000)]", "Free text."),
    "Day": (r'Annotated[str, Field(pattern=r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$")]', "A date: 2026-05-14."),
    "Moment": (
        r'Annotated[str, Field(pattern=r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T[0-2]\d:[0-5]\d:[0-5]\dZ$")]',
        "A time in UTC: 2026-05-14T09:00:00Z.",
    ),
    "Whole": ("Annotated[int, Field(ge=-(10**12), le=10**12)]", "A whole number."),
    "Number": ("Annotated[float, Field(ge=-1e12, le=1e12, allow_inf_nan=False)]", "A number."),
    "Cursor": ('Annotated[str, Field(pattern=r"^[0-9]{1,6}$")]', "Where the next page starts, as a list returned it."),
    "Offset": ("Annotated[int, Field(ge=0, le=1_000_000)]", "How many rows to skip."),
}


def _values(model: Model, types: Types, body: str) -> str:
    """Aliases for plain values, enums and keys, where the tools use them."""
    lines = []
    for values, name in types.enums.items():
        if re.search(rf"\b{name}\b", body):
            lines.append(types.enum_line(values))
    seen = set()
    for resource in model.resources:
        name = types.keys[resource.table]
        if name in seen or resource.key_field.references:
            continue
        seen.add(name)
        kind = "int" if resource.key_field.kind == "integer" else "str"
        bound = "Field(ge=-(10**12), le=10**12)" if kind == "int" else "Field(max_length=200)"
        lines.append(f'{name} = Annotated[{kind}, Ref("{resource.table}.{resource.key}"), {bound}]')
    for resource in model.resources:
        if order := types.orders.get(resource.table):
            lines.append(bracket(f"{order} = Literal[", [f'"{column}"' for column in resource.listing.sorts], "]"))
    plain = [
        f'{name} = {kind}\n"""{about}"""' for name, (kind, about) in _ALIASES.items() if re.search(rf"\b{name}\b", body)
    ]
    return "\n".join([*plain, *lines])


def _returns(model: Model, types: Types) -> str:
    blocks = []
    for nested, name in types.objects.items():
        members = types.object_members(nested)
        blocks.append(f"class {name}(TypedDict):\n" + "\n".join(f"    {key}: {kind}" for key, kind in members))
    for resource in model.resources:
        lines = [f"class {types.rows[resource.table]}(TypedDict):"]
        lines += [documented(resource.description, []), ""]
        lines += [f"    {one.name}: {types.returned(resource, one)}" for one in resource.fields]
        blocks.append("\n".join(lines))
        if resource.tool("list"):
            following = "next_cursor: Cursor | None" if resource.listing.cursor else "next_offset: Offset | None"
            blocks.append(
                f"class {types.pages[resource.table]}(TypedDict):\n"
                f"    {_page_key(resource)}: list[{types.rows[resource.table]}]\n    total: int\n    {following}"
            )
    if any(resource.tool("delete") for resource in model.resources):
        blocks.append("class Deleted(TypedDict):\n    deleted: str | int")
    return "\n\n\n".join(blocks)


def _page_key(resource: Resource) -> str:
    return resource.table


# ---------------------------------------------------------------- reading one row


def _reader(types: Types, resource: Resource) -> str:
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
        for field in resource.fields
        if field.kind in ("json", "boolean")
    ]
    return render(
        "reader.py.j2",
        section=words(resource.table),
        signature=bracket(f"def read_{one}(", parameters, f") -> {row}:"),
        words=thing,
        argument=argument,
        parent=parent.name if parent else None,
        scoped=resource.scoped,
        lookup=lookup,
        refusal=bracket(
            "raise ToolError(", ['"not_found"', f'f"There is no {thing} {{{argument}}}."', f"field={blamed}"], ")", 8
        ),
        one=one,
        row=row,
        converted=bracket("converted = {", conversions, "}", 4) if conversions else "",
    ).strip("\n")


def _plain(field: Field) -> str:
    return "int" if field.kind == "integer" else "str"


def _read_item(resource: Resource, owner: str | None = None) -> str:
    """The expression that reads the row a tool is about."""
    if resource.scoped and resource.parent_field:
        return f"read_{resource.one}(world, {resource.parent_field.name}, {resource.key_argument})"
    inside = f", {owner}={owner}" if owner else ""
    return f"read_{resource.one}(world, {resource.key_argument}{inside})"


def _check_parent(model: Model, resource: Resource) -> list[str]:
    parent = resource.parent_field
    if parent is None or parent.references is None:
        return []
    above = model.resource(parent.references)
    field = "" if above.key_argument == parent.name else f', "{parent.name}"'
    return [f"read_{above.one}(world, {parent.name}{field})"]


def _item_lines(model: Model, resource: Resource, keep: bool) -> list[str]:
    """Statements that find the row (and its parent) or refuse."""
    parent = resource.parent_field
    read = _read_item(resource, parent.name if parent and not resource.scoped else None)
    return [*_check_parent(model, resource), f"{resource.one} = {read}" if keep else read]


def _check_references(model: Model, resource: Resource, arguments: tuple[Field, ...]) -> list[str]:
    lines = []
    for one in arguments:
        if one.references is None or one.role == "key":
            continue
        target = model.resource(one.references)
        named = "" if one.name == target.key_argument else f', "{one.name}"'
        parent = resource.parent_field
        inside = f", {parent.name}={parent.name}" if target.table == resource.table and parent else ""
        call = f"read_{target.one}(world, {one.name}{named}{inside})"
        lines += [call] if one.required else [f"if {one.name} is not None:", f"    {call}"]
    return lines


def _check_unique(resource: Resource, arguments: tuple[Field, ...], *, new: bool, partial: bool) -> list[str]:
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
                ['"conflict"', f"f{text(message)}", f'field="{one.name}"', f'reason="{one.name}_taken"'],
                ")",
                8,
            ),
        ]
    return lines


def _check_order(resource: Resource, arguments: tuple[Field, ...], *, partial: bool) -> list[str]:
    names = {one.name for one in arguments}
    lines = []
    for start, end in order_pairs(resource):
        if not names & {start.name, end.name}:
            continue

        def value(one: Field) -> str:
            stored = f'{resource.one}["{one.name}"]'
            if one.name not in names:
                return stored
            return f"{one.name} or {stored}" if partial else one.name

        blamed = end.name if end.name in names else start.name
        lines.append(bracket("refuse_backwards(", [value(start), value(end), f'"{blamed}"'], ")", 4))
    return lines


# ---------------------------------------------------------------- tools


def _tool(model: Model, types: Types, resource: Resource, tool: ToolPlan, world: Trial) -> str:
    build = {
        "list": _list,
        "get": _get,
        "create": _create,
        "update": _update,
        "replace": _update,
        "delete": _delete,
        "action": _action,
    }[tool.verb]
    arguments, summary, returned, body = build(model, types, resource, tool)
    signature = bracket(
        f"def {tool.name}(", ["world: World", *(f"{name}: {kind}" for name, kind, _ in arguments)], f") -> {returned}:"
    )
    doc = documented(summary, [(name, about) for name, _, about in arguments])
    lines = "\n".join(f"    {statement}" for statement in body)
    return f"# {tool.operation}\n{_decorator(model, resource, tool, world)}\n{signature}\n{doc}\n{lines}"


def _decorator(model: Model, resource: Resource, tool: ToolPlan, world: Trial) -> str:
    parts: list[str] = []
    writes = _writes(model, resource, tool)
    if writes:
        parts.append(bracket("writes=[", [f'"{table}"' for table in writes], "]", 4))
    if tool.verb in ("update", "replace", "delete", "action"):
        parts.append("destructive=True")
    if tool.verb in ("update", "replace"):
        parts.append("idempotent=True")
    lines = candidates(model, resource, tool)
    if lines and world.gives_rows(lines):
        parts.append("candidates=" + sql(lines, 4, 120 - 4 - len("candidates=,")))
    hints = refused(model, resource, tool)
    if found := {reason: query for reason, query in hints.items() if world.gives_rows(query)}:
        items = [f'"{reason}": ' + sql(query, 8, 120 - 8 - len(f'"{reason}": ,')) for reason, query in found.items()]
        parts.append(bracket("refused={", items, "}", 4))
    return bracket("@env.tool(", parts, ")")


def _writes(model: Model, resource: Resource, tool: ToolPlan) -> list[str]:
    if tool.verb in ("list", "get"):
        return []
    tables = [resource.table]
    if tool.verb == "delete":
        tables += [one.resource.table for one in owned(model, resource) if one.resource.table not in tables]
    return tables


Argument = tuple[str, str, str]
"""Name, type with default, and what it is, as the docstring says it."""
Built = tuple[list[Argument], str, str, list[str]]
"""Arguments, summary, type of the result, statements."""


def _about(one: Field, resource: Resource, otherwise: str = "") -> str:
    return one.description or otherwise or f"{words(one.name).capitalize()} of the {words(resource.one)}."


def _item_arguments(model: Model, types: Types, resource: Resource) -> list[Argument]:
    found: list[Argument] = []
    if parent := resource.parent_field:
        above = model.resource(parent.references or "")
        found.append((parent.name, types.keys[above.table], f"The {words(above.one)} it belongs to."))
    key = resource.key_field
    found.append(
        (
            resource.key_argument,
            types.keys[resource.table],
            f"{words(key.name).capitalize()} of the {words(resource.one)}.".replace("Id of", "Identifier of"),
        )
    )
    return found


def _list(model: Model, types: Types, resource: Resource, tool: ToolPlan) -> Built:
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
    key = quoted(resource.key)
    order = (
        f'ORDER BY {{sort_by or "{resource.key}"}} {{"DESC" if descending else "ASC"}}, {key}'
        if sorts
        else f"ORDER BY {key}"
    )
    lines = [f"SELECT * FROM {quoted(resource.table)}"]
    for condition in where:
        lead = "" if condition.startswith("   ") else "WHERE " if len(lines) == 1 else "  AND "
        lines.append(lead + condition)
    lines.append(order)
    named = [
        f"{name}={name}" for name in [*([parent.name] if parent else []), *(one.argument for one in limit.filters)]
    ]
    query = sql(lines, 8)
    body = _check_parent(model, resource)
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
                f'"{_page_key(resource)}": [as_{resource.one}(row) for row in rows[{start} : {start} + limit]]',
                '"total": len(rows)',
                f'"{pointer}": {following} if {start} + limit < len(rows) else None',
            ],
            "}",
            4,
        )
    )
    summary = f"List {words(resource.table)}, one page at a time; what is not given does not narrow the list."
    return arguments, summary, types.pages[resource.table], body


def _filter_type(types: Types, model: Model, resource: Resource, one: Filter) -> str:
    if one.op == "search":
        return "Line"
    field = resource.field(one.column)
    return "Line" if field.long else types.argument(field, model)


def _filter_about(resource: Resource, one: Filter) -> str:
    if one.op == "search":
        return f"Text that must occur in {', '.join(words(column) for column in one.columns)}."
    field = words(one.column)
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


def _get(model: Model, types: Types, resource: Resource, tool: ToolPlan) -> Built:
    lines = _item_lines(model, resource, keep=False)
    body = [*lines[:-1], f"return {lines[-1]}"]
    return (
        _item_arguments(model, types, resource),
        f"Return one {words(resource.one)}.",
        types.rows[resource.table],
        body,
    )


def _create(model: Model, types: Types, resource: Resource, tool: ToolPlan) -> Built:
    parent, key = resource.parent_field, resource.key_field
    arguments: list[Argument] = []
    if parent:
        above = model.resource(parent.references or "")
        arguments.append((parent.name, types.keys[above.table], f"The {words(above.one)} it will belong to."))
    for one in sorted(tool.arguments, key=lambda one: not one.required):
        if one.role == "key":
            kind = types.keys[key.references] if key.references else "Line" if key.kind == "text" else "Whole"
            arguments.append((resource.key_argument, kind, _about(one, resource)))
        else:
            kind = types.argument(one, model)
            arguments.append((one.name, kind if one.required else f"{kind} | None = None", _about(one, resource)))
    body = _check_parent(model, resource)
    if key.references:
        above = model.resource(key.references)
        body.append(f"read_{above.one}(world, {resource.key_argument})")
    body += _check_references(model, resource, tool.arguments)
    if not resource.minted:
        body += _check_key(resource)
    body += _check_unique(resource, tool.arguments, new=True, partial=False)
    body += _check_order(resource, tool.arguments, partial=False)
    if resource.minted:
        maker = f'world.new_code("{resource.table}.{resource.key}")'
        if key.kind == "integer":
            maker = f'world.new_number("{resource.table}.{resource.key}", 1000, 999_999)'
        body.append(f"{resource.key_argument} = {maker}")
    settable = {one.name for one in tool.arguments}
    named = []
    for one in resource.fields:
        if one.role == "key":
            named.append(f"{one.name}={resource.key_argument}")
        elif one.role == "parent":
            named.append(f"{one.name}={one.name}")
        elif one.role in ("created", "updated"):
            named.append(f"{one.name}=world.now")
        elif one.name in settable:
            named.append(f"{one.name}=packed({one.name})" if one.kind == "json" else f"{one.name}={one.name}")
        else:
            named.append(f"{one.name}=None")
    body.append(bracket("world.run(", [sql(insert_lines(resource), 8), *named], ")", 4))
    body.append(f"return {_read_item(resource)}")
    summary = f"Create {a(words(resource.one))}."
    if key.references:
        summary = f"Create {a(words(resource.one))} for an existing {words(model.resource(key.references).one)}."
    return arguments, summary, types.rows[resource.table], body


def _check_key(resource: Resource) -> list[str]:
    parent = resource.parent_field if resource.scoped else None
    where = [f"{quoted(one)} = ?" for one in resource.key_columns]
    given = [parent.name] if parent else []
    given.append(resource.key_argument)
    query = f"SELECT 1 FROM {quoted(resource.table)} WHERE {' AND '.join(where)}"
    argument = resource.key_argument
    message = f"There is already {a(words(resource.one))} with the {words(argument)} {{{argument}}}."
    return [
        bracket("if world.value(", [sql([query], 4), *given], "):", 4),
        "    "
        + bracket(
            "raise ToolError(",
            ['"conflict"', f"f{text(message)}", f'field="{argument}"', f'reason="{argument}_taken"'],
            ")",
            8,
        ),
    ]


def _update(model: Model, types: Types, resource: Resource, tool: ToolPlan) -> Built:
    partial = tool.verb == "update"
    arguments = _item_arguments(model, types, resource)
    for one in sorted(tool.arguments, key=lambda one: partial or not one.required):
        kind = types.argument(one, model)
        needed = one.required and not partial
        arguments.append((one.name, kind if needed else f"{kind} | None = None", _about(one, resource)))
    checks = _check_order(resource, tool.arguments, partial=partial)
    stored = any(f'{resource.one}["' in line for line in checks)
    body = _item_lines(model, resource, keep=stored)
    plain = tuple(tool.arguments) if not partial else tuple(_optional(one) for one in tool.arguments)
    body += _check_references(model, resource, plain)
    body += _check_unique(resource, tool.arguments, new=False, partial=partial)
    body += checks
    sets = [
        f"{quoted(one.name)} = coalesce(:{one.name}, {quoted(one.name)})"
        if partial
        else f"{quoted(one.name)} = :{one.name}"
        for one in tool.arguments
    ]
    named = [
        f"{one.name}=packed({one.name})" if one.kind == "json" else f"{one.name}={one.name}" for one in tool.arguments
    ]
    stamp = next((one for one in resource.fields if one.role == "updated"), None)
    if stamp is not None:
        sets.append(f"{quoted(stamp.name)} = :now")
        named.append("now=world.now")
    where, keys = _where(resource)
    body.append(
        bracket(
            "world.run(",
            [sql([f"UPDATE {quoted(resource.table)}", *listed("SET ", sets, ""), where], 8), *named, *keys],
            ")",
            4,
        )
    )
    body.append(f"return {_read_item(resource)}")
    thing = words(resource.one)
    summary = (
        f"Change the given fields of {a(thing)}; the others keep their values."
        if partial
        else f"Replace the fields of {a(thing)}; what is not given is cleared."
    )
    return arguments, summary, types.rows[resource.table], body


def _optional(one: Field) -> Field:
    return replace(one, required=False)


def _where(resource: Resource) -> tuple[str, list[str]]:
    """The condition that names the row, and its named parameters."""
    key, argument = resource.key, resource.key_argument
    if resource.scoped and (parent := resource.parent_field):
        where = f"WHERE {quoted(parent.name)} = :{parent.name} AND {quoted(key)} = :{argument}"
        return where, [f"{parent.name}={parent.name}", f"{argument}={argument}"]
    return f"WHERE {quoted(key)} = :{argument}", [f"{argument}={argument}"]


def _delete(model: Model, types: Types, resource: Resource, tool: ToolPlan) -> Built:
    argument = resource.key_argument
    body = _item_lines(model, resource, keep=False)
    using = uses(model, resource)
    if using:
        items = []
        for use in using:
            query = f"SELECT count(*) FROM {quoted(use.resource.table)} WHERE {use.condition}"
            name = f'"{use.resource.table}": '
            items.append(name + sql([query], 12, 120 - 9 - len(name)))
        checks = "{\n" + "".join(f"            {item},\n" for item in items) + "        }"
        body.append(
            f'refuse_while_used(\n        world,\n        {argument},\n        "{argument}",\n        {checks},\n    )'
        )
    going = owned(model, resource)
    for one in reversed(going):
        body.append(
            bracket(
                "world.run(",
                [sql([f"DELETE FROM {quoted(one.resource.table)} WHERE {one.condition}"], 8, 96), f"key={argument}"],
                ")",
                4,
            )
        )
    where, keys = _where(resource)
    body.append(bracket("world.run(", [sql([f"DELETE FROM {quoted(resource.table)} {where}"], 8, 96), *keys], ")", 4))
    body.append(f'return {{"deleted": {argument}}}')
    thing = a(words(resource.one))
    summary = f"Delete {thing}."
    if going:
        summary = f"Delete {thing}, with its {_and(words(one.resource.table) for one in going)}."
    if using:
        summary = (
            summary.removesuffix(".")
            + f"; refused while {_and(words(use.resource.table) for use in using)} refer to it."
        )
    return _item_arguments(model, types, resource), summary, "Deleted", body


def _and(names: Iterable[str]) -> str:
    found = list(dict.fromkeys(names))
    return found[0] if len(found) == 1 else ", ".join(found[:-1]) + " or " + found[-1]


def _action(model: Model, types: Types, resource: Resource, tool: ToolPlan) -> Built:
    step = tool.transition
    assert step is not None
    one, argument = resource.one, resource.key_argument
    stored = f'{one}["{step.column}"]'
    already = f"{stored} is {step.value}" if isinstance(step.value, bool) else f"{stored} == {text(str(step.value))}"
    state = already_word(step.value, step.column)
    body = _item_lines(model, resource, keep=True)
    body += [
        f"if {already}:",
        "    "
        + bracket(
            "raise ToolError(",
            [
                '"conflict"',
                f'f"{words(one).capitalize()} {{{argument}}} is already {words(state)}."',
                f'field="{argument}"',
                f'reason="already_{state}"',
            ],
            ")",
            8,
        ),
    ]
    if step.refused_from:
        states = ", ".join(text(str(value)) for value in step.refused_from)
        states = f"({states},)" if len(step.refused_from) == 1 else f"({states})"
        body += [
            f"if {stored} in {states}:",
            f"    state = {stored}",
            "    "
            + bracket(
                "raise ToolError(",
                [
                    '"conflict"',
                    f'f"{words(one).capitalize()} {{{argument}}} is {{state}}, which is final."',
                    f'field="{argument}"',
                    'reason="final_state"',
                ],
                ")",
                8,
            ),
        ]
    stamp = next((field for field in resource.fields if field.role == "updated"), None)
    sets = f"SET {quoted(step.column)} = {literal(step.value)}" + (f", {quoted(stamp.name)} = :now" if stamp else "")
    where, keys = _where(resource)
    named = ["now=world.now", *keys] if stamp else keys
    body.append(
        bracket("world.run(", [sql([f"UPDATE {quoted(resource.table)} {sets} {where}"], 8, 96), *named], ")", 4)
    )
    body.append(f"return {_read_item(resource)}")
    summary = sentence(f"{words(step.word).capitalize()} {a(words(one))}")
    return _item_arguments(model, types, resource), summary, types.rows[resource.table], body
