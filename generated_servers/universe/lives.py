"""What grown people have besides a name: work, and cards to pay with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from generated_servers.universe import draw
from generated_servers.universe.clock import NOW, Row

WORKING_AGE = (22, 67)
EMPLOYED = 85
"""Percent of people of working age."""

TITLES = {
    "software": ("software engineer", "product manager", "designer", "data engineer", "support engineer"),
    "health": ("nurse", "doctor", "laboratory technician", "receptionist"),
    "education": ("teacher", "librarian", "school secretary"),
    "law": ("lawyer", "paralegal", "office manager"),
    "banking": ("adviser", "analyst", "branch manager"),
    "airline": ("flight attendant", "scheduler", "mechanic"),
}
COMMON_TITLES = ("project manager", "accountant", "sales manager", "office manager", "analyst", "marketing manager")
BANKS = ("Harbourgate Bank", "Kingsway Credit", "Union of Savers")


def age(person: Row) -> int:
    """Years a person has completed when the universe stands still."""
    year, month, day = (int(part) for part in person["date_of_birth"].split("-"))
    return NOW.year - year - ((NOW.month, NOW.day) < (month, day))


def jobs(people: list[Row], companies: list[Row]) -> list[Row]:
    """Who works where: mostly at a company of the own city, otherwise at one that lets people work from afar."""
    afar = [row for row in companies if row["industry"] in ("software", "consulting", "publishing", "media")]
    found: list[Row] = []
    addresses: Counter[str] = Counter()
    for person in people:
        name = person["person_id"]
        if not WORKING_AGE[0] <= age(person) < WORKING_AGE[1] or not draw.chance(EMPLOYED, name, "works"):
            continue
        near = [row for row in companies if row["city"] == person["city"]]
        company = draw.pick(near or afar, name, "employer")
        handle = person["email"].split("@")[0].rstrip("0123456789") + "@" + company["web_domain"]
        addresses[handle] += 1
        earliest = max(2014, int(person["date_of_birth"][:4]) + 20)
        found.append(
            {
                "person_id": name,
                "company_id": company["company_id"],
                "title": draw.pick(TITLES.get(company["industry"], COMMON_TITLES), name, "title"),
                "work_email": handle.replace("@", f"{addresses[handle]}@") if addresses[handle] > 1 else handle,
                "since": f"{draw.number(earliest, 2025, name, 'since')}-{draw.number(1, 12, name, 'month'):02d}-01",
            }
        )
    return found


def cards(people: list[Row], known: Mapping[str, list[Row]]) -> list[Row]:
    """The payment cards of every adult.

    Args:
        people: Everybody.
        known: By person, the cards that an environment already has, with `brand`, `last_four`, `valid_until`
            and `main`. Who has none there is drawn one.
    """
    found: list[Row] = []
    for person in people:
        name = person["person_id"]
        if age(person) < 18:
            continue
        for index, card in enumerate(known.get(name) or [_card(name)]):
            found.append(
                {
                    "universe_card_id": f"{name}-{index + 1}",
                    "person_id": name,
                    "bank": draw.weighted(((BANKS[0], 3), (BANKS[1], 1), (BANKS[2], 1)), name, "bank")
                    if index == 0
                    else draw.pick(BANKS[1:], name, index, "bank"),
                    **{key: card[key] for key in ("brand", "last_four", "valid_until", "main")},
                }
            )
    return found


def _card(name: str) -> Row:
    return {
        "brand": draw.weighted([("visa", 5), ("mastercard", 4), ("amex", 2)], name, "brand"),
        "last_four": f"{draw.number(0, 9999, name, 'digits'):04d}",
        "valid_until": f"{draw.number(2027, 2030, name, 'year')}-{draw.number(1, 12, name, 'month'):02d}",
        "main": 1,
    }
