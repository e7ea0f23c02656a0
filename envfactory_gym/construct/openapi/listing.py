"""How a list narrows, sorts and pages, read from its query parameters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..model import Field, Filter, Listing
from ..naming import identifier, sentence, snake
from .document import Document, Operation

TRANSPORT = frozenset(
    {
        "raw", "consumer_id", "application_id", "service_id", "pass_through", "fields", "alt", "key", "oauth_token",
        "pretty_print", "quota_user", "user_ip", "access_token", "callback", "upload_protocol", "upload_type",
        "xgafv", "api_version", "sync_token",
    }
)  # fmt: skip
"""Query parameters that serve transport or the tenant, never the resource."""

_LIMIT = ("limit", "max_results", "page_size", "per_page", "count", "max", "top", "size")
_CURSOR = ("cursor", "page_token", "next_page_token", "starting_after", "after", "continuation_token", "marker")
_OFFSET = ("offset", "skip", "page", "start", "start_index")
_SEARCH = ("q", "query", "search", "search_term", "keyword", "term")
_BOUNDS = (
    (re.compile(r"^(.+)_(?:gte|min|after|from|since)$"), ">="),
    (re.compile(r"^(.+)_(?:lte|max|before|to|until)$"), "<="),
)
_EARLIEST = frozenset(
    {"time_min", "min_time", "from", "since", "after", "date_from", "from_date", "start_date", "start_time",
     "min_date", "begin", "from_time", "published_after", "start_datetime"}
)  # fmt: skip
_LATEST = frozenset(
    {"time_max", "max_time", "to", "until", "before", "date_to", "to_date", "end_date", "end_time", "max_date", "end",
     "to_time", "published_before", "end_datetime"}
)  # fmt: skip
"""Query parameters that bound the time of a row without saying which: its start, else its date, else its making."""
_NAMING = re.compile(r"(?:^|_)(?:name|title|summary|email|location|city|company|author|description|tags?)$")
_WORDLESS = re.compile(
    r"(?:^|_)(?:url|uri|href|zone|token|colou?r|uid|uuid|id|hash|code|locale|language|currency|version)$"
)
"""Ends of the names of texts that nobody searches for words."""
_SEARCHED = 4
MAX_FILTERS = 8

_PRESENTATION = re.compile(r"whether to (?:include|return|show|retrieve|expand)|deprecated and ignored", re.I)


def read_listing(document: Document, operation: Operation, fields: Mapping[str, Field], one: str) -> Listing:
    """The listing of one collection.

    Documented query parameters that name a column filter by it; enum columns and references
    filter as well, because people narrow lists by them.

    Args:
        document: Resolves references inside parameters.
        operation: The operation that lists.
        fields: The table's columns by name, parent and server-set ones included.
        one: Name of one row; a parameter of that name compares the rows' label.
    """
    filters: dict[str, Filter] = {}
    sorts: list[str] = []
    limit, largest, cursor = 20, 100, False
    for name, schema, text in _parameters(document, operation):
        plain = snake(name)
        shape = document.shape(schema)
        if plain in _LIMIT:
            limit, largest = _limits(shape, limit, largest)
        elif plain in _CURSOR:
            cursor = True
        elif plain in ("sort", "order_by", "sort_by", "by", "order"):
            sorts += [column for column in _sorts(shape, fields) if column not in sorts]
        elif plain in TRANSPORT | set(_OFFSET) or _PRESENTATION.search(text):
            continue
        elif plain == one and one not in fields:
            if label := next((field for field in fields.values() if field.label), None):
                filters.setdefault(label.name, Filter(label.name, label.name, "=", True, sentence(text)))
        elif found := _filter(plain, shape, fields, sentence(text)):
            filters.setdefault(found.argument, found)
    for field in fields.values():
        narrows = field.role == "plain" and not field.secret and (field.enum or field.references)
        if narrows and len(filters) < MAX_FILTERS and field.name not in {one.column for one in filters.values()}:
            filters[field.name] = Filter(field.name, field.name, "=", documented=False)
    return Listing(tuple(filters.values())[:MAX_FILTERS], tuple(sorts), limit, max(limit, largest), cursor)


def _parameters(document: Document, operation: Operation) -> Iterator[tuple[str, Any, str]]:
    """Query parameters; a `deepObject` such as `filter[name]` gives one for each property."""
    for parameter in operation.parameters:
        if parameter.get("in") != "query":
            continue
        schema = parameter.get("schema") or {}
        shape = document.shape(schema)
        if shape.get("type") == "object" and shape.get("properties"):
            for name, inside in shape["properties"].items():
                yield str(name), inside, str(document.shape(inside).get("description") or "")
        else:
            yield str(parameter["name"]), schema, str(parameter.get("description") or "")


def _limits(shape: Mapping[str, Any], limit: int, largest: int) -> tuple[int, int]:
    default, maximum = shape.get("default"), shape.get("maximum")
    if isinstance(maximum, int) and maximum > 0:
        largest = min(maximum, 500)
    if isinstance(default, int) and default > 0:
        limit = min(default, 50)
    return min(limit, largest), largest


def _sorts(shape: Mapping[str, Any], fields: Mapping[str, Field]) -> list[str]:
    """Columns to sort by: those the enum names, or the telling ones where any text is allowed."""
    values = shape.get("enum") or ()
    if values:
        names = [snake(str(value)) for value in values]
        return [column for name in names if (column := _column(name, fields)) and fields[column].kind != "json"]
    if shape.get("type") != "string":
        return []
    telling = [f for f in fields.values() if (f.label and f.kind == "text") or f.kind in ("date", "datetime", "number")]
    return [f.name for f in telling][:6]


def _column(name: str, fields: Mapping[str, Field]) -> str | None:
    for candidate in (name, f"{name}_", f"{name}_at", f"{name}_on", f"{name}_date", name.removesuffix("s")):
        if candidate in fields:
            return candidate
    return None


def _filter(name: str, shape: Mapping[str, Any], fields: Mapping[str, Field], text: str) -> Filter | None:
    if name in _SEARCH:
        columns = searched(fields.values())
        return Filter(identifier(name), "", "search", True, text, columns) if columns else None
    if column := _column(name, fields):
        field = fields[column]
        if field.kind == "json" or field.secret or field.role == "parent":
            return None
        return Filter(column, column, "=", True, text)
    for pattern, op in _BOUNDS:
        match = pattern.match(name)
        bounded = _column(match.group(1), fields) if match else None
        if bounded and fields[bounded].kind in ("date", "datetime", "number", "integer"):
            return Filter(identifier(name), bounded, op, True, text)  # type: ignore[arg-type]
    if name in _EARLIEST | _LATEST and _tells_time(shape, text) and (moment := _moment(fields)):
        return Filter(identifier(name), moment, ">=" if name in _EARLIEST else "<=", True, text)
    return None


def searched(fields: Iterable[Field]) -> tuple[str, ...]:
    """The text columns that a search looks into, at most four: what people name things by, then what they write."""
    texts = [
        one
        for one in fields
        if one.kind == "text" and one.role == "plain" and not (one.enum or one.secret or one.references)
    ]
    worded = [one for one in texts if not _WORDLESS.search(one.name)] or texts

    def place(one: Field) -> int:
        return 0 if one.label else 1 if _NAMING.search(one.name) else 2 if one.long else 4 if "." in one.source else 3

    return tuple(one.name for one in sorted(worded, key=place)[:_SEARCHED])


def _tells_time(shape: Mapping[str, Any], text: str) -> bool:
    timed = shape.get("format") in ("date", "date-time") or re.search(r"\b(?:date|time|timestamp)\b", text, re.I)
    return bool(timed) and shape.get("type", "string") == "string"


def _moment(fields: Mapping[str, Field]) -> str | None:
    """The column that says when a row is."""
    timed = [one for one in fields.values() if one.kind in ("date", "datetime") and not one.secret]

    def place(one: Field) -> int:
        plain = one.name.rstrip("_")
        if plain.startswith("start") and one.kind == "datetime":
            return 0
        return 1 if plain.startswith("start") else 2 if plain in ("date", "time") else 3 if one.role == "created" else 4

    return min(timed, key=place).name if timed else None
