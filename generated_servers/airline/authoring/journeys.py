"""Long conversations: three to five turns that build on each other."""

from __future__ import annotations

from envfactory_gym.environment.task import Derived, Referent

from .author import ASK_NUMBER, Author, Say, tell
from .plan import (
    asked_customer,
    bookable,
    call,
    coming,
    customer,
    date,
    derive,
    got,
    identity,
    least,
    leaves,
    leaving,
    listed,
    newest_certificate,
    number,
    only,
    phrase,
    reservation,
    said,
    search,
    segment,
    the_flight,
    the_row,
    the_trip,
    trips,
    wallet,
    where,
    wish,
)


def write(author: Author) -> None:
    """Add the tasks."""
    _callum_and_paris(author)
    _ava_and_the_skis(author)
    _camille_cannot_decide(author)
    _sigurdur_makes_the_best_of_it(author)
    _jamal_moves_out(author)


def _callum_and_paris(author: Author) -> None:
    trip = only(leaving("Paris", "20 May"), "reservation_id")
    author.task(
        "callum-and-paris", "E774569",
        Say(
            "Callum Okafor here, E774569. Is it true that my flight to Paris on 20 May is late? By how much, and when "
            "should it leave by the timetable?",
            (customer(said("E774569")), trips(), reservation(trip)),
            "I am afraid it is: the announced delay is {delay}. By the timetable it leaves at {departure} UTC.",
            answers=(
                tell("delay", "duration", segment(1, "delay_minutes"), "flights.delay_minutes"),
                tell("departure", "time", segment(1, "departs_at"), "flights.departs_at"),
            ),
            refers=(_paris("my flight to Paris on 20 May"),),
        ),
        Say(
            "Over four hours! Then I want the certificate that people on business tickets get for such delays.",
            (
                wish(
                    "certificate", "issue_certificate",
                    reservation_id=got("trip", "reservation_id"), cause=phrase("fault", "delays", 1),
                ),
            ),
            "You are entitled to it. Its code is {code}.",
            answers=(tell("code", "name", got("certificate", "certificate_id"), "certificates.certificate_id"),),
        ),
        Say(
            "And with a delay like that the trip makes no sense. Cancel it because of the delay, please. What comes "
            "back?",
            (
                wish(
                    "cancel", "cancel_reservation",
                    reservation_id=got("trip", "reservation_id"),
                    reason=phrase("cancel_reason", "because of the delay", 2),
                ),
            ),
            "It is cancelled, and {refund} goes back to your card.",
            confirm="I would cancel reservation {cancel[reservation_id]} for the delay and refund all of it. Shall I?",
            answers=(tell("refund", "money", got("cancel", "refund_cents"), "refunds.amount_cents"),),
        ),
        Say(
            "I'll go later, then. London to Paris on 29 May in business, one way, and take the certificate I just got.",
            (
                wallet(),
                search("later", said("London", 3), said("Paris", 3), date("29 May", 3)),
                wish(
                    "book", "book_reservation",
                    customer_id=got("customer", "customer_id"),
                    fare=phrase("fare", "business", 3),
                    flight_id=only(bookable("later", "business"), "flight_id"),
                    certificate_id=newest_certificate(),
                ),
            ),
            "Booked. Your card pays {rest}, the certificate the rest.",
            confirm=(
                "I would book {book[flight_id]} from London to Paris in business, one way, and use certificate "
                "{book[certificate_id]} first. Is that right?"
            ),
            answers=(
                tell(
                    "rest", "money",
                    derive("subtract", got("book", "paid_cents"), got("book", "by_certificate_cents")),
                ),
            ),
            refers=(
                the_row(
                    "the certificate I just got", "certificates.certificate_id",
                    "certificates WHERE customer_id = 'E774569' AND issued_at = (SELECT max(issued_at) FROM "
                    "certificates WHERE customer_id = 'E774569')",
                ),
            ),
        ),
        Say(
            "Good. Add one checked bag to that booking and we are done.",
            (
                call("now", "list_reservations", customer_id=got("customer", "customer_id")),
                reservation(only(_of("now", "29 May", 3), "reservation_id"), "new"),
                wish(
                    "bag", "add_bags",
                    reservation_id=got("new", "reservation_id"),
                    passenger=only(where(got("new", "passengers"), ("name", "==", "Callum Okafor")), "position"),
                    bags=number("one checked bag", 4),
                ),
            ),
            "The bag is on it, free of charge. Have a good flight!",
            confirm="On reservation {bag[reservation_id]} I would add 1 bag, which is free on business. All right?",
        ),
        kinds=("action", "implicit", "question"),
        persona="Keeps track of what he is owed.",
    )  # fmt: skip


