"""Cures: calls after which a refused call succeeds, found by making them.

A refusal such as "verify the customer first" is cured by other tools: send a code, have the user
read it out, check it. Which tools those are is not declared anywhere; it is found by trying, in a
trial world, short sequences of tools whose arguments are all at hand: arguments of the refused call, and parts of
what the sequence itself has returned. The shortest sequence that helps is remembered by tool and reason.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...environment import EnvironmentFault, Tool, ToolError
from ...environment.task import Result, Source
from ...world import LiveWorld

if TYPE_CHECKING:
    from .landscape import Landscape

MAX_LENGTH = 3
"""Longest cure."""


@dataclass(frozen=True)
class Step:
    """One call of a cure.

    Attributes:
        tool: The tool, which may be one of the user's.
        arguments: Argument → an argument of the refused call, or (step, path) of an earlier result of the cure.
    """

    tool: str
    arguments: Mapping[str, str | tuple[int, str]]


Cure = tuple[Step, ...]


class Cures:
    """Finds and remembers cures in one environment."""

    def __init__(self, landscape: Landscape) -> None:
        self._landscape = landscape
        self._known: dict[tuple[str, str], Cure | None] = {}

    def of(self, world: LiveWorld, tool: Tool, arguments: Mapping[str, Any], reason: str) -> Cure | None:
        """The cure of a refusal; None where no short sequence helps.

        Args:
            world: A world in which the call is refused; it is left as it was.
            tool: The refused tool.
            arguments: The refused call's arguments.
            reason: Why it was refused.
        """
        known = (tool.name, reason)
        if known not in self._known:
            self._known[known] = self._search(world, tool, arguments)
        return self._known[known]

    def _search(self, world: LiveWorld, tool: Tool, arguments: Mapping[str, Any]) -> Cure | None:
        for length in range(1, MAX_LENGTH + 1):
            for cure in self._tried(world, tool, arguments, length, (), []):
                return cure
        return None

    def _tried(
        self, world: LiveWorld, tool: Tool, arguments: Mapping[str, Any], left: int, so_far: Cure, results: list[Any]
    ) -> Iterator[Cure]:
        for other in self._landscape.package.tools.values():
            if other.name == tool.name or other.actor == "episode" or any(step.tool == other.name for step in so_far):
                continue
            if other.read_only and other.actor == "agent":
                continue
            step = fill(other, tool, arguments, results)
            if step is None:
                continue
            with world.trial():
                made = call(world, other, values_of(step, arguments, results))
                if made is None:
                    continue
                cure = (*so_far, step)
                if left == 1:
                    if call(world, tool, arguments) is not None:
                        yield cure
                else:
                    yield from self._tried(world, tool, arguments, left - 1, cure, [*results, made])


def fill(other: Tool, tool: Tool, arguments: Mapping[str, Any], results: list[Any]) -> Step | None:
    """A step of a cure whose required arguments are all at hand; None where one is not."""
    refs = {parameter.ref: parameter.name for parameter in tool.parameters if parameter.ref}
    found: dict[str, str | tuple[int, str]] = {}
    for parameter in other.parameters:
        if not parameter.required:
            continue
        same = refs.get(parameter.ref) if parameter.ref else None
        name = same or parameter.name
        if name in arguments and (same or not parameter.ref):
            found[parameter.name] = name
            continue
        for number in range(len(results) - 1, -1, -1):
            if isinstance(results[number], dict) and parameter.name in results[number]:
                found[parameter.name] = (number, parameter.name)
                break
        else:
            return None
    return Step(other.name, found)


def values_of(step: Step, arguments: Mapping[str, Any], results: list[Any]) -> dict[str, Any]:
    """The literal arguments of a step."""
    return {
        name: arguments[source] if isinstance(source, str) else results[source[0]][source[1]]
        for name, source in step.arguments.items()
    }


def sources_of(step: Step, arguments: Mapping[str, Source], calls: list[str]) -> dict[str, Source]:
    """The sources of a step's arguments, where the refused call's are known and the steps before have ids."""
    return {
        name: arguments[source] if isinstance(source, str) else Result(call=calls[source[0]], path=source[1])
        for name, source in step.arguments.items()
    }


def perform(world: LiveWorld, tools: Mapping[str, Tool], tool: Tool, arguments: Mapping[str, Any], cure: Cure) -> bool:
    """Make a cure's calls and then the cured one; whether all of them succeeded."""
    return prepare(world, tools, arguments, cure) and call(world, tool, arguments) is not None


def prepare(world: LiveWorld, tools: Mapping[str, Tool], arguments: Mapping[str, Any], cure: Cure) -> bool:
    """Make a cure's calls for a call with some arguments; whether all of them succeeded."""
    results: list[Any] = []
    for step in cure:
        made = call(world, tools[step.tool], values_of(step, arguments, results))
        if made is None:
            return False
        results.append(made)
    return True


def call(world: LiveWorld, tool: Tool, arguments: Mapping[str, Any]) -> Any:
    """What a call returns; None where it is refused."""
    try:
        return json.loads(world.call(tool.name, arguments, actor=tool.actor))
    except (ToolError, EnvironmentFault):
        return None
