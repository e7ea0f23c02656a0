"""Which tools may run on the event loop, learnt from how long they took.

A quick call costs less than handing it to a thread; a slow one would hold up everybody. So a tool
runs in a thread until it has been quick a few times, then on the loop, and back in a thread for good
measure once it was slow. Nothing has to be declared.

The clock on the wall makes every tool slow on a busy machine, and the clock of a thread's own work
is dear. So on the loop the wall is looked at, and whoever seems slow by it has the next call, and no
more than that one, timed well.
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
    """How long a call computed, on whatever thread; a busy machine makes no tool slower by this clock."""

    seconds = 0.0

    def on(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """Call a function and take its time."""
        began = time.thread_time()
        try:
            return function(*arguments)
        finally:
            self.seconds = time.thread_time() - began


class Pace:
    """What is known about the tools of one environment."""

    def __init__(self) -> None:
        self._missing: dict[str, int] = {}
        self._suspected: set[str] = set()

    def needs_no_clock(self, tool: str) -> bool:
        """Whether a call may run on the loop with a look at the wall; asked once for each."""
        if tool in self._suspected:
            self._suspected.discard(tool)
            return False
        return self.is_quick(tool)

    def is_quick(self, tool: str) -> bool:
        """Whether a tool may run on the loop."""
        return self._missing.get(tool, TRUST) <= 0

    def seemed(self, tool: str, seconds: float) -> None:
        """A call on the loop has taken so long, by the wall."""
        if seconds > QUICK:
            self._suspected.add(tool)

    def took(self, tool: str, seconds: float) -> None:
        """A call has computed for so long."""
        if seconds > QUICK:
            self._missing[tool] = AMENDS
        elif (missing := self._missing.get(tool, TRUST)) > 0:
            self._missing[tool] = missing - 1
