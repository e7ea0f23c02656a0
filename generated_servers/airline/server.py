"""Everfield Air's customer desk: tools that look things up, tools that change something, and one of the customer's own.

Read it top down: what the values are, what the tools return, the tools, and the steps they share. A rule of
policy.md that a `reason` names is enforced here; the others are the agent's to keep. `candidates` and `refused` are
examples for testing: arguments that succeed, and arguments that are refused for that reason. Views such as trips and
terms, which gather what the rules need to know, stand at the end of schema.sql.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from envfactory_gym import Environment, Ref, ToolError, World

env = Environment(__file__)

PAGE_SIZE = 20
LONGEST_SEARCH_DAYS = 14
MAX_PASSENGERS = 6
MAX_BAGS = 3
BAG_CENTS = 4000
CLAIM_DAYS = {"damaged": 7, "delayed": 21}
TROUBLE_CENTS = {"delay": 5000, "cancellation": 10000}
CODE_MINUTES, VERIFIED_MINUTES = 10, 30

CERTIFICATES = "SELECT certificate_id, cause, amount_cents, balance_cents, valid_until FROM certificates"
IDENTITY = "SELECT customer_id, phone, sent_at, verified_at FROM identities WHERE customer_id = ?"

# Where examples for testing come from.
COMING = "FROM terms WHERE status = 'confirmed' AND departs_at > :now"
LEFT = "FROM terms WHERE status = 'confirmed' AND departs_at <= :now"
CANCELLED = "FROM terms WHERE status = 'cancelled'"
UNBOOKABLE = "SELECT 'E865269' AS customer_id, 'flex' AS fare, flight_id FROM flight_offers"
SAME_FLIGHT = "SELECT reservation_id, flight_out AS flight_id, flight_out AS new_flight_id"
DAMAGED_OUT = "SELECT reservation_id, flight_out AS flight_id, 1 AS passenger, 'damaged' AS problem"
VERIFIED = "FROM customers JOIN identities USING (customer_id) WHERE verified_minutes <= 30"
NOBODY_ASKED = "FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM identities)"

# ---------------------------------------------------------------- what the values are

CustomerId = Annotated[
    str, Ref("customers.customer_id"), Field(max_length=40, description='Customer number, such as "E104822".')
]
ReservationId = Annotated[
    str, Ref("reservations.reservation_id"), Field(max_length=40, description='Booking code, such as "K7Q2MD".')
]
FlightId = Annotated[
    str, Ref("flights.flight_id"), Field(max_length=40, description='Flight and day, such as "EF212-2026-05-21".')
]
CardId = Annotated[str, Ref("cards.card_id"), Field(max_length=40)]
CertificateId = Annotated[str, Ref("certificates.certificate_id"), Field(max_length=40)]
Place = Annotated[
    str, Ref("airports.city"), Field(max_length=60, description="City or airport code; a city means all its airports.")
]
City = Annotated[str, Ref("airports.city")]
Airport = Annotated[str, Ref("airports.code")]
Email = Annotated[str, Ref("customers.email"), Field(max_length=120, pattern=r"^[^@\s]+@[^@\s]+\.[^@\s]+$")]
Phone = Annotated[str, Field(max_length=24, pattern=r"^\+[0-9][0-9 ]{6,}$")]
PersonName = Annotated[str, Field(max_length=80, pattern=r"^\S+( \S+)+$")]
Day = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]
Page = Annotated[int, Field(ge=1, le=1000, description="Page of up to 20 entries, from 1.")]
Position = Annotated[int, Field(ge=1, description="Position of the passenger on the reservation, from 1.")]
Fare = Literal["basic", "standard", "flex", "business"]
CancelReason = Annotated[
    Literal["change_of_plans", "illness", "schedule_change"],
    Field(description="Why; schedule_change only if the airline cancelled or long delayed a flight."),
]
Problem = Annotated[Literal["delayed", "damaged"], Field(description="What happened to the bag.")]
Trouble = Annotated[
    Literal["delay", "cancellation"],
    Field(description="A delay of 180 minutes or more, or a flight that the airline cancelled."),
]
Status = Literal["confirmed", "cancelled"]

# ---------------------------------------------------------------- what the tools return


class Customer(TypedDict):
    customer_id: CustomerId
    first_name: str
    last_name: str
    email: Annotated[str, Ref("customers.email")]
    phone: str
    tier: Annotated[Literal["member", "silver", "gold"], Ref("tiers.tier")]


class Trip(TypedDict):
    reservation_id: ReservationId
    status: Status
    fare: Fare
    origin: City
    destination: City
    departure_date: str
    departs_at: str
    return_date: str | None
    passengers: int
    paid_cents: int


class Paged(TypedDict):
    total: int
    page: int
    pages: int


class Trips(Paged):
    reservations: list[Trip]


class Departure(TypedDict):
    flight_id: FlightId
    origin: Airport
    destination: Airport
    departs_at: str
    arrives_at: str
    status: Literal["scheduled", "cancelled"]
    delay_minutes: int


class Segment(Departure):
    position: int
    price_cents: int


class Flight(Departure):
    date: str
    minutes: int
    prices: dict[Fare, int]
    seats_left: dict[Literal["economy", "business"], int]


class Flights(Paged):
    flights: list[Flight]


class Passenger(TypedDict):
    position: int
    name: str
    bags: int


class Claim(TypedDict):
    claim_id: Annotated[str, Ref("bag_claims.claim_id")]
    passenger: int
    flight_id: FlightId
    problem: Problem


class Reservation(TypedDict):
    reservation_id: ReservationId
    customer_id: CustomerId
    status: Status
    fare: Fare
    booked_at: str
    card_id: CardId
    paid_cents: int
    refunded_cents: int
    cancelled_at: str | None
    cancel_reason: CancelReason | None
    segments: list[Segment]
    passengers: list[Passenger]
    bag_claims: list[Claim]


class Card(TypedDict):
    card_id: CardId
    brand: Literal["visa", "mastercard", "amex"]
    last_four: str
    valid_until: str
    main: int


class Certificate(TypedDict):
    certificate_id: CertificateId
    cause: Literal["delay", "cancellation", "bag", "points"]
    amount_cents: int
    balance_cents: int
    valid_until: str


class Wallet(TypedDict):
    points: int
    cards: list[Card]
    certificates: list[Certificate]


class Booking(TypedDict):
    reservation_id: ReservationId
    paid_cents: int
    by_certificate_cents: int


class Charge(TypedDict):
    reservation_id: ReservationId
    fare_difference_cents: int
    fee_cents: int
    charged_cents: int


class Refund(TypedDict):
    reservation_id: ReservationId
    refund_cents: int
    to_card_cents: int
    to_certificate_cents: int


class Identity(TypedDict):
    customer_id: CustomerId
    phone: str
    sent_at: str
    verified_at: str | None


class TextMessage(TypedDict):
    code: int
    sent_at: str


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
    customer_id = world.value(
        "SELECT customer_id FROM customers WHERE customer_id = ? OR email = ?", identifier.upper(), identifier.lower()
    )
    return _customer(world, customer_id or identifier, "identifier")


@env.tool(candidates="SELECT customer_id FROM customers", refused={"not_found": "SELECT 'E000000' AS customer_id"})
def list_reservations(world: World, customer_id: CustomerId, page: Page = 1) -> Trips:
    """List a customer's reservations, past, coming and cancelled, by departure of the first flight."""
    _customer(world, customer_id)
    listed = """
        SELECT reservation_id, status, fare, origin, destination, departure_date, departs_at, return_date,
               passengers, paid_cents
        FROM trips WHERE customer_id = :customer_id ORDER BY departs_at, reservation_id
    """
    reservations, paging = _paged(world, listed, page, customer_id=customer_id)
    return {"reservations": reservations, **paging}


