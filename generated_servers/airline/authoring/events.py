"""Publishes what others know of the airline: trips, what cards paid for them, and what came back.

Run from the root of the checkout, after the data: `python -m generated_servers.airline.authoring.events`.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from generated_servers.universe import events
from generated_servers.universe.clock import Row
from generated_servers.universe.files import read_jsonl, universe

DATA = Path(__file__).resolve().parents[1] / "data"
COMPANY = "Everfield Air"
KINDS = {"booking": "flight_booked", "bags": "bags_added", "fare_difference": "flight_changed", "change_fee": "fee"}


def published() -> list[Row]:
    """A `trip` for every reservation, its flights, and one event for each payment and refund of a card."""
    tables = {path.stem: read_jsonl(path) for path in sorted(DATA.glob("*.jsonl"))}
    people = {row["email"]: row["person_id"] for row in universe("people")}
    owner = {row["customer_id"]: people[row["email"]] for row in tables["customers"]}
    cards = {row["card_id"]: row["last_four"] for row in tables["cards"]}
    city = {row["code"]: row["city"] for row in tables["airports"]}
    flights = {row["flight_id"]: row for row in tables["flights"]}
    legs: dict[str, list[Row]] = defaultdict(list)
    for segment in sorted(tables["segments"], key=lambda row: (row["reservation_id"], row["position"])):
        legs[segment["reservation_id"]].append(flights[segment["flight_id"]])
    found: list[Row] = []
    shared: dict[str, Row] = {}
    for row in tables["reservations"]:
        code, out = row["reservation_id"], legs[row["reservation_id"]][0]
        back = " and back" if len(legs[code]) > 1 else ""
        shared[code] = {
            "person_id": owner[row["customer_id"]],
            "company": COMPANY,
            "reference": code,
            "city": city[out["destination"]],
            "summary": f"{city[out['origin']]} to {city[out['destination']]}{back}",
        }
        span = {"starts_at": out["departs_at"], "ends_at": legs[code][-1]["arrives_at"]}
        kind = "trip" if row["status"] == "confirmed" else "trip_cancelled"
        at = row["booked_at"] if row["status"] == "confirmed" else row["cancelled_at"]
        found.append(events.event("airline", f"{code}/trip", kind=kind, at=at, **span, **shared[code]))
        for number, leg in enumerate(legs[code] if kind == "trip" else (), start=1):
            flown = {
                "city": city[leg["destination"]],
                "summary": f"{city[leg['origin']]} to {city[leg['destination']]}",
            }
            span = {"starts_at": leg["departs_at"], "ends_at": leg["arrives_at"]}
            known = {**shared[code], **flown, **span, "kind": "flight", "at": at}
            found.append(events.event("airline", f"{code}/flight/{number}", **known))
    for row in tables["payments"]:
        if row["card_id"] is not None:
            money = {"amount_cents": row["amount_cents"], "card": cards[row["card_id"]]}
            known = {"kind": KINDS[row["kind"]], "at": row["paid_at"], **money, **shared[row["reservation_id"]]}
            found.append(events.event("airline", f"payment/{row['payment_id']}", **known))
    for row in tables["refunds"]:
        if row["card_id"] is not None:
            money = {"amount_cents": -row["amount_cents"], "card": cards[row["card_id"]]}
            known = {"kind": "refund", "at": row["refunded_at"], **money, **shared[row["reservation_id"]]}
            found.append(events.event("airline", f"refund/{row['refund_id']}", **known))
    return found


if __name__ == "__main__":
    events.publish("airline", published())
