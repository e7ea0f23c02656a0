"""Tasks about points, cards and certificates, and bookings that are paid with them."""

from __future__ import annotations

from envfactory_gym.environment.task import Source

from .author import ASK_NUMBER, Author, Say, patched, tell
from .plan import (
    asked_customer,
    bookable,
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
    the_flight,
    the_row,
    the_trip,
    trips,
    valid,
    wallet,
    where,
    wish,
)


def write(author: Author) -> None:
    """Add the tasks."""
    _questions(author)
    _amsterdam_for_nothing(author)
    _zurich_on_the_other_card(author)
    _certificate_out_of_date(author)
    _with_the_household(author)


def _questions(author: Author) -> None:
    author.task(
        "left-on-certificates", "E143430",
        Say(
            "Before I look at flights: what do my certificates add up to, the ones I can still use, and how many "
            "points have I got? I'm Priya Sinclair, E143430.",
            (customer(said("E143430")), wallet()),
            "The certificates you can still use add up to {total}, and you have {points} points.",
            answers=(
                tell("total", "money", derive("sum", valid(), path="balance_cents")),
                tell("points", "number", got("wallet", "points"), "loyalty.points"),
            ),
        ),
        kinds=("question",),
    )  # fmt: skip
    main = only(where(got("wallet", "cards"), ("main", "==", 1)), "last_four")
    author.task(
        "last-digits-of-my-card", "E628816",
        Say(
            "Quick question from Maisie Fletcher. I have given you two cards over the years. Which one do you charge "
            "if I say nothing? The last four digits will do.",
            (asked_customer(), wallet()),
            "Unless you tell us otherwise, we charge the card ending in {digits}.",
            asks=ASK_NUMBER,
            answers=(tell("digits", "name", main, "cards.last_four"),),
        ),
        kinds=("question",),
    )  # fmt: skip
    author.task(
        "points-of-amelie", "E456557",
        Say(
            "bonjour! E456557, Amélie Roy. how many points do i have by now?",
            (customer(said("E456557")), wallet()),
            "You have {points} points.",
            answers=(tell("points", "number", got("wallet", "points"), "loyalty.points"),),
        ),
        kinds=("question",),
        persona="Writes without capitals.",
    )  # fmt: skip
    author.task(
        "when-the-bigger-one-runs-out", "E882192",
        Say(
            "Szia, Gergő Nagy here. Of the certificates you gave me, until when is the bigger one good?",
            (asked_customer(), wallet()),
            "The bigger one is good until {day}.",
            asks=ASK_NUMBER,
            answers=(
                tell(
                    "day", "date", most(got("wallet", "certificates"), "amount_cents", "valid_until"),
                    "certificates.valid_until",
                ),
            ),
            refers=(
                the_row(
                    "the bigger one", "certificates.certificate_id",
                    "certificates WHERE customer_id = 'E882192' AND amount_cents = (SELECT max(amount_cents) FROM "
                    "certificates WHERE customer_id = 'E882192')",
                ),
            ),
        ),
        kinds=("question", "implicit"),
    )  # fmt: skip


def _amsterdam_for_nothing(author: Author) -> None:
    for_the_bag = ("cause", "==", phrase("certificate_cause", "the bag"))
    certificate = only(where(got("wallet", "certificates"), for_the_bag), "certificate_id")
    author.task(
        "amsterdam-with-the-bag-certificate", "E239385",
        Say(
            "After all that luck I want to get away. One standard seat from London to Amsterdam on 26 May, just "
            "there, and take the certificate you gave me for the bag. What is left for my card to pay? It's E239385.",
            (
                customer(said("E239385")),
                wallet(),
                search("flights", said("London"), said("Amsterdam"), date("26 May")),
                wish(
                    "book", "book_reservation",
                    customer_id=got("customer", "customer_id"),
                    fare=phrase("fare", "standard"),
                    flight_id=only(bookable("flights"), "flight_id"),
                    certificate_id=certificate,
                ),
            ),
            "You are off to Amsterdam. After the certificate, your card pays {rest}.",
            confirm=(
                "I would book {book[flight_id]}, London to Amsterdam, one way on a standard fare, pay with certificate "
                "{book[certificate_id]} first and charge the rest to your usual card. Shall I book it?"
            ),
            answers=(
                tell(
                    "rest", "money",
                    derive("subtract", got("book", "paid_cents"), got("book", "by_certificate_cents")),
                ),
            ),
            refers=(
                the_row(
                    "the certificate you gave me for the bag", "certificates.certificate_id",
                    "certificates WHERE customer_id = 'E239385' AND cause = 'bag'",
                ),
            ),
        ),
        kinds=("action", "implicit", "question"),
    )  # fmt: skip


