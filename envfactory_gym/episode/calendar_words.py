"""Dates and times of day in English prose: "May 3", "3rd of May 2026", "05/03/2026", "2.30pm", "noon"."""

from __future__ import annotations

import re

from .memo import remembered
from .mentions import FAIR, STRONG, WEAK, WORD, WORDS, Mention, without_overlaps

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_LENGTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|(?-i:Mar(?:ch)?|MAR(?:CH)?)|apr(?:il)?|(?-i:May|MAY)|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_LOOSE_MONTH = _MONTH.replace("(?-i:", "(?:")
_ORDINAL = r"(?:st|nd|rd|th)"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])"
_YEAR = r"(?:19|20)\d\d"
_ANY_YEAR = rf"(?:,? (?P<year>{_YEAR})\b)?"
_FLAGS = re.IGNORECASE
_ISO = re.compile(rf"(?<![\d-])({_YEAR})[-/](\d\d?)[-/](\d\d?)(?!\d)", _FLAGS)
_MONTH_DAY = re.compile(
    rf"\b(?P<month>{_MONTH})\b\.? ?(?:the )?(?P<day>{_DAY})(?!\d){_ORDINAL}?\b(?!:\d){_ANY_YEAR}",
    _FLAGS,
)
_LOWER_MONTH_DAY = re.compile(
    r"\b(?:on|for|from|to|until|by|of) "
    rf"(?P<month>{_LOOSE_MONTH})\b\.? ?(?P<day>{_DAY})(?!\d){_ORDINAL}?\b(?!:\d){_ANY_YEAR}",
    _FLAGS,
)
_DAY_MONTH = re.compile(
    rf"(?<![\d.,:/])(?P<day>{_DAY}){_ORDINAL}?(?: of)?(?:,? |-)?(?P<month>{_MONTH})\b\.?"
    rf"(?:(?:,? ?|-| of )(?P<year>{_YEAR})\b)?",
    _FLAGS,
)
_ORDINAL_MONTH = re.compile(
    rf"(?<![\d.,:/])(?P<day>{_DAY}){_ORDINAL}(?: of)? (?P<month>{_LOOSE_MONTH})\b\.?(?:,? (?P<year>{_YEAR})\b)?", _FLAGS
)
_MORE_DAYS = re.compile(
    rf"^ ?(?:-|to |until |through |till )(?:the )?(?P<range>{_DAY}){_ORDINAL}?(?![\d:.]\d| ?[ap]\.?m\b|\w)"
    rf"|^(?:,? and|,? or|,|,? to) (?:the )?(?P<list>{_DAY}){_ORDINAL}\b(?! of)",
    _FLAGS,
)
_SLASHED = re.compile(rf"(?<![\d/])(\d\d?)/(\d\d?)/({_YEAR}|\d\d)(?![\d/])", _FLAGS)
_DOTTED = re.compile(rf"(?<![\d.])(\d\d?)\.(\d\d?)\.({_YEAR})(?!\d)", _FLAGS)
_DASHED = re.compile(rf"(?<![\d-])(\d\d?)-(\d\d?)-({_YEAR})(?![\d-])", _FLAGS)
_SHORT = re.compile(r"(?<![\d/.])(1[0-2]|0?[1-9])/(3[01]|[12]\d|0?[1-9])(?![\d/]|\.\d)", _FLAGS)


@remembered(64)
def dates(text: str) -> tuple[Mention, ...]:
    """Dates in a plain text, as (year or None, month, day); numeric ones read month first, as in the US."""
    found: list[Mention] = []

    def add(year: str | None, month: int, day: int, start: int, end: int, strength: int = STRONG) -> None:
        if 1 <= month <= 12 and 1 <= day <= _LENGTHS[month - 1]:
            full = None if year is None else int(year) + (2000 if len(year) == 2 else 0)
            found.append(Mention((full, month, day), start, end, strength))

    for match in _ISO.finditer(text):
        add(match[1], int(match[2]), int(match[3]), *match.span())
    for pattern in (_MONTH_DAY, _LOWER_MONTH_DAY, _DAY_MONTH, _ORDINAL_MONTH):
        for match in pattern.finditer(text):
            month = _month(match["month"])
            start = match.start("month") if pattern is _LOWER_MONTH_DAY else match.start()
            add(match["year"], month, int(match["day"]), start, match.end())
            end = match.end()
            if pattern in (_MONTH_DAY, _LOWER_MONTH_DAY) and not match["year"]:
                while more := _MORE_DAYS.match(text[end : end + 24]):
                    day = more["range"] or more["list"]
                    at = end + more.start("range" if more["range"] else "list")
                    end += more.end()
                    add(None, month, int(day), at, end)
    for match in _SLASHED.finditer(text):
        first, second = int(match[1]), int(match[2])
        month, day = (second, first) if first > 12 else (first, second)
        add(match[3], month, day, *match.span())
    for match in _DOTTED.finditer(text):
        add(match[3], int(match[2]), int(match[1]), *match.span())
    for match in _DASHED.finditer(text):
        first, second = int(match[1]), int(match[2])
        month, day = (second, first) if first > 12 else (first, second)
        add(match[3], month, day, *match.span())
    for match in _SHORT.finditer(text):
        add(None, int(match[1]), int(match[2]), *match.span(), WEAK)
    return tuple(without_overlaps(found))


