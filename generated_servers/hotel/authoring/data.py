"""Draws the hotels' base world from the universe and writes `data/*.jsonl`.

Whoever flies with Everfield to a city with a Lanternhouse mostly stays there, for the nights between the
flights. The other stays are mostly in the same city too, so that one guest's stays resemble each other. Every
draw is keyed by what it is for.

Run from the root of the checkout: `python -m generated_servers.hotel.authoring.data`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple

from envfactory_gym.fields import later, utc
from generated_servers.universe import draw, events
from generated_servers.universe.clock import NOW, Row, code, moment, stamp
from generated_servers.universe.files import universe, write_jsonl
from generated_servers.universe.lives import age
from generated_servers.universe.places import address

DATA = Path(__file__).resolve().parents[1] / "data"
TODAY = NOW.date()
FIRST_NIGHT, NIGHTS_ON_SALE = date(2026, 5, 7), 45
OTHERS = 24
"""Guests who have not booked a flight."""

HOTELS = (
    ("CPH1", "Nyhavn", "Copenhagen", 19500),
    ("CPH2", "Vesterbro", "Copenhagen", 14500),
    ("LON1", "Bloomsbury", "London", 21500),
    ("LON2", "Southwark", "London", 17500),
    ("LON3", "Paddington", "London", 16000),
    ("NYC1", "Chelsea", "New York", 26500),
    ("NYC2", "Brooklyn Heights", "New York", 19000),
    ("NYC3", "Midtown", "New York", 24000),
    ("MIL1", "Brera", "Milan", 17000),
    ("ROM1", "Trastevere", "Rome", 15500),
    ("PAR1", "Marais", "Paris", 20500),
    ("PAR2", "Canal", "Paris", 14000),
    ("BOS1", "Beacon Hill", "Boston", 20000),
    ("AMS1", "Jordaan", "Amsterdam", 18500),
    ("ZRH1", "Limmat", "Zurich", 22500),
    ("TOR1", "Queen Street", "Toronto", 15000),
    ("SFO1", "Embarcadero", "San Francisco", 23500),
    ("MTL1", "Plateau", "Montreal", 13500),
    ("STO1", "Södermalm", "Stockholm", 16500),
    ("CHI1", "River North", "Chicago", 17500),
    ("MAD1", "Retiro", "Madrid", 13500),
    ("LIS1", "Alfama", "Lisbon", 12500),
    ("BCN1", "Gràcia", "Barcelona", 14500),
    ("PRG1", "Malá Strana", "Prague", 10500),
    ("BRU1", "Sablon", "Brussels", 13000),
    ("BER1", "Kreuzberg", "Berlin", 12000),
    ("OSL1", "Grünerløkka", "Oslo", 17000),
    ("EDI1", "Grassmarket", "Edinburgh", 15500),
    ("VCE1", "Cannaregio", "Venice", 18000),
)
"""Code, quarter, city, and what a double room costs on an ordinary night."""

ROOMS = {"single": (1, 72, 14), "double": (2, 100, 30), "family": (4, 135, 8), "suite": (3, 210, 4)}
"""What a room sleeps, its share of the double room's price in percent, and how many there are."""

RATES: list[Row] = [
    {"rate": "saver", "price_percent": 80, "prepaid": 1, "free_hours": None, "breakfast": 0},
    {"rate": "flexible", "price_percent": 100, "prepaid": 0, "free_hours": 48, "breakfast": 0},
    {"rate": "club", "price_percent": 92, "prepaid": 1, "free_hours": 24, "breakfast": 1},
]
WISHES = ("high_floor", "low_floor", "quiet", "twin_beds", "near_lift")


class Span(NamedTuple):
    """Nights somewhere: days of arrival and departure, and the city."""

    arrival: str
    departure: str
    city: str


def hotels() -> list[Row]:
    """The hotels of `HOTELS`, with addresses and what they offer."""
    cities = {row["city"]: row for row in universe("cities")}
    found = []
    for hotel_id, quarter, city, _ in HOTELS:
        place = address(city, cities[city]["country"], "Lanternhouse", hotel_id)
        found.append(
            {
                "hotel_id": hotel_id,
                "name": f"Lanternhouse {quarter}",
                "city": city,
                "address": f"{place['line']}, {place['postcode']}",
                "utc_offset_minutes": cities[city]["utc_offset_minutes"],
                "breakfast_cents": draw.number(14, 28, hotel_id, "breakfast") * 100,
                "parking_cents": draw.number(12, 38, hotel_id, "parking") * 100
                if draw.chance(65, hotel_id, "car park")
                else None,
                "pets": "welcome" if draw.chance(55, hotel_id, "pets") else "not_allowed",
            }
        )
    return found


