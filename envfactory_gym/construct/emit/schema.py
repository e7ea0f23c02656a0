"""`schema.sql` and `invariants.sql` of a model."""

from __future__ import annotations

from ..model import Field, Model, Resource
from ..naming import a, words
from ..rows.data import order_pairs
from .render import listed, literal, quoted, render

_TYPES = {
    "text": "TEXT",
    "integer": "INTEGER",
    "number": "REAL",
    "boolean": "INTEGER",
    "date": "TEXT",
    "datetime": "TEXT",
    "json": "TEXT",
}
_MAX_CHECKED = 12
"""Enums with more values are checked by the tools only: a CHECK of a hundred values helps nobody."""


def emit_schema(model: Model) -> str:
    """The tables, with a comment and a column policy where the default would be wrong."""
    tables = [
        {
            "name": quoted(resource.table),
            "comment": " ".join(resource.description.split()).replace(";", ","),
            "lines": _lines(resource, model),
            "tail": "",
        }
        for resource in model.resources
    ]
    indexes = [
        f"CREATE INDEX {resource.table}_by_{field.name} ON {quoted(resource.table)} ({quoted(field.name)});"
        for resource in model.resources
        for field in resource.fields
        if field.references and field.role != "key" and not (resource.scoped and field.role == "parent")
    ]
    return render("schema.sql.j2", model=model, tables=tables, indexes=indexes)


def _lines(resource: Resource, model: Model) -> list[str]:
    composite = len(resource.key_columns) > 1
    unique = [field for field in resource.fields if field.unique]
    parent = resource.parent_field
    closing = []
    if composite:
        closing.append(f"PRIMARY KEY ({', '.join(quoted(one) for one in resource.key_columns)})")
    for field in unique:
        scope = [quoted(parent.name)] if parent else []
        closing.append(f"UNIQUE ({', '.join([*scope, quoted(field.name)])})")
    columns = [_column(resource, field, model, composite) for field in resource.fields]
    lines = []
    for number, (code, comment) in enumerate(columns):
        last = number == len(columns) - 1 and not closing
        lines.append(f"    {code}{'' if last else ','}{f'  -- {comment}' if comment else ''}")
    for number, code in enumerate(closing):
        lines.append(f"    {code}{',' if number < len(closing) - 1 else ''}")
    return lines


def _column(resource: Resource, field: Field, model: Model, composite: bool) -> tuple[str, str]:
    parts = [quoted(field.name), _TYPES[field.kind]]
    if field.role == "key" and not composite:
        parts.append("PRIMARY KEY")
        if field.kind != "integer":
            parts.append("NOT NULL")
    elif field.required or field.role in ("key", "parent"):
        parts.append("NOT NULL")
    if field.references:
        target = model.resource(field.references)
        parts.append(f"REFERENCES {quoted(target.table)} ({quoted(target.key)})")
    if field.kind == "boolean":
        parts.append(f"CHECK ({quoted(field.name)} IN (0, 1))")
    elif field.enum and len(field.enum) <= _MAX_CHECKED and all(map(_one_lined, field.enum)):
        parts.append(f"CHECK ({quoted(field.name)} IN ({', '.join(literal(value) for value in field.enum)}))")
    elif field.kind == "json":
        missing = "" if field.required else f"{quoted(field.name)} IS NULL OR "  # old SQLite: json_valid(NULL) is 0
        parts.append(f"CHECK ({missing}json_valid({quoted(field.name)}))")
    comment = field.description.replace(";", ",").rstrip(".")
    policy = policy_of(resource, field)
    return " ".join(
        parts
    ), f"{comment}; compare: {policy}" if policy and comment else f"compare: {policy}" if policy else comment


def _one_lined(value: object) -> bool:
    """Whether a value's literal leaves the line, and the comment at its end, as they are."""
    return str(value).isprintable() and "--" not in str(value)


def policy_of(resource: Resource, field: Field) -> str | None:
    """The column's comparison policy where the default (`exact`) would be wrong.

    Times of creation and change stay exact: within a turn the clock stands still, so gold and agent
    write the same, and a row that was touched for nothing shows.
    """
    if field.role == "key" and resource.minted:
        return "generated"
    if field.kind == "number":
        return "number(0.01)"
    return "text(ignored)" if field.long else None


def emit_invariants(model: Model) -> str:
    """Queries that must return no row: dates in order, values within their bounds."""
    found: list[tuple[str, list[str]]] = []
    for resource in model.resources:
        table, key = quoted(resource.table), quoted(resource.key)
        name = resource.table.replace("_", "-")
        for start, end in order_pairs(resource):
            found.append(
                (
                    f"{name}-{end.name.strip('_').replace('_', '-')}-after-start",
                    [f"SELECT {key} FROM {table} WHERE {quoted(end.name)} < {quoted(start.name)};"],
                )
            )
        stamps = {field.role: field for field in resource.fields}
        if "created" in stamps and "updated" in stamps:
            made, changed = quoted(stamps["created"].name), quoted(stamps["updated"].name)
            found.append((f"{name}-updated-after-created", [f"SELECT {key} FROM {table} WHERE {changed} < {made};"]))
        for field in resource.fields:
            bounds = [
                f"{quoted(field.name)} {sign} {literal(bound)}"
                for sign, bound in (("<", field.minimum), (">", field.maximum))
                if bound is not None and field.kind in ("integer", "number")
            ]
            if bounds:
                found.append(
                    (
                        f"{name}-{field.name.strip('_').replace('_', '-')}-in-bounds",
                        [f"SELECT {key} FROM {table} WHERE {' OR '.join(bounds)};"],
                    )
                )
        if resource.label is not None and resource.label.required:
            label = quoted(resource.label.name)
            found.append(
                (
                    f"{name}-{resource.label.name.replace('_', '-')}-not-empty",
                    [f"SELECT {key} FROM {table} WHERE {label} = '';"],
                )
            )
    return render("invariants.sql.j2", model=model, invariants=found)


def insert_lines(resource: Resource) -> list[str]:
    """An INSERT of every column by name."""
    names = [field.name for field in resource.fields]
    return [
        *listed(f"INSERT INTO {quoted(resource.table)} (", [quoted(name) for name in names]),
        *listed("VALUES (", [f":{name}" for name in names]),
    ]


def described(resource: Resource) -> str:
    """One row of it, with its article: `a time off request`."""
    return a(words(resource.one))