def _month(name: str) -> int:
    return next(number for number, month in enumerate(MONTHS, 1) if month.lower().startswith(name.lower()[:3]))


_HALF = r"(?P<half>a\.?m\b\.?|p\.?m\b\.?|(?:o'clock )?(?:in the (?:morning|afternoon|evening)|at night))"
_NOT_LENGTH = r"(?! ?-?(?:h|hr|hrs|hours?|min|mins|minutes?)\b)"
_CLOCK = re.compile(
    r"(?<![\d:.])(?P<h>[01]?\d|2[0-3])(?P<sep>:|h)(?P<m>[0-5]\d)(?::[0-5]\d(?:\.\d+)?)?(?![\d:])"
    rf"{_NOT_LENGTH}(?: ?{_HALF})?",
    _FLAGS,
)
_DOT = re.compile(rf"(?<![\d:.,$])(?P<h>1[0-2]|0?\d)\.(?P<m>[0-5]\d) ?{_HALF}", _FLAGS)
_HOUR = re.compile(rf"(?<![\d:.,$])(?P<h>1[0-2]|0?\d) ?{_HALF}", _FLAGS)
_OCLOCK = re.compile(rf"\b(?P<h>1[0-2]|0?[1-9]|{WORD}) o'clock(?: {_HALF})?", _FLAGS)
_MILITARY = re.compile(r"(?<![\d:.,$])([01]\d|2[0-3])([0-5]\d)(?: ?(?:hours|hrs|h)\b)", _FLAGS)
_PAST = re.compile(
    rf"\b(?P<part>half|quarter|a quarter) (?P<side>past|to) (?P<h>1[0-2]|[1-9]|{WORD})\b(?: ?{_HALF})?", _FLAGS
)
_PARTS = re.compile(r"\b(?:half|quarter)\b", _FLAGS)
_NOON = re.compile(r"\b(?:(?:12 )?(?P<noon>noon|midday)|(?:12 )?midnight)\b", _FLAGS)
_AFTER_NOON = re.compile(r"^(?:p|.*(?:afternoon|evening|night))", _FLAGS)


@remembered(64)
def times(text: str) -> tuple[Mention, ...]:
    """Times of day in a plain text, as minutes after midnight; without "am" or "pm" on 24 hours."""
    found: list[Mention] = []

    def add(hour: int, minute: int, half: str | None, span: tuple[int, int], strength: int = STRONG) -> None:
        if half:
            if not 1 <= hour <= 12:
                if _AFTER_NOON.match(half) and hour > 12:  # "14:30 in the afternoon"
                    found.append(Mention(60 * hour + minute, *span, strength))
                return
            late = bool(_AFTER_NOON.match(half)) and not (half.lower().endswith("night") and hour in (12, 1, 2, 3, 4))
            hour = hour % 12 + (12 if late else 0)
        found.append(Mention(60 * hour + minute, *span, strength))

    for match in _CLOCK.finditer(text):
        add(int(match["h"]), int(match["m"]), match["half"], match.span(), STRONG if match["sep"] == ":" else FAIR)
    for match in _DOT.finditer(text):
        add(int(match["h"]), int(match["m"]), match["half"], match.span())
    for match in _HOUR.finditer(text):
        add(int(match["h"]), 0, match["half"], match.span())
    for match in _OCLOCK.finditer(text) if "clock" in text.lower() else ():
        add(_number(match["h"]), 0, match["half"], match.span(), FAIR)
    for match in _MILITARY.finditer(text):
        add(int(match[1]), int(match[2]), None, match.span(), FAIR)
    for match in _PAST.finditer(text) if _PARTS.search(text) else ():
        minute = 30 if match["part"].lower() == "half" else 15
        total = 60 * _number(match["h"]) + (minute if match["side"].lower() == "past" else -minute)
        if 0 < total < 13 * 60:
            add(total // 60 or 12, total % 60, match["half"], match.span(), FAIR)
    for match in _NOON.finditer(text):
        found.append(Mention(720 if match["noon"] else 0, *match.span()))
    return tuple(without_overlaps(found))


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else WORDS[text.lower()]
