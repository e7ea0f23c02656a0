"""Setup: what is changed in the base world before an episode, as data or as calls."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

from ..environment.errors import EnvironmentFault, TaskError, ToolError
from ..environment.task import RowPatch, Setup
from .connection import Connection
from .image import stored
from .log import quote

if TYPE_CHECKING:
    from .live import LiveWorld


EMPTY = Setup()
"""No changes at all."""


def key(setup: Setup) -> str:
    """A text that is equal for equal setups; the pool keeps worlds by it."""
    if setup.now is None and not setup.rows and not setup.calls:
        return ""
    return setup.model_dump_json()


def apply(world: LiveWorld, setup: Setup) -> None:
    """Apply row patches, then calls; the world itself sets the clock.

    Raises:
        TaskError: A patch or call cannot be applied; the error says which and why.
    """
    for number, patch in enumerate(setup.rows):
        try:
            _patch(world._core, world.schema.tables[patch.table].names, patch)
        except KeyError as error:
            raise TaskError(f"setup.rows[{number}]: {error.args[0]}") from None
        except (sqlite3.Error, OverflowError, UnicodeError, ValueError) as error:
            raise TaskError(f"setup.rows[{number}] ({patch.table} {patch.key}): {error}") from error
    for number, call in enumerate(setup.calls):
        try:
            world._call(call.tool, call.arguments, "setup")
        except (ToolError, EnvironmentFault) as error:
            raise TaskError(f"setup.calls[{number}] ({call.tool}): {error}") from error


def _patch(core: Connection, names: tuple[str, ...], patch: RowPatch) -> None:
    """Insert, update or delete the one row of a key."""
    unknown = [name for name in (*patch.key, *(patch.values or {})) if name not in names]
    if unknown:
        raise ValueError(f"there is no column {unknown[0]!r}")
    if not patch.key:
        raise ValueError("the key is empty; name the columns that identify the row")
    table = quote(patch.table)
    where = " AND ".join(f"{quote(name)} IS ?" for name in patch.key)
    keys = [stored(value) for value in patch.key.values()]
    found = core.fetch(f"SELECT count(*) FROM {table} WHERE {where}", keys)[0][0]
    if found > 1:
        raise ValueError(f"the key names {found} rows; it must name one")
    if patch.values is None:
        if not found:
            raise ValueError("there is no such row to delete")
        core.fetch(f"DELETE FROM {table} WHERE {where}", keys)
    elif found:
        if patch.values:
            sets = ", ".join(f"{quote(name)} = ?" for name in patch.values)
            core.fetch(f"UPDATE {table} SET {sets} WHERE {where}", [*_values(patch.values), *keys])
    else:
        row = {**patch.key, **patch.values}
        marks = ", ".join("?" * len(row))
        core.fetch(f"INSERT INTO {table} ({', '.join(map(quote, row))}) VALUES ({marks})", _values(row))


def _values(row: dict[str, Any]) -> list[Any]:
    return [stored(value) for value in row.values()]
