"""The moment at which every world of the universe stands, and how moments and codes are written."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from generated_servers.universe import draw

NOW = datetime(2026, 5, 14, 9, 0)
"""A Thursday morning, UTC. All crafted environments name it as their clock, so that tasks can span them."""

CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""What codes are made of: no letter that reads like a digit."""

Row = dict[str, Any]


def stamp(moment: datetime) -> str:
    """A moment as a database writes it."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def moment(text: str) -> datetime:
    """A moment read back from the database's form."""
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ")


def code(length: int, *name: object) -> str:
    """A code of capital letters and digits, decided by `name`."""
    return "".join(draw.pick(CODE_LETTERS, *name, position) for position in range(length))
