"""Similarity without a model: words of names and descriptions, rare words counting more.

The threshold was calibrated on the shipped environments, where `Ref` says which pairs belong together
(docs/tool-graph.md has the figures); a link it adds beyond them still has to be executed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..words import GENERIC, words
from .base import Text

THRESHOLD = 0.72
"""Scores above it make a link."""

_TEXTUAL = frozenset({"string", "any"})
_NUMERIC = frozenset({"integer", "number"})


@dataclass
class Lexical:
    """Cosine of name words, with a share for description words; types have to fit.

    Attributes:
        threshold: Scores above it make a link.
        name_share: Weight of the name; the rest is the description's, where both have one.
    """

    threshold: float = THRESHOLD
    name_share: float = 0.8
    name: str = "lexical"

    def scores(self, outputs: Sequence[Text], inputs: Sequence[Text]) -> list[list[float]]:
        """The score of each output with each input, in [0, 1]; zero where the types do not fit."""
        everything = [*outputs, *inputs]
        rare_names = _rarity(map(_name_words, everything))
        rare_words = _rarity(words(text.description) for text in everything)
        names = {text: _vector(_name_words(text), rare_names) for text in everything}
        described = {text: _vector(words(text.description), rare_words) for text in everything}
        known: dict[tuple[Text, Text], float] = {}
        rows = []
        for output in outputs:
            row = []
            for wanted in inputs:
                pair = output, wanted
                if pair not in known:
                    known[pair] = self._score(pair, names, described)
                row.append(known[pair])
            rows.append(row)
        return rows

    def _score(
        self,
        pair: tuple[Text, Text],
        names: dict[Text, dict[str, float]],
        described: dict[Text, dict[str, float]],
    ) -> float:
        first, second = pair
        if not _fit(first.type, second.type):
            return 0.0
        by_name = _cosine(names[first], names[second])
        if not by_name:
            return 0.0
        if not (described[first] and described[second]):
            return by_name
        by_description = _cosine(described[first], described[second])
        return self.name_share * by_name + (1 - self.name_share) * by_description


def _name_words(text: Text) -> tuple[str, ...]:
    """The words of the last part of a path; a generic last word is read with what it is of."""
    parts = [words(part) for part in text.name.replace("[]", "").replace(".*", "").split(".")]
    last = parts[-1]
    if len(last) == 1 and last[0] in GENERIC:
        around = parts[-2] if len(parts) > 1 else words(text.subject)
        return (*around, *last)
    return last


def _fit(first: str, second: str) -> bool:
    if first == second or "any" in (first, second):
        return True
    return {first, second} <= _NUMERIC or {first, second} <= _TEXTUAL | {"date", "date-time"}


def _rarity(texts: Iterable[tuple[str, ...]]) -> dict[str, float]:
    counts: Counter[str] = Counter()
    total = 0
    for text in texts:
        counts.update(set(text))
        total += 1
    return {word: 1.0 + math.log((1 + total) / (1 + count)) for word, count in counts.items()}


def _vector(found: tuple[str, ...], rarity: dict[str, float]) -> dict[str, float]:
    vector = {word: rarity[word] for word in sorted(set(found))}
    length = math.sqrt(sum(weight * weight for weight in vector.values()))
    return {word: weight / length for word, weight in vector.items()} if length else {}


def _cosine(first: dict[str, float], second: dict[str, float]) -> float:
    if len(second) < len(first):
        first, second = second, first
    return round(sum(weight * second.get(word, 0.0) for word, weight in first.items()), 6)
