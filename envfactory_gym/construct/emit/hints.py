"""`candidates` and `refused` of emitted tools: SQL for arguments that succeed, or fail for one reason."""

from __future__ import annotations

from ..model import Field, Model, Resource, ToolPlan
from ..rules import unique_rule, used_rule
from .ownership import uses
from .render import listed, literal, quoted

NO_SUCH = {"text": "'NOSUCH'", "integer": "-1"}
"""A key that no row has, as an SQL literal, by kind of key."""


def _named(expression: str, argument: str) -> str:
    return quoted(argument) if expression == quoted(argument) else f"{expression} AS {quoted(argument)}"


def item_arguments(resource: Resource) -> list[tuple[str, str]]:
    """Argument → column, for what names one row of the resource."""
    parent = resource.parent_field
    pairs = [(parent.name, parent.name)] if parent else []
    return [*pairs, (resource.key_argument, resource.key)]


def candidates(model: Model, resource: Resource, tool: ToolPlan) -> list[str] | None:
    """SQL lines whose rows should succeed; None where no row of the base world shows how."""
    table = quoted(resource.table)
    if tool.verb == "list":
        if parent := resource.parent_field:
            above = model.resource(parent.references or "")
            return [f"SELECT {_named(quoted(above.key), parent.name)} FROM {quoted(above.table)}"]
        for one in resource.listing.filters:
            if one.op == "=" and resource.field(one.column).kind not in ("boolean", "json"):
                column = quoted(one.column)
                return [f"SELECT DISTINCT {_named(column, one.argument)} FROM {table} WHERE {column} IS NOT NULL"]
        return ['SELECT 5 AS "limit"']
    named = [_named(quoted(column), argument) for argument, column in item_arguments(resource)]
    if tool.verb in ("get",):
        return [*listed("SELECT ", named, ""), f"FROM {table}"]
    if tool.verb == "create":
        return _creating(model, resource, tool)
    if tool.verb in ("update", "replace"):
        given = [one for one in tool.arguments if one.required]
        if tool.verb == "update":
            given = [
                one
                for one in tool.arguments
                if one.kind in ("text", "date", "integer") and not one.references and not one.unique
            ][:1] or list(tool.arguments)[:1]
        named += [quoted(one.name) for one in given]
        present = [f"{quoted(one.name)} IS NOT NULL" for one in given if not one.required]
        return [*listed("SELECT ", named, ""), f"FROM {table}" + (f" WHERE {' AND '.join(present)}" if present else "")]
    if tool.verb == "delete":
        return [*listed("SELECT ", named, ""), f"FROM {table}", *_unused(model, resource)]
    if tool.transition is not None:
        column, away = quoted(tool.transition.column), [tool.transition.value, *tool.transition.refused_from]
        values = ", ".join(literal(value) for value in away)
        return [*listed("SELECT ", named, ""), f"FROM {table} WHERE {column} IS NULL OR {column} NOT IN ({values})"]
    return None


def _unused(model: Model, resource: Resource) -> list[str]:
    """Conditions under which nothing forbids deleting a row."""
    lines: list[str] = []
    for use in uses(model, resource):
        own = f"{quoted(resource.table)}.{quoted(resource.key)}"
        table = quoted(use.resource.table)
        alias = f"{table} AS other" if use.resource.table == resource.table else table
        condition = use.condition.replace(":key", own)
        condition = _qualified(condition, "other") if alias != table else condition
        word = "WHERE" if not lines else "  AND"
        lines.append(f"{word} NOT EXISTS (SELECT 1 FROM {alias} WHERE {condition})")
    return lines


def _qualified(condition: str, alias: str) -> str:
    """The left columns of `a = x OR b = x`, qualified."""
    return " OR ".join(f"{alias}.{part}" for part in condition.split(" OR "))


