"""How people say a stored value, and how a solver reads it back out of the words.

A way of saying counts only if `episode.sources.evaluate` reads the value out of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any

from ...environment import Language
from ...environment.task import Derived, Operation, Said
from ...episode.calendar_words import MONTHS
from ...episode.sources import Knowledge, SourceError, evaluate
from ...episode.wording import say

MAX_TEXT = 60
"""Longest text that somebody says of a row."""

_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?")
_HOURS = ("twelve", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven")
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_EMPTY = Language()


@dataclass(frozen=True)
class Way:
    """One way of saying a value.

    Attributes:
        words: The words.
        value: What a solver reads out of them: the value, or a part of it.
        read: The operation that reads; None where the words are the value.
        table: For `phrase`, the phrase table.
        comparison: How the part stands to the value: `==`, or `starts` for the day of a moment.
        kind: `date`, `time`, `money`, `number`, `phrase`, `name` or `text`.
    """

    words: str
    value: Any
    read: Operation | None = None
    table: str | None = None
    comparison: str = "=="
    kind: str = "text"


def ways(column: str, value: Any, language: Language, now: str, table: str = "") -> tuple[Way, ...]:
    """All ways of saying a value, usual ones first; none for what nobody says.

    Args:
        column: Its column; `_cents` says money, and a phrase table may be called like it.
        value: As it is stored.
        language: Phrase tables.
        now: The clock, which decides whether a date needs its year.
        table: The column's table, for phrase tables called `{table}_{column}`.
    """
    if value is None or isinstance(value, (bytes, list, dict)):
        return ()
    phrases = phrase_table(column, value, language, table)
    if phrases is not None:
        found = [
            Way(words, value, "phrase", phrases, kind="phrase")
            for words in language.phrases[phrases][str(value)]
            if language.value_of(phrases, words) == value
        ]
        return tuple(found)
    if isinstance(value, bool):
        return ()
    return _plain_ways(column.endswith(("_cents", "_minor")), value, now[:10])


def phrase_table(column: str, value: Any, language: Language, table: str = "") -> str | None:
    """The phrase table that says values of a column; the one that is named most like it."""
    if not isinstance(value, str) or not language.phrases:
        return None
    for name in (f"{table}_{column}", column):
        if language.phrases.get(name, {}).get(value):
            return name
    endings = [name for name, phrases in language.phrases.items() if name.endswith(f"_{column}") and phrases.get(value)]
    return min(endings, key=lambda name: (table[:4] not in name, len(name), name), default=None)


@lru_cache(maxsize=8192)
def _plain_ways(money: bool, value: Any, now: str) -> tuple[Way, ...]:
    """Ways without phrase tables. A cache, since the same values are described again and again."""
    heard = [way for way in _written(money, value) if reads_back(way, now)]
    # A year is said only where the day alone would be taken for another year's.
    short = [way for way in heard if way.kind != "date" or str(way.value)[:4] not in way.words]
    return tuple(short or heard)


def _written(money: bool, value: Any) -> Iterator[Way]:
    if isinstance(value, (int, float)):
        if money and isinstance(value, int):
            yield Way(say("money", value, "USD"), value, "money", kind="money")
            if value > 0 and value % 100 == 0:
                yield Way(f"{value // 100:,} dollars", value, "money", kind="money")
        elif isinstance(value, int) and 0 <= value < len(_NUMBERS):
            yield Way(_NUMBERS[value], value, "number", kind="number")
            yield Way(str(value), value, "number", kind="number")
        elif isinstance(value, float) and value * 10 % 1 == 0:
            yield Way(f"{value:,.2f}", value, "number", kind="number")
        else:
            yield Way(str(value), value, "number", kind="number")
            yield Way(say("number", value), value, "number", kind="number")
    elif _DATE.fullmatch(value):
        yield from (Way(words, value, "date", kind="date") for words in day_words(value))
    elif match := _MOMENT.fullmatch(value):
        yield from (Way(words, match[1], "date", comparison="starts", kind="date") for words in day_words(match[1]))
        yield from (
            Way(words, f"{match[2]}", "time", comparison="contains", kind="time") for words in hour_words(match[2])
        )
    elif 0 < len(value) <= MAX_TEXT and value == value.strip() and value.isprintable():
        yield Way(value, value, kind="name" if value[:1].isupper() else "text")


def day_words(day: str) -> list[str]:
    """A day as people write it, without the year first; only real days."""
    try:
        moment = date.fromisoformat(day)
    except ValueError:
        return []
    month = MONTHS[moment.month - 1]
    ending = "th" if 10 < moment.day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(moment.day % 10, "th")
    number = f"{moment.day}{ending}"
    return [
        f"{moment.day} {month}",
        f"{month} {moment.day}",
        f"the {number} of {month}",
        f"{month} {number}",
        f"{moment.day} {month} {moment.year}",
        f"{month} {moment.day}, {moment.year}",
    ]


def hour_words(hour_and_minute: str) -> list[str]:
    """A time of day as people write it: "7:40 am", "half past nine in the evening", "noon"."""
    hour, minute = int(hour_and_minute[:2]), int(hour_and_minute[3:])
    if hour > 23 or minute > 59:
        return []
    half, twelve = ("am" if hour < 12 else "pm"), hour % 12 or 12
    part = "morning" if hour < 12 else "afternoon" if hour < 18 else "evening"
    found = [f"{twelve}:{minute:02} {half}" if minute else f"{twelve} {half}", hour_and_minute]
    if minute == 30 and 5 <= hour <= 22:
        found.append(f"half past {_HOURS[hour % 12]} in the {part}")
    if minute == 0 and hour == 12:
        found.insert(0, "noon")
    return found


def reads_back(way: Way, now: str) -> bool:
    """Whether a solver reads the value out of the words."""
    return _read(way.words, way.read, now) == (type(way.value), way.value)


def _read(words: str, read: Operation | None, now: str) -> tuple[type, Any] | None:
    said = Said(turn=0, span=words)
    source = said if read is None else Derived(op=read, sources=(said,))
    known = Knowledge(requests=[words], slots={}, rules={}, language=_EMPTY, now=now)
    try:
        found = evaluate(source, known)
    except SourceError:
        return None
    return type(found), found


@lru_cache(maxsize=2048)
def kind_of_words(words: str, now: str) -> str:
    """Whether words name a day or a time of day: `date`, `time`, or `text` for all else."""
    if _read(words, "time", now) is not None:
        return "time"
    return "date" if _read(words, "date", now) is not None else "text"


def sayable(phrases: tuple[str, ...]) -> tuple[str, ...]:
    """Of the phrases that are understood, those that make a whole clause; all of them where none does.

    "my plans changed" can be woven into any sentence, "in hospital" only into some.
    """
    whole = tuple(phrase for phrase in phrases if is_clause(phrase))
    return whole or phrases


_CLAUSE = re.compile(
    r"(?:I|I'm|I've|I'd|we|we're|we've|you|it|it's|they|something|nobody|there's|there|"
    r"(?:my|our|your|the|this|that|one of my|one of our)\s+\S+.*?)\s+"
    r"(?:\S+\s+)*?"
    r"(?:is|are|was|were|has|have|had|came|come|will|won't|can't|cannot|do|don't|did|didn't|never|fell|got|need|"
    r"picked|booked|broke|changed|cancelled|scrapped|want|left|down|in|ill|sick|being|hours|\w+ed)\b",
)


_RELATIVE = re.compile(r"(?:the|my|our|your)\s+(?:\S+\s+){1,2}?(?:you|I|we)\s+\S+(?:\s+me)?$")
"""A noun with a relative clause, which is none by itself: `the flight you cancelled`."""


def is_clause(words: str) -> bool:
    """Whether words make a clause of their own, with subject and verb: `my plans changed`."""
    if _RELATIVE.match(words) or words.startswith("the same "):
        return False
    if words.startswith(("I'm ", "I've ", "we're ", "we've ", "it's ")):
        return True
    return len(words.split()) > 2 and _CLAUSE.match(words) is not None


__all__ = ["Way", "day_words", "hour_words", "is_clause", "phrase_table", "reads_back", "sayable", "ways"]