@env.tool(
    candidates="SELECT reservation_id FROM reservations",
    refused={"not_found": "SELECT '000000' AS reservation_id"},
)
def get_reservation(world: World, reservation_id: ReservationId) -> Reservation:
    """Show a reservation: flights, passengers, bags and claims, what was paid and refunded in US cents."""
    reservation = world.one("SELECT * FROM reservation_sheets WHERE reservation_id = ?", reservation_id)
    if reservation is None:
        raise ToolError("not_found", f"No reservation {reservation_id}.", field="reservation_id")
    parts = {
        "passengers": "SELECT position, name, bags FROM passengers WHERE reservation_id = ? ORDER BY position",
        "bag_claims": """
            SELECT claim_id, position AS passenger, flight_id, problem FROM bag_claims
            WHERE reservation_id = ? ORDER BY reported_at, claim_id
        """,
    }
    found = {name: world.all(sql, reservation_id) for name, sql in parts.items()}
    return {**reservation, "segments": _segments(world, reservation_id), **found}


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
        from_date: First day of departure, such as "2026-05-21".
        to_date: Last day of departure, at most 14 days after the first; the same day if left out.
    """
    last = to_date or from_date
    _check_days(world, from_date, last)
    between = {"origin": _place(world, origin, "origin"), "destination": _place(world, destination, "destination")}
    found = """
        SELECT * FROM flight_offers
        WHERE :origin IN (origin, origin_city) AND :destination IN (destination, destination_city)
          AND date BETWEEN :first AND :last ORDER BY departs_at, flight_id
    """
    offers, paging = _paged(world, found, page, **between, first=from_date, last=last)
    fares = world.all("SELECT fare, cabin, price_percent FROM fares ORDER BY rank")
    return {"flights": [_flight(offer, fares) for offer in offers], **paging}


@env.tool(candidates="SELECT customer_id FROM customers", refused={"not_found": "SELECT 'E000000' AS customer_id"})
def get_wallet(world: World, customer_id: CustomerId) -> Wallet:
    """Show a customer's points, cards (main: 1 for the usual one) and certificates, used up and expired ones too."""
    _customer(world, customer_id)
    cards = "SELECT card_id, brand, last_four, valid_until, main FROM cards WHERE customer_id = ? ORDER BY card_id"
    return {
        "points": world.value("SELECT points FROM loyalty WHERE customer_id = ?", customer_id),
        "cards": world.all(cards, customer_id),
        "certificates": world.all(
            f"{CERTIFICATES} WHERE customer_id = ? ORDER BY issued_at, certificate_id", customer_id
        ),
    }


