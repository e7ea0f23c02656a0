"""Twins: a request that a rule forbids, and the same words in a world where it does not."""

from __future__ import annotations

from .author import ASK_NUMBER, Author, Say, patched
from .plan import (
    asked_customer,
    bookable,
    coming,
    customer,
    date,
    derive,
    got,
    leaving,
    listed,
    most,
    number,
    only,
    phrase,
    reservation,
    said,
    search,
    segment,
    the_extreme_trip,
    the_trip,
    trips,
    wish,
)


def write(author: Author) -> None:
    """Add the pairs."""
    _basic_is_final(author)
    _change_window(author)
    _bag_cutoff(author)
    _own_reservations(author)
    _schedule_change(author)
    _basic_is_not_changed(author)


def _basic_is_final(author: Author) -> None:
    words = "I need to get rid of my flight to London on 23 May, the project over there fell through. Please cancel it."
    flight = only(leaving("London", "23 May"), "reservation_id")
    refers = (the_trip("my flight to London on 23 May", "E597860", "departure_date = '2026-05-23'"),)
    look = (asked_customer(), trips(), reservation(flight))
    cancel = wish("cancel", "cancel_reservation", reservation_id=flight, reason=phrase("cancel_reason", "fell through"))
    booked_yesterday = patched(
        ("reservations", {"reservation_id": "T38JCG"}, {"booked_at": "2026-05-13T16:05:00Z"}),
        ("payments", {"reservation_id": "T38JCG", "kind": "booking"}, {"paid_at": "2026-05-13T16:05:00Z"}),
        ("payments", {"reservation_id": "T38JCG", "kind": "bags"}, {"paid_at": "2026-05-13T16:07:00Z"}),
    )
    no = Say(
        words,
        look,
        "I am sorry: it is a basic fare booked more than 24 hours ago, and such a booking is neither cancelled nor "
        "refunded.",
        asks=ASK_NUMBER,
        decline="basic-final",
        refers=refers,
    )
    yes = Say(
        words,
        (*look, cancel),
        "It is cancelled, and as you booked it within the last 24 hours you get everything back.",
        asks=ASK_NUMBER,
        refers=refers,
        confirm=(
            "Reservation {cancel[reservation_id]} was booked less than 24 hours ago, so I can cancel it as a change "
            "of plans with a full refund. Shall I?"
        ),
    )
    author.pair(
        ("cancel-basic-too-late", None, no),
        ("cancel-basic-in-time", booked_yesterday, yes),
        "E597860",
        kinds=("implicit",),
    )


def _change_window(author: Author) -> None:
    words = (
        "Could you move the dearer of my two trips to New York to 18 May? Any flight that day will do. My number is "
        "E380700."
    )
    dearer = coming("New York")
    refers = (
        the_extreme_trip("the dearer of my two trips to New York", "E380700", "New York", "max(paid_cents)"),
    )  # fmt: skip
    look = (customer(said("E380700")), trips(), reservation(most(dearer, "paid_cents", "reservation_id")))
    change = (
        search("flights", most(dearer, "paid_cents", "origin"), said("New York"), date("18 May")),
        wish(
            "change",
            "change_flight",
            reservation_id=got("trip", "reservation_id"),
            flight_id=segment(1, "flight_id"),
            new_flight_id=only(bookable("flights"), "flight_id"),
        ),
    )
    six_days_off = patched(
        ("segments", {"reservation_id": "XVK7TY", "position": 1}, {"flight_id": "EF242-2026-05-24"}),
    )
    no = Say(
        words,
        look,
        "I cannot do that: a flight is moved by at most 7 days, and yours leaves more than 7 days after 18 May.",
        decline="change-window",
        refers=refers,
    )
    yes = Say(
        words,
        (*look, *change),
        "You now fly to New York on 18 May.",
        refers=refers,
        confirm=(
            "On reservation {change[reservation_id]} I would replace {change[flight_id]} by {change[new_flight_id]}. "
            "A flex fare has no change fee. Is that right?"
        ),
    )
    author.pair(
        ("new-york-too-far-ahead", None, no),
        ("new-york-within-a-week", six_days_off, yes),
        "E380700",
        kinds=("implicit",),
    )


