"""Tasks in which something has to be looked up and told."""

from __future__ import annotations

from .author import ASK_NUMBER, Author, Say, tell
from .plan import (
    asked_customer,
    coming,
    customer,
    date,
    derive,
    got,
    listed,
    most,
    only,
    reservation,
    said,
    search,
    segment,
    the_extreme_trip,
    the_trip,
    trips,
)


def write(author: Author) -> None:
    """Add the tasks."""
    to_copenhagen = listed(("destination", "==", said("Copenhagen")))
    author.task(
        "paid-for-copenhagen", "E495814", "train",
        Say(
            "Good morning! I'm doing my expenses. What have I paid you in total for my trips to Copenhagen this month?",
            (asked_customer(), trips()),
            "For your three trips to Copenhagen you have paid {total} in total.",
            asks=ASK_NUMBER,
            answers=(tell("total", "money", derive("sum", to_copenhagen, path="paid_cents")),),
        ),
        kinds=("question",),
        persona="Keeps every receipt.",
    )  # fmt: skip
    author.task(
        "home-from-rome", "E235517", "dev",
        Say(
            "hi, E235517 here. when exactly does my plane home from rome leave on the 23rd of May, and when does it "
            "land?",
            (
                customer(said("E235517")),
                trips(),
                reservation(only(listed(("return_date", "==", date("23rd of May"))), "reservation_id")),
            ),
            "Your flight home leaves at {departure} and lands at {arrival}, UTC.",
            answers=(
                tell("departure", "time", segment(2, "departs_at"), "flights.departs_at"),
                tell("arrival", "time", segment(2, "arrives_at"), "flights.arrives_at"),
            ),
            refers=(the_trip("my plane home from rome", "E235517", "return_date = '2026-05-23'"),),
        ),
        kinds=("question", "implicit"),
        persona="Types on a phone, without capitals.",
    )  # fmt: skip
    author.task(
        "how-long-to-lisbon", "E665515", "train",
        Say(
            "Quick one before I pack a book: how long is the flight from New York to Lisbon on 24 May, and when are we "
            "there?",
            (search("flights", said("New York"), said("Lisbon"), date("24 May")),),
            "The flight from New York to Lisbon takes {duration} and lands at {arrival} UTC.",
            answers=(
                tell("duration", "duration", got("flights", "flights.0.minutes")),
                tell("arrival", "time", got("flights", "flights.0.arrives_at"), "flights.arrives_at"),
            ),
        ),
        kinds=("question",),
    )  # fmt: skip
    dearest = most(coming("Milan"), "paid_cents", "reservation_id")
    author.task(
        "code-of-dearest-milan", "E208894", "test",
        Say(
            "I fly to Milan so often that I lose track. Which booking code has the most expensive of my upcoming "
            "trips there?",
            (asked_customer(), trips()),
            "The most expensive of them is {code}.",
            asks=ASK_NUMBER,
            answers=(tell("code", "name", dearest, "reservations.reservation_id"),),
            refers=(
                the_extreme_trip("the most expensive of my upcoming trips", "E208894", "Milan", "max(paid_cents)"),
            ),
        ),
        kinds=("question", "implicit"),
    )  # fmt: skip
