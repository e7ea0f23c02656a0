"""Everfield Air's customer desk: four tools that look things up, five that change something.

Read it top down: what the values are, what the tools return, the tools, and the checks they share. A rule of
policy.md that a `reason` names is enforced here; the others are the agent's to keep. `candidates` and `refused` are
examples for testing: arguments that succeed, and arguments that are refused for that reason.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from envfactory_gym import Environment, Ref, ToolError, World

env = Environment(__file__)

BAG_CENTS = 4000
MAX_BAGS = 3
MAX_PASSENGERS = 6
LONGEST_SEARCH_DAYS = 14
PAGE_SIZE = 20
FREE_BAGS_BY_TIER = {"member": 0, "silver": 1, "gold": 2}

# ---------------------------------------------------------------- what the values are

CustomerId = Annotated[str, Ref("customers.customer_id"), Field(max_length=40)]
ReservationId = Annotated[str, Ref("reservations.reservation_id"), Field(max_length=40)]
FlightId = Annotated[str, Ref("flights.flight_id"), Field(max_length=40)]
City = Annotated[str, Ref("airports.city"), Field(max_length=60)]
Airport = Annotated[str, Ref("airports.code")]
Place = Annotated[str, Ref("airports.city"), Field(max_length=60)]
Email = Annotated[str, Ref("customers.email"), Field(max_length=120, pattern=r"^[^@\s]+@[^@\s]+\.[^@\s]+$")]
Phone = Annotated[str, Field(max_length=24, pattern=r"^\+[0-9][0-9 ]{6,}$")]
PersonName = Annotated[str, Field(max_length=80, pattern=r"^\S+( \S+)+$")]
Day = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]
Page = Annotated[int, Field(ge=1, le=1000)]
Fare = Literal["basic", "standard", "flex", "business"]
CancelReason = Literal["change_of_plans", "illness", "schedule_change"]

# ---------------------------------------------------------------- what the tools return


class Customer(TypedDict):
    customer_id: CustomerId
    first_name: str
    last_name: str
    email: Annotated[str, Ref("customers.email")]
    phone: str
    tier: Literal["member", "silver", "gold"]


class Trip(TypedDict):
    reservation_id: ReservationId
    status: Literal["confirmed", "cancelled"]
    fare: Fare
    origin: City
    destination: City
    departure_date: str
    departs_at: str
    return_date: str | None
    passengers: int
    paid_cents: int


class Trips(TypedDict):
    reservations: list[Trip]
    total: int
    page: int
    pages: int


class Segment(TypedDict):
    position: int
    flight_id: FlightId
    origin: Airport
    destination: Airport
    departs_at: str
    arrives_at: str
    status: Literal["scheduled", "cancelled"]
    delay_minutes: int
    price_cents: int


class Passenger(TypedDict):
    position: int
    name: str
    bags: int


class Reservation(TypedDict):
    reservation_id: ReservationId
    customer_id: CustomerId
    status: Literal["confirmed", "cancelled"]
    fare: Fare
    booked_at: str
    segments: list[Segment]
    passengers: list[Passenger]
    paid_cents: int
    refunded_cents: int
    cancelled_at: str | None
    cancel_reason: CancelReason | None


class Prices(TypedDict):
    basic: int
    standard: int
    flex: int
    business: int


class Seats(TypedDict):
    economy: int
    business: int


class Flight(TypedDict):
    flight_id: FlightId
    origin: Airport
    destination: Airport
    date: str
    departs_at: str
    arrives_at: str
    minutes: int
    status: Literal["scheduled", "cancelled"]
    delay_minutes: int
    prices: Prices
    seats_left: Seats


class Flights(TypedDict):
    flights: list[Flight]
    total: int
    page: int
    pages: int


class Booking(TypedDict):
    reservation_id: ReservationId
    passengers: int
    paid_cents: int


class Change(TypedDict):
    reservation_id: ReservationId
    flight_id: FlightId
    fare_difference_cents: int
    change_fee_cents: int
    charged_cents: int


class Cancellation(TypedDict):
    reservation_id: ReservationId
    refund_cents: int


class Bags(TypedDict):
    reservation_id: ReservationId
    passenger: int
    bags: int
    charged_cents: int


# ---------------------------------------------------------------- looking things up


@env.tool(
    candidates="SELECT customer_id AS identifier FROM customers UNION ALL SELECT email FROM customers",
    refused={"not_found": "SELECT last_name AS identifier FROM customers"},
)
def find_customer(world: World, identifier: CustomerId) -> Customer:
    """Find a customer by customer number or by e-mail address.

    Args:
        identifier: Customer number such as "E104822", or the e-mail address on file.
    """
    customer = world.one(
        "SELECT * FROM customers WHERE customer_id = ? OR email = ?", identifier.upper(), identifier.lower()
    )
    if customer is None:
        raise ToolError(
            "not_found",
            f"No customer has the number or address {identifier}; a name is not enough.",
            field="identifier",
        )
    return customer


@env.tool(
    candidates="SELECT customer_id FROM customers",
    refused={"not_found": "SELECT 'E000000' AS customer_id"},
)
def list_reservations(world: World, customer_id: CustomerId, page: Page = 1) -> Trips:
    """List a customer's reservations, past, coming and cancelled, by departure of the first flight.

    Args:
        customer_id: Customer number, such as "E104822".
        page: Page of up to 20 reservations, from 1.
    """
    _customer(world, customer_id)
    total = world.value("SELECT count(*) FROM reservations WHERE customer_id = ?", customer_id)
    reservations = world.all(
        """
        SELECT reservation_id, status, fare, origin, destination, departure_date, departs_at, return_date,
               passengers, paid_cents
        FROM trips WHERE customer_id = ? ORDER BY departs_at, reservation_id LIMIT ? OFFSET ?
        """,
        customer_id, PAGE_SIZE, (page - 1) * PAGE_SIZE,
    )  # fmt: skip
    return {"reservations": reservations, "total": total, "page": page, "pages": _pages(total)}


@env.tool(
    candidates="SELECT reservation_id FROM reservations",
    refused={"not_found": "SELECT '000000' AS reservation_id"},
)
def get_reservation(world: World, reservation_id: ReservationId) -> Reservation:
    """Show a reservation: flights, passengers with their bags, what was paid and refunded, in US cents.

    Args:
        reservation_id: Booking code, such as "K7Q2MD".
    """
    reservation = world.one(
        """
        SELECT reservation_id, customer_id, status, fare, booked_at, paid_cents,
               (SELECT coalesce(sum(amount_cents), 0) FROM payments AS p
                WHERE p.reservation_id = r.reservation_id AND kind = 'refund') AS refunded_cents,
               cancelled_at, cancel_reason
        FROM reservations AS r WHERE reservation_id = ?
        """,
        reservation_id,
    )
    if reservation is None:
        raise ToolError("not_found", f"No reservation {reservation_id}.", field="reservation_id")
    segments = _segments(world, reservation_id)
    passengers = world.all(
        "SELECT position, name, bags FROM passengers WHERE reservation_id = ? ORDER BY position", reservation_id
    )
    return {**reservation, "segments": segments, "passengers": passengers}


@env.tool(
    candidates="SELECT origin_city AS origin, destination, min(date) AS from_date FROM flight_offers GROUP BY 1, 2",
    refused={
        "not_found": "SELECT 'Atlantis' AS origin, code AS destination, date(:now) AS from_date FROM airports",
        "dates": "SELECT 'OSL' AS origin, 'Paris' AS destination, '2026-05-20' AS from_date, '2026-05-19' AS to_date",
        "search-span": """
            SELECT 'OSL' AS origin, 'LHR' AS destination, '2026-05-01' AS from_date, '2026-05-16' AS to_date
        """,
    },
)
def search_flights(
    world: World, origin: Place, destination: Place, from_date: Day, to_date: Day | None = None, page: Page = 1
) -> Flights:
    """List direct flights between two places by departure, with seats left and prices per passenger in US cents.

    Cancelled flights and flights that have left are listed too; they cannot be booked.

    Args:
        origin: City or airport code; a city stands for all its airports.
        destination: City or airport code.
        from_date: First day of departure, such as "2026-05-21".
        to_date: Last day of departure, at most 14 days after the first; the same day if left out.
        page: Page of up to 20 flights, from 1.
    """
    last = to_date or from_date
    _check_day(world, from_date, "from_date")
    _check_day(world, last, "to_date")
    span = world.value("SELECT julianday(?) - julianday(?)", last, from_date)
    if span < 0:
        raise ToolError("invalid", "The last day is before the first.", field="to_date", reason="dates")
    if span > LONGEST_SEARCH_DAYS:
        raise ToolError(
            "limit",
            f"The last day is at most {LONGEST_SEARCH_DAYS} days after the first.",
            field="to_date",
            reason="search-span",
        )
    route = {"origin": _place(world, origin, "origin"), "destination": _place(world, destination, "destination")}
    total = world.value(
        """
        SELECT count(*) FROM flight_offers
        WHERE :origin IN (origin, origin_city) AND :destination IN (destination, destination_city)
          AND date BETWEEN :first AND :last
        """,
        **route, first=from_date, last=last,
    )  # fmt: skip
    offers = world.all(
        """
        SELECT * FROM flight_offers
        WHERE :origin IN (origin, origin_city) AND :destination IN (destination, destination_city)
          AND date BETWEEN :first AND :last
        ORDER BY departs_at, flight_id LIMIT :size OFFSET :skip
        """,
        **route, first=from_date, last=last, size=PAGE_SIZE, skip=(page - 1) * PAGE_SIZE,
    )  # fmt: skip
    percent = {row["fare"]: row["price_percent"] for row in world.all("SELECT * FROM fares ORDER BY fare")}
    flights = [_flight(offer, percent) for offer in offers]
    return {"flights": flights, "total": total, "page": page, "pages": _pages(total)}


def _flight(offer: dict[str, Any], percent: dict[str, int]) -> Flight:
    economy, business = offer["economy_cents"], offer["business_cents"]
    return {
        "flight_id": offer["flight_id"],
        "origin": offer["origin"],
        "destination": offer["destination"],
        "date": offer["date"],
        "departs_at": offer["departs_at"],
        "arrives_at": offer["arrives_at"],
        "minutes": offer["minutes"],
        "status": offer["status"],
        "delay_minutes": offer["delay_minutes"],
        "prices": {
            "basic": economy * percent["basic"] // 100,
            "standard": economy * percent["standard"] // 100,
            "flex": economy * percent["flex"] // 100,
            "business": business * percent["business"] // 100,
        },
        "seats_left": {"economy": offer["economy_left"], "business": offer["business_left"]},
    }


# ---------------------------------------------------------------- changing something


@env.tool(
    writes=["reservations", "segments", "passengers", "payments", "flight_cabins"],
    candidates="""
        SELECT customer_id, fare, flight_id
        FROM customers, fares, flight_offers AS f
        WHERE status = 'scheduled' AND departs_at > :now AND economy_left > 0 AND business_left > 0
        ORDER BY substr(f.departs_at, 12), customer_id, fare LIMIT 500
    """,
    refused={
        "departed": "SELECT customer_id, 'flex' AS fare, flight_out AS flight_id FROM trips WHERE departs_at <= :now",
        "flight-cancelled": """
            SELECT 'flex' AS fare, flight_id, (SELECT min(customer_id) FROM customers) AS customer_id
            FROM flights WHERE status = 'cancelled' AND departs_at > :now
        """,
        "sold-out": """
            SELECT 'flex' AS fare, flight_id, (SELECT min(customer_id) FROM customers) AS customer_id
            FROM flight_offers WHERE economy_left = 0 AND status = 'scheduled' AND departs_at > :now
        """,
    },
)
def book_reservation(
    world: World,
    customer_id: CustomerId,
    fare: Fare,
    flight_id: FlightId,
    return_flight_id: FlightId | None = None,
    companions: Annotated[list[PersonName], Field(max_length=20)] = [],  # noqa: B006 - never changed
) -> Booking:
    """Book a trip for a customer and companions, and charge the card on file.

    Args:
        customer_id: Customer who pays and travels as the first passenger.
        fare: Fare of all flights and passengers: basic, standard or flex in economy, or business.
        flight_id: Flight out, such as "EF212-2026-05-21".
        return_flight_id: Flight back between the same cities; left out for a one-way trip.
        companions: Given and family name of each further passenger.
    """
    customer = _customer(world, customer_id)
    party = 1 + len(companions)
    if party > MAX_PASSENGERS:
        raise ToolError(
            "limit",
            f"A reservation holds at most {MAX_PASSENGERS} passengers.",
            field="companions",
            reason="passenger-limit",
        )
    price = _seat_price(world, flight_id, fare, party, "flight_id")
    flights = [(flight_id, price)]
    if return_flight_id is not None:
        flights.append((return_flight_id, _seat_price(world, return_flight_id, fare, party, "return_flight_id")))
        _check_round_trip(world, flight_id, return_flight_id, "return_flight_id")
    reservation_id = world.new_code("reservations.reservation_id")
    paid = party * sum(price for _, price in flights)
    world.run(
        """
        INSERT INTO reservations (reservation_id, customer_id, fare, status, booked_at, paid_cents)
        VALUES (?, ?, ?, 'confirmed', ?, ?)
        """,
        reservation_id, customer_id, fare, world.now, paid,
    )  # fmt: skip
    for position, (flight, price) in enumerate(flights, start=1):
        world.run("INSERT INTO segments VALUES (?, ?, ?, ?)", reservation_id, position, flight, price)
        _take_seats(world, flight, fare, party)
    names = [f"{customer['first_name']} {customer['last_name']}", *companions]
    for position, name in enumerate(names, start=1):
        world.run("INSERT INTO passengers VALUES (?, ?, ?, 0)", reservation_id, position, name)
    _pay(world, reservation_id, "booking", paid)
    return {"reservation_id": reservation_id, "passengers": party, "paid_cents": paid}


@env.tool(
    writes=["segments", "reservations", "payments", "flight_cabins"],
    destructive=True,
    candidates="""
        SELECT reservation_id, t.flight_out AS flight_id, new.flight_id AS new_flight_id
        FROM trips AS t JOIN flight_offers AS new ON origin_city = t.origin AND destination_city = t.destination
        WHERE t.status = 'confirmed' AND fare IN ('standard', 'flex') AND return_date IS NULL AND t.departs_at > :now
          AND new.status = 'scheduled' AND new.departs_at > :now AND economy_left >= passengers
          AND flight_out <> new.flight_id
        ORDER BY reservation_id, new.flight_id
    """,
    refused={
        "basic-final": """
            SELECT reservation_id, flight_out AS flight_id, flight_out AS new_flight_id
            FROM trips WHERE fare = 'basic' AND status = 'confirmed'
        """,
        "departed": """
            SELECT reservation_id, flight_out AS flight_id, flight_out AS new_flight_id
            FROM trips WHERE fare <> 'basic' AND status = 'confirmed' AND departs_at <= :now
        """,
        "same-flight": """
            SELECT reservation_id, flight_out AS flight_id, flight_out AS new_flight_id
            FROM trips WHERE fare <> 'basic' AND status = 'confirmed' AND departs_at > :now
        """,
    },
)
def change_flight(world: World, reservation_id: ReservationId, flight_id: FlightId, new_flight_id: FlightId) -> Change:
    """Move all passengers of a reservation from one of its flights to another, and charge fee and difference.

    Args:
        reservation_id: Booking code, such as "K7Q2MD".
        flight_id: Flight on the reservation to be replaced, such as "EF212-2026-05-21".
        new_flight_id: Flight between the same cities to take instead.
    """
    reservation = _open_reservation(world, reservation_id)
    segments = _segments(world, reservation_id)
    old = next((segment for segment in segments if segment["flight_id"] == flight_id), None)
    if old is None:
        raise ToolError(
            "invalid",
            f"{flight_id} is not a flight of this reservation.",
            field="flight_id",
            reason="not-on-reservation",
        )
    if reservation["fare"] == "basic":
        raise ToolError("forbidden", "A basic fare cannot be changed.", field="reservation_id", reason="basic-final")
    _check_not_departed(world, old)
    if new_flight_id == flight_id:
        raise ToolError("conflict", "That is the flight it is on.", field="new_flight_id", reason="same-flight")
    party = reservation["passengers"]
    price = _seat_price(world, new_flight_id, reservation["fare"], party, "new_flight_id")
    if _cities(world, flight_id) != _cities(world, new_flight_id):
        raise ToolError(
            "forbidden", "A change keeps the cities of the flight.", field="new_flight_id", reason="change-window"
        )
    if len(segments) == 2:
        legs = [new_flight_id if segment is old else segment["flight_id"] for segment in segments]
        _check_round_trip(world, legs[0], legs[1], "new_flight_id")
    difference = party * max(0, price - old["price_cents"])
    fee = 0 if reservation["tier"] == "gold" else party * reservation["change_fee_cents"]
    world.run(
        "UPDATE segments SET flight_id = ?, price_cents = ? WHERE reservation_id = ? AND position = ?",
        new_flight_id, max(price, old["price_cents"]), reservation_id, old["position"],
    )  # fmt: skip
    _take_seats(world, flight_id, reservation["fare"], -party)
    _take_seats(world, new_flight_id, reservation["fare"], party)
    _charge(world, reservation_id, "fare_difference", difference)
    _charge(world, reservation_id, "change_fee", fee)
    return {
        "reservation_id": reservation_id,
        "flight_id": new_flight_id,
        "fare_difference_cents": difference,
        "change_fee_cents": fee,
        "charged_cents": difference + fee,
    }


@env.tool(
    writes=["reservations", "payments", "flight_cabins"],
    destructive=True,
    candidates="""
        SELECT reservation_id, iif(reservation_id IN disrupted, 'schedule_change', 'change_of_plans') AS reason
        FROM trips WHERE status = 'confirmed' AND departs_at > :now ORDER BY reservation_id
    """,
    refused={
        "departed": """
            SELECT reservation_id, 'illness' AS reason
            FROM trips WHERE status = 'confirmed' AND departs_at <= :now
        """,
        "cancelled": "SELECT reservation_id, 'illness' AS reason FROM trips WHERE status = 'cancelled'",
        "schedule-change": """
            SELECT reservation_id, 'schedule_change' AS reason
            FROM trips WHERE status = 'confirmed' AND departs_at > :now AND reservation_id NOT IN disrupted
        """,
    },
)
def cancel_reservation(world: World, reservation_id: ReservationId, reason: CancelReason) -> Cancellation:
    """Cancel a whole reservation before its first flight leaves, and refund the card by the rules.

    Args:
        reservation_id: Booking code, such as "K7Q2MD".
        reason: Why the customer cancels. schedule_change only if the airline cancelled or long delayed a flight.
    """
    reservation = _open_reservation(world, reservation_id)
    segments = _segments(world, reservation_id)
    _check_not_departed(world, segments[0])
    if reason == "schedule_change":
        if not reservation["disrupted"]:
            raise ToolError(
                "forbidden",
                "No flight of it is cancelled or delayed by 180 minutes or more.",
                field="reason",
                reason="schedule-change",
            )
        percent = 100
    else:
        percent = 100 if reservation["free_cancellation"] else reservation["refund_percent"]
    refund = reservation["paid_cents"] * percent // 100
    world.run(
        "UPDATE reservations SET status = 'cancelled', cancelled_at = ?, cancel_reason = ? WHERE reservation_id = ?",
        world.now, reason, reservation_id,
    )  # fmt: skip
    for segment in segments:
        _take_seats(world, segment["flight_id"], reservation["fare"], -reservation["passengers"])
    _pay(world, reservation_id, "refund", refund)
    return {"reservation_id": reservation_id, "refund_cents": refund}


@env.tool(
    writes=["passengers", "reservations", "payments"],
    candidates="""
        SELECT reservation_id, position AS passenger, 1 AS bags FROM trips JOIN passengers USING (reservation_id)
        WHERE status = 'confirmed' AND departs_at > :now AND bags < 3 ORDER BY reservation_id, position
    """,
    refused={
        "bags": """
            SELECT reservation_id, position AS passenger, 4 - bags AS bags
            FROM trips JOIN passengers USING (reservation_id)
            WHERE status = 'confirmed' AND departs_at > :now AND bags > 0
        """,
        "departed": """
            SELECT reservation_id, 1 AS passenger, 1 AS bags
            FROM trips WHERE status = 'confirmed' AND departs_at <= :now
        """,
        "cancelled": "SELECT reservation_id, 1 AS passenger, 1 AS bags FROM trips WHERE status = 'cancelled'",
    },
)
def add_bags(
    world: World,
    reservation_id: ReservationId,
    passenger: Annotated[int, Field(ge=1)],
    bags: Annotated[int, Field(ge=1, le=MAX_BAGS)],
) -> Bags:
    """Add checked bags to one passenger, and charge what goes beyond the free ones.

    Args:
        reservation_id: Booking code, such as "K7Q2MD".
        passenger: Position of the passenger on the reservation, from 1.
        bags: How many bags to add, from 1 to 3.
    """
    reservation = _open_reservation(world, reservation_id)
    _check_not_departed(world, _segments(world, reservation_id)[0])
    before = world.value(
        "SELECT bags FROM passengers WHERE reservation_id = ? AND position = ?", reservation_id, passenger
    )
    if before is None:
        raise ToolError(
            "not_found", f"The reservation has no passenger {passenger}; get_reservation lists them.", field="passenger"
        )
    after = before + bags
    if after > MAX_BAGS:
        raise ToolError(
            "limit", f"At most {MAX_BAGS} bags per passenger, and there are {before}.", field="bags", reason="bags"
        )
    free = reservation["free_bags"] + FREE_BAGS_BY_TIER[reservation["tier"]]
    charge = BAG_CENTS * (max(0, after - free) - max(0, before - free))
    world.run(
        "UPDATE passengers SET bags = ? WHERE reservation_id = ? AND position = ?", after, reservation_id, passenger
    )
    _charge(world, reservation_id, "bags", charge)
    return {"reservation_id": reservation_id, "passenger": passenger, "bags": after, "charged_cents": charge}


@env.tool(
    writes=["customers"],
    destructive=True,
    idempotent=True,
    candidates="SELECT customer_id, 'new.' || email AS email, '+45 3200 0000' AS phone FROM customers",
    refused={
        "nothing-given": "SELECT customer_id FROM customers",
        "email-taken": """
            SELECT customer_id, (SELECT min(email) FROM customers) AS email FROM customers
            WHERE email > (SELECT min(email) FROM customers)
        """,
    },
)
def update_contact(
    world: World, customer_id: CustomerId, email: Email | None = None, phone: Phone | None = None
) -> Customer:
    """Change a customer's e-mail address, phone number, or both.

    Args:
        customer_id: Customer number, such as "E104822".
        email: New e-mail address; left out to keep the old one.
        phone: New phone number with country code, such as "+44 7700 900123"; left out to keep the old one.
    """
    customer = _customer(world, customer_id)
    if email is None and phone is None:
        raise ToolError("invalid", "Give an e-mail address or a phone number.", field="email", reason="nothing-given")
    address = email.lower() if email else customer["email"]
    number = phone.replace(" ", "") if phone else customer["phone"]
    if world.one("SELECT 1 FROM customers WHERE email = ? AND customer_id <> ?", address, customer_id):
        raise ToolError("conflict", "Another customer has that address.", field="email", reason="email-taken")
    world.run("UPDATE customers SET email = ?, phone = ? WHERE customer_id = ?", address, number, customer_id)
    return {**customer, "email": address, "phone": number}


# ---------------------------------------------------------------- shared checks and steps


def _customer(world: World, customer_id: str) -> dict[str, Any]:
    customer = world.one("SELECT * FROM customers WHERE customer_id = ?", customer_id)
    if customer is None:
        raise ToolError("not_found", f"No customer {customer_id}.", field="customer_id")
    return customer


def _open_reservation(world: World, reservation_id: str) -> dict[str, Any]:
    """A confirmed reservation with the rules that apply to it now."""
    reservation = world.one(
        """
        SELECT trips.status, fare, passengers, paid_cents, tier, free_bags, change_fee_cents, refund_percent,
               strftime('%s', :now) - strftime('%s', booked_at) <= 24 * 3600
               AND strftime('%s', departs_at) - strftime('%s', booked_at) >= 7 * 24 * 3600 AS free_cancellation,
               reservation_id IN disrupted AS disrupted
        FROM trips JOIN customers USING (customer_id) JOIN fares USING (fare) WHERE reservation_id = :reservation_id
        """,
        reservation_id=reservation_id,
    )  # fmt: skip
    if reservation is None:
        raise ToolError("not_found", f"No reservation {reservation_id}.", field="reservation_id")
    if reservation["status"] == "cancelled":
        raise ToolError("conflict", "The reservation is cancelled.", field="reservation_id", reason="cancelled")
    return reservation


def _segments(world: World, reservation_id: str) -> list[Segment]:
    return world.all(
        """
        SELECT position, flight_id, origin, destination, departs_at, arrives_at, status, delay_minutes, price_cents
        FROM segments JOIN flights USING (flight_id) WHERE reservation_id = ? ORDER BY position
        """,
        reservation_id,
    )


def _check_not_departed(world: World, segment: Segment) -> None:
    if segment["departs_at"] <= world.now:
        raise ToolError("forbidden", "The flight has left.", field="reservation_id", reason="departed")


def _seat_price(world: World, flight_id: str, fare: Fare, party: int, field: str) -> int:
    """Price of one seat in cents, after checking that the flight can be booked for the whole party."""
    flight = world.one(
        """
        SELECT departs_at, status, seats_left, price_cents * price_percent / 100 AS price_cents
        FROM flights JOIN flight_cabins USING (flight_id) JOIN fares USING (cabin) WHERE flight_id = ? AND fare = ?
        """,
        flight_id, fare,
    )  # fmt: skip
    if flight is None:
        raise ToolError("not_found", f"No flight {flight_id}.", field=field)
    if flight["departs_at"] <= world.now:
        raise ToolError("conflict", f"{flight_id} has left.", field=field, reason="departed")
    if flight["status"] == "cancelled":
        raise ToolError("conflict", f"{flight_id} is cancelled.", field=field, reason="flight-cancelled")
    if flight["seats_left"] < party:
        raise ToolError(
            "conflict",
            f"{flight_id} has {flight['seats_left']} seats left in that cabin.",
            field=field,
            reason="sold-out",
        )
    return flight["price_cents"]


def _check_round_trip(world: World, out: str, back: str, field: str) -> None:
    out_cities, back_cities = _cities(world, out), _cities(world, back)
    if out_cities != back_cities[::-1]:
        raise ToolError("invalid", "The flights do not lead there and back.", field=field, reason="other-route")
    if world.value(
        "SELECT a.arrives_at >= b.departs_at FROM flights AS a, flights AS b WHERE a.flight_id = ? AND b.flight_id = ?",
        out, back,
    ):  # fmt: skip
        raise ToolError("invalid", "The flight back leaves before the one out lands.", field=field, reason="too-early")


def _cities(world: World, flight_id: str) -> tuple[str, str]:
    offer = world.one("SELECT origin_city, destination_city FROM flight_offers WHERE flight_id = ?", flight_id)
    return offer["origin_city"], offer["destination_city"]


def _take_seats(world: World, flight_id: str, fare: Fare, seats: int) -> None:
    """Sell seats of the fare's cabin; a negative number gives them back."""
    world.run(
        """
        UPDATE flight_cabins SET seats_left = seats_left - ?
        WHERE flight_id = ? AND cabin = (SELECT cabin FROM fares WHERE fare = ?)
        """,
        seats, flight_id, fare,
    )  # fmt: skip


