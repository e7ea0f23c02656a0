"""Values that a user says: the words for them, and how a solver reads the value out of the words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...environment.task import Derived, Said, Source
from ...episode.sources import Knowledge, SourceError, evaluate
from ...episode.wording import render, say

MAX_TEXT = 80
"""Longest text that a user would dictate."""

_PLAIN = re.compile(r"[A-Za-z0-9, ]*[A-Za-z][A-Za-z0-9, ]*")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True)
class Spoken:
    """A value in words: the words, and the operation that reads them (None: the words are the value)."""

    words: str
    read: str | None = None
    table: str | None = None

    def source(self, turn: int) -> Source:
        """The source expression, for a request of that turn."""
        said = Said(turn=turn, span=self.words)
        if self.read is None:
            return said
        options = {"table": self.table} if self.table else {}
        return Derived(op=self.read, sources=(said,), options=options)  # type: ignore[arg-type]


def kind_of(name: str, schema: Mapping[str, Any], value: Any) -> str:
    """The kind of a value: `money`, `number`, `date`, `text`, or `other` for what nobody dictates."""
    if isinstance(value, bool) or value is None or isinstance(value, (list, dict)):
        return "other"
    if isinstance(value, int):
        return "money" if name.endswith(("_cents", "_minor")) else "number"
    if isinstance(value, float):
        return "number"
    if _DATE.fullmatch(value):
        return "date"
    if re.match(r"\d{4}-\d\d-\d\dT", value):
        return "other"
    return "text"


def spoken(name: str, schema: Mapping[str, Any], value: Any, known: Knowledge, choice: float) -> Spoken | None:
    """Words for a value, or None where nobody would say it.

    Args:
        name: Name of the argument or column.
        schema: Its schema, or nothing.
        value: The value.
        known: What the words are read with.
        choice: In [0, 1): which of several ways of saying it.
    """
    kind = kind_of(name, schema, value)
    if kind == "text":
        plain = isinstance(value, str) and 0 < len(value.strip()) <= MAX_TEXT and value.isprintable()
        return Spoken(value) if plain and value == value.strip() else None
    if kind == "other":
        return None
    ways = [say(kind, value, "USD" if kind == "money" else None)]
    if kind == "date":
        ways += [way for way in render(kind, value) if _PLAIN.fullmatch(way) and value[:4] not in way]
    for offset in range(len(ways)):
        way = Spoken(ways[(int(choice * len(ways)) + offset) % len(ways)], kind)
        if reads_back(way, value, known):
            return way
    return None


def reads_back(way: Spoken, value: Any, known: Knowledge) -> bool:
    """Whether a solver reads the value out of the words."""
    try:
        heard = Knowledge(requests=[way.words], slots={}, rules={}, language=known.language, now=known.now, results={})
        found = evaluate(way.source(0), heard)
    except SourceError:
        return False
    return bool(found == value) and isinstance(found, bool) == isinstance(value, bool)
