"""Two runs on the same tasks: how they differ, and whether that may be chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..environment import TaskError
from ..episode import RunRecord
from .statistics import Difference, Rate, difference, rate
from .summary import by_task

Task = tuple[str, str]


@dataclass(frozen=True)
class Comparison:
    """What two runs have to do with each other.

    Attributes:
        tasks: Tasks that both have valid episodes of; all figures are over these.
        first, second: pass@1 of each.
        difference: Second less first, with its interval and the p value of the paired test.
        test: Which test that is.
        gained, lost: Tasks that the second run passes more, and less often.
        left_out: Tasks that only one of them has.
        settings: What differs between them besides the agent; empty where they can be compared.
    """

    tasks: int
    first: Rate
    second: Rate
    difference: Difference
    test: str
    gained: tuple[Task, ...]
    lost: tuple[Task, ...]
    left_out: int
    settings: tuple[str, ...]


def compare(first: Sequence[RunRecord], second: Sequence[RunRecord], *, seed: int = 0) -> Comparison:
    """Compare two runs of one agent each, task by task.

    Raises:
        TaskError: They have no task in common.
    """
    one, other = by_task(first), by_task(second)
    shared = sorted(one.keys() & other.keys())
    if not shared:
        raise TaskError("the two runs have no task in common of which both have a valid episode")
    pairs = [(_share(one[task]), _share(other[task])) for task in shared]
    single = all(len(one[task]) == len(other[task]) == 1 for task in shared)
    return Comparison(
        tasks=len(shared),
        first=rate([one[task] for task in shared]),
        second=rate([other[task] for task in shared]),
        difference=difference(pairs, seed=seed),
        test="McNemar's exact test" if single else "exact paired permutation test over tasks",
        gained=tuple(task for task, (before, after) in zip(shared, pairs, strict=True) if after > before),
        lost=tuple(task for task, (before, after) in zip(shared, pairs, strict=True) if after < before),
        left_out=len(one.keys() ^ other.keys()),
        settings=_differences(first, second),
    )


def _share(task: Sequence[bool]) -> Fraction:
    return Fraction(sum(task), len(task))


def _differences(first: Sequence[RunRecord], second: Sequence[RunRecord]) -> tuple[str, ...]:
    """What two runs were played under, where it is not the same."""
    found = []
    for name in ("user", "answer", "max_steps", "max_result"):
        before = sorted({str(getattr(record, name)) for record in first})
        after = sorted({str(getattr(record, name)) for record in second})
        if before != after:
            found.append(f"{name}: {', '.join(before)} / {', '.join(after)}")
    hashes = {(r.environment, r.task): (r.world_hash, r.rules_hash) for r in first}
    changed = sorted(
        {r.environment for r in second if hashes.get((r.environment, r.task), h := (r.world_hash, r.rules_hash)) != h}
    )
    return (*found, *(f"{name} was another version" for name in changed))
