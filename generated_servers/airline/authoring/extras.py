"""What customers own and report besides their trips: cards, certificates, points, and bags that went wrong."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING

from generated_servers.universe import draw
from generated_servers.universe.clock import CODE_LETTERS, NOW, Row, moment, stamp

if TYPE_CHECKING:
    from .data import Bookings

FLOWN_CLAIMS = 55
"""Percent of flown passengers with bags who report one."""


class Wallet:
    """Cards and certificates of one customer."""

    def __init__(self, customer_id: str) -> None:
        self.customer_id = customer_id
        self.cards = [self._card(index) for index in range(draw.weighted([(1, 55), (2, 45)], customer_id, "cards"))]
        self.card_id: str = self.cards[0]["card_id"]
        count = draw.weighted([(0, 55), (1, 25), (2, 20)], customer_id, "certificates")
        self.certificates = [self._certificate(index) for index in range(count)]

    def _card(self, index: int) -> Row:
        key = (self.customer_id, "card", index)
        expired = index > 0 and draw.chance(40, *key, "expired")
        month = draw.number(1, 4 if expired else 12, *key, "month")
        return {
            "card_id": f"C{draw.number(100000, 999999, *key)}",
            "customer_id": self.customer_id,
            "brand": draw.weighted([("visa", 5), ("mastercard", 4), ("amex", 2)], *key, "brand"),
            "last_four": f"{draw.number(0, 9999, *key, 'digits'):04d}",
            "valid_until": f"{2026 if expired else draw.number(2027, 2030, *key, 'year')}-{month:02d}",
            "main": int(index == 0),
        }

    def _certificate(self, index: int) -> Row:
        """One given for points or an older trip, between fourteen months and two months ago."""
        key = (self.customer_id, "certificate", index)
        issued = NOW - timedelta(minutes=draw.number(60 * 1440, 420 * 1440, *key, "issued"))
        cause = draw.weighted([("points", 4), ("delay", 3), ("bag", 2), ("cancellation", 1)], *key, "cause")
        amount = draw.number(5, 40, *key, "points") * 500 if cause == "points" else draw.number(1, 4, *key) * 5000
        return given(self.customer_id, cause, amount, stamp(issued), None)

    def certificate_for(self, reservation: Row) -> Row | None:
        """A certificate that could pay when the reservation was made, if there is one."""
        booked = reservation["booked_at"]
        usable = [
            row
            for row in self.certificates
            if row["issued_at"] < booked and booked[:10] <= row["valid_until"] and row["balance_cents"] > 0
        ]
        return usable[0] if usable else None


def given(customer_id: str, cause: str, amount: int, issued_at: str, reservation_id: str | None) -> Row:
    """A certificate that nobody has used yet, good for one year."""
    key = (customer_id, cause, issued_at)
    return {
        "certificate_id": "".join(draw.pick(CODE_LETTERS, *key, n) for n in range(8)),
        "customer_id": customer_id,
        "cause": cause,
        "amount_cents": amount,
        "balance_cents": amount,
        "issued_at": issued_at,
        "valid_until": f"{int(issued_at[:4]) + 1}{issued_at[4:10]}",
        "reservation_id": reservation_id,
    }


def troubled(flight: Row) -> bool:
    """Whether the airline cancelled a flight or delays it long."""
    return flight["status"] == "cancelled" or flight["delay_minutes"] >= 180


def loyalty(customer: Row) -> Row:
    """The loyalty account; higher tiers have more points."""
    customer_id, tier = customer["customer_id"], customer["tier"]
    most = {"member": 160, "silver": 600, "gold": 1200}[tier]
    return {"customer_id": customer_id, "tier": tier, "points": draw.number(0, most, customer_id, "points") * 100}


def identity_checks(customer_ids: list[str]) -> list[Row]:
    """Codes that were texted: a few minutes ago to some customers, days ago to others."""
    found = []
    for customer_id in customer_ids:
        fresh, old = draw.chance(14, customer_id, "fresh code"), draw.chance(12, customer_id, "old code")
        if not fresh and not old:
            continue
        ago = draw.number(2, 9, customer_id, "ago") if fresh else draw.number(1500, 20000, customer_id, "ago")
        sent = NOW - timedelta(minutes=ago)
        verified = not fresh or draw.chance(50, customer_id, "verified")
        found.append(
            {
                "customer_id": customer_id,
                "code": draw.number(100000, 999999, customer_id, "code"),
                "sent_at": stamp(sent),
                "verified_at": stamp(sent + timedelta(minutes=1)) if verified else None,
            }
        )
    return found


class Things:
    """Reports of bags, and certificates for trips that went wrong."""

    def __init__(self, bookings: Bookings, flights: Mapping[str, Row], tiers: Mapping[str, str]) -> None:
        self.bag_claims: list[Row] = []
        self.certificates: list[Row] = []
        legs: dict[str, list[Row]] = {}
        for row in bookings.segments:
            legs.setdefault(row["reservation_id"], []).append(flights[row["flight_id"]])
        reservations = {row["reservation_id"]: row for row in bookings.reservations}
        for passenger in bookings.passengers:
            reservation = reservations[passenger["reservation_id"]]
            if reservation["status"] == "confirmed":
                self._claim(passenger, legs[passenger["reservation_id"]])
        for code, reservation in reservations.items():
            entitled = tiers[reservation["customer_id"]] != "member" or reservation["fare"] in ("flex", "business")
            if reservation["status"] == "confirmed" and entitled and draw.chance(50, code, "compensated"):
                party = sum(row["reservation_id"] == code for row in bookings.passengers)
                self._compensate(reservation, legs[code], party)

    def _claim(self, passenger: Row, legs: list[Row]) -> None:
        code, position = passenger["reservation_id"], passenger["position"]
        key = (code, position, "claim")
        landed = [leg for leg in legs if leg["arrives_at"] < stamp(NOW - timedelta(hours=3))]
        if not landed or not passenger["bags"] or not draw.chance(FLOWN_CLAIMS, *key):
            return
        problem = draw.pick(("delayed", "damaged"), *key, "problem")
        reported = moment(landed[-1]["arrives_at"]) + timedelta(minutes=draw.number(20, 170, *key, "reported"))
        self.bag_claims.append(
            {
                "claim_id": "".join(draw.pick(CODE_LETTERS, *key, n) for n in range(6)),
                "reservation_id": code,
                "position": position,
                "flight_id": landed[-1]["flight_id"],
                "problem": problem,
                "reported_at": stamp(reported),
            }
        )

    def _compensate(self, reservation: Row, legs: list[Row], party: int) -> None:
        """For a long delay or a cancelled flight, as policy.md has it."""
        causes = ["cancellation" if leg["status"] == "cancelled" else "delay" for leg in legs if troubled(leg)]
        if causes:
            customer_id, code = reservation["customer_id"], reservation["reservation_id"]
            amount = party * {"delay": 5000, "cancellation": 10000}[causes[0]]
            issued = NOW - timedelta(minutes=draw.number(15, 170, code, "compensated at"))
            self.certificates.append(given(customer_id, causes[0], amount, stamp(issued), code))