@env.tool(candidates=f"SELECT reservation_id, 'illness' AS reason {COMING}")
def quote_refund(world: World, reservation_id: ReservationId, reason: CancelReason) -> Refund:
    """Say what cancelling a reservation now would pay back, and to what, without cancelling it."""
    return _refund(world, _open_reservation(world, reservation_id, coming=True), reason)


# ---------------------------------------------------------------- booking and changing


@env.tool(
    writes=["reservations", "segments", "passengers", "payments", "certificates", "flight_cabins"],
    confirm=["fare", "flight_id", "return_flight_id", "companions"],
    candidates="""
        SELECT customer_id, fare, flight_id FROM customers, fares, flight_offers AS f
        WHERE status = 'scheduled' AND departs_at > :now AND economy_left > 0 AND business_left > 0
        ORDER BY substr(f.departs_at, 12), customer_id, fare LIMIT 500
    """,
    refused={
        "flight-cancelled": f"{UNBOOKABLE} WHERE status = 'cancelled' AND departs_at > :now",
        "sold-out": f"{UNBOOKABLE} WHERE economy_left = 0 AND status = 'scheduled' AND departs_at > :now",
        "card-expired": "SELECT * FROM expired_cards",
        "certificates": "SELECT * FROM expired_certificates",
    },
)
def book_reservation(
    world: World,
    customer_id: CustomerId,
    fare: Fare,
    flight_id: FlightId,
    return_flight_id: FlightId | None = None,
    companions: Annotated[list[PersonName], Field(max_length=20)] = [],  # noqa: B006 - never changed
    card_id: CardId | None = None,
    certificate_id: CertificateId | None = None,
) -> Booking:
    """Book a trip for a customer and companions; a certificate pays first if one is given, a card the rest.

    Args:
        customer_id: Customer who pays and travels as the first passenger.
        fare: Fare of all flights and passengers: basic, standard or flex in economy, or business.
        flight_id: Flight out, such as "EF212-2026-05-21".
        return_flight_id: Flight back between the same cities; left out for a one-way trip.
        companions: Given and family name of each further passenger.
        card_id: Card of the customer that pays now and later; the main card if left out.
        certificate_id: Certificate of the customer that pays as much as it can.
    """
    customer = _customer(world, customer_id)
    party = 1 + len(companions)
    if party > MAX_PASSENGERS:
        message = f"A reservation holds at most {MAX_PASSENGERS} passengers."
        raise ToolError("limit", message, field="companions", reason="passenger-limit")
    card = _card(world, customer_id, card_id)
    flights = [(flight_id, _seat_price(world, flight_id, fare, party, "flight_id"))]
    if return_flight_id is not None:
        flights.append((return_flight_id, _seat_price(world, return_flight_id, fare, party, "return_flight_id")))
        _check_round_trip(world, flight_id, return_flight_id, "return_flight_id")
    paid = party * sum(price for _, price in flights)
    by_certificate = min(paid, _usable_balance(world, customer_id, certificate_id)) if certificate_id else 0
    reservation_id = world.new_code("reservations.reservation_id")
    world.run(
        """
        INSERT INTO reservations (reservation_id, customer_id, fare, status, booked_at, card_id, paid_cents)
        VALUES (?, ?, ?, 'confirmed', ?, ?, ?)
        """,
        reservation_id, customer_id, fare, world.now, card, paid,
    )  # fmt: skip
    for position, (flight, price) in enumerate(flights, start=1):
        world.run("INSERT INTO segments VALUES (?, ?, ?, ?)", reservation_id, position, flight, price)
        _take_seats(world, flight, fare, party)
    names = [f"{customer['first_name']} {customer['last_name']}", *companions]
    for position, name in enumerate(names, start=1):
        world.run("INSERT INTO passengers VALUES (?, ?, ?, 0)", reservation_id, position, name)
    _pay(world, reservation_id, "booking", by_certificate, None, certificate_id)
    _load(world, certificate_id, -by_certificate)
    _pay(world, reservation_id, "booking", paid - by_certificate, card, None)
    return {"reservation_id": reservation_id, "paid_cents": paid, "by_certificate_cents": by_certificate}


