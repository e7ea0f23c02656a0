"""Grounding a whole chain: its wishes turn by turn in one live world, each with what the request has to say.

A chain's wishes are its writes and whatever no later step uses; the rest are look-ups, which grounding
finds anew, so that nothing is looked up that is not needed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from random import Random
from typing import Any

from ..environment import Package, Tool, ToolError
from ..environment.task import Answer, GoalCall, Referent, Source
from ..episode.wording import say
from .chain import Chain, ChainStep
from .grounding import cures
from .grounding.boundaries import Boundary
from .grounding.draft import Draft, Reached
from .grounding.landscape import Landscape
from .grounding.questions import Asked, Questions, subject
from .grounding.routes import Router
from .grounding.spoken import kind_of
from .grounding.wishes import Planned, Wished, Wishes
from .presets import Mix
from .wording.wish import Ask, Wish


@dataclass(frozen=True)
class GroundedTurn:
    """One turn before it has words: what is wanted, formally and for the wording.

    Attributes:
        wishes: For the wording, in order.
        calls: The goal's calls.
        answers: What has to be told.
        referents: What the request refers to.
        wrote: Whether something is written.
        decline: The rule by which the request has to be declined.
        premise: Something the user believes of a row, wrongly and to no harm: nothing that is wanted rests on it.
    """

    wishes: tuple[Wish, ...]
    calls: tuple[GoalCall, ...]
    answers: tuple[Answer, ...]
    referents: tuple[Referent, ...]
    wrote: bool
    decline: str | None = None
    premise: str | None = None


@dataclass
class Rejected(Exception):
    """A chain that did not become a task, and at which step it failed."""

    cause: str
    tool: str = ""
    notes: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.cause}: {self.tool}" if self.tool else self.cause


def wished_tools(package: Package, chain: Chain) -> list[list[str]]:
    """The tools that a chain's turns are for: writes, and reads whose results no later step uses.

    What is only there so that something else becomes possible (checking a code that the user read out) is
    a wish of nobody, unless there is no other.
    """
    sinks = set(chain.sinks)
    turns: list[list[str]] = [[] for _ in range(chain.steps[-1].turn + 1)]
    steps = list(enumerate(chain.steps))
    wanted = [
        step
        for place, step in steps
        if package.tools[step.tool].actor == "agent" and (place in sinks or not package.tools[step.tool].read_only)
    ]
    asked_for = [step for step in wanted if not _told_by_the_user(package, chain, step)] or wanted
    for step in asked_for:
        turns[step.turn].append(step.tool)
    return [turn for turn in turns if turn]


def _told_by_the_user(package: Package, chain: Chain, step: ChainStep) -> bool:
    """Whether a step takes what one of the user's own tools gave."""
    earlier = (supply.step for supply in step.supplies.values() if supply.step is not None)
    return any(package.tools[chain.steps[place].tool].actor == "user" for place in earlier)


def template_of(turns: Sequence[Sequence[str]]) -> str:
    """The goal template of a task: its wished tools, turn by turn."""
    return " / ".join(" + ".join(turn) for turn in turns)


NO_REASON = frozenset({"not_found", "invalid", "forbidden", "limit", "conflict"})
"""Reasons for which a call is refused that are mistakes in the call rather than facts about the world."""


NOUNS = re.compile(r"(?:^|_)(?:date|amount|price|total|balance|revenue|budget|deadline|birthday)(?:_cents)?$")
"""Columns whose names people use as nouns, so that "the ... is ..." is a sentence."""

BELIEFS = ("If I remember right,", "I believe", "I think", "As far as I know,")


