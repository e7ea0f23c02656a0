"""What all tools are built from: arguments with their types and descriptions."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..model import Field, Model, Resource, ToolPlan
from ..naming import a, singular, words
from .types import Types

Argument = tuple[str, str, str]
"""Name, type with default, and what it is, as the docstring says it."""

Built = tuple[list[Argument], str, str, list[str]]
"""Arguments, summary, type of the result, statements of the body."""

Build = Callable[[Model, Types, Resource, ToolPlan], Built]
"""Makes the parts of one kind of tool."""


_STATE = re.compile(r"(?:ed|able|ible|active|open|public|private|hidden|primary|default|final|new|online|empty|read)$")
"""Ends of flags that say what a row is: `voided`, `editable`."""


def about(one: Field, resource: Resource) -> str:
    """What an argument that writes a field is, in one sentence."""
    thing = words(resource.one)
    if one.description:
        return one.description
    if one.references:
        role = one.name.removesuffix("_id") if one.name.endswith("_id") else singular(one.references)
        return f"Identifier of the {thing}'s {words(role)}."
    flag = one.name.removeprefix("is_")
    if one.kind == "boolean" and (_STATE.search(flag) or flag != one.name):
        return f"Whether the {thing} is {words(flag) if _STATE.search(flag) else a(words(flag))}."
    return f"{words(one.name).capitalize()} of the {thing}."


def item_arguments(model: Model, types: Types, resource: Resource) -> list[Argument]:
    """Arguments that name one row: its parent's key, if it has one, and its own."""
    found: list[Argument] = []
    if parent := resource.parent_field:
        above = model.resource(parent.references or "")
        found.append((parent.name, types.keys[above.table], f"The {words(above.one)} it belongs to."))
    key = resource.key_field
    found.append(
        (
            resource.key_argument,
            types.keys[resource.table],
            f"{words(key.name).capitalize()} of the {words(resource.one)}.".replace("Id of", "Identifier of"),
        )
    )
    return found
