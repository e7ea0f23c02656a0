"""What stands around a resource on the wire: lists in wrappers, rows in `data`, JSON:API's `attributes`.

Nothing here knows paths; it only answers "where in this response or body is the row?".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..naming import plural, singular, snake
from .document import Document, Shape

_WRAPPERS = (
    "data", "items", "results", "values", "result", "records", "entries", "content", "list", "value", "resources",
    "rows", "objects", "elements", "_embedded", "response", "payload",
)  # fmt: skip
_IDENTITY = frozenset({"id", "uid", "uuid", "guid", "key", "name", "title", "arn", "create_time", "created_at"})
_MOST_BESIDE = 8
_SINGLE = ("data", "result", "item", "resource", "record", "response", "payload")


def object_shape(document: Document, schema: Any) -> Shape | None:
    """The shape of a schema that describes an object; None for anything else."""
    shape = document.shape(schema) if schema is not None else {}
    return attributes(document, shape) if shape.get("properties") else None


def attributes(document: Document, shape: Shape) -> Shape:
    """JSON:API's `{"id", "type", "attributes": {...}}` as one flat object; any other shape as it is."""
    properties = shape.get("properties") or {}
    if "attributes" not in properties or not properties.keys() <= {
        "id", "type", "attributes", "relationships", "links", "meta", "included",
    }:  # fmt: skip
        return shape
    inside = document.shape(properties["attributes"])
    if not inside.get("properties"):
        return shape
    flat = {key: value for key, value in properties.items() if key == "id"}
    name = {"x-name": shape["x-name"]} if "x-name" in shape else {}
    return {**inside, **name, "properties": {**flat, **inside["properties"]}}


def list_items(document: Document, shape: Shape | None, last: str, depth: int = 2) -> Shape | None:
    """Shape of one item of a list response; None where the response is no list of objects.

    Args:
        document: Resolves references.
        shape: The response.
        last: Last word of the collection's path, which may name the list inside an envelope.
        depth: How many envelopes may stand around the list.
    """
    if not shape:
        return None
    if shape.get("type") == "array":
        return object_shape(document, shape.get("items"))
    properties = shape.get("properties") or {}
    inner = {str(name): document.shape(raw) for name, raw in properties.items()}
    lists = {
        name: items
        for name, inside in inner.items()
        if inside.get("type") == "array" and (items := object_shape(document, inside.get("items"))) is not None
    }
    own = snake(last)
    for name in [*(key for key in lists if snake(key) in (own, plural(own))), *_WRAPPERS]:
        if name in lists:
            return lists[name]
    if len(lists) == 1:
        return next(iter(lists.values()))
    if depth and not lists:
        for name in [*(key for key in inner if snake(key) in (own, plural(own))), *_WRAPPERS]:
            if name in inner and inner[name].get("properties"):
                return list_items(document, inner[name], last, depth - 1)
        if len(inner) == 1:
            return list_items(document, next(iter(inner.values())), last, depth - 1)
    values = shape.get("additionalProperties")
    return object_shape(document, values) if isinstance(values, dict) and not properties else None


def _envelope(properties: Mapping[str, Any], name: str) -> bool:
    """Whether what stands beside a member is only about the message: it has no identity, and there is little of it."""
    beside = [snake(str(one)) for one in properties if one != name]
    return len(beside) <= _MOST_BESIDE and not any(one in _IDENTITY or one == f"{snake(name)}_id" for one in beside)


def unwrap(document: Document, shape: Shape | None, word: str = "", depth: int = 2) -> Shape:
    """The resource inside a response or body such as `{"status": 200, "data": {...}}`; a list's item for a list.

    Args:
        document: Resolves references.
        shape: The response or body.
        word: What the path calls the resource; a member of that name is the resource: `{"order": {...}, "etag": ...}`.
        depth: How many envelopes may stand around it.
    """
    if shape is None:
        return {}
    if shape.get("type") == "array":
        return object_shape(document, shape.get("items")) or shape
    properties = shape.get("properties") or {}
    own = {snake(word), singular(snake(word))} if word else set()
    if depth:
        for name in [*(one for one in properties if snake(one) in own), *_SINGLE]:
            if name in properties and _envelope(properties, name):
                inside = object_shape(document, properties[name])
                if inside:
                    return unwrap(document, inside, word, depth - 1)
        if len(properties) == 1:
            only = object_shape(document, next(iter(properties.values())))
            if only:
                return unwrap(document, only, word, depth - 1)
    return attributes(document, shape)