class Grounder:
    """Grounds chains in one environment.

    Args:
        landscape: The environment.
        router: Finds routes; draws from the same `random`.
        random: Draws.
        mix: What tasks should be like.
    """

    def __init__(self, landscape: Landscape, router: Router, random: Random, mix: Mix) -> None:
        self._landscape, self._router, self._random, self._mix = landscape, router, random, mix
        self._wishes = Wishes(landscape, router, random, analogy=mix.analogy, enrich=mix.enrich, members=mix.members)
        self._questions = Questions(landscape, router, random)

    def ground(self, draft: Draft, turns: Sequence[Sequence[str]]) -> list[GroundedTurn]:
        """Ground all turns, in order, in the draft's world.

        Args:
            draft: A fresh draft.
            turns: Wished tools by turn.

        Raises:
            Rejected: Some wish has no arguments that work and can be traced, or nothing worth asking.
        """
        grounded = []
        for number, tools in enumerate(turns):
            if number:
                draft.next_turn()
            grounded.append(self.turn(draft, tools))
        return grounded

    def turn(self, draft: Draft, tools: Sequence[str]) -> GroundedTurn:
        """Ground the wishes of one turn, in order.

        Raises:
            Rejected: Some wish has no arguments that work and can be traced, or nothing worth asking.
        """
        tools_of = self._landscape.package.tools
        writes = any(not tools_of[name].read_only for name in tools)
        wishes: dict[int, Wish] = {}
        planned: dict[int, Planned] = {}
        impossible: dict[int, Wish | None] = {}
        for place, name in enumerate(tools):
            tool = tools_of[name]
            if tool.read_only:
                mark = draft.mark()
                wished = self._wishes.look(draft, tool)
                if wished is None:
                    raise Rejected("no arguments that work and can be traced", name)
                base = self._action(tool, wished)
                wish = self._question(draft, tool, wished, base, list(planned.values()), alone=not writes)
                if wish is not None:
                    wishes[place] = wish
                else:
                    draft.back(mark)  # a look-up that answers nothing is a dead step
            else:
                impossible[place] = self._impossible(draft, tool)
                plan = self._wishes.plan(draft, tool, list(planned.values()))
                if plan is None:
                    raise Rejected("no arguments that work and can be traced", name)
                planned[place] = plan
        if not wishes and not planned:
            raise Rejected("nothing worth asking", tools[0])
        for place, plan in planned.items():
            try:
                wishes[place] = self._write(draft, self._wishes.make(draft, plan))
            except ToolError as error:
                raise Rejected(f"refused after all ({error.reason or error.code})", plan.tool.name) from error
        for place in planned:
            if self._random.random() < self._mix.fallback:
                wishes[place] = self._after_what_fails(impossible.get(place), wishes[place])
        premise = None
        if planned and self._random.random() < self._mix.premise:
            premise = self._premise(draft, [plan.traced.reached for plan in planned.values()])
        ordered = tuple(draft.mentions.told(wishes[place]) for place in sorted(wishes))
        return GroundedTurn(
            ordered, tuple(draft.calls), tuple(draft.answers), tuple(draft.referents), writes, premise=premise
        )

    def _premise(self, draft: Draft, reached: Sequence[Mapping[str, Reached]]) -> str | None:
        """A belief about a row that the request speaks of, which another row of its kind would bear out."""
        for one in (found for part in reached for found in part.values() if found.reference is not None):
            reference = one.reference
            if reference is None or one.again:
                continue
            said = {condition.path for condition in reference.conditions} | {(reference.extreme or ("", ""))[1]}
            dated = any(letter.isdigit() for letter in reference.words)
            rows = draft.world.query(reference.sql)
            key = rows[0][0] if len(rows) == 1 else None
            for relation, row in self._landscape.shown(reference.column, key):
                for name, value in row.items():
                    if name in said or not NOUNS.search(name) or not isinstance(value, (str, int)):
                        continue
                    kind = kind_of(name, {}, value)
                    if kind == "date" and dated:
                        continue  # another day than the request just said would be a contradiction
                    others = self._landscape.relations.sample(relation, name) if kind in ("money", "date") else ()
                    wrong = [other for other in others if other != value and kind_of(name, {}, other) == kind]
                    if wrong:
                        believed = wrong[int(self._random.random() * len(wrong))]
                        words = say(kind, believed, "USD" if kind == "money" else None)
                        belief = BELIEFS[int(self._random.random() * len(BELIEFS))]
                        return f"{belief} the {subject(name)} of {reference.words} is {words}."
        return None

    def _impossible(self, draft: Draft, tool: Tool) -> Wish | None:
        """A wish of the asker that the tool refuses for a reason of the world, in words; nothing is kept of it."""
        if self._mix.fallback <= 0 or draft.prefix:
            return None
        rules = self._landscape.package.policy.rules
        for reason in sorted(tool.refused):
            if reason in rules or reason in NO_REASON:
                continue
            drawn = [
                arguments
                for arguments in self._landscape.refused(tool, reason)
                if self._landscape.owner_of(tool, arguments) in (None, draft.owner)
            ]
            if not drawn:
                continue
            arguments = drawn[int(self._random.random() * len(drawn))]
            mark = draft.mark()
            traced = self._wishes.trace(draft, tool, arguments)
            wish = None
            if traced is not None and self._wishes.refuses(draft, tool, arguments) == reason:
                parts = (traced.reached, traced.spoken, traced.alike, traced.borrowed)
                wish = self._action(tool, Wished(tool, "refused", arguments, *parts))
            draft.back(mark)
            if wish is not None and wish.words and not wish.again:
                return wish
        return None

    @staticmethod
    def _after_what_fails(first: Wish | None, wish: Wish) -> Wish:
        """The wish as what is wanted where another one cannot be had."""
        if first is None or wish.asks or wish.instead_of or set(first.words.values()) <= set(wish.words.values()):
            return wish
        return replace(first, otherwise=wish)

    def on_both_sides(self, draft: Draft, boundary: Boundary) -> tuple[GroundedTurn, GroundedTurn]:
        """One wish on both sides of a rule, traced in the world in which it is refused: declined, and done.

        Raises:
            Rejected: The call cannot be traced.
        """
        tool = boundary.tool
        traced = self._wishes.trace(draft, tool, boundary.arguments)
        if traced is None:
            raise Rejected("no arguments that can be traced", tool.name)
        self._show(draft, tool, boundary.arguments, traced.sources)
        wished = Wished(tool, "wish", boundary.arguments, traced.reached, traced.spoken, traced.alike, traced.borrowed)
        wish = draft.mentions.told(replace(self._action(tool, wished), decline=True))
        calls, referents = tuple(draft.calls), tuple(draft.referents)
        call = GoalCall(id=f"{tool.name}-wished", tool=tool.name, arguments=traced.sources, wish=True)
        return (
            GroundedTurn(
                (wish,), calls, (), tuple(one for one in referents if self._looked_at(draft, one)), False, boundary.rule
            ),
            GroundedTurn((wish,), (*calls, call), (), referents, True),
        )

    @staticmethod
    def _looked_at(draft: Draft, referent: Referent) -> bool:
        """Whether some look-up was about a referent; a declined call does not use it."""
        rows = draft.world.query(referent.sql)
        return len(rows) == 1 and draft.called_with(rows[0][0])

    def _show(self, draft: Draft, tool: Tool, arguments: Mapping[str, Any], sources: Mapping[str, Source]) -> None:
        """Look closer at the rows a declined call is about, so that its reason is seen."""
        for parameter in tool.parameters:
            if not parameter.ref or parameter.name not in arguments:
                continue
            for other in self._landscape.package.tools.values():
                needed = [one for one in other.parameters if one.required]
                if other.read_only and other.actor == "agent" and [one.ref for one in needed] == [parameter.ref]:
                    told = {needed[0].name: arguments[parameter.name]}
                    result = draft.look(other, told)
                    if result is not None:
                        draft.read(other, {needed[0].name: sources[parameter.name]}, told, result)
                        break

    def _action(self, tool: Tool, wished: Wished) -> Wish:
        """What the request says of a wished call."""
        words: dict[str, str] = {name: way.words for name, way in wished.spoken.items()}
        rows: dict[str, str] = {}
        again: list[str] = []
        named: dict[str, tuple[Any, str]] = {}
        parameters = {one.name: one for one in tool.parameters}
        for name, reached in wished.reached.items():
            target = parameters[name].ref or (reached.reference.column if reached.reference else "")
            if reached.reference is None:
                continue
            rows[name] = target.partition(".")[0]
            named[name] = wished.arguments[name], reached.reference.words
            if reached.again:
                again.append(name)
            else:
                words[name] = reached.reference.words
        for name, like in wished.alike.items():
            if like.reference is not None:
                words[name] = f"the same {subject(name)} as {like.reference.words}"
        for name, lent in wished.borrowed.items():
            words[name] = f"the {subject(lent.field)} of {lent.row}"
        besides = {one.reference.column.partition(".")[0] for one in wished.alike.values() if one.reference}
        besides |= creates(tool)
        return Wish("action", tool.name, words, tuple(again), rows, named=named, besides=tuple(sorted(besides)))

    def _write(self, draft: Draft, wished: Wished) -> Wish:
        """What the request says of a write that was made, and asks of its result."""
        tool = wished.tool
        base = self._action(tool, wished)
        base = replace(base, instead_of=self._taken_back(draft, tool, wished))
        if self._random.random() < self._mix.asks_after_writes:
            asked = self._questions.of(draft, tool, wished.call, wished.arguments, list(base.words.values()), False)
            if asked:
                self._add(draft, asked[0])
                return replace(base, asks=(self._ask(asked[0], None, "result"),))
        return base

    def _taken_back(self, draft: Draft, tool: Tool, wished: Wished) -> dict[str, str]:
        """Another value of an argument, said first and taken back at once, now and then."""
        if self._random.random() >= self._mix.mind_changed:
            return {}
        for name, way in wished.spoken.items():
            value = wished.arguments[name]
            if way.table is not None:
                others: list[Any] = [one for one in self._landscape.package.language.phrases[way.table] if one != value]
            elif way.read == "number":
                others = [value + 1]
            elif way.read == "date":
                others = [(date.fromisoformat(value) + timedelta(days=1 + int(self._random.random() * 6))).isoformat()]
            else:
                continue
            other = (
                self._router.say(draft, tool, name, others[int(self._random.random() * len(others))])
                if others
                else None
            )
            if other is not None and other.words not in way.words and way.words not in other.words:
                return {name: other.words}
        return {}

    def _question(
        self, draft: Draft, tool: Tool, wished: Wished, base: Wish, before: Sequence[Planned], *, alone: bool
    ) -> Wish | None:
        found = self._questions.of(draft, tool, wished.call, wished.arguments, list(base.words.values()), alone)
        found = [asked for asked in found if self._lasts(draft, wished, asked, before)]
        if not found:
            return None
        asked = found[0]
        self._add(draft, asked)
        tables = (asked.row.column.partition(".")[0],) if asked.row is not None else tuple(base.rows.values())
        if asked.narrowed is not None:
            ask = Ask(asked.answer.subject, asked.answer.kind, asked.field, asked.table, "sum", asked.narrowed, "told")
            look_up = {name: words for name, words in base.words.items() if words not in asked.narrowed}
            return replace(base, kind="question", words={}, asks=(ask,), look_up=look_up, besides=tables)
        if asked.row is not None:
            draft.referents.append(Referent(phrase=asked.row.words, sql=asked.row.sql, column=asked.row.column))
            ask = self._ask(asked, asked.row.words, "told")
            look_up = {name: words for name, words in base.words.items() if words not in asked.row.words}
            return replace(base, kind="question", words={}, asks=(ask,), look_up=look_up, besides=tables)
        key = next((name for name in base.words if name in base.rows), None)
        rest = {name: words for name, words in base.words.items() if name != key}
        if key is not None:
            return replace(
                base, kind="question", words=rest, again=(), asks=(self._ask(asked, base.words[key], "told"),)
            )
        about = "again" if base.again else "none"
        return replace(base, kind="question", words=rest, asks=(self._ask(asked, None, about),))

    def _lasts(self, draft: Draft, wished: Wished, asked: Asked, before: Sequence[Planned]) -> bool:
        """Whether an answer is the same after what the request wants before it: else two answers would be right."""
        if not before:
            return True
        value = self._router.value(draft, asked.answer.source)
        tools = self._landscape.package.tools
        with draft.world.trial():
            for plan in before:
                cures.perform(draft.world, tools, plan.tool, plan.arguments, plan.cure)
            later = cures.call(draft.world, wished.tool, wished.arguments)
        if later is None:
            return False
        kept = draft.results[wished.call]
        draft.results[wished.call] = later
        after = self._router.value(draft, asked.answer.source)
        draft.results[wished.call] = kept
        return bool(value == after)

    def _add(self, draft: Draft, asked: Asked) -> None:
        subject = asked.answer.subject
        while subject in draft.subjects:
            subject += " too"
        draft.subjects.add(subject)
        draft.answers.append(asked.answer.model_copy(update={"subject": subject}))

    @staticmethod
    def _ask(asked: Asked, row: str | None, about: Any) -> Ask:
        return Ask(asked.answer.subject, asked.answer.kind, asked.field, asked.table, "value", row, about)


def creates(tool: Tool) -> frozenset[str]:
    """The table a tool makes a row of: "that trip" may be the new one from then on. Empty where it changes others."""
    about = {(one.ref or "").partition(".")[0] for one in tool.parameters if one.required}
    return frozenset(tool.writes[:1]) if not about & set(tool.writes) else frozenset()


__all__ = ["GroundedTurn", "Grounder", "Rejected", "creates", "template_of", "wished_tools"]
