"""Tasks about what the airline is to blame for: late flights and bags that went wrong."""

from __future__ import annotations

from envfactory_gym.environment.task import GoalCall, Referent, Source

from .author import ASK_NUMBER, Author, Say, patched, tell
from .plan import (
    asked_customer,
    customer,
    date,
    got,
    leaves,
    leaving,
    left_on,
    listed,
    only,
    phrase,
    reservation,
    said,
    segment,
    the_row,
    trips,
    wallet,
    where,
    wish,
)

CODE = tell("code", "name", got("certificate", "certificate_id"), "certificates.certificate_id")


def write(author: Author) -> None:
    """Add the tasks."""
    _bags(author)
    _certificates(author)
    _member_on_standard(author)
    _compensated_before(author)
    _reported_too_late(author)


def report(trip: Source, position: int, passenger: Source, problem: str) -> tuple[GoalCall, ...]:
    """Look at a trip and report a bag on its flight out (1) or back (2)."""
    return (
        reservation(trip),
        wish(
            "report", "report_bag",
            reservation_id=got("trip", "reservation_id"),
            flight_id=segment(position, "flight_id"),
            passenger=passenger,
            problem=phrase("bag_problem", problem),
        ),
    )  # fmt: skip


def flown(words: str, customer_id: str, condition: str) -> Referent:
    """A phrase for a trip that has begun."""
    return the_row(words, "reservations.reservation_id", f"trips WHERE customer_id = '{customer_id}' AND {condition}")


def _bags(author: Author) -> None:
    author.task(
        "smashed-in-copenhagen", "E856407",
        Say(
            "Réka Nagy, E856407. When I picked up my suitcase in Copenhagen on 7 May it was completely smashed. I want "
            "this on record.",
            (
                customer(said("E856407")),
                trips(),
                *report(only(left_on("7 May"), "reservation_id"), 1, _named("Réka"), "smashed"),
            ),
            "I am sorry about your suitcase. The damage is on record now.",
            refers=(flown("in Copenhagen on 7 May", "E856407", "departure_date = '2026-05-07'"),),
        ),
        kinds=("action", "implicit"),
        persona="Angry, but polite about it.",
    )  # fmt: skip
    author.task(
        "bag-not-home-yet", "E761263",
        Say(
            "Good morning, this is Matteo Greco. I came home to Milan on 10 May and my bag never came. Would you look "
            "into it?",
            (
                asked_customer(),
                trips(),
                *report(
                    only(listed(("return_date", "==", date("10 May"))), "reservation_id"), 2, _named("Matteo"),
                    "never came",
                ),
            ),
            "I have reported your bag as delayed; the search has begun.",
            asks=ASK_NUMBER,
            refers=(flown("home to Milan on 10 May", "E761263", "return_date = '2026-05-10'"),),
        ),
        kinds=("action", "implicit"),
    )  # fmt: skip
    author.task(
        "imogens-torn-bag", "E804599",
        Say(
            "hi its imogen clarke, E804599. barcelona on the 10th of May: my bag has a great big hole, the side is all "
            "torn. can u note that down pls",
            (
                customer(said("E804599")),
                trips(),
                *report(only(left_on("10th of May"), "reservation_id"), 1, _named("imogen"), "torn"),
            ),
            "Noted: one torn bag on your flight to Barcelona. Sorry about that!",
            refers=(flown("barcelona on the 10th of May", "E804599", "departure_date = '2026-05-10'"),),
        ),
        kinds=("action", "implicit"),
        persona="Texts rather than writes.",
    )  # fmt: skip
    author.task(
        "bags-of-two-children", "E148516",
        Say(
            "We flew home from Zurich on 14 May, my two and I, and what a morning: Imogen's case is missing and "
            "Callum's is all cracked. Please write down both. Priya Shaw, E148516.",
            (
                customer(said("E148516")),
                trips(),
                *report(
                    only(listed(("return_date", "==", date("14 May"))), "reservation_id"), 2, _named("Imogen"),
                    "missing",
                ),
                wish(
                    "second", "report_bag",
                    reservation_id=got("trip", "reservation_id"),
                    flight_id=segment(2, "flight_id"),
                    passenger=_named("Callum"),
                    problem=phrase("bag_problem", "cracked"),
                ),
            ),
            "Both are written down: Imogen's case as delayed, Callum's as damaged.",
            refers=(flown("home from Zurich on 14 May", "E148516", "return_date = '2026-05-14'"),),
        ),
        kinds=("action", "implicit"),
    )  # fmt: skip


def _named(name: str) -> Source:
    return only(where(got("trip", "passengers"), ("name", "contains", said(name))), "position")


def _give(trip: Source, words: str) -> GoalCall:
    return wish("certificate", "issue_certificate", reservation_id=trip, cause=phrase("fault", words))


