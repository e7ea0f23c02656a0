"""Dates of one row tell one story: what was issued is sent, delivered and paid in that order, if it got so far."""

from __future__ import annotations

import re
from datetime import date, timedelta

from ..model import Field, Resource, Row
from ..naming import snake
from .dice import Dice

_STAGES = tuple(
    re.compile(rf"(?:^|_)(?:{names})(?:_|$)")
    for names in (
        "ordered|order|placed|issued|issue|invoiced|invoice|opened|requested|request|submitted|submission|registered|"
        "registration|joined|hired|hire|enrolled|posted|reported|purchased|purchase",
        "approved|approval|confirmed|confirmation|accepted|assigned|published|sent|activated|started|picked|packed|signed",
        "shipped|dispatched|departed",
        "delivered|delivery|arrived",
        "paid|payment|completed|finished|closed|resolved|cancelled|canceled|refunded|returned|terminated|termination|"
        "archived|deleted|dismissed|voided|expires|expiry|expiration|due|deadline",
    )
)
"""What happens to a thing, first to last; events of one stage have no order."""

_DUE = re.compile(r"(?:^|_)(?:due|deadline)(?:_|$)")
_LONG = 60
"""Days within which what is asked for is due."""

_STATE = re.compile(r"(?:^|_)(?:status|state|stage)$")
_EVENT = re.compile(r"(.+?)_(?:at|on|date|time)_?$")


def in_turn(resource: Resource, row: Row, dice: Dice, tied: frozenset[str] = frozenset()) -> None:
    """Make the dates of a row agree with each other and with its state, in place.

    Args:
        resource: The row's table.
        row: A filled row.
        dice: Chooses how many days lie between two events.
        tied: Columns that a rule holds in order already; they are left alone.
    """
    dates = [one for one in resource.fields if one.kind in ("date", "datetime") and one.role == "plain"]
    for one in dates:
        if not one.required and one.name not in tied and _not_yet(resource, row, one):
            row[one.name] = None
    earliest = ""
    for stage in _STAGES:
        reached = [one.name for one in dates if stage.search(one.name) and one.name not in tied and row[one.name]]
        for name in reached:
            if row[name][:10] < earliest:
                _move(row, name, earliest, dice.between(1, 3))
            elif earliest and _DUE.search(name) and row[name][:10] > _later(earliest, _LONG):
                _move(row, name, earliest, dice.between(14, 30))
        earliest = max([earliest, *(row[name][:10] for name in reached)])


def _later(day: str, days: int) -> str:
    return (date.fromisoformat(day) + timedelta(days=days)).isoformat()


def _move(row: Row, name: str, day: str, days: int) -> None:
    """Put a date some days after another, at the time of day it has."""
    row[name] = _later(day, days) + row[name][10:]


def _not_yet(resource: Resource, row: Row, one: Field) -> bool:
    """Whether a column is the time of a state that the row has not reached: `paid_at` of a draft."""
    event = _EVENT.match(one.name)
    for state in resource.fields if event else ():
        if not (state.enum and state.kind == "text" and _STATE.search(state.name.rstrip("_"))):
            continue
        known = [snake(str(value)) for value in state.enum]
        if event is not None and event[1] in known:
            now = row.get(state.name)
            return now is None or known.index(snake(str(now))) < known.index(event[1])
    return False