@env.tool(
    writes=["segments", "reservations", "payments", "flight_cabins"],
    destructive=True,
    confirm=["reservation_id", "new_flight_id"],
    candidates="SELECT * FROM possible_changes",
    refused={
        "basic-final": f"{SAME_FLIGHT} {COMING} AND rank = 1",
        "departed": f"{SAME_FLIGHT} {LEFT} AND rank > 1",
        "same-flight": f"{SAME_FLIGHT} {COMING} AND rank > 1",
    },
)
def change_flight(world: World, reservation_id: ReservationId, flight_id: FlightId, new_flight_id: FlightId) -> Charge:
    """Move all passengers of a reservation from one of its flights to another; charges fee and difference in price.

    Args:
        flight_id: Flight on the reservation to be replaced, such as "EF212-2026-05-21".
        new_flight_id: Flight between the same cities to take instead.
    """
    terms = _open_reservation(world, reservation_id)
    segments = _segments(world, reservation_id)
    old = _segment(segments, flight_id)
    if terms["fare"] == "basic":
        raise ToolError("forbidden", "A basic fare cannot be changed.", field="reservation_id", reason="basic-final")
    if old["departs_at"] <= world.now:
        raise ToolError("forbidden", "That flight has left.", field="flight_id", reason="departed")
    if new_flight_id == flight_id:
        raise ToolError("conflict", "That is the flight it is on.", field="new_flight_id", reason="same-flight")
    party = terms["passengers"]
    price = max(old["price_cents"], _seat_price(world, new_flight_id, terms["fare"], party, "new_flight_id"))
    if _cities(world, flight_id) != _cities(world, new_flight_id):
        message = "A change keeps the cities of the flight."
        raise ToolError("forbidden", message, field="new_flight_id", reason="change-window")
    if len(segments) == 2:
        out, back = (new_flight_id if segment is old else segment["flight_id"] for segment in segments)
        _check_round_trip(world, out, back, "new_flight_id")
    world.run(
        "UPDATE segments SET flight_id = ?, price_cents = ? WHERE reservation_id = ? AND position = ?",
        new_flight_id, price, reservation_id, old["position"],
    )  # fmt: skip
    _take_seats(world, flight_id, terms["fare"], -party)
    _take_seats(world, new_flight_id, terms["fare"], party)
    difference = party * (price - old["price_cents"])
    return _charge(world, terms, difference, "change_fee", party * terms["change_fee_cents"])


@env.tool(
    writes=["segments", "reservations", "payments", "flight_cabins"],
    destructive=True,
    confirm=["reservation_id", "fare"],
    candidates=f"SELECT reservation_id, 'flex' AS fare {COMING} AND rank < 3 AND NOT disrupted ORDER BY reservation_id",
    refused={"fare-upgrade": f"SELECT reservation_id, 'standard' AS fare {COMING} AND rank > 1"},
)
def raise_fare(world: World, reservation_id: ReservationId, fare: Fare) -> Charge:
    """Raise a whole reservation to a better fare, for the difference to what its flights cost on that fare now.

    Args:
        fare: Fare above the present one.
    """
    terms = _open_reservation(world, reservation_id, coming=True)
    better = world.one("SELECT rank, cabin FROM fares WHERE fare = ?", fare)
    if better["rank"] <= terms["rank"]:
        message = f"The reservation is on {terms['fare']} already, and a fare is only raised."
        raise ToolError("forbidden", message, field="fare", reason="fare-upgrade")
    party, difference = terms["passengers"], 0
    seats = 0 if better["cabin"] == terms["cabin"] else party
    for segment in _segments(world, reservation_id):
        price = max(segment["price_cents"], _seat_price(world, segment["flight_id"], fare, seats, "fare"))
        difference += party * (price - segment["price_cents"])
        world.run(
            "UPDATE segments SET price_cents = ? WHERE reservation_id = ? AND position = ?",
            price, reservation_id, segment["position"],
        )  # fmt: skip
        _take_seats(world, segment["flight_id"], terms["fare"], -seats)
        _take_seats(world, segment["flight_id"], fare, seats)
    world.run("UPDATE reservations SET fare = ? WHERE reservation_id = ?", fare, reservation_id)
    return _charge(world, terms, difference)


@env.tool(
    writes=["reservations", "refunds", "certificates", "flight_cabins"],
    destructive=True,
    confirm=["reservation_id"],
    candidates=f"SELECT reservation_id, iif(disrupted, 'schedule_change', 'change_of_plans') AS reason {COMING}",
    refused={
        "departed": f"SELECT reservation_id, 'illness' AS reason {LEFT}",
        "cancelled": f"SELECT reservation_id, 'illness' AS reason {CANCELLED}",
        "schedule-change": f"SELECT reservation_id, 'schedule_change' AS reason {COMING} AND NOT disrupted",
    },
)
def cancel_reservation(world: World, reservation_id: ReservationId, reason: CancelReason) -> Refund:
    """Cancel a whole reservation before its first flight leaves, and refund by the rules what paid for it."""
    terms = _open_reservation(world, reservation_id, coming=True)
    refund = _refund(world, terms, reason)
    world.run(
        "UPDATE reservations SET status = 'cancelled', cancelled_at = ?, cancel_reason = ? WHERE reservation_id = ?",
        world.now, reason, reservation_id,
    )  # fmt: skip
    for segment in _segments(world, reservation_id):
        _take_seats(world, segment["flight_id"], terms["fare"], -terms["passengers"])
    _pay_back(world, terms, refund)
    return refund


