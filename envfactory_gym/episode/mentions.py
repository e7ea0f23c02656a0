"""What a mention of a value in text is, and when it equals a typed value.

Each recogniser finds mentions of one kind in the plain form of a text (`prose.plain`). A mention
has a strength: "$120" is money, a bare "120" might be. An answer may stand on a weak mention; it is
then judged against the other weak ones too, else only against the strong ones.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any

STRONG, FAIR, WEAK, HINT = 3, 2, 1, 0
"""Strengths: unmistakable · in the kind's form · could be of the kind · counts for, never against."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A value where it stands in a plain text.

    `value`: number and duration (minutes) a Fraction · money minor units, or a pair of amount and
    None where the currency is open · date (year or None, month, day) · time minutes after midnight ·
    name and enum the folded words. `currencies` are those the mention may mean; None for any.
    """

    value: Any
    start: int
    end: int
    strength: int = STRONG
    currencies: frozenset[str] | None = None


def without_overlaps(mentions: Sequence[Mention]) -> list[Mention]:
    """In order of position; of two that overlap, the earlier, or from one place the longer."""
    result: list[Mention] = []
    for mention in sorted(mentions, key=lambda m: (m.start, -m.end)):
        if not result or mention.start >= result[-1].end:
            result.append(mention)
    return result


def outside(mentions: Sequence[Mention], spans: Sequence[tuple[int, int]]) -> list[Mention]:
    """Those that touch none of the spans."""
    ordered = sorted(spans)
    starts = [start for start, _ in ordered]
    reach = list(accumulate((end for _, end in ordered), max))
    result = []
    for mention in mentions:
        before = bisect_left(starts, mention.end)
        if not before or reach[before - 1] <= mention.start:
            result.append(mention)
    return result


_UNITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def _number_words() -> dict[str, int]:
    words = {word: number for number, word in enumerate(_UNITS)}
    for ten, tens in enumerate(_TENS, start=2):
        words[tens] = 10 * ten
        for number, word in enumerate(_UNITS[1:10], start=1):
            words[f"{tens}-{word}"] = words[f"{tens} {word}"] = 10 * ten + number
    return words


WORDS = _number_words()
"""Number words up to ninety-nine."""
WORD = (
    r"(?=[efnostz])(?:(?:"
    + "|".join(_TENS)
    + r")(?:[- ](?:"
    + "|".join(_UNITS[1:10])
    + r")(?![a-z]))?|"
    + "|".join(sorted(_UNITS, key=len, reverse=True))
    + ")"
)
"""A pattern for the keys of `WORDS`, to be compiled without regard to case."""

AMOUNT = (
    r"(?:\d{1,3}(?:\.\d{3}){1,6},\d{1,2}"  # 1.234,50
    r"|\d{1,3}(?:'\d{3}){1,6}(?:\.\d{1,2})?"  # 1'234.50
    r"|\d{1,3}(?:,\d{3}){1,6}(?:\.\d{1,20})?"  # 1,234.50
    r"|\d{1,18},\d{2}(?!\d)"  # 1234,50
    r"|\d{1,18}(?:\.\d{1,20})?)"  # 1234.50
)
BEFORE, BEHIND = r"(?<![A-Za-z0-9])(?<!\d[.,:/])", r"(?![A-Za-z0-9])(?![.,:]\d)"


def amount(text: str) -> Fraction:
    """The number that a match of `AMOUNT` (or with spaces between thousands) writes."""
    text = text.replace("'", "").replace(" ", "")
    if re.fullmatch(r"\d{1,3}(?:\.\d{3})+,\d{1,2}|\d+,\d{2}", text):
        text = text.replace(".", "").replace(",", ".")
    return Fraction(text.replace(",", ""))
