"""The row behind a value: how a lookup is asked so that it may return just that value.

To see whether `search_flights` can give the flight that somebody books, it is asked for that flight's
cities and day. Those stand in the row that the value names, and in the rows that its foreign keys name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ...environment import Package
from ...world import LiveWorld
from .records import InputNode
from .words import words

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


class Behind:
    """Rows by the values that name them.

    Args:
        package: Its schema says which columns lead to which rows.
        world: Where the rows are read.
    """

    def __init__(self, package: Package, world: LiveWorld) -> None:
        self._tables = package.schema.tables
        self._world = world
        self._rows: dict[tuple[str, Any], dict[str, Any]] = {}

    def row(self, ref: str, value: Any) -> dict[str, Any]:
        """What is known of the thing that a value names: `table.column` → value, its parents' columns too."""
        key = ref, value
        if key not in self._rows:
            self._rows[key] = self._read(ref, value, parents=True) if not isinstance(value, (list, dict)) else {}
        return self._rows[key]

    def _read(self, ref: str, value: Any, *, parents: bool) -> dict[str, Any]:
        name, _, column = ref.partition(".")
        table = self._tables.get(name)
        if table is None or column not in table.names:
            return {}
        found = self._world.rows(f'SELECT * FROM "{name}" WHERE "{column}" = ? LIMIT 1', (value,))
        if not found:
            return {}
        known = {f"{name}.{key}": one for key, one in found[0].items() if one is not None}
        for part in table.columns if parents else ():
            inner = found[0].get(part.name)
            if part.references and inner is not None:
                for path, one in self._read(part.references, inner, parents=False).items():
                    # Under the key that leads there, so that an origin is told from a destination.
                    known.setdefault(f"{name}.{part.name} {path}", one)
        return known

    def arguments(
        self, inputs: Sequence[InputNode], ref: str, value: Any, known: Mapping[str, Any], model: Mapping[str, Any]
    ) -> dict[str, Any] | None:
        """Arguments by which a tool is asked about the thing that a value names; None where it cannot be.

        Args:
            inputs: What the tool takes.
            ref: What the value names: `flights.flight_id`.
            value: The value.
            known: Ref → value of other things that the call should be about.
            model: Arguments that the tool accepted once, for what nothing here decides.
        """
        row = self.row(ref, value)
        arguments: dict[str, Any] = {}
        asked = False
        for node in inputs:
            if not node.required:
                continue
            if node.path != node.argument:
                return None
            fits = value if node.ref == ref else _best(node, row)
            if fits is None and node.ref is not None:
                fits = known.get(node.ref)
            if fits is not None:
                arguments[node.path] = fits
                asked = True
            elif node.ref is None and node.path in model:
                arguments[node.path] = model[node.path]
            else:
                return None
        return arguments if asked else None


def _best(node: InputNode, row: Mapping[str, Any]) -> Any:
    """The value of a row that an input most likely asks for: what it names, or a day where it asks for one."""
    wanted = set(words(node.path))
    choices: list[tuple[int, str, Any]] = []
    for path, value in row.items():
        last = path.rpartition(" ")[2]
        if node.type == "date":
            if isinstance(value, str) and _DAY.match(value) and not path.rpartition(" ")[0]:
                choices.append((len(wanted & set(words(path))), path, value[:10]))
        elif node.ref is not None and (last == node.ref or path == node.ref):
            choices.append((len(wanted & set(words(path))), path, value))
    if not choices:
        return None
    best = max(score for score, _, _ in choices)
    return next(value for score, _, value in choices if score == best)