def rooms() -> list[Row]:
    """Kinds of rooms; not every hotel has families' rooms and suites."""
    return [
        {"hotel_id": hotel_id, "room": room, "sleeps": sleeps, "count": count + draw.number(-2, 4, hotel_id, room)}
        for hotel_id, *_ in HOTELS
        for room, (sleeps, _, count) in sorted(ROOMS.items())
        if room in ("single", "double") or draw.chance(80, hotel_id, room, "has")
    ]


def price(hotel_id: str, room: str, night: str) -> int:
    """What a night costs at the flexible rate: dearer on Fridays and Saturdays, and on some nights for no reason."""
    double = next(cents for code_, *_, cents in HOTELS if code_ == hotel_id)
    weekend = 118 if date.fromisoformat(night).weekday() in (4, 5) else 100
    percent = ROOMS[room][1] * weekend * draw.number(88, 125, hotel_id, night, "demand")
    return double * percent // 100_000_000 * 100


def people() -> Iterator[tuple[Row, list[Row]]]:
    """Guests with their flights: who flies, and some who do not."""
    flights: dict[str, list[Row]] = defaultdict(list)
    for row in events.of("airline"):
        if row["kind"] == "flight":
            flights[row["person_id"]].append(row)
    others = 0
    for person in universe("people"):
        if person["person_id"] in flights:
            yield person, flights[person["person_id"]]
        elif age(person) >= 21 and others < OTHERS and draw.chance(20, person["person_id"], "hotel guest"):
            others += 1
            yield person, []


def trips(person: Row, flights: list[Row]) -> list[Span]:
    """The nights between flying somewhere and flying back; a few after a flight with no way back."""
    home, found = person["city"], []
    by_trip: dict[str, list[Row]] = defaultdict(list)
    for flight in flights:
        by_trip[flight["reference"]].append(flight)
    for reference, legs in sorted(by_trip.items()):
        legs.sort(key=lambda row: row["starts_at"])
        arrival, city = legs[0]["ends_at"][:10], legs[0]["city"]
        nights = draw.number(1, 4, reference, "nights")
        departure = legs[1]["starts_at"][:10] if len(legs) > 1 else later(arrival, days=nights)
        if city != home and arrival < departure:
            found.append(Span(arrival, departure, city))
    return found