@env.tool(
    writes=["passengers", "reservations", "payments"],
    confirm=["reservation_id", "bags"],
    candidates=f"""
        SELECT reservation_id, position AS passenger, 1 AS bags FROM passengers
        WHERE bags < 3 AND reservation_id IN (SELECT reservation_id {COMING}) ORDER BY reservation_id, position
    """,
    refused={
        "bags": f"""
            SELECT reservation_id, position AS passenger, 4 - bags AS bags FROM passengers
            WHERE bags > 0 AND reservation_id IN (SELECT reservation_id {COMING})
        """,
    },
)
def add_bags(
    world: World, reservation_id: ReservationId, passenger: Position, bags: Annotated[int, Field(ge=1, le=MAX_BAGS)]
) -> Charge:
    """Add checked bags to one passenger, and charge what goes beyond the free ones.

    Args:
        bags: How many bags to add, from 1 to 3.
    """
    terms = _open_reservation(world, reservation_id, coming=True)
    before = _bags(world, reservation_id, passenger)
    after, free = before + bags, terms["free_bags"]
    if after > MAX_BAGS:
        message = f"At most {MAX_BAGS} bags per passenger, and there are {before}."
        raise ToolError("limit", message, field="bags", reason="bags")
    world.run(
        "UPDATE passengers SET bags = ? WHERE reservation_id = ? AND position = ?", after, reservation_id, passenger
    )
    return _charge(world, terms, 0, "bags", BAG_CENTS * (max(0, after - free) - max(0, before - free)))


@env.tool(
    writes=["bag_claims"],
    candidates="SELECT * FROM possible_claims",
    refused={
        "claimed": "SELECT reservation_id, flight_id, position AS passenger, problem FROM bag_claims",
        "not-landed": f"{DAMAGED_OUT} {COMING}",
    },
)
def report_bag(
    world: World, reservation_id: ReservationId, flight_id: FlightId, passenger: Position, problem: Problem
) -> Claim:
    """Report that a passenger's checked bag arrived damaged, or not with its flight.

    Args:
        flight_id: Flight of the reservation on which it happened, such as "EF212-2026-05-21".
    """
    _open_reservation(world, reservation_id)
    flight = _segment(_segments(world, reservation_id), flight_id)
    if flight["arrives_at"] > world.now:
        raise ToolError("forbidden", "That flight has not landed.", field="flight_id", reason="not-landed")
    if _bags(world, reservation_id, passenger) == 0:
        raise ToolError("conflict", "That passenger has no checked bags.", field="passenger", reason="no-bags")
    seconds = world.value("SELECT strftime('%s', :now) - strftime('%s', :landed)", landed=flight["arrives_at"])
    if seconds > CLAIM_DAYS[problem] * 24 * 3600:
        message = f"That has to be reported within {CLAIM_DAYS[problem]} days after landing."
        raise ToolError("forbidden", message, field="flight_id", reason="claim-window")
    claim = (reservation_id, passenger, flight_id, problem)
    known = "SELECT 1 FROM bag_claims WHERE reservation_id = ? AND position = ? AND flight_id = ? AND problem = ?"
    if world.one(known, *claim):
        raise ToolError("conflict", "That has been reported already.", field="problem", reason="claimed")
    claim_id = world.new_code("bag_claims.claim_id")
    world.run("INSERT INTO bag_claims VALUES (?, ?, ?, ?, ?, ?)", claim_id, *claim, world.now)
    return {"claim_id": claim_id, "passenger": passenger, "flight_id": flight_id, "problem": problem}


# ---------------------------------------------------------------- certificates


@env.tool(
    writes=["certificates"],
    candidates="SELECT * FROM possible_compensations",
    refused={
        "compensation": f"SELECT reservation_id, 'delay' AS cause {COMING} AND NOT disrupted",
        "compensated": "SELECT reservation_id, cause FROM certificates JOIN disrupted USING (reservation_id, cause)",
    },
)
def issue_certificate(world: World, reservation_id: ReservationId, cause: Trouble) -> Certificate:
    """Give a customer a certificate, good for a year, for a long delay or a cancelled flight of a reservation."""
    terms = _open_reservation(world, reservation_id)
    if not world.one("SELECT 1 FROM disrupted WHERE reservation_id = ? AND cause = ?", reservation_id, cause):
        message = "No flight of the reservation had that trouble."
        raise ToolError("forbidden", message, field="cause", reason="compensation")
    given = "SELECT 1 FROM certificates WHERE reservation_id = ? AND cause IN ('delay', 'cancellation')"
    if world.one(given, reservation_id):
        raise ToolError("conflict", "It was compensated before.", field="reservation_id", reason="compensated")
    amount = terms["passengers"] * TROUBLE_CENTS[cause]
    certificate_id = world.new_code("certificates.certificate_id", 8)
    world.run(
        "INSERT INTO certificates VALUES (?, ?, ?, ?, ?, ?, date(?, '+1 year'), ?)",
        certificate_id, terms["customer_id"], cause, amount, amount, world.now, world.today, reservation_id,
    )  # fmt: skip
    return world.one(f"{CERTIFICATES} WHERE certificate_id = ?", certificate_id)


