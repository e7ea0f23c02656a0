"""Calibrated refinement: how each row is said, and what is left unsaid, so that a request is as hard as wanted.

Every row comes with several sound references from explicit to implicit, and some values need not be
said at all. Of all choices that reach the wanted implicitness the shortest request wins; a request
that cannot reach it is made as implicit as it can be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..reference import Reference

MOST_IMPLICIT = 4
"""Implicitness of what is not said at all, or only as "it"."""


@dataclass(frozen=True)
class Refined:
    """What was chosen.

    Attributes:
        references: One for each row, in order.
        unsaid: Names of the values left out.
        implicitness: The mean over rows and values that could be left out, from 0 to 4.
    """

    references: tuple[Reference, ...]
    unsaid: tuple[str, ...]
    implicitness: float


@dataclass(frozen=True)
class _Option:
    """One way to treat one part of a request; compared by words, then by its place."""

    words: int
    place: int
    implicit: int


def refine(rows: Sequence[Sequence[Reference]], wanted: float, optional: Sequence[tuple[str, str]] = ()) -> Refined:
    """Choose a reference for every row, and what to leave out.

    Args:
        rows: For each row its sound references.
        wanted: Mean implicitness to reach, from 0 (codes) to 4 (nothing is said).
        optional: Values that a solver can do without: name and words.

    Raises:
        ValueError: A row has no reference.
    """
    if not all(rows):
        raise ValueError("a row without a reference cannot be said")
    parts = [
        [_Option(len(one.words.split()), place, one.implicit) for place, one in enumerate(references)]
        for references in rows
    ]
    parts += [
        [_Option(len(words.split()), 0, 0), _Option(0, 1, MOST_IMPLICIT)] for _, words in optional
    ]  # fmt: skip
    goal = wanted * len(parts)
    # Reached implicitness → the shortest choice that reaches it, part by part.
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for options in parts:
        further: dict[int, tuple[int, tuple[int, ...]]] = {}
        for reached, (words, places) in best.items():
            for option in options:
                total, longer = reached + option.implicit, (words + option.words, (*places, option.place))
                if total not in further or longer < further[total]:
                    further[total] = longer
        best = further
    enough = [total for total in best if total >= goal]
    chosen = min(enough, key=lambda total: (best[total][0], total)) if enough else max(best)
    places = best[chosen][1]
    return Refined(
        tuple(references[place] for references, place in zip(rows, places, strict=False)),
        tuple(name for (name, _), place in zip(optional, places[len(rows) :], strict=True) if place),
        chosen / len(parts) if parts else 0.0,
    )
