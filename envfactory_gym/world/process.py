"""Which process this is, counted in forks, so that asking costs no system call.

A database connection must not cross a fork. Every world remembers the count under which it was
opened, and asks at each use.
"""

from __future__ import annotations

import os


class _Process:
    """The count of forks that led to this process; the only state of this module."""

    forks = 0


def forks() -> int:
    """How many forks lie between the first process that loaded this module and this one."""
    return _Process.forks


def _count_fork() -> None:
    _Process.forks += 1


if hasattr(os, "register_at_fork"):  # not on Windows, which cannot fork
    os.register_at_fork(after_in_child=_count_fork)
