"""How well an answer can be guessed without looking it up: base rates in the base world.

The chance of a guess is the share of the most frequent value: of the answer's column where it names
one, else of the same derivation over like referents, that is over what the same tool
returns in the base world for its other candidates. Yes or no is one in two at least.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...environment.task import Derived, Source
from ...episode.solo import results_used
from ...episode.sources import Knowledge, SourceError, evaluate
from ..arguments import frequencies
from .context import TaskContext

ENOUGH = 20
"""Like values below which a share says nothing."""

REPEATED = 3
"""How often the most frequent value occurs, at least, before its share is more than a coincidence."""


@dataclass(frozen=True)
class Guess:
    """The best guess of a value, and how often it is right."""

    value: Any
    chance: float


def best_guess(context: TaskContext, turn: int, number: int) -> Guess | None:
    """The best guess of an answer; None where too few like values are known."""
    answer = context.task.turns[turn].goal.answers[number]
    wanted = context.episode.plan.turns[turn].accepted[0].answers[number]
    if answer.column:
        found = context.candidates.frequencies(answer.column, answer.kind)
    else:
        found = frequencies(answer.kind, ((value, 1) for value in _like(context, turn, answer.source)))
    total = sum(count for _, count in found.values())
    best, count = max(found.values(), key=lambda pair: pair[1], default=(None, 0))
    chance = count / total if total >= ENOUGH and count >= REPEATED else 0.0
    if answer.kind == "enum" and wanted.others:
        # However rare a value is, an enum has few: that of "yes or no" is one in two.
        chance = max(chance, 1 / len(wanted.others))
        best = best if count else min(wanted.others, key=str)
    elif total < ENOUGH:
        return None
    return Guess(best, chance)


def _like(context: TaskContext, turn: int, source: Source) -> Iterator[Any]:
    """The same derivation from what its last look-up returns in the base world for other candidates."""
    made = [call for part in context.task.turns[: turn + 1] for call in part.goal.calls]
    used = results_used(source)
    last = next((call for call in reversed(made) if call.id in used), None)
    if last is None:
        return
    known = context.known(turn, context.task.setup.now or context.package.manifest.clock)
    empty = _empties(source, known)
    for result in context.candidates.results(context.package.tools[last.tool]):
        known.results[last.id] = result
        try:
            value = evaluate(source, known)
            alike = _empties(source, known) == empty
        except SourceError:
            continue  # that result has no such part: it is none of the like referents
        if alike and value is not None:
            yield value


def _empties(source: Source, known: Knowledge) -> bool:
    """Whether some filter of an expression leaves nothing: such referents are not like those with something."""
    if not isinstance(source, Derived):
        return False
    return (source.op == "filter" and not evaluate(source, known)) or any(
        _empties(child, known) for child in source.sources
    )
