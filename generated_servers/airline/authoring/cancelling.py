"""Tasks in which a trip is given up."""

from __future__ import annotations

from envfactory_gym.environment.task import GoalCall, Source

from .author import ASK_NUMBER, Author, Say, tell
from .plan import (
    asked_customer,
    call,
    coming,
    customer,
    date,
    derive,
    got,
    least,
    leaves,
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

REFUND = tell("refund", "money", got("cancel", "refund_cents"), "refunds.amount_cents")


def write(author: Author) -> None:
    """Add the tasks."""
    cheaper = least(coming("London"), "paid_cents", "reservation_id")
    author.task(
        "cancel-cheaper-london", "E339408",
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
        "ill-before-milan", "E804599",
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
        "wrong-dates-singapore", "E365644",
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
        "stockholm-off-edinburgh-on", "E968078",
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
        "singapore-hours-late", "E365644",
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
    _more(author)


def _cancel(trip: Source, words: str, turn: int = 0, call_id: str = "cancel") -> GoalCall:
    return wish(
        call_id, "cancel_reservation", reservation_id=trip, reason=phrase("cancel_reason", words, turn)
    )  # fmt: skip


def _more(author: Author) -> None:
    author.task(
        "antoine-has-the-flu", "E350458",
        Say(
            "Bonjour. I'm down with the flu and will not make it to London on 19 May, so please cancel that for me. "
            "What do I get back? Antoine Moreau, E350458",
            (
                customer(said("E350458")), trips(),
                _cancel(only(leaving("London", "19 May"), "reservation_id"), "the flu"),
            ),
            "Get well soon, Antoine. It is cancelled, and {refund} goes back to your card.",
            confirm=(
                "That is reservation {cancel[reservation_id]}. I would cancel it for illness; 60 percent of what you "
                "paid comes back on a standard fare. Shall I?"
            ),
            answers=(REFUND,),
            refers=(the_trip("London on 19 May", "E350458", "departure_date = '2026-05-19'"),),
        ),
        kinds=("action", "implicit", "question"),
    )  # fmt: skip
    author.task(
        "brussels-partly-by-certificate", "E652487",
        Say(
            "The meeting in Brussels on 16 May fell through. Please cancel my trip there. I paid a good part of it "
            "with a certificate: how much of the money goes back to my card, and how much to the certificate? Signe "
            "Jensen, E652487.",
            (
                customer(said("E652487")), trips(),
                _cancel(only(leaving("Brussels", "16 May"), "reservation_id"), "fell through"),
            ),
            "It is cancelled. {card} goes back to your card and {certificate} back on the certificate.",
            confirm=(
                "I would cancel reservation {cancel[reservation_id]} because your plans changed. On flex all of it is "
                "refunded, the card first. Shall I do that?"
            ),
            answers=(
                tell("card", "money", got("cancel", "to_card_cents"), "refunds.amount_cents"),
                tell("certificate", "money", got("cancel", "to_certificate_cents"), "refunds.amount_cents"),
            ),
            refers=(the_trip("my trip there", "E652487", leaves("Brussels", "2026-05-16")),),
        ),
        kinds=("action", "implicit", "question"),
    )  # fmt: skip
    author.task(
        "madrid-twice-off", "E628816",
        Say(
            "Maisie Fletcher, E628816. The people in Madrid no longer need me, neither on 16 May nor on 26 May. "
            "Cancel both trips, please, and tell me what comes back in all.",
            (
                customer(said("E628816")),
                trips(),
                _cancel(only(leaving("Madrid", "16 May"), "reservation_id"), "no longer need", call_id="first"),
                _cancel(only(leaving("Madrid", "26 May"), "reservation_id"), "no longer need", call_id="second"),
            ),
            "Both are cancelled, and {total} goes back to your card.",
            confirm=(
                "I would cancel {first[reservation_id]} on business and {second[reservation_id]}, which you booked "
                "only yesterday, because your plans changed, with a full refund of both. Shall I?"
            ),
            answers=(
                tell(
                    "total", "money", derive("add", got("first", "refund_cents"), got("second", "refund_cents")),
                    "refunds.amount_cents",
                ),
            ),
            refers=(
                the_trip("on 16 May", "E628816", "departure_date = '2026-05-16'"),
                the_trip("on 26 May", "E628816", "departure_date = '2026-05-26'"),
            ),
        ),
        kinds=("action", "implicit", "question"),
    )  # fmt: skip
    author.task(
        "rome-booked-twice", "E235517",
        Say(
            "I clicked twice last night and now I have a second trip to Rome, the one on 27 May. I picked the wrong "
            "dates. Undo it, will you? What do I get?",
            (
                asked_customer(),
                trips(),
                reservation(only(leaving("Rome", "27 May"), "reservation_id")),
                _cancel(only(leaving("Rome", "27 May"), "reservation_id"), "wrong dates"),
            ),
            "It is undone, and all of it, {refund}, goes back to your card.",
            asks=ASK_NUMBER,
            confirm=(
                "You booked {cancel[reservation_id]} less than 24 hours ago, so I can cancel it as a change of plans "
                "and refund it in full. Shall I?"
            ),
            answers=(REFUND,),
            refers=(the_trip("the one on 27 May", "E235517", "departure_date = '2026-05-27'"),),
        ),
        kinds=("action", "implicit", "question"),
    )  # fmt: skip
    author.task(
        "first-boston-then-singapore", "E773357",
        Say(
            "Freja Nielsen, freja.nielsen22@example.org. The doctor won't let me fly for a month. Cancel my Boston "
            "trip of 25 May, please.",
            (
                customer(said("freja.nielsen22@example.org")),
                trips(),
                _cancel(only(leaving("Boston", "25 May"), "reservation_id"), "The doctor"),
            ),
            "Boston is cancelled and refunded in full. I hope you feel better soon.",
            confirm="I would cancel reservation {cancel[reservation_id]} for illness, with a full refund on flex. All "
            "right?",
            refers=(the_trip("my Boston trip of 25 May", "E773357", leaves("Boston", "2026-05-25")),),
        ),
        Say(
            "Hm, a month... then Singapore on 27 May is out as well, same reason: I'm ill. What's left of the money "
            "for that one?",
            (_cancel(only(leaving("Singapore", "27 May", 1), "reservation_id"), "ill", 1, "second"),),
            "That one is cancelled too. {refund} of it comes back.",
            confirm=(
                "On the standard fare of {second[reservation_id]} 60 percent comes back. Shall I cancel it for "
                "illness, too?"
            ),
            answers=(tell("refund", "money", got("second", "refund_cents"), "refunds.amount_cents"),),
            refers=(the_trip("Singapore on 27 May", "E773357", leaves("Singapore", "2026-05-27")),),
        ),
        kinds=("action", "implicit", "question"),
    )  # fmt: skip
    author.task(
        "paris-quoted-then-cancelled", "E594005",
        Say(
            "Grace Ramirez, E594005. Something else came up for the weekend of 22 May. If I gave up Paris that day, "
            "what would come back? Don't cancel yet.",
            (
                customer(said("E594005")),
                trips(),
                call(
                    "quote", "quote_refund",
                    reservation_id=only(leaving("Paris", "22 May"), "reservation_id"),
                    reason=phrase("cancel_reason", "Something else came up"),
                ),
            ),
            "If you gave it up now, {refund} would come back to your card.",
            answers=(tell("refund", "money", got("quote", "refund_cents"), "refunds.amount_cents"),),
            refers=(the_trip("Paris that day", "E594005", leaves("Paris", "2026-05-22")),),
        ),
        Say(
            "Better than nothing. Cancel it, please.",
            (_cancel(only(leaving("Paris", "22 May"), "reservation_id"), "Something else came up"),),
            "It is cancelled.",
            confirm="Then I cancel reservation {cancel[reservation_id]} because your plans changed. Is that right?",
        ),
        kinds=("action", "question", "implicit"),
        persona="Asks before she decides.",
    )  # fmt: skip