# ---------------------------------------------------------------- who somebody is


@env.tool(
    writes=["identity_checks"],
    candidates="SELECT customer_id FROM customers",
    refused={"not_found": "SELECT 'E000000' AS customer_id"},
)
def send_verification_code(world: World, customer_id: CustomerId) -> Identity:
    """Send a text message with a six-digit code to the customer's phone; the code is good for 10 minutes."""
    _customer(world, customer_id)
    world.run(
        """
        INSERT INTO identity_checks VALUES (?, ?, ?, NULL)
        ON CONFLICT DO UPDATE SET code = excluded.code, sent_at = excluded.sent_at, verified_at = NULL
        """,
        customer_id, world.new_number("identity_checks.code", 100000, 999999), world.now,
    )  # fmt: skip
    return world.one(IDENTITY, customer_id)


@env.user_tool(
    candidates="SELECT customer_id FROM identity_checks",
    refused={"not_found": f"SELECT customer_id {NOBODY_ASKED}"},
)
def read_verification_code(world: World, customer_id: CustomerId) -> TextMessage:
    """Read the last verification code that the airline sent to one's phone.

    Args:
        customer_id: One's own customer number, such as "E104822".
    """
    message = world.one("SELECT code, sent_at FROM identity_checks WHERE customer_id = ?", customer_id)
    if message is None:
        raise ToolError("not_found", "There is no text message from Everfield.", field="customer_id")
    return message


@env.tool(
    writes=["identity_checks"],
    idempotent=True,
    candidates="SELECT customer_id, code FROM identities WHERE sent_minutes <= 10",
    refused={
        "wrong-code": "SELECT customer_id, code % 900000 + 99999 AS code FROM identities WHERE sent_minutes <= 10",
        "code-expired": "SELECT customer_id, code FROM identities WHERE sent_minutes > 10",
    },
)
def verify_identity(
    world: World, customer_id: CustomerId, code: Annotated[int, Field(ge=100000, le=999999)]
) -> Identity:
    """Check the code that a customer reads out; the customer is verified for the next 30 minutes.

    Args:
        code: The six digits that the customer told.
    """
    _customer(world, customer_id)
    sent = world.one("SELECT code, sent_minutes FROM identities WHERE customer_id = ?", customer_id)
    if sent is None or sent["sent_minutes"] > CODE_MINUTES:
        raise ToolError("conflict", "There is no valid code; send one.", field="customer_id", reason="code-expired")
    if sent["code"] != code:
        raise ToolError("forbidden", "That is not the code.", field="code", reason="wrong-code")
    world.run("UPDATE identity_checks SET verified_at = ? WHERE customer_id = ?", world.now, customer_id)
    return world.one(IDENTITY, customer_id)


@env.tool(
    writes=["customers"],
    destructive=True,
    idempotent=True,
    candidates=f"SELECT customer_id, 'new.' || email AS email, '+45 3200 0000' AS phone {VERIFIED}",
    refused={
        "identity-check": f"SELECT customer_id, phone {NOBODY_ASKED}",
        "nothing-given": f"SELECT customer_id {VERIFIED}",
        "email-taken": f"SELECT customer_id, (SELECT max(email) FROM customers) AS email {VERIFIED}",
    },
)
def update_contact(
    world: World, customer_id: CustomerId, email: Email | None = None, phone: Phone | None = None
) -> Customer:
    """Change the e-mail address, phone number, or both, of a customer who was verified in the last 30 minutes.

    Args:
        email: New e-mail address; left out to keep the old one.
        phone: New phone number with country code, such as "+44 7700 900123"; left out to keep the old one.
    """
    customer = _customer(world, customer_id)
    verified = world.value("SELECT verified_minutes FROM identities WHERE customer_id = ?", customer_id)
    if verified is None or verified > VERIFIED_MINUTES:
        raise ToolError("forbidden", "Verify the customer first.", field="customer_id", reason="identity-check")
    if email is None and phone is None:
        raise ToolError("invalid", "Give an e-mail address or a phone number.", field="email", reason="nothing-given")
    address = email.lower() if email else customer["email"]
    number = phone.replace(" ", "") if phone else customer["phone"]
    if world.one("SELECT 1 FROM customers WHERE email = ? AND customer_id <> ?", address, customer_id):
        raise ToolError("conflict", "Another customer has that address.", field="email", reason="email-taken")
    world.run("UPDATE customers SET email = ?, phone = ? WHERE customer_id = ?", address, number, customer_id)
    return {**customer, "email": address, "phone": number}


# ---------------------------------------------------------------- customers, reservations and flights


