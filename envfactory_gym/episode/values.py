"""Typed values and the words for them: finding them in text, and deciding whether they are meant.

Kinds: number · money (minor units) · date (ISO) · time (HH:MM) · duration (minutes) · name · enum.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from fractions import Fraction
from typing import Any

from ..environment.task import AnswerKind
from .calendar_words import dates, times
from .memo import remembered
from .mentions import HINT, STRONG, Mention
from .prose import plain
from .quantities import durations, exponent, money, numbers
from .wording import render, say

Kind = AnswerKind

__all__ = [
    "Kind",
    "Mention",
    "equal",
    "exponent",
    "find",
    "find_words",
    "folded",
    "normalised",
    "parse",
    "render",
    "say",
]


def find(kind: Kind, text: str, currency: str | None = None) -> tuple[Mention, ...]:
    """All mentions of a kind in a text already made `plain`, in order. Not for names and enums."""
    if kind == "money":
        return money(text, currency)
    return _FINDERS[kind](text)


_FINDERS: dict[str, Callable[[str], tuple[Mention, ...]]] = {
    "number": numbers,
    "date": dates,
    "time": times,
    "duration": durations,
}


def normalised(kind: Kind, value: Any) -> Any:
    """A stored value in the form mentions have.

    Raises:
        ValueError: The value is not of that kind.
    """
    if kind in ("number", "money", "duration"):
        if isinstance(value, bool) or not isinstance(value, (int, float, str, Fraction)):
            raise ValueError(f"{value!r} is not a {kind}")
        return Fraction(str(value)) if isinstance(value, float) else Fraction(value)
    if kind == "date":
        found = _moment(value)
        return found.year, found.month, found.day
    if kind == "time":
        if match := re.fullmatch(r"(\d\d?):(\d\d)(?::\d\d.*)?", str(value)):
            return 60 * int(match[1]) + int(match[2])
        moment = _moment(value)
        return 60 * moment.hour + moment.minute
    return folded(str(value))


def _moment(value: Any) -> datetime:
    try:
        return datetime.fromisoformat(str(value))
    except ValueError:
        raise ValueError(f"{value!r} is not an ISO 8601 date or time") from None


def equal(kind: Kind, wanted: Any, mention: Mention, currency: str | None = None) -> bool:
    """Whether a mention means a value.

    Args:
        kind: Their kind.
        wanted: The value out of `normalised`.
        mention: What was found in the text. A date without a year means the wanted value's year; a
            number with at least two decimals may be the wanted one rounded to them.
        currency: Currency of a wanted amount of money.
    """
    if kind == "date":
        return bool(mention.value[1:] == wanted[1:] and mention.value[0] in (None, wanted[0]))
    if kind == "money" and currency and mention.currencies is not None and currency not in mention.currencies:
        return False
    if kind == "number" and mention.value != wanted:
        return _rounded(wanted, mention.value)
    return bool(mention.value == wanted)


def _rounded(wanted: Fraction, shown: Fraction) -> bool:
    """Whether a long fraction was shown with two to six decimals."""
    return any(
        shown.denominator != 1 and 10**places % shown.denominator == 0 and round(wanted, places) == shown
        for places in range(2, 7)
        if 10**places % wanted.denominator
    )


@remembered(4096)
def folded(words: str) -> str:
    """Words without case, accents, hyphens and repeated spaces."""
    return " ".join(re.sub(r"[-/_]", " ", plain(words)).casefold().split())


_ABBREVIATING = re.compile(r"(?<=\w)\.(?=\s|$)")
_DOUBLED = re.compile(r"ll(?=ed\b|ing\b)")
_CODE = re.compile(r"\b([a-z]{1,3}) ?(\d{1,5}[a-z]?)\b")


@remembered(4096)
def word_key(words: str) -> str:
    """The form in which names compare: folded, and one for spellings that people vary.

    "Dr. Lind" and "Dr Lind", "SK 4035" and "SK4035", "canceled" and "cancelled" have one key.
    """
    return _CODE.sub(r"\1\2", _DOUBLED.sub("l", _ABBREVIATING.sub("", folded(words))))


def find_words(wordings: Sequence[str], text: str) -> list[Mention]:
    """Where one of the wordings stands in a folded text, as whole words; the longest one at each place.

    The value of a mention is its `word_key`.
    """
    keys = sorted({word_key(wording) for wording in wordings} - {""}, key=lambda key: (-len(key), key))
    whole = _CODE.sub(r"\1\2", _DOUBLED.sub("l", _ABBREVIATING.sub("", text)))
    present = [key for key in keys if key in whole]
    if not present:
        return []
    pattern = r"(?<![^\W_])(?:" + "|".join(map(_loosely, present)) + r")(?![^\W_])"
    return [Mention(word_key(match.group()), *match.span(), STRONG) for match in re.finditer(pattern, text)]


def _loosely(key: str) -> str:
    """A pattern for all spellings that have this key."""
    pattern = r"\.?\ ".join(re.escape(word) for word in key.split())
    pattern = re.sub(r"l(?=ed\b|ing\b)", "ll?", pattern)
    return re.sub(r"(?<![a-z0-9])([a-z]{1,3})(?=\d{1,5}[a-z]?(?![a-z0-9]))", r"\1 ?", pattern)


def parse(kind: Kind, text: str, *, now: str | None = None, currency: str | None = None) -> Any:
    """The first value of a kind in a text, in the form it is stored; None where there is none.

    Args:
        kind: The kind to look for.
        text: Words such as a user's.
        now: Clock that decides the year of a date without one: the nearest such date.
        currency: Currency of money; decides its minor unit.
    """
    if kind in ("name", "enum"):
        return " ".join(text.split()) or None
    mentions = find(kind, plain(text), currency)
    if not mentions:
        return None
    strongest = max(mention.strength for mention in mentions)
    chosen = next(
        mention
        for mention in mentions
        if mention.strength == strongest or (kind == "number" and mention.strength > HINT)
    )
    value = chosen.value
    if kind == "date":
        return _nearest(value, now).isoformat()
    if kind == "time":
        return f"{value // 60:02}:{value % 60:02}"
    return int(value) if value.denominator == 1 else float(value)


def _nearest(found: tuple[int | None, int, int], now: str | None) -> date:
    year, month, day = found
    if year is not None:
        return date(year, month, day)
    today = (datetime.fromisoformat(now) if now else datetime(2000, 1, 1, tzinfo=UTC)).date()
    options = []
    for candidate in (today.year - 1, today.year, today.year + 1, today.year + 2, today.year + 3):
        try:
            options.append(date(candidate, month, day))
        except ValueError:
            continue  # 29 February exists in some of these years only
    return min(options, key=lambda option: (abs((option - today).days), option))
