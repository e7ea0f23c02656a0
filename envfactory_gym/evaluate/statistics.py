"""What a few hundred episodes can tell: rates, how uncertain they are, and whether two runs differ.

Episodes of one task resemble each other, so a task, not an episode, is the unit of chance. A rate is
the mean over tasks; its interval is Wilson's with the number of episodes that independent ones would
have needed for the same spread (effective sample size, as in surveys: Korn and Graubard 1998; Wilson
1927). Unlike a bootstrap it does not collapse where every task passes, or none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import comb, lcm, sqrt
from random import Random
from typing import NamedTuple

Z = 1.959963984540054
"""95 %, two-sided."""

RESAMPLES = 2_000


class Rate(NamedTuple):
    """A rate with its 95 % interval; all None where there is nothing to count."""

    value: float | None
    low: float | None
    high: float | None

    def __str__(self) -> str:
        return "-" if self.value is None else f"{self.value:.1%} [{self.low:.1%}, {self.high:.1%}]"


NOTHING = Rate(None, None, None)


def rate(tasks: Sequence[Sequence[bool]]) -> Rate:
    """The mean over tasks of the share of successes, with its interval.

    Args:
        tasks: Per task, whether each episode succeeded. Tasks without episodes count for nothing.
    """
    counted = [task for task in tasks if task]
    return share([sum(task) / len(task) for task in counted], sum(map(len, counted)))


def share(values: Sequence[float], episodes: int | None = None) -> Rate:
    """The mean of one value in [0, 1] per task, with its interval.

    Args:
        values: One per task.
        episodes: Episodes behind them: a mean is never taken to rest on more. By default one a task.
    """
    tasks = len(values)
    if not tasks:
        return NOTHING
    mean = sum(values) / tasks
    return wilson(mean, _effective(values, mean, max(tasks, episodes or tasks)))


def _effective(values: Sequence[float], mean: float, most: int) -> float:
    """How many independent episodes would give a mean as uncertain as that of these tasks."""
    tasks = len(values)
    if tasks < 2 or not 0.0 < mean < 1.0:
        return float(tasks)  # nothing varies, so nothing is known about how much: each task counts once
    variance = sum((value - mean) ** 2 for value in values) / (tasks - 1) / tasks
    return min(float(most), mean * (1.0 - mean) / variance) if variance > 0.0 else float(most)


def wilson(mean: float, number: float) -> Rate:
    """Wilson's interval of a share.

    Args:
        mean: The share.
        number: Independent observations, perhaps a fraction.
    """
    centre = (mean + Z * Z / (2 * number)) / (1 + Z * Z / number)
    half = Z / (1 + Z * Z / number) * sqrt(mean * (1 - mean) / number + Z * Z / (4 * number * number))
    return Rate(mean, max(0.0, min(mean, centre - half)), min(1.0, max(mean, centre + half)))


def all_of(successes: int, episodes: int, k: int) -> float | None:
    """The chance that k episodes of a task, drawn from those that were played, all succeed (pass^k).

    The unbiased estimate of tau-bench (Yao et al. 2024, arXiv 2406.12045). None where fewer than k were played.
    """
    return comb(successes, k) / comb(episodes, k) if episodes >= k else None


class Difference(NamedTuple):
    """Of two rates over the same tasks: value and 95 % interval, and how likely one as large is by chance."""

    value: float
    low: float
    high: float
    p: float


def difference(pairs: Sequence[tuple[Fraction, Fraction]], *, seed: int = 0) -> Difference:
    """Whether two runs differ on the tasks they share.

    The test flips, in every possible way, which of the two runs a task's results belong to (exact
    paired permutation test). With one episode a task it is McNemar's exact test. The interval is a
    paired bootstrap over tasks (percentiles).

    Args:
        pairs: Per task, the share of successes in each run.
        seed: Of the bootstrap.

    Raises:
        ValueError: There are no pairs.
    """
    if not pairs:
        raise ValueError("two runs without a task in common cannot be compared")
    differences = [second - first for first, second in pairs]
    value = float(sum(differences, Fraction(0)) / len(pairs))
    low, high = _bootstrap([float(each) for each in differences], seed)
    return Difference(value, low, high, _sign_flips(differences))


def _sign_flips(differences: Iterable[Fraction]) -> float:
    """Share of all sign patterns whose sum is at least as far from 0: counted exactly, sum by sum."""
    moved = [each for each in differences if each]
    unit = lcm(*(each.denominator for each in moved)) if moved else 1
    steps = [int(abs(each) * unit) for each in moved]
    observed = abs(sum(int(each * unit) for each in moved))
    sums: dict[int, float] = {0: 1.0}
    for step in steps:
        after: dict[int, float] = {}
        for total, chance in sums.items():
            after[total + step] = after.get(total + step, 0.0) + chance / 2
            after[total - step] = after.get(total - step, 0.0) + chance / 2
        sums = after
    return min(1.0, sum(chance for total, chance in sums.items() if abs(total) >= observed))


def _bootstrap(values: Sequence[float], seed: int) -> tuple[float, float]:
    chance, number = Random(seed), len(values)
    means = sorted(sum(values[int(chance.random() * number)] for _ in range(number)) / number for _ in range(RESAMPLES))
    return means[round(0.025 * (RESAMPLES - 1))], means[round(0.975 * (RESAMPLES - 1))]