def _paris(words: str) -> Referent:
    return the_trip(words, "E774569", leaves("Paris", "2026-05-20"))


def _of(list_id: str, day: str, turn: int) -> Derived:
    """Confirmed trips of a list that leave on the day that was said in a turn."""
    return where(got(list_id, "reservations"), ("status", "==", "confirmed"), ("departure_date", "==", date(day, turn)))


def _ava_and_the_skis(author: Author) -> None:
    trip = only(leaving("London", "17 May"), "reservation_id")
    author.task(
        "ava-moves-to-monday", "E563313",
        Say(
            "Hi, Ava Hughes. I'm on the New York to London flight on 17 May and might have to shift it. Can you make "
            "it a flexible ticket first? What do I pay?",
            (
                asked_customer(),
                trips(),
                wish("raise", "raise_fare", reservation_id=trip, fare=phrase("fare", "flexible")),
            ),
            "Your ticket is flexible now, for {cost}.",
            asks=ASK_NUMBER,
            confirm=(
                "That is reservation {raise[reservation_id]}. I would raise it to flex, for the difference to what the "
                "flight costs on that fare now. Shall I?"
            ),
            answers=(tell("cost", "money", got("raise", "charged_cents"), "payments.amount_cents"),),
            refers=(
                the_trip(
                    "the New York to London flight on 17 May", "E563313",
                    leaves("London", "2026-05-17"),
                ),
            ),
        ),
        Say(
            "Great. And now it's certain: I have to go one day later, on the 18 May flight in the morning.",
            (
                reservation(trip),
                search("monday", said("New York"), said("London"), date("18 May", 1)),
                wish(
                    "change", "change_flight",
                    reservation_id=got("trip", "reservation_id"),
                    flight_id=segment(1, "flight_id"),
                    new_flight_id=least(bookable("monday"), "departs_at", "flight_id"),
                ),
            ),
            "You fly on Monday morning now.",
            confirm=(
                "On {change[reservation_id]} I would put you on {change[new_flight_id]} instead of "
                "{change[flight_id]}; on flex only a difference in price is charged. Okay?"
            ),
            refers=(
                the_flight(
                    "the 18 May flight in the morning", "New York", "London", "date = '2026-05-18'",
                    extreme="min(departs_at)",
                ),
            ),
        ),
        Say(
            "I'm taking skis, so two bags, please.",
            (
                reservation(trip, "again"),
                wish(
                    "bags", "add_bags",
                    reservation_id=got("again", "reservation_id"),
                    passenger=only(where(got("again", "passengers"), ("name", "contains", said("Ava"))), "position"),
                    bags=number("two bags", 2),
                ),
            ),
            "The skis are coming with you.",
            confirm="I would add 2 bags to {bags[reservation_id]}; flex and silver together make both free. Shall I?",
        ),
        Say(
            "Last question, for my books: how much have I paid for this booking in total?",
            (reservation(trip, "settled"),),
            "Altogether you have paid {total}.",
            answers=(tell("total", "money", got("settled", "paid_cents"), "reservations.paid_cents"),),
        ),
        kinds=("action", "implicit", "question"),
    )  # fmt: skip


