"""Optional arguments that a wish may have too: values that are at hand in the world and that the user can say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from random import Random
from typing import Any

from ...environment import Parameter, Tool
from .draft import Draft
from .landscape import Landscape, enum_of

MOST = 2
"""Arguments added at most."""

_NAMED = re.compile(r"(^|_)(name|title|subject|label|city|country|department|job_title)$")
_DAY_PATTERNS = (r"^\d{4}-\d{2}-\d{2}$", r"^\d{4}-\d\d-\d\d$")


def enriched(
    landscape: Landscape, draft: Draft, tool: Tool, arguments: Mapping[str, Any], random: Random, rows_first: bool
) -> Iterator[dict[str, Any]]:
    """The arguments with one or two more, richer ones first; whether a tool takes them is not known yet.

    Args:
        landscape: The environment.
        draft: The task so far.
        tool: The tool.
        arguments: What it has already.
        random: Draws.
        rows_first: Whether arguments that name rows, which can be described, come before those that are stated.
    """
    absent = [one for one in tool.parameters if not one.required and one.name not in arguments]
    absent.sort(key=lambda one: (rows_first and not one.ref, random.random()))
    more: dict[str, Any] = {}
    for parameter in absent:
        value = _value(landscape, draft, tool, parameter, random)
        if value is not None:
            more[parameter.name] = value
        if len(more) == MOST:
            break
    names = list(more)
    for count in range(len(names), 0, -1):
        yield {**arguments, **{name: more[name] for name in names[:count]}}


def _value(landscape: Landscape, draft: Draft, tool: Tool, parameter: Parameter, random: Random) -> Any:
    """A value for an argument; None where none comes to mind."""
    if parameter.ref:
        table, _, column = parameter.ref.partition(".")
        if table not in landscape.package.schema.tables or parameter.ref == landscape.principal:
            return None
        known = [
            value
            for value in landscape.relations.sample(table, column)
            if landscape.owner(parameter.ref, value) in (None, draft.owner) and draft.may(parameter.ref, value)
        ]
        return known[int(random.random() * len(known))] if known else None
    choices = enum_of(parameter.schema)
    if set(choices) & {one.name for one in tool.parameters}:
        return None  # names of the tool's own arguments, such as a field to empty: nobody says those
    admitted = [value for value in choices if landscape.phrase_table(tool, parameter.name, value)]
    if admitted:
        return admitted[int(random.random() * len(admitted))]
    if isinstance(text := _text(landscape, tool, parameter), tuple):
        return text[int(random.random() * len(text))] if text else None
    if is_day(parameter.schema):
        today = date.fromisoformat(draft.world.now[:10])
        return (today + timedelta(days=3 + int(random.random() * 60))).isoformat()
    return None


def _text(landscape: Landscape, tool: Tool, parameter: Parameter) -> tuple[str, ...] | None:
    """Short names that rows of the written table have in a column of the argument's name; None for another kind."""
    table = landscape.package.schema.tables.get(next(iter(tool.writes), ""))
    if table is None or parameter.name not in table.names or not _NAMED.search(parameter.name):
        return None
    found = landscape.relations.sample(table.name, parameter.name)
    return tuple(one for one in found if isinstance(one, str) and 2 < len(one) <= 40 and one.isprintable())


def is_day(schema: Mapping[str, Any]) -> bool:
    """Whether a schema takes days such as `2026-05-21`."""
    plain = _plain(schema)
    return plain.get("format") == "date" or plain.get("pattern") in _DAY_PATTERNS


def _plain(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema of the value itself, where it may be null too."""
    for option in schema.get("anyOf", ()):
        if option.get("type") != "null":
            found: Mapping[str, Any] = option
            return found
    return schema