def _customer(world: World, customer_id: str, field: str = "customer_id") -> Customer:
    customer = world.one("SELECT * FROM customer_sheets WHERE customer_id = ?", customer_id)
    if customer is None:
        raise ToolError("not_found", f"No customer has the number or address {customer_id}.", field=field)
    return customer


def _open_reservation(world: World, reservation_id: str, *, coming: bool = False) -> dict[str, Any]:
    """The terms of a confirmed reservation; of a coming one, no flight has left."""
    terms = world.one("SELECT * FROM terms WHERE reservation_id = ?", reservation_id)
    if terms is None:
        raise ToolError("not_found", f"No reservation {reservation_id}.", field="reservation_id")
    if terms["status"] == "cancelled":
        raise ToolError("conflict", "The reservation is cancelled.", field="reservation_id", reason="cancelled")
    if coming and terms["departs_at"] <= world.now:
        raise ToolError("forbidden", "The first flight has left.", field="reservation_id", reason="departed")
    return terms


def _segments(world: World, reservation_id: str) -> list[Segment]:
    return world.all(
        """
        SELECT position, flight_id, origin, destination, departs_at, arrives_at, status, delay_minutes, price_cents
        FROM segments JOIN flights USING (flight_id) WHERE reservation_id = ? ORDER BY position
        """,
        reservation_id,
    )


def _segment(segments: list[Segment], flight_id: str) -> Segment:
    for segment in segments:
        if segment["flight_id"] == flight_id:
            return segment
    message = f"{flight_id} is not a flight of this reservation."
    raise ToolError("invalid", message, field="flight_id", reason="not-on-reservation")


def _bags(world: World, reservation_id: str, position: int) -> int:
    bags = world.value(
        "SELECT bags FROM passengers WHERE reservation_id = ? AND position = ?", reservation_id, position
    )
    if bags is None:
        raise ToolError("not_found", f"The reservation has no passenger {position}.", field="passenger")
    return bags


def _seat_price(world: World, flight_id: str, fare: Fare, seats: int, field: str) -> int:
    """Price of one seat in cents, after checking that the flight still takes that many passengers."""
    flight = world.one("SELECT * FROM seat_prices WHERE flight_id = ? AND fare = ?", flight_id, fare)
    if flight is None:
        raise ToolError("not_found", f"No flight {flight_id}.", field=field)
    if flight["departs_at"] <= world.now:
        raise ToolError("conflict", f"{flight_id} has left.", field=field, reason="departed")
    if flight["status"] == "cancelled":
        raise ToolError("conflict", f"{flight_id} is cancelled.", field=field, reason="flight-cancelled")
    if flight["seats_left"] < seats:
        message = f"{flight_id} has {flight['seats_left']} seats left in that cabin."
        raise ToolError("conflict", message, field=field, reason="sold-out")
    return flight["price_cents"]


def _check_round_trip(world: World, out: str, back: str, field: str) -> None:
    if _cities(world, out) != _cities(world, back)[::-1]:
        raise ToolError("invalid", "The flights do not lead there and back.", field=field, reason="other-route")
    legs = "FROM flights AS a, flights AS b WHERE a.flight_id = ? AND b.flight_id = ?"
    if world.value(f"SELECT a.arrives_at >= b.departs_at {legs}", out, back):
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


# ---------------------------------------------------------------- money


def _card(world: World, customer_id: str, card_id: str | None) -> str:
    """The customer's card of that number, or the main one, if it can still pay."""
    card = world.one(
        "SELECT card_id, valid_until FROM cards WHERE customer_id = ? AND iif(? IS NULL, main, card_id = ?)",
        customer_id, card_id, card_id,
    )  # fmt: skip
    if card is None:
        raise ToolError("not_found", f"The customer has no card {card_id}.", field="card_id")
    if card["valid_until"] < world.today[:7]:
        raise ToolError("conflict", "That card has expired.", field="card_id", reason="card-expired")
    return card["card_id"]


def _usable_balance(world: World, customer_id: str, certificate_id: str) -> int:
    """What a certificate of the customer can still pay, in cents."""
    certificate = world.one(
        "SELECT balance_cents, valid_until FROM certificates WHERE certificate_id = ? AND customer_id = ?",
        certificate_id, customer_id,
    )  # fmt: skip
    if certificate is None:
        raise ToolError("not_found", f"The customer has no certificate {certificate_id}.", field="certificate_id")
    if certificate["valid_until"] < world.today or certificate["balance_cents"] == 0:
        message = "That certificate is out of date or used up."
        raise ToolError("conflict", message, field="certificate_id", reason="certificates")
    return certificate["balance_cents"]


