"""Chance that is a function: the same name draws the same number, on every machine and Python version.

There is no state and no order: what one thing draws cannot disturb what another draws, so data can be
extended without changing what was there before.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")


def number(low: int, high: int, *name: object) -> int:
    """A whole number from `low` to `high`, both included, decided by `name` alone."""
    digest = blake2b("\x1f".join(map(str, name)).encode(), digest_size=8).digest()
    return low + int.from_bytes(digest, "big") % (high - low + 1)


def chance(percent: int, *name: object) -> bool:
    """True for about `percent` of a hundred names."""
    return number(0, 99, *name) < percent


def pick(options: Sequence[T], *name: object) -> T:
    """One of the options, decided by `name` alone."""
    return options[number(0, len(options) - 1, *name)]


def weighted(options: Sequence[tuple[T, int]], *name: object) -> T:
    """One of the options, each given with its weight."""
    left = number(0, sum(weight for _, weight in options) - 1, *name)
    for option, weight in options:
        if left < weight:
            return option
        left -= weight
    raise AssertionError("weights add up to more than what was drawn")