def _bag_cutoff(author: Author) -> None:
    words = (
        "I'm off to Chicago soon and my case is bursting. Please add one more checked bag to that trip. I'm E937054."
    )
    refers = (the_trip("that trip", "E937054", "destination = 'Chicago'"),)
    look = (customer(said("E937054")), trips(), reservation(only(coming("Chicago"), "reservation_id")))
    bags = wish(
        "bags",
        "add_bags",
        reservation_id=got("trip", "reservation_id"),
        passenger=got("trip", "passengers.0.position"),
        bags=number("one more checked bag"),
    )
    leaves_later = patched(
        ("segments", {"reservation_id": "WK4ZVB", "position": 1}, {"flight_id": "EF239-2026-05-22"}),
    )
    no = Say(
        words,
        look,
        "I am sorry, bags can be added until 48 hours before departure, and your flight leaves sooner than that.",
        decline="bag-cutoff",
        refers=refers,
    )
    yes = Say(
        words,
        (*look, bags),
        "The bag is added.",
        refers=refers,
        confirm="On reservation {bags[reservation_id]} I would add 1 bag, which costs $40 as your second. Shall I?",
    )
    author.pair(
        ("bag-too-late-for-chicago", None, no),
        ("bag-in-time-for-chicago", leaves_later, yes),
        "E937054",
        kinds=("implicit",),
    )


def _own_reservations(author: Author) -> None:
    words = "Priya Shaw speaking, customer E148516. George has come down with the flu, so please cancel booking 3R3KKD."
    code = derive("code", said("3R3KKD"))
    look = (customer(said("E148516")), reservation(code))
    cancel = wish("cancel", "cancel_reservation", reservation_id=code, reason=phrase("cancel_reason", "the flu"))
    hers = patched(("reservations", {"reservation_id": "3R3KKD"}, {"customer_id": "E148516"}))
    no = Say(
        words,
        look,
        "That booking belongs to another customer, so I can neither discuss nor cancel it. Its owner has to ask us.",
        decline="own-reservations",
    )
    yes = Say(
        words,
        (*look, cancel),
        "The booking is cancelled. I wish George a quick recovery.",
        confirm=(
            "I would cancel your reservation {cancel[reservation_id]} for illness; on its standard fare 60 percent is "
            "refunded. Do you want that?"
        ),
    )
    author.pair(
        ("booking-of-another-customer", None, no),
        ("booking-of-her-own", hers, yes),
        "E148516",
        kinds=(),
    )


def _schedule_change(author: Author) -> None:
    words = (
        "My flight home from Geneva on 29 May has a delay that ruins everything. Cancel the trip under your rule for "
        "delays, with all my money back. If the rule does not cover it, leave the trip as it is."
    )
    trip = only(listed(("return_date", "==", date("29 May"))), "reservation_id")
    refers = (the_trip("My flight home from Geneva on 29 May", "E633232", "return_date = '2026-05-29'"),)
    look = (asked_customer(), trips(), reservation(trip))
    cancel = wish("cancel", "cancel_reservation", reservation_id=trip, reason=phrase("cancel_reason", "delay"))
    shorter = patched(("flights", {"flight_id": "EF214-2026-05-29"}, {"delay_minutes": 175}))
    no = Say(
        words,
        look,
        "The announced delay is shorter than 180 minutes, so the rule does not apply and I have left your trip as it "
        "is.",
        asks=ASK_NUMBER,
        decline="schedule-change",
        refers=refers,
    )
    yes = Say(
        words,
        (*look, cancel),
        "The trip is cancelled and refunded in full.",
        asks=ASK_NUMBER,
        refers=refers,
        confirm=(
            "The delay on reservation {cancel[reservation_id]} is 180 minutes, so I can cancel it for the delay and "
            "refund everything. Shall I?"
        ),
    )
    author.pair(
        ("delay-too-short", shorter, no),
        ("delay-long-enough", None, yes),
        "E633232",
        kinds=("implicit",),
    )


def _basic_is_not_changed(author: Author) -> None:
    words = (
        "On my Copenhagen trip that leaves on 25 May, can I have a different flight there? 22 May would be much "
        "better. You know me as E231948."
    )
    trip = leaving("Copenhagen", "25 May")
    refers = (the_trip("my Copenhagen trip that leaves on 25 May", "E231948", "departure_date = '2026-05-25'"),)
    look = (customer(said("E231948")), trips(), reservation(only(trip, "reservation_id")))
    change = (
        search("flights", only(trip, "origin"), said("Copenhagen"), date("22 May")),
        wish(
            "change",
            "change_flight",
            reservation_id=only(trip, "reservation_id"),
            flight_id=segment(1, "flight_id"),
            new_flight_id=only(bookable("flights"), "flight_id"),
        ),
    )
    no = Say(
        words,
        look,
        "This trip is on a basic fare, and basic reservations are not changed.",
        decline="basic-final",
        refers=refers,
    )
    yes = Say(
        words,
        (*look, *change),
        "You now fly on 22 May.",
        refers=refers,
        confirm=(
            "On reservation {change[reservation_id]} I would replace {change[flight_id]} by {change[new_flight_id]}; "
            "on flex only a difference in price is charged. All right?"
        ),
    )
    author.pair(
        ("basic-is-not-changed", None, no),
        ("flex-is-changed", patched(("reservations", {"reservation_id": "6KQLFR"}, {"fare": "flex"})), yes),
        "E231948",
        kinds=("implicit",),
    )
