"""What all tools are built from: arguments with their types and descriptions."""

from __future__ import annotations

from collections.abc import Callable

from ..model import Field, Model, Resource, ToolPlan
from ..naming import words
from .types import Types

Argument = tuple[str, str, str]
"""Name, type with default, and what it is, as the docstring says it."""

Built = tuple[list[Argument], str, str, list[str]]
"""Arguments, summary, type of the result, statements of the body."""

Build = Callable[[Model, Types, Resource, ToolPlan], Built]
"""Makes the parts of one kind of tool."""


def about(one: Field, resource: Resource) -> str:
    """What an argument that writes a field is, in one sentence."""
    return one.description or f"{words(one.name).capitalize()} of the {words(resource.one)}."


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