def _charge(world: World, reservation_id: str, kind: str, amount: int) -> None:
    """Charge the card for something added to a reservation; nothing is recorded where nothing is due."""
    if amount:
        world.run(
            "UPDATE reservations SET paid_cents = paid_cents + ? WHERE reservation_id = ?", amount, reservation_id
        )
        _pay(world, reservation_id, kind, amount)


def _pay(world: World, reservation_id: str, kind: str, amount: int) -> None:
    if amount:
        world.run(
            "INSERT INTO payments (reservation_id, kind, amount_cents, paid_at) VALUES (?, ?, ?, ?)",
            reservation_id, kind, amount, world.now,
        )  # fmt: skip


def _place(world: World, place: str, field: str) -> str:
    """The airport code or city name as it stands in the database."""
    known = world.value(
        """
        SELECT code FROM airports WHERE code = upper(:place)
        UNION ALL SELECT city FROM airports WHERE lower(city) = lower(:place) LIMIT 1
        """,
        place=place,
    )  # fmt: skip
    if known is None:
        raise ToolError("not_found", f"Everfield does not fly to {place}.", field=field)
    return known


def _check_day(world: World, day: str, field: str) -> None:
    if world.value("SELECT date(?, '+0 days')", day) != day:
        raise ToolError("invalid", f"{day} is not a day of the calendar.", field=field, reason="dates")


def _pages(total: int) -> int:
    return max(1, -(-total // PAGE_SIZE))


if __name__ == "__main__":
    env.serve()
