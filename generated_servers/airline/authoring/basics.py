"""What all of the airline's generators share: the time they draw for, codes, and how moments are written."""

from __future__ import annotations

from datetime import datetime
from typing import Any

NOW = datetime(2026, 5, 14, 9, 0)
CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"

Row = dict[str, Any]


def stamp(moment: datetime) -> str:
    """A moment as the database writes it."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def moment(text: str) -> datetime:
    """A moment read back from the database's form."""
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ")