def _camille_cannot_decide(author: Author) -> None:
    trip = leaving("Copenhagen", "17 May")
    author.task(
        "camille-cannot-decide", "E335110",
        Say(
            "Bonjour ! Camille Dubois, camille.dubois119@example.com. I leave for Copenhagen on 17 May, but 21 May "
            "would be so much nicer. Can you move me?",
            (
                customer(said("camille.dubois119@example.com")),
                trips(),
                reservation(only(trip, "reservation_id")),
                search("later", only(trip, "origin"), said("Copenhagen"), date("21 May")),
                wish(
                    "change", "change_flight",
                    reservation_id=got("trip", "reservation_id"),
                    flight_id=segment(1, "flight_id"),
                    new_flight_id=only(bookable("later"), "flight_id"),
                ),
            ),
            "Voilà, you fly on 21 May.",
            confirm=(
                "On reservation {change[reservation_id]} I would replace {change[flight_id]} by "
                "{change[new_flight_id]}. Your flex fare has no change fee. Shall I?"
            ),
            refers=(
                the_trip(
                    "Copenhagen on 17 May", "E335110", leaves("Copenhagen", "2026-05-17")
                ),
            ),
        ),
        Say(
            "Hmm. My sister has just reminded me of her birthday. Back to 17 May, please, I am so sorry.",
            (
                reservation(got("trip", "reservation_id"), "moved"),
                search("sooner", only(trip, "origin"), said("Copenhagen"), date("17 May", 1)),
                wish(
                    "back", "change_flight",
                    reservation_id=got("moved", "reservation_id"),
                    flight_id=segment(1, "flight_id", "moved"),
                    new_flight_id=only(bookable("sooner"), "flight_id"),
                ),
            ),
            "You are back on 17 May. Happy birthday to your sister!",
            confirm="I would put {back[reservation_id]} back from {back[flight_id]} to {back[new_flight_id]}. Is that "
            "right?",
        ),
        Say(
            "You will hate me. She is not celebrating at all, so my plans changed: cancel the whole thing. What do I "
            "get?",
            (
                wish(
                    "cancel", "cancel_reservation",
                    reservation_id=got("trip", "reservation_id"),
                    reason=phrase("cancel_reason", "my plans changed", 2),
                ),
            ),
            "No hard feelings. It is cancelled, and you get {refund} back.",
            confirm="Then I cancel all of {cancel[reservation_id]} because your plans changed, with a full refund. "
            "Right?",
            answers=(tell("refund", "money", got("cancel", "refund_cents"), "refunds.amount_cents"),),
        ),
        kinds=("action", "implicit", "change of mind", "question"),
        persona="Apologetic and undecided.",
        solo=False,  # on one ticket, the first two moves would cancel each other out
    )  # fmt: skip


