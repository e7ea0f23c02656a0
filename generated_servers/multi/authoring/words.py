"""Small words for plans: where each argument of a task's goal comes from, and what phrases refer to."""

from __future__ import annotations

from typing import Any

from envfactory_gym.environment.task import (
    Answer,
    Answered,
    AnswerKind,
    Derived,
    GoalCall,
    Operation,
    Referent,
    Result,
    Said,
    Source,
)

Row = dict[str, Any]

NUMBER = "airline__customer_id"
"""The slot that every traveller knows."""


def said(span: str, turn: int = 0) -> Said:
    """Words of a request."""
    return Said(turn=turn, span=span)


def slot(name: str) -> Answered:
    """What the user tells when asked."""
    return Answered(slot=name)


def got(call_id: str, path: str = "") -> Result:
    """Part of an earlier result."""
    return Result(call=call_id, path=path)


def derive(op: Operation, *sources: Source, **options: Any) -> Derived:
    """A derivation of the closed list."""
    return Derived(op=op, sources=sources, options=options)


def date(span: str) -> Derived:
    """A date as the user says it."""
    return derive("date", said(span))


def phrase(table: str, span: str) -> Derived:
    """A value of an enum as the user says it."""
    return derive("phrase", said(span), table=table)


def only(items: Source, path: str) -> Derived:
    """A field of the first item of a list."""
    return derive("field", derive("first", items), path=path)


def call(call_id: str, tool: str, **arguments: Source) -> GoalCall:
    """A look-up of the plan."""
    return GoalCall(id=call_id, tool=tool, arguments=arguments)


def wish(call_id: str, tool: str, **arguments: Source) -> GoalCall:
    """Something the user asked for."""
    return GoalCall(id=call_id, tool=tool, arguments=arguments, wish=True)


def tell(subject: str, kind: AnswerKind, source: Source, column: str) -> Answer:
    """Something the agent has to tell; money is in US cents."""
    return Answer(subject=subject, kind=kind, source=source, column=column, currency="USD" if kind == "money" else None)


# ---------------------------------------------------------------- of the airline and the CRM


def trips(identifier: Source) -> tuple[GoalCall, GoalCall]:
    """Find the customer and list the trips."""
    return (
        call("customer", "airline__find_customer", identifier=identifier),
        call("trips", "airline__list_reservations", customer_id=got("customer", "customer_id")),
    )


def trip_to(city: str, path: str) -> Derived:
    """A field of the trip to the city that was said."""
    to_city = [["destination", "==", {"source": 1}]]
    return only(derive("filter", got("trips", "reservations"), said(city), where=to_city), path)


def deal(title: str) -> GoalCall:
    """Find an opportunity by its title."""
    return call("deals", "crm__list_opportunities", title=said(title))


def of_deal(path: str) -> Derived:
    """A field of the opportunity that was found."""
    return only(got("deals", "opportunities"), path)


def the_trip(words: str, traveller: Row) -> Referent:
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
