"""A JSON schema as a flat list of leaves: what a tool takes and what it returns, value by value.

Lists of objects and objects in objects are followed as deep as the (portable, hence finite) schema goes;
a list of plain values is one leaf of an input, and one leaf `names[]` of an output.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

DEEPEST = 8
"""Levels of nesting that are followed; recursive schemas repeat themselves below."""

_DATE_PATTERN = re.compile(r"\\d\{4\}-")


@dataclass(frozen=True)
class Leaf:
    """One plain value in a schema.

    Attributes:
        path: `trips[].code`.
        type: JSON type, or `date` or `date-time` for text that is one.
        required: Whether it stands wherever what it is in stands.
        schema: Its own schema, without the alternative `null`.
        description: Its own, or that of the closest thing around it that has one.
    """

    path: str
    type: str
    required: bool
    schema: Mapping[str, Any]
    description: str

    @property
    def name(self) -> str:
        """The last word of the path."""
        return self.path.removesuffix("[]").rsplit(".", 1)[-1].removesuffix("[]")


def leaves(schema: Mapping[str, Any], *, path: str = "", lists_whole: bool = False) -> list[Leaf]:
    """The leaves of a schema, in its own order.

    Args:
        schema: A portable schema.
        path: What stands before every path.
        lists_whole: Whether a list of plain values is one leaf without `[]`, as for inputs.
    """
    return list(_walk(schema, path, True, "", 0, lists_whole))


def _walk(schema: Mapping[str, Any], path: str, required: bool, around: str, depth: int, whole: bool) -> Iterator[Leaf]:
    schema = without_null(schema)
    description = str(schema.get("description") or around)
    properties = schema.get("properties")
    if depth < DEEPEST and properties:
        needed = set(schema.get("required", ()))
        for name, child in properties.items():
            below = f"{path}.{name}" if path else name
            yield from _walk(child, below, required and name in needed, description if path else "", depth + 1, whole)
        return
    items = schema.get("items")
    if depth < DEEPEST and isinstance(items, Mapping):
        inner = without_null(items)
        if whole and not inner.get("properties") and not isinstance(inner.get("items"), Mapping):
            yield Leaf(path, kind_of(inner), required, schema, description or str(inner.get("description", "")))
            return
        yield from _walk(items, f"{path}[]", required, description, depth + 1, whole)
        return
    extra = schema.get("additionalProperties")
    if depth < DEEPEST and isinstance(extra, Mapping) and extra:
        yield from _walk(extra, f"{path}.*" if path else "*", False, description, depth + 1, whole)
        return
    if path:
        yield Leaf(path, kind_of(schema), required, schema, description)


def without_null(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """A schema without its alternative `null`; of several real alternatives the first stands for all."""
    options = [option for option in schema.get("anyOf", ()) if option.get("type") != "null"]
    if not options:
        return schema
    merged = {key: value for key, value in schema.items() if key != "anyOf"}
    return {**options[0], **merged, "description": merged.get("description") or options[0].get("description", "")}


def kind_of(schema: Mapping[str, Any]) -> str:
    """The type of a plain value: JSON's, with `date` and `date-time` told from other text."""
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((one for one in kind if one != "null"), None)
    if kind is None:
        values = schema.get("enum") or ([schema["const"]] if "const" in schema else [])
        kind = "string" if values and isinstance(values[0], str) else "any"
    if kind == "string":
        if schema.get("format") in ("date", "date-time"):
            return str(schema["format"])
        if _DATE_PATTERN.search(str(schema.get("pattern", ""))):
            return "date-time" if "T" in schema["pattern"] else "date"
    return str(kind)


def values_at(value: Any, path: str) -> list[Any]:
    """The values at a path of a result, without NULLs: every item of every list on the way."""
    found = [value]
    for step in _STEPS.findall(path):
        if step == "[]":
            found = [item for one in found if isinstance(one, list) for item in one]
        elif step == "*":
            found = [item for one in found if isinstance(one, dict) for item in one.values()]
        else:
            found = [one[step] for one in found if isinstance(one, dict) and step in one]
    return [one for one in found if one is not None]


def put_at(arguments: Mapping[str, Any], path: str, value: Any) -> dict[str, Any]:
    """Arguments with another value at a path: of a list on the way, in its first item."""
    steps = _STEPS.findall(path)

    def put(node: Any, at: int) -> Any:
        if at == len(steps):
            return [value] if isinstance(node, list) else value
        step = steps[at]
        if step == "[]":
            items = node if isinstance(node, list) and node else [{}]
            return [put(items[0], at + 1), *items[1:]]
        known = node if isinstance(node, dict) else {}
        return {**known, step: put(known.get(step), at + 1)}

    changed: dict[str, Any] = put(dict(arguments), 0)
    return changed


_STEPS = re.compile(r"\[\]|[^.\[\]]+")
