"""Small things that a live world remembers: marks, checkpoints, and the calls that succeeded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """A moment of a world, to ask later what changed since. Gone after a reset or a restore to before it."""

    position: int
    serial: int


@dataclass(frozen=True, slots=True, eq=False)
class Checkpoint:
    """A state of a world to come back to, any number of times."""

    depth: int
    serial: int
    draws: tuple[int, int]
    calls: int
    now: str


class Call(NamedTuple):
    """A successful call, as given, with what is needed to make it again. Every call makes one, so it is a tuple."""

    tool: str
    arguments: str | bytes
    actor: str
    now: str
    result: str
    left_trace: bool
