"""Tasks that span environments: each wish is grounded in its own environment, then all are renamed and joined.

The wishes meet in one conversation, and now and then one needs what another environment knows: a day,
an amount, an address found there becomes an argument here. Such a value is *lent*; the user says it
by pointing ("the day my trip to Oslo leaves"), never by naming it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from ..environment import Bundle, Package
from ..environment.qualified import Names, marked
from ..environment.task import (
    Answer,
    Answered,
    Derived,
    GoalCall,
    PolicyValue,
    Referent,
    Source,
)
from .grounding.draft import Draft, Lent
from .grounding.routes import Router
from .turns import GroundedTurn
from .wording.wish import Ask, Wish


@dataclass(frozen=True)
class Renamed:
    """Puts what was grounded in a member into the words of the bundle.

    Attributes:
        names: How the member's things are called in the bundle.
    """

    names: Names

    def turn(self, turn: GroundedTurn) -> GroundedTurn:
        """A whole turn under the bundle's names."""
        return replace(
            turn,
            wishes=tuple(self.wish(wish) for wish in turn.wishes),
            calls=tuple(self.call(call) for call in turn.calls),
            answers=tuple(self.answer(answer) for answer in turn.answers),
            referents=tuple(self.referent(referent) for referent in turn.referents),
            decline=self.names.rule(turn.decline) if turn.decline else None,
        )

    def wish(self, wish: Wish) -> Wish:
        """A wish whose tool, tables and slots have their prefix."""
        prefix = self.names.prefix
        return replace(
            wish,
            tool=prefix + wish.tool,
            rows={name: prefix + table for name, table in wish.rows.items()},
            asks=tuple(self._ask(ask) for ask in wish.asks),
            otherwise=self.wish(wish.otherwise) if wish.otherwise else None,
            told={prefix + slot: value for slot, value in wish.told.items()},
        )

    def _ask(self, ask: Ask) -> Ask:
        return replace(ask, table=self.names.prefix + ask.table) if ask.table else ask

    def call(self, call: GoalCall) -> GoalCall:
        """A call of the goal; ids are unique across members from the start, so they stay."""
        sources = {name: self.source(source) for name, source in call.arguments.items()}
        return call.model_copy(update={"tool": self.names.prefix + call.tool, "arguments": sources})

    def answer(self, answer: Answer) -> Answer:
        """An answer, with its column and phrase table."""
        prefix = self.names.prefix
        return answer.model_copy(
            update={
                "source": self.source(answer.source),
                "column": prefix + answer.column if answer.column else None,
                "phrases": prefix + answer.phrases if answer.phrases else None,
            }
        )

    def referent(self, referent: Referent) -> Referent:
        """A referent, whose SQL says which member it is for."""
        return referent.model_copy(
            update={"sql": marked(self.names.name, referent.sql), "column": self.names.prefix + referent.column}
        )

    def source(self, source: Source) -> Source:
        """A source expression; slots, phrase tables and rules have their prefix, calls and words stay."""
        match source:
            case Answered(slot=slot) if not slot.startswith(self.names.prefix) and "__" not in slot:
                return source.model_copy(update={"slot": self.names.prefix + slot})
            case PolicyValue(rule=rule):
                return source.model_copy(update={"rule": self.names.rule(rule)})
            case Derived():
                options = dict(source.options)
                if source.op == "phrase" and "__" not in options["table"]:
                    options["table"] = self.names.prefix + options["table"]
                sources = tuple(self.source(child) for child in source.sources)
                return source.model_copy(update={"sources": sources, "options": options})
            case _:
                return source


def joined(turns: Sequence[GroundedTurn]) -> GroundedTurn:
    """One turn out of several members' parts of it, in order."""
    return GroundedTurn(
        wishes=tuple(wish for turn in turns for wish in turn.wishes),
        calls=tuple(call for turn in turns for call in turn.calls),
        answers=tuple(answer for turn in turns for answer in turn.answers),
        referents=tuple(referent for turn in turns for referent in turn.referents),
        wrote=any(turn.wrote for turn in turns),
        premise=next((turn.premise for turn in turns if turn.premise), None),
    )


def by_member(bundle: Bundle, tools: Sequence[str]) -> list[tuple[Package, list[str]]]:
    """A turn's tools, in order, as runs of one member each, under the member's own names."""
    runs: list[tuple[Package, list[str]]] = []
    for name in tools:
        tool = bundle.tools[name]
        member = next(one for one in bundle.packages if bundle.names[one.name].prefix == tool.prefix)
        own = name.removeprefix(tool.prefix)
        if runs and runs[-1][0] is member:
            runs[-1][1].append(own)
        else:
            runs.append((member, [own]))
    return runs


def lendable(draft: Draft, router: Router, renamed: Renamed, random: Random) -> list[Lent]:
    """Values of rows that a member's part of the task spoke of, for others to use.

    A value of a listed row, reached as the row itself was.
    """
    found: list[Lent] = []
    for (target, _), reached in draft.reached.items():
        if reached.reference is None or not isinstance(reached.source, Derived) or reached.source.op != "field":
            continue
        item = reached.source.sources
        row: Any = router.value(draft, item[0])
        for name, value in row.items() if isinstance(row, Mapping) else ():
            source = Derived(op="field", sources=item, options={"path": name})
            found.append(Lent(name, value, renamed.source(source), reached.reference.words, target.partition(".")[0]))
    return sorted(found, key=lambda _: random.random())
