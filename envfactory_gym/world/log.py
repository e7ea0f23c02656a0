"""The change log of a world: what every touched row was before it was touched.

TEMP triggers append one record for each row that is inserted, updated or deleted. Whoever made
the change (a tool, a cascade, a trigger of the schema, REPLACE) it is seen, and since the log is a
table of the same transaction, a rollback takes its records back too. The first record of a key
after a position is the row as it was at that position; so a position in the log is all a mark
needs, and reading a difference costs as much as there are changes, whatever the size of the world.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from operator import itemgetter
from typing import Any, NamedTuple

from ..environment.columns import Column, Schema, Table

Row = tuple[Any, ...]
Key = tuple[Any, ...]
Changes = dict[tuple[str, Key], tuple[Row | None, Row | None]]
"""(table, key) → (old row, new row); None where the row did not or does not exist."""

Fetch = Callable[[str, Sequence[Any]], list[Any]]

PREFIX = "envfactory_"
TABLE = f"{PREFIX}log"
_TYPED = frozenset({"INT", "INTEGER", "TEXT", "REAL", "BLOB"})


def quote(name: str) -> str:
    """A name as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


class Tracked:
    """How one table is logged and looked up.

    Attributes:
        columns: What a record holds: the columns of the row, then the rowid where that is the key.
        key_at: Where among them the key stands.
        key: Takes the key out of a record.
        exact_types: Whether Python takes two values of a row for equal only where SQLite does.
        folds: Whether keys are equal that are spelled differently.
    """

    __slots__ = (
        "_fold",
        "_forms",
        "_key_forms",
        "by_rowid",
        "columns",
        "exact_types",
        "folds",
        "key",
        "key_at",
        "name",
        "records",
        "width",
    )

    def __init__(self, table: Table, collations: Sequence[str]) -> None:
        names = table.names
        self.name = table.name
        self.width = len(names)
        self.by_rowid = table.key == ("rowid",) and "rowid" not in names
        self.columns = tuple(map(quote, [*names, rowid_name(table)] if self.by_rowid else names))
        self.key_at = (self.width,) if self.by_rowid else tuple(names.index(column) for column in table.key)
        # For several places itemgetter gives a tuple, as for a slice of one; a method would take four times as long.
        first = self.key_at[0]
        self.key = itemgetter(*self.key_at) if len(self.key_at) > 1 else itemgetter(slice(first, first + 1))
        # Only such columns can hold values that Python calls equal and SQLite does not (1 and 1.0).
        self.exact_types = all(column.type in _TYPED for column in table.columns)
        folds = tuple(_FOLDS.get(name.upper()) for name in collations)
        self.folds = any(folds)
        self._fold = folds
        self.records = self._records()
        policies = [_canonical_form(column) for column in table.columns]
        self._forms = tuple(policies) if any(policies) else None
        self._key_forms = tuple([policies[at] for at in self.key_at]) if self._forms and not self.by_rowid else None

    def _records(self) -> str:
        """SQL for the records after a position: the row then and now, whether it existed, whether it exists."""
        then = [f"log.c{at}" for at in range(len(self.columns))]
        now = [f"now.{column}" for column in self.columns[: self.width]]
        same_key = " AND ".join(f"now.{self.columns[at]} = log.c{at}" for at in self.key_at)
        return (
            f"SELECT {', '.join(then + now)}, log.existed, now.{self.columns[self.key_at[0]]} IS NOT NULL "
            f"FROM temp.{TABLE} AS log LEFT JOIN main.{quote(self.name)} AS now ON {same_key} "
            "WHERE log.t = ? AND log.n > ? ORDER BY log.n"
        )

    def identity(self, key: Key) -> Key:
        """Equal for keys that SQLite takes for the same row."""
        if not self.folds:
            return key
        return tuple(
            fold(value) if fold and isinstance(value, str) else value
            for fold, value in zip(self._fold, key, strict=True)
        )

    def canonical(self, row: Row | None) -> Row | None:
        """A row as it enters a digest: under `number()` policies rounded, else as it is."""
        return row if row is None or self._forms is None else _apply(self._forms, row)

    def canonical_key(self, key: Key) -> Key:
        """A key as it enters a digest."""
        key = self.identity(key)
        return _apply(self._key_forms, key) if self._key_forms else key

    def same(self, one: Row | None, other: Row | None) -> bool:
        """Whether two states of a row are the same to SQLite."""
        if one != other:
            return False
        return self.exact_types or one is None or other is None or [*map(type, one)] == [*map(type, other)]


Form = Callable[[Any], Any] | None


def _canonical_form(column: Column) -> Form:
    """What a digest does to the values of a column; None where it takes them as they are."""
    if column.policy.kind == "number":
        return column.policy.canonical
    if column.type not in ("INT", "INTEGER", "TEXT", "BLOB"):
        return lambda value: value + 0.0 if isinstance(value, float) else value  # -0.0 equals 0.0 in SQL
    return None


def _apply(forms: Sequence[Form], values: Row) -> Row:
    return tuple([value if form is None else form(value) for form, value in zip(forms, values, strict=True)])


def _nocase(value: str) -> str:
    return "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in value)


_FOLDS: dict[str, Callable[[str], str]] = {"NOCASE": _nocase, "RTRIM": lambda value: value.rstrip(" ")}


def rowid_name(table: Table) -> str:
    """A name of the rowid that no column of the table takes."""
    return next(name for name in ("rowid", "_rowid_", "oid") if name not in table.names)


