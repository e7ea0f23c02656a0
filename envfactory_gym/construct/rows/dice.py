"""Chance that is the same on every Python: keyed digests instead of `random`."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")


class Dice:
    """A stream of numbers that depends on its key alone.

    Args:
        key: What the stream is for; equal keys give equal streams.
    """

    def __init__(self, *key: object) -> None:
        self._key = "\x1f".join(map(str, key)).encode()
        self._count = 0

    def below(self, limit: int) -> int:
        """A whole number from 0 to `limit - 1`."""
        digest = hashlib.blake2b(
            self._count.to_bytes(8, "big"), key=hashlib.blake2b(self._key, digest_size=32).digest(), digest_size=8
        )
        self._count += 1
        return int.from_bytes(digest.digest(), "big") % limit

    def between(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def pick(self, items: Sequence[Item]) -> Item:
        """One of the items."""
        return items[self.below(len(items))]

    def one_in(self, chances: int) -> bool:
        """True once in `chances` times."""
        return self.below(chances) == 0

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """The items in another order."""
        left = list(items)
        for last in range(len(left) - 1, 0, -1):
            other = self.below(last + 1)
            left[last], left[other] = left[other], left[last]
        return left

    def code(self, length: int = 6, alphabet: str = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789") -> str:
        """A code of letters and digits that cannot be misread."""
        return "".join(alphabet[self.below(len(alphabet))] for _ in range(length))
