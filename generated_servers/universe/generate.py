"""Draws the universe: households in the cities of `airports.jsonl`, their homes, work and cards, and companies.

Cards that the airline already knows are the ones its customers have everywhere.

Run from the root of the checkout: `python -m generated_servers.universe.generate`.
"""

from __future__ import annotations

import unicodedata
from datetime import date, timedelta

from generated_servers.universe import draw, lives, names, places
from generated_servers.universe.clock import Row
from generated_servers.universe.companies import companies
from generated_servers.universe.files import HERE, read_jsonl, universe, write_jsonl

AIRLINE = HERE.parent / "airline" / "data"
HOUSEHOLDS = 220
"""Raising this adds people at the end; lowering it would remove some. Nobody else changes."""

BUSY_CITIES = ("Copenhagen", "London", "New York")
"""Where about half of the households live."""

ADULT_BORN = (date(1948, 1, 1), date(2005, 12, 31))
CHILD_BORN = (date(2009, 1, 1), date(2023, 12, 31))
US_AREA_CODES = ("202", "212", "303", "312", "415", "512", "617", "702", "808", "917")


def people() -> list[Row]:
    """Every person, household by household; the first of a household is an adult."""
    country_of = {row["city"]: row["country"] for row in universe("airports")}
    cities = sorted(country_of)
    found: list[Row] = []
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


def airline_cards(everybody: list[Row]) -> dict[str, list[Row]]:
    """By person, the cards that the airline has on file, the main one first."""
    by_email = {person["email"]: person["person_id"] for person in everybody}
    owners = {row["customer_id"]: by_email[row["email"]] for row in read_jsonl(AIRLINE / "customers.jsonl")}
    found: dict[str, list[Row]] = {}
    for card in sorted(read_jsonl(AIRLINE / "cards.jsonl"), key=lambda row: (-row["main"], row["card_id"])):
        found.setdefault(owners[card["customer_id"]], []).append(card)
    return found


def tables() -> dict[str, list[Row]]:
    """Every table that is drawn, in the order in which they stand on each other."""
    everybody, firms = people(), companies()
    return {
        "people": everybody,
        "cities": places.cities(universe("airports")),
        "addresses": places.addresses(everybody),
        "companies": firms,
        "jobs": lives.jobs(everybody, firms),
        "cards": lives.cards(everybody, airline_cards(everybody)),
    }


if __name__ == "__main__":
    for table, rows in tables().items():
        write_jsonl(HERE / f"{table}.jsonl", rows)
