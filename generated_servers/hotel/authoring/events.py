"""Publishes what others know of the hotels: stays, what cards paid for them, and what came back.

Run from the root of the checkout, after the data: `python -m generated_servers.hotel.authoring.events`.
"""

from __future__ import annotations

from pathlib import Path

from envfactory_gym.fields import utc
from generated_servers.universe import events
from generated_servers.universe.clock import Row
from generated_servers.universe.files import read_jsonl, universe

DATA = Path(__file__).resolve().parents[1] / "data"
COMPANY = "Lanternhouse Hotels"
KINDS = {"room": "stay_paid", "extras": "extras_paid", "fee": "fee", "refund": "refund"}


def published() -> list[Row]:
    """A `stay`, a `stay_cancelled` or a `no_show` for every booking, and one event for each charge and refund."""
    tables = {path.stem: read_jsonl(path) for path in sorted(DATA.glob("*.jsonl"))}
    people = {row["email"]: row["person_id"] for row in universe("people")}
    owner = {row["guest_id"]: people[row["email"]] for row in tables["guests"]}
    cards = {row["card_id"]: row["last_four"] for row in tables["cards"]}
    hotels = {row["hotel_id"]: row for row in tables["hotels"]}
    stays = {row["stay_id"]: row for row in tables["stays"]}
    found = []
    for stay in stays.values():
        kind = {"cancelled": "stay_cancelled", "no_show": "no_show"}.get(stay["status"], "stay")
        offset = hotels[stay["hotel_id"]]["utc_offset_minutes"]
        known = {
            "kind": kind,
            "at": stay["cancelled_at"] or stay["booked_at"],
            "starts_at": utc(stay["arrival"], "15:00", offset),
            "ends_at": utc(stay["departure"], "11:00", offset),
            **_shared(stay, owner, hotels),
        }
        found.append(events.event("hotel", f"{stay['stay_id']}/stay", **known))
    for charge in tables["charges"]:
        stay = stays[charge["stay_id"]]
        known = {
            "kind": KINDS[charge["kind"]],
            "at": charge["charged_at"],
            "amount_cents": charge["amount_cents"],
            "card": cards[stay["card_id"]],
            **_shared(stay, owner, hotels),
        }
        found.append(events.event("hotel", f"charge/{charge['charge_id']}", **known))
    return found


def _shared(stay: Row, owner: dict[str, str], hotels: dict[str, Row]) -> Row:
    hotel = hotels[stay["hotel_id"]]
    return {
        "person_id": owner[stay["guest_id"]],
        "company": COMPANY,
        "reference": stay["stay_id"],
        "city": hotel["city"],
        "summary": f"{hotel['name']}, {stay['arrival']} to {stay['departure']}",
    }


if __name__ == "__main__":
    events.publish("hotel", published())