def _creating(model: Model, resource: Resource, tool: ToolPlan) -> list[str] | None:
    table = quoted(resource.table)
    if resource.key_field.references:
        above = model.resource(resource.key_field.references)
        label = above.label
        named = [_named(quoted(above.key), resource.key_argument)]
        for one in tool.arguments:
            if one.required and one.role == "plain":
                if one.kind != "text" or one.enum or one.references or label is None:
                    return None
                named.append(_named(quoted(label.name), one.name))
        return [
            *listed("SELECT ", named, ""),
            f"FROM {quoted(above.table)} WHERE {quoted(above.key)} NOT IN (SELECT {quoted(resource.key)} FROM {table})",
        ]
    named = [quoted(resource.parent_field.name)] if resource.parent_field else []
    if not named and not any(one.required for one in tool.arguments):
        return [f"SELECT {quoted(tool.arguments[0].name)} FROM {table}"]
    for one in tool.arguments:
        if not one.required:
            continue
        if one.role == "key":
            named.append(f"{_unlike(one)} AS {quoted(resource.key_argument)}")
        elif one.unique:
            named.append(f"{_unlike(one)} AS {quoted(one.name)}")
        else:
            named.append(quoted(one.name))
    return [*listed("SELECT ", named, ""), f"FROM {table}"]


def _unlike(one: Field) -> str:
    """A value that no row has, made from one that a row has."""
    return f"{quoted(one.name)} + 100000" if one.kind in ("integer", "number") else f"'new-' || {quoted(one.name)}"


def refused(model: Model, resource: Resource, tool: ToolPlan) -> dict[str, list[str]]:
    """Reason or code → SQL lines whose rows should be refused for it."""
    table = quoted(resource.table)
    found: dict[str, list[str]] = {}
    missing = NO_SUCH.get(resource.key_field.kind, "'NOSUCH'")
    if tool.verb in ("get", "delete", "action"):
        parent = resource.parent_field
        named = [f"{missing} AS {quoted(resource.key_argument)}"]
        if parent:
            above = model.resource(parent.references or "")
            named.insert(0, _named(quoted(above.key), parent.name))
            found["not_found"] = [f"SELECT {', '.join(named)} FROM {quoted(above.table)}"]
        else:
            found["not_found"] = [f"SELECT {named[0]}"]
    if tool.verb == "delete" and (using := uses(model, resource)):
        use = using[0]
        own = f"{quoted(resource.table)}.{quoted(resource.key)}"
        other = quoted(use.resource.table)
        alias = f"{other} AS other" if use.resource.table == resource.table else other
        condition = use.condition.replace(":key", own)
        condition = _qualified(condition, "other") if alias != other else condition
        named = [_named(quoted(column), argument) for argument, column in item_arguments(resource)]
        found[used_rule(resource)] = [
            *listed("SELECT ", named, ""),
            f"FROM {table}",
            f"WHERE EXISTS (SELECT 1 FROM {alias} WHERE {condition})",
        ]
    if tool.verb == "create":
        unique: Field | None = next((one for one in tool.arguments if one.unique), None)
        named = [quoted(resource.parent_field.name)] if resource.parent_field else []
        named += [
            _named(quoted(one.name), resource.key_argument if one.role == "key" else one.name)
            for one in tool.arguments
            if one.required or one.unique
        ]
        if unique is not None and named:
            present = "" if unique.required else f" WHERE {quoted(unique.name)} IS NOT NULL"
            found[unique_rule(resource, unique)] = [*listed("SELECT ", named, ""), f"FROM {table}{present}"]
        elif not resource.minted:
            found[unique_rule(resource, resource.key_field)] = [*listed("SELECT ", named, ""), f"FROM {table}"]
    if tool.verb == "action" and tool.transition is not None:
        named = [_named(quoted(column), argument) for argument, column in item_arguments(resource)]
        found[f"already_{tool.transition.state}"] = [
            *listed("SELECT ", named, ""),
            f"FROM {table} WHERE {quoted(tool.transition.column)} = {literal(tool.transition.value)}",
        ]
    return found
