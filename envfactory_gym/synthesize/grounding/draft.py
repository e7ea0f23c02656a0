"""A task while it is being grounded: the calls so far, what they returned, and what is known from them.

Calls are made in a live world as they are added, so whatever comes later rests on what really
happened. A draft can be marked and taken back to a mark as long as nothing was written since.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...environment import EnvironmentFault, Package, Tool, ToolError
from ...environment.task import Answer, GoalCall, Referent, Source
from ...world import LiveWorld
from ..mentions import Mentions
from ..reference import Reference

Key = tuple[str, Any]
"""A value of a column: (`table.column`, value)."""


@dataclass(frozen=True)
class Reached:
    """How a solver gets a value.

    Attributes:
        source: Where the value comes from.
        reference: How the request refers to its row; None where nobody has to say it.
        details: Further words that a look-up needs to be told, by column: `destination_city` → `Oslo`.
        again: Whether the row was reached before in this task.
    """

    source: Source
    reference: Reference | None = None
    details: Mapping[str, str] = field(default_factory=dict)
    again: bool = False


@dataclass(frozen=True)
class Lent:
    """A value that another environment knows and a wish here may take.

    Attributes:
        field: What it is there: `departure_date`.
        value: The value.
        source: Where a solver gets it, under the names of the bundle.
        row: The words of its row: `my trip to Oslo`.
        table: The table of its row.
    """

    field: str
    value: Any
    source: Source
    row: str
    table: str


@dataclass
class Draft:
    """The state of grounding.

    Attributes:
        package: The environment.
        world: A live world in the state after the calls so far.
        owner: Key of the one who asks; None where that is nobody's business.
        identity: The slot by which the one who asks is known, where it is not the key itself.
        allowed: Whether a row, by column and value, may be spoken of; everything may where left out.
        turn: The turn being grounded.
        calls: The calls of this turn, with sources.
        results: What all calls returned, by call id.
        reached: Values found in this turn's state, by column and value.
        referents: What the request of this turn refers to.
        answers: What has to be told in this turn.
        subjects: Subjects of all answers so far; a ticket tells them all at once.
        slots: Slots that the user tells.
        lent: Values that other environments lend.
        prefix: What call ids begin with, so that they are unique where environments meet.
        spoken_of: Rows that the task spoke of: how, and in which turn.
        told: Call id → the arguments it was made with.
        mentions: What was named last, in the order of the words.
    """

    package: Package
    world: LiveWorld
    owner: Any = None
    identity: str | None = None
    allowed: Callable[[str, Any], bool] | None = None
    turn: int = 0
    calls: list[GoalCall] = field(default_factory=list)
    results: dict[str, Any] = field(default_factory=dict)
    reached: dict[Key, Reached] = field(default_factory=dict)
    referents: list[Referent] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    subjects: set[str] = field(default_factory=set)
    slots: dict[str, Any] = field(default_factory=dict)
    spoken_of: dict[Key, tuple[Reference, int]] = field(default_factory=dict)
    told: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    mentions: Mentions = field(default_factory=Mentions)
    lent: list[Lent] = field(default_factory=list)
    prefix: str = ""
    _reads: dict[tuple[str, str], str] = field(default_factory=dict)
    _looked: dict[tuple[str, str], Any] = field(default_factory=dict)
    _count: int = 0

    def may(self, target: str, value: Any) -> bool:
        """Whether the row that a value names may be spoken of in this task."""
        return self.allowed is None or self.allowed(target, value)

    def look(self, tool: Tool, arguments: Mapping[str, Any]) -> Any:
        """What a reading tool returns now; None where it refuses. It is called once, until something is written."""
        known = (tool.name, json.dumps(arguments, sort_keys=True))
        if known not in self._looked:
            try:
                self._looked[known] = json.loads(self.world.call(tool.name, arguments, actor=tool.actor))
            except (ToolError, EnvironmentFault):
                self._looked[known] = None
        return self._looked[known]

    def read(self, tool: Tool, sources: Mapping[str, Source], arguments: Mapping[str, Any], result: Any) -> str:
        """Add a reading call that was made; the same call is not added twice. Returns its id."""
        known = (tool.name, json.dumps(arguments, sort_keys=True))
        if known not in self._reads:
            self._reads[known] = self._add(tool, sources, wish=False)
            self.results[self._reads[known]] = result
            self.told[self._reads[known]] = arguments
        return self._reads[known]

    def wish(
        self, tool: Tool, sources: Mapping[str, Source], arguments: Mapping[str, Any], *, wished: bool = True
    ) -> str:
        """Make a wished call and add it. What was read before a write is not known any more after it.

        Args:
            tool: The tool.
            sources: Where its arguments come from.
            arguments: Their values.
            wished: Whether the user wants it; False for what only has to be done before.

        Raises:
            ToolError: The tool refuses.
        """
        result = json.loads(self.world.call(tool.name, arguments, actor=tool.actor))
        made = self._add(tool, sources, wish=wished)
        self.results[made] = result
        self.told[made] = arguments
        if not tool.read_only:
            self._reads.clear()
            self._looked.clear()
            self.reached.clear()
        return made

    def _add(self, tool: Tool, sources: Mapping[str, Source], *, wish: bool) -> str:
        self._count += 1
        made = f"{self.prefix}{tool.name}-{self._count}"
        self.calls.append(GoalCall(id=made, tool=tool.name, arguments=dict(sources), wish=wish))
        return made

    def called_with(self, value: Any) -> bool:
        """Whether some look-up since the last write was called with a value."""
        return any(json.dumps(value) in arguments for _, arguments in self._reads)

    def next_turn(self) -> None:
        """Begin another turn. What was reached stays reached; calls and words begin anew."""
        self.turn += 1
        self.calls, self.referents, self.answers = [], [], []

    def mark(self) -> tuple[Any, ...]:
        """What `back` returns to."""
        return (
            len(self.calls), len(self.referents), len(self.answers), dict(self.reached), dict(self._reads),
            dict(self.slots), dict(self.spoken_of), self._count,
        )  # fmt: skip

    def back(self, mark: tuple[Any, ...]) -> None:
        """Forget what was added since a mark; only reads may lie between."""
        calls, referents, answers, self.reached, self._reads, self.slots, self.spoken_of, self._count = mark
        for call in self.calls[calls:]:
            self.results.pop(call.id, None)
        del self.calls[calls:], self.referents[referents:], self.answers[answers:]
