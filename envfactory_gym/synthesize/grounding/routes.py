"""Routes: how a solver gets from what a user knows to the key of a row, found by calling tools.

To reach a key, some reading tool must list it; what that tool needs is reached in the same way, until
only values are left that a user says or is asked for. Arguments of such a tool are tried from what
is known already, from the row itself, and from the rows it points to; a route counts when the
call's real result holds the key.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from random import Random
from types import MappingProxyType
from typing import Any

from ...environment import Language, Parameter, Tool
from ...environment.task import Answered, Derived, Referent, Result, Source
from ...episode.sources import Knowledge, SourceError, evaluate, walk
from ..reference import Reference
from ..referring.said import sayable
from .draft import Draft, Reached
from .landscape import Landscape, Producer
from .relations import Fit
from .spoken import Spoken, spoken

MAX_DEPTH = 4
"""Longest way of look-ups behind one another."""

BOUND_BY = 6
"""Rows for which a look-up is tried to find out what to call it with."""

MAX_TRIES = 16
"""Combinations of arguments that are tried for one look-up."""

Describe = Callable[[Sequence[Mapping[str, Any]], int, Fit | None, str, Draft, Mapping[str, str]], Reference | None]
"""Choose a referring expression: items, which of them, the relation behind them, key, draft, details said anyway."""


@dataclass(frozen=True)
class Option:
    """A value that may do for an argument of a look-up.

    Attributes:
        value: The value.
        target: Column it is a key of, and so has to be reached; None where a user says it.
        column: Column it stands in, for the words.
    """

    value: Any
    target: str | None
    column: str


class Router:
    """Finds routes in one environment.

    Args:
        landscape: The environment.
        describe: Chooses referring expressions.
        random: Draws among what works equally.
    """

    def __init__(self, landscape: Landscape, describe: Describe, random: Random) -> None:
        self._landscape, self._describe, self._random = landscape, describe, random

    def reach(self, draft: Draft, target: str, value: Any, depth: int = 0) -> Reached | None:
        """A route to a value of a column; its look-ups are made and added to the draft.

        Args:
            draft: The task so far.
            target: The column, `table.column`.
            value: The value.
            depth: How many look-ups lie behind.

        Returns:
            Where the value comes from; None (and the draft as it was) where no route is found.
        """
        if (target, value) in draft.reached:
            known = draft.reached[target, value]
            return Reached(known.source, known.reference, known.details, again=True)
        landscape = self._landscape
        if target == landscape.principal:
            return self._identify(draft, value)
        if depth >= MAX_DEPTH or not draft.may(target, value):
            return None
        for producer in self._by_effort(target, draft):
            mark = draft.mark()
            reached = self._through(draft, producer, target, value, depth)
            if reached is not None:
                draft.reached[target, value] = reached
                return reached
            draft.back(mark)
        return None

    def _identify(self, draft: Draft, value: Any) -> Reached | None:
        """The asker by one of its identities, which it tells; by another than asked for where it can be looked up."""
        person = self._landscape.person(draft.owner)
        if draft.identity is not None and value == draft.owner:
            found = self._look_up_asker(draft, draft.identity, person)
            if found is not None:
                return found
        for slot in self._landscape.identities:
            if person.get(slot) == value:
                draft.slots[slot] = value
                return Reached(Answered(slot=slot))
        return None

    def _look_up_asker(self, draft: Draft, slot: str, person: Mapping[str, Any]) -> Reached | None:
        """The asker's key, looked up by another of its identities."""
        target = self._landscape.principal or ""
        known = person.get(slot)
        for producer in self._landscape.producers.get(target, ()):
            if producer.items is not None or len(producer.needs) != 1 or known is None:
                continue
            arguments = {producer.needs[0]: known}
            result = draft.look(producer.tool, arguments)
            if result is not None and _find(result, producer, draft.owner) is not None:
                made = draft.read(producer.tool, {producer.needs[0]: Answered(slot=slot)}, arguments, result)
                draft.slots[slot] = known
                return Reached(Result(call=made, path=producer.field))
        return None

    def member(self, draft: Draft, tool: Tool, name: str, value: Any) -> Reached | None:
        """A route to a value that numbers the parts of a row, such as the position of a passenger.

        Some reading tool whose needs are known lists such parts under the argument's plural; the part is told
        from the others like any row.
        """
        if isinstance(value, (bool, float, list, dict)):
            return None
        for other in self._landscape.package.tools.values():
            if not other.read_only or other.actor != "agent" or other is tool:
                continue
            for path, first in _numbered(other.output_schema, name):
                mark = draft.mark()
                reached = self._member_of(draft, Producer(other, path, first), value)
                if reached is not None:
                    return reached
                draft.back(mark)
        return None

    def _member_of(self, draft: Draft, producer: Producer, value: Any) -> Reached | None:
        parameters = {one.name: one for one in producer.tool.parameters}
        known: dict[str, tuple[Any, Reached]] = {}
        for name in producer.needs:
            last = [(key, found) for key, found in draft.reached.items() if key[0] == parameters[name].ref]
            if not last:
                return None
            known[name] = last[-1][0][1], last[-1][1]
        arguments = {name: one for name, (one, _) in known.items()}
        result = draft.look(producer.tool, arguments)
        place = None if result is None else _find(result, producer, value)
        table = self._landscape.table_of_parts(producer)
        if place is None or place == DIRECT or table is None:
            return None
        items = walk(result, producer.items or "")
        target = f"{table}.{producer.field}"
        fit = self._landscape.fit(producer.tool, producer.items or "", producer.field, target, arguments)
        reference = self.describe(items, place, fit, target, draft) if fit is not None else None
        if reference is None and len(items) > 1:
            return None
        sources = {name: found.source for name, (_, found) in known.items()}
        listed: Source = Result(call=draft.read(producer.tool, sources, arguments, result), path=producer.items or "")
        item: Source = Derived(op="first", sources=(listed,))
        if reference is not None:
            item = picked(listed, reference, draft.turn)
            draft.referents.append(Referent(phrase=reference.words, sql=reference.sql, column=reference.column))
        return Reached(Derived(op="field", sources=(item,), options={"path": producer.field}), reference)

    def _by_effort(self, target: str, draft: Draft) -> list[Producer]:
        """Producers of a column: those whose needs are known already first, then those that need least."""
        known = {column for column, _ in draft.reached} | {self._landscape.principal}

        def effort(producer: Producer) -> tuple[int, int, str]:
            parameters = {one.name: one for one in producer.tool.parameters}
            unknown = sum(parameters[name].ref not in known for name in producer.needs)
            return unknown, len(producer.needs), producer.tool.name

        return sorted(self._landscape.producers.get(target, ()), key=effort)

    # ------------------------------------------------------------ one look-up

    def _through(self, draft: Draft, producer: Producer, target: str, value: Any, depth: int) -> Reached | None:
        for options in self._arguments(draft, producer, target, value):
            arguments = {name: option.value for name, option in options.items()}
            result = draft.look(producer.tool, arguments)
            if result is None:
                continue
            place = _find(result, producer, value)
            if place is None:
                continue
            mark = draft.mark()
            sources: dict[str, Source] = {}
            details: dict[str, str] = {}
            for name, option in options.items():
                source = self._argument(draft, producer.tool, name, option, details, depth)
                if source is None:
                    break
                sources[name] = source
            else:
                reached = self._chosen(
                    draft, producer, target, value, result, place, sources, arguments, options, details
                )
                if reached is not None:
                    return reached
            draft.back(mark)
        return None

    def _argument(
        self, draft: Draft, tool: Tool, name: str, option: Option, details: dict[str, str], depth: int
    ) -> Source | None:
        if option.target is not None:
            reached = self.reach(draft, option.target, option.value, depth + 1)
            if reached is None:
                return None
            if not reached.again and reached.reference is not None:
                details[option.column] = reached.reference.words
            return reached.source
        way = self.say(draft, tool, name, option.value)
        if way is None:
            return None
        details[option.column] = way.words
        return way.source(draft.turn)

    def _chosen(
        self,
        draft: Draft,
        producer: Producer,
        target: str,
        value: Any,
        result: Any,
        place: int,
        sources: Mapping[str, Source],
        arguments: Mapping[str, Any],
        options: Mapping[str, Option],
        details: Mapping[str, str],
    ) -> Reached | None:
        """The key out of a result: directly, or by a referring expression where several rows are listed."""
        tool = producer.tool
        if place == DIRECT:
            made = draft.read(tool, sources, arguments, result)
            return Reached(Result(call=made, path=producer.field), None, details)
        items = walk(result, producer.items or "")
        given = {name: arguments[name] for name in arguments}
        given |= {option.column: option.value for option in options.values()}
        fit = self._landscape.fit(tool, producer.items or "", producer.field, target, given)
        earlier = draft.spoken_of.get((target, value))
        reference: Reference | None
        again = False
        if earlier is not None and self._still_means(items, place, earlier[0]):
            (reference, turn), again = earlier, True
        else:
            reference, turn = self.describe(items, place, fit, target, draft, details), draft.turn
            if reference is None and (len(items) > 1 or details):
                return None
        made = draft.read(tool, sources, arguments, result)
        listed: Source = Result(call=made, path=producer.items or "")
        if reference is None:
            item: Source = Derived(op="first", sources=(listed,))
        else:
            item = picked(listed, reference, turn)
            if not again:
                draft.referents.append(Referent(phrase=reference.words, sql=reference.sql, column=reference.column))
                draft.spoken_of[target, value] = reference, turn
        source = Derived(op="field", sources=(item,), options={"path": producer.field})
        return Reached(source, reference, {} if again else details, again)

    @staticmethod
    def _still_means(items: Sequence[Mapping[str, Any]], place: int, reference: Reference) -> bool:
        """Whether what was said of a row earlier still denotes it in a list."""
        conditions = tuple(replace(condition, implied=True) for condition in reference.conditions)
        source = picked(Result(call="listed"), replace(reference, conditions=conditions), 0)
        known = Knowledge((), {}, {}, Language(), "", {"listed": list(items)})
        try:
            return bool(evaluate(source, known) == items[place]) and not _several(items, reference)
        except SourceError:
            return False

    def describe(
        self,
        items: Sequence[Mapping[str, Any]],
        place: int,
        fit: Fit | None,
        target: str,
        draft: Draft,
        details: Mapping[str, str] = MappingProxyType({}),
    ) -> Reference | None:
        """A referring expression for one of some items; None where none is good enough."""
        return self._describe(items, place, fit, target, draft, details)

    # ------------------------------------------------------------ what a look-up may be called with

    def _arguments(self, draft: Draft, producer: Producer, target: str, value: Any) -> Iterator[dict[str, Option]]:
        tool = producer.tool
        parameters = {one.name: one for one in tool.parameters}
        rows = _Rows(self._landscape, target, value)
        needed = {name: self._options(draft, parameters[name], target, rows) for name in producer.needs}
        if not all(needed.values()):
            return
        bound = self._bound(producer, target)
        combinations = [
            dict(zip(needed, chosen, strict=True)) for chosen in islice(product(*needed.values()), MAX_TRIES)
        ]
        if bound is not None:
            known = {value for _, value in draft.reached}
            combinations = [
                chosen
                for chosen in combinations
                if all(option.column == bound[name] or option.value in known for name, option in chosen.items())
            ]
        yield from combinations
        # Where the list is long, the row may stand on a later page: narrow it by what the row says of itself.
        first = {name: options[0] for name, options in needed.items()}
        for parameter in tool.parameters:
            if not parameter.required and parameter.name not in _PAGING:
                for option in self._options(draft, parameter, target, rows, named=True)[:1]:
                    yield {**first, parameter.name: option}

    def _bound(self, producer: Producer, target: str) -> dict[str, str] | None:
        """From which columns the arguments of a look-up are best taken; None where nothing works alone.

        Found once, by calling the tool for a few rows of the base world.
        """
        landscape = self._landscape
        known = (producer.tool.name, producer.items or "", target)
        if known not in landscape.bindings:
            landscape.bindings[known] = None  # while it is being found, everything is tried
            landscape.bindings[known] = self._bind(producer, target)
        return landscape.bindings[known]

    def _bind(self, producer: Producer, target: str) -> dict[str, str] | None:
        landscape = self._landscape
        table, _, column = target.partition(".")
        if table not in landscape.package.schema.tables or not producer.needs:
            return None
        found: Counter[tuple[tuple[str, str], ...]] = Counter()
        keys = landscape.relations.sample(table, column)
        for value in keys[:: max(1, len(keys) // BOUND_BY)][:BOUND_BY]:
            draft = Draft(landscape.package, landscape.world, owner=landscape.owner(target, value))
            for options in self._arguments(draft, producer, target, value):
                result = draft.look(producer.tool, {name: option.value for name, option in options.items()})
                if result is not None and _find(result, producer, value) is not None:
                    found[
                        tuple((name, option.column) for name, option in options.items() if name in producer.needs)
                    ] += 1
        best = max(found.items(), key=lambda pair: (pair[1], pair[0]), default=None)
        return dict(best[0]) if best is not None and best[1] >= 2 else None

    def _options(
        self, draft: Draft, parameter: Parameter, target: str, rows: _Rows, *, named: bool = False
    ) -> list[Option]:
        """Values for an argument, likely ones first. `named`: only from a column of the argument's name."""
        landscape = self._landscape
        found: list[Option] = []
        if parameter.ref:
            hidden = self.is_code(parameter.ref)
            if not named:
                found += [
                    Option(value, column, parameter.name)
                    for column, value in draft.reached
                    if column == parameter.ref and hidden
                ]
                if parameter.ref == landscape.principal and draft.owner is not None:
                    found.append(Option(draft.owner, parameter.ref, parameter.name))
            found += [
                Option(value, parameter.ref if hidden else None, column)
                for column, value in rows.pointing(parameter.ref, parameter.name)
                if parameter.ref != target or not hidden
            ]
        else:
            found += [Option(value, None, column) for column, value in rows.named(parameter, strictly=named)]
        seen: list[Option] = []
        # What has to be said is said in words where there are any: a city rather than its code.
        for option in sorted(found, key=lambda one: one.target is None and not _natural(one.value)):
            if all(option.value != other.value for other in seen):
                seen.append(option)
        return seen[:4]

    def is_code(self, target: str) -> bool:
        """Whether a column holds codes that nobody says, and not words such as a city or a tier."""
        table, _, column = target.partition(".")
        if table not in self._landscape.package.schema.tables:
            return False
        sample = self._landscape.relations.sample(table, column)
        return not sample or not all(isinstance(value, str) and _WORDS.fullmatch(value) for value in sample)

    def say(self, draft: Draft, tool: Tool, name: str, value: Any) -> Spoken | None:
        """Words for a value of an argument: of a phrase table where there is one, else as the value is written."""
        known = self.knowledge(draft)
        language = self._landscape.package.language
        table = self._landscape.phrase_table(tool, name, value)
        if table is not None:
            phrases = sayable(language.phrases[table][str(value)])
            start = int(self._random.random() * len(phrases))
            for phrase in (*phrases[start:], *phrases[:start]):
                if language.value_of(table, phrase) == value:
                    return Spoken(phrase, "phrase", table)
        schema = next((one.schema for one in tool.parameters if one.name == name), {})
        return spoken(name, schema, value, known, self._random.random())

    def value(self, draft: Draft, source: Source) -> Any:
        """What a source gives that rests on results alone; None where it needs words, or has no value."""
        known = self.knowledge(draft)
        known.results = draft.results
        known.requests = [_AnyWords()] * (draft.turn + 1)
        try:
            return evaluate(source, known)
        except SourceError:
            return None

    def knowledge(self, draft: Draft) -> Knowledge:
        """What words are read with."""
        package = self._landscape.package
        return Knowledge(
            requests=(), slots={}, rules=package.policy.rules, language=package.language, now=draft.world.now
        )


def _numbered(schema: Mapping[str, Any], name: str) -> Iterator[tuple[str, str]]:
    """Lists in a result that are called by the plural of an argument, with the first field of their items."""
    for path, child in schema.get("properties", {}).items():
        fields = list(child.get("items", {}).get("properties", {}))
        if path in (f"{name}s", f"{name}es") and fields:
            yield path, fields[0]


class _AnyWords(str):
    """A request that is not worded yet, so that whatever is to be said stands in it."""

    def __contains__(self, words: object) -> bool:
        return True


_PAGING = frozenset({"page", "limit", "cursor", "offset", "per_page", "page_size", "sort", "order", "order_by"})
_WORDS = re.compile(r"[^\W\d_]{2}[^\W\d]*(?:[ .'’&-][^\W\d]*)*")


def _natural(value: Any) -> bool:
    return not isinstance(value, str) or (bool(_WORDS.fullmatch(value)) and value != value.upper())


class _Rows:
    """The row that a key names, in every relation that shows it, and the rows it points to."""

    def __init__(self, landscape: Landscape, target: str, value: Any) -> None:
        self._landscape, self._target = landscape, target
        self._shown = landscape.shown(target, value)

    def pointing(self, target: str, prefer: str) -> list[tuple[str, Any]]:
        """Values of a column that the row points to, directly or over one row between: (column, value)."""
        landscape = self._landscape
        table, _, column = target.partition(".")
        found: list[tuple[str, Any]] = []
        for name, row in self._shown:
            for own, value in row.items():
                if value is None:
                    continue
                references = landscape.references.get(f"{name}.{own}")
                if references == target or (name == table and own == column):
                    found.append((own, value))
                elif references is not None:
                    above, _, key = references.partition(".")
                    for further in landscape.relations.rows(above, key, value)[:1]:
                        found += [
                            (own, further[other])
                            for other in further
                            if further[other] is not None
                            and (
                                (above == table and other == column)
                                or landscape.references.get(f"{above}.{other}") == target
                            )
                        ]
            # A view may show under the argument's own name what the table only points to.
            if name not in landscape.package.schema.tables:
                found += [(own, value) for own, value in row.items() if value is not None and own in (prefer, column)]
        return sorted(found, key=lambda pair: (pair[0] != prefer, not pair[0].startswith(prefer)))

    def named(self, parameter: Parameter, *, strictly: bool) -> list[tuple[str, Any]]:
        """Values of columns that are called like an argument, or (not `strictly`) are at least of its kind."""
        exact: list[tuple[str, Any]] = []
        alike: list[tuple[str, Any]] = []
        day = _is_day(parameter.schema)
        for _, row in self._shown:
            for own, value in row.items():
                if value is None or isinstance(value, bytes):
                    continue
                if own == parameter.name:
                    exact.append((own, value[:10] if day and isinstance(value, str) else value))
                elif day and isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d(T.*)?", value):
                    alike.append((own, value[:10]))
        return exact if strictly else exact + alike


def _is_day(schema: Mapping[str, Any]) -> bool:
    return schema.get("format") == "date" or schema.get("pattern") in (r"^\d{4}-\d{2}-\d{2}$", r"^\d{4}-\d\d-\d\d$")


DIRECT = -1
"""Stands for a position in a list where the result itself is the item."""


def _find(result: Any, producer: Producer, value: Any) -> int | None:
    """Where a value stands in a result: a position in its list, `DIRECT`, or None where it does not."""
    try:
        if producer.items is None:
            return DIRECT if walk(result, producer.field) == value else None
        items = walk(result, producer.items)
    except SourceError:
        return None
    for position, item in enumerate(items if isinstance(items, list) else ()):
        try:
            if walk(item, producer.field) == value:
                return position
        except SourceError:
            continue
    return None


def _several(items: Sequence[Mapping[str, Any]], reference: Reference) -> bool:
    """Whether a description by conditions alone is true of several items."""
    if reference.extreme is not None or reference.position is not None:
        return False
    conditions = tuple(replace(condition, implied=True) for condition in reference.conditions)
    source = picked(Result(call="listed"), replace(reference, conditions=conditions, position="last"), 0)
    first = picked(Result(call="listed"), replace(reference, conditions=conditions), 0)
    known = Knowledge((), {}, {}, Language(), "", {"listed": list(items)})
    return bool(evaluate(source, known) != evaluate(first, known))


def picked(listed: Source, reference: Reference, turn: int) -> Source:
    """The item that a reference means, out of a list, as a source expression."""
    sources: list[Source] = [listed]
    where: list[list[Any]] = []
    for condition in reference.conditions:
        if condition.implied:
            where.append([condition.path, condition.comparison, condition.value])
            continue
        sources.append(Spoken(condition.words, condition.read, condition.table).source(turn))
        where.append([condition.path, condition.comparison, {"source": len(sources) - 1}])
    left: Source = Derived(op="filter", sources=tuple(sources), options={"where": where}) if where else listed
    if reference.extreme is not None:
        op, path = reference.extreme
        return Derived(op=op, sources=(left,), options={"by": path})
    return Derived(op=reference.position or "first", sources=(left,))