class Guests:
    """Guests, their cards and stays as they are drawn, one guest after another."""

    def __init__(self) -> None:
        self.tables: dict[str, list[Row]] = {name: [] for name in ("guests", "cards", "stays", "extras", "wishes")}
        self.nights: list[Row] = []
        self.charges: list[Row] = []
        self.hotels = {row["hotel_id"]: row for row in hotels()}
        self.kinds = {(row["hotel_id"], row["room"]): row for row in rooms()}
        self.sold: dict[tuple[str, str, str], int] = defaultdict(int)
        self.households: dict[int, int] = defaultdict(int)
        self.wallets: dict[str, list[Row]] = defaultdict(list)
        for person in universe("people"):
            self.households[person["household"]] += 1
        for card in universe("cards"):
            self.wallets[card["person_id"]].append(card)

    def add(self, person: Row, flights: list[Row]) -> None:
        """A guest with all stays."""
        name = person["person_id"]
        guest_id = f"L{draw.number(100000, 999999, name, 'guest')}"
        self.tables["guests"].append(
            {
                "guest_id": guest_id,
                "first_name": person["first_name"],
                "last_name": person["last_name"],
                "email": person["email"],
                "phone": person["phone"].replace(" ", ""),
                "tier": draw.weighted([("classic", 55), ("silver", 27), ("gold", 18)], name, "hotel tier"),
            }
        )
        for index, card in enumerate(self.wallets[name]):
            self.tables["cards"].append(
                {
                    "card_id": f"H{draw.number(100000, 999999, name, 'card', index)}",
                    "guest_id": guest_id,
                    **{key: card[key] for key in ("brand", "last_four", "valid_until", "main")},
                }
            )
        taken: list[Span] = []
        for span in trips(person, flights):
            if draw.chance(80, name, span, "stays with us"):
                self._stay(person, span, taken)
        favourite = taken[0].city if taken else draw.pick(HOTELS, name, "favourite")[2]
        for number in range(draw.number(1, 4, name, "more stays")):
            self._stay(person, self._somewhen(name, number, favourite), taken)

    def _somewhen(self, name: str, number: int, favourite: str) -> Span:
        """A stay with no flight behind it: last winter, or in the weeks to come."""
        coming = draw.chance(60, name, number, "coming")
        day = TODAY + timedelta(
            days=draw.number(1, 30, name, number, "day") if coming else -draw.number(8, 120, name, number)
        )
        city = favourite if draw.chance(60, name, number, "again") else draw.pick(HOTELS, name, number, "city")[2]
        nights = draw.weighted([(1, 30), (2, 35), (3, 20), (4, 10), (6, 5)], name, number, "nights")
        return Span(str(day), str(day + timedelta(days=nights)), city)

    def _stay(self, person: Row, span: Span, taken: list[Span]) -> None:
        there = [row for row in self.hotels.values() if row["city"] == span.city]
        if not there or span.city == person["city"]:
            return
        if any(span.arrival < other.departure and other.arrival < span.departure for other in taken):
            return
        name, guest = person["person_id"], self.tables["guests"][-1]
        hotel = draw.pick(there, name, span, "hotel")
        party = min(4, 1 + draw.number(0, self.households[person["household"]] - 1, name, span, "party"))
        fitting = [
            room
            for room, (sleeps, *_) in ROOMS.items()
            if sleeps >= party and (room == "suite" or sleeps <= party + 1) and (hotel["hotel_id"], room) in self.kinds
        ]
        nights = [later(span.arrival, days=n) for n in range(_days(span))]
        alone = len(nights) == 1 and date.fromisoformat(span.arrival).weekday() == 5
        fitting = [
            room
            for room in fitting
            if (room != "suite" or not alone)
            and all(self.sold[hotel["hotel_id"], room, night] + 1 < self._count(hotel, room) for night in nights)
        ]
        if not fitting or len(nights) > 14:
            return
        room = draw.pick(fitting, name, span, "room")
        taken.append(span)
        rate = draw.weighted([("saver", 30), ("flexible", 45), ("club", 25)], name, span, "rate")
        self._book(
            guest, hotel, room, "flexible" if rate == "club" and guest["tier"] == "classic" else rate, span, party
        )

    def _count(self, hotel: Row, room: str) -> int:
        return int(self.kinds[hotel["hotel_id"], room]["count"])

    def _book(self, guest: Row, hotel: Row, room: str, rate: str, span: Span, party: int) -> None:
        key = (guest["guest_id"], span.arrival)
        stay_id = code(7, *key, "stay")
        terms = next(row for row in RATES if row["rate"] == rate)
        check_in = moment(utc(span.arrival, "15:00", hotel["utc_offset_minutes"]))
        booked = min(check_in, NOW) - timedelta(minutes=draw.number(300, 60 * 1440, *key, "booked"))
        status = self._status(span, key)
        prices = {
            night: price(hotel["hotel_id"], room, night) * terms["price_percent"] // 100
            for night in (later(span.arrival, days=n) for n in range(_days(span)))
        }
        stay = {
            "stay_id": stay_id,
            "guest_id": guest["guest_id"],
            "hotel_id": hotel["hotel_id"],
            "room": room,
            "rate": rate,
            "arrival": span.arrival,
            "departure": span.departure,
            "guests": party,
            "status": status,
            "booked_at": stamp(booked),
            "cancelled_at": None,
            "card_id": next(row["card_id"] for row in self.tables["cards"] if row["guest_id"] == guest["guest_id"]),
            "total_cents": 0,
        }
        self.tables["stays"].append(stay)
        self.nights += [{"stay_id": stay_id, "night": night, "price_cents": cents} for night, cents in prices.items()]
        extras = self._extras(stay, hotel, guest, terms) if status not in ("cancelled", "no_show") else 0
        for wish in WISHES:
            if draw.chance(7, stay_id, wish):
                self.tables["wishes"].append({"stay_id": stay_id, "wish": wish, "noted_at": stamp(booked)})
        self._settle(stay, terms, list(prices.values()), extras, check_in.date(), stamp(booked))
        if status in ("booked", "checked_in", "checked_out"):
            for night in prices:
                self.sold[hotel["hotel_id"], room, night] += 1

    def _status(self, span: Span, key: tuple[str, str]) -> str:
        if draw.chance(9, *key, "cancelled"):
            return "cancelled"
        if span.departure < str(TODAY) or (span.departure == str(TODAY) and draw.chance(40, *key, "left early")):
            return "no_show" if draw.chance(4, *key, "no show") else "checked_out"
        return "checked_in" if span.arrival < str(TODAY) else "booked"

    def _extras(self, stay: Row, hotel: Row, guest: Row, terms: Row) -> int:
        """Add extras by the rules of policy.md; what they come to."""
        stay_id, nights = stay["stay_id"], _days(Span(stay["arrival"], stay["departure"], ""))
        double = stay["room"] != "single"
        offered = {
            "breakfast": (35, not terms["breakfast"], nights * stay["guests"] * hotel["breakfast_cents"]),
            "parking": (
                22,
                hotel["parking_cents"] is not None,
                0 if guest["tier"] == "gold" else nights * (hotel["parking_cents"] or 0),
            ),
            "late_checkout": (9, True, 3500 if guest["tier"] == "classic" else 0),
            "pet": (8, hotel["pets"] == "welcome" and double, nights * 2000),
            "cot": (9, double and stay["guests"] > 1, 0),
        }
        total = 0
        for extra, (percent, possible, cents) in offered.items():
            if possible and draw.chance(percent, stay_id, extra):
                self.tables["extras"].append({"stay_id": stay_id, "extra": extra, "amount_cents": cents})
                total += cents
        return total

    def _settle(self, stay: Row, terms: Row, prices: list[int], extras: int, check_in: date, booked: str) -> None:
        """Totals and charges by rate and by how the stay ended."""
        key, room = (stay["stay_id"], "settle"), sum(prices)
        moves = [("room", room, booked)] if terms["prepaid"] else []
        kept = room if terms["free_hours"] is None else prices[0]
        ended = f"{stay['departure']}T{draw.number(7, 8, *key):02d}:{draw.number(0, 59, *key, 'minute'):02d}:00Z"
        if stay["status"] == "cancelled":
            latest = min(stamp(NOW), f"{check_in}T09:00:00Z")
            minutes = int((moment(latest) - moment(booked)).total_seconds()) // 60
            stay["cancelled_at"] = later(booked, minutes=draw.number(minutes // 3, minutes, *key, "cancelled"))
            hours = (moment(f"{check_in}T15:00:00Z") - moment(stay["cancelled_at"])).total_seconds() / 3600
            if terms["free_hours"] is not None and hours > terms["free_hours"] + 12:
                kept = 0
            ended = stay["cancelled_at"]
        if stay["status"] in ("cancelled", "no_show"):
            stay["total_cents"] = kept
            due = kept - sum(cents for _, cents, _ in moves)
            moves += [("fee" if due > 0 else "refund", due, ended)] if due else []
        else:
            stay["total_cents"] = room + extras
        if stay["status"] == "checked_out":
            moves += [] if terms["prepaid"] else [("room", room, ended)]
            moves += [("extras", extras, ended)] if extras else []
        self.charges += [
            {"stay_id": stay["stay_id"], "kind": kind, "amount_cents": cents, "charged_at": at}
            for kind, cents, at in moves
        ]


def _days(span: Span) -> int:
    return (date.fromisoformat(span.departure) - date.fromisoformat(span.arrival)).days


def nights(guests: Guests) -> list[Row]:
    """What is on sale: rooms that others have taken, and those of the guests above."""
    found = []
    for (hotel_id, room), kind in sorted(guests.kinds.items()):
        for number in range(NIGHTS_ON_SALE):
            night = str(FIRST_NIGHT + timedelta(days=number))
            ours, key = guests.sold[hotel_id, room, night], (hotel_id, room, night)
            free = kind["count"] - ours
            full = draw.chance(5 if room != "suite" else 14, *key, "sold out")
            left = 0 if full else draw.number(min(1, free), max(1, free * 2 // 3), *key, "left")
            row = {"price_cents": price(hotel_id, room, night), "rooms_left": min(left, free)}
            found.append({"hotel_id": hotel_id, "room": room, "night": night, **row})
    return found


def tables() -> dict[str, list[Row]]:
    """Every table's rows, in the order they are written."""
    guests = Guests()
    for person, flights in people():
        guests.add(person, flights)
    charges = sorted(guests.charges, key=lambda row: (row["charged_at"], row["stay_id"], row["kind"]))
    drawn = {
        table: sorted(rows, key=lambda row: tuple(map(str, row.values()))[:2]) for table, rows in guests.tables.items()
    }
    return drawn | {
        "hotels": list(guests.hotels.values()),
        "rooms": list(guests.kinds.values()),
        "nights": nights(guests),
        "rates": RATES,
        "stay_nights": sorted(guests.nights, key=lambda row: (row["stay_id"], row["night"])),
        "charges": [{"charge_id": number, **row} for number, row in enumerate(charges, start=1)],
    }


if __name__ == "__main__":
    for table, rows in tables().items():
        write_jsonl(DATA / f"{table}.jsonl", rows)
