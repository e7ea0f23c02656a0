"""One pooled connection: every guard set, inside one transaction that is never committed.

Two forms, the same from outside. *Private* is a copy in memory. *Shared* opens the template's
file itself: without locks, without ever spilling a dirty page, so changes live in this
connection's page cache and thousands of worlds share one file. Both stand on
`BEGIN; setup; SAVEPOINT base`, and both are void when the transaction is lost, which is why
each statement first asks whether it is still there.
"""

from __future__ import annotations

import sqlite3
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from ..environment.errors import BudgetExceeded, EnvironmentFault
from . import functions
from .budget import TICK, Budget
from .clock import Clock
from .guard import Guard
from .ids import Ids
from .log import LogPlan, Row
from .process import forks
from .reads import NotingCursor

PAGE_SIZE = 1024
MINIMUM_SQLITE = (3, 37, 0)

_PRAGMAS = (
    "locking_mode=EXCLUSIVE",
    "journal_mode=MEMORY",
    "cache_spill=OFF",  # a spilled page would be written into the shared template
    "synchronous=OFF",
    "temp_store=MEMORY",
    "mmap_size=1073741824",
    "cache_size=-64",
    "foreign_keys=ON",  # silently ignored inside a transaction, so all of these come before BEGIN
    "trusted_schema=ON",  # else CHECKs could not use our own date functions on some builds
    "recursive_triggers=ON",  # else REPLACE would delete rows that the log does not see
)
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 1 << 24,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
}
_KEPT_STATEMENTS = 256
_KNOWN_TEXTS = 4096

Bind = Sequence[Any] | Mapping[str, Any]


