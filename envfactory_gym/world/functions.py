"""SQL's own clock and chance, replaced by the world's.

`CURRENT_TIMESTAMP` (column defaults included), `datetime('now')` and its relatives, `random()` and
`randomblob()` would make two runs of one episode differ. They are overridden on every connection.
A world lives in UTC: the modifiers `localtime` and `utc` change nothing.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Sequence
from typing import Any

from .clock import Clock
from .ids import Ids

_DATE_FUNCTIONS = ("date", "time", "datetime", "julianday", "unixepoch", "strftime", "timediff")
_ZONES = ("localtime", "utc")
_IMPLICIT_NOW = ("subsec", "subsecond")

RANDOM = "sql.random"
"""Kind of the draws that `random()` and `randomblob()` make."""


class Plain:
    """A connection with SQLite's own functions, which the replacements compute with.

    Attributes:
        dates: The date functions that this SQLite has.
    """

    __slots__ = ("_connection", "_lock", "dates")

    def __init__(self) -> None:
        self._connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self._lock = threading.Lock()  # worlds of one template, each in its own thread, share this
        rows = self._connection.execute("SELECT name FROM pragma_function_list").fetchall()
        known = {row[0] for row in rows}
        self.dates = tuple(name for name in _DATE_FUNCTIONS if name in known)

    def evaluate(self, name: str, values: Sequence[Any]) -> Any:
        """The value of a function."""
        marks = ",".join("?" * len(values))
        with self._lock:
            return self._connection.execute(f"SELECT {name}({marks})", values).fetchone()[0]

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


class Nature:
    """Time and chance as one connection's SQL sees them; the episode puts its own in.

    It knows no connection: SQLite keeps the functions alive, and a reference back would be a
    cycle that Python cannot collect.
    """

    __slots__ = ("clock", "ids", "plain")

    def __init__(self, clock: Clock, ids: Ids, plain: Plain) -> None:
        self.clock, self.ids, self.plain = clock, ids, plain

    def random(self) -> int:
        """A signed integer of 64 bits, as `random()` gives."""
        return (self.ids.draw(RANDOM) & (1 << 64) - 1) - (1 << 63)

    def randomblob(self, size: int | None) -> bytes:
        """Bytes, at least one and at most 64 KiB, as `randomblob(N)` gives."""
        wanted = min(max(int(size or 1), 1), 1 << 16)
        blob = b""
        while len(blob) < wanted:
            blob += self.ids.draw(RANDOM).to_bytes(64, "big")
        return blob[:wanted]

    def timestamp(self) -> str:
        """`CURRENT_TIMESTAMP`."""
        return self.clock.now[:-1].replace("T", " ")

    def date_function(self, name: str) -> Callable[..., Any]:
        """A date function in which 'now' is the world's."""
        first = {"strftime": 1}.get(name, 0)
        times = 2 if name == "timediff" else 1

        def call(*arguments: Any) -> Any:
            values = list(arguments)
            for index in range(first, first + times):
                if index >= len(values):
                    values.append(self.clock.now)
                elif isinstance(values[index], str) and values[index].lower() in ("now", *_IMPLICIT_NOW):
                    modifier = [values[index]] if values[index].lower() != "now" else []
                    values[index : index + 1] = [self.clock.now, *modifier]
            kept = [v for i, v in enumerate(values) if i < first + times or not _is_zone(v)]
            return self.plain.evaluate(name, kept)

        return call


def _is_zone(value: Any) -> bool:
    return isinstance(value, str) and value.strip().lower() in _ZONES


def install(connection: sqlite3.Connection, nature: Nature) -> None:
    """Replace the functions on a connection.

    Date functions are declared deterministic, because schemas may use them in indexes and
    generated columns; within one statement they are.
    """
    connection.create_function("random", 0, nature.random)
    connection.create_function("randomblob", 1, nature.randomblob)
    connection.create_function("current_timestamp", 0, nature.timestamp)
    connection.create_function("current_date", 0, lambda: nature.clock.today)
    connection.create_function("current_time", 0, lambda: nature.clock.now[11:19])
    for name in nature.plain.dates:
        connection.create_function(name, -1, nature.date_function(name), deterministic=True)
