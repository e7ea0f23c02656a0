"""Lanternhouse Hotels' guest desk: tools that look things up, and tools that change something.

Read it top down: what the values are, what the tools return, the tools, and the steps they share. A rule of
policy.md that a `reason` names is enforced here; the others are the agent's to keep. `candidates` and `refused` are
examples for testing: arguments that succeed, and arguments that are refused for that reason. Views such as
stay_sheets and terms, which gather what the rules need to know, stand at the end of schema.sql.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from envfactory_gym import Environment, Ref, ToolError, World
from envfactory_gym.fields import (
    Day,
    Page,
    Paged,
    Phone,
    Transitions,
    check_span,
    days_between,
    found,
    later,
    local,
    paged,
)

env = Environment(__file__)

LONGEST_NIGHTS = 14
LATE_CHECKOUT_CENTS, PET_CENTS = 3500, 2000
FREQUENT = ("silver", "gold")

# Where examples for testing come from.
BOOKED = "FROM terms WHERE status = 'booked'"
OVER = "FROM terms WHERE status IN ('checked_out', 'cancelled', 'no_show')"
TWO_NIGHTS = "'2026-06-02' AS arrival, '2026-06-04' AS departure"
A_DOUBLE = f"SELECT 'double' AS room, 'flexible' AS rate, {TWO_NIGHTS}, 1 AS guests"
A_SUITE = "SELECT guest_id, hotel_id, room, 'flexible' AS rate, 1 AS guests"
SUITES = "FROM guests, rooms WHERE room = 'suite'"

# ---------------------------------------------------------------- what the values are

GuestId = Annotated[str, Ref("guests.guest_id"), Field(max_length=120, description='Guest number, such as "L204117".')]
StayId = Annotated[str, Ref("stays.stay_id"), Field(max_length=40, description='Booking number, such as "4K7Q2MD".')]
HotelId = Annotated[str, Ref("hotels.hotel_id"), Field(max_length=40, description='Hotel, such as "CPH1".')]
CardId = Annotated[str, Ref("cards.card_id"), Field(max_length=40)]
City = Annotated[str, Ref("hotels.city"), Field(max_length=60)]
Guests = Annotated[int, Field(ge=1, le=6, description="People who stay, children included.")]
RoomKind = Annotated[
    Literal["single", "double", "family", "suite"], Ref("rooms.room"), Field(description="Kind of room.")
]
Rate = Annotated[
    Literal["saver", "flexible", "club"],
    Ref("rates.rate"),
    Field(description="Saver is cheapest and final, flexible is paid at check-out, club is for silver and gold."),
]
Tier = Literal["classic", "silver", "gold"]
Status = Literal["booked", "checked_in", "checked_out", "cancelled", "no_show"]
Extra = Annotated[
    Literal["breakfast", "parking", "late_checkout", "pet", "cot"], Field(description="What goes with the stay.")
]
Wish = Annotated[
    Literal["high_floor", "low_floor", "quiet", "twin_beds", "near_lift", "early_arrival"],
    Field(description="What the hotel should try to do."),
]
Arrival = Annotated[Day, Field(description='Day of check-in, such as "2026-05-21".')]
Departure = Annotated[Day, Field(description='Day of check-out, such as "2026-05-23".')]

STAYS = Transitions(
    "stay",
    booked=("checked_in", "cancelled", "no_show"),
    checked_in=("checked_out",),
    checked_out=(),
    cancelled=(),
    no_show=(),
)

# ---------------------------------------------------------------- what the tools return


class Guest(TypedDict):
    guest_id: GuestId
    first_name: str
    last_name: str
    email: Annotated[str, Ref("guests.email")]
    phone: str
    tier: Tier


class Card(TypedDict):
    card_id: CardId
    brand: Literal["visa", "mastercard", "amex"]
    last_four: str
    valid_until: str
    main: int


class Cards(TypedDict):
    cards: list[Card]


class StayLine(TypedDict):
    stay_id: StayId
    status: Status
    hotel: str
    city: City
    room: RoomKind
    rate: Rate
    arrival: str
    departure: str
    nights: int
    guests: int
    total_cents: int


class Stays(Paged):
    stays: list[StayLine]


class Night(TypedDict):
    night: str
    price_cents: int


class Added(TypedDict):
    extra: Extra
    amount_cents: int


class Stay(StayLine):
    guest_id: GuestId
    hotel_id: HotelId
    booked_at: str
    cancelled_at: str | None
    card_id: CardId
    paid_cents: int
    prices: list[Night]
    extras: list[Added]
    wishes: list[Wish]


class RoomType(TypedDict):
    room: RoomKind
    sleeps: int


class Hotel(TypedDict):
    hotel_id: HotelId
    name: str
    city: City
    address: str
    breakfast_cents: int
    parking_cents: int | None
    pets: Literal["welcome", "not_allowed"]
    rooms: list[RoomType]


class Hotels(TypedDict):
    hotels: list[Hotel]


class Offer(TypedDict):
    hotel_id: HotelId
    name: str
    room: RoomKind
    sleeps: int
    rooms_left: int
    saver_cents: int
    flexible_cents: int
    club_cents: int


class Offers(Paged):
    nights: int
    offers: list[Offer]


class NightOnSale(Night):
    rooms_left: int


class Calendar(TypedDict):
    nights: list[NightOnSale]


class Settled(TypedDict):
    stay_id: StayId
    total_cents: int
    charged_cents: int
    refunded_cents: int


class WishList(TypedDict):
    stay_id: StayId
    wishes: list[Wish]


# ---------------------------------------------------------------- looking things up


@env.tool(
    candidates="SELECT guest_id AS identifier FROM guests UNION ALL SELECT email FROM guests",
    refused={"not_found": "SELECT last_name AS identifier FROM guests"},
)
def find_guest(world: World, identifier: GuestId) -> Guest:
    """Find a guest by guest number or by e-mail address.

    Args:
        identifier: Guest number such as "L204117", or the e-mail address on file.
    """
    guest_id = world.value(
        "SELECT guest_id FROM guests WHERE guest_id = ? OR email = ?", identifier.upper(), identifier.lower()
    )
    return _guest(world, guest_id or identifier, "identifier")


@env.tool(candidates="SELECT guest_id FROM guests", refused={"not_found": "SELECT 'L000000' AS guest_id"})
def list_stays(world: World, guest_id: GuestId, page: Page = 1) -> Stays:
    """List a guest's stays, past, coming and cancelled, by arrival, 20 to a page."""
    _guest(world, guest_id)
    listed = """
        SELECT stay_id, status, hotel, city, room, rate, arrival, departure, nights, guests, total_cents
        FROM stay_sheets WHERE guest_id = :guest_id ORDER BY arrival, stay_id
    """
    stays, paging = paged(world, listed, page, guest_id=guest_id)
    return {"stays": stays, **paging}


