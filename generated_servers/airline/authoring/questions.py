"""Tasks in which something has to be looked up and told."""

from __future__ import annotations

from envfactory_gym.environment.task import Derived

from .author import ASK_NUMBER, Author, Say, tell
from .plan import (
    Clock,
    asked_customer,
    bookable,
    coming,
    customer,
    date,
    derive,
    got,
    least,
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
    the_extreme_trip,
    the_row,
    the_trip,
    trips,
    where,
)


def write(author: Author) -> None:
    """Add the tasks."""
    to_copenhagen = listed(("destination", "==", said("Copenhagen")))
    author.task(
        "paid-for-copenhagen", "E495814",
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
        "home-from-rome", "E235517",
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
        "how-long-to-lisbon", "E665515",
        Say(
            "Quick one before I pack a book: how long is the flight from New York to Lisbon on 24 May, and when are we "
            "there?",
            (search("flights", said("New York"), said("Lisbon"), date("24 May")),),
            "The flight from New York to Lisbon takes {duration} and lands at {arrival} UTC.",
            answers=(
                tell("duration", "duration", got("flights", "flights.0.minutes")),
                tell("arrival", "time", got("flights", "flights.0.arrives_at"), "flights.arrives_at"),
            ),
            others=2,
        ),
        kinds=("question",),
    )  # fmt: skip
    dearest = most(coming("Milan"), "paid_cents", "reservation_id")
    author.task(
        "code-of-dearest-milan", "E208894",
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
    _more(author)


def _more(author: Author) -> None:
    author.task(
        "what-helsinki-lost", "E716109",
        Say(
            "Terve, Helmi Mäkinen. I cancelled a trip to London that was to start on 19 May. Of what I had paid, how "
            "much did you keep, and on which day was that?",
            (
                asked_customer(),
                trips(),
                reservation(
                    only(
                        where(
                            got("trips", "reservations"), ("status", "==", "cancelled"),
                            ("departure_date", "==", date("19 May")),
                        ),
                        "reservation_id",
                    )
                ),
            ),
            "You cancelled it on {day}. Of what you had paid we kept {kept}; the rest went back to your card.",
            asks=ASK_NUMBER,
            answers=(
                tell("day", "date", got("trip", "cancelled_at"), "reservations.cancelled_at"),
                tell("kept", "money", derive("subtract", got("trip", "paid_cents"), got("trip", "refunded_cents"))),
            ),
            refers=(
                the_row(
                    "a trip to London that was to start on 19 May", "reservations.reservation_id",
                    "trips WHERE customer_id = 'E716109' AND departure_date = '2026-05-19'",
                ),
            ),
        ),
        kinds=("question", "implicit"),
    )  # fmt: skip
    author.task(
        "cheapest-business-to-rome", "E629868",
        Say(
            "Comparing prices here. Between 16 May and 30 May, what is the least I'd pay for a business seat from "
            "London to Rome, and on what day would that be?",
            (search("flights", said("London"), said("Rome"), date("16 May"), date("30 May")),),
            "The cheapest business seat in those two weeks is {price}, on {day}.",
            answers=(
                tell(
                    "price", "money", least(bookable("flights", "business"), "prices.business", "prices.business"),
                    "flight_cabins.price_cents",
                ),
                tell("day", "date", least(bookable("flights", "business"), "prices.business", "date")),
            ),
        ),
        kinds=("question",),
    )  # fmt: skip
    author.task(
        "spent-on-upcoming-trips", "E634418",
        Say(
            "This is Liam Roy, liam.roy47@example.com. My accountant wants to know what I have paid altogether for the "
            "trips that are still ahead of me. Can you add it up?",
            (customer(said("liam.roy47@example.com")), trips()),
            "For the trips ahead of you it is {total} altogether.",
            answers=(
                tell("total", "money", derive("sum", listed(("departs_at", ">", Clock())), path="paid_cents")),
            ),
        ),
        kinds=("question",),
        persona="Has an accountant.",
    )  # fmt: skip
    author.task(
        "when-mette-lands", "E694471",
        Say(
            "Could someone pick me up at Kastrup? My return from Singapore is on 30 May. When does it land? E694471, "
            "Mette.",
            (
                customer(said("E694471")),
                trips(),
                reservation(only(listed(("return_date", "==", date("30 May"))), "reservation_id")),
            ),
            "Your plane lands at {arrival} UTC on {day}.",
            answers=(
                tell("arrival", "time", segment(2, "arrives_at"), "flights.arrives_at"),
                tell("day", "date", segment(2, "arrives_at"), "flights.arrives_at"),
            ),
            refers=(the_trip("My return from Singapore", "E694471", "return_date = '2026-05-30'"),),
        ),
        kinds=("question", "implicit"),
    )  # fmt: skip
    author.task(
        "not-moved-to-the-afternoon", "E252726",
        Say(
            "You have moved my Lyon flight on 15 May to the afternoon, I hear. So when do I leave now? Antoine "
            "Mercier, E252726.",
            (
                customer(said("E252726")),
                trips(),
                reservation(only(left_on("15 May"), "reservation_id")),
            ),
            "It has not been moved: your flight still leaves at {departure} UTC and lands at {arrival}.",
            answers=(
                tell("departure", "time", segment(1, "departs_at"), "flights.departs_at"),
                tell("arrival", "time", segment(1, "arrives_at"), "flights.arrives_at"),
            ),
            refers=(the_trip("my Lyon flight on 15 May", "E252726", "departure_date = '2026-05-15'"),),
        ),
        kinds=("question", "false premise", "implicit"),
    )  # fmt: skip
    author.task(
        "how-late-to-edinburgh", "E426281",
        Say(
            "Your app shows a red dot beside Edinburgh on 20 May. How much later than planned do we go, and what was "
            "the plan? George Sinclair, george.sinclair45@example.org",
            (
                customer(said("george.sinclair45@example.org")),
                trips(),
                reservation(only(leaving("Edinburgh", "20 May"), "reservation_id")),
            ),
            "The announced delay is {delay}; by the timetable it leaves at {departure} UTC.",
            answers=(
                tell("delay", "duration", segment(1, "delay_minutes"), "flights.delay_minutes"),
                tell("departure", "time", segment(1, "departs_at"), "flights.departs_at"),
            ),
            refers=(the_trip("Edinburgh on 20 May", "E426281", "departure_date = '2026-05-20'"),),
        ),
        kinds=("question", "implicit"),
        persona="Shares his name with others.",
    )  # fmt: skip
    author.task(
        "code-of-the-trip-for-three", "E395100",
        Say(
            "Goedemorgen. I need the booking code of the trip that we make as three, for the school. Daan Mulder, "
            "E395100. And what did it cost?",
            (customer(said("E395100")), trips()),
            "The code is {code}, and you paid {price} for it.",
            answers=(
                tell("code", "name", only(_for_three(), "reservation_id"), "reservations.reservation_id"),
                tell("price", "money", only(_for_three(), "paid_cents"), "reservations.paid_cents"),
            ),
            refers=(the_trip("the trip that we make as three", "E395100", "passengers = 3"),),
        ),
        kinds=("question", "implicit"),
    )  # fmt: skip


def _for_three() -> Derived:
    return listed(("passengers", "==", number("three")))
