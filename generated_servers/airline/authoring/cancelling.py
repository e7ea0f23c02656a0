"""Tasks in which a trip is given up."""

from __future__ import annotations

from .author import ASK_NUMBER, Author, Say, tell
from .plan import (
    asked_customer,
    coming,
    customer,
    date,
    got,
    least,
    leaving,
    most,
    only,
    phrase,
    reservation,
    said,
    search,
    the_extreme_trip,
    the_trip,
    trips,
    wish,
)

REFUND = tell("refund", "money", got("cancel", "refund_cents"), "payments.amount_cents")


def write(author: Author) -> None:
    """Add the tasks."""
    cheaper = least(coming("London"), "paid_cents", "reservation_id")
    author.task(
        "cancel-cheaper-london", "E339408", "test",
        Say(
            "Hello, my plans changed. Please cancel the cheaper of my two trips to London and let me know what I get "
            "back.",
            (
                asked_customer(),
                trips(),
                wish(
                    "cancel", "cancel_reservation",
                    reservation_id=cheaper, reason=phrase("cancel_reason", "my plans changed"),
                ),
            ),
            "Reservation cancelled. {refund} goes back to your card.",
            asks=ASK_NUMBER,
            confirm=(
                "That is reservation {cancel[reservation_id]} on a standard fare. I would cancel all of it because "
                "your plans changed, and 60 percent of what you paid is refunded. Shall I go ahead?"
            ),
            answers=(REFUND,),
            refers=(
                the_extreme_trip("the cheaper of my two trips to London", "E339408", "London", "min(paid_cents)"),
            ),
        ),
        kinds=("action", "implicit"),
    )  # fmt: skip
    email = author.email("E804599")
    author.task(
        "ill-before-milan", "E804599", "train",
        Say(
            f"It's Imogen Clarke, {email}. The doctor has told me to stay in bed, so Milan on 20 May is not going to "
            "happen. Cancel that one please. How much will I see again?",
            (
                customer(said(email)),
                trips(),
                wish(
                    "cancel", "cancel_reservation",
                    reservation_id=only(leaving("Milan", "20 May"), "reservation_id"),
                    reason=phrase("cancel_reason", "stay in bed"),
                ),
            ),
            "I am sorry to hear it. The trip is cancelled and {refund} is on its way back to you. Get well soon!",
            confirm=(
                "I would cancel reservation {cancel[reservation_id]}, London to Milan on 20 May, for illness. It is a "
                "flex fare, so everything is refunded. Is that right?"
            ),
            answers=(REFUND,),
            refers=(
                the_trip("Milan on 20 May", "E804599", "destination = 'Milan' AND departure_date = '2026-05-20'"),
            ),
        ),
        kinds=("action", "implicit"),
    )  # fmt: skip
    later = most(coming("Copenhagen"), "departs_at", "reservation_id")
    author.task(
        "wrong-dates-singapore", "E365644", "train",
        Say(
            "I booked in the middle of the night and picked the wrong dates. Please undo the later of my two "
            "Copenhagen trips.",
            (
                asked_customer(),
                trips(),
                reservation(later),
                wish(
                    "cancel", "cancel_reservation",
                    reservation_id=later, reason=phrase("cancel_reason", "wrong dates"),
                ),
            ),
            "Done: the booking is cancelled, and because you made it less than 24 hours ago all of it is refunded.",
            asks=ASK_NUMBER,
            confirm=(
                "You mean {cancel[reservation_id]}, which leaves on 27 May. It was booked within the last 24 hours "
                "and leaves more than 7 days after that, so I can cancel it as a change of plans with a full refund. "
                "Shall I?"
            ),
            refers=(
                the_extreme_trip("the later of my two Copenhagen trips", "E365644", "Copenhagen", "max(departs_at)"),
            ),
        ),
        kinds=("action", "implicit"),
        persona="Tired, and relieved once it is settled.",
    )  # fmt: skip
    author.task(
        "stockholm-off-edinburgh-on", "E968078", "dev",
        Say(
            "The conference in Stockholm has been called off, so I no longer need the trip that starts on 26 May. "
            "Please cancel it; I'm customer E968078.",
            (
                customer(said("E968078")),
                trips(),
                wish(
                    "cancel", "cancel_reservation",
                    reservation_id=only(leaving("Stockholm", "26 May"), "reservation_id"),
                    reason=phrase("cancel_reason", "called off"),
                ),
            ),
            "Your trip to Stockholm is cancelled and refunded in full.",
            confirm=(
                "I would cancel reservation {cancel[reservation_id]}, London to Stockholm on 26 May, because of a "
                "change of plans, with a full refund under the flex fare. All right?"
            ),
            refers=(the_trip("the trip that starts on 26 May", "E968078", "departure_date = '2026-05-26'"),),
        ),
        Say(
            "Then let me use the time: one business class seat from London to Edinburgh on 27 May, just there, "
            "please. What does it come to?",
            (
                search("flights", said("London", 1), said("Edinburgh", 1), date("27 May", 1)),
                wish(
                    "book", "book_reservation",
                    customer_id=got("customer", "customer_id"),
                    fare=phrase("fare", "business class", 1),
                    flight_id=got("flights", "flights.0.flight_id"),
                ),
            ),
            "You are booked to Edinburgh for {price}.",
            confirm=(
                "I would book flight {book[flight_id]} from London to Edinburgh for you in business, one way. May I "
                "book it?"
            ),
            answers=(tell("price", "money", got("book", "paid_cents"), "flight_cabins.price_cents"),),
        ),
        kinds=("action", "question"),
    )  # fmt: skip
    following = least(coming("Copenhagen"), "departs_at", "reservation_id")
    author.task(
        "singapore-hours-late", "E365644", "test",
        Say(
            "You write that my next flight to Copenhagen will be hours late, which makes the trip pointless. I want "
            "it cancelled and my money back. How much is that?",
            (
                asked_customer(),
                trips(),
                reservation(following),
                wish(
                    "cancel", "cancel_reservation",
                    reservation_id=following, reason=phrase("cancel_reason", "hours late"),
                ),
            ),
            "It is cancelled, and the full {refund} goes back to your card.",
            asks=ASK_NUMBER,
            confirm=(
                "For reservation {cancel[reservation_id]} we announced a delay of at least 180 minutes, so even on a "
                "basic fare I can cancel it for the delay and refund everything. Shall I do that?"
            ),
            answers=(REFUND,),
            refers=(the_extreme_trip("my next flight to Copenhagen", "E365644", "Copenhagen", "min(departs_at)"),),
        ),
        kinds=("action", "implicit", "question"),
    )  # fmt: skip
