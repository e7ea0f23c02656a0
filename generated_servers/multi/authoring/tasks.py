"""Writes `tasks.jsonl`: tasks of people who fly with the airline and keep their deals in the CRM.

In most of them something found in one environment is needed in the other: the day of a flight for an
entry in the CRM, an address of the CRM for the airline. Who asks, and about what, is chosen from the
members' own data, in a fixed order; gold comes from carrying the goal out. Nothing is written
unless every task is certified in every form.

Run from the root of the checkout: `python -m generated_servers.multi.authoring.tasks`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from envfactory_gym.environment import Bundle, EnvFactoryError, TaskPrivate, ToolError, load_bundle
from envfactory_gym.environment.task import (
    Derived,
    GoalCall,
    GoldStep,
    Referent,
    Setup,
    Slot,
    Source,
    Split,
    Turn,
    User,
)
from envfactory_gym.verify.certificate import certify
from envfactory_gym.verify.replay import forms
from envfactory_gym.verify.report import task_line
from envfactory_gym.world import Template
from generated_servers.airline.authoring.author import Author, Say, patched, tell
from generated_servers.airline.authoring.plan import call, date, got, only, phrase, said, slot, where, wish

FOLDER = Path(__file__).resolve().parents[1]

TRAIN_AND_TEST: tuple[Split, ...] = ("train", "test")
NUMBER = "airline__customer_id"
ASK_NUMBER = (NUMBER, "Gladly. Could you tell me your customer number with Everfield Air, please?")


class SpanningAuthor(Author):
    """Collects tasks for a bundle.

    Attributes:
        travellers: Customers with one trip to a city, which is still to come, by fare; each customer once.
        deals: Opportunities with a close date, a title and an amount of their own.
        people: Contacts with an e-mail address.
    """

    def __init__(self, bundle: Bundle) -> None:
        self.package = self.bundle = bundle
        self.template = Template.of(bundle)
        self.tasks: list[TaskPrivate] = []
        world = self.template.acquire()
        travellers = world.rows(
            """SELECT t.customer_id, first_name, last_name, reservation_id, fare, destination, departure_date
               FROM airline__trips t JOIN airline__customers c USING (customer_id)
               WHERE t.status = 'confirmed' AND departs_at > :now AND passengers = 1
                 AND (SELECT count(*) FROM airline__trips o WHERE o.customer_id = t.customer_id) <= 5
                 AND (SELECT count(*) FROM airline__trips o
                      WHERE o.customer_id = t.customer_id AND o.destination = t.destination) = 1
               ORDER BY customer_id, reservation_id"""
        )
        travellers = list({row["customer_id"]: row for row in reversed(travellers)}.values())[::-1]
        self.travellers = {
            fare: iter([row for row in travellers if row["fare"] == fare]) for fare in ("basic", "standard", "flex")
        }
        self.deals = iter(
            world.rows("SELECT id, title, close_date FROM crm__opportunities WHERE close_date IS NOT NULL ORDER BY id")
        )
        self.people = iter(
            world.rows(
                """SELECT name, json_extract(emails, '$[0].email') AS email FROM crm__contacts
                   WHERE json_array_length(emails) = 1 ORDER BY id"""
            )
        )
        self.template.release(world)

    def is_final(self, traveller: dict[str, Any]) -> bool:
        """Whether a trip on a basic fare stays: booked a day ago or earlier, on flights that leave as they should."""
        trip = {"reservation_id": traveller["reservation_id"]}
        world = self.template.acquire()
        try:
            refund = json.loads(world.call("airline__quote_refund", {**trip, "reason": "change_of_plans"}))
            world.call("airline__quote_refund", {**trip, "reason": "schedule_change"})
        except ToolError as refusal:
            return refusal.reason == "airline/schedule-change" and refund["refund_cents"] == 0
        finally:
            self.template.release(world)
        return False

    def add(
        self,
        task_id: str,
        traveller: dict[str, Any],
        split: Split,
        *turns: Say,
        kinds: Sequence[str],
        setup: Setup | None = None,
        twin: str | None = None,
    ) -> None:
        """Add a task of a traveller, who knows the own customer number."""
        wording = self.package.language.slots[NUMBER]
        draft = TaskPrivate(
            id=task_id,
            environment=self.package.id,
            environments=self.bundle.members,
            split=split,
            seed=len(self.tasks) + 1,
            user=User(
                name=f"{traveller['first_name']} {traveller['last_name']}",
                persona="Sells for a living, and flies to do it.",
                slots=(Slot(name=NUMBER, value=traveller["customer_id"], say=wording.say),),
            ),
            setup=setup or Setup(),
            turns=tuple(
                Turn(request=turn.request, goal=turn.goal(), gold=(GoldStep(say="Done.", expect="ends"),))
                for turn in turns
            ),
            twin=twin,
            solo=not any(self.package.tools[made.tool].actor == "user" for turn in turns for made in turn.plan),
            kinds=("several environments", *kinds),
        )
        self.tasks.append(self._with_gold(draft, turns))


# ---------------------------------------------------------------- parts of plans


def trips(identifier: Source) -> tuple[GoalCall, GoalCall]:
    """Find the customer and list the trips."""
    return (
        call("customer", "airline__find_customer", identifier=identifier),
        call("trips", "airline__list_reservations", customer_id=got("customer", "customer_id")),
    )


def trip_to(city: str, path: str, turn: int = 0) -> Derived:
    """A field of the trip to the city that was said."""
    return only(where(got("trips", "reservations"), ("destination", "==", said(city, turn))), path)


def deal(title: str, call_id: str = "deals") -> GoalCall:
    """Find an opportunity by its title."""
    return call(call_id, "crm__list_opportunities", title=said(title))


def of_deal(path: str) -> Derived:
    """A field of the opportunity that was found."""
    return only(got("deals", "opportunities"), path)


def the_trip(words: str, traveller: dict[str, Any]) -> Referent:
    """A phrase for the traveller's trip."""
    sql = (
        f"SELECT reservation_id FROM airline__trips WHERE customer_id = '{traveller['customer_id']}' "
        f"AND destination = '{traveller['destination']}' AND status = 'confirmed'"
    )
    return Referent(phrase=words, sql=sql, column="airline__reservations.reservation_id")


def the_deal(title: str) -> Referent:
    """A title for the one opportunity that has it."""
    sql = f"SELECT id FROM crm__opportunities WHERE title = '{title}'"
    return Referent(phrase=f'"{title}"', sql=sql, column="crm__opportunities.id")


# ---------------------------------------------------------------- the tasks


def activities(author: SpanningAuthor) -> None:
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
                asks=ASK_NUMBER,
                refers=(the_deal(work["title"]),),
            ),
            kinds=("action",),
        )  # fmt: skip


def cancellations(author: SpanningAuthor) -> None:
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


def questions(author: SpanningAuthor) -> None:
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


def contacts(author: SpanningAuthor) -> None:
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


def refusals(author: SpanningAuthor) -> None:
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
        setup=patched(("airline__reservations", key, {"fare": "flex"})),
    )  # fmt: skip


def written(bundle: Bundle) -> list[TaskPrivate]:
    """The tasks, in the order in which they are written."""
    author = SpanningAuthor(bundle)
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