class Connection:
    """A connection with a world on it.

    Args:
        connection: An open SQLite connection that holds the template.
        plan: The change log.
        now: The template's time.
        known: Column names of each SQL text that passed the guard, shared by all connections of
            a template (the guard judges texts, and its tables are the template's).
        plain: SQLite's own functions.

    Attributes:
        sqlite: SQLite's own connection, which nobody commits.
        calling: Whether a tool runs.
        resets: How often it was reset.
        setup_key: Which setup stands under `base`; None where none does.
        base_log, base_ids, base_now: The log, the draws and the time right after the setup.
    """

    __slots__ = (
        "__weakref__",
        "_forks",
        "_inner",
        "_plan",
        "_read",
        "_tool",
        "base_ids",
        "base_log",
        "base_now",
        "budget",
        "calling",
        "clock",
        "control",
        "guard",
        "known",
        "nature",
        "resets",
        "setup_key",
        "shared",
        "sqlite",
    )  # fmt: skip

    def __init__(
        self,
        connection: sqlite3.Connection,
        *,
        shared: bool,
        plan: LogPlan,
        now: str,
        known: dict[str, tuple[str, ...]],
        plain: functions.Plain,
    ) -> None:
        self.sqlite = connection
        # A world that nobody closed is closed when it goes. Not by __del__: in a cycle of garbage SQLite's own object
        # might go first, and Python 3.13 warns of that.
        weakref.finalize(self, connection.close).atexit = False
        self._plan = plan
        self._forks = forks()
        self.shared = shared
        self.known = known
        self.clock = Clock(now)
        self.nature = functions.Nature(self.clock, Ids(0), plain)
        self.guard = Guard([tracked.name for tracked in plan.tables])
        self.budget = Budget()
        self.calling = False
        self.resets = 0
        self.setup_key: str | None = None
        self.base_log, self.base_ids, self.base_now = 0, (0, 0), now
        # As scripts: statements of execute() would stay prepared, 88 KiB in every world for what runs once.
        connection.executescript("".join(f"PRAGMA {pragma};" for pragma in _PRAGMAS))
        functions.install(connection, self.nature)
        connection.executescript(";\n".join(plan.ddl) + ";")
        for limit, value in _LIMITS.items():
            connection.setlimit(limit, value)
        connection.set_authorizer(self.guard)
        connection.set_progress_handler(self.budget.tick, TICK)
        self._tool: sqlite3.Cursor | NotingCursor = connection.cursor()
        self._inner = connection.cursor()
        self._read: dict[str, set[str]] = {}
        self.control = connection.cursor().execute
        self.guard.trusted = False

    @property
    def ids(self) -> Ids:
        """The draws of the episode that is being played."""
        return self.nature.ids

    @property
    def alive(self) -> bool:
        """Whether the transaction is still open."""
        return self.sqlite.in_transaction

    def check_process(self) -> None:
        """Refuse to be used in a child of the process that opened it.

        Raises:
            EnvironmentFault: This is another process.
        """
        if forks() != self._forks:
            raise EnvironmentFault(
                "this world was opened before os.fork(), and a database connection must not cross a fork; "
                "open worlds in the child, or carry a journal over and call Template.replay(journal)"
            )

    # ------------------------------------------------------------ statements

    def rows(self, sql: str, bind: Bind) -> tuple[list[Row], tuple[str, ...]]:
        """Run a statement of a tool to its end; rows and column names.

        Raises:
            sqlite3.Error: As SQLite raises it; a refusal is also kept in `guard.denied`.
        """
        names = self.known.get(sql)
        if names is None:
            self.guard.inspect(sql)
        if not self.sqlite.in_transaction:
            raise sqlite3.ProgrammingError(
                "an earlier statement ended the episode's transaction (OR ROLLBACK, or its budget)"
            )
        rows = self._tool.execute(sql, bind).fetchall()
        return rows, self._learn(sql) if names is None else names

    def _learn(self, sql: str) -> tuple[str, ...]:
        names = tuple(column[0] for column in self._tool.description or ())
        if len(set(names)) != len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise sqlite3.ProgrammingError(f"two columns are called {twice!r}; name them apart with AS")
        if len(self.known) >= _KNOWN_TEXTS:
            self.known.clear()
        self.known[sql] = names
        return names

    @contextmanager
    def reads(self) -> Iterator[set[str]]:
        """Collects, when the block ends, the tables that statements of tools read in it."""
        found: set[str] = set()
        cursor = self._tool
        self._tool = noting = NotingCursor(self.sqlite.cursor())
        try:
            yield found
        finally:
            self._tool = cursor
            for sql, bind in noting.ran.items():
                found |= self._tables_read(sql, bind)

    def _tables_read(self, sql: str, bind: Bind) -> set[str]:
        """Tables that a statement reads. Its text is compiled once for this; EXPLAIN runs nothing."""
        if sql not in self._read:
            if len(self._read) >= _KNOWN_TEXTS:
                self._read.clear()
            seen: set[str] = set()
            self.guard.seen = seen
            try:
                self._inner.execute(f"EXPLAIN {sql}", bind).fetchall()
            finally:
                self.guard.seen = None
            self._read[sql] = seen
        return self._read[sql]

    def changed(self) -> int:
        """Rows that the last statement of a tool changed itself (not by triggers or cascades)."""
        count = self._tool.rowcount
        if count >= 0:
            return count
        if self._tool.description is not None:
            return 0
        return int(self.fetch("SELECT changes()")[0][0])  # Python counts no rows for WITH ... UPDATE

    def fetch(self, sql: str, bind: Bind = ()) -> list[Row]:
        """Run a statement of the library, which may also see the log."""
        self.guard.trusted = True
        try:
            return self._inner.execute(sql, bind).fetchall()
        finally:
            self.guard.trusted = False

    def peek(self, sql: str, bind: Bind) -> tuple[list[Row], tuple[str, ...]]:
        """Run a statement from outside a call; whatever it does is taken back.

        Raises:
            EnvironmentFault: It tries to write, or breaks a rule.
        """
        self.check_process()
        draws, before = self.nature.ids.position, self.sqlite.total_changes
        self.budget.refill()
        self.control("SAVEPOINT peek")
        try:
            rows, names = self.rows(sql, bind)
        except (sqlite3.Error, sqlite3.Warning) as error:  # Python 3.11 warns of two statements in one text
            reason = self.guard.denied or str(error)
            self.guard.denied = None
            if self.budget.spent:
                raise BudgetExceeded(f"a query of a world used up its budget of SQL steps: {sql}") from error
            raise EnvironmentFault(f"a query of a world failed: {reason}; the query is: {sql}") from error
        finally:
            self.budget.limited = False
            self.nature.ids.back_to(draws)
            if self.sqlite.in_transaction:
                self.control("ROLLBACK TO peek")
                self.control("RELEASE peek")
        if self.sqlite.total_changes != before:
            raise EnvironmentFault(f"a world changes only inside a tool call or a setup; this query writes: {sql}")
        return rows, names

    # ------------------------------------------------------------ the transaction

    def begin(self) -> None:
        """Start over from the template: a new transaction, nothing in it."""
        if self.sqlite.in_transaction:
            self.control("ROLLBACK")
        self.setup_key = None
        self.calling = False
        self.control("BEGIN")

    def base(self, setup_key: str) -> None:
        """Whatever was changed since `begin` is the setup."""
        self.base_log = self._plan.position(self.fetch)
        self.base_ids = self.nature.ids.position
        self.base_now = self.clock.now
        self.control("SAVEPOINT base")
        self.setup_key = setup_key

    def back_to_base(self) -> None:
        """Undo everything since the setup; costs as much as there is to undo."""
        control = self.control
        control("ROLLBACK TO base")
        control("RELEASE base")  # without it, a second ROLLBACK TO would visit the whole page cache
        control("SAVEPOINT base")
        self.calling = False
        if self.nature.ids.position != self.base_ids:
            self.nature.ids.back_to(self.base_ids)
        if self.clock.now is not self.base_now:
            self.clock.set(self.base_now)

    def close(self) -> None:
        """Close; an open transaction is dropped."""
        self.sqlite.close()


class _Closed:
    """Stands where the connection was."""

    def __getattr__(self, name: str) -> NoReturn:
        raise EnvironmentFault("this world is closed or was released; acquire another from its template")


CLOSED = _Closed()


def open_private(reference: sqlite3.Connection) -> sqlite3.Connection:
    """A copy of the template in memory."""
    connection = _connect(":memory:", uri=False)
    reference.backup(connection)
    return connection


def open_shared(path: Path) -> sqlite3.Connection:
    """The template's own file, without locks."""
    return _connect(f"{path.absolute().as_uri()}?nolock=1&mode=rw", uri=True)


def open_reference(path: Path) -> sqlite3.Connection:
    """The template's file for reading only."""
    return _connect(f"{path.absolute().as_uri()}?immutable=1&mode=ro", uri=True)


def _connect(name: str, *, uri: bool) -> sqlite3.Connection:
    return sqlite3.connect(
        name, uri=uri, isolation_level=None, cached_statements=_KEPT_STATEMENTS, check_same_thread=False
    )
