"""Grounding a wish: which arguments it has in this world, and where each of them comes from.

The arguments are drawn from those that are likely to work (`candidates`), of rows that the asker
owns; each is traced to its source; then the tool is called. A refusal means another draw.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from ...environment import EnvironmentFault, Parameter, Tool, ToolError
from ...environment.task import Source
from . import cures
from .draft import Draft, Reached
from .landscape import Landscape
from .routes import Router
from .spoken import Spoken

MAX_DRAWS = 12
"""Argument tuples that are tried for one wish."""

LEAN_ON_EARLIER = 0.45
"""How often a wish is about a row that the task spoke of before, where it can be."""


CURED = 0.5
"""How often calls are drawn too that a rule refuses until something else has been done."""


@dataclass(frozen=True)
class Wished:
    """A wish that was granted in the draft's world.

    Attributes:
        tool: The tool.
        call: Id of the call in the goal.
        arguments: Its literal arguments.
        reached: Arguments that name rows, with how the request refers to them.
        spoken: Arguments whose values the user says.
    """

    tool: Tool
    call: str
    arguments: Mapping[str, Any]
    reached: Mapping[str, Reached] = field(default_factory=dict)
    spoken: Mapping[str, Spoken] = field(default_factory=dict)


class Wishes:
    """Grounds wishes in one environment."""

    def __init__(self, landscape: Landscape, router: Router, random: Random) -> None:
        self._landscape, self._router, self._random = landscape, router, random
        self._cures = landscape.cures

    def grant(self, draft: Draft, tool: Tool) -> Wished | None:
        """Find arguments for a tool, trace them, and call it; None (the draft as it was) where none of the draws works."""
        for arguments in self._draws(draft, tool):
            mark = draft.mark()
            wished = self.trace(draft, tool, arguments)
            if wished is not None:
                sources, reached, said = wished
                call = self._make(draft, tool, sources, arguments)
                if call is not None:
                    return Wished(tool, call, arguments, reached, said)
            draft.back(mark)
        return None

    def _make(self, draft: Draft, tool: Tool, sources: dict[str, Source], arguments: Mapping[str, Any]) -> str | None:
        """Make the wished call, after what cures its refusal where something does; None where it stays refused."""
        try:
            return draft.wish(tool, sources, arguments)
        except EnvironmentFault:
            return None
        except ToolError as error:
            cure = self._cures.of(draft.world, tool, arguments, error.reason or error.code)
        if cure is None:
            return None
        tools = self._landscape.package.tools
        with draft.world.trial():
            results: list[Any] = []
            for step in cure:
                made = cures.call(draft.world, tools[step.tool], cures.values_of(step, arguments, results))
                if made is None:
                    return None
                results.append(made)
            if cures.call(draft.world, tool, arguments) is None:
                return None
        calls: list[str] = []
        for number, step in enumerate(cure):
            own = cures.sources_of(step, sources, calls)
            calls.append(
                draft.wish(tools[step.tool], own, cures.values_of(step, arguments, results[:number]), wished=False)
            )
        return draft.wish(tool, sources, arguments)

    def trace(
        self, draft: Draft, tool: Tool, arguments: Mapping[str, Any]
    ) -> tuple[dict[str, Source], dict[str, Reached], dict[str, Spoken]] | None:
        """The source of every argument; None where one of them has none."""
        sources: dict[str, Source] = {}
        reached: dict[str, Reached] = {}
        said: dict[str, Spoken] = {}
        for parameter in _keys_first(tool):
            if parameter.name not in arguments:
                continue
            value = arguments[parameter.name]
            if parameter.ref and isinstance(value, (str, int)):
                found = self._router.reach(draft, parameter.ref, value)
                if found is not None:
                    sources[parameter.name], reached[parameter.name] = found.source, found
                    continue
                if self._router.is_code(parameter.ref) and self._landscape.is_known(parameter.ref, value):
                    return None  # a code that is there already: nobody would say it
            way = self._router.say(draft, tool, parameter.name, value)
            if way is None:
                return None
            sources[parameter.name], said[parameter.name] = way.source(draft.turn), way
        return sources, reached, said

    def _draws(self, draft: Draft, tool: Tool) -> Iterator[dict[str, Any]]:
        """Argument tuples of the asker's rows: now and then about rows spoken of before, else as they come."""
        own = self._landscape.owned(tool, draft.owner)
        if tool.refused and (not own or self._random.random() < CURED):
            own = [*own, *self._landscape.curable(tool, draft.owner)]
        if not own:
            return
        earlier = [arguments for arguments in own if self._leans(draft, tool, arguments)]
        drawn = 0
        if earlier and self._random.random() < LEAN_ON_EARLIER:
            for arguments in _shuffled(earlier, self._random)[: MAX_DRAWS // 2]:
                drawn += 1
                yield arguments
        for arguments in _shuffled(own, self._random)[: MAX_DRAWS - drawn]:
            yield arguments

    @staticmethod
    def _leans(draft: Draft, tool: Tool, arguments: Mapping[str, Any]) -> bool:
        return any(
            parameter.ref is not None and (parameter.ref, arguments.get(parameter.name)) in draft.spoken_of
            for parameter in tool.parameters
            if isinstance(arguments.get(parameter.name), (str, int))
        )


def _keys_first(tool: Tool) -> list[Parameter]:
    """Parameters in an order in which earlier ones help to reach later ones: as declared, optional ones last."""
    return sorted(tool.parameters, key=lambda parameter: not parameter.required)


def _shuffled(items: list[dict[str, Any]], random: Random) -> list[dict[str, Any]]:
    """A shuffled copy; by `random()` alone, so that every Python draws alike."""
    order = sorted(range(len(items)), key=lambda _: random.random()) if len(items) <= 64 else _some(len(items), random)
    return [items[place] for place in order]


def _some(count: int, random: Random) -> list[int]:
    chosen: dict[int, None] = {}
    while len(chosen) < 2 * MAX_DRAWS:
        chosen[int(random.random() * count)] = None
    return list(chosen)
