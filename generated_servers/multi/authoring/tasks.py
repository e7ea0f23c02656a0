"""Writes `tasks.jsonl`: tasks of people who fly with the airline and keep their deals in the CRM.

In most of them something found in one environment is needed in the other: the day of a flight for an
entry in the CRM, an address of the CRM for the airline. Who asks, and about what, is chosen from the
members' own data, in a fixed order; gold comes from carrying the goal out. Nothing is written
unless every task is certified in every form.

Run from the root of the checkout: `python -m generated_servers.multi.authoring.tasks`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from envfactory_gym.environment import Bundle, EnvFactoryError, Setup, TaskPrivate, load_bundle
from envfactory_gym.environment.task import RowPatch, Split
from envfactory_gym.verify.certificate import certify
from envfactory_gym.verify.replay import forms
from envfactory_gym.verify.report import task_line

from .author import Author, Say
from .words import (
    NUMBER,
    call,
    date,
    deal,
    got,
    of_deal,
    only,
    phrase,
    said,
    slot,
    tell,
    the_deal,
    the_trip,
    trip_to,
    trips,
    wish,
)

FOLDER = Path(__file__).resolve().parents[1]
TRAIN_AND_TEST: tuple[Split, ...] = ("train", "test")


def activities(author: Author) -> None:
    """The day of a flight goes into the CRM."""
    for number, split in enumerate(TRAIN_AND_TEST, start=1):
        one, work = next(author.travellers["flex"]), next(author.deals)
        city, title = one["destination"], f"Visit in {one['destination']}"
        author.add(
            f"flight-into-the-crm-{number}", one, split,
            Say(
                f'I am flying to {city} for our deal "{work["title"]}". Could you put a meeting called "{title}" on '
                "that deal in the CRM, dated the day I leave?",
                (
                    *trips(slot(NUMBER)),
                    deal(work["title"]),
                    wish(
                        "visit", "crm__create_activity",
                        type=phrase("crm__activities_type", "meeting"), title=said(title),
                        opportunity_id=of_deal("id"), activity_date=trip_to(city, "departure_date"),
                    ),
                ),
                "The meeting is in the CRM, on the day of your flight.",
                asks=True,
                refers=(the_deal(work["title"]),),
            ),
            kinds=("action",),
        )  # fmt: skip


def cancellations(author: Author) -> None:
    """A deal is off, and so is the trip."""
    splits: tuple[tuple[str, Split], ...] = (("standard", "train"), ("flex", "dev"))
    for number, (fare, split) in enumerate(splits, start=1):
        one, work = next(author.travellers[fare]), next(author.deals)
        city = one["destination"]
        author.add(
            f"deal-off-trip-off-{number}", one, split,
            Say(
                f"{one['customer_id']} here. My plans changed, so please cancel my trip to {city}, and leave a note "
                f'titled "Trip to {city} cancelled" at the opportunity "{work["title"]}". How much do I get back?',
                (
                    *trips(said(one["customer_id"])),
                    deal(work["title"]),
                    wish(
                        "cancel", "airline__cancel_reservation",
                        reservation_id=trip_to(city, "reservation_id"),
                        reason=phrase("airline__cancel_reason", "My plans changed"),
                    ),
                    wish(
                        "note", "crm__create_note",
                        title=said(f"Trip to {city} cancelled"), opportunity_id=of_deal("id"),
                    ),
                ),
                "The trip is cancelled, {refund} goes back to your card, and the note is at the opportunity.",
                confirm=(
                    "That is reservation {cancel[reservation_id]}. I would cancel all of it because your plans "
                    "changed. Shall I go ahead?"
                ),
                answers=(tell("refund", "money", got("cancel", "refund_cents"), "airline__payments.amount_cents"),),
                refers=(the_trip(f"my trip to {city}", one), the_deal(work["title"])),
            ),
            kinds=("action", "question"),
        )  # fmt: skip


def questions(author: Author) -> None:
    """Something of each is asked, and then something done about it."""
    for number, split in enumerate(TRAIN_AND_TEST, start=1):
        one, work = next(author.travellers["standard"]), next(author.deals)
        city = one["destination"]
        author.add(
            f"paid-and-closing-{number}", one, split,
            Say(
                f"My customer number with the airline is {one['customer_id']}. What did I pay for my trip to {city}, "
                f'and on what date does the opportunity "{work["title"]}" close?',
                (*trips(said(one["customer_id"])), deal(work["title"])),
                "You paid {price}; the opportunity closes on {close date}.",
                answers=(
                    tell("price", "money", trip_to(city, "paid_cents"), "airline__reservations.paid_cents"),
                    tell("close date", "date", of_deal("close_date"), "crm__opportunities.close_date"),
                ),
                refers=(the_trip(f"my trip to {city}", one), the_deal(work["title"])),
            ),
            Say(
                "Then move that close date to the day of my flight, please.",
                (
                    wish(
                        "move", "crm__update_opportunity",
                        opportunity_id=of_deal("id"), close_date=trip_to(city, "departure_date"),
                    ),
                ),
                "It closes on the day you fly now.",
            ),
            kinds=("question", "action"),
        )  # fmt: skip


def contacts(author: Author) -> None:
    """An address of the CRM becomes the one that the airline has on file."""
    one, person = next(author.travellers["flex"]), next(author.people)
    author.add(
        "address-from-the-crm", one, "train",
        Say(
            f"{one['customer_id']} here. From now on {person['name']} looks after my travel. Please have the airline "
            "write to the e-mail address that the CRM has for that contact.",
            (
                call("customer", "airline__find_customer", identifier=said(one["customer_id"])),
                call("contacts", "crm__list_contacts", name=said(person["name"])),
                call("send", "airline__send_verification_code", customer_id=got("customer", "customer_id")),
                call("read", "airline__read_verification_code", customer_id=slot(NUMBER)),
                call(
                    "verify", "airline__verify_identity",
                    customer_id=got("customer", "customer_id"), code=got("read", "code"),
                ),
                wish(
                    "update", "airline__update_contact",
                    customer_id=got("customer", "customer_id"),
                    email=only(only(got("contacts", "contacts"), "emails"), "email"),
                ),
            ),
            "The airline writes to that address from now on.",
        ),
        kinds=("action", "dual control"),
    )  # fmt: skip


def refusals(author: Author) -> None:
    """The same words on both sides of the airline's rule for basic fares; the CRM's part is done in both."""
    one, work = next(row for row in author.travellers["basic"] if author.is_final(row)), next(author.deals)
    city, key = one["destination"], {"reservation_id": one["reservation_id"]}
    request = (
        f"I am {one['customer_id']}. My plans changed: please cancel my trip to {city}, and move the close date of "
        f'the opportunity "{work["title"]}" to 18 June 2026.'
    )
    move = wish("move", "crm__update_opportunity", opportunity_id=of_deal("id"), close_date=date("18 June 2026"))
    cancel = wish(
        "cancel", "airline__cancel_reservation",
        reservation_id=trip_to(city, "reservation_id"), reason=phrase("airline__cancel_reason", "My plans changed"),
    )  # fmt: skip
    look = (*trips(said(one["customer_id"])), deal(work["title"]))
    trip = call("trip", "airline__get_reservation", reservation_id=trip_to(city, "reservation_id"))
    author.add(
        "basic-trip-stays", one, "test",
        Say(
            request, (*look, trip, move),
            "The close date is moved. A basic reservation cannot be cancelled, so the trip stays as it is.",
            decline="airline/basic-final", refers=(the_trip(f"my trip to {city}", one), the_deal(work["title"])),
        ),
        kinds=("refusal", "action"), twin="flex-trip-goes",
    )  # fmt: skip
    author.add(
        "flex-trip-goes", one, "test",
        Say(
            request, (*look, cancel, move), "The trip is cancelled, and the close date is moved.",
            confirm="I would cancel reservation {cancel[reservation_id]} because your plans changed. Is that right?",
            refers=(the_trip(f"my trip to {city}", one), the_deal(work["title"])),
        ),
        kinds=("action",), twin="basic-trip-stays",
        setup=Setup(rows=(RowPatch(table="airline__reservations", key=key, values={"fare": "flex"}),)),
    )  # fmt: skip


def written(bundle: Bundle) -> list[TaskPrivate]:
    """The tasks, in the order in which they are written."""
    author = Author(bundle)
    for part in (activities, cancellations, questions, contacts, refusals):
        part(author)
    return author.tasks


def failures(bundle: Bundle, tasks: Sequence[TaskPrivate]) -> Iterator[str]:
    """What keeps tasks from being certified."""
    for task in tasks:
        for form in forms(task):
            for row in certify(bundle, task, form).findings:
                if not row.passed:
                    yield f"{task.id} ({form}), {row.check}: {'; '.join(row.evidence)}"


def main() -> None:
    """Write the file, if every task is certified.

    Raises:
        EnvFactoryError: A task is not; the message says which and why.
    """
    bundle = load_bundle(["airline", "crm"], folder=FOLDER)
    tasks = written(bundle)
    if problems := list(failures(bundle, tasks)):
        raise EnvFactoryError("nothing is written:\n" + "\n".join(problems))
    text = "".join(map(task_line, tasks))
    (FOLDER / "tasks.jsonl").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
