"""One scalar property as one column: its kind, what it may hold, and whether it is prose.

Formats and enums say it outright; where a document is silent, names, examples and descriptions do.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any, Literal

from ..model import LABELS, Field, Kind
from ..naming import sentence
from .document import Shape

CREATED = frozenset(
    {
        "created_at", "created", "create_time", "date_created", "created_on", "creation_time", "created_date",
        "creation_date", "inserted_at",
    }
)  # fmt: skip
UPDATED = frozenset(
    {
        "updated_at", "updated", "update_time", "modified_at", "last_modified", "modified", "last_updated",
        "updated_on", "date_modified", "modified_on", "last_modified_at", "updated_date",
    }
)  # fmt: skip

_LONG = frozenset(
    {
        "description", "note", "notes", "content", "body", "comment", "comments", "bio", "message", "details",
        "remarks", "html", "instructions",
    }
)  # fmt: skip
_SHORT = re.compile(
    r"(?:^|_)(?:name|title|email|phone|number|code|id|key|url|uri|currency|country|city|state|status|type|kind|language|"
    r"locale|token|version|zip|line1|line2|postal|prefix|suffix|address|domain|path|color|slug|timezone|method)(?:_|$)"
)
"""Words in names of texts that are short, however much room their document leaves."""
_DATE_NAMES = re.compile(r"(^|_)(date|birthday|birth_date|dob|day)$")
_READ_ONLY = re.compile(
    r"read[- ]only|assigned by the server|output[- ]only|server[- ]generated|generated (?:on|by) (?:the )?server", re.I
)
BEHAVIOUR = re.compile(
    r"^\s*(?:\[?(Required|Optional|Immutable|Identifier|Output[- ]only|Input[- ]only|Read[- ]only|Unordered list)"
    r"\]?[.:;]\s*)+",
    re.I,
)
"""How Google's documents begin the description of a field: its behaviour comes first."""
_LISTED = re.compile(r"(?:possible|valid|allowed|acceptable) values (?:are|include):?(.*)", re.I | re.S)
_ONE_OF = re.compile(r"\bone of ((?:[\"“'‘][\w-]+[\"”'’](?:, | or |, or )?){2,})", re.I)
_QUOTED = re.compile(r"^\s*-\s*[\"“'‘]([\w.-]+)[\"”'’]", re.M)
_ANY_QUOTED = re.compile(r"[\"“'‘]([\w-]+)[\"”'’]")

_SCALARS: dict[Any, Kind] = {"integer": "integer", "number": "number", "boolean": "boolean"}


def said(text: object) -> str:
    """The first sentence of a description, without the behaviour that stands before it."""
    return sentence(BEHAVIOUR.sub("", str(text or "")))


def is_scalar(shape: Shape) -> bool:
    """Whether a shape is one value: a text, a number or a flag."""
    return shape.get("type") in ("string", "integer", "number", "boolean")


def usual_limit(shapes: Iterable[Shape]) -> int | None:
    """A generous length that several properties share: a habit of the document, which makes no text prose."""
    limits = Counter(one["maxLength"] for one in shapes if isinstance(one.get("maxLength"), int))
    return next((limit for limit, count in limits.most_common(1) if count > 2), None)


def is_read_only(inside: Shape) -> bool:
    """Whether only the server sets it, as its flag or its description says."""
    return bool(inside.get("readOnly")) or bool(_READ_ONLY.search(str(inside.get("description") or "")))


def kind_of(name: str, inside: Shape) -> Kind:
    """The kind of a scalar: its type and format, else what its example or its name tells."""
    kind, form, example = inside.get("type"), inside.get("format"), inside.get("example")
    if kind in _SCALARS:
        return _SCALARS[kind]
    if form in ("int32", "int64", "uint32", "uint64"):
        return "integer"
    iso = isinstance(example, str) and re.match(r"^\d{4}-\d{2}-\d{2}", example) is not None
    if form == "date" or (iso and _DATE_NAMES.search(name)):
        return "date"
    if form == "date-time" or (iso and len(str(example)) > 10) or name in CREATED | UPDATED:
        return "datetime"
    return "date" if iso else "text"


