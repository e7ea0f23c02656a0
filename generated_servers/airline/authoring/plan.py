"""Small words for plans: where each argument of a task's goal comes from.

They build the source expressions of `envfactory_gym.environment.task`, so that a task reads like the
reasoning of somebody who solves it: of the coming trips to the city that was said, the cheapest one.
"""

from __future__ import annotations

from typing import Any

from envfactory_gym.environment.task import (
    Answered,
    Clock,
    Derived,
    GoalCall,
    Operation,
    Referent,
    Result,
    Said,
    Source,
)


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


def date(span: str, turn: int = 0) -> Derived:
    """A date as the user says it."""
    return derive("date", said(span, turn))


def number(span: str, turn: int = 0) -> Derived:
    """A number as the user says it."""
    return derive("number", said(span, turn))


def phrase(table: str, span: str, turn: int = 0) -> Derived:
    """A value of an enum as the user says it."""
    return derive("phrase", said(span, turn), table=table)


def where(items: Source, *conditions: tuple[str, str, Any]) -> Derived:
    """The items of a list that fulfil all conditions (path, comparison, value or source)."""
    sources: list[Source] = [items]
    tests: list[list[Any]] = []
    for path, comparison, value in conditions:
        if isinstance(value, Said | Answered | Result | Derived | Clock):
            sources.append(value)
            value = {"source": len(sources) - 1}
        tests.append([path, comparison, value])
    return derive("filter", *sources, where=tests)


def only(items: Source, path: str) -> Derived:
    """A field of the first item of a list."""
    return derive("field", derive("first", items), path=path)


def least(items: Source, by: str, path: str) -> Derived:
    """A field of the item with the smallest value at `by`."""
    return derive("field", derive("arg_min", items, by=by), path=path)


def most(items: Source, by: str, path: str) -> Derived:
    """A field of the item with the largest value at `by`."""
    return derive("field", derive("arg_max", items, by=by), path=path)


# ---------------------------------------------------------------- calls of the airline


def call(call_id: str, tool: str, **arguments: Source) -> GoalCall:
    """A look-up of the plan."""
    return GoalCall(id=call_id, tool=tool, arguments=arguments)


def wish(call_id: str, tool: str, **arguments: Source) -> GoalCall:
    """Something the user asked for."""
    return GoalCall(id=call_id, tool=tool, arguments=arguments, wish=True)


def customer(identifier: Source) -> GoalCall:
    """Find the customer."""
    return call("customer", "find_customer", identifier=identifier)


def identity() -> tuple[GoalCall, ...]:
    """Send a code, have it read out, check it."""
    number = got("customer", "customer_id")
    return (
        call("send", "send_verification_code", customer_id=number),
        call("read", "read_verification_code", customer_id=slot("customer_id")),
        call("verify", "verify_identity", customer_id=number, code=got("read", "code")),
    )


def asked_customer() -> GoalCall:
    """Find the customer by the number that was asked for."""
    return customer(slot("customer_id"))


def trips() -> GoalCall:
    """List the customer's trips."""
    return call("trips", "list_reservations", customer_id=got("customer", "customer_id"))


def reservation(reservation_id: Source, call_id: str = "trip") -> GoalCall:
    """Look at one reservation."""
    return call(call_id, "get_reservation", reservation_id=reservation_id)


def wallet() -> GoalCall:
    """Look at points, cards and certificates."""
    return call("wallet", "get_wallet", customer_id=got("customer", "customer_id"))


def valid(*conditions: tuple[str, str, Any]) -> Derived:
    """Certificates that can still pay."""
    usable = (("balance_cents", ">", 0), ("valid_until", ">=", Clock(part="today")))
    return where(got("wallet", "certificates"), *usable, *conditions)


def newest_certificate() -> Derived:
    """The certificate that was given last."""
    return derive("field", derive("last", got("wallet", "certificates")), path="certificate_id")


def search(call_id: str, origin: Source, destination: Source, day: Source, last: Source | None = None) -> GoalCall:
    """Search the flights of one day, or of all days up to a last one."""
    until = {"to_date": last} if last else {}
    return call(call_id, "search_flights", origin=origin, destination=destination, from_date=day, **until)


def listed(*conditions: tuple[str, str, Any]) -> Derived:
    """Confirmed trips of the list that fulfil the conditions."""
    return where(got("trips", "reservations"), ("status", "==", "confirmed"), *conditions)


def coming(city: str, *conditions: tuple[str, str, Any], turn: int = 0) -> Derived:
    """Confirmed trips to the city that was said which have not left yet."""
    return listed(("destination", "==", said(city, turn)), ("departs_at", ">", Clock()), *conditions)


def leaving(city: str, day: str, turn: int = 0) -> Derived:
    """Confirmed trips to the city that leave on the day that was said."""
    return coming(city, ("departure_date", "==", date(day, turn)), turn=turn)


def left_on(day: str, turn: int = 0) -> Derived:
    """Confirmed trips that leave, or left, on the day that was said."""
    return listed(("departure_date", "==", date(day, turn)))


def segment(position: int, path: str, call_id: str = "trip") -> Derived:
    """A field of the flight out (1) or back (2) of a reservation that was looked at."""
    return only(where(got(call_id, "segments"), ("position", "==", position)), path)


def bookable(call_id: str, cabin: str = "economy", seats: int = 1) -> Derived:
    """Flights of a search that still take so many passengers in a cabin."""
    return where(got(call_id, "flights"), ("status", "==", "scheduled"), (f"seats_left.{cabin}", ">=", seats))


# ---------------------------------------------------------------- what a phrase refers to


def the_trip(words: str, customer_id: str, condition: str) -> Referent:
    """A phrase for the one coming trip of a customer that fulfils an SQL condition."""
    sql = (
        f"SELECT reservation_id FROM trips WHERE customer_id = '{customer_id}' AND status = 'confirmed' AND "
        f"departs_at > :now AND {condition}"
    )
    return Referent(phrase=words, sql=sql, column="reservations.reservation_id")


def the_row(words: str, column: str, source: str) -> Referent:
    """A phrase for the one row that the rest of a query (FROM ... WHERE ...) finds."""
    return Referent(phrase=words, sql=f"SELECT {column.partition('.')[2]} FROM {source}", column=column)


def the_flight(words: str, origin: str, destination: str, condition: str, *, extreme: str | None = None) -> Referent:
    """A phrase for the one flight between two cities that can be booked, fulfils a condition, and has an extreme."""
    route = (
        f"FROM flight_offers WHERE origin_city = '{origin}' AND destination_city = '{destination}' AND "
        f"status = 'scheduled' AND departs_at > :now AND {condition}"
    )
    best = f" AND {extreme[4:-1]} = (SELECT {extreme} {route})" if extreme else ""
    return Referent(phrase=words, sql=f"SELECT flight_id {route}{best}", column="flights.flight_id")


def leaves(city: str, day: str) -> str:
    """The SQL condition for a trip to a city that leaves on a day."""
    return f"destination = '{city}' AND departure_date = '{day}'"


def the_extreme_trip(words: str, customer_id: str, city: str, extreme: str) -> Referent:
    """A phrase for the coming trip to a city with an extreme, such as `min(paid_cents)`."""
    column = extreme[4:-1]
    best = (
        f"SELECT {extreme} FROM trips WHERE customer_id = '{customer_id}' AND status = 'confirmed' AND departs_at > "
        f":now AND destination = '{city}'"
    )
    return the_trip(words, customer_id, f"destination = '{city}' AND {column} = ({best})")
