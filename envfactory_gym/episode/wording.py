"""How people write a typed value: the one form scripts use, and the many forms a grader must accept."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from fractions import Fraction
from typing import Any

from .calendar_words import MONTHS
from .mentions import WORDS
from .quantities import exponent

_SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "INR": "₹", "KRW": "₩"}
_NAMES = {
    "USD": "dollars",
    "EUR": "euros",
    "GBP": "pounds",
    "JPY": "yen",
    "CAD": "Canadian dollars",
    "CHF": "Swiss francs",
}
_DIGIT_WORDS = {number: word for word, number in WORDS.items() if " " not in word and number <= 12}
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def say(kind: str, value: Any, currency: str | None = None, phrases: Sequence[str] = ()) -> str:
    """The one natural form of a value: "$1,234.50", "3 May 2026", "14:30", "2 hours 30 minutes"."""
    return render(kind, value, currency, phrases)[0]


def render(kind: str, value: Any, currency: str | None = None, phrases: Sequence[str] = ()) -> list[str]:
    """At least ten natural forms of a value, the usual one first. Each must be accepted as an answer.

    Args:
        kind: number, money, date, time, duration, name or enum.
        value: As it is stored: money in minor units, dates and times ISO 8601, durations in minutes.
        currency: ISO code, for money.
        phrases: Other wordings, for an enum.

    Raises:
        ValueError: The value is not of that kind, or the kind is unknown.
    """
    if kind == "number":
        forms = _number(Fraction(str(value)))
    elif kind == "money":
        forms = _money(int(value), currency)
    elif kind == "date":
        forms = _date(datetime.fromisoformat(str(value)).date())
    elif kind == "time":
        forms = _time(str(value))
    elif kind == "duration":
        forms = _duration(Fraction(str(value)))
    elif kind in ("name", "enum"):
        words = str(value).replace("_", " ") if kind == "enum" else str(value)
        forms = [*([phrases[0]] if phrases else []), words, *phrases[1:], str(value), words.upper(), words.lower()]
        forms += [_capital(words), f"({words})", f"[{words}]", f"= {words}", f"{words}, that is", f"<{words}>"]
    else:
        raise ValueError(f"there is no kind {kind!r}")
    first = forms[0]
    return list(
        dict.fromkeys([*forms, f"**{first}**", f"`{first}`", f'"{first}"', f"'{first}'", f"_{first}_", f"({first})"])
    )


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _decimal(value: Fraction, places: int | None = None) -> str:
    if places is None:
        return str(value.numerator) if value.denominator == 1 else repr(float(value))
    return f"{float(value):.{places}f}" if places else str(round(value))


def _grouped(text: str, mark: str = ",", point: str = ".") -> str:
    whole, dot, rest = text.partition(".")
    whole = re.sub(r"(?<=\d)(?=(?:\d{3})+$)", mark, whole)
    return whole + (point + rest if dot else "")


def _number(value: Fraction) -> list[str]:
    text = _decimal(value)
    forms = [_grouped(text), text, f"exactly {text}", f"= {text}", f"{text} in total", f"a total of {_grouped(text)}"]
    if value.denominator == 1:
        forms += [f"{text}.0", _grouped(text, "\u202f")]
        if int(value) in _DIGIT_WORDS:
            word = _DIGIT_WORDS[int(value)]
            forms += [word, word.capitalize()]
    else:
        forms += [f"{text}0"]
    if value < 0:
        forms += [f"minus {text[1:]}", f"\u2212{text[1:]}"]
    return forms


def _money(minor: int, currency: str | None) -> list[str]:
    places = exponent(currency)
    sign, size = ("-" if minor < 0 else ""), Fraction(abs(minor), 10**places)
    full = _decimal(size, places)
    short = full if size.denominator != 1 else str(size.numerator)
    code = currency or ""
    symbol = _SYMBOLS.get(code, "")
    named = f"{symbol}{{}}" if symbol else f"{code} {{}}".lstrip()
    forms = [sign + named.format(_grouped(short)), sign + named.format(_grouped(full)), sign + named.format(full)]
    forms += [sign + full, sign + _grouped(full), f"{sign}{_grouped(full)} in total"]
    forms += [f"exactly {sign}{full}", f"a total of {sign}{full}", f"= {sign}{full}"]
    if code:
        forms += [
            f"{sign}{_grouped(full)} {code}",
            f"{sign}{short} {code}",
            f"{code} {sign}{full}",
            f"{sign}{full}{code}",
        ]
        if places == 2:
            forms += [f"{sign}{_grouped(full, '.', ',')} {code}", f"{sign}{_grouped(full, chr(0x202F), ',')} {code}"]
    if (name := _NAMES.get(code)) is not None:
        forms += [f"{sign}{short} {name}", f"{sign}{_grouped(full)} {name}"]
        if places == 2 and size.denominator != 1 and code in ("USD", "EUR", "CAD"):
            forms += [f"{sign}{int(size)} {name} and {abs(minor) % 100} cents"]
    return forms


def _date(day: date) -> list[str]:
    month, short = MONTHS[day.month - 1], MONTHS[day.month - 1][:3]
    suffix = "th" if 10 < day.day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10, "th")
    weekday = _WEEKDAYS[day.weekday()]
    return [
        f"{day.day} {month} {day.year}",
        day.isoformat(),
        f"{month} {day.day}, {day.year}",
        f"{month} {day.day}",
        f"{day.day} {month}",
        f"{day.day}{suffix} of {month}",
        f"the {day.day}{suffix} of {month} {day.year}",
        f"{month} {day.day}{suffix}",
        f"{short} {day.day}, {day.year}",
        f"{day.day} {short} {day.year}",
        f"{weekday}, {month} {day.day}",
        f"{weekday[:3]} {day.day} {short}",
        f"{day.month:02}/{day.day:02}/{day.year}",
        f"{day.day}-{short}-{day.year}",
        f"{day.day:02}.{day.month:02}.{day.year}",
        f"{day.year}/{day.month:02}/{day.day:02}",
    ]


def _time(value: str) -> list[str]:
    if match := re.fullmatch(r"(\d\d?):(\d\d)(?::\d\d.*)?", value):
        hour, minute = int(match[1]), int(match[2])
    else:
        moment = datetime.fromisoformat(value)
        hour, minute = moment.hour, moment.minute
    half, twelve = ("am" if hour < 12 else "pm"), hour % 12 or 12
    part = "morning" if hour < 12 else "afternoon" if hour < 18 else "evening"
    forms = [
        f"{hour:02}:{minute:02}",
        f"{hour:02}:{minute:02}:00",
        f"{twelve}:{minute:02} {half}",
        f"{twelve}:{minute:02}{half}",
    ]
    forms += [
        f"{twelve}:{minute:02} {half.upper()}",
        f"{twelve}:{minute:02} {half[0]}.m.",
        f"{twelve}.{minute:02}{half}",
    ]
    forms += [f"{hour:02}:{minute:02} UTC", f"{hour:02}h{minute:02}", f"{twelve}:{minute:02} in the {part}"]
    if minute == 0:
        forms += [f"{twelve}{half}", f"{twelve} {half.upper()}", f"{twelve} o'clock in the {part}"]
        forms += ["noon", "12 noon"] if hour == 12 else ["midnight"] if hour == 0 else []
    return forms


def _duration(minutes: Fraction) -> list[str]:
    if minutes < 0 or minutes.denominator != 1:
        raise ValueError(f"{minutes} is not a duration in whole minutes")
    total = int(minutes)
    hours, rest = divmod(total, 60)
    plain = f"{total} minute{'s' * (total != 1)}"
    hour_word, rest_word = f"{hours} hour{'s' * (hours != 1)}", f"{rest} minute{'s' * (rest != 1)}"
    spoken = plain if not hours else hour_word if not rest else f"{hour_word} {rest_word}"
    forms = [
        spoken,
        plain,
        f"{total} min",
        f"{total} mins",
        f"{total}m",
        f"{total:,} minutes" if total < 1000 else plain,
    ]
    if hours:
        forms += [f"{hours}h {rest:02}m", f"{hours}h{rest:02}", f"{hours} h {rest} min", f"{hours}:{rest:02} h"]
        forms += [f"{hour_word} and {rest_word}", f"{hours} hrs {rest} mins", f"{hours}h {rest}min"]
        if Fraction(total, 60).denominator in (1, 2, 4, 5, 10, 20):
            forms += [f"{_decimal(Fraction(total, 60))} hours"]
    else:
        forms += [f"{total}-minute", f"about {total} minutes", f"0h {total:02}m", f"0:{total:02} h"]
    return forms