@env.tool(candidates="SELECT stay_id FROM stays", refused={"not_found": "SELECT '0000000' AS stay_id"})
def get_stay(world: World, stay_id: StayId) -> Stay:
    """Show a stay: nights and what each costs, extras, wishes, and what was paid, in US cents."""
    stay = found(world.one("SELECT * FROM stay_sheets WHERE stay_id = ?", stay_id), f"stay {stay_id}", "stay_id")
    return {
        **stay,
        "prices": world.all("SELECT night, price_cents FROM stay_nights WHERE stay_id = ? ORDER BY night", stay_id),
        "extras": world.all("SELECT extra, amount_cents FROM extras WHERE stay_id = ? ORDER BY extra", stay_id),
        "wishes": _wishes(world, stay_id),
    }


@env.tool(
    candidates="SELECT DISTINCT city FROM hotels",
    refused={"not_found": "SELECT 'Atlantis' AS city"},
)
def list_hotels(world: World, city: City) -> Hotels:
    """List the hotels in a city: address, kinds of rooms, prices of breakfast and parking (null: none), pets.

    Args:
        city: City, such as "London".
    """
    kept = "hotel_id, name, city, address, breakfast_cents, parking_cents, pets"
    hotels = world.all(f"SELECT {kept} FROM hotels WHERE city = ? ORDER BY hotel_id", _city(world, city))
    kinds = "SELECT room, sleeps FROM rooms WHERE hotel_id = ? ORDER BY sleeps"
    return {"hotels": [{**hotel, "rooms": world.all(kinds, hotel["hotel_id"])} for hotel in hotels]}


@env.tool(
    candidates=f"SELECT DISTINCT city, {TWO_NIGHTS}, 2 AS guests FROM hotels",
    refused={
        "not_found": f"SELECT 'Atlantis' AS city, {TWO_NIGHTS}, 1 AS guests",
        "dates": "SELECT 'London' AS city, '2026-06-04' AS arrival, '2026-06-04' AS departure, 1 AS guests",
        "longest-stay": "SELECT 'London' AS city, '2026-05-20' AS arrival, '2026-06-04' AS departure, 1 AS guests",
    },
)
def search_rooms(
    world: World, city: City, arrival: Arrival, departure: Departure, guests: Guests, page: Page = 1
) -> Offers:
    """List free rooms in a city for some nights, cheapest first, 20 to a page.

    Prices are for the whole stay, at each rate, in US cents.

    Args:
        city: City, such as "London".
    """
    place = _city(world, city)
    nights = _nights(arrival, departure)
    percents = {row["rate"]: row["price_percent"] for row in world.all("SELECT rate, price_percent FROM rates")}
    free = """
        SELECT hotel_id, name, room, sleeps, min(rooms_left) AS rooms_left,
               sum(price_cents * :saver / 100) AS saver_cents, sum(price_cents * :flexible / 100) AS flexible_cents,
               sum(price_cents * :club / 100) AS club_cents
        FROM hotels JOIN rooms USING (hotel_id) JOIN nights USING (hotel_id, room)
        WHERE city = :city AND sleeps >= :guests AND night >= :arrival AND night < :departure AND rooms_left > 0
        GROUP BY hotel_id, room HAVING count(*) = :nights ORDER BY flexible_cents, hotel_id, room
    """
    named = {"city": place, "guests": guests, "arrival": arrival, "departure": departure, "nights": nights}
    offers, paging = paged(world, free, page, **named, **percents)
    return {"nights": nights, "offers": offers, **paging}