def _certificates(author: Author) -> None:
    trip = only(left_on("13 May"), "reservation_id")
    author.task(
        "edinburgh-never-left", "E489966",
        Say(
            "You owe me something. The flight from Edinburgh on 13 May never left and I missed a dinner. Harry "
            "Okafor, E489966. I believe there is a certificate for that.",
            (customer(said("E489966")), trips(), reservation(trip), _give(trip, "never left")),
            "I am sorry about the dinner. There is, and the code of yours is {code}.",
            answers=(CODE,),
            refers=(flown("The flight from Edinburgh on 13 May", "E489966", "departure_date = '2026-05-13'"),),
        ),
        kinds=("action", "implicit", "question"),
        persona="Short of patience.",
    )  # fmt: skip
    author.task(
        "prague-compensation", "E231948",
        Say(
            "Dobrý den. My plane from Prague on 11 May was badly delayed. My colleagues tell me that there is a "
            "certificate for this. May I have it? Veronika Novák, E231948",
            (
                customer(said("E231948")),
                trips(),
                reservation(only(left_on("11 May"), "reservation_id")),
                _give(got("trip", "reservation_id"), "delayed"),
            ),
            "Of course. You have a certificate with the code {code}, good for a year.",
            answers=(CODE,),
            refers=(flown("from Prague on 11 May", "E231948", "departure_date = '2026-05-11'"),),
        ),
        kinds=("action", "implicit", "question"),
    )  # fmt: skip


def _member_on_standard(author: Author) -> None:
    words = (
        "Bonjour, Léa Mercier. I see that my flight to Copenhagen on 17 May has a big delay. I'd like a certificate "
        "for the trouble, please."
    )
    trip = only(leaving("Copenhagen", "17 May"), "reservation_id")
    refers = (
        flown("my flight to Copenhagen on 17 May", "E368130", leaves("Copenhagen", "2026-05-17")),
    )  # fmt: skip
    look = (asked_customer(), trips(), reservation(trip))
    author.pair(
        (
            "no-certificate-for-a-member", None,
            Say(
                words, look,
                "I am sorry for the delay. Certificates are for silver and gold customers and for flex and business "
                "fares, and your trip is a standard one of a member.",
                asks=ASK_NUMBER, decline="compensation", refers=refers,
            ),
        ),
        (
            "certificate-for-silver", patched(("loyalty", {"customer_id": "E368130"}, {"tier": "silver"})),
            Say(
                words, (*look, _give(trip, "delay")),
                "With pleasure: the code of your certificate is {code}.",
                asks=ASK_NUMBER, answers=(CODE,), refers=refers,
            ),
        ),
        "E368130",
        kinds=("implicit",),
    )  # fmt: skip


def _compensated_before(author: Author) -> None:
    words = (
        "Jonas Holm, E268655. About the trip to Rome on 8 May that began hours late: gold customers get a certificate "
        "for that, don't they? I'd like mine."
    )
    trip = only(left_on("8 May"), "reservation_id")
    refers = (flown("the trip to Rome on 8 May", "E268655", "departure_date = '2026-05-08'"),)
    look = (customer(said("E268655")), trips(), reservation(trip), wallet())
    author.pair(
        (
            "compensated-before", None,
            Say(
                words, look,
                "They do, but for that trip you have had yours already: it is given once per reservation.",
                decline="compensation", refers=refers,
            ),
        ),
        (
            "not-compensated-yet", patched(("certificates", {"certificate_id": "BCQCZ9KX"}, None)),
            Say(
                words, (*look, _give(trip, "hours late")),
                "They do indeed. Yours has the code {code}.",
                answers=(CODE,), refers=refers,
            ),
        ),
        "E268655",
        kinds=("implicit",),
    )  # fmt: skip


def _reported_too_late(author: Author) -> None:
    words = (
        "When I got to London on 8 May my suitcase had a wheel missing. I was too busy to write before. Can this still "
        "be reported? If so, please do. Mathieu Laurent, E755629."
    )
    refers = (flown("London on 8 May", "E755629", "departure_date = '2026-05-08'"),)
    trip = only(left_on("8 May"), "reservation_id")
    look = (customer(said("E755629")), trips())
    made = report(trip, 1, _named("Mathieu"), "a wheel missing")
    author.pair(
        (
            "suitcase-reported-too-late", patched(now="2026-05-16T09:00:00Z"),
            Say(
                words, (*look, reservation(trip)),
                "I am sorry, damage has to be reported within 7 days after landing, and those are over.",
                decline="bag-claims", refers=refers,
            ),
        ),
        (
            "suitcase-reported-in-time", None,
            Say(words, (*look, *made), "It can, and now it is: the damage is on record.", refers=refers),
        ),
        "E755629",
        kinds=("implicit",),
    )  # fmt: skip
