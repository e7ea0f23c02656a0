"""Field types and small rules that most services have: days, money, pages, people's names, states.

For the `server.py` of an environment, beside `Environment`, `Ref`, `ToolError` and `World`:

    from envfactory_gym.fields import Cents, Day, Page, Paged, Transitions, found, paged

Types validate before a tool runs, and explain themselves to the agent. Functions are pure: the time comes from
the world. Money is a whole number of cents everywhere; no amount is a floating-point number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import AfterValidator, Field
from typing_extensions import TypedDict

from .environment.errors import ToolError

if TYPE_CHECKING:
    from .world import World

__all__ = [
    "Cents",
    "Day",
    "Email",
    "LocalTime",
    "Moment",
    "Month",
    "Page",
    "Paged",
    "PersonName",
    "Phone",
    "PositiveCents",
    "Transitions",
    "check_span",
    "days_between",
    "dollars",
    "found",
    "later",
    "local",
    "minutes_between",
    "paged",
    "percentage",
    "shares",
    "utc",
    "weekday",
]

PAGE_SIZE = 20
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_STAMP = "%Y-%m-%dT%H:%M:%SZ"


def _real_day(text: str) -> str:
    try:
        date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{text} is not a day of the calendar") from None
    return text


def _real_moment(text: str) -> str:
    try:
        datetime.strptime(text, _STAMP)
    except ValueError:
        raise ValueError(f"{text} is not a moment") from None
    return text


def _lower(text: str) -> str:
    return text.lower()


Day = Annotated[
    str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$", description='Day, such as "2026-05-21".'), AfterValidator(_real_day)
]
"""A day of the calendar; 30 February is refused."""

Moment = Annotated[
    str,
    Field(pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$", description='UTC, such as "2026-05-21T18:30:00Z".'),
    AfterValidator(_real_moment),
]
"""A moment in UTC, to the second."""

LocalTime = Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$", description='Local time, such as "18:30".')]
"""A time of the day, where the place says in which zone."""

Month = Annotated[str, Field(pattern=r"^\d{4}-(0[1-9]|1[0-2])$", description='Month, such as "2026-05".')]
"""A month of a year."""

Cents = Annotated[int, Field(ge=0, le=100_000_000_00, description="US cents.")]
"""An amount of money, 0 included."""

PositiveCents = Annotated[int, Field(ge=1, le=100_000_000_00, description="US cents, more than 0.")]
"""An amount of money that has to be something."""

Email = Annotated[str, Field(max_length=120, pattern=r"^[^@\s]+@[^@\s]+\.[^@\s]+$"), AfterValidator(_lower)]
"""An e-mail address, in small letters after validation."""

Phone = Annotated[str, Field(max_length=24, pattern=r"^\+[0-9][0-9 ]{6,}$", description="Number with country code.")]
"""A telephone number with its country code; spaces are allowed."""

PersonName = Annotated[str, Field(max_length=80, pattern=r"^\S+( \S+)+$", description="Given and family name.")]
"""A name of two parts or more."""

Page = Annotated[int, Field(ge=1, le=1000, description="Page, from 1.")]
"""Which page of a list."""


class Paged(TypedDict):
    """Where a page stands among all: base of the result types of lists."""

    total: int
    page: int
    pages: int


def paged(
    world: World, sql: str, page: int = 1, size: int = PAGE_SIZE, **named: Any
) -> tuple[list[dict[str, Any]], Paged]:
    """One page of a query's rows, and where it stands among all.

    Args:
        world: The world.
        sql: A query with `ORDER BY` and named parameters, without `LIMIT`.
        page: Which page, from 1; one behind the last is empty.
        size: Rows of a page.
        **named: The query's parameters.
    """
    total = world.value(f"SELECT count(*) FROM ({sql})", **named)
    rows = world.all(f"{sql} LIMIT :_size OFFSET :_skip", **named, _size=size, _skip=(page - 1) * size)
    return rows, {"total": total, "page": page, "pages": max(1, -(-total // size))}


def found(row: Any, what: str, field: str) -> Any:
    """The row (or value) that a query gave.

    Raises:
        ToolError: `not_found`, if it is None.
    """
    if row is None:
        raise ToolError("not_found", f"No {what}.", field=field)
    return row


class Transitions:
    """A state machine: which state may follow which.

    >>> ORDERS = Transitions("order", placed=("paid", "cancelled"), paid=(), cancelled=())
    >>> ORDERS.allows("placed", "paid")
    True
    """

    def __init__(self, what: str, **following: Sequence[str]) -> None:
        """Take the name of the thing, and for every state those that may follow.

        Raises:
            ValueError: If a state follows that has no entry of its own.
        """
        unknown = sorted({state for states in following.values() for state in states} - set(following))
        if unknown:
            raise ValueError(f"{what}: {', '.join(unknown)} can be reached, but is no state")
        self._what = what
        self._following: Mapping[str, tuple[str, ...]] = {state: tuple(after) for state, after in following.items()}

    def allows(self, now: str, wanted: str) -> bool:
        """Whether `wanted` may follow `now`."""
        return wanted in self._following[now]

    def check(self, now: str, wanted: str, field: str, reason: str | None = None) -> None:
        """Let a change pass, or say why not and what would be possible.

        Raises:
            ToolError: `conflict`, with `reason`, or else the present state.
        """
        if not self.allows(now, wanted):
            after = self._following[now]
            possible = f"from there it can become {' or '.join(after)}" if after else "that is final"
            raise ToolError("conflict", f"The {self._what} is {now}; {possible}.", field=field, reason=reason or now)


# ---------------------------------------------------------------- money


def dollars(cents: int) -> str:
    """An amount as people read it: `$1,204.50`."""
    sign = "-" if cents < 0 else ""
    return f"{sign}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def percentage(cents: int, percent: int) -> int:
    """That many percent of an amount, to the nearest cent; halves are rounded away from zero."""
    doubled = abs(cents) * percent * 2 + 100
    return doubled // 200 if cents >= 0 else -(doubled // 200)


def shares(total: int, weights: Sequence[int]) -> list[int]:
    """Split an amount by weights so that the parts add up to it, cent by cent (largest remainder).

    Raises:
        ValueError: If a weight is negative, or all are zero.
    """
    whole = sum(weights)
    if whole <= 0 or min(weights) < 0:
        raise ValueError("weights must not be negative, and not all zero")
    parts = [total * weight // whole for weight in weights]
    rest = sorted(range(len(parts)), key=lambda index: (-(total * weights[index] % whole), index))
    for index in rest[: total - sum(parts)]:
        parts[index] += 1
    return parts


# ---------------------------------------------------------------- time


def later(moment: str, *, days: int = 0, hours: int = 0, minutes: int = 0) -> str:
    """A day or a moment moved on (or back, by negative numbers), in the form it came in."""
    moved = timedelta(days=days, hours=hours, minutes=minutes)
    if len(moment) == 10:
        return str((datetime.fromisoformat(moment) + moved).date())
    return (datetime.strptime(moment, _STAMP) + moved).strftime(_STAMP)


def days_between(first: str, last: str) -> int:
    """Days from one day to another; of moments, their dates count."""
    return (date.fromisoformat(last[:10]) - date.fromisoformat(first[:10])).days


def minutes_between(first: str, last: str) -> int:
    """Whole minutes from one moment to another, rounded towards the earlier one."""
    return int((datetime.strptime(last, _STAMP) - datetime.strptime(first, _STAMP)).total_seconds() // 60)


def weekday(day: str) -> str:
    """The day of the week, in small letters: `thursday`."""
    return WEEKDAYS[date.fromisoformat(day[:10]).weekday()]


def local(moment: str, offset_minutes: int) -> str:
    """A UTC moment on the clocks of a place: `2026-05-21T20:30`.

    Args:
        moment: In UTC.
        offset_minutes: How far the place is ahead of UTC.
    """
    return (datetime.strptime(moment, _STAMP) + timedelta(minutes=offset_minutes)).strftime("%Y-%m-%dT%H:%M")


def utc(day: str, time: str, offset_minutes: int) -> str:
    """The UTC moment of a day and a time on the clocks of a place; the inverse of `local`."""
    there = datetime.strptime(f"{day}T{time}", "%Y-%m-%dT%H:%M")
    return (there - timedelta(minutes=offset_minutes)).strftime(_STAMP)


def check_span(first: str, last: str, longest: int, field: str, reason: str = "dates") -> int:
    """Days from first to last, both included.

    Raises:
        ToolError: `invalid` if the last is before the first; `limit` if there are more than `longest`.
    """
    days = days_between(first, last) + 1
    if days < 1:
        raise ToolError("invalid", f"{last} is before {first}.", field=field, reason=reason)
    if days > longest:
        raise ToolError("limit", f"That is {days} days; at most {longest} are allowed.", field=field, reason=reason)
    return days
