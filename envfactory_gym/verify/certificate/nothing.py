"""Row `nothing`: saying "Done." pays 0, each turn, also under `reward="turns"`, refusals included."""

from __future__ import annotations

from ..finding import Finding, finding
from .context import TaskContext


def check(context: TaskContext) -> Finding:
    """Say "Done." to every request, and add up what it pays."""
    evidence = []
    for reward in ("success", "turns"):
        paid, outcome = context.play([], reward=reward)
        if paid or outcome.reward:
            passed = [number for number, grade in enumerate(outcome.turns) if grade.passed]
            evidence.append(f'under reward="{reward}" doing nothing pays {paid:g}; it passes the turns {passed}')
    return finding(
        "nothing", evidence, figures={"turns": len(context.task.turns)},
        remedy="give every turn a change, an answer or a refusal that has to be made",
    )  # fmt: skip
