"""How hard a task is, measured on its goal: how much has to be done, and how little of it is said.

Nothing here is an opinion: each figure is counted in the goal's source expressions and in what its
look-ups return. `level` orders tasks by a sum of the figures, whose weights are listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from ..environment import Package, TaskPrivate
from ..environment.task import Answered, Derived, GoalCall, Result, Said, Source
from ..episode.sources import user_knows

Level = Literal["easy", "medium", "hard"]

MEDIUM, HARD = 6.0, 11.0
"""Scores from which a task is medium, and hard."""


class Difficulty(BaseModel):
    """The measured difficulty of a task.

    Attributes:
        calls: Calls of the goal.
        hops: Look-ups behind one another from what is said to what is needed, at most.
        turns: Requests.
        servers: Environments whose tools it takes.
        stated: Share of graded arguments that the request states.
        asked: Share that the user tells when asked.
        referred: Share found through a description of a row.
        inferred: Share found without the user saying anything about it.
        arguments: Graded arguments, of which those shares are.
        distractors: Rows beside the wanted one in lists from which a row is chosen, at most.
    """

    model_config = ConfigDict(frozen=True)

    calls: int
    hops: int
    turns: int
    servers: int
    stated: float
    asked: float
    referred: float
    inferred: float
    arguments: int
    distractors: int

    @property
    def score(self) -> float:
        """A single figure: calls and hops, turns and servers, and up to four points for what is not said."""
        return (
            0.5 * self.calls
            + self.hops
            + (self.turns - 1)
            + 2.0 * (self.servers - 1)
            + 4.0 * (self.referred + self.inferred + 0.5 * self.asked)
            + min(self.distractors, 20) / 10
        )

    @property
    def level(self) -> Level:
        """The score in a word."""
        return "hard" if self.score >= HARD else "medium" if self.score >= MEDIUM else "easy"


def measure(package: Package, task: TaskPrivate, results: Mapping[str, Any]) -> Difficulty:
    """The difficulty of a task.

    Args:
        package: Its environment, or the bundle of them.
        task: The task.
        results: What the goal's calls returned, by call id.
    """
    calls = {call.id: call for turn in task.turns for call in turn.goal.calls}
    kinds = [
        how(source, calls)
        for turn in task.turns
        for call in turn.goal.calls
        if call.wish
        for source in graded(package, call)
    ]
    total = max(len(kinds), 1)
    return Difficulty(
        calls=len(calls),
        hops=max((_hops(source, calls) for call in calls.values() for source in call.arguments.values()), default=0),
        turns=len(task.turns),
        servers=len({_server(package, call.tool) for call in calls.values()}) or 1,
        stated=kinds.count("stated") / total,
        asked=kinds.count("asked") / total,
        referred=kinds.count("referred") / total,
        inferred=kinds.count("inferred") / total,
        arguments=len(kinds),
        distractors=max(
            (n for call in calls.values() for s in call.arguments.values() for n in _beside(s, results)), default=0
        ),
    )


def graded(package: Package, call: GoalCall) -> list[Source]:
    """Sources of the arguments of a wish: what a write is graded by, or what an answer depends on."""
    return list(call.arguments.values())


def how(source: Source, calls: Mapping[str, GoalCall]) -> Literal["stated", "asked", "referred", "inferred"]:
    """How a solver gets a value: it is stated, told when asked, found by a description, or found without any."""
    if user_knows(source):
        return "asked" if any(isinstance(part, Answered) for part in parts(source)) else "stated"
    return "referred" if _described(source, calls, set()) else "inferred"


def _described(source: Source, calls: Mapping[str, GoalCall], seen: set[str]) -> bool:
    for part in parts(source):
        if isinstance(part, Derived) and part.op in ("filter", "arg_min", "arg_max", "first", "last"):
            return True
        if isinstance(part, Said):
            return True
        if isinstance(part, Result) and part.call not in seen and part.call in calls:
            seen.add(part.call)
            if any(_described(above, calls, seen) for above in calls[part.call].arguments.values()):
                return True
    return False


def parts(source: Source) -> Iterator[Source]:
    """A source expression and everything in it."""
    yield source
    if isinstance(source, Derived):
        for child in source.sources:
            yield from parts(child)


def _hops(source: Source, calls: Mapping[str, GoalCall]) -> int:
    deepest = 0
    for part in parts(source):
        if isinstance(part, Result) and part.call in calls:
            behind = calls[part.call].arguments.values()
            deepest = max(deepest, 1 + max((_hops(above, calls) for above in behind), default=0))
    return deepest


def _server(package: Package, tool: str) -> str:
    known = package.tools.get(tool)
    return known.prefix if known is not None else ""


def _beside(source: Source, results: Mapping[str, Any]) -> Iterator[int]:
    for part in parts(source):
        if isinstance(part, Result):
            value: Any = results.get(part.call)
            for name in part.path.split(".") if part.path else ():
                if isinstance(value, list):
                    yield len(value) - 1
                value = value[int(name)] if isinstance(value, list) else (value or {}).get(name)
            if isinstance(value, list):
                yield len(value) - 1
