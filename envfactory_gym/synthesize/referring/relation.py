"""Which table or view stands behind a listed result, so that SQL can prove a reference unique."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Relation:
    """A relation whose rows are the items of a list.

    Attributes:
        name: A table or a view.
        key: Its column that holds the key.
        column: What the key is, as `table.column` of a table.
        fields: Field of the items → column with equal values.
        scope: Column → value that all items share because the call asked for it.
        within: Further SQL conditions that say which rows the call asked for.
    """

    name: str
    key: str
    column: str
    fields: Mapping[str, str]
    scope: Mapping[str, Any] = field(default_factory=dict)
    within: tuple[str, ...] = ()

    def select(self, conditions: list[str]) -> str:
        """SQL for the keys of the rows for which all conditions hold, within the scope."""
        return f"SELECT {quoted(self.key)} FROM {quoted(self.name)}{self.where(conditions)}"

    def where(self, conditions: list[str]) -> str:
        """The clause for some conditions within the scope; empty where there are none."""
        scope = [f"{quoted(name)} IS {literal(value)}" for name, value in sorted(self.scope.items())]
        every = [*scope, *self.within, *conditions]
        return f" WHERE {' AND '.join(every)}" if every else ""


def quoted(name: str) -> str:
    """An identifier of SQL."""
    return '"' + name.replace('"', '""') + '"'


def literal(value: Any) -> str:
    """A value of JSON as it stands in SQL."""
    if value is None:
        return "NULL"
    if isinstance(value, (bool, int, float)):
        return repr(int(value) if isinstance(value, bool) else value)
    return "'" + str(value).replace("'", "''") + "'"
