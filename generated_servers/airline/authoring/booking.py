"""Tasks in which a trip is booked, or contact data changes."""

from __future__ import annotations

from .author import ASK_NUMBER, Author, Say, tell
from .plan import (
    asked_customer,
    bookable,
    call,
    customer,
    date,
    derive,
    got,
    identity,
    least,
    leaving,
    listed,
    number,
    only,
    phrase,
    reservation,
    said,
    search,
    slot,
    the_flight,
    the_trip,
    trips,
    where,
    wish,
)


def write(author: Author) -> None:
    """Add the tasks."""
    author.task(
        "cheapest-to-oslo", "E340191",
        Say(
            "Hello there! What is the cheapest standard ticket from London to Oslo between 18 May and 24 May, and on "
            "which day is it?",
            (
                call(
                    "flights", "search_flights",
                    origin=said("London"), destination=said("Oslo"), from_date=date("18 May"), to_date=date("24 May"),
                ),
            ),
            "The cheapest one costs {price} and leaves on {day}.",
            answers=(
                tell(
                    "price", "money", least(bookable("flights"), "prices.standard", "prices.standard"),
                    "flight_cabins.price_cents",
                ),
                tell("day", "date", least(bookable("flights"), "prices.standard", "date")),
            ),
        ),
        Say(
            "That suits me. Book it for me, please, one way and on the standard fare you quoted.",
            (
                asked_customer(),
                wish(
                    "book", "book_reservation",
                    customer_id=got("customer", "customer_id"),
                    fare=phrase("fare", "standard", 1),
                    flight_id=least(bookable("flights"), "prices.standard", "flight_id"),
                ),
            ),
            "It is booked. Have a good flight!",
            asks=ASK_NUMBER,
            refers=(
                the_flight(
                    "standard fare you quoted", "London", "Oslo",
                    "economy_left > 0 AND date BETWEEN '2026-05-18' AND '2026-05-24'", extreme="min(economy_cents)",
                ),
            ),
            confirm="I would book {book[flight_id]} from London to Oslo for you on a standard fare, one way. Shall I?",
        ),
        Say(
            "Lovely. I am taking my skis as well: two checked bags on that booking, please.",
            (
                trips(),
                reservation(only(listed(("destination", "==", said("Oslo"))), "reservation_id")),
                wish(
                    "bags", "add_bags",
                    reservation_id=got("trip", "reservation_id"),
                    passenger=got("trip", "passengers.0.position"),
                    bags=number("two", 2),
                ),
            ),
            "Two bags are on it now.",
            confirm=(
                "On reservation {bags[reservation_id]} I would add 2 bags; the first is free and the second costs "
                "$40. All right?"
            ),
        ),
        kinds=("action", "question"),
    )  # fmt: skip
    author.task(
        "boston-with-the-same-people", "E984793",
        Say(
            "Could you book us to Boston on the 26th of May, one way from New York, cheapest fare? Same people as on "
            "my Copenhagen trip that starts on May 18. I'm E984793.",
            (
                customer(said("E984793")),
                trips(),
                reservation(only(leaving("Copenhagen", "May 18"), "reservation_id")),
                search("flights", said("New York"), said("Boston"), date("26th of May")),
                wish(
                    "book", "book_reservation",
                    customer_id=got("customer", "customer_id"),
                    fare=phrase("fare", "cheapest fare"),
                    flight_id=only(bookable("flights"), "flight_id"),
                    companions=derive("collect", where(got("trip", "passengers"), ("position", ">", 1)), path="name"),
                ),
            ),
            "You are both booked to Boston.",
            confirm=(
                "I would book {book[flight_id]} from New York to Boston on a basic fare for you and "
                "{book[companions][0]}. Basic tickets cannot be changed or refunded later. Shall I book?"
            ),
            refers=(
                the_trip(
                    "my Copenhagen trip that starts on May 18", "E984793",
                    "destination = 'Copenhagen' AND departure_date = '2026-05-18'",
                ),
            ),
        ),
        kinds=("action", "implicit"),
    )  # fmt: skip
    author.task(
        "new-phone-then-new-address", "E176906",
        Say(
            "Hi, I have a new phone. Can you change my number to +44 7700 900987? My customer number is E176906.",
            (
                customer(said("E176906")),
                *identity(),
                wish(
                    "phone", "update_contact",
                    customer_id=got("customer", "customer_id"), phone=said("+44 7700 900987"),
                ),
            ),
            "Your new phone number is saved.",
        ),
        Say(
            "While you are at it: I have changed my e-mail address as well.",
            (wish("email", "update_contact", customer_id=got("customer", "customer_id"), email=slot("new_email")),),
            "Your e-mail address is changed too.",
            asks=("new_email", "Of course. What is your new e-mail address?"),
        ),
        kinds=("action",),
        slots=(("new_email", "beth.ahmed.bakes@example.org"),),
    )  # fmt: skip
