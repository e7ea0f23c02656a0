"""Tasks in which a better fare is bought, and those in which it cannot be."""

from __future__ import annotations

from .author import ASK_NUMBER, Author, Say, patched, tell
from .plan import (
    asked_customer,
    bookable,
    coming,
    customer,
    date,
    got,
    leaves,
    leaving,
    only,
    phrase,
    reservation,
    said,
    search,
    segment,
    the_trip,
    trips,
    wish,
)

COST = tell("cost", "money", got("raise", "charged_cents"), "payments.amount_cents")


def write(author: Author) -> None:
    """Add the tasks."""
    _stockholm_with_a_refund_in_mind(author)
    _boston_home_later(author)
    _business_for_once(author)
    _too_late_for_toronto(author)
    _never_lowered(author)


def _stockholm_with_a_refund_in_mind(author: Author) -> None:
    trip = only(coming("Stockholm"), "reservation_id")
    author.task(
        "stockholm-a-better-fare", "E883279",
        Say(
            "Hi there. The cheapest ticket was a mistake, I might need some money back if things go wrong. Can you put "
            "my trip to Stockholm on the standard fare, and tell me what that sets me back?",
            (
                asked_customer(),
                trips(),
                wish("raise", "raise_fare", reservation_id=trip, fare=phrase("fare", "standard")),
            ),
            "Your trip is on the standard fare now. That was {cost} on top.",
            asks=ASK_NUMBER,
            confirm=(
                "I would raise reservation {raise[reservation_id]}, London to Stockholm, to the standard fare, for the "
                "difference to what its flights cost today. Do you want that?"
            ),
            answers=(COST,),
            refers=(the_trip("my trip to Stockholm", "E883279", "destination = 'Stockholm'"),),
        ),
        kinds=("action", "implicit", "question"),
        persona="A worrier.",
    )  # fmt: skip


def _boston_home_later(author: Author) -> None:
    trip = only(leaving("London", "17 May"), "reservation_id")
    author.task(
        "london-made-flexible-then-longer", "E126246",
        Say(
            "Grace Rivera, E126246. I fly Boston to London on 17 May and something tells me the dates will move. Make "
            "that booking fully changeable, please.",
            (
                customer(said("E126246")),
                trips(),
                wish("raise", "raise_fare", reservation_id=trip, fare=phrase("fare", "fully changeable")),
            ),
            "It is a flex booking now, so changes cost no fee.",
            confirm=(
                "That is reservation {raise[reservation_id]}. I would raise it from basic to the flex fare, for the "
                "difference in price of both flights. Shall I go ahead?"
            ),
            refers=(
                the_trip("Boston to London on 17 May", "E126246", leaves("London", "2026-05-17")),
            ),
        ),
        Say(
            "Told you so. They want me in London until the weekend only. Please bring the flight home forward to 24 "
            "May. What will I have paid for all of it then?",
            (
                reservation(trip),
                search("home", said("London", 0), said("Boston", 0), date("24 May", 1)),
                wish(
                    "change", "change_flight",
                    reservation_id=got("trip", "reservation_id"),
                    flight_id=segment(2, "flight_id"),
                    new_flight_id=only(bookable("home"), "flight_id"),
                ),
                reservation(trip, "after"),
            ),
            "Your flight home is on 24 May now. For all of it you have paid {total}.",
            confirm=(
                "On {change[reservation_id]} I would replace {change[flight_id]} by {change[new_flight_id]}, without a "
                "fee, only the difference in price if there is one. All right?"
            ),
            answers=(tell("total", "money", got("after", "paid_cents"), "reservations.paid_cents"),),
        ),
        kinds=("action", "implicit", "question"),
    )  # fmt: skip


def _business_for_once(author: Author) -> None:
    trip = only(coming("Toronto"), "reservation_id")
    author.task(
        "toronto-in-business", "E965935",
        Say(
            "It's my birthday in Toronto this month, so for once I want to sit in business class on that trip, both "
            "ways. Rachel Hughes, rachel.hughes35@example.com. What does it cost me?",
            (
                customer(said("rachel.hughes35@example.com")),
                trips(),
                wish("raise", "raise_fare", reservation_id=trip, fare=phrase("fare", "business class")),
            ),
            "Happy birthday! You sit in business on both flights, for {cost} more.",
            confirm=(
                "I would raise reservation {raise[reservation_id]} to business on both flights and charge the "
                "difference to your card. Shall I?"
            ),
            answers=(COST,),
            refers=(the_trip("that trip", "E965935", "destination = 'Toronto'"),),
        ),
        kinds=("action", "implicit", "question"),
        persona="Cheerful.",
    )  # fmt: skip


def _too_late_for_toronto(author: Author) -> None:
    words = "Rachel Miller, E774413. Could you still put my Toronto trip on flex? I'd rather keep my options open."
    trip = only(coming("Toronto"), "reservation_id")
    refers = (the_trip("my Toronto trip", "E774413", "destination = 'Toronto'"),)
    look = (customer(said("E774413")), trips(), reservation(trip))
    lift = wish("raise", "raise_fare", reservation_id=trip, fare=phrase("fare", "flex"))
    next_week = patched(("segments", {"reservation_id": "X94GAQ", "position": 1}, {"flight_id": "EF245-2026-05-17"}))
    author.pair(
        (
            "too-late-for-a-better-fare", None,
            Say(
                words, look,
                "I am sorry, a fare is raised until 24 hours before departure, and your flight leaves in a few hours.",
                decline="fare-upgrade", refers=refers,
            ),
        ),
        (
            "early-enough-for-a-better-fare", next_week,
            Say(
                words, (*look, lift),
                "Your Toronto trip is on the flex fare now.",
                confirm=(
                    "I would raise reservation {raise[reservation_id]} to flex for the difference in price of both "
                    "flights. Shall I?"
                ),
                refers=refers,
            ),
        ),
        "E774413",
        kinds=("implicit",),
    )  # fmt: skip


def _never_lowered(author: Author) -> None:
    words = (
        "I looked at my Amsterdam trip on 17 May again. The standard fare is all I need for it. Could you switch it to "
        "that one, please? Freja Lund, customer E243900."
    )
    trip = only(leaving("Amsterdam", "17 May"), "reservation_id")
    refers = (
        the_trip("my Amsterdam trip on 17 May", "E243900", leaves("Amsterdam", "2026-05-17")),
    )  # fmt: skip
    look = (customer(said("E243900")), trips(), reservation(trip))
    lift = wish("raise", "raise_fare", reservation_id=trip, fare=phrase("fare", "standard"))
    author.pair(
        (
            "fare-is-never-lowered", None,
            Say(
                words, look,
                "That trip is on flex, which is above standard, and a fare is never lowered. I leave it as it is.",
                decline="fare-upgrade", refers=refers,
            ),
        ),
        (
            "fare-raised-from-basic", patched(("reservations", {"reservation_id": "FSNNWC"}, {"fare": "basic"})),
            Say(
                words, (*look, lift),
                "Done, your trip is on the standard fare.",
                confirm=(
                    "Your reservation {raise[reservation_id]} is on a lower fare now. I would raise it to standard for "
                    "the difference in price. Is that what you want?"
                ),
                refers=refers,
            ),
        ),
        "E243900",
        kinds=("implicit",),
    )  # fmt: skip
