"""Tool calls as a person types them: `/search_flights origin=OSL seats=2`, read with the tool's schema."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import Any


class Unreadable(ValueError):
    """The line is not a call; the message says what to type instead."""


def read_call(line: str, tools: Mapping[str, Mapping[str, Any]]) -> tuple[str, dict[str, Any]]:
    """A typed line as tool name and arguments.

    Values are read by the argument's type, so `booking=123` stays text where text is wanted.
    Lists, objects and null are JSON. Arguments may also be one JSON object: `/cancel {"id": "K7"}`.

    Args:
        line: Without the leading slash.
        tools: Tool name → JSON schema of its arguments.

    Raises:
        Unreadable: Unknown tool, or a part that is not `name=value`.
    """
    name, _, rest = line.strip().partition(" ")
    if name not in tools:
        raise Unreadable(f"there is no tool {name!r}; /tools lists them")
    rest = rest.strip()
    if rest.startswith("{"):
        try:
            given = json.loads(rest)
        except json.JSONDecodeError as error:
            raise Unreadable(f"not valid JSON: {error}") from None
        return name, given
    properties = tools[name].get("properties", {})
    arguments: dict[str, Any] = {}
    try:
        parts = shlex.split(rest)
    except ValueError as error:
        raise Unreadable(f"{error}; put text with spaces in quotes") from None
    for part in parts:
        key, equals, value = part.partition("=")
        if not equals:
            raise Unreadable(f"{part!r} is not name=value; put text with spaces in quotes")
        arguments[key] = read_value(value, properties.get(key, {}))
    return name, arguments


def read_value(text: str, schema: Mapping[str, Any]) -> Any:
    """A typed value as the schema wants it; text that does not fit stays text, and the tool will say so."""
    options = schema.get("anyOf", [schema])
    kinds = {option.get("type") for option in options} - {None}
    if text == "null" and "null" in kinds:
        return None
    if "string" in kinds:
        return text
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text
