"""Tools that change rows: create, update, replace, delete, and actions."""

from __future__ import annotations

from dataclasses import replace

from ..model import Field, Model, Resource, ToolPlan
from ..naming import a, sentence, words
from ..rules import final_rule, listed, spoken_users, used_rule
from .checks import (
    can_be_missing,
    check_key,
    check_order,
    check_parent,
    check_references,
    check_unique,
    item_lines,
    read_item,
    read_new,
)
from .ownership import deletions, owned, uses
from .parts import Argument, Built, about, item_arguments
from .render import WIDTH, assignments, bracket, literal, quoted, sql, text
from .schema import insert_lines
from .types import Types

MINTED_LENGTH = 6
"""Characters of an identifier that the world makes, as `World.new_code` does by itself."""

MINTED_NUMBERS = (1000, 999_999)
"""The least and the largest number that it makes."""


def build_create(model: Model, types: Types, resource: Resource, tool: ToolPlan) -> Built:
    """A new row, its references and uniqueness checked, its identifier and times set by the world."""
    parent, key = resource.parent_field, resource.key_field
    arguments: list[Argument] = []
    if parent:
        above = model.resource(parent.references or "")
        arguments.append((parent.name, types.keys[above.table], f"The {words(above.one)} it will belong to."))
    for one in sorted(tool.arguments, key=lambda one: not one.required):
        if one.role == "key":
            kind = types.keys[key.references] if key.references else "Line" if key.kind == "text" else "Whole"
            arguments.append((resource.key_argument, kind, about(one, resource)))
        else:
            kind = types.argument(one, model)
            optional = f"{kind} | None = None" if one.initial is None else f"{kind} = {_python(one.initial)}"
            arguments.append((one.name, kind if one.required else optional, about(one, resource)))
    body = check_parent(model, resource)
    if key.references:
        above = model.resource(key.references)
        blamed = "" if above.key_argument == resource.key_argument else f', "{resource.key_argument}"'
        body.append(f"read_{above.one}(world, {resource.key_argument}{blamed})")
    body += check_references(model, resource, tool.arguments)
    if not resource.minted:
        body += check_key(resource)
    body += check_unique(resource, tool.arguments, new=True, partial=False)
    body += check_order(resource, tool.arguments, partial=False)
    if resource.minted:
        low, high = MINTED_NUMBERS
        maker = f'world.new_code("{resource.table}.{resource.key}")'
        if key.kind == "integer":
            maker = f'world.new_number("{resource.table}.{resource.key}", {low}, {high:_})'
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
            named.append(f"{one.name}={_python(one.initial)}")
    body.append(bracket("world.run(", [sql(insert_lines(resource), 8), *named], ")", 4))
    body.append(f"return {read_item(resource) if can_be_missing(model, resource) else read_new(resource)}")
    summary = f"Create {a(words(resource.one))}."
    if key.references:
        summary = f"Create {a(words(resource.one))} for an existing {words(model.resource(key.references).one)}."
    return arguments, summary, types.rows[resource.table], body


def _python(value: object) -> str:
    return text(value) if isinstance(value, str) else repr(value)


def build_update(model: Model, types: Types, resource: Resource, tool: ToolPlan) -> Built:
    """Changed fields: PATCH keeps what is not given, PUT clears it."""
    partial = tool.verb == "update"
    arguments = item_arguments(model, types, resource)
    for one in sorted(tool.arguments, key=lambda one: partial or not one.required):
        kind = types.argument(one, model)
        needed = one.required and not partial
        arguments.append((one.name, kind if needed else f"{kind} | None = None", about(one, resource)))
    if tool.clearable:
        arguments.append(("clear", f"{types.clearables[resource.table]} | None = None", "A field to empty."))
    checks = check_order(resource, tool.arguments, partial=partial)
    stored = any('stored["' in line for line in checks)
    body = item_lines(model, resource, keep=stored)
    plain = tuple(tool.arguments) if not partial else tuple(_optional(one) for one in tool.arguments)
    body += check_references(model, resource, plain)
    body += check_unique(resource, tool.arguments, new=False, partial=partial)
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
    where, keys = row_condition(resource)
    body.append(
        bracket(
            "world.run(",
            [sql([f"UPDATE {quoted(resource.table)}", *assignments(sets), where], 8), *named, *keys],
            ")",
            4,
        )
    )
    if tool.clearable:
        query = f'UPDATE {quoted(resource.table)} SET "{{clear}}" = NULL {where}'
        body += ["if clear is not None:", "    " + bracket("world.run(", [f"f{sql([query], 12)}", *keys], ")", 8)]
    body.append(f"return {read_item(resource)}")
    thing = words(resource.one)
    summary = (
        f"Change the given fields of {a(thing)}; the others keep their values."
        if partial
        else f"Replace the fields of {a(thing)}; what is not given is cleared."
    )
    return arguments, summary, types.rows[resource.table], body


