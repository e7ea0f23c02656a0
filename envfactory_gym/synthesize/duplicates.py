"""Near-duplicates: tasks with the same goal template whose words are nearly the same."""

from __future__ import annotations

import re

ALIKE = 0.8
"""Jaccard similarity of word 3-grams from which two requests count as one."""


class Duplicates:
    """Remembers the requests of a set of tasks, by goal template."""

    def __init__(self) -> None:
        self._seen: dict[str, list[frozenset[tuple[str, ...]]]] = {}

    def add(self, template: str, text: str) -> bool:
        """Remember a request; False, and not remembered, where it nearly repeats one of the same template."""
        grams = trigrams(text)
        known = self._seen.setdefault(template, [])
        if any(jaccard(grams, other) >= ALIKE for other in known):
            return False
        known.append(grams)
        return True


def trigrams(text: str) -> frozenset[tuple[str, ...]]:
    """The word 3-grams of a text; of a shorter one, all its words as one."""
    words = re.findall(r"\w+", text.casefold())
    return frozenset(zip(words, words[1:], words[2:], strict=False)) or frozenset({tuple(words)})


def jaccard(one: frozenset[tuple[str, ...]], other: frozenset[tuple[str, ...]]) -> float:
    """Shared part of two sets, of all they have."""
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if one or other else 1.0
