"""Numbers, money and durations in English prose, tables and lists."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from .calendar_words import dates, times
from .memo import remembered
from .mentions import (
    AMOUNT,
    BEFORE,
    BEHIND,
    FAIR,
    HINT,
    STRONG,
    WEAK,
    WORD,
    WORDS,
    Mention,
    amount,
    outside,
    without_overlaps,
)

# ---------------------------------------------------------------- money

EXPONENTS = {
    "JPY": 0,
    "KRW": 0,
    "ISK": 0,
    "CLP": 0,
    "VND": 0,
    "HUF": 2,
    "KWD": 3,
    "BHD": 3,
    "OMR": 3,
    "TND": 3,
    "JOD": 3,
}
"""Decimals of currencies where they are not two (ISO 4217)."""

_CODES = (
    "USD", "EUR", "GBP", "JPY", "CHF", "CAD", "AUD", "NZD", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "RON", "BGN",
    "ISK", "TRY", "INR", "CNY", "KRW", "SGD", "HKD", "MXN", "BRL", "ZAR", "ILS", "AED", "SAR", "THB", "MYR", "IDR",
    "PHP", "VND", "CLP", "COP", "ARS", "KWD", "BHD", "OMR", "JOD", "TND", "EGP", "NGN", "KES", "UAH",
)  # fmt: skip
_DOLLARS = frozenset({"USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN", "CLP", "COP", "ARS"})
_SIGNS = {
    "us$": frozenset({"USD"}), "c$": frozenset({"CAD"}), "ca$": frozenset({"CAD"}), "a$": frozenset({"AUD"}),
    "au$": frozenset({"AUD"}), "nz$": frozenset({"NZD"}), "s$": frozenset({"SGD"}), "hk$": frozenset({"HKD"}),
    "r$": frozenset({"BRL"}), "mx$": frozenset({"MXN"}), "$": _DOLLARS, "€": frozenset({"EUR"}),
    "£": frozenset({"GBP"}), "¥": frozenset({"JPY", "CNY"}), "₹": frozenset({"INR"}), "₩": frozenset({"KRW"}),
    "₺": frozenset({"TRY"}), "₪": frozenset({"ILS"}), "₫": frozenset({"VND"}),
    "kr": frozenset({"SEK", "NOK", "DKK", "ISK"}), "zl": frozenset({"PLN"}), "fr.": frozenset({"CHF"}),
}  # fmt: skip
_NAMES = {
    r"(?:us|u\.s\.|american) dollars?": frozenset({"USD"}), r"canadian dollars?": frozenset({"CAD"}),
    r"australian dollars?": frozenset({"AUD"}), r"dollars?": _DOLLARS, r"bucks?": _DOLLARS,
    r"euros?": frozenset({"EUR"}),
    r"pounds?(?: sterling)?": frozenset({"GBP"}), r"yen": frozenset({"JPY"}), r"yuan": frozenset({"CNY"}),
    r"(?:swiss )?francs?": frozenset({"CHF"}), r"rupees?": frozenset({"INR"}),
    r"kron(?:or|er|e|a)": frozenset({"SEK", "NOK", "DKK", "ISK"}), r"zloty(?:s|ch)?": frozenset({"PLN"}),
    r"won": frozenset({"KRW"}), r"pesos?": frozenset({"MXN", "CLP", "COP", "ARS", "PHP"}), r"rand": frozenset({"ZAR"}),
}  # fmt: skip
CODE = "(?-i:" + "|".join(_CODES) + ")"
_SIGN = "|".join(re.escape(sign) for sign in sorted(_SIGNS, key=len, reverse=True) if sign not in ("kr", "zl", "fr."))
_WORDY = r"kr\b\.?|zl\b|fr\.|" + "|".join(_NAMES)
_SPACED = r"\d{1,3}(?: \d{3})+(?:[.,]\d{2})?"
_TIMES = r"(?: ?(?P<times>k|thousand|million|m)\b)?"
_MINUS = r"(?P<minus>(?<![\w)])-)?"
_BEFORE_MONEY = re.compile(
    rf"(?<![A-Za-z0-9]){_MINUS}(?P<unit>{_SIGN}|{CODE}|kr\b\.?|fr\.) ?(?P<minus2>-)?(?P<amount>{_SPACED}|{AMOUNT})"
    rf"(?!\d|[.,]\d){_TIMES}(?: (?P<code>{CODE})\b)?",
    re.IGNORECASE,
)
_AFTER_MONEY = re.compile(
    rf"{BEFORE}{_MINUS}(?P<amount>{_SPACED}|{AMOUNT}|{WORD}){_TIMES}[ -]?"
    rf"(?P<unit>{_SIGN}|{CODE}\b|(?:{_WORDY})(?![A-Za-z]))"
    rf"(?:,? (?:and )?(?P<cents>\d\d?) ?(?:cents?|pence|p)\b)?",
    re.IGNORECASE,
)
_CENTS = re.compile(rf"{BEFORE}(?P<amount>{AMOUNT}) ?(?P<unit>cents?\b|¢|pence\b|p\b)", re.IGNORECASE)
_BARE_MONEY = re.compile(rf"{BEFORE}{_MINUS}(?P<amount>{AMOUNT}){BEHIND}")
_FACTORS = {"k": 1000, "thousand": 1000, "million": 1_000_000, "m": 1_000_000}


def exponent(currency: str | None) -> int:
    """Decimals between the major and the minor unit of a currency."""
    return EXPONENTS.get(currency or "", 2)


@remembered(64)
def money(text: str, currency: str | None = None) -> tuple[Mention, ...]:
    """Amounts of money in a plain text, in minor units of `currency` (two decimals where unknown).

    Amounts in a currency that cannot be `currency` are mentions too, and equal nothing.
    """
    strong: list[Mention] = []
    scale = 10 ** exponent(currency)

    def add(match: re.Match[str], currencies: frozenset[str] | None, strength: int = STRONG) -> None:
        written = match["amount"]
        if re.fullmatch(r"\d{1,3}(?:\.\d{3})+", written) and exponent(currency) < 3:
            return  # 1.234 is a thousand to some and a little over one to others
        groups = match.groupdict()
        value = Fraction(WORDS[written.lower()]) if written.lower() in WORDS else amount(written)
        value *= _FACTORS[groups["times"].lower()] if groups.get("times") else 1
        value = value * scale + int(groups.get("cents") or 0)
        negative = bool(groups.get("minus") or groups.get("minus2"))
        strong.append(Mention(-value if negative else value, *match.span(), strength, currencies))

    for match in _BEFORE_MONEY.finditer(text):
        add(match, frozenset({match["code"].upper()}) if match["code"] else _currencies(match["unit"]))
    for match in _AFTER_MONEY.finditer(text):
        add(match, _currencies(match["unit"]))
    for match in _CENTS.finditer(text):
        pence = match["unit"].lower().startswith("p")
        currencies = frozenset({"GBP"}) if pence else _DOLLARS | {"EUR"}
        strong.append(Mention(amount(match["amount"]), *match.span(), STRONG, currencies))
    strong = without_overlaps(strong)
    spans = [(m.start, m.end) for m in strong] + _not_numbers(text)
    found = list(strong)
    strong = []
    for match in _BARE_MONEY.finditer(text):
        add(match, None, FAIR if re.search(r"[.,]\d\d$", match["amount"]) else WEAK)
    return tuple(without_overlaps([*found, *outside(strong, spans)]))


def _currencies(unit: str) -> frozenset[str] | None:
    unit = unit.lower()
    if unit.upper() in _CODES:
        return frozenset({unit.upper()})
    if (sign := _SIGNS.get(unit) or _SIGNS.get(unit.rstrip("."))) is not None:
        return sign
    return next(found for name, found in _NAMES.items() if re.fullmatch(name, unit))


# ---------------------------------------------------------------- numbers

_PLAIN_AMOUNT = r"\d{1,3}(?:,\d{3}){1,6}(?:\.\d{1,20})?|\d{1,3}(?:'\d{3}){1,6}|\d{1,18}(?:\.\d{1,20})?"
_NUMBER = re.compile(
    r"(?<![A-Za-z0-9])(?<!\d[.,:/])(?<![A-Za-z#]-)(?<![#/\\@])"
    rf"(?P<minus>minus |negative |(?<![\w)])-)?(?P<amount>{_PLAIN_AMOUNT})"
    r"(?P<unit>%|x\b|kgs?\b|g\b|km\b|lbs?\b|cm\b|gb\b|mb\b|mi\b)?(?: (?P<times>thousand|million|billion)\b)?"
    r"(?![A-Za-z0-9])(?![.,:/]\d)(?!-[A-Za-z0-9])",
    re.IGNORECASE,
)
_WORD_NUMBER = re.compile(rf"(?<![A-Za-z0-9-])(?:{WORD})(?![A-Za-z0-9]|-(?!\w+\b))", re.IGNORECASE)
_NONE = re.compile(r"\b(?:no|none|nothing|zero|not any|n't any)\b", re.IGNORECASE)
_NUMBERING = re.compile(r"^ *(?:[-+>] *)?\(?\d{1,3}[.)](?= )", re.MULTILINE)
_TOKEN = re.compile(r"(?<![A-Za-z0-9])(?<![A-Za-z0-9]-)[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*")
_WITH_UNIT = re.compile(
    r"\d+(?:kgs?|g|km|lbs?|cm|gb|mb|mi|x|h|hr|hrs|m|min|mins|s|d|k)|\d+h\d+(?:m|min)?|\d+-[a-z]{3,}", re.IGNORECASE
)
_LINK = re.compile(
    r"https?://\S+|\+\d[\d ()-]{6,}\d|\(\d{3}\) ?\d{3}-\d{4}|\d{3}-\d{3}-\d{4}"
    r"|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}\.\w+"
)
_ORDINAL = re.compile(r"\b\d+(?:st|nd|rd|th)\b", re.IGNORECASE)


def _not_numbers(text: str) -> list[tuple[int, int]]:
    """Where digits are no quantity: dates, times, codes, links, numbering."""
    spans = [(m.start, m.end) for m in (*dates(text), *times(text)) if m.strength > WEAK]
    for pattern in (_LINK, _NUMBERING, _ORDINAL):
        spans += [match.span() for match in pattern.finditer(text)]
    spans += [match.span() for match in _TOKEN.finditer(text) if _is_code(match.group())]
    return spans


def _is_code(token: str) -> bool:
    """Whether letters and digits are mixed, other than in a number with its unit."""
    mixed = any(map(str.isdigit, token)) and any(map(str.isalpha, token))
    return mixed and not _WITH_UNIT.fullmatch(token)


@remembered(64)
def numbers(text: str) -> tuple[Mention, ...]:
    """Numbers in a plain text; not the digits of codes, dates, times or money."""
    found = []
    lengths = [(m.start, m.end) for m in durations(text)]
    for match in _NUMBER.finditer(text):
        value = Fraction(match["amount"].replace(",", "").replace("'", ""))
        value *= {"thousand": 10**3, "million": 10**6, "billion": 10**9}.get((match["times"] or "").lower(), 1)
        found.append(Mention(-value if match["minus"] else value, *match.span()))
    free = set(outside(found, lengths))
    found = [mention if mention in free else replace(mention, strength=FAIR) for mention in found]
    for match in _WORD_NUMBER.finditer(text):
        value = Fraction(WORDS[match.group().lower()])
        found.append(Mention(value, *match.span(), HINT if value == 1 else FAIR))
    for match in _NONE.finditer(text):
        found.append(Mention(Fraction(0), *match.span(), HINT))
    spans = [(m.start, m.end) for m in money(text) if m.strength == STRONG] + _not_numbers(text)
    return tuple(without_overlaps(outside(found, spans)))


# ---------------------------------------------------------------- durations

_MINUTES: dict[str, int | Fraction] = {"w": 7 * 1440, "d": 1440, "h": 60, "m": 1, "s": Fraction(1, 60)}
_LONG_UNIT = r"weeks?|days?|hours?|hrs?|minutes?|mins?|seconds?|secs?"
_ITEM = re.compile(
    r"(?<![A-Za-z0-9])(?<!\d[.,:])"
    r"(?:(?P<amount>\d{1,9}(?:\.\d{1,9})?)"
    rf"(?P<half> and a half| ?1/2)?[ -]?(?P<unit>{_LONG_UNIT}|[dhms])"
    rf"|(?P<word>{WORD}|an?)(?P<half2> and a half)?[ -](?P<unit2>{_LONG_UNIT}))(?![A-Za-z])(?P<behind> and a half)?",
    re.IGNORECASE,
)
_GLUED = re.compile(
    r"(?<![A-Za-z0-9.,:])(?:(\d{1,6})d ?)?(\d{1,6})h ?(\d{1,6})(?: ?(?:m|min|mins|minutes))?(?![A-Za-z0-9])",
    re.IGNORECASE,
)
_TRAILING = re.compile(r"(?: and)? (\d\d?)(?![\d.,:]*\d|[ -]?[A-Za-z$%])", re.IGNORECASE)
_COLON = re.compile(r"(?<![\d:.])(\d{1,3}):([0-5]\d)(?::\d\d)? ?-?(?:h|hr|hrs|hours?)\b", re.IGNORECASE)
_ISO_LENGTH = re.compile(r"\bP(?:(\d{1,6})D)?T(?:(\d{1,6})H)?(?:(\d{1,6})M)?\b")
_PART = re.compile(
    r"\b(?P<part>half an|half a|a half|a quarter of an|quarter of an|three quarters of an) hour\b|\bhalf-hour\b",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"^(?:,? (?:and )?|,)?$", re.IGNORECASE)


@remembered(64)
def durations(text: str) -> tuple[Mention, ...]:
    """Durations in a plain text, in minutes: "2h 30m", "150 minutes", "2:30 h", "two and a half hours"."""
    found: list[Mention] = []
    for match in _GLUED.finditer(text):
        total = 1440 * int(match[1] or 0) + 60 * int(match[2]) + int(match[3])
        found.append(Mention(Fraction(total), *match.span()))
    for match in _COLON.finditer(text):
        found.append(Mention(Fraction(60 * int(match[1]) + int(match[2])), *match.span()))
    for match in _ISO_LENGTH.finditer(text):
        if any(match.groups()):
            total = 1440 * int(match[1] or 0) + 60 * int(match[2] or 0) + int(match[3] or 0)
            found.append(Mention(Fraction(total), *match.span()))
    for match in _PART.finditer(text):
        part = (match["part"] or "half").lower()
        total = 45 if part.startswith("three") else 15 if "quarter" in part else 30
        found.append(Mention(Fraction(total), *match.span()))
    taken = [(m.start, m.end) for m in found]
    candidates = {Mention(match, *match.span()): match for match in _ITEM.finditer(text)}
    items = [(match, _item(match)) for match in map(candidates.__getitem__, outside(list(candidates), taken))]
    position = 0
    while position < len(items):
        match, (value, rank) = items[position]
        start, end = match.span()
        position += 1
        while position < len(items):
            other, (more, lower) = items[position]
            if lower >= rank or not _BETWEEN.match(text[end : other.start()]):
                break
            value, rank, end = value + more, lower, other.end()
            position += 1
        if rank == 60 and (bare := _TRAILING.match(text, end)) and int(bare[1]) < 60:
            value, end = value + int(bare[1]), bare.end()
        found.append(Mention(value, start, end))
    return tuple(without_overlaps(found))


def _item(match: re.Match[str]) -> tuple[Fraction, Fraction]:
    """The minutes of one number with its unit, and the minutes of the unit."""
    if word := match["word"]:
        value = Fraction(WORDS.get(word.lower(), 1))
    else:
        value = Fraction(match["amount"])
    unit = Fraction(_MINUTES[(match["unit"] or match["unit2"])[0].lower()])
    if match["half"] or match["half2"] or match["behind"]:
        value += Fraction(1, 2)
    return value * unit, unit
