"""From a database's columns to fields: what kind each is, told by its type, its name and its values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from ..model import Field, Kind, Nested
from ..naming import identifier, sentence, snake
from ..openapi.scalars import CREATED, UPDATED
from .database import Column

_TYPES: tuple[tuple[str, Kind], ...] = (
    (r"BOOL|^BIT$", "boolean"),
    (r"INT|SERIAL|YEAR|ROWVERSION", "integer"),
    (r"DATETIME|TIMESTAMP", "datetime"),
    (r"^DATE$", "date"),
    (r"DEC|NUM|REAL|DOUBLE|FLOAT|MONEY", "number"),
)
_BYTES = re.compile(r"BLOB|BINARY|BYTEA|IMAGE|GEOMETRY|GEOGRAPHY|VECTOR|XML")
_LONG_TYPES = re.compile(r"^(?:TEXT|LONGTEXT|MEDIUMTEXT|CLOB|NTEXT)$")
_LONG_NAMES = frozenset(
    {"description", "notes", "note", "comment", "comments", "body", "content", "bio", "details", "remarks", "message"}
)
_SECRET = re.compile(r"passw(?:or)?d|(?:^|_)(?:secret|salt|api_key|private_key)$|_hash$")
_FLAG = re.compile(r"^(?:is|has|can|was|allow|enable)_")
_DATE = re.compile(r"^\d{4}-\d{2}-\d{2}$")
_MOMENT = re.compile(r"^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}")
MAX_TEXT = 200
"""Longer texts, and those of several lines, are prose: they are not compared."""


def make_field(column: Column, values: Sequence[Any]) -> Field | str:
    """The field of a column, or why there is none.

    Args:
        column: The column's definition.
        values: Values it has in the source's rows.
    """
    name = identifier(column.name)
    if column.computed:
        return "is computed by the database"
    if _BYTES.search(column.type) or any(isinstance(one, bytes) for one in values):
        return "holds bytes"
    if column.type in ("JSON", "JSONB", "VARIANT", "OBJECT", "MAP", "STRUCT", "SET", "INTERVAL", "TSVECTOR"):
        return "holds a structure that the definition does not describe"
    kind = kind_of(column, snake(column.name), values)
    plain = name.rstrip("_")
    role: Any = "plain"
    if kind == "datetime" and (column.stamp or column.made):
        role = "created" if plain in CREATED else "updated" if plain in UPDATED else "plain"
    prose = any(isinstance(one, str) and (len(one) > MAX_TEXT or not one.isprintable()) for one in values)
    enum = column.enum if kind in ("text", "integer") and all(_fits(one, kind) for one in column.enum) else ()
    if set(map(str, values)) - set(map(str, enum)) - {"None"}:
        enum = ()  # rows that a rule would not allow: the rule is not held
    text = kind == "text"
    length = column.parameters[0] if text and column.parameters and 0 < column.parameters[0] <= 2000 else None
    long = (
        text and not enum and (prose or plain in _LONG_NAMES or (_LONG_TYPES.match(column.type) is not None and prose))
    )
    return Field(
        name=name,
        source=column.name,
        kind="json" if column.many else kind,
        description=sentence(column.comment),
        enum=enum,
        required=column.required and column.default is None and not column.made and not column.stamp,
        server=column.made or role != "plain",
        secret=_SECRET.search(plain) is not None,
        role=role,
        unique=column.unique and text,
        long=long,
        nullable=not column.required,
        default=_default(column, kind, enum),
        after=identifier(column.after) if column.after and kind in ("date", "datetime") else "",
        minimum=column.minimum if kind in ("integer", "number") else None,
        maximum=column.maximum if kind in ("integer", "number") else None,
        max_length=length if length is None or not long else None,
        nested=Nested(many=True, kind=kind) if column.many else None,
    )


def _default(column: Column, kind: Kind, enum: tuple[Any, ...]) -> Any:
    if (enum and column.default not in enum) or column.default is None:
        return None
    return stored(Field(column.name, column.name, kind), column.default)


def kind_of(column: Column, name: str, values: Iterable[Any]) -> Kind:
    """The kind of a column: its type's, unless its values say more (a date in text) or something else."""
    solid = [one for one in values if one is not None]
    kind: Kind = next((found for pattern, found in _TYPES if re.search(pattern, column.type)), "text")
    if kind == "number" and len(column.parameters) == 1 and not re.search("REAL|DOUBLE|FLOAT", column.type):
        kind = "integer"  # NUMERIC(10) has no digits after the point
    if kind == "integer" and ((column.type == "TINYINT" and column.parameters == (1,)) or _FLAG.match(name)):
        kind = "boolean" if all(one in (0, 1) for one in solid) else kind
    if kind == "boolean":
        return kind if all(_flag(one) is not None for one in solid) else "text"
    if kind == "integer" and solid and not all(_whole(one) is not None for one in solid):
        kind = "number"
    if kind == "number" and solid and not all(_figure(one) is not None for one in solid):
        return "text"
    if kind in ("text", "date", "datetime") and solid:
        texts = [one for one in solid if isinstance(one, str)]
        if len(texts) == len(solid) and all(_DATE.match(one) for one in texts):
            return "date" if kind != "datetime" else "datetime"
        if len(texts) == len(solid) and all(_MOMENT.match(one) for one in texts):
            midnight = all(moment(one, exact=True).endswith("T00:00:00Z") for one in texts)
            return "date" if kind == "date" or (midnight and "date" in name) else "datetime"
        return "text"
    return kind


def stored(field: Field, value: Any) -> Any:
    """A value of the source as the package stores it; None for what does not fit its kind."""
    if value is None or (value == "" and field.kind != "text"):
        return None
    if field.kind == "boolean":
        return _flag(value)
    if field.kind == "integer":
        return _whole(value)
    if field.kind == "number":
        return _figure(value)
    if field.kind in ("date", "datetime"):
        return moment(str(value), exact=field.kind == "datetime")
    if field.kind == "json":
        return [part for part in str(value).strip("{}[]").split(",") if part]
    return value if isinstance(value, str) else str(value)


def moment(text: str, *, exact: bool) -> str:
    """`2009-01-03 10:30:00.000` as `2009-01-03T10:30:00Z`, or as a date; times without a zone are UTC."""
    try:
        found = datetime.fromisoformat(text.replace(" UTC", "+00:00").replace("Z", "+00:00"))
    except ValueError:
        return f"{text[:10]}T00:00:00Z" if exact else text[:10]
    if not exact:
        return found.date().isoformat()
    aware = found.astimezone(UTC) if found.tzinfo else found
    return aware.strftime("%Y-%m-%dT%H:%M:%SZ")


def _fits(value: Any, kind: Kind) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) if kind == "integer" else isinstance(value, str)


def _flag(value: Any) -> bool | None:
    known = {"0": False, "1": True, "f": False, "t": True, "false": False, "true": True, "n": False, "y": True}
    return known.get(str(value).strip("\x00").casefold())


def _whole(value: Any) -> int | None:
    try:
        number = float(value)
        return int(value) if isinstance(value, (int, str)) else int(number) if number.is_integer() else None
    except (ValueError, OverflowError):
        return None


def _figure(value: Any) -> float | None:
    try:
        return float(str(value).lstrip("$").replace(",", ""))
    except ValueError:
        return None