def _optional(one: Field) -> Field:
    return replace(one, required=False)


def row_condition(resource: Resource) -> tuple[str, list[str]]:
    """The condition that names the row, and its named parameters."""
    key, argument = resource.key, resource.key_argument
    if resource.scoped and (parent := resource.parent_field):
        where = f"WHERE {quoted(parent.name)} = :{parent.name} AND {quoted(key)} = :{argument}"
        return where, [f"{parent.name}={parent.name}", f"{argument}={argument}"]
    return f"WHERE {quoted(key)} = :{argument}", [f"{argument}={argument}"]


def build_delete(model: Model, types: Types, resource: Resource, tool: ToolPlan) -> Built:
    """A row and what belongs to it, refused while other rows refer to them."""
    argument = resource.key_argument
    body = item_lines(model, resource, keep=False)
    using = uses(model, resource)
    if using:
        items = []
        for use in using:
            query = f"SELECT count(*) FROM {quoted(use.resource.table)} WHERE {use.condition}"
            name = f'"{words(use.resource.table)}": '
            items.append(name + sql([query], 12, WIDTH - 9 - len(name)))
        checks = "{\n" + "".join(f"            {item},\n" for item in items) + "        }"
        body.append(
            "refuse_while_used(\n"
            f'        world,\n        {argument},\n        "{argument}",\n        "{used_rule(resource)}",\n'
            f"        {checks},\n    )"
        )
    going = owned(model, resource)
    for statement in deletions(going):
        body.append(bracket("world.run(", [sql([statement], 8, 96), f"key={argument}"], ")", 4))
    where, keys = row_condition(resource)
    body.append(bracket("world.run(", [sql([f"DELETE FROM {quoted(resource.table)} {where}"], 8, 96), *keys], ")", 4))
    body.append(f'return {{"deleted": {argument}}}')
    thing = a(words(resource.one))
    summary = f"Delete {thing}."
    if going:
        summary = f"Delete {thing}, with its {listed(words(one.resource.table) for one in going)}."
    if using:
        tables = [use.resource.table for use in using]
        summary = (
            summary.removesuffix(".") + f"; refused while {listed(spoken_users(resource, tables), 'or')} refer to it."
        )
    return item_arguments(model, types, resource), summary, "Deleted", body


def build_action(model: Model, types: Types, resource: Resource, tool: ToolPlan) -> Built:
    """A state or flag set, refused where it is set already or where the state is final."""
    step = tool.transition
    assert step is not None
    one, argument = resource.one, resource.key_argument
    stored = f'stored["{step.column}"]'
    already = f"{stored} is {step.value}" if isinstance(step.value, bool) else f"{stored} == {text(str(step.value))}"
    state = step.state
    body = item_lines(model, resource, keep=True)
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
        final = [text(str(value)) for value in step.refused_from]
        over = f"== {final[0]}" if len(final) == 1 else f"in ({', '.join(final)})"
        body += [
            f"if {stored} {over}:",
            f"    state = {stored}",
            "    "
            + bracket(
                "raise ToolError(",
                [
                    '"conflict"',
                    f'f"{words(one).capitalize()} {{{argument}}} is {{state}}, which is final."',
                    f'field="{argument}"',
                    f'reason="{final_rule(resource, tool)}"',
                ],
                ")",
                8,
            ),
        ]
    stamp = next((field for field in resource.fields if field.role == "updated"), None)
    sets = f"SET {quoted(step.column)} = {literal(step.value)}" + (f", {quoted(stamp.name)} = :now" if stamp else "")
    where, keys = row_condition(resource)
    named = ["now=world.now", *keys] if stamp else keys
    body.append(
        bracket("world.run(", [sql([f"UPDATE {quoted(resource.table)} {sets} {where}"], 8, 96), *named], ")", 4)
    )
    body.append(f"return {read_item(resource)}")
    summary = sentence(f"{words(step.word).capitalize()} {a(words(one))}")
    return item_arguments(model, types, resource), summary, types.rows[resource.table], body
