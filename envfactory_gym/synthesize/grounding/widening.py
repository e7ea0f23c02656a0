"""Candidates that name more rows: a hint may list one flight for everybody, though any would do.

Where all that a hint gives names a row or two of a long table, other rows of it take their place, as long as the
call works.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from ...environment import EnvironmentFault, Tool, ToolError
from ...world import LiveWorld

MANY = 20
"""How many times as many rows as are named a table must have to offer others."""

TRIES = 400
"""Calls that are made for one tool."""

Drawn = tuple[dict[str, Any], Any]
"""Arguments, and the owner of the rows they name."""


def widened(
    world: LiveWorld,
    tool: Tool,
    drawn: Sequence[Drawn],
    keys: Callable[[str], Sequence[Any]],
    owner: Callable[[str, Any], Any],
) -> list[Drawn]:
    """The same candidates, with other rows in the place of the few that all of them name.

    Args:
        world: A world in its base state; unchanged afterwards.
        tool: The tool.
        drawn: Its candidates.
        keys: All values of a column, in order.
        owner: Whose row a value of a column names; None where it is nobody's.
    """
    found, random = list(drawn), Random(f"widen {tool.name}")
    for parameter in tool.parameters:
        named = {arguments.get(parameter.name) for arguments, _ in drawn if parameter.ref} - {None}
        others = keys(parameter.ref) if parameter.ref and named else []
        if len(others) < MANY * len(named) or not named:
            continue
        for number in range(0, len(found), max(1, len(found) // TRIES)):
            arguments, whose = found[number]
            other = others[int(random.random() * len(others))]
            changed = {**arguments, parameter.name: other}
            theirs = parameter.ref is None or owner(parameter.ref, other) not in (None, whose)
            if parameter.name in arguments and not theirs and _works(world, tool, changed):
                found[number] = changed, whose
    return found


def _works(world: LiveWorld, tool: Tool, arguments: dict[str, Any]) -> bool:
    with world.trial():
        try:
            world.call(tool.name, arguments, actor=tool.actor)
        except (ToolError, EnvironmentFault):
            return False
    return True
