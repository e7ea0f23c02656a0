"""Row `prefixes`: gold cut before any step that decides something, then "Done.", scores less than 1."""

from __future__ import annotations

from ..finding import Finding, finding
from .context import TaskContext


def check(context: TaskContext) -> Finding:
    """Cut gold before each step with a write, a graded answer or a decline."""
    evidence, cuts = [], 0
    for index, placed in enumerate(context.gold):
        if not context.decides(placed):
            continue
        cuts += 1
        with context.before(index):
            if context.succeeds([]):
                evidence.append(f"turn {placed.turn}: success without the step {placed.message} and all after it")
    if not cuts:
        evidence.append("no step of gold writes, answers or declines: the task demands nothing")
    return finding("prefixes", evidence, figures={"cuts": cuts}, remedy="grade what that step does, or drop the step")