@env.tool(
    candidates=f"SELECT hotel_id, room, {TWO_NIGHTS} FROM rooms",
    refused={
        "not_found": f"SELECT 'XXX1' AS hotel_id, 'double' AS room, {TWO_NIGHTS}",
    },
)
def list_nights(world: World, hotel_id: HotelId, room: RoomKind, arrival: Arrival, departure: Departure) -> Calendar:
    """List the nights of a kind of room with today's price at the flexible rate in US cents, and rooms left."""
    _room(world, hotel_id, room)
    _nights(arrival, departure)
    return {"nights": _on_sale(world, hotel_id, room, arrival, departure)}


@env.tool(candidates="SELECT guest_id FROM guests", refused={"not_found": "SELECT 'L000000' AS guest_id"})
def list_cards(world: World, guest_id: GuestId) -> Cards:
    """List a guest's cards; main is 1 for the one that is used unless another is named."""
    _guest(world, guest_id)
    cards = "SELECT card_id, brand, last_four, valid_until, main FROM cards WHERE guest_id = ? ORDER BY card_id"
    return {"cards": world.all(cards, guest_id)}


@env.tool(
    candidates=f"SELECT stay_id {BOOKED}",
    refused={
        "checked_in": "SELECT stay_id FROM stays WHERE status = 'checked_in'",
        "not_found": "SELECT '0000000' AS stay_id",
    },
)
def quote_cancellation(world: World, stay_id: StayId) -> Settled:
    """Say what cancelling a stay now would leave to pay, charge and refund, without cancelling it."""
    terms = _terms(world, stay_id)
    STAYS.check(terms["status"], "cancelled", "stay_id")
    return _settled(world, stay_id, _kept_when_cancelled(world, terms))


# ---------------------------------------------------------------- booking and changing


