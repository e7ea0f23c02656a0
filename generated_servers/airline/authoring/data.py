"""Draws the airline's base world from the universe and writes `data/*.jsonl`.

Flights follow a timetable of three bases and their spokes for 24 days around the clock date. Each
customer then takes several trips from home, to few cities, so that one customer's trips resemble
each other and a vague description of one has to be resolved. Every draw is keyed by what it is for.

What customers own besides their trips is drawn in `extras`.

Run from the root of the checkout: `python -m generated_servers.airline.authoring.data`.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import date, datetime, timedelta
from itertools import groupby
from math import asin, cos, radians, sin, sqrt
from pathlib import Path

from generated_servers.airline.authoring import extras
from generated_servers.airline.authoring.extras import Wallet
from generated_servers.universe import draw
from generated_servers.universe.clock import CODE_LETTERS, NOW, Row, moment, stamp
from generated_servers.universe.files import HERE as UNIVERSE
from generated_servers.universe.files import read_jsonl, write_jsonl

DATA = Path(__file__).resolve().parents[1] / "data"
FIRST_DAY, DAYS = date(2026, 5, 7), 24
CUSTOMERS = 128

SPOKES = {
    "CPH": (
        "OSL BGO ARN GOT HEL KEF LHR LGW EDI MAN DUB AMS BRU CDG NCE FRA MUC BER HAM ZRH VIE PRG WAW KRK BUD ATH FCO "
        "MXP LIN VCE BCN MAD AGP PMI LIS IST JFK BOS ORD SFO NRT SIN DXB"
    ),
    "LHR": "OSL ARN HEL AMS CDG ORY LYS NCE BER GVA ZRH MXP FCO BCN MAD LIS OPO EDI JFK BOS YYZ",
    "JFK": "IAD ORD SFO YUL YYZ BOS LIS FCO",
    "EWR": "LGW CDG SFO",
}
THRICE_DAILY = {("CPH", "OSL"), ("CPH", "LHR")}
DAILY = {
    ("CPH", "ARN"),
    ("CPH", "AMS"),
    ("CPH", "JFK"),
    ("LHR", "OSL"),
    ("LHR", "JFK"),
    ("LHR", "CDG"),
    ("JFK", "SFO"),
    ("JFK", "BOS"),
}

FARES: list[Row] = [
    {
        "fare": fare,
        "rank": rank,
        "cabin": cabin,
        "price_percent": percent,
        "free_bags": bags,
        "change_fee_cents": fee,
        "refund_percent": refund,
    }
    for rank, (fare, cabin, percent, bags, fee, refund) in enumerate(
        [
            ("basic", "economy", 80, 0, None, 0),
            ("standard", "economy", 100, 1, 7500, 60),
            ("flex", "economy", 140, 1, 0, 100),
            ("business", "business", 100, 2, 0, 100),
        ],
        start=1,
    )
]
TIERS: list[Row] = [
    {"tier": "member", "free_bags": 0, "waives_change_fee": 0},
    {"tier": "silver", "free_bags": 1, "waives_change_fee": 0},
    {"tier": "gold", "free_bags": 2, "waives_change_fee": 1},
]
TIER_BAGS = {row["tier"]: row["free_bags"] for row in TIERS}
BAG_CENTS, MAX_BAGS = 4000, 3


def distance_km(a: Row, b: Row) -> int:
    """Great-circle distance between two airports, to the nearest 10 km."""
    lat_a, lon_a, lat_b, lon_b = (radians(x) for x in (a["latitude"], a["longitude"], b["latitude"], b["longitude"]))
    half = sin((lat_b - lat_a) / 2) ** 2 + cos(lat_a) * cos(lat_b) * sin((lon_b - lon_a) / 2) ** 2
    return round(2 * 6371 * asin(sqrt(half)) / 10) * 10


# ---------------------------------------------------------------- the timetable


def flights(airports: dict[str, Row]) -> tuple[list[Row], list[Row]]:
    """Flights and their cabins, by day and flight number."""
    found: list[Row] = []
    cabins: list[Row] = []
    flight_number = 100
    for base, spokes in SPOKES.items():
        for spoke in spokes.split():
            times = 3 if (base, spoke) in THRICE_DAILY else 1
            for daily_turn in range(times):
                for origin, destination in ((base, spoke), (spoke, base)):
                    flight_number += 1
                    for day in _operating_days(base, spoke):
                        row = _flight(
                            f"EF{flight_number}", airports[origin], airports[destination], day, daily_turn, times
                        )
                        found.append(row)
                        cabins += _cabins(row, distance_km(airports[origin], airports[destination]))
    found.sort(key=lambda row: (row["departs_at"], row["flight_id"]))
    cabins.sort(key=lambda row: (row["flight_id"], row["cabin"]))
    return found, cabins


def _operating_days(base: str, spoke: str) -> list[date]:
    days = [FIRST_DAY + timedelta(days=n) for n in range(DAYS)]
    if (base, spoke) in THRICE_DAILY | DAILY:
        return days
    start = draw.number(0, 6, base, spoke, "weekday")
    weekdays = {start, (start + 3) % 7}
    return [day for day in days if day.weekday() in weekdays]


def _flight(number: str, origin: Row, destination: Row, day: date, turn: int, turns: int) -> Row:
    """One departure. Its local date and its UTC date agree, so that "on the 21st" means one day."""
    offset = origin["may_utc_offset_minutes"]
    earliest, latest = max(0, 390 - offset), min(1435, 1290 - offset)
    width = (latest - earliest) // turns
    minute = earliest + turn * width + draw.number(0, max(0, width - 40), number, "departure")
    departs = datetime(day.year, day.month, day.day) + timedelta(minutes=minute // 5 * 5)
    flying = 35 + round(distance_km(origin, destination) / 13.5)
    trouble = draw.number(0, 99, number, day, "trouble")
    return {
        "flight_id": f"{number}-{day}",
        "flight_number": number,
        "origin": origin["code"],
        "destination": destination["code"],
        "departs_at": stamp(departs),
        "arrives_at": stamp(departs + timedelta(minutes=-(-flying // 5) * 5)),
        "status": "cancelled" if trouble < 2 else "scheduled",
        "delay_minutes": draw.pick((25, 40, 55, 90, 120, 175, 180, 210, 260), number, day, "delay")
        if 2 <= trouble < 10
        else 0,
    }


def _cabins(flight: Row, km: int) -> list[Row]:
    flight_id = flight["flight_id"]
    long_haul = km > 4000
    economy = (4900 + km * draw.number(75, 135, flight_id, "economy") // 10) // 100 * 100
    business = economy * draw.number(240, 330, flight_id, "business") // 10000 * 100
    found = []
    for cabin, seats, price in (
        ("business", 36 if long_haul else 16, business),
        ("economy", 240 if long_haul else 138, economy),
    ):
        full = draw.chance(6, flight_id, cabin, "full")
        left = (
            draw.number(0, 3, flight_id, cabin, "few") if full else draw.number(2, seats // 2, flight_id, cabin, "left")
        )
        found.append({"flight_id": flight_id, "cabin": cabin, "seats": seats, "seats_left": left, "price_cents": price})
    return found


# ---------------------------------------------------------------- the customers and their trips


Refund = tuple[int, datetime]
"""How much, and when."""


def _moved(
    code: str, kind: str | None, amount: int, when: datetime, card_id: str | None, certificate_id: str | None
) -> Row:
    """A payment, or a refund where there is no kind."""
    means = {"card_id": card_id, "certificate_id": certificate_id}
    if kind is None:
        return {"reservation_id": code, "amount_cents": amount, "refunded_at": stamp(when), **means}
    return {"reservation_id": code, "kind": kind, "amount_cents": amount, "paid_at": stamp(when), **means}


class Bookings:
    """Reservations as they are drawn, one customer after another."""

    def __init__(self, airports: dict[str, Row], timetable: list[Row], cabins: list[Row]) -> None:
        self.airports = airports
        self.by_route: dict[tuple[str, str], list[Row]] = defaultdict(list)
        for row in timetable:
            self.by_route[self._city(row["origin"]), self._city(row["destination"])].append(row)
        self.reach: dict[str, list[str]] = defaultdict(list)
        for origin, destination in sorted(self.by_route):
            self.reach[origin].append(destination)
        self.price = {(row["flight_id"], row["cabin"]): row["price_cents"] for row in cabins}
        self.sellable = {(row["flight_id"], row["cabin"]): row["seats"] - row["seats_left"] for row in cabins}
        self.reservations: list[Row] = []
        self.segments: list[Row] = []
        self.passengers: list[Row] = []
        self.payments: list[Row] = []
        self.refunds: list[Row] = []
        self.wallets: dict[str, Wallet] = {}

    def _city(self, code: str) -> str:
        return str(self.airports[code]["city"])

    def take_trips(self, customer: Row, household: list[Row]) -> None:
        """Draw a customer's reservations: two to six trips, mostly to the same one or two cities."""
        name = customer["customer_id"]
        self.wallets[name] = Wallet(name)
        home = household[0]["city"]
        favourites = [draw.pick(self.reach[home], name, "favourite", n) for n in (1, 2, 3)]
        taken: list[tuple[str, str]] = []
        for trip in range(draw.number(2, 6, name, "trips")):
            city = draw.weighted([(favourites[0], 5), (favourites[1], 3), (favourites[2], 2)], name, trip, "city")
            flights_of_trip = self._find_flights(name, trip, home, city, taken)
            if flights_of_trip:
                self._book(customer, household, trip, flights_of_trip)

    def _find_flights(self, name: str, trip: int, home: str, city: str, taken: list[tuple[str, str]]) -> list[Row]:
        """A flight out and, mostly, one back that do not overlap the customer's other trips."""
        for attempt in range(12):
            out = draw.pick(self.by_route[home, city], name, trip, attempt, "out")
            if out["departs_at"] < stamp(NOW) and draw.chance(60, name, trip, attempt, "prefer later"):
                continue
            legs = [out]
            if not draw.chance(12, name, trip, "one way"):
                stay = draw.number(1, 6, name, trip, attempt, "stay")
                earliest = moment(out["arrives_at"]) + timedelta(hours=6)
                day = str((earliest + timedelta(days=stay)).date())
                back = [
                    row
                    for row in self.by_route[city, home]
                    if stamp(earliest) < row["departs_at"] and row["departs_at"][:10] >= day
                ]
                if not back:
                    continue
                legs.append(draw.pick(back[:3], name, trip, attempt, "back"))
            span = (legs[0]["departs_at"], legs[-1]["arrives_at"])
            if all(span[1] < start or end < span[0] for start, end in taken):
                taken.append(span)
                return legs
        return []

    def _book(self, customer: Row, household: list[Row], trip: int, legs: list[Row]) -> None:
        name = customer["customer_id"]
        fare = draw.weighted([("basic", 30), ("standard", 40), ("flex", 18), ("business", 12)], name, trip, "fare")
        rules = next(row for row in FARES if row["fare"] == fare)
        party = (
            1 + draw.number(0, len(household) - 1, name, trip, "party")
            if draw.chance(45, name, trip, "together")
            else 1
        )
        if any(self.sellable[leg["flight_id"], rules["cabin"]] < party for leg in legs):
            return
        departs = moment(legs[0]["departs_at"])
        booked = self._booked_at(name, trip, departs)
        reservation_id = self._code(name, trip)
        prices = [self.price[leg["flight_id"], rules["cabin"]] * rules["price_percent"] // 100 for leg in legs]
        for position, (leg, price) in enumerate(zip(legs, prices, strict=True), start=1):
            self.sellable[leg["flight_id"], rules["cabin"]] -= party
            self.segments.append(
                {
                    "reservation_id": reservation_id,
                    "position": position,
                    "flight_id": leg["flight_id"],
                    "price_cents": price,
                }
            )
        extra_bags = 0
        free = rules["free_bags"] + TIER_BAGS[customer["tier"]]
        for position, person in enumerate(household[:party], start=1):
            bags = draw.weighted([(0, 45), (1, 40), (2, 12), (3, 3)], name, trip, position, "bags")
            extra_bags += max(0, bags - free)
            self.passengers.append(
                {
                    "reservation_id": reservation_id,
                    "position": position,
                    "name": f"{person['first_name']} {person['last_name']}",
                    "bags": bags,
                }
            )
        charges = [("booking", sum(prices) * party, booked)]
        if extra_bags:
            charges.append(("bags", extra_bags * BAG_CENTS, booked + timedelta(minutes=2)))
        paid = sum(amount for _, amount, _ in charges)
        reservation = {
            "reservation_id": reservation_id,
            "customer_id": name,
            "fare": fare,
            "status": "confirmed",
            "booked_at": stamp(booked),
            "card_id": self.wallets[name].card_id,
            "paid_cents": paid,
            "cancelled_at": None,
            "cancel_reason": None,
        }
        refund = None
        if draw.chance(13, name, trip, "cancelled"):
            refund = self._cancel(reservation, rules, legs, booked, f"{name}/{trip}")
        self.reservations.append(reservation)
        self._settle(reservation, charges, refund)

    def _settle(self, reservation: Row, charges: list[tuple[str, int, datetime]], refund: Refund | None) -> None:
        """Write payments and refunds: a certificate pays first, and is refunded last."""
        wallet = self.wallets[reservation["customer_id"]]
        code = reservation["reservation_id"]
        certificate = wallet.certificate_for(reservation) if draw.chance(9, code, "paid by certificate") else None
        left = 0
        for kind, amount, when in charges:
            by_certificate = 0
            if certificate and kind == "booking":
                by_certificate = min(amount, certificate["balance_cents"])
                certificate["balance_cents"] -= by_certificate
                self.payments.append(_moved(code, kind, by_certificate, when, None, certificate["certificate_id"]))
            if amount > by_certificate:
                self.payments.append(_moved(code, kind, amount - by_certificate, when, wallet.card_id, None))
                left += amount - by_certificate
        if refund:
            amount, when = refund
            parts = [(min(amount, left), wallet.card_id, None)]
            if certificate and amount > left:
                parts.append((amount - left, None, certificate["certificate_id"]))
                certificate["balance_cents"] += amount - left
            for part, card_id, certificate_id in parts:
                if part:
                    self.refunds.append(_moved(code, None, part, when, card_id, certificate_id))

    def _booked_at(self, name: str, trip: int, departs: datetime) -> datetime:
        """Two to sixty days before departure, and some within the last day."""
        if departs > NOW and draw.chance(10, name, trip, "just booked"):
            return NOW - timedelta(minutes=draw.number(20, 2700, name, trip, "minutes ago"))
        booked = departs - timedelta(minutes=draw.number(2 * 1440, 60 * 1440, name, trip, "booked"))
        return booked if booked < NOW else NOW - timedelta(minutes=draw.number(1500, 12000, name, trip, "lately"))

    def _cancel(self, reservation: Row, rules: Row, legs: list[Row], booked: datetime, key: str) -> Refund | None:
        """Cancel between booking and departure, by the rules of policy.md; gives the refund, if any."""
        departs = moment(legs[0]["departs_at"])
        free_until = booked + timedelta(hours=24) if departs - booked >= timedelta(days=7) else booked
        disrupted = any(map(extras.troubled, legs))
        final = rules["fare"] == "basic" and not disrupted
        minutes = int((min(NOW, departs, free_until if final else NOW) - booked).total_seconds()) // 60
        if minutes < 10:
            return None
        when = booked + timedelta(minutes=draw.number(minutes // 2, minutes - 5, key, "when"))
        reason = (
            "schedule_change" if disrupted else draw.weighted([("change_of_plans", 7), ("illness", 3)], key, "reason")
        )
        reservation.update(status="cancelled", cancelled_at=stamp(when), cancel_reason=reason)
        percent = 100 if when <= free_until or disrupted else rules["refund_percent"]
        refund = reservation["paid_cents"] * percent // 100
        return (refund, when) if refund else None

    def _code(self, name: str, trip: int) -> str:
        taken = {row["reservation_id"] for row in self.reservations}
        for attempt in range(100):
            code = "".join(draw.pick(CODE_LETTERS, name, trip, attempt, "code", n) for n in range(6))
            if code not in taken:
                return code
        raise AssertionError("a hundred codes in a row were taken")


def customers(people: list[Row], served: set[str]) -> list[tuple[Row, list[Row]]]:
    """Customers with their households, the customer first."""
    found: list[tuple[Row, list[Row]]] = []
    numbers: set[str] = set()
    for _, members in groupby(people, key=lambda person: person["household"]):
        household = list(members)
        if household[0]["city"] not in served or len(found) == CUSTOMERS:
            continue
        person = household[0]
        number = next(
            number
            for attempt in range(100)
            if (number := f"E{draw.number(100000, 999999, person['person_id'], attempt, 'customer')}") not in numbers
        )
        numbers.add(number)
        customer = {
            "customer_id": number,
            "first_name": person["first_name"],
            "last_name": person["last_name"],
            "email": person["email"],
            "phone": person["phone"].replace(" ", ""),
            "tier": draw.weighted([("member", 60), ("silver", 25), ("gold", 15)], person["person_id"], "tier"),
        }
        found.append((customer, household))
    return found


def tables() -> dict[str, list[Row]]:
    """Every table's rows, in the order they are written."""
    airports = {row["code"]: row for row in read_jsonl(UNIVERSE / "airports.jsonl")}
    timetable, cabins = flights(airports)
    bookings = Bookings(airports, timetable, cabins)
    served = {airports[row["origin"]]["city"] for row in timetable}
    buyers = customers(read_jsonl(UNIVERSE / "people.jsonl"), served)
    for customer, household in buyers:
        bookings.take_trips(customer, household)
    payments = sorted(bookings.payments, key=lambda row: (row["paid_at"], row["reservation_id"], row["kind"]))
    refunds = sorted(bookings.refunds, key=lambda row: (row["refunded_at"], row["reservation_id"]))
    tiers = {row["customer_id"]: row["tier"] for row, _ in buyers}
    things = extras.Things(bookings, {row["flight_id"]: row for row in timetable}, tiers)
    wallets = [bookings.wallets[customer["customer_id"]] for customer, _ in buyers]
    by = {
        "customers": [{key: value for key, value in row.items() if key != "tier"} for row, _ in buyers],
        "loyalty": [extras.loyalty(row) for row, _ in buyers],
        "cards": [card for wallet in wallets for card in wallet.cards],
        "certificates": [row for wallet in wallets for row in wallet.certificates] + things.certificates,
        "identity_checks": extras.identity_checks([row["customer_id"] for row, _ in buyers]),
        "reservations": bookings.reservations,
        "segments": bookings.segments,
        "passengers": bookings.passengers,
        "bag_claims": things.bag_claims,
    }
    by = {table: sorted(rows, key=lambda row: tuple(map(str, row.values()))[:3]) for table, rows in by.items()}
    return by | {
        "airports": [{key: row[key] for key in ("code", "name", "city", "country")} for row in airports.values()],
        "flights": timetable,
        "flight_cabins": cabins,
        "fares": FARES,
        "tiers": TIERS,
        "payments": [{"payment_id": number, **row} for number, row in enumerate(payments, start=1)],
        "refunds": [{"refund_id": number, **row} for number, row in enumerate(refunds, start=1)],
    }


if __name__ == "__main__":
    for table, rows in tables().items():
        write_jsonl(DATA / f"{table}.jsonl", rows)
