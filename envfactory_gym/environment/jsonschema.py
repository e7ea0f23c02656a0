"""JSON schemas that every MCP client and model provider accepts.

Clients disagree about `$ref`, about lists of types and about bare `true` schemas, so the schema
sent to them is rebuilt: references inlined (recursive ones unrolled to a bounded depth),
nullable written as `anyOf`, objects closed, noise removed. Validation always uses the original.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

MAX_UNROLL = 3
"""How often a recursive definition is unrolled before it becomes a plain object."""

_DROPPED = frozenset({"$defs", "definitions", "$schema", "title", "discriminator"})


def portable(schema: dict[str, Any]) -> dict[str, Any]:
    """An equivalent, self-contained schema; the input is left as it is."""
    definitions = {**schema.get("definitions", {}), **schema.get("$defs", {})}
    inlined: dict[str, Any] = _inline(schema, definitions, {})
    return inlined


def number_bounds(schema: Mapping[str, Any], least: float, span: float) -> tuple[float, float]:
    """The least and the greatest number to draw for a schema.

    Args:
        schema: A schema of an integer or a number.
        least: Where to begin if the schema does not say.
        span: How far an open side reaches.

    Returns:
        Both ends, in order. Of a schema that admits no number, whatever it says, both are its minimum.
    """
    step = 1 if schema.get("type") == "integer" else 0
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is None and "exclusiveMinimum" in schema:
        low = schema["exclusiveMinimum"] + step
    if high is None and "exclusiveMaximum" in schema:
        high = schema["exclusiveMaximum"] - step
    if low is None:
        low = least if high is None or high >= least else high - span
    if high is None:
        high = low + span
    if step:
        low, high = math.ceil(low), math.floor(high)
    return low, max(low, high)


def size_bounds(schema: Mapping[str, Any], of: str, least: int, span: int) -> tuple[int, int]:
    """The least and the greatest size to draw, in order, for a text (`of="Length"`) or a list (`of="Items"`)."""
    low = schema.get(f"min{of}", least)
    return low, max(low, schema.get(f"max{of}", max(low, least + span)))


def _inline(node: Any, definitions: dict[str, Any], depth: dict[str, int]) -> Any:
    if isinstance(node, list):
        return [_inline(item, definitions, depth) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        name = node["$ref"].rsplit("/", 1)[-1]
        seen = depth.get(name, 0)
        if seen >= MAX_UNROLL:
            return {"type": "object", "description": f"A nested {name}."}
        beside = {key: value for key, value in node.items() if key != "$ref"}
        return _inline({**definitions[name], **beside}, definitions, {**depth, name: seen + 1})
    if "allOf" in node and len(node["allOf"]) == 1:
        node = {**node["allOf"][0], **{key: value for key, value in node.items() if key != "allOf"}}
        return _inline(node, definitions, depth)
    out: dict[str, Any] = {}
    for key, value in node.items():
        if key in _DROPPED:
            continue
        if key == "properties":
            out[key] = {name: _inline(child, definitions, depth) for name, child in value.items()}
        elif key in ("enum", "const", "default", "examples", "required"):
            out[key] = value
        else:
            out[key] = _inline(value, definitions, depth)
    return _tidy(out)


def _tidy(node: dict[str, Any]) -> dict[str, Any]:
    kinds = node.get("type")
    if isinstance(kinds, list):
        rest = {key: value for key, value in node.items() if key not in ("type", "description", "default")}
        outer: dict[str, Any] = {key: node[key] for key in ("description", "default") if key in node}
        return {"anyOf": [_tidy({"type": kind, **(rest if kind != "null" else {})}) for kind in kinds], **outer}
    if "const" in node and "enum" not in node:
        node["enum"] = [node.pop("const")]
    if kinds == "object" and "properties" in node:
        node.setdefault("additionalProperties", False)
    if node.get("required") in (None, []):
        node.pop("required", None)
    return node
