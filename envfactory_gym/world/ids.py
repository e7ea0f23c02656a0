"""Ids and chance of a world: keyed digests, so that the same seed gives the same values everywhere.

The n-th draw of a kind is `blake2b(seed, kind, n)`. Every kind has a counter of its own, so calls
that have nothing to do with each other do not change each other's ids. All draws of an episode
stand in one list; taking back a failed call is cutting that list.
"""

from __future__ import annotations

from hashlib import blake2b

ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Letters and digits of codes, without those that people confuse (I, O, 0, 1)."""

_BITS = 512


class Ids:
    """The draws of one world.

    Args:
        seed: Names the sequence; any integer.
    """

    __slots__ = ("_counters", "_drawn", "_minted", "_prefix", "seed")

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._prefix = b"envfactory-ids %d\x00" % seed
        self._counters: dict[str, int] = {}
        self._drawn: list[str] = []
        self._minted: list[int | str] = []

    def draw(self, kind: str) -> int:
        """The next integer of a kind, of 512 bits."""
        n = self._counters.get(kind, 0)
        self._counters[kind] = n + 1
        self._drawn.append(kind)
        return int.from_bytes(blake2b(b"%s%s\x00%d" % (self._prefix, kind.encode(), n)).digest(), "big")

    def chance(self, kind: str) -> float:
        """The next number of a kind, at least 0 and less than 1."""
        return (self.draw(kind) >> (_BITS - 53)) / (1 << 53)

    def below(self, kind: str, bound: int) -> int:
        """The next integer of a kind, at least 0 and less than `bound`."""
        return self.draw(kind) % bound

    def code(self, kind: str, length: int, alphabet: str) -> str:
        """The next code of a kind.

        Raises:
            ValueError: `length` is not 1 to 64, or the alphabet not of 2 to 128 characters.
        """
        if not 1 <= length <= 64 or not 2 <= len(alphabet) <= 128:
            raise ValueError("a code has 1 to 64 characters from an alphabet of 2 to 128")
        number, base, letters = self.draw(kind), len(alphabet), []
        for _ in range(length):
            number, digit = divmod(number, base)
            letters.append(alphabet[digit])
        return "".join(letters)

    def mint(self, value: int | str) -> None:
        """Remember that a value was made by this world."""
        self._minted.append(value)

    def minted(self, since: tuple[int, int] = (0, 0)) -> set[int | str]:
        """The values minted since a position."""
        return set(self._minted[since[1] :])

    @property
    def position(self) -> tuple[int, int]:
        """How far the draws have come, for `back_to`."""
        return len(self._drawn), len(self._minted)

    def back_to(self, position: tuple[int, int]) -> None:
        """Forget all draws after a position."""
        drawn, minted = position
        if len(self._drawn) > drawn:
            for kind in self._drawn[drawn:]:
                self._counters[kind] -= 1
            del self._drawn[drawn:]
        if len(self._minted) > minted:
            del self._minted[minted:]
