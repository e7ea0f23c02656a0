"""Draws the people of the universe: households in the cities of `airports.jsonl`.

Run from the root of the checkout: `python -m generated_servers.universe.generate`.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from generated_servers.universe import draw, names

HERE = Path(__file__).resolve().parent
HOUSEHOLDS = 220
"""Raising this adds people at the end; lowering it would remove some. Nobody else changes."""

BUSY_CITIES = ("Copenhagen", "London", "New York")
"""Where about half of the households live."""

ADULT_BORN = (date(1948, 1, 1), date(2005, 12, 31))
CHILD_BORN = (date(2009, 1, 1), date(2023, 12, 31))
US_AREA_CODES = ("202", "212", "303", "312", "415", "512", "617", "702", "808", "917")


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    """The rows of a JSONL file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write_jsonl(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write rows as JSONL: one compact object a line, keys in the order given."""
    lines = (json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)
    path.write_text("".join(lines), encoding="utf-8", newline="\n")


def people() -> list[dict[str, Any]]:
    """Every person, household by household; the first of a household is an adult."""
    country_of = {row["city"]: row["country"] for row in read_jsonl(HERE / "airports.jsonl")}
    cities = sorted(country_of)
    found: list[dict[str, Any]] = []
    for household in range(1, HOUSEHOLDS + 1):
        busy = draw.chance(55, household, "busy")
        city = draw.pick(BUSY_CITIES if busy else cities, household, "city")
        country = country_of[city]
        family = draw.pick(names.family(country), household, "family")
        for member in range(draw.weighted([(1, 40), (2, 30), (3, 15), (4, 15)], household, "size")):
            first = _first_name(country, household, member)
            host = f"example.{draw.pick(('com', 'org', 'net'), household)}"
            found.append(
                {
                    "person_id": f"P{len(found) + 1:05d}",
                    "household": household,
                    "first_name": first,
                    "last_name": family,
                    "date_of_birth": _born(household, member),
                    "email": f"{_ascii(first)}.{_ascii(family)}{household}@{host}",
                    "phone": _phone(country, len(found)),
                    "city": city,
                    "country": country,
                }
            )
    return found


def _first_name(country: str, household: int, member: int) -> str:
    """A given name; members of a household never share one, because they take neighbours in the list."""
    options = names.given(country)
    return options[(draw.number(0, len(options) - 1, household, "first") + member) % len(options)]


def _born(household: int, member: int) -> str:
    first, last = ADULT_BORN if member < 2 else CHILD_BORN
    return str(first + timedelta(days=draw.number(0, (last - first).days, household, member, "born")))


def _phone(country: str, index: int) -> str:
    """A number from the ranges that are reserved for fiction."""
    if country in ("United States", "Canada"):
        return f"+1 {US_AREA_CODES[index // 100 % 10]} 555 01{index % 100:02d}"
    return f"+44 7700 900{index % 1000:03d}"


def _ascii(name: str) -> str:
    """A name as it stands in an e-mail address."""
    plain = name.lower()
    for letter, written in (("ø", "o"), ("æ", "ae"), ("ł", "l"), ("ı", "i"), ("ß", "ss"), (" ", "")):
        plain = plain.replace(letter, written)
    return unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()


if __name__ == "__main__":
    write_jsonl(HERE / "people.jsonl", people())
