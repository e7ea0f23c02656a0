"""Check `mutation`: small faults in server.py, and what share of them the behaviours notice.

The share decides the tier of a package, not whether it passes: a package whose examples say little
is a draft, not a broken one. What fails here is a list of equivalent mutants that is not true.
"""

from __future__ import annotations

from collections.abc import Callable

from ...environment import Package
from ..finding import Finding, finding
from ..mutation import LEAST, MutationScore, measure

SHOWN = 20
"""Survivors that are shown whole."""


def check(
    package: Package, *, jobs: int = 1, progress: Callable[[int, int], None] | None = None
) -> tuple[Finding, MutationScore]:
    """Measure the score, and say what it means.

    Args:
        package: The environment; its behaviours hold.
        jobs: Processes.
        progress: Called with how many mutants are done, and of how many.
    """
    score = measure(package, jobs=jobs, progress=progress)
    notes = [str(survivor) for survivor in score.survivors[:SHOWN]]
    if len(score.survivors) > SHOWN:
        notes.append(f"and {len(score.survivors) - SHOWN} more survivors")
    notes += [f"{tool}: only {count} mutants count" for tool, count in score.tools.items() if count < LEAST]
    figures = {
        "score": int(score.share * 1000) / 1000,
        "killed": score.killed,
        "counted": score.counted,
        "left_out": score.left_out,
        "equivalent": score.equivalent,
        "possible": score.possible,
    }
    remedy = "correct equivalent.yaml: it holds mutants that no behaviour can ever tell from the sound server"
    return finding("mutation", list(score.problems), figures=figures, remedy=remedy, notes=notes), score
