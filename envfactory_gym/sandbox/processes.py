"""Processes below this one: finding them all, and ending them all."""

from __future__ import annotations

import ctypes
import os
import signal
import time
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36


def _prctl(option: int, value: int) -> bool:
    """Linux's prctl; false elsewhere, or where it is refused."""
    try:
        return bool(ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) == 0)
    except (OSError, AttributeError):
        return False


def adopt_orphans() -> bool:
    """Become the parent of every descendant whose own parent ends, so that none gets away."""
    return _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def die_with_parent() -> bool:
    """Let the kernel kill this process when its parent ends."""
    return _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def close_all_but(kept: set[int]) -> None:
    """Close every open file of this process but these."""
    most = os.sysconf("SC_OPEN_MAX")
    borders = [-1, *sorted(kept), most if most > 0 else 1 << 20]
    for before, after in pairwise(borders):
        if before + 1 < after:  # os.closerange(0, 0) would close everything
            os.closerange(before + 1, after)


def descendants(process: int) -> list[int]:
    """Processes below one, however deep, as /proc tells; empty where there is no /proc."""
    found: list[int] = []
    waiting = [process]
    while waiting:
        parent = waiting.pop()
        for children in Path(f"/proc/{parent}/task").glob("*/children"):
            with suppress(OSError):
                numbers = [int(word) for word in children.read_text().split()]
                found += numbers
                waiting += numbers
    return found


def end_all(seconds: float = 5.0) -> None:
    """Kill every process below this one, until none is left or the time is up."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        for process in descendants(os.getpid()):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return