def _pay(world: World, reservation_id: str, kind: str, amount: int, card: str | None, certificate: str | None) -> None:
    """Record a payment; none where nothing is due."""
    if amount:
        world.run(
            """
            INSERT INTO payments (reservation_id, kind, amount_cents, paid_at, card_id, certificate_id)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            reservation_id, kind, amount, world.now, card, certificate,
        )  # fmt: skip


def _charge(world: World, terms: dict[str, Any], difference: int, kind: str = "", fee: int = 0) -> Charge:
    """Charge the reservation's card for something added to it: a difference in price, a fee, or both."""
    _pay(world, terms["reservation_id"], "fare_difference", difference, terms["card_id"], None)
    _pay(world, terms["reservation_id"], kind, fee, terms["card_id"], None)
    charged = difference + fee
    if charged:
        world.run(
            "UPDATE reservations SET paid_cents = paid_cents + ? WHERE reservation_id = ?",
            charged, terms["reservation_id"],
        )  # fmt: skip
    return {
        "reservation_id": terms["reservation_id"],
        "fare_difference_cents": difference,
        "fee_cents": fee,
        "charged_cents": charged,
    }


def _refund(world: World, terms: dict[str, Any], reason: CancelReason) -> Refund:
    """What the rules pay back: to the card at most what it paid, the rest to the certificate."""
    percent = 100 if terms["free_cancellation"] else terms["refund_percent"]
    if reason == "schedule_change":
        if not terms["disrupted"]:
            message = "No flight of it is cancelled or delayed by 180 minutes or more."
            raise ToolError("forbidden", message, field="reason", reason="schedule-change")
        percent = 100
    by_card = world.value(
        "SELECT coalesce(sum(amount_cents), 0) FROM payments WHERE reservation_id = ? AND card_id IS NOT NULL",
        terms["reservation_id"],
    )
    refund = terms["paid_cents"] * percent // 100
    to_card = min(refund, by_card)
    return {
        "reservation_id": terms["reservation_id"],
        "refund_cents": refund,
        "to_card_cents": to_card,
        "to_certificate_cents": refund - to_card,
    }


def _pay_back(world: World, terms: dict[str, Any], refund: Refund) -> None:
    """Return money to the reservation's card and to the certificate that paid for it, as far as due."""
    used = "SELECT certificate_id FROM payments WHERE reservation_id = ? AND certificate_id IS NOT NULL"
    certificate = world.value(used, terms["reservation_id"])
    to_card, to_certificate = refund["to_card_cents"], refund["to_certificate_cents"]
    for amount, card_id, certificate_id in ((to_card, terms["card_id"], None), (to_certificate, None, certificate)):
        if amount:
            world.run(
                """
                INSERT INTO refunds (reservation_id, amount_cents, refunded_at, card_id, certificate_id)
                VALUES (?, ?, ?, ?, ?)
                """,
                terms["reservation_id"], amount, world.now, card_id, certificate_id,
            )  # fmt: skip
    _load(world, certificate, to_certificate)


def _load(world: World, certificate_id: str | None, amount: int) -> None:
    """Put money on a certificate; a negative amount takes it off."""
    if amount:
        world.run(
            "UPDATE certificates SET balance_cents = balance_cents + ? WHERE certificate_id = ?", amount, certificate_id
        )


# ---------------------------------------------------------------- searching


def _flight(offer: dict[str, Any], fares: list[dict[str, Any]]) -> Flight:
    shown = "flight_id origin destination departs_at arrives_at status delay_minutes date minutes".split()
    return {
        **{name: offer[name] for name in shown},
        "prices": {row["fare"]: offer[f"{row['cabin']}_cents"] * row["price_percent"] // 100 for row in fares},
        "seats_left": {"economy": offer["economy_left"], "business": offer["business_left"]},
    }


def _place(world: World, place: str, field: str) -> str:
    """The airport code or city name as it stands in the database."""
    known = world.value(
        """
        SELECT code FROM airports WHERE code = upper(:place)
        UNION ALL SELECT city FROM airports WHERE lower(city) = lower(:place) LIMIT 1
        """,
        place=place,
    )
    if known is None:
        raise ToolError("not_found", f"Everfield does not fly to {place}.", field=field)
    return known


def _check_days(world: World, first: str, last: str) -> None:
    for field, day in (("from_date", first), ("to_date", last)):
        if world.value("SELECT date(?, '+0 days')", day) != day:
            raise ToolError("invalid", f"{day} is not a day of the calendar.", field=field, reason="dates")
    span = world.value("SELECT julianday(?) - julianday(?)", last, first)
    if span < 0:
        raise ToolError("invalid", "The last day is before the first.", field="to_date", reason="dates")
    if span > LONGEST_SEARCH_DAYS:
        message = f"The last day is at most {LONGEST_SEARCH_DAYS} days after the first."
        raise ToolError("limit", message, field="to_date", reason="search-span")


def _paged(world: World, sql: str, page: int, **named: Any) -> tuple[list[dict[str, Any]], Paged]:
    """One page of a query's rows, and where it stands among all."""
    total = world.value(f"SELECT count(*) FROM ({sql})", **named)
    rows = world.all(f"{sql} LIMIT :size OFFSET :skip", **named, size=PAGE_SIZE, skip=(page - 1) * PAGE_SIZE)
    return rows, {"total": total, "page": page, "pages": max(1, -(-total // PAGE_SIZE))}


if __name__ == "__main__":
    env.serve()
