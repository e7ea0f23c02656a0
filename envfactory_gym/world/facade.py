"""What a tool sees of a world: four ways to run SQL, the time, ids and chance. Nothing else.

Every statement is run to its end before its rows are handed out, so no cursor of a tool outlives
its line; results are plain data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn, TypeVar

from ..environment.errors import EnvironmentFault
from .connection import Bind, Connection
from .ids import ALPHABET, Ids
from .log import Row, quote

Item = TypeVar("Item")
_TRIES = 64


class World:
    """The world, as the first argument of every tool.

    SQL takes its values by position (`?`) or by name (`:name`), not both. `:now` and `:today` are
    always there in a statement without positional values.
    """

    __slots__ = ("__weakref__", "_core")

    def __init__(self, core: Connection) -> None:
        self._core = core

    def one(self, sql: str, /, *params: Any, **named: Any) -> dict[str, Any] | None:
        """The only row of a query, as a dict; None where there is none.

        Raises:
            EnvironmentFault: The query gives more than one row.
        """
        rows, names = self._rows(sql, params, named)
        if not rows:
            return None
        if len(rows) > 1:
            raise EnvironmentFault(f"world.one got {len(rows)} rows; use world.all, or a narrower query: {sql}")
        return dict(zip(names, rows[0]))  # noqa: B905 - as below

    def all(self, sql: str, /, *params: Any, **named: Any) -> list[dict[str, Any]]:
        """All rows of a query, as dicts."""
        rows, names = self._rows(sql, params, named)
        # A row is as long as its statement's names; asking zip to see to it takes a third of making the dict.
        return [dict(zip(names, row)) for row in rows]  # noqa: B905

    def value(self, sql: str, /, *params: Any, **named: Any) -> Any:
        """The first column of the only row of a query; None where there is no row.

        Raises:
            EnvironmentFault: The query gives more than one row.
        """
        rows, _ = self._rows(sql, params, named)
        if not rows:
            return None
        if len(rows) > 1:
            raise EnvironmentFault(f"world.value got {len(rows)} rows; use world.all, or a narrower query: {sql}")
        return rows[0][0]

    def run(self, sql: str, /, *params: Any, **named: Any) -> int:
        """Run a statement; how many rows it changed itself (cascades and triggers not counted)."""
        core = self._core
        self._rows(sql, params, named)
        return core.changed() if core.calling else 0

    @property
    def now(self) -> str:
        """The time, such as `2026-05-14T09:00:00Z`; it stands still during a turn."""
        return self._core.clock.now

    @property
    def today(self) -> str:
        """The date, such as `2026-05-14`."""
        return self._core.clock.today

    def new_code(self, kind: str, length: int = 6, alphabet: str = ALPHABET) -> str:
        """A new code, such as `K7Q2MD`.

        Args:
            kind: `table.column`: no row holds the code in that column yet. A name without a dot
                is a sequence of its own, unchecked.
            length: Characters, 1 to 64.
            alphabet: Characters to take from, 2 to 128.

        Raises:
            EnvironmentFault: No free code was found, or there is no such column.
        """
        taken = self._taken(kind)
        for _ in range(_TRIES):
            code = self._core.ids.code(kind, length, alphabet)
            if not taken(code):
                self._core.ids.mint(code)
                return code
        raise EnvironmentFault(f"no free code of length {length} for {kind} in {_TRIES} tries; make codes longer")

    def new_number(self, kind: str, low: int, high: int) -> int:
        """A new number, at least `low` and at most `high`; `kind` as for `new_code`.

        Raises:
            EnvironmentFault: Every number is taken, or there is no such column.
        """
        if low > high:
            raise EnvironmentFault(f"no number is at least {low} and at most {high}")
        taken, size = self._taken(kind), high - low + 1
        offset = 0
        for _ in range(_TRIES):
            offset = self._core.ids.below(kind, size)
            if not taken(low + offset):
                break
        else:  # crowded: walk from the last draw to the next free one
            offset = next((n for step in range(size) if not taken(low + (n := (offset + step) % size))), -1)
            if offset < 0:
                raise EnvironmentFault(f"every number from {low} to {high} is taken in {kind}; widen the range")
        self._core.ids.mint(low + offset)
        return low + offset

    def chance(self, kind: str) -> float:
        """A number at least 0 and less than 1, from the sequence `kind`."""
        return self._draws().chance(kind)

    def pick(self, kind: str, sequence: Sequence[Item]) -> Item:
        """An item of a sequence, each as likely, by the sequence of draws `kind`.

        Raises:
            EnvironmentFault: The sequence is empty.
        """
        if not sequence:
            raise EnvironmentFault(f"cannot pick from nothing ({kind})")
        return sequence[self._draws().below(kind, len(sequence))]

    def _rows(self, sql: str, params: tuple[Any, ...], named: Mapping[str, Any]) -> tuple[list[Row], tuple[str, ...]]:
        core = self._core
        bind: Bind = params
        if named or not params:
            if params:
                raise EnvironmentFault("give values by position or by name, not both")
            if named or ":" in sql:
                bind = {"now": core.clock.now, "today": core.clock.today, **named}
        return core.rows(sql, bind) if core.calling else core.peek(sql, bind)

    def _draws(self) -> Ids:
        if not self._core.calling:
            raise EnvironmentFault("ids and chance are drawn inside a tool call only")
        return self._core.ids

    def _taken(self, kind: str) -> Any:
        table, dot, column = kind.partition(".")
        self._draws()
        if not dot:
            return lambda value: False
        # With the table in front, SQLite cannot take an unknown column for a text in double quotes.
        sql = f"SELECT 1 FROM {quote(table)} WHERE {quote(table)}.{quote(column)} = ? LIMIT 1"
        return lambda value: bool(self._core.rows(sql, (value,))[0])

    def __reduce__(self) -> NoReturn:
        raise TypeError("a world does not pickle; pickle LiveWorld.journal() and call Template.replay(journal)")
