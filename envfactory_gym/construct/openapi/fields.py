"""From the properties of a schema to columns: what kind each is, who sets it, and what is left out.

Objects of a few scalars are flattened (`start.dateTime` → `start_date_time`); lists and larger
objects become JSON columns; what only serves transport is left out, with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..model import Field, Nested, Part
from ..naming import identifier, pascal, singular, snake, words
from .document import Document, Shape
from .scalars import enum_of, is_read_only, is_scalar, kind_of, said, scalar_field, usual_limit

_TRANSPORT = frozenset(
    {
        "etag", "self", "self_link", "href", "links", "custom_mappings", "custom_fields", "pass_through",
        "client_token", "client_request_token", "idempotency_token", "idempotency_key", "request_token",
        "row_version", "x_links", "object", "api_version", "sync_token", "custom_fields_mappings", "downstream_id",
    }
)  # fmt: skip
_CONSTANT = re.compile(r"^\s*(?:always )?set to [\"“'‘]", re.I)
_LINK = re.compile(r"\bAPI endpoint\b|^\s*(?:A )?(?:link|URL) (?:to|of) (?:this|the) (?:resource|calendar event)", re.I)
_DEPRECATED = re.compile(r"\(deprecated\)|^\s*\[?deprecated|\[deprecated\]|are deprecated", re.I)
MAX_FLAT = 4
"""An object with at most this many scalar members becomes columns of its own."""
MAX_FIELDS = 22
"""Most columns a table takes from its document, keys and timestamps apart."""


@dataclass(frozen=True)
class Reading:
    """The fields of one schema, and the properties that are no field."""

    fields: tuple[Field, ...]
    left_out: tuple[tuple[str, str], ...]


def read_fields(document: Document, shape: Shape, rows: Mapping[str, str] | None = None) -> Reading:
    """The columns that a schema's properties make.

    Args:
        document: Resolves references inside the schema.
        shape: An object's shape, as `Document.shape` returns it.
        rows: Name of a schema → name of one row, for what has a table of its own: an object of that schema
            is told by its key, `customer` by `customer_id`.
    """
    fields: list[Field] = []
    left_out: list[tuple[str, str]] = []
    required = set(shape.get("required") or ())
    shapes = {str(name): document.shape(raw) for name, raw in (shape.get("properties") or {}).items()}
    usual = usual_limit(shapes.values())
    for name, inside in shapes.items():
        reason = _transport(name, inside)
        if reason:
            left_out.append((name, reason))
            continue
        if rows and inside.get("x-name") in rows and inside.get("type") == "object":
            fields.append(_pointer(name, rows[inside["x-name"]], inside, name in required))
            continue
        if _is_date(inside):
            fields.append(_date(name, inside, name in required))
            continue
        if members := _flat(document, inside):
            demanded = set(inside.get("required") or ())
            usual_here = usual or usual_limit(members.values())
            for member, member_shape in members.items():
                if why := _transport(member, member_shape):
                    left_out.append((f"{name}.{member}", why))
                    continue
                column = _joined(name, member)
                found = scalar_field(
                    column, f"{name}.{member}", member_shape, name in required and member in demanded, usual_here
                )
                fields.append(replace(found, server=found.server or is_read_only(inside)))
            continue
        field = _of(document, name, inside, name in required, usual)
        if isinstance(field, str):
            left_out.append((name, field))
        else:
            fields.append(field)
    seen: set[str] = set()
    unique = []
    for field in fields:
        if field.name in seen:
            left_out.append((field.source, f"another property already makes the column {field.name}"))
        else:
            seen.add(field.name)
            unique.append(field)
    return Reading(tuple(unique), tuple(left_out))


def _pointer(name: str, one: str, inside: Shape, required: bool) -> Field:
    """The column that tells an embedded row by its key."""
    stem = snake(name).removesuffix("_id")
    column = f"{stem}_id" if stem.endswith(one) else f"{stem}_{one}_id"
    return Field(column, name, "text", f"The {words(one)}.", required=required, server=is_read_only(inside))


def _transport(name: str, inside: Shape) -> str | None:
    text = str(inside.get("description") or "")
    default = inside.get("default")
    if snake(name) in _TRANSPORT or name.startswith("_"):
        return "serves transport, not the resource"
    if _CONSTANT.search(text) or (isinstance(default, str) and "#" in default):
        return "always has the same value"
    if _LINK.search(text):
        return "links to the API itself"
    if inside.get("deprecated") or _DEPRECATED.search(text):
        return "is deprecated"
    return None


def _is_date(inside: Shape) -> bool:
    """Whether an object is a date in three numbers, as Google's documents write one."""
    return (inside.get("properties") or {}).keys() == {"year", "month", "day"}


def _date(name: str, inside: Shape, required: bool) -> Field:
    told = said(inside.get("description"))
    told = "" if "whole or partial calendar date" in told.lower() else told
    return Field(identifier(name), name, "date", told, required=required, server=is_read_only(inside))


