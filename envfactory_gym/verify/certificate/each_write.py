"""Row `each write`: gold without any single one of its writes scores less than 1."""

from __future__ import annotations

from typing import Any

from ..finding import Finding, finding
from .context import PlacedStep, TaskContext


def check(context: TaskContext) -> Finding:
    """Leave out one writing call at a time, everything else as in gold."""
    evidence, tried = [], 0
    for index, placed in enumerate(context.gold):
        for number, call in enumerate(placed.step.calls):
            if not context.writes(call.tool):
                continue
            tried += 1
            messages = [
                message
                for at, other in enumerate(context.gold)
                if (message := other.message if at != index else _without(placed, number)) is not None
            ]
            _, outcome = context.play(messages)
            passed = len(outcome.turns) > placed.turn and outcome.turns[placed.turn].passed
            if passed or outcome.success:
                evidence.append(f"turn {placed.turn} passes without {call.tool}{call.arguments}")
    return finding(
        "each write", evidence, figures={"writes": tried}, remedy="drop the write from gold, or compare what it changes"
    )


def _without(placed: PlacedStep, number: int) -> dict[str, Any] | None:
    """The step's message without one of its calls; None where nothing is left."""
    calls = [call for at, call in enumerate(placed.message["tool_calls"]) if at != number]
    if calls:
        return {**placed.message, "tool_calls": calls}
    # Text that stood beside the only call would end the turn: it goes with the call.
    return None