def _key_collations(connection: sqlite3.Connection, table: Table) -> list[str]:
    """Collation of each key column."""
    found = {}
    for index in connection.execute(f"PRAGMA index_list({quote(table.name)})").fetchall():
        if index[3] == "pk":
            for part in connection.execute(f"PRAGMA index_xinfo({quote(index[1])})").fetchall():
                if part[5]:
                    found[part[2]] = part[4]
    return [found.get(column, "BINARY") for column in table.key]


class Happened(NamedTuple):
    """What happened in a stretch of an episode.

    Attributes:
        changes: The net change: rows that are different now.
        transient: How many rows were changed and are as they were; rewriting the same value is no change.
        touched: Tables with a row that was changed, even if it was restored.
    """

    changes: Changes
    transient: int
    touched: set[str]


class LogPlan:
    """The log of one schema: its tables and triggers, ready for any connection.

    Args:
        schema: The tables to watch.
        connection: A connection on which the schema exists (read only for collations).
    """

    def __init__(self, schema: Schema, connection: sqlite3.Connection) -> None:
        tables = tuple(schema.tables.values())
        self.tables = tuple(Tracked(table, _key_collations(connection, table)) for table in tables)
        width = max(len(tracked.columns) for tracked in self.tables)
        values = [f"c{index}" for index in range(width)]
        ddl = [f"CREATE TEMP TABLE {TABLE} (n INTEGER PRIMARY KEY, t, existed, {', '.join(values)})"]
        for number, tracked in enumerate(self.tables):
            ddl += _triggers(number, tracked)
        self.ddl = tuple(ddl)
        self._touched = f"SELECT DISTINCT t FROM temp.{TABLE} WHERE n > ? ORDER BY t"
        self._position = f"SELECT coalesce(max(n), 0) FROM temp.{TABLE}"

    def position(self, fetch: Fetch) -> int:
        """Where the log stands."""
        return int(fetch(self._position, ())[0][0])

    def histories(self, fetch: Fetch, since: int) -> Iterator[tuple[Tracked, Key, list[Row | None]]]:
        """Every key touched after a position, by table, with all the states its row went through (the last is now)."""
        for (number,) in fetch(self._touched, (since,)):
            tracked = self.tables[number]
            width = tracked.width
            found: dict[Key, tuple[Key, list[Row | None], Row | None]] = {}
            for record in fetch(tracked.records, (number, since)):
                existed, exists = record[-2:]
                row = record[:width] if existed else None
                key = tracked.key(record)
                identity = tracked.identity(key) if tracked.folds else key
                known = found.get(identity)
                if known is None:
                    found[identity] = key, [row], record[-2 - width : -2] if exists else None
                else:
                    known[1].append(row)
            for key, states, now in found.values():
                states.append(now)
                if tracked.folds and (spelled := states[0] or now):
                    key = tracked.key(spelled)  # not the spelling that happened to be logged first
                yield tracked, key, states

    def happened(self, fetch: Fetch, since: int) -> Happened:
        """What happened since a position, in one pass over the log."""
        changes: Changes = {}
        transient = 0
        touched: set[str] = set()
        for tracked, key, states in self.histories(fetch, since):
            if not tracked.same(states[0], states[-1]):
                changes[tracked.name, key] = (states[0], states[-1])
                touched.add(tracked.name)
            elif _moved(tracked, states):
                transient += 1
                touched.add(tracked.name)
        return Happened(changes, transient, touched)

    def digest(self, fetch: Fetch) -> str:
        """One text for the state of all rows: equal states of one template have equal digests."""
        lines = []
        for tracked, key, states in self.histories(fetch, 0):
            old, new = tracked.canonical(states[0]), tracked.canonical(states[-1])
            if not tracked.same(old, new):
                # ascii() keeps types apart (1, 1.0, '1', b'1', None) and is the same on every Python.
                lines.append(ascii((tracked.name, tracked.canonical_key(key), new)))
        lines.sort()
        return blake2b("\n".join(lines).encode(), digest_size=16).hexdigest()


def _moved(tracked: Tracked, states: Sequence[Row | None]) -> bool:
    return any(not tracked.same(states[0], state) for state in states[1:])


def _triggers(number: int, tracked: Tracked) -> list[str]:
    """INSERT logs a key that did not exist; UPDATE and DELETE the old row; an UPDATE that moves a
    key also logs that the new key did not exist.

    AFTER triggers: a BEFORE INSERT knows no rowid and fires for rows that OR IGNORE drops. TEMP
    triggers run before those of the schema, so a record stands before those of nested changes.
    """
    name, columns = quote(tracked.name), tracked.columns
    keys = [columns[at] for at in tracked.key_at]

    def record(existed: int, prefix: str, held: Sequence[int]) -> str:
        into = ", ".join(f"c{at}" for at in held)
        values = ", ".join(f"{prefix}.{columns[at]}" for at in held)
        return f"INSERT INTO {TABLE} (t, existed, {into}) VALUES ({number}, {existed}, {values})"

    came, was = record(0, "NEW", tracked.key_at), record(1, "OLD", range(len(columns)))
    moved = " OR ".join(f"NEW.{key} IS NOT OLD.{key}" for key in keys)
    start = f"CREATE TEMP TRIGGER {PREFIX}{number}"
    return [
        f"{start}_insert AFTER INSERT ON main.{name} BEGIN {came}; END",
        f"{start}_delete AFTER DELETE ON main.{name} BEGIN {was}; END",
        f"{start}_update AFTER UPDATE ON main.{name} BEGIN {was}; END",
        f"{start}_move AFTER UPDATE ON main.{name} WHEN {moved} BEGIN {came}; END",
    ]
