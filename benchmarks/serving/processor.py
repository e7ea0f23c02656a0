"""CPU time of a process as the scheduler counts it: nanoseconds, all threads, whatever else runs on the machine."""

from __future__ import annotations

import contextlib
from pathlib import Path


def nanoseconds(pid: int) -> int:
    """CPU time that a process has used so far.

    Raises:
        OSError: This is not Linux, or there is no such process.
    """
    spent = 0
    for task in (Path("/proc") / str(pid) / "task").iterdir():
        # A thread may end between being listed and being read.
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            spent += int((task / "schedstat").read_text(encoding="ascii").split()[0])
    return spent
