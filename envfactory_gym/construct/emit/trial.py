"""Hints tried on the base world: a query that gives no row there shows nothing, and is not written."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..model import Model
from ..rows.data import Data
from .render import quoted


def stored(value: Any) -> Any:
    """A value as its column stores it: JSON as text, truth values as 0 and 1."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, (list, dict)):
        return json.dumps(value, sort_keys=True)
    return value


class Trial:
    """The base world of a model in plain SQLite."""

    def __init__(self, connection: sqlite3.Connection, clock: str) -> None:
        self._connection, self._clock = connection, clock

    def gives_rows(self, lines: Sequence[str]) -> bool:
        """Whether a query gives at least one row."""
        return self._connection.execute(" ".join(lines), {"now": self._clock}).fetchone() is not None


@contextmanager
def trial(model: Model, schema: str, data: Data) -> Iterator[Trial]:
    """Open the base world in memory, with its foreign keys checked.

    Args:
        model: The resource model.
        schema: Its `schema.sql`.
        data: Its rows.
    """
    connection = sqlite3.connect(":memory:")
    try:
        connection.executescript(schema)
        for resource in model.resources:
            names = [field.name for field in resource.fields]
            marks = ", ".join("?" for _ in names)
            insert = f"INSERT INTO {quoted(resource.table)} ({', '.join(map(quoted, names))}) VALUES ({marks})"
            connection.executemany(insert, [[stored(row[name]) for name in names] for row in data[resource.table]])
        yield Trial(connection, model.clock)
    finally:
        connection.close()
