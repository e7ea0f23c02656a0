"""Tasks in which flights are moved and bags are added."""

from __future__ import annotations

from envfactory_gym.environment.task import Source

from .author import Author, Say, tell
from .plan import (
    bookable,
    coming,
    customer,
    date,
    derive,
    got,
    least,
    leaving,
    most,
    number,
    only,
    reservation,
    said,
    search,
    segment,
    the_flight,
    the_trip,
    trips,
    where,
    wish,
)


def write(author: Author) -> None:
    """Add the tasks."""
    _another_flight_and_yet_another(author)
    _both_flights(author)
    _bags_for_two(author)


def _another_flight_and_yet_another(author: Author) -> None:
    trip = leaving("Copenhagen", "18 May")
    author.task(
        "copenhagen-a-day-early", "E865269", "train",
        Say(
            "George Shaw, E865269. I have to be in Copenhagen earlier than planned: please put me on the last flight "
            "on 17 May instead of the one on 18 May.",
            (
                customer(said("E865269")),
                trips(),
                reservation(only(trip, "reservation_id")),
                search("flights", only(trip, "origin"), said("Copenhagen"), date("17 May")),
                wish(
                    "change", "change_flight",
                    reservation_id=only(trip, "reservation_id"),
                    flight_id=segment(1, "flight_id"),
                    new_flight_id=most(bookable("flights"), "departs_at", "flight_id"),
                ),
            ),
            "You are now on the evening flight on 17 May.",
            confirm=(
                "On reservation {change[reservation_id]} I would replace {change[flight_id]} by "
                "{change[new_flight_id]}, the last flight that day. The change fee on your standard fare is $75, plus "
                "the difference in price. Do you want that?"
            ),
            refers=(
                the_trip("the one on 18 May", "E865269", "departure_date = '2026-05-18'"),
                the_flight(
                    "the last flight on 17 May", "London", "Copenhagen", "date = '2026-05-17'",
                    extreme="max(departs_at)",
                ),
            ),
        ),
        Say(
            "Sorry, I misread the invitation, it begins at noon. The first flight of that day, then. And what have I "
            "paid for this trip altogether after all this?",
            (
                reservation(got("trip", "reservation_id"), "changed"),
                wish(
                    "again", "change_flight",
                    reservation_id=got("changed", "reservation_id"),
                    flight_id=segment(1, "flight_id", "changed"),
                    new_flight_id=least(bookable("flights"), "departs_at", "flight_id"),
                ),
                reservation(got("trip", "reservation_id"), "settled"),
            ),
            "You now leave on the morning flight. Altogether you have paid {total} for the trip.",
            confirm=(
                "Then I would move reservation {again[reservation_id]} from {again[flight_id]} to "
                "{again[new_flight_id]}, for another $75. Is that what you want?"
            ),
            answers=(tell("total", "money", got("settled", "paid_cents"), "reservations.paid_cents"),),
            refers=(
                the_flight(
                    "The first flight of that day", "London", "Copenhagen", "date = '2026-05-17'",
                    extreme="min(departs_at)",
                ),
            ),
        ),
        kinds=("action", "implicit", "change of mind", "question"),
        persona="In a hurry and apologetic.",
    )  # fmt: skip


def _both_flights(author: Author) -> None:
    trip = leaving("London", "21 May")
    there = derive("date_add", only(trip, "departure_date"), number("two"))
    home = derive("date_add", only(trip, "return_date"), number("two"))
    author.task(
        "london-two-days-later", "E341227", "train",
        Say(
            "Bonjour, everything has shifted here. Could you move my London trip of 21 May back by two days, both the "
            "way there and the way home? My number with you is E341227. Tell me what it costs in the end.",
            (
                customer(said("E341227")),
                trips(),
                reservation(only(trip, "reservation_id")),
                search("there", only(trip, "origin"), said("London"), there),
                search("home", said("London"), only(trip, "origin"), home),
                wish(
                    "out", "change_flight",
                    reservation_id=only(trip, "reservation_id"),
                    flight_id=segment(1, "flight_id"),
                    new_flight_id=only(bookable("there"), "flight_id"),
                ),
                wish(
                    "back", "change_flight",
                    reservation_id=only(trip, "reservation_id"),
                    flight_id=segment(2, "flight_id"),
                    new_flight_id=only(bookable("home"), "flight_id"),
                ),
            ),
            "Both flights are moved. The difference in price came to {cost}.",
            confirm=(
                "On reservation {out[reservation_id]} I would move {out[flight_id]} to {out[new_flight_id]} and "
                "{back[flight_id]} to {back[new_flight_id]}. There is no change fee on flex, only the difference in "
                "price where a flight is dearer. Shall I go ahead?"
            ),
            answers=(
                tell(
                    "cost", "money", derive("add", got("out", "charged_cents"), got("back", "charged_cents")),
                    "payments.amount_cents",
                ),
            ),
            refers=(
                the_trip(
                    "my London trip of 21 May", "E341227", "destination = 'London' AND departure_date = '2026-05-21'"
                ),
            ),
        ),
        kinds=("action", "implicit", "question"),
    )  # fmt: skip


def _bags_for_two(author: Author) -> None:
    trip = only(coming("Copenhagen", ("passengers", "==", number("four"))), "reservation_id")

    def position(name: str) -> Source:
        return only(where(got("trip", "passengers"), ("name", "contains", said(name))), "position")

    author.task(
        "bags-for-lena-and-yusuf", "E636815", "dev",
        Say(
            "On the Copenhagen trip for the four of us, Lena and Yusuf each need one more checked bag. The rest of us "
            "are fine. Customer number E636815.",
            (
                customer(said("E636815")),
                trips(),
                reservation(trip),
                wish(
                    "lena", "add_bags",
                    reservation_id=trip, passenger=position("Lena"), bags=number("one more checked bag"),
                ),
                wish(
                    "yusuf", "add_bags",
                    reservation_id=trip, passenger=position("Yusuf"), bags=number("one more checked bag"),
                ),
            ),
            "Both have their extra bag now.",
            confirm=(
                "On reservation {lena[reservation_id]} for the four of you I would add 1 checked bag for Lena, free, "
                "and 1 for Yusuf, which costs $40 because it is his second. Shall I add them?"
            ),
            refers=(the_trip("the Copenhagen trip for the four of us", "E636815", "passengers = 4"),),
        ),
        kinds=("action", "implicit"),
    )  # fmt: skip
