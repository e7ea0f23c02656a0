"""Grounding a wish: which arguments it has in this world, and where each of them comes from.

The arguments are drawn from those that are likely to work (`candidates`), of rows that the asker
owns; each is traced to its source; then the tool is called. A refusal means another draw.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from random import Random
from typing import Any

from ...environment import EnvironmentFault, Parameter, Tool, ToolError
from ...environment.task import Derived, Result, Source
from ...world import Changes, LiveWorld
from . import cures
from .draft import Draft, Lent, Reached
from .enriching import enriched, is_day
from .landscape import Landscape
from .routes import Router
from .spoken import Spoken, kind_of

MAX_DRAWS = 12
"""Argument tuples that are tried for one wish."""

SOME = 5
"""How many times as many are looked at, at most, to find those of rows that the task may speak of."""

LEAN_ON_EARLIER = 0.45
"""How often a wish is about a row that the task spoke of before, where it can be."""


CURED = 0.5
"""How often calls are drawn too that a rule refuses until something else has been done."""


USELESS = "useless"
"""Stands for a reason: the call changes nothing, or cannot be made at all."""


@dataclass(frozen=True)
class Wished:
    """A wish that was granted in the draft's world.

    Attributes:
        tool: The tool.
        call: Id of the call in the goal.
        arguments: Its literal arguments.
        reached: Arguments that name rows, with how the request refers to them.
        spoken: Arguments whose values the user says.
        alike: Arguments whose values the user says by a row that has them.
        borrowed: Arguments whose values another environment lends.
    """

    tool: Tool
    call: str
    arguments: Mapping[str, Any]
    reached: Mapping[str, Reached] = field(default_factory=dict)
    spoken: Mapping[str, Spoken] = field(default_factory=dict)
    alike: Mapping[str, Reached] = field(default_factory=dict)
    borrowed: Mapping[str, Lent] = field(default_factory=dict)


@dataclass(frozen=True)
class Traced:
    """Where the arguments of a call come from; the parts are those of `Wished`."""

    sources: dict[str, Source]
    reached: dict[str, Reached]
    spoken: dict[str, Spoken]
    alike: dict[str, Reached]
    borrowed: dict[str, Lent]


@dataclass(frozen=True)
class Planned:
    """A writing call that works, not made yet.

    Attributes:
        tool: The tool.
        arguments: Its literal arguments.
        traced: Where they come from.
        cure: What has to be done before.
    """

    tool: Tool
    arguments: Mapping[str, Any]
    traced: Traced
    cure: cures.Cure = ()


class Wishes:
    """Grounds wishes in one environment.

    Args:
        landscape: The environment.
        router: Finds routes.
        random: Draws.
        analogy: How often a value is said by a row that has it already.
        enrich: How often optional arguments are added.
        members: How often a part of a row is described rather than numbered.
    """

    def __init__(
        self,
        landscape: Landscape,
        router: Router,
        random: Random,
        *,
        analogy: float = 0.0,
        enrich: float = 0.0,
        members: float = 0.0,
    ) -> None:
        self._landscape, self._router, self._random = landscape, router, random
        self._analogy, self._enrich, self._members = analogy, enrich, members
        self._cures = landscape.cures

    def look(self, draft: Draft, tool: Tool) -> Wished | None:
        """Find arguments for a reading tool, trace them, and call it; None, and nothing added, where no draw works."""
        for arguments in self._offered(draft, tool):
            mark = draft.mark()
            traced = self.trace(draft, tool, arguments)
            if traced is not None and draft.look(tool, arguments) is not None:
                return _granted(tool, draft.wish(tool, traced.sources, arguments), arguments, traced)
            draft.back(mark)
        return None

    def plan(self, draft: Draft, tool: Tool, before: Sequence[Planned]) -> Planned | None:
        """Find and trace arguments with which a writing tool works; nothing is written yet.

        All look-ups of a turn are made before its first write, so what the request says of a row is true when it is
        said.

        Args:
            draft: The task so far; unchanged where no draw works.
            tool: The tool.
            before: What is planned before it in the same turn.
        """
        for arguments in self._offered(draft, tool):
            if repeats(draft.world, tool, arguments) or _refusal(draft, tool, arguments) == USELESS:
                arguments = self._otherwise_valued(tool, arguments)
                if repeats(draft.world, tool, arguments):
                    continue
            mark = draft.mark()
            traced = self.trace(draft, tool, arguments)
            if traced is not None:
                cure = self._cure(draft, tool, arguments, before)
                if cure is not None:
                    planned = Planned(tool, arguments, traced, cure)
                    if self._each_matters(draft.world, [*before, planned]):
                        return planned
            draft.back(mark)
        return None

    def _otherwise_valued(self, tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments with the values, other than those that name rows, of another call that works."""
        rows = {one.name for one in tool.parameters if one.ref}
        working = self._landscape.arguments(tool)
        other = working[int(self._random.random() * len(working))][0] if working else {}
        return {name: value if name in rows else other.get(name, value) for name, value in arguments.items()}

    def _each_matters(self, world: LiveWorld, planned: Sequence[Planned]) -> bool:
        """Whether the end would be another one without any single one of some calls."""
        if len(planned) < 2:
            return True
        end = self._end(world, planned)
        return end is not None and all(
            self._end(world, [one for one in planned if one is not left_out]) != end for left_out in planned
        )

    def _end(self, world: LiveWorld, planned: Sequence[Planned]) -> Changes | None:
        """What some calls change together; None where one of them is refused."""
        tools = self._landscape.package.tools
        with world.trial():
            mark = world.mark()
            for one in planned:
                if not cures.perform(world, tools, one.tool, one.arguments, one.cure):
                    return None
            return world.changes(mark)

    def make(self, draft: Draft, planned: Planned) -> Wished:
        """Make a planned call, after what makes it possible.

        Raises:
            ToolError: It is refused after all.
        """
        tools = self._landscape.package.tools
        calls: list[str] = []
        for step in planned.cure:
            results = [draft.results[call] for call in calls]
            own = cures.sources_of(step, planned.traced.sources, calls)
            values = cures.values_of(step, planned.arguments, results)
            calls.append(draft.wish(tools[step.tool], own, values, wished=False))
        call = draft.wish(planned.tool, planned.traced.sources, planned.arguments)
        return _granted(planned.tool, call, planned.arguments, planned.traced)

    def _cure(
        self, draft: Draft, tool: Tool, arguments: Mapping[str, Any], before: Sequence[Planned]
    ) -> cures.Cure | None:
        """What has to be done so that a call works and changes something; None where nothing helps."""
        world, tools = draft.world, self._landscape.package.tools
        with world.trial():
            for earlier in before:
                if not cures.perform(world, tools, earlier.tool, earlier.arguments, earlier.cure):
                    return None
            refusal = _refusal(draft, tool, arguments)
            if refusal is None:
                return ()
            cure = self._cures.of(world, tool, arguments, refusal) if refusal != USELESS else None
            if cure is None:
                return None
            cured = cures.prepare(world, tools, arguments, cure)
            return cure if cured and _refusal(draft, tool, arguments) is None else None

    def refuses(self, draft: Draft, tool: Tool, arguments: Mapping[str, Any]) -> str | None:
        """Why a call is refused in the draft's world; None where it works."""
        return _refusal(draft, tool, arguments)

    def trace(self, draft: Draft, tool: Tool, arguments: Mapping[str, Any]) -> Traced | None:
        """The source of every argument; None where one of them has none."""
        sources: dict[str, Source] = {}
        reached: dict[str, Reached] = {}
        said: dict[str, Spoken] = {}
        alike: dict[str, Reached] = {}
        borrowed: dict[str, Lent] = {}
        for parameter in _keys_first(tool):
            if parameter.name not in arguments:
                continue
            value = arguments[parameter.name]
            lent = next((one for one in draft.lent if fits(one, parameter, value)), None)
            if lent is not None:
                sources[parameter.name], borrowed[parameter.name] = lent.source, lent
                continue
            if isinstance(value, (list, dict)):
                part = self._part(draft, parameter.name, value)
                if part is None:
                    return None
                sources[parameter.name], alike[parameter.name] = part.source, part
                continue
            if parameter.ref and isinstance(value, (str, int)):
                mark = draft.mark()
                found = self._router.reach(draft, parameter.ref, value)
                if found is not None and self._understood(draft, found, arguments):
                    sources[parameter.name], reached[parameter.name] = found.source, found
                    continue
                draft.back(mark)
                if self._router.is_code(parameter.ref) and self._landscape.is_known(parameter.ref, value):
                    return None  # a code that is there already: nobody would say it
            if not parameter.ref and self._random.random() < self._members:
                part = self._router.member(draft, tool, parameter.name, value)
                if part is not None:
                    sources[parameter.name], reached[parameter.name] = part.source, part
                    continue
            if self._random.random() < self._analogy and self._shared(tool, parameter.name, parameter.schema, value):
                like = self._by_analogy(draft, tool, parameter.name, value, next(iter(arguments.values())))
                if like is not None:
                    sources[parameter.name], alike[parameter.name] = like.source, like
                    continue
            way = self._router.say(draft, tool, parameter.name, value)
            if way is None:
                return None
            sources[parameter.name], said[parameter.name] = way.source(draft.turn), way
        return Traced(sources, reached, said, alike, borrowed)

    def _understood(self, draft: Draft, found: Reached, arguments: Mapping[str, Any]) -> bool:
        """Whether a value that nobody says is understood: words point at it, or the call's other arguments imply it.

        What a look-up about some other row happens to hold is not: nobody could know that it is meant.
        """
        if found.reference is not None or not isinstance(found.source, Result | Derived):
            return True
        source: Source = found.source
        while isinstance(source, Derived) and source.sources:
            source = source.sources[0]
        told = draft.told.get(source.call) if isinstance(source, Result) else None
        known = [*arguments.values(), draft.owner, *self._landscape.person(draft.owner).values()]
        return told is not None and all(value in known for value in told.values())

    def _offered(self, draft: Draft, tool: Tool) -> Iterator[dict[str, Any]]:
        """Drawn arguments of rows that may be spoken of, now and then with optional ones added."""
        for drawn in self._draws(draft, tool):
            if pointed := self._pointing(draft, tool, drawn):
                yield pointed
                continue
            told = sayable(tool, drawn)
            if told != drawn:
                # Lists and flags are nobody's words; what else the call could have takes their place.
                yield from enriched(self._landscape, draft, tool, told, self._random, self._analogy > 0.5)
                if told:
                    yield told
                continue
            if draft.lent and not tool.read_only:
                yield from borrowing(draft, tool, drawn)
            if not tool.read_only and self._random.random() < self._enrich:
                yield from enriched(self._landscape, draft, tool, drawn, self._random, self._analogy > 0.5)
            yield drawn

    def _pointing(self, draft: Draft, tool: Tool, drawn: Mapping[str, Any]) -> dict[str, Any] | None:
        """The arguments with required lists and objects taken from rows that have such; None where none is required."""
        required = [
            one.name for one in tool.parameters if one.required and isinstance(drawn.get(one.name), (list, dict))
        ]
        found: dict[str, Any] = {}
        for name in required:
            parts = [part for target, key, part in self._landscape.parts_named(name) if draft.may(target, key)]
            if not parts:
                return None
            found[name] = parts[int(self._random.random() * len(parts))]
        return {**sayable(tool, drawn), **found} if found else None

    def _part(self, draft: Draft, name: str, value: Any) -> Reached | None:
        """A list or an object, as a part of a row that the request points at."""
        for target, key, part in self._landscape.parts_named(name):
            if part != value or not draft.may(target, key):
                continue
            mark = draft.mark()
            reached = self._router.reach(draft, target, key)
            if reached is not None and reached.reference is not None and isinstance(reached.source, Derived):
                source = reached.source.model_copy(update={"options": {"path": name}})
                if self._router.value(draft, source) == value:
                    return replace(reached, source=source)
            draft.back(mark)
        return None

    def _shared(self, tool: Tool, name: str, schema: Mapping[str, Any], value: Any) -> bool:
        """Whether rows have a value in common in a way worth pointing at: a choice, a day, a figure, not a text."""
        kind = kind_of(name, schema, value)
        return kind in ("date", "number", "money") or self._landscape.phrase_table(tool, name, value) is not None

    def _by_analogy(self, draft: Draft, tool: Tool, name: str, value: Any, target: Any) -> Reached | None:
        """A value said by another row of the written table that has it: its source, and that row's words."""
        for table in tool.writes[:1]:
            definition = self._landscape.package.schema.tables.get(table)
            if definition is None or name not in definition.names or len(definition.key) != 1:
                continue
            key = definition.key[0]
            alike = [row[key] for row in draft.world.rows(f'SELECT * FROM "{table}" WHERE "{name}" IS ?', (value,))]
            own = [
                one for one in alike if one != target and self._landscape.owner(f"{table}.{key}", one) == draft.owner
            ]
            for other in _shuffled(own, self._random)[:3]:
                mark = draft.mark()
                reached = self._router.reach(draft, f"{table}.{key}", other)
                if reached is not None and reached.reference is not None and isinstance(reached.source, Derived):
                    source = reached.source.model_copy(update={"options": {"path": name}})
                    if self._router.value(draft, source) == value:
                        return replace(reached, source=source)
                draft.back(mark)
        return None

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
            for arguments in islice(self._permitted(draft, tool, earlier), MAX_DRAWS // 2):
                drawn += 1
                yield arguments
        yield from islice(self._permitted(draft, tool, own), MAX_DRAWS - drawn)

    def _permitted(self, draft: Draft, tool: Tool, drawn: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Shuffled argument tuples, of those whose rows the task may speak of: other ones are no draws."""
        keys = [(one.name, one.ref) for one in tool.parameters if one.ref]
        for arguments in _shuffled(drawn, self._random):
            named = [(ref, arguments.get(name)) for name, ref in keys]
            if all(draft.may(ref, value) for ref, value in named if isinstance(value, (str, int))):
                yield arguments

    @staticmethod
    def _leans(draft: Draft, tool: Tool, arguments: Mapping[str, Any]) -> bool:
        return any(
            parameter.ref is not None and (parameter.ref, arguments.get(parameter.name)) in draft.spoken_of
            for parameter in tool.parameters
            if isinstance(arguments.get(parameter.name), (str, int))
        )


def _granted(tool: Tool, call: str, arguments: Mapping[str, Any], traced: Traced) -> Wished:
    return Wished(tool, call, arguments, traced.reached, traced.spoken, traced.alike, traced.borrowed)


def _refusal(draft: Draft, tool: Tool, arguments: Mapping[str, Any]) -> str | None:
    """Why a call is no good as a wish: the reason it is refused for, or that it changes nothing it may; else None."""
    world = draft.world
    with world.trial():
        mark = world.mark()
        try:
            world.call(tool.name, arguments, actor=tool.actor)
        except ToolError as error:
            return error.reason or error.code
        except EnvironmentFault:
            return USELESS
        changes = world.changes(mark)
        return None if changes and all(_may_change(draft, *change) for change in changes.items()) else USELESS


def _may_change(draft: Draft, row: tuple[str, tuple[Any, ...]], change: tuple[Any, Any]) -> bool:
    """Whether a task may change a row: one that it may speak of, or a new one."""
    table, key = row
    names = draft.world.schema.tables[table].key
    return change[0] is None or len(names) != 1 or draft.may(f"{table}.{names[0]}", key[0])


def repeats(world: LiveWorld, tool: Tool, arguments: Mapping[str, Any]) -> bool:
    """Whether a write would give a row a value that it has already: nobody asks for that.

    Rows that a call has to name besides (the ticket of a comment) say which row it is, and give it nothing.
    """
    places = {one.name for one in tool.parameters if one.ref and one.required}
    for parameter in tool.parameters:
        table, _, column = (parameter.ref or "").partition(".")
        definition = world.schema.tables.get(table)
        if definition is None or definition.key != (column,) or table not in tool.writes:
            continue
        rows = world.rows(f'SELECT * FROM "{table}" WHERE "{column}" IS ?', (arguments.get(parameter.name),))
        others = {name: value for name, value in arguments.items() if name not in {*places, parameter.name}}
        if len(rows) == 1 and any(name in rows[0] and rows[0][name] == value for name, value in others.items()):
            return True
    return False


def sayable(tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments without optional ones that nobody would dictate."""
    required = {one.name for one in tool.parameters if one.required}
    return {
        name: value
        for name, value in arguments.items()
        if name in required or not isinstance(value, (list, dict, bool))
    }


def borrowing(draft: Draft, tool: Tool, arguments: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The arguments with one value that another environment lends, in the place of one the user would say."""
    for parameter in tool.parameters:
        for lent in draft.lent:
            if not parameter.ref and fits(lent, parameter, lent.value):
                yield {**arguments, parameter.name: lent.value}
                break


def fits(lent: Lent, parameter: Parameter, value: Any) -> bool:
    """Whether a lent value is the value of an argument that takes such values: a day, an amount."""
    if lent.value != value or isinstance(value, bool) or parameter.ref:
        return False
    kind = kind_of(lent.field, {}, value)
    if kind == "date":
        return is_day(parameter.schema)
    return kind == "money" and parameter.name.endswith(("_cents", "_minor"))


def _keys_first(tool: Tool) -> list[Parameter]:
    """Parameters in an order in which earlier ones help to reach later ones: as declared, optional ones last."""
    return sorted(tool.parameters, key=lambda parameter: not parameter.required)


def _shuffled(items: list[Any], random: Random) -> list[Any]:
    """A shuffled copy; by `random()` alone, so that every Python draws alike."""
    order = sorted(range(len(items)), key=lambda _: random.random()) if len(items) <= 64 else _some(len(items), random)
    return [items[place] for place in order]


def _some(count: int, random: Random) -> list[int]:
    chosen: dict[int, None] = {}
    while len(chosen) < min(count, SOME * MAX_DRAWS):
        chosen[int(random.random() * count)] = None
    return list(chosen)