def _sigurdur_makes_the_best_of_it(author: Author) -> None:
    trip = only(leaving("Copenhagen", "14 May"), "reservation_id")
    author.task(
        "reykjavik-makes-the-best-of-it", "E797687",
        Say(
            "Góðan dag, Sigurður from Reykjavik, E797687. My flight to Copenhagen tonight, 14 May, is delayed. Silver "
            "customers get a certificate for that, I believe? Then I'd like mine.",
            (
                customer(said("E797687")),
                trips(),
                reservation(trip),
                wish(
                    "certificate", "issue_certificate",
                    reservation_id=got("trip", "reservation_id"), cause=phrase("fault", "delayed"),
                ),
            ),
            "They do, and here is yours: {code}.",
            answers=(
                tell("code", "name", got("certificate", "certificate_id"), "certificates.certificate_id"),
            ),
            refers=(
                the_trip(
                    "My flight to Copenhagen tonight", "E797687",
                    leaves("Copenhagen", "2026-05-14"),
                ),
            ),
        ),
        Say(
            "Very good. Use it at once: Copenhagen to Oslo on 22 May, the first flight of the day, cheapest fare, one "
            "way.",
            (
                wallet(),
                search("oslo", said("Copenhagen", 1), said("Oslo", 1), date("22 May", 1)),
                wish(
                    "book", "book_reservation",
                    customer_id=got("customer", "customer_id"),
                    fare=phrase("fare", "cheapest fare", 1),
                    flight_id=least(bookable("oslo"), "departs_at", "flight_id"),
                    certificate_id=newest_certificate(),
                ),
            ),
            "You are booked to Oslo, and your card pays only {rest}.",
            confirm=(
                "I would book {book[flight_id]}, Copenhagen to Oslo on a basic fare, one way, and take certificate "
                "{book[certificate_id]}. Basic cannot be changed later. Do you want it?"
            ),
            answers=(
                tell(
                    "rest", "money",
                    derive("subtract", got("book", "paid_cents"), got("book", "by_certificate_cents")),
                ),
            ),
            refers=(
                the_flight(
                    "the first flight of the day", "Copenhagen", "Oslo", "date = '2026-05-22' AND economy_left > 0",
                    extreme="min(departs_at)",
                ),
                the_row(
                    "Use it", "certificates.certificate_id",
                    "certificates WHERE customer_id = 'E797687' AND balance_cents > 0 AND valid_until >= :today",
                ),
            ),
        ),
        Say(
            "One more: on the trip at the end of the month, the one for two, Edda would like one bag.",
            (
                reservation(only(_for_two(), "reservation_id"), "two"),
                wish(
                    "bag", "add_bags",
                    reservation_id=got("two", "reservation_id"),
                    passenger=only(where(got("two", "passengers"), ("name", "contains", said("Edda", 2))), "position"),
                    bags=number("one bag", 2),
                ),
            ),
            "Edda has her bag.",
            confirm="I would add 1 bag for Edda to {bag[reservation_id]}, free of charge. All right?",
            refers=(
                the_trip("the one for two", "E797687", "passengers = 2"),
            ),
        ),
        kinds=("action", "implicit", "question"),
        persona="Sees the good side of everything.",
    )  # fmt: skip


def _for_two() -> Derived:
    """The trip of the list that is for two."""
    return listed(("passengers", "==", number("two", 2)))


def _jamal_moves_out(author: Author) -> None:
    author.task(
        "jamal-moves-out", "E879133",
        Say(
            "Jamal Sullivan, E879133. I'm moving, so please change my e-mail to jamal.moves@example.org first.",
            (
                customer(said("E879133")),
                *identity(),
                wish(
                    "email", "update_contact",
                    customer_id=got("customer", "customer_id"), email=said("jamal.moves@example.org"),
                ),
            ),
            "Your e-mail address is changed.",
            instruct="Gladly. First please tell me the code in the text message that I have just sent to your phone.",
        ),
        Say(
            "Next, my holiday in Rome. What would I get back if I gave it up because something else came up? Only "
            "asking!",
            (
                trips(),
                call(
                    "quote", "quote_refund",
                    reservation_id=only(coming("Rome", turn=1), "reservation_id"),
                    reason=phrase("cancel_reason", "something else came up", 1),
                ),
            ),
            "You would get {refund} back.",
            answers=(tell("refund", "money", got("quote", "refund_cents"), "refunds.amount_cents"),),
        ),
        Say(
            "That's too little, I'd rather go. But four days later on the way there, on 27 May?",
            (
                reservation(only(coming("Rome", turn=1), "reservation_id")),
                search("later", only(coming("Rome", turn=1), "origin"), said("Rome", 1), date("27 May", 2)),
                wish(
                    "change", "change_flight",
                    reservation_id=got("trip", "reservation_id"),
                    flight_id=segment(1, "flight_id"),
                    new_flight_id=only(bookable("later"), "flight_id"),
                ),
            ),
            "You leave on 27 May now. Arrivederci!",
            confirm=(
                "On {change[reservation_id]} I would replace {change[flight_id]} by {change[new_flight_id]}, for a "
                "change fee of $75 and the difference in price. Do you agree?"
            ),
        ),
        kinds=("action", "user tool", "question", "implicit"),
    )  # fmt: skip
