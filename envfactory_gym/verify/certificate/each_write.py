"""Row `each write`: gold without any single one of its writes scores less than 1."""

from __future__ import annotations

from itertools import chain, repeat
from typing import Any

from ..finding import Finding, finding
from .context import DONE, PlacedStep, TaskContext


def check(context: TaskContext) -> Finding:
    """Leave out one writing call at a time, everything else as in gold."""
    evidence, tried = [], 0
    for index, placed in enumerate(context.gold):
        for number, call in enumerate(placed.step.effects):
            if not context.writes(call.tool):
                continue
            tried += 1
            without = _without(placed, number)
            messages = [*([without] if without else []), *context.rest(index + 1)]
            if _passes(context, index, messages):
                evidence.append(f"turn {placed.turn} passes without {call.tool}{call.arguments}")
    return finding(
        "each write", evidence, figures={"writes": tried}, remedy="drop the write from gold, or compare what it changes"
    )


def _passes(context: TaskContext, index: int, messages: list[dict[str, Any]]) -> bool:
    """Whether the turn in which a step of gold is judged passes with these messages instead."""
    turns = context.episode.plan.turns
    turn = context.gold[index].turn
    judged = turn if turns[turn].compare_from is not None else len(turns) - 1
    with context.before(index) as episode:
        for message in chain(messages, repeat(DONE)):
            if episode.over or len(episode.grades) > judged:
                break
            episode.step(message)
        return len(episode.grades) > judged and episode.grades[judged].passed


def _without(placed: PlacedStep, number: int) -> dict[str, Any] | None:
    """The step's message without one of its calls; None where nothing is left."""
    if number >= len(placed.step.calls):
        return None  # what the user does on instruction goes with the instruction
    calls = [call for at, call in enumerate(placed.message["tool_calls"]) if at != number]
    if calls:
        return {**placed.message, "tool_calls": calls}
    # Text that stood beside the only call would end the turn: it goes with the call.
    return None
