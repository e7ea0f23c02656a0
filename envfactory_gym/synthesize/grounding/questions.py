"""Questions: what may be asked about a result, so that the answer has to be looked up.

An answer is a part of what a tool returned: a value of one row, a number of rows, a sum. It is
asked for only if it is rare in its column (a guess should not pay) and was not said before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ...environment import Tool
from ...environment.task import Answer, AnswerKind, Derived, Result, Source
from ...episode.sources import SourceError, walk
from ...episode.wording import say
from ...verify.arguments import frequencies
from ..referring import noun_of
from .draft import Draft
from .landscape import Landscape, enum_of
from .relations import Fit
from .routes import Router, picked

MAX_SHARE = 0.05
"""Share of the most frequent value of a column above which its values are guessed too easily."""

_FLAGS = re.compile(r"^(is|has|can|page|pages|total|limit|offset|next|prev|cursor)(_|$)|_(page|cursor|offset)$")
_STAMPS = frozenset({"created_at", "updated_at", "created", "updated", "modified_at", "created_by", "updated_by"})
_NAME = re.compile(r"[^\n.!?:;<>{}\[\]\"]{2,48}")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d")


@dataclass(frozen=True)
class Asked:
    """Something to ask for.

    Attributes:
        answer: The graded answer.
        row: How the request refers to the row it is about; None for the wish's own row or for the whole list.
        table: Table whose row it is about, for the words.
        field: The field, or what is counted or added up.
        form: `value` of a row; `count`, `sum`, `min` or `max` over a list.
        narrowed: Words for the rows that are counted or added up.
    """

    answer: Answer
    field: str
    table: str | None = None
    form: str = "value"
    row: Any = None
    narrowed: Any = None


class Questions:
    """Finds questions in one environment."""

    def __init__(self, landscape: Landscape, router: Router, random: Random) -> None:
        self._landscape, self._router, self._random = landscape, router, random
        self._varieties = landscape.varieties
        self._alone = True

    def of(
        self,
        draft: Draft,
        tool: Tool,
        call: str,
        arguments: Mapping[str, Any],
        known: Sequence[Any],
        alone: bool = True,
    ) -> list[Asked]:
        """All good questions about what a call returned, in a drawn order.

        Args:
            draft: The task so far.
            tool: The tool that was called.
            call: Its id in the goal.
            arguments: What it was called with.
            known: Values that the request says anyway.
            alone: Whether nothing else is graded in the turn, so that a guess must not pay.
        """
        self._alone = alone
        result = draft.results[call]
        said = {*map(str, known), *(str(value) for value in arguments.values())}
        said |= {str(value) for value in self._landscape.person(draft.owner).values()}
        said |= {str(one.value) for reference, _ in draft.spoken_of.values() for one in reference.conditions}
        found = list(self._values(draft, tool, call, result, said))
        found += self._lists(draft, tool, call, result, arguments, said)
        return [asked for _, asked in sorted(((self._random.random(), n), asked) for n, asked in enumerate(found))]

    # ------------------------------------------------------------ a value of the result itself

    def _values(self, draft: Draft, tool: Tool, call: str, result: Any, said: set[str]) -> Iterator[Asked]:
        if not isinstance(result, dict):
            return
        table = self._table(tool, None, result)
        told = {_letters(one) for one in said}
        for name, value in result.items():
            if isinstance(value, str) and _letters(value) in told:
                continue  # it is what the request says, in another form: "+45 3200 0000" and +4532000000
            schema = _property(tool.output_schema, name)
            answer = self._answer(tool, table, name, value, schema, Result(call=call, path=name), said)
            if answer is not None:
                yield Asked(answer, name, table)

    # ------------------------------------------------------------ rows of a list

    def _lists(
        self, draft: Draft, tool: Tool, call: str, result: Any, arguments: Mapping[str, Any], said: set[str]
    ) -> Iterator[Asked]:
        for name, items in result.items() if isinstance(result, dict) else ():
            if not (isinstance(items, list) and len(items) > 1 and all(isinstance(item, dict) for item in items)):
                continue
            table = self._table(tool, name, items[0])
            if table is None:
                continue
            place = int(self._random.random() * len(items))
            schema = _property(tool.output_schema, name).get("items", {})
            yield from self._of_item(draft, tool, call, name, items, place, table, schema, arguments, said)
            yield from self._totals(draft, tool, call, name, items, table, schema, arguments)

    def _of_item(
        self, draft: Draft, tool: Tool, call: str, path: str, items: list[Any], place: int, table: str, schema: Any,
        arguments: Mapping[str, Any], said: set[str],
    ) -> Iterator[Asked]:  # fmt: skip
        producers = self._landscape.producers
        keys = [
            (target, producer.field)
            for target, places in sorted(producers.items())
            for producer in places
            if producer.tool.name == tool.name and producer.items == path and target.partition(".")[0] == table
        ]
        item = items[place]
        for target, field in keys[:1]:
            if field not in item or not draft.may(target, item[field]):
                continue
            fit = self._landscape.fit(tool, path, field, target, arguments)
            reference = self._router.describe(items, place, fit, target, draft)
            if reference is None:
                continue
            row = picked(Result(call=call, path=path), reference, draft.turn)
            told = {*said, *(str(condition.value) for condition in reference.conditions)}
            if reference.extreme is not None:
                told.add(str(walk(item, reference.extreme[1])))
            for name, value in item.items():
                source = Derived(op="field", sources=(row,), options={"path": name})
                answer = self._answer(tool, table, name, value, _property(schema, name), source, told)
                if answer is not None:
                    yield Asked(answer, name, table, row=reference)

    # ------------------------------------------------------------ several rows of a list

    def _totals(
        self, draft: Draft, tool: Tool, call: str, path: str, items: list[Any], table: str, schema: Any,
        arguments: Mapping[str, Any],
    ) -> Iterator[Asked]:  # fmt: skip
        """What the rows of a list come to that share a value which people say of them: "my trips to Oslo"."""
        figures = [
            name
            for name in items[0]
            if answer_kind(name, items[0][name], _property(schema, name)) == "money"
            and all(isinstance(item.get(name), int) for item in items)
        ]
        relation = self._relation(tool, path, table, arguments)
        noun = noun_of(table, relation, self._landscape.package.language, self._landscape.package.schema)
        for field, templates in sorted(noun.says.items()):
            plain = [way.removeprefix("~").strip() for way in templates if way.startswith("~ ") and "{value}" in way]
            values = sorted({item[field] for item in items if isinstance(item.get(field), str)})
            for value in values if plain else ():
                alike = [item for item in items if item.get(field) == value]
                way = self._router.say(draft, tool, field, value)
                if not 2 <= len(alike) < len(items) or way is None or way.words != value:
                    continue  # of one row its own value is asked, of all of them nothing narrows
                words = f"{'my' if noun.mine else 'the'} {noun.many[0]} {plain[0].replace('{value}', value)}"
                source = Derived(
                    op="filter", sources=(Result(call=call, path=path), way.source(draft.turn)),
                    options={"where": [[field, "==", {"source": 1}]]},
                )  # fmt: skip
                for figure in figures[:1]:
                    total = Derived(op="sum", sources=(source,), options={"path": figure})
                    answer = Answer(subject=f"{subject(figure)} in all", kind="money", source=total, currency="USD")
                    yield Asked(answer, figure, table, "sum", narrowed=words)

    def _relation(self, tool: Tool, path: str, table: str, arguments: Mapping[str, Any]) -> str:
        for target, places in sorted(self._landscape.producers.items()):
            for producer in places:
                if (producer.tool.name, producer.items) == (tool.name, path) and target.startswith(f"{table}."):
                    fit = self._landscape.fit(tool, path, producer.field, target, arguments)
                    return fit.relation if fit is not None else table
        return table

    # ------------------------------------------------------------ one answer

    def _answer(
        self, tool: Tool, table: str | None, name: str, value: Any, schema: Mapping[str, Any], source: Source,
        said: set[str],
    ) -> Answer | None:  # fmt: skip
        if (
            value is None
            or str(value) in said
            or _FLAGS.search(name)
            or name in _STAMPS
            or name == "id"
            or name.endswith("_id")
        ):
            return None
        kind = answer_kind(name, value, schema)
        if kind is None or value == 0 or self._given(kind, value):
            return None  # that nothing was paid is what everybody would guess
        column = self._column(table, name, value)
        if self._alone and not (self._rare(column, kind) if column else self._varied(tool, source, kind)):
            return None
        currency = "USD" if kind == "money" else None
        return Answer(subject=subject(name), kind=kind, source=source, column=column, currency=currency)

    def _column(self, table: str | None, name: str, value: Any) -> str | None:
        """The column of a table where such values stand, for base rates."""
        tables = self._landscape.package.schema.tables
        order = [table, *(other for other in tables if other != table)] if table else list(tables)
        for other in order:
            if (
                other in tables
                and name in tables[other].names
                and value in self._landscape.relations.values(other, name)
            ):
                return f"{other}.{name}"
        return None

    def _rare(self, column: str, kind: AnswerKind) -> bool:
        frequencies = self._landscape.candidates.frequencies(column, kind)
        total = sum(count for _, count in frequencies.values())
        most = max((count for _, count in frequencies.values()), default=0)
        return total >= 8 and (most < 3 or most / total <= MAX_SHARE)

    def _given(self, kind: AnswerKind, value: Any) -> bool:
        """Whether the prompt says it anyway: the policy names such a value, or it is the present time."""
        package = self._landscape.package
        words = say(kind, value, "USD" if kind == "money" else None)
        now = self._landscape.world.now
        return words in package.policy.text or (
            isinstance(value, str) and (value == now[:10] or value[11:16] == now[11:16] != "")
        )

    def _varied(self, tool: Tool, source: Source, kind: AnswerKind) -> bool:
        """Whether a computed part of a result is seldom the same: over what the tool returns for its candidates."""
        if not isinstance(source, Result):
            return False
        known = (tool.name, source.path)
        if known not in self._varieties:
            values = []
            for result in self._landscape.candidates.results(tool):
                try:
                    values.append((walk(result, source.path), 1))
                except SourceError:
                    continue
            found = frequencies(kind, [(value, one) for value, one in values if value is not None])
            most = max((count for _, count in found.values()), default=0)
            self._varieties[known] = len(values) >= 8 and (most < 3 or most / len(values) <= MAX_SHARE)
        return self._varieties[known]

    def _table(self, tool: Tool, path: str | None, item: Mapping[str, Any]) -> str | None:
        """The table whose rows a tool shows at a place: that of the first key shown there."""
        for target, producers in self._landscape.producers.items():
            table, _, column = target.partition(".")
            for producer in producers:
                if producer.tool.name == tool.name and producer.items == path:
                    definition = self._landscape.package.schema.tables.get(table)
                    if (
                        definition is not None
                        and definition.key == (column,)
                        and producer.field == next(iter(item), "")
                    ):
                        return table
        return None


def answer_kind(name: str, value: Any, schema: Mapping[str, Any]) -> AnswerKind | None:
    """How a value is written and compared as an answer; None for what nobody asks for."""
    if value is None or isinstance(value, (bool, list, dict)) or enum_of(schema):
        return None
    if isinstance(value, int):
        if name.endswith(("_cents", "_minor")):
            return "money"
        return "duration" if name.endswith("minutes") or name == "minutes" else "number"
    if isinstance(value, float):
        return "number"
    if _MOMENT.match(value):
        return None if value[11:16] == "00:00" else "time"
    if re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        return "date"
    return "name" if _NAME.fullmatch(value) and len(value.split()) <= 6 else None


def subject(name: str) -> str:
    """What an answer is about, in words: `paid_cents` → `paid`, `departs_at` → `departs`."""
    return re.sub(r"_(cents|minor|at|id)$", "", name).replace("_", " ")


def _letters(value: str) -> str:
    return re.sub(r"\W", "", value).casefold()


def _property(schema: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    for option in (schema, *schema.get("anyOf", ())):
        if name in option.get("properties", {}):
            found: Mapping[str, Any] = option["properties"][name]
            return found
    return {}


__all__ = ["Asked", "Fit", "Questions", "answer_kind", "subject"]