@env.tool(
    writes=["stays", "stay_nights", "charges", "nights"],
    confirm=["hotel_id", "room", "rate", "arrival", "departure", "guests"],
    candidates="""
        SELECT guest_id, hotel_id, room, rate, night AS arrival, date(night, '+2 days') AS departure, 1 AS guests
        FROM guests, nights AS n, rates
        WHERE night = date(:now, '+' || (1 + substr(guest_id, 5) % 32) || ' days')
        AND (SELECT count(*) FROM hotels AS h WHERE h.hotel_id < n.hotel_id) = substr(guest_id, 5) % 29
        AND room IN ('single', 'double') AND rooms_left > 0 AND (rate <> 'club' OR tier <> 'classic')
        AND (SELECT rooms_left FROM nights AS m
             WHERE m.hotel_id = n.hotel_id AND m.room = n.room AND m.night = date(n.night, '+1 day')) > 0
        ORDER BY substr(guest_id, 4), rate
    """,
    refused={
        "sleeps": f"""
            SELECT guest_id, hotel_id, room, rate, arrival, departure, 5 AS guests FROM guests, hotels, ({A_DOUBLE})
        """,
        "saturday": f"{A_SUITE}, '2026-05-30' AS arrival, '2026-05-31' AS departure {SUITES}",
        "longest-stay": f"{A_SUITE}, '2026-05-20' AS arrival, '2026-06-04' AS departure {SUITES}",
        "sold-out": """
            SELECT (SELECT min(guest_id) FROM guests) AS guest_id, hotel_id, room, 'saver' AS rate, night AS arrival,
                   date(night, '+1 day') AS departure, 1 AS guests
            FROM nights WHERE rooms_left = 0 AND room <> 'suite' AND night > date(:now)
        """,
        "club-rate": f"""
            SELECT guest_id, hotel_id, room, 'club' AS rate, arrival, departure, guests
            FROM guests, hotels, ({A_DOUBLE}) WHERE tier = 'classic'
        """,
        "cards": f"""
            SELECT guest_id, hotel_id, d.*, card_id FROM cards, hotels, ({A_DOUBLE}) AS d WHERE valid_until < '2026-06'
        """,
    },
)
def book_stay(
    world: World,
    guest_id: GuestId,
    hotel_id: HotelId,
    room: RoomKind,
    rate: Rate,
    arrival: Arrival,
    departure: Departure,
    guests: Guests,
    card_id: CardId | None = None,
) -> Settled:
    """Book a room for some nights; saver and club are charged now, flexible at check-out.

    Args:
        guest_id: Guest who books and pays.
        card_id: Card of the guest that guarantees and pays; the main card if left out.
    """
    guest = _guest(world, guest_id)
    hotel = _room(world, hotel_id, room)
    if guests > hotel["sleeps"]:
        raise ToolError("limit", f"A {room} room here sleeps {hotel['sleeps']}.", field="guests", reason="sleeps")
    _check_days(world, hotel, room, arrival, departure)
    terms = found(world.one("SELECT * FROM rates WHERE rate = ?", rate), f"rate {rate}", "rate")
    if rate == "club" and guest["tier"] not in FREQUENT:
        raise ToolError("forbidden", "The club rate is for silver and gold guests.", field="rate", reason="club-rate")
    card = _card(world, guest_id, card_id, departure)
    nights = _free_nights(world, hotel_id, room, arrival, departure, "arrival")
    prices = {night["night"]: night["price_cents"] * terms["price_percent"] // 100 for night in nights}
    stay_id = world.new_code("stays.stay_id", 7)
    total = sum(prices.values())
    world.run(
        "INSERT INTO stays VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'booked', ?, NULL, ?, ?)",
        stay_id, guest_id, hotel_id, room, rate, arrival, departure, guests, world.now, card, total,
    )  # fmt: skip
    _take(world, stay_id, hotel_id, room, prices)
    return _settle(world, stay_id, total if terms["prepaid"] else 0, "room")


@env.tool(
    writes=["stays", "stay_nights", "extras", "charges", "nights"],
    destructive=True,
    confirm=["stay_id", "arrival", "departure"],
    candidates="SELECT * FROM possible_longer",
    refused={
        "saver-final": f"SELECT stay_id, arrival, departure {BOOKED} AND rate = 'saver'",
        "in-house": """
            SELECT stay_id, date(arrival, '+1 day') AS arrival, date(departure, '+2 days') AS departure
            FROM terms WHERE status = 'checked_in' AND rate <> 'saver'
        """,
        "over": f"SELECT stay_id, '2026-05-20' AS arrival, '2026-05-21' AS departure {OVER} AND rate <> 'saver'",
    },
)
def change_dates(world: World, stay_id: StayId, arrival: Arrival, departure: Departure) -> Settled:
    """Move a stay to other days; nights that stay keep their price, new ones cost today's. Late check-out is taken off.

    Args:
        arrival: Day of check-in; the present one for a guest who has checked in.
    """
    terms = _open(world, stay_id)
    if terms["rate"] == "saver":
        raise ToolError("forbidden", "A saver stay is not changed.", field="stay_id", reason="saver-final")
    if terms["status"] == "checked_in":
        _check_in_house(world, terms, arrival, departure)
    else:
        _check_days(world, terms, terms["room"], arrival, departure)
    _card(world, terms["guest_id"], terms["card_id"], departure)
    before = {row["night"]: row["price_cents"] for row in _booked_nights(world, stay_id)}
    wanted = [later(arrival, days=n) for n in range(days_between(arrival, departure))]
    added = _new_prices(world, terms, terms["room"], [night for night in wanted if night not in before])
    _give_back(world, terms, [night for night in before if night not in wanted])
    _take(world, stay_id, terms["hotel_id"], terms["room"], added)
    world.run("UPDATE stays SET arrival = ?, departure = ? WHERE stay_id = ?", arrival, departure, stay_id)
    if departure != terms["departure"]:
        world.run("DELETE FROM extras WHERE stay_id = ? AND extra = 'late_checkout'", stay_id)
    return _recount(world, stay_id)


@env.tool(
    writes=["stays", "stay_nights", "charges", "nights"],
    destructive=True,
    confirm=["stay_id", "room"],
    candidates="SELECT * FROM possible_rooms",
    refused={
        "saver-final": f"SELECT stay_id, iif(room = 'double', 'suite', 'double') AS room {BOOKED} AND rate = 'saver'",
        "same-room": f"SELECT stay_id, room {BOOKED} AND rate <> 'saver'",
        "in-house": "SELECT stay_id, 'suite' AS room FROM terms WHERE status = 'checked_in'",
        "sleeps": f"SELECT stay_id, 'single' AS room {BOOKED} AND rate <> 'saver' AND guests > 1",
    },
)
def change_room(world: World, stay_id: StayId, room: RoomKind) -> Settled:
    """Move a stay that has not begun to another kind of room in the same hotel, at today's price for all its nights.

    Args:
        room: Kind of room to move to.
    """
    terms = _open(world, stay_id)
    if terms["status"] == "checked_in":
        raise ToolError("forbidden", "The guest has checked in.", field="stay_id", reason="in-house")
    if terms["rate"] == "saver":
        raise ToolError("forbidden", "A saver stay is not changed.", field="stay_id", reason="saver-final")
    if room == terms["room"]:
        raise ToolError("conflict", "That is the room it is in.", field="room", reason="same-room")
    sleeps = _room(world, terms["hotel_id"], room, "room")["sleeps"]
    if terms["guests"] > sleeps:
        raise ToolError("limit", f"A {room} room here sleeps {sleeps}.", field="room", reason="sleeps")
    for extra in ("pet", "cot"):
        if room == "single" and _has(world, stay_id, extra):
            message = f"A single room takes no {extra}."
            raise ToolError("conflict", message, field="room", reason=f"{extra}s")
    _check_saturday(room, terms["arrival"], terms["departure"], "room")
    nights = [night["night"] for night in _booked_nights(world, stay_id)]
    prices = _new_prices(world, terms, room, nights)
    _give_back(world, terms, nights)
    _take(world, stay_id, terms["hotel_id"], room, prices)
    world.run("UPDATE stays SET room = ? WHERE stay_id = ?", room, stay_id)
    return _recount(world, stay_id)


@env.tool(
    writes=["stays", "charges", "nights"],
    destructive=True,
    confirm=["stay_id"],
    candidates=f"SELECT stay_id {BOOKED}",
    refused={
        "checked_in": "SELECT stay_id FROM stays WHERE status = 'checked_in'",
        "cancelled": "SELECT stay_id FROM stays WHERE status = 'cancelled'",
    },
)
def cancel_stay(world: World, stay_id: StayId) -> Settled:
    """Cancel a stay that has not begun; by rate and hour nothing, the first night or the whole room is kept."""
    terms = _terms(world, stay_id)
    STAYS.check(terms["status"], "cancelled", "stay_id")
    kept = _kept_when_cancelled(world, terms)
    world.run(
        "UPDATE stays SET status = 'cancelled', cancelled_at = ?, total_cents = ? WHERE stay_id = ?",
        world.now, kept, stay_id,
    )  # fmt: skip
    _put_on_sale(world, terms, [night["night"] for night in _booked_nights(world, stay_id)])
    return _settle(world, stay_id, kept, "fee")


# ---------------------------------------------------------------- extras and wishes


@env.tool(
    writes=["extras", "stays"],
    confirm=["stay_id", "extra"],
    candidates=f"""
        SELECT stay_id, 'breakfast' AS extra {BOOKED} AND NOT breakfast_included
        AND stay_id NOT IN (SELECT stay_id FROM extras WHERE extra = 'breakfast')
        UNION ALL
        SELECT stay_id, 'parking' {BOOKED} AND parking_cents IS NOT NULL
        AND stay_id NOT IN (SELECT stay_id FROM extras WHERE extra = 'parking')
        UNION ALL
        SELECT stay_id, 'late_checkout' FROM terms AS t JOIN nights AS n USING (hotel_id, room)
        WHERE night = departure AND rooms_left > 0 AND status IN ('booked', 'checked_in')
        AND stay_id NOT IN (SELECT stay_id FROM extras WHERE extra = 'late_checkout')
        UNION ALL
        SELECT stay_id, 'pet' {BOOKED} AND pets = 'welcome' AND room <> 'single'
        AND stay_id NOT IN (SELECT stay_id FROM extras WHERE extra = 'pet')
        UNION ALL
        SELECT stay_id, 'cot' {BOOKED} AND room <> 'single'
        AND stay_id NOT IN (SELECT stay_id FROM extras WHERE extra = 'cot')
        ORDER BY 1, 2
    """,
    refused={
        "breakfast": f"SELECT stay_id, 'breakfast' AS extra {BOOKED} AND breakfast_included",
        "parking": f"SELECT stay_id, 'parking' AS extra {BOOKED} AND parking_cents IS NULL",
        "late-checkout": """
            SELECT stay_id, 'late_checkout' AS extra FROM terms JOIN nights USING (hotel_id, room)
            WHERE night = departure AND rooms_left = 0 AND status IN ('booked', 'checked_in')
            AND stay_id NOT IN (SELECT stay_id FROM extras WHERE extra = 'late_checkout')
        """,
        "pets": f"SELECT stay_id, 'pet' AS extra {BOOKED} AND (pets <> 'welcome' OR room = 'single')",
        "cots": f"SELECT stay_id, 'cot' AS extra {BOOKED} AND room = 'single'",
        "added": "SELECT stay_id, extra FROM extras JOIN stays USING (stay_id) WHERE status = 'booked'",
        "over": f"SELECT stay_id, 'breakfast' AS extra {OVER}",
    },
)
def add_extra(world: World, stay_id: StayId, extra: Extra) -> Settled:
    """Add breakfast, parking, late check-out, a pet or a cot to a stay, for all its nights; it is paid at check-out."""
    terms = _open(world, stay_id)
    if _has(world, stay_id, extra):
        raise ToolError("conflict", "The stay has that already.", field="extra", reason="added")
    _check_extra(world, terms, extra)
    world.run("INSERT INTO extras VALUES (?, ?, ?)", stay_id, extra, _extra_cents(terms, extra))
    return _recount(world, stay_id)


@env.tool(
    writes=["extras", "stays"],
    destructive=True,
    confirm=["stay_id", "extra"],
    candidates=f"SELECT stay_id, extra FROM extras JOIN (SELECT stay_id {BOOKED}) USING (stay_id) ORDER BY 1, 2",
    refused={
        "extras-until": "SELECT stay_id, extra FROM extras JOIN stays USING (stay_id) WHERE status = 'checked_in'",
        "not_found": f"SELECT stay_id, 'cot' AS extra {BOOKED} AND room = 'single'",
    },
)
def remove_extra(world: World, stay_id: StayId, extra: Extra) -> Settled:
    """Take an extra off a stay that has not begun."""
    terms = _open(world, stay_id)
    if terms["status"] == "checked_in":
        raise ToolError("forbidden", "The guest has checked in.", field="stay_id", reason="extras-until")
    if not world.run("DELETE FROM extras WHERE stay_id = ? AND extra = ?", stay_id, extra):
        raise ToolError("not_found", f"The stay has no {extra}.", field="extra")
    return _recount(world, stay_id)


@env.tool(
    writes=["wishes"],
    idempotent=True,
    candidates=f"SELECT stay_id, 'quiet' AS wish {BOOKED} UNION ALL SELECT stay_id, 'high_floor' {BOOKED}",
    refused={
        "wishes": f"SELECT stay_id, 'early_arrival' AS wish {BOOKED} AND tier = 'classic'",
        "over": f"SELECT stay_id, 'quiet' AS wish {OVER}",
    },
)
def note_wish(world: World, stay_id: StayId, wish: Wish) -> WishList:
    """Note a wish for a stay; the hotel tries to meet it."""
    terms = _open(world, stay_id)
    if wish == "early_arrival" and terms["tier"] not in FREQUENT:
        message = "An early arrival is noted for silver and gold guests only."
        raise ToolError("forbidden", message, field="wish", reason="wishes")
    world.run("INSERT INTO wishes VALUES (?, ?, ?) ON CONFLICT DO NOTHING", stay_id, wish, world.now)
    return {"stay_id": stay_id, "wishes": _wishes(world, stay_id)}


# ---------------------------------------------------------------- guests and what they pay with


@env.tool(
    writes=["guests"],
    destructive=True,
    idempotent=True,
    candidates="SELECT guest_id, '+4520' || substr(guest_id, 2) AS phone FROM guests",
    refused={"not_found": "SELECT 'L000000' AS guest_id, '+4520304050' AS phone"},
)
def update_phone(world: World, guest_id: GuestId, phone: Phone) -> Guest:
    """Change the telephone number under which the hotels reach a guest.

    Args:
        phone: New number with country code, such as "+4520304050".
    """
    guest = _guest(world, guest_id)
    number = phone.replace(" ", "")
    world.run("UPDATE guests SET phone = ? WHERE guest_id = ?", number, guest_id)
    return {**guest, "phone": number}


@env.tool(
    writes=["stays"],
    destructive=True,
    idempotent=True,
    candidates="""
        SELECT stay_id, c.card_id FROM stays AS s JOIN cards AS c USING (guest_id)
        WHERE status = 'booked' AND c.card_id <> s.card_id AND valid_until >= substr(departure, 1, 7) ORDER BY 1
    """,
    refused={
        "cards": """
            SELECT stay_id, c.card_id FROM stays JOIN cards AS c USING (guest_id)
            WHERE status = 'booked' AND valid_until < substr(departure, 1, 7)
        """,
        "not_found": "SELECT stay_id, 'H000000' AS card_id FROM stays WHERE status = 'booked'",
    },
)
def use_card(world: World, stay_id: StayId, card_id: CardId) -> Stay:
    """Let another card of the guest guarantee a stay and pay what is still due.

    Args:
        card_id: Card of the guest who booked.
    """
    terms = _open(world, stay_id)
    card = _card(world, terms["guest_id"], card_id, terms["departure"])
    world.run("UPDATE stays SET card_id = ? WHERE stay_id = ?", card, stay_id)
    return get_stay(world, stay_id)


# ---------------------------------------------------------------- guests, stays and rooms


def _guest(world: World, guest_id: str, field: str = "guest_id") -> Guest:
    guest = world.one("SELECT * FROM guests WHERE guest_id = ?", guest_id)
    return found(guest, f"guest with the number or address {guest_id}", field)


def _terms(world: World, stay_id: str) -> dict[str, Any]:
    return found(world.one("SELECT * FROM terms WHERE stay_id = ?", stay_id), f"stay {stay_id}", "stay_id")


def _open(world: World, stay_id: str) -> dict[str, Any]:
    """The terms of a stay that is booked or has begun."""
    terms = _terms(world, stay_id)
    if terms["status"] not in ("booked", "checked_in"):
        raise ToolError("conflict", f"The stay is {terms['status']}.", field="stay_id", reason="over")
    return terms


def _city(world: World, city: str) -> str:
    """The city as it stands in the database."""
    return found(
        world.value("SELECT min(city) FROM hotels WHERE lower(city) = lower(?)", city), f"hotel in {city}", "city"
    )


def _room(world: World, hotel_id: str, room: str, field: str = "hotel_id") -> dict[str, Any]:
    """A hotel with how many a kind of its rooms sleeps."""
    row = world.one("SELECT * FROM hotels JOIN rooms USING (hotel_id) WHERE hotel_id = ? AND room = ?", hotel_id, room)
    return found(row, f"{room} room in a hotel {hotel_id}", field)


def _wishes(world: World, stay_id: str) -> list[Wish]:
    return [row["wish"] for row in world.all("SELECT wish FROM wishes WHERE stay_id = ? ORDER BY wish", stay_id)]


def _card(world: World, guest_id: str, card_id: str | None, departure: str) -> str:
    """The guest's card of that number, or the main one, if it is valid until the stay ends."""
    card = world.one(
        "SELECT card_id, valid_until FROM cards WHERE guest_id = ? AND iif(? IS NULL, main, card_id = ?)",
        guest_id, card_id, card_id,
    )  # fmt: skip
    card = found(card, f"card {card_id} of the guest", "card_id")
    if card["valid_until"] < departure[:7]:
        message = f"That card is valid until {card['valid_until']} only."
        raise ToolError("conflict", message, field="card_id", reason="cards")
    return card["card_id"]


# ---------------------------------------------------------------- nights


def _nights(arrival: str, departure: str) -> int:
    """How many nights lie between two days: at least one, and no more than a stay may have."""
    return check_span(arrival, later(departure, days=-1), LONGEST_NIGHTS, "departure", _span_reason(arrival, departure))


def _span_reason(arrival: str, departure: str) -> str:
    return "dates" if departure <= arrival else "longest-stay"


def _check_days(world: World, hotel: dict[str, Any], room: str, arrival: str, departure: str) -> None:
    """The days of a stay that is yet to begin."""
    _nights(arrival, departure)
    if arrival < local(world.now, hotel["utc_offset_minutes"])[:10]:
        raise ToolError("invalid", f"{arrival} is over.", field="arrival", reason="dates")
    _check_saturday(room, arrival, departure, "departure")


def _check_in_house(world: World, terms: dict[str, Any], arrival: str, departure: str) -> None:
    """The days of a stay that has begun: only its end may move, and not into the past."""
    if arrival != terms["arrival"]:
        raise ToolError("forbidden", "The guest has checked in.", field="arrival", reason="in-house")
    _nights(arrival, departure)
    if departure < local(world.now, terms["utc_offset_minutes"])[:10]:
        raise ToolError("invalid", f"{departure} is over.", field="departure", reason="dates")


def _check_saturday(room: str, arrival: str, departure: str, field: str) -> None:
    if room == "suite" and days_between(arrival, departure) == 1 and days_between("2026-01-03", arrival) % 7 == 0:
        message = "A suite is not let for the night of a Saturday alone."
        raise ToolError("forbidden", message, field=field, reason="saturday")


def _on_sale(world: World, hotel_id: str, room: str, arrival: str, departure: str) -> list[dict[str, Any]]:
    return world.all(
        """
        SELECT night, price_cents, rooms_left FROM nights
        WHERE hotel_id = ? AND room = ? AND night >= ? AND night < ? ORDER BY night
        """,
        hotel_id, room, arrival, departure,
    )  # fmt: skip


def _free_nights(
    world: World, hotel_id: str, room: str, arrival: str, departure: str, field: str
) -> list[dict[str, Any]]:
    """All nights from arrival to departure, if a room is left in each."""
    nights = _on_sale(world, hotel_id, room, arrival, departure)
    if len(nights) < days_between(arrival, departure):
        raise ToolError("limit", "Not all of these nights are on sale.", field=field, reason="not-on-sale")
    full = [night["night"] for night in nights if night["rooms_left"] == 0]
    if full:
        message = f"No {room} room is left on {', '.join(full)}."
        raise ToolError("conflict", message, field=field, reason="sold-out")
    return nights


def _new_prices(world: World, terms: dict[str, Any], room: str, nights: list[str]) -> dict[str, int]:
    """Today's price of each night at the stay's rate, if a room is left in each."""
    field = "room" if room != terms["room"] else "departure"
    prices = {}
    for night in nights:
        (free,) = _free_nights(world, terms["hotel_id"], room, night, later(night, days=1), field)
        prices[night] = free["price_cents"] * terms["price_percent"] // 100
    return prices


def _booked_nights(world: World, stay_id: str) -> list[dict[str, Any]]:
    return world.all("SELECT night, price_cents FROM stay_nights WHERE stay_id = ? ORDER BY night", stay_id)


def _take(world: World, stay_id: str, hotel_id: str, room: str, prices: dict[str, int]) -> None:
    """Put nights into a stay, and take a room off sale for each."""
    for night, price in prices.items():
        world.run("INSERT INTO stay_nights VALUES (?, ?, ?)", stay_id, night, price)
        world.run(
            "UPDATE nights SET rooms_left = rooms_left - 1 WHERE hotel_id = ? AND room = ? AND night = ?",
            hotel_id, room, night,
        )  # fmt: skip


def _give_back(world: World, terms: dict[str, Any], nights: list[str]) -> None:
    """Drop nights from a stay, and put its room on sale again for each."""
    for night in nights:
        world.run("DELETE FROM stay_nights WHERE stay_id = ? AND night = ?", terms["stay_id"], night)
    _put_on_sale(world, terms, nights)


def _put_on_sale(world: World, terms: dict[str, Any], nights: list[str]) -> None:
    for night in nights:
        world.run(
            "UPDATE nights SET rooms_left = rooms_left + 1 WHERE hotel_id = ? AND room = ? AND night = ?",
            terms["hotel_id"], terms["room"], night,
        )  # fmt: skip


# ---------------------------------------------------------------- extras


def _has(world: World, stay_id: str, extra: str) -> bool:
    return world.one("SELECT 1 FROM extras WHERE stay_id = ? AND extra = ?", stay_id, extra) is not None


def _check_extra(world: World, terms: dict[str, Any], extra: Extra) -> None:
    if extra == "breakfast" and terms["breakfast_included"]:
        message = "Breakfast is included at the club rate."
        raise ToolError("conflict", message, field="extra", reason="breakfast")
    if extra == "parking" and terms["parking_cents"] is None:
        raise ToolError("conflict", "The hotel has no car park.", field="extra", reason="parking")
    if extra == "pet" and (terms["pets"] != "welcome" or terms["room"] == "single"):
        raise ToolError("forbidden", "No pets in this hotel or room.", field="extra", reason="pets")
    if extra == "cot" and terms["room"] == "single":
        raise ToolError("forbidden", "A single room takes no cot.", field="extra", reason="cots")
    if extra == "late_checkout":
        left = world.value(
            "SELECT rooms_left FROM nights WHERE hotel_id = ? AND room = ? AND night = ?",
            terms["hotel_id"], terms["room"], terms["departure"],
        )  # fmt: skip
        if not left:
            message = "That kind of room is sold out for the night after."
            raise ToolError("conflict", message, field="extra", reason="late-checkout")


def _extra_cents(terms: dict[str, Any], extra: Extra) -> int:
    """What an extra costs for the whole stay."""
    if extra == "breakfast":
        return terms["nights"] * terms["guests"] * terms["breakfast_cents"]
    if extra == "parking":
        return 0 if terms["tier"] == "gold" else terms["nights"] * terms["parking_cents"]
    if extra == "pet":
        return terms["nights"] * PET_CENTS
    if extra == "late_checkout":
        return 0 if terms["tier"] in FREQUENT else LATE_CHECKOUT_CENTS
    return 0


# ---------------------------------------------------------------- money


def _kept_when_cancelled(world: World, terms: dict[str, Any]) -> int:
    """What remains to pay of a stay that is cancelled now: nothing, the first night, or the room."""
    nights = _booked_nights(world, terms["stay_id"])
    if terms["free_until"] is None:
        return sum(night["price_cents"] for night in nights)
    return 0 if world.now <= terms["free_until"] else nights[0]["price_cents"]


def _recount(world: World, stay_id: str) -> Settled:
    """Bring extras and total up to date after a change; what is prepaid is charged or refunded."""
    terms = _terms(world, stay_id)
    for row in world.all("SELECT extra FROM extras WHERE stay_id = ? ORDER BY extra", stay_id):
        world.run(
            "UPDATE extras SET amount_cents = ? WHERE stay_id = ? AND extra = ?",
            _extra_cents(terms, row["extra"]), stay_id, row["extra"],
        )  # fmt: skip
    room = sum(night["price_cents"] for night in _booked_nights(world, stay_id))
    extras = world.value("SELECT coalesce(sum(amount_cents), 0) FROM extras WHERE stay_id = ?", stay_id)
    world.run("UPDATE stays SET total_cents = ? WHERE stay_id = ?", room + extras, stay_id)
    return _settle(world, stay_id, room if terms["prepaid"] else 0, "room")


def _settled(world: World, stay_id: str, due: int) -> Settled:
    """What charging or refunding up to an amount that is due comes to."""
    stay = world.one("SELECT total_cents, paid_cents FROM stay_sheets WHERE stay_id = ?", stay_id)
    return {
        "stay_id": stay_id,
        "total_cents": due,
        "charged_cents": max(0, due - stay["paid_cents"]),
        "refunded_cents": max(0, stay["paid_cents"] - due),
    }


def _settle(world: World, stay_id: str, due: int, kind: str) -> Settled:
    """Charge the card, or refund to it, until what is due has been paid."""
    settled = _settled(world, stay_id, due)
    charged, refunded = settled["charged_cents"], settled["refunded_cents"]
    for what, amount in ((kind, charged), ("refund", -refunded)):
        if amount:
            world.run(
                "INSERT INTO charges (stay_id, kind, amount_cents, charged_at) VALUES (?, ?, ?, ?)",
                stay_id, what, amount, world.now,
            )  # fmt: skip
    total = world.value("SELECT total_cents FROM stays WHERE stay_id = ?", stay_id)
    return {**settled, "total_cents": total}


if __name__ == "__main__":
    env.serve()