def scalar_field(column: str, source: str, inside: Shape, required: bool, usual: int | None) -> Field:
    """The column of a scalar property.

    Args:
        column: Name of the column.
        source: Path of the property in the document.
        inside: The property's shape.
        required: Whether its object demands it.
        usual: A length that the document gives to texts of all sorts, from `usual_limit`.
    """
    text = str(inside.get("description") or "")
    behaviour = found.group(0).lower() if (found := BEHAVIOUR.match(text)) else ""
    text = BEHAVIOUR.sub("", text)
    plain = column.rstrip("_")
    kind = kind_of(plain, inside)
    role: Literal["plain", "created", "updated"] = "plain"
    if kind == "datetime":
        role = "created" if plain in CREATED else "updated" if plain in UPDATED else "plain"
    limit = inside.get("maxLength")
    enum = enum_of(inside, text) if kind in ("text", "integer") else ()
    default = inside.get("default")
    minimum, maximum = _bounds(inside)
    return Field(
        name=column,
        source=source,
        kind=kind,
        description=sentence(_LISTED.sub("", text)) or sentence(str(inside.get("title") or "")),
        enum=enum,
        required=required or "required" in behaviour,
        fixed="immutable" in behaviour,
        server=is_read_only(inside) or role != "plain",
        secret=bool(inside.get("writeOnly"))
        or "password" in plain
        or plain.endswith(("_secret", "private_key", "privatekey")),
        role=role,
        nullable=bool(inside.get("nullable")),
        long=kind == "text" and not enum and _is_prose(plain, limit, usual),
        default=default if not enum or default in enum else None,
        example=inside.get("example"),
        minimum=minimum,
        maximum=maximum,
        max_length=limit if isinstance(limit, int) and 0 < limit <= 2000 else None,
        min_length=_min_length(inside),
        format=str(inside.get("format") or ""),
        pattern=inside["pattern"] if isinstance(inside.get("pattern"), str) else None,
    )


def _is_prose(name: str, limit: Any, usual: int | None) -> bool:
    """Whether a text is prose: its name says so, or it has room for some and its name says nothing else."""
    roomy = isinstance(limit, int) and limit > 300 and limit != usual
    return name in _LONG or (roomy and name not in LABELS and not _SHORT.search(name))


def _min_length(inside: Shape) -> int | None:
    least, most = inside.get("minLength"), inside.get("maxLength")
    fits = isinstance(least, int) and 0 < least <= 2000 and not (isinstance(most, int) and most < least)
    return least if fits else None


def _bounds(inside: Shape) -> tuple[float | None, float | None]:
    """What a document says about the size of a number; nothing where it contradicts itself."""
    low, high = _bound(inside, "minimum", "exclusiveMinimum"), _bound(inside, "maximum", "exclusiveMaximum")
    return (None, None) if low is not None and high is not None and low > high else (low, high)


def _bound(inside: Shape, plain: str, exclusive: str) -> float | None:
    for key in (plain, exclusive):
        value = inside.get(key)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return value
    return None


def enum_of(inside: Shape, text: str) -> tuple[Any, ...]:
    """Admissible values: from `enum`, else from a description that lists them."""
    values = inside.get("enum")
    if isinstance(values, list):
        wanted = int if inside.get("type") == "integer" else str
        solid = [value for value in values if isinstance(value, wanted) and not isinstance(value, bool) and value != ""]
        if wanted is str:  # `STATE_UNSPECIFIED` says that nothing was said
            solid = [value for value in solid if not str(value).upper().endswith("UNSPECIFIED")] or solid
        return tuple(dict.fromkeys(solid))
    if inside.get("type") != "string":
        return ()
    if match := _LISTED.search(text):
        found = tuple(dict.fromkeys(_QUOTED.findall(match.group(1))))
        if len(found) > 1:
            return found
    if match := _ONE_OF.search(text):
        return tuple(dict.fromkeys(_ANY_QUOTED.findall(match.group(1))))
    return ()