def _flat(document: Document, inside: Shape) -> dict[str, Shape]:
    """Members of a small object of scalars; empty for anything else."""
    properties = inside.get("properties")
    if inside.get("type") != "object" or not isinstance(properties, Mapping) or not 1 <= len(properties) <= MAX_FLAT:
        return {}
    members = {name: document.shape(raw) for name, raw in properties.items()}
    return members if all(is_scalar(member) for member in members.values()) else {}


def _joined(outer: str, inner: str) -> str:
    first, second = snake(outer), snake(inner)
    return identifier(second if second.startswith(first) else f"{first}_{second}")


def _of(document: Document, name: str, inside: Shape, required: bool, usual: int | None) -> Field | str:
    """A field, or the reason why there is none."""
    if is_scalar(inside):
        return scalar_field(identifier(name), name, inside, required, usual)
    nested = _nested(document, name, inside)
    if nested is None:
        return "is nested more deeply than a column can hold"
    return Field(
        name=identifier(name),
        source=name,
        kind="json",
        description=said(inside.get("description")),
        required=required,
        server=is_read_only(inside),
        nullable=bool(inside.get("nullable")),
        nested=nested,
        example=inside.get("example"),
    )


def _nested(document: Document, name: str, inside: Shape) -> Nested | None:
    """What a JSON column holds; None where it is nested too deeply to be typed."""
    if inside.get("type") == "array":
        items = document.shape(inside.get("items") or {})
        if is_scalar(items):
            return Nested(many=True, kind=kind_of(singular(snake(name)), items))
        parts = _parts(document, items)
        return Nested(many=True, parts=parts, name=_type_name(items, singular(snake(name)))) if parts else None
    if inside.get("type") == "object":
        values = inside.get("additionalProperties")
        if isinstance(values, Mapping) and not inside.get("properties"):
            of = document.shape(values)
            return Nested(many=False, mapping=True, kind=kind_of("", of)) if is_scalar(of) else None
        parts = _parts(document, inside)
        return Nested(many=False, parts=parts, name=_type_name(inside, snake(name))) if parts else None
    return None


def _type_name(shape: Shape, fallback: str) -> str:
    return pascal(str(shape.get("x-name") or fallback))


def _parts(document: Document, shape: Shape, limit: int = 8) -> tuple[Part, ...]:
    """Scalar members (and lists of scalars) of an object; required ones first when there are many."""
    required = set(shape.get("required") or ())
    found = []
    for name, raw in (shape.get("properties") or {}).items():
        inside = document.shape(raw)
        many = inside.get("type") == "array"
        item = document.shape(inside.get("items") or {}) if many else inside
        if (
            not name.isidentifier()
            or not is_scalar(item)
            or _transport(name, inside)
            or is_read_only(inside)
            or inside.get("readOnly")
        ):
            continue
        if snake(name) in ("id", "row_version"):
            continue
        enum = enum_of(item, str(item.get("description") or "")) if item.get("type") == "string" else ()
        found.append(
            Part(
                name,
                kind_of(snake(name), item),
                name in required,
                many,
                enum if len(enum) <= 16 else (),
                item.get("example"),
            )
        )
    if len(found) > limit:
        found = sorted(found, key=lambda part: not part.required)[:limit]
    return tuple(found)


def is_change_list(document: Document, shape: Shape) -> str | None:
    """Name of the property that makes a body a list of changes instead of the resource's fields."""
    for name, raw in (shape.get("properties") or {}).items():
        inside = document.shape(raw)
        items = document.shape(inside.get("items") or {}) if inside.get("type") == "array" else {}
        for member in items.get("properties") or {}:
            if snake(member) in ("changetype", "change_type", "op", "operation"):
                return str(name)
    return None


def keep_most_telling(fields: list[Field], limit: int = MAX_FIELDS) -> tuple[list[Field], list[tuple[str, str]]]:
    """At most `limit` plain fields, the most telling ones; the others with the reason.

    Required fields, references, names and enums come first, then dates and amounts, then the rest.
    """

    def telling(field: Field) -> int:
        if field.required or field.references:
            return 0
        if field.label or field.enum or field.name in ("email", "emails", "status", "state", "priority", "type"):
            return 1
        if field.name in (
            "location",
            "description",
            "attendees",
            "tags",
            "phone",
            "phone_numbers",
            "address",
            "first_name",
            "last_name",
        ):
            return 2
        if re.search(r"(^|_)(image|photo|avatar|fax|icon|unspecified|omitted|colou?r)(_|$)", field.name):
            return 6
        plain = {"date": 2, "datetime": 2, "number": 2, "integer": 3, "boolean": 3, "text": 4, "json": 5}[field.kind]
        return max(plain, 5) if field.source.count(".") and not field.enum and field.kind == "text" else plain

    plain = [field for field in fields if field.role == "plain"]
    ranked = sorted(plain, key=telling)
    kept = {field.name for field in ranked[:limit]}
    dropped = [(field.source, f"beyond the {limit} most telling fields") for field in plain if field.name not in kept]
    return [field for field in fields if field.role != "plain" or field.name in kept], dropped