def _zurich_on_the_other_card(author: Author) -> None:
    card = only(where(got("wallet", "cards"), ("last_four", "==", said("0934"))), "card_id")
    author.task(
        "zurich-on-the-other-card", "E728182",
        Say(
            "Olivia Shaw, E728182. Please get me to Zurich from London on 21 May on a flexible ticket, no return. "
            "It's for work, so charge the Amex ending in 0934 rather than my own card.",
            (
                customer(said("E728182")),
                wallet(),
                search("flights", said("London"), said("Zurich"), date("21 May")),
                wish(
                    "book", "book_reservation",
                    customer_id=got("customer", "customer_id"),
                    fare=phrase("fare", "flexible"),
                    flight_id=only(bookable("flights"), "flight_id"),
                    card_id=card,
                ),
            ),
            "Booked, and charged to the card ending in 0934.",
            confirm=(
                "That would be {book[flight_id]} from London to Zurich on a flex fare, one way, charged to your Amex "
                "ending in 0934. May I book it?"
            ),
            refers=(
                the_row(
                    "the Amex ending in 0934", "cards.card_id",
                    "cards WHERE customer_id = 'E728182' AND brand = 'amex' AND last_four = '0934'",
                ),
            ),
        ),
        kinds=("action", "implicit"),
        persona="Brisk; travels for two employers.",
    )  # fmt: skip


def _certificate_out_of_date(author: Author) -> None:
    words = (
        "I still have that certificate over $150. Could you book me a basic seat from Copenhagen to Amsterdam on 24 "
        "May with it, one way? If it no longer works, please don't book anything. Signe Lund, E923453."
    )
    refers = (
        the_row(
            "that certificate over $150", "certificates.certificate_id",
            "certificates WHERE customer_id = 'E923453' AND amount_cents = 15000",
        ),
    )  # fmt: skip
    certificate = only(
        where(got("wallet", "certificates"), ("amount_cents", "==", derive("money", said("$150")))), "certificate_id"
    )
    look = (customer(said("E923453")), wallet())
    book = (
        search("flights", said("Copenhagen"), said("Amsterdam"), date("24 May")),
        wish(
            "book", "book_reservation",
            customer_id=got("customer", "customer_id"),
            fare=phrase("fare", "basic"),
            flight_id=only(bookable("flights"), "flight_id"),
            certificate_id=certificate,
        ),
    )  # fmt: skip
    author.pair(
        (
            "certificate-out-of-date", None,
            Say(
                words, look,
                "I am sorry, that certificate was good until 22 April only, so I have not booked anything.",
                decline="certificates",
            ),
        ),
        (
            "certificate-still-good",
            patched(("certificates", {"certificate_id": "KPX26A8W"}, {"valid_until": "2026-08-22"})),
            Say(
                words, (*look, *book),
                "It still works, and covers the whole ticket. You are booked.",
                confirm=(
                    "I would book {book[flight_id]} from Copenhagen to Amsterdam for you, basic, one way, and pay with "
                    "certificate {book[certificate_id]}. Shall I?"
                ),
                refers=refers,
            ),
        ),
        "E923453",
    )  # fmt: skip


def _with_the_household(author: Author) -> None:
    names: Source = derive("collect", where(got("trip", "passengers"), ("position", ">", 1)), path="name")
    author.task(
        "lisbon-with-amelia", "E751047",
        Say(
            "Hello, George Okafor, number E751047. The same two of us who fly to Rome on 16 May want to see Lisbon "
            "as well. London to Lisbon on 21 May and back on 25 May, standard, please.",
            (
                customer(said("E751047")),
                trips(),
                reservation(only(leaving("Rome", "16 May"), "reservation_id")),
                search("out", said("London"), said("Lisbon"), date("21 May")),
                search("back", said("Lisbon"), said("London"), date("25 May")),
                wish(
                    "book", "book_reservation",
                    customer_id=got("customer", "customer_id"),
                    fare=phrase("fare", "standard"),
                    flight_id=only(bookable("out", seats=2), "flight_id"),
                    return_flight_id=only(bookable("back", seats=2), "flight_id"),
                    companions=names,
                ),
            ),
            "Both of you are booked to Lisbon. Enjoy it, and Rome as well.",
            confirm=(
                "For you and {book[companions][0]} I would book {book[flight_id]} out and {book[return_flight_id]} "
                "back, on a standard fare. Is that right?"
            ),
            refers=(
                the_trip("two of us who fly to Rome on 16 May", "E751047", leaves("Rome", "2026-05-16")),
            ),
        ),
        kinds=("action", "implicit"),
    )  # fmt: skip
    author.task(
        "cheapest-week-to-barcelona", "E863892",
        Say(
            "Sun, finally! I'd like to fly from London to Barcelona between 17 May and 28 May, one way, whichever day "
            "is cheapest on the flexible fare. How much would that be?",
            (search("flights", said("London"), said("Barcelona"), date("17 May"), date("28 May")),),
            "The cheapest flexible ticket in those days costs {price}.",
            answers=(
                tell(
                    "price", "money", least(bookable("flights"), "prices.flex", "prices.flex"),
                    "flight_cabins.price_cents",
                ),
            ),
        ),
        Say(
            "Deal. Book that one for me.",
            (
                asked_customer(),
                wish(
                    "book", "book_reservation",
                    customer_id=got("customer", "customer_id"),
                    fare=phrase("fare", "flexible"),
                    flight_id=least(bookable("flights"), "prices.flex", "flight_id"),
                ),
            ),
            "Done. Enjoy the sun!",
            asks=ASK_NUMBER,
            confirm="So {book[flight_id]}, London to Barcelona on a flex fare, one way. Shall I book it?",
            refers=(
                the_flight(
                    "that one", "London", "Barcelona",
                    "economy_left > 0 AND date BETWEEN '2026-05-17' AND '2026-05-28'",
                    extreme="min(economy_cents)",
                ),
            ),
        ),
        kinds=("action", "question", "implicit"),
    )  # fmt: skip
