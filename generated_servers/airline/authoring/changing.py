"""Tasks in which flights are moved and bags are added."""

from __future__ import annotations

from envfactory_gym.environment.task import Derived, GoalCall, Source

from .author import ASK_NUMBER, Author, Say, patched, tell
from .plan import (
    asked_customer,
    bookable,
    coming,
    customer,
    date,
    derive,
    got,
    least,
    leaves,
    leaving,
    left_on,
    listed,
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
    _more(author)
    _bags(author)


def _another_flight_and_yet_another(author: Author) -> None:
    trip = leaving("Copenhagen", "18 May")
    author.task(
        "copenhagen-a-day-early", "E865269",
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
        "london-two-days-later", "E341227",
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
        "bags-for-lena-and-yusuf", "E636815",
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


def _move(trip: Derived, position: int, city: str, day: str, *, home: bool = False) -> tuple[GoalCall, ...]:
    """Look at a trip and move its flight out (1) or back (2) to the only flight of a day."""
    there, here = said(city), only(trip, "origin")
    return (
        reservation(only(trip, "reservation_id")),
        search("flights", there if home else here, here if home else there, date(day)),
        wish(
            "change", "change_flight",
            reservation_id=only(trip, "reservation_id"),
            flight_id=segment(position, "flight_id"),
            new_flight_id=only(bookable("flights"), "flight_id"),
        ),
    )  # fmt: skip


CHARGED = tell("cost", "money", got("change", "charged_cents"), "payments.amount_cents")


def _more(author: Author) -> None:
    author.task(
        "lisbon-gold-pays-no-fee", "E107145",
        Say(
            "Olá! Inês Costa, E107145. I come home from Copenhagen on 25 May, but I would like to stay until 29 May. "
            "Please change it and tell me what I have paid for the trip in the end.",
            (
                customer(said("E107145")),
                trips(),
                *_move(leaving_home("25 May"), 2, "Copenhagen", "29 May", home=True),
                reservation(only(leaving_home("25 May"), "reservation_id"), "after"),
            ),
            "You stay until 29 May. For the whole trip you have paid {total}.",
            confirm=(
                "On {change[reservation_id]} I would replace {change[flight_id]} by {change[new_flight_id]}. As a gold "
                "customer you pay no fee, only a difference in price. Is that what you want?"
            ),
            answers=(tell("total", "money", got("after", "paid_cents"), "reservations.paid_cents"),),
            refers=(the_trip("from Copenhagen on 25 May", "E107145", "return_date = '2026-05-25'"),),
        ),
        kinds=("action", "implicit", "question"),
    )  # fmt: skip
    author.task(
        "antti-goes-three-days-later", "E117770",
        Say(
            "Hei. Antti Laine, E117770, to Copenhagen on 22 May. Make that 25 May. Thanks.",
            (customer(said("E117770")), trips(), *_move(leaving("Copenhagen", "22 May"), 1, "Copenhagen", "25 May")),
            "Done: you fly on 25 May.",
            confirm="{change[reservation_id]}: {change[new_flight_id]} instead of {change[flight_id]}, no change fee "
            "on flex. OK?",
            refers=(the_trip("Copenhagen on 22 May", "E117770", "departure_date = '2026-05-22'"),),
        ),
        kinds=("action", "implicit"),
        persona="A man of few words.",
    )  # fmt: skip
    author.task(
        "naomi-pays-the-fee", "E256227",
        Say(
            "Hello, I'm Naomi Brooks. My aunt in New York is ill, could I leave earlier than 21 May, say on 17 May, "
            "if there is room? What would you charge in all?",
            (asked_customer(), trips(), *_move(leaving("New York", "21 May"), 1, "New York", "17 May")),
            "You leave on 17 May. In all I charged {cost}. All the best to your aunt.",
            asks=ASK_NUMBER,
            confirm=(
                "There is room. On {change[reservation_id]} I would replace {change[flight_id]} by "
                "{change[new_flight_id]}; on your standard fare the change costs a fee of $75 and the difference, if "
                "any. Shall I?"
            ),
            answers=(CHARGED,),
            refers=(the_trip("earlier than 21 May", "E256227", "departure_date = '2026-05-21'"),),
        ),
        kinds=("action", "implicit", "question"),
    )  # fmt: skip
    author.task(
        "axel-stays-longer-at-home", "E217655",
        Say(
            "God morgon! On my flexible ticket to London, the one that starts on 19 May, could you push the flight "
            "out to 23 May? Axel Holm, axel.holm92@example.org",
            (
                customer(said("axel.holm92@example.org")),
                trips(),
                *_move(leaving("London", "19 May"), 1, "London", "23 May"),
            ),
            "You now leave on 23 May. Ha en bra dag!",
            confirm="On {change[reservation_id]}: {change[new_flight_id]} in place of {change[flight_id]}, without a "
            "fee. Right?",
            refers=(the_trip("the one that starts on 19 May", "E217655", "departure_date = '2026-05-19'"),),
        ),
        kinds=("action", "implicit"),
    )  # fmt: skip
    author.task(
        "frankfurt-a-little-sooner", "E770672",
        Say(
            "Lena Schneider, E770672. Please move my one-way flight to Copenhagen from 27 May to 24 May, the fee is "
            "fine.",
            (customer(said("E770672")), trips(), *_move(leaving("Copenhagen", "27 May"), 1, "Copenhagen", "24 May")),
            "You fly on 24 May.",
            confirm="I would replace {change[flight_id]} on {change[reservation_id]} by {change[new_flight_id]}. Go "
            "ahead?",
            refers=(the_trip("my one-way flight to Copenhagen", "E770672", leaves("Copenhagen", "2026-05-27")),),
        ),
        Say(
            "Ach, no: they need me even sooner. 20 May it is. And how much have I paid by now for everything on this "
            "booking?",
            (
                reservation(got("trip", "reservation_id"), "moved"),
                search(
                    "sooner", only(leaving("Copenhagen", "27 May"), "origin"), said("Copenhagen"), date("20 May", 1)
                ),
                wish(
                    "again", "change_flight",
                    reservation_id=got("moved", "reservation_id"),
                    flight_id=segment(1, "flight_id", "moved"),
                    new_flight_id=only(bookable("sooner"), "flight_id"),
                ),
                reservation(got("trip", "reservation_id"), "settled"),
            ),
            "You fly on 20 May. Everything together, you have paid {total}.",
            confirm="Then {again[new_flight_id]} instead of {again[flight_id]} on {again[reservation_id]}, for another "
            "fee. Shall I?",
            answers=(tell("total", "money", got("settled", "paid_cents"), "reservations.paid_cents"),),
        ),
        kinds=("action", "implicit", "change of mind", "question"),
    )  # fmt: skip


def leaving_home(day: str) -> Derived:
    """Confirmed trips whose flight home leaves on the day that was said."""
    return listed(("return_date", "==", date(day)))


def _bags(author: Author) -> None:
    author.task(
        "zurich-with-golf-clubs", "E746239",
        Say(
            "Søren Møller, E746239. I'd like to take my golf clubs to Zurich on 16 May, so one bag for that trip, "
            "please.",
            (
                customer(said("E746239")),
                trips(),
                reservation(only(leaving("Zurich", "16 May"), "reservation_id")),
                _bag("Søren", "one bag"),
            ),
            "Your clubs may come along.",
            confirm="I would add 1 bag to reservation {bags[reservation_id]}, free of charge with gold. Shall I?",
            refers=(the_trip("Zurich on 16 May", "E746239", leaves("Zurich", "2026-05-16")),),
        ),
        kinds=("action", "implicit"),
    )  # fmt: skip
    trip = only(left_on("21 May"), "reservation_id")
    author.task(
        "hamburg-two-bags-for-jeppe", "E687707",
        Say(
            "hej, jeppe here, jeppe.friis48@example.org. hamburg on 21 May: two bags on my name and one for anders pls",
            (
                customer(said("jeppe.friis48@example.org")),
                trips(),
                reservation(trip),
                _bag("jeppe", "two bags"),
                _bag("anders", "one for anders", "other"),
            ),
            "All three are added, for $40.",
            confirm=(
                "On {bags[reservation_id]} I would add 2 bags for Jeppe and 1 for Anders; only the second bag of "
                "Jeppe is charged. Is that right?"
            ),
            refers=(the_trip("hamburg on 21 May", "E687707", leaves("Hamburg", "2026-05-21")),),
        ),
        kinds=("action", "implicit"),
        persona="Types fast.",
    )  # fmt: skip
    words = (
        "Antoine here, E252726. Manon and I move to London on 26 May, and I myself need two more checked bags than we "
        "booked for me. Both or none, please."
    )
    look = (customer(said("E252726")), trips(), reservation(only(left_on("26 May"), "reservation_id")))
    refers = (the_trip("to London on 26 May", "E252726", leaves("London", "2026-05-26")),)
    author.pair(
        (
            "four-bags-are-too-many",
            patched(("passengers", {"reservation_id": "X327TC", "position": 1}, {"bags": 2})),
            Say(
                words, look,
                "I am sorry: you have two already, and nobody has more than three. I added none.",
                decline="bags", refers=refers,
            ),
        ),
        (
            "two-bags-will-do", None,
            Say(
                words, (*look, _bag("Antoine", "two more checked bags")),
                "You have both now.",
                confirm="I would add 2 bags for you to reservation {bags[reservation_id]}; on standard and silver both "
                "are free. Shall I?",
                refers=refers,
            ),
        ),
        "E252726",
        kinds=("implicit",),
    )  # fmt: skip


def _bag(name: str, how_many: str, call_id: str = "bags") -> GoalCall:
    """Add bags for a passenger who was named."""
    return wish(
        call_id, "add_bags",
        reservation_id=got("trip", "reservation_id"),
        passenger=only(where(got("trip", "passengers"), ("name", "contains", said(name))), "position"),
        bags=number(how_many),
    )  # fmt: skip
