"""Measuring time so that a busy machine does not show: CPU time of the thread, and medians.

Short things are timed alone where their spread matters (a reset), in rounds of many where their
mean does (a step). What reading the clock itself costs is measured first and taken off.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

Figures = dict[str, float]
"""`mean`, `p50`, `p95`, `min` in microseconds, and the number `n` of samples."""


def summary(samples: Sequence[float]) -> Figures:
    """Figures of samples given in nanoseconds."""
    ordered = sorted(samples)
    last = len(ordered) - 1

    def at(share: float) -> float:
        return ordered[round(last * share)] / 1e3

    return {
        "mean": sum(ordered) / len(ordered) / 1e3, "p50": at(0.5), "p95": at(0.95), "min": at(0.0),
        "n": float(len(ordered)),
    }  # fmt: skip


def reading_cost(clock: Callable[[], int] = time.thread_time_ns) -> float:
    """Nanoseconds that lie between two readings with nothing in between."""
    found = []
    for _ in range(2_000):
        start = clock()
        found.append(clock() - start)
    return float(sorted(found)[len(found) // 2])


@contextmanager
def no_collection() -> Iterator[None]:
    """A block without garbage collection, which would fall on whoever happens to run."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def timed(
    work: Callable[[], object],
    *,
    samples: int,
    before: Callable[[], object] | None = None,
    repeat: int = 1,
    warm: int = 20,
    clock: Callable[[], int] = time.thread_time_ns,
) -> Figures:
    """Time a piece of work.

    Args:
        work: What to time.
        samples: How many samples to take.
        before: Run before each sample, untimed.
        repeat: How often `work` runs in one sample; figures are per run.
        warm: Untimed samples at the beginning.
        clock: A clock in nanoseconds; by default CPU time of this thread.
    """
    cost = reading_cost(clock)
    found = []
    with no_collection():
        for number in range(warm + samples):
            if before is not None:
                before()
            start = clock()
            for _ in range(repeat):
                work()
            spent = clock() - start
            if number >= warm:
                found.append(max(spent - cost, 0.0) / repeat)
    return summary(found)
