"""Wrong values that a hasty agent could take for the right one: near rows first, then small slips.

A near row is what a referent denotes once one of its conditions is forgotten (the same customer's
trip to another city, the dearer instead of the cheaper one), then what tools listed beside it,
then the rows that have most columns in common with the right one. A slip is the next value that the schema admits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import chain
from typing import Any

from ...environment import EnvironmentFault
from ...world import LiveWorld

ABSENT = object()
"""In place of a value: the argument is left out."""

_TOKEN = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|\(|\)|\w+")
_ENDS = frozenset({"GROUP", "ORDER", "LIMIT", "UNION", "INTERSECT", "EXCEPT", "HAVING", "WINDOW"})
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_MOST_ALIKE = 6


def relaxed(sql: str) -> Iterator[str]:
    """A query with each one of its top-level WHERE conditions left out."""
    depth, start, end = 0, None, len(sql)
    cuts: list[tuple[int, int]] = []
    between = False
    for token in _TOKEN.finditer(sql):
        word = token.group().upper()
        depth += (word == "(") - (word == ")")
        if depth:
            continue
        if word == "WHERE" and start is None:
            start = token.end()
        elif start is not None and word in _ENDS:
            end = token.start()
            break
        elif start is not None and word == "OR":
            return  # the conditions are no plain list
        elif word == "BETWEEN":
            between = True
        elif start is not None and word == "AND":
            if not between:
                cuts.append(token.span())
            between = False
    if start is None:
        return
    edges = [start, *(edge for cut in cuts for edge in cut), end]
    conditions = [sql[edges[at] : edges[at + 1]].strip() for at in range(0, len(edges), 2)]
    for at in range(len(conditions)):
        kept = conditions[:at] + conditions[at + 1 :] or ["1"]
        yield f"{sql[:start]} {' AND '.join(kept)} {sql[end:]}"


def near_rows(
    world: LiveWorld, column: str, value: Any, referents: Sequence[str], results: Sequence[Any] = ()
) -> Iterator[Any]:
    """Other values of a column (`table.column`), those nearest to the right one first.

    Args:
        world: The state in which the value is used.
        column: The column.
        value: The right value.
        referents: SQL of the referents that may be misread.
        results: What tools returned so far.
    """
    table, _, name = column.partition(".")
    seen = {value}
    for other in chain(_misread(world, referents), _beside(results, value), _alike(world, table, name, value)):
        if other not in seen:
            seen.add(other)
            if world.query(f'SELECT 1 FROM "{table}" WHERE "{name}" IS ?', (other,)):
                yield other


def _misread(world: LiveWorld, referents: Sequence[str]) -> Iterator[Any]:
    """What referents denote without one of their conditions."""
    for sql in referents:
        for looser in relaxed(sql):
            try:
                rows = world.query(f"SELECT * FROM ({looser}) LIMIT 4")
            except EnvironmentFault:
                continue  # without that condition it is no query; others are
            yield from (row[0] for row in rows if len(row) == 1)


def _beside(result: Any, value: Any) -> Iterator[Any]:
    """Values that stand in a list of a result where the right value stands in another item."""
    if isinstance(result, dict):
        for part in result.values():
            yield from _beside(part, value)
    elif isinstance(result, (list, tuple)):
        items = [item for item in result if isinstance(item, dict)]
        for name in {name: None for item in items for name, part in item.items() if part == value}:
            yield from (item[name] for item in items if isinstance(item.get(name), (str, int, float)))
        for item in result:
            yield from _beside(item, value)


def _alike(world: LiveWorld, table: str, name: str, value: Any) -> Iterator[Any]:
    """Values of the rows that share most columns with the right one."""
    names = [other for other in world.schema.tables[table].names if other != name]
    right = world.query(f'SELECT * FROM "{table}" WHERE "{name}" IS ? LIMIT 1', (value,))
    if not right or not names:
        rows = world.query(_others(table, name, "1") + " LIMIT ?", (value, _MOST_ALIKE))
        yield from (row[0] for row in rows)
        return
    shared = " + ".join(f'("{other}" IS ?)' for other in names)
    at = world.schema.tables[table].names
    known = [right[0][at.index(other)] for other in names]
    rows = world.query(_others(table, name, shared) + " LIMIT ?", (value, *known, _MOST_ALIKE))
    yield from (row[0] for row in rows)


def _others(table: str, name: str, weight: str) -> str:
    return f'SELECT DISTINCT "{name}" FROM "{table}" WHERE "{name}" IS NOT ? ORDER BY {weight} DESC, "{name}"'


def slips(schema: Any, value: Any) -> Iterator[Any]:
    """Other values that a parameter's schema may admit in place of one, the likeliest slips first."""
    choices = [choice for option in (schema, *schema.get("anyOf", ())) for choice in option.get("enum", ())]
    if choices:
        yield from (choice for choice in choices if choice != value)
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, (int, float)):
        yield from (value + 1, value - 1, 2 * value + 100)
    elif isinstance(value, str):
        yield from _misspelt(value)
    elif isinstance(value, list):
        if value:
            yield value[:-1]
            items: Any = schema.get("items") or next(
                (one["items"] for one in schema.get("anyOf", ()) if "items" in one), {}
            )
            yield from ([slip, *value[1:]] for slip in slips(items, value[0]))
    elif isinstance(value, dict):
        for key, part in value.items():
            yield {name: kept for name, kept in value.items() if name != key}
            inner = schema.get("properties", {}).get(key, {})
            yield from ({**value, key: slip} for slip in slips(inner, part))


def _misspelt(text: str) -> Iterator[str]:
    """Another day where the text begins with one; else another digit, another letter, another word."""
    if _DATE.match(text):
        try:
            day = date.fromisoformat(text[:10])
        except ValueError:
            return
        yield from ((day + timedelta(days=days)).isoformat() + text[10:] for days in (1, -1))
        return
    digits = [at for at, letter in enumerate(text) if letter.isdigit()]
    if digits:
        at = digits[-1]
        yield f"{text[:at]}{(int(text[at]) + 1) % 10}{text[at + 1 :]}"
    letters = [at for at, letter in enumerate(text) if letter.isascii() and letter.isalpha()]
    if letters:
        at = letters[-1]
        other = chr((ord(text[at].lower()) - ord("a") + 1) % 26 + ord("a"))
        yield f"{text[:at]}{other}{text[at + 1 :]}"
    yield f"{text} too"
