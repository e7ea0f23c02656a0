"""Which tools may run on the event loop, learnt from how long they took.

A quick call costs less than handing it to a thread; a slow one would hold up everybody. So a tool
runs in a thread until it has been quick a few times, then on the loop, and back in a thread for good
measure once it was slow. Nothing has to be declared.

The clock on the wall makes every tool slow on a busy machine, and the clock of a thread's own work
is dear. So on the loop the wall is looked at, and whoever seems slow by it is timed well the next
time: a tool that turns slow holds up the loop twice at most.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

Result = TypeVar("Result")

QUICK = 0.005
"""Seconds within which a call is quick."""

TRUST = 3
"""Quick calls in a row after which a tool may run on the loop."""

AMENDS = 200
"""The same, for a tool that was slow before."""


class Spent:
    """How long a call took: by the wall, or if `well` is asked for, what its thread computed."""

    __slots__ = ("seconds", "well")

    def __init__(self, *, well: bool) -> None:
        self.well = well
        self.seconds = 0.0

    def on(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """Call a function and take its time."""
        clock = time.thread_time if self.well else time.perf_counter
        began = clock()
        try:
            return function(*arguments)
        finally:
            self.seconds = clock() - began


class Pace:
    """What is known about the tools of one environment."""

    def __init__(self) -> None:
        self._missing: dict[str, int] = {}
        self._suspects: set[str] = set()

    def is_quick(self, tool: str) -> bool:
        """Whether a tool may run on the loop."""
        return self._missing.get(tool, TRUST) <= 0

    def timing(self, tool: str) -> Spent:
        """How a call is to be timed."""
        return Spent(well=tool in self._suspects or self._missing.get(tool, TRUST) > 0)

    def took(self, tool: str, spent: Spent) -> None:
        """A call has ended."""
        if spent.seconds > QUICK:
            if spent.well:
                self._missing[tool] = AMENDS
            self._suspects.add(tool)
            return
        if spent.well:
            self._suspects.discard(tool)
        if (missing := self._missing.get(tool, TRUST)) > 0:
            self._missing[tool] = missing - 1
