"""Arguments for a tool from live data: its candidates first, then values of the columns it refers to."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from random import Random
from typing import Any

from ..environment import EnvFactoryError, EnvironmentFault, Package, Tool, ToolError
from ..environment.jsonschema import number_bounds, size_bounds
from ..episode.values import Kind, normalised
from ..world import LiveWorld, Template

Frequencies = dict[Any, tuple[Any, int]]
"""Normalised value → the value as it is stored (the first of several), and how often it occurs."""


class HintError(EnvFactoryError):
    """A `candidates` or `refused` query does not run, or names an argument the tool does not have."""


def hinted_arguments(world: LiveWorld, tool: Tool, sql: str) -> Iterator[dict[str, Any]]:
    """Argument objects from a hint's rows: one per row, by column name; NULL means not given.

    A text value for an argument that takes a list or an object is read as JSON.

    Raises:
        HintError: The SQL does not run, or a column is no argument of the tool.
    """
    known = {parameter.name: parameter for parameter in tool.parameters}
    try:
        rows = world.rows(sql)
    except EnvironmentFault as error:
        raise HintError(f"{tool.name}: the hint does not run: {error}\n{sql}") from error
    for row in rows:
        if unknown := [name for name in row if name not in known]:
            takes = ", ".join(known)
            raise HintError(f"{tool.name}: the hint gives {unknown[0]!r}, which is no argument; it takes {takes}")
        yield {name: _structured(known[name].schema, value) for name, value in row.items() if value is not None}


def _structured(schema: Any, value: Any) -> Any:
    kinds = {schema.get("type")} | {option.get("type") for option in schema.get("anyOf", ())}
    if kinds & {"array", "object"} and isinstance(value, str) and value[:1] in "[{":
        return json.loads(value)
    if "boolean" in kinds and value in (0, 1):
        return bool(value)
    return value


class Candidates:
    """Arguments that may succeed in the base world, found once per package and then only looked up.

    Hints can be slow queries; a task's own state differs from the base world in a few rows, so
    what may succeed there is nearly always among these. What tools return for them, and what columns
    hold, is found when it is first asked for.
    """

    def __init__(self, package: Package, limit: int = 200) -> None:
        self._template = Template.of(package)
        self._results: dict[str, list[Any]] = {}
        self._frequencies: dict[tuple[str, Kind], Frequencies] = {}
        with self._world() as world:
            self._found = {
                name: candidate_arguments(world, tool, limit) if tool.candidates else []
                for name, tool in package.tools.items()
            }

    @contextmanager
    def _world(self) -> Iterator[LiveWorld]:
        world = self._template.acquire()
        try:
            yield world
        finally:
            self._template.release(world)

    def of(self, tool: Tool) -> list[dict[str, Any]]:
        """The arguments of one tool; none where it gives no candidates."""
        return self._found[tool.name]

    def results(self, tool: Tool) -> list[Any]:
        """What the tool returns in the base world for each of its candidates that it accepts."""
        if tool.name not in self._results:
            found = self._results[tool.name] = []
            with self._world() as world:
                for arguments in self.of(tool):
                    with world.trial(), suppress(ToolError, EnvironmentFault):
                        found.append(json.loads(world.call(tool.name, arguments, actor=tool.actor)))
        return self._results[tool.name]

    def frequencies(self, column: str, kind: Kind) -> Frequencies:
        """How often each value stands in a column (`table.column`) of the base world, read as a kind of answer."""
        if (column, kind) not in self._frequencies:
            table, _, name = column.partition(".")
            with self._world() as world:
                rows = world.query(
                    f'SELECT "{name}", count(*) FROM "{table}" WHERE "{name}" IS NOT NULL GROUP BY 1 ORDER BY 1'
                )
            self._frequencies[column, kind] = frequencies(kind, rows)
        return self._frequencies[column, kind]


def frequencies(kind: Kind, counted: Iterable[tuple[Any, int]]) -> Frequencies:
    """How often each value occurs, where values count as equal that are equal as answers; others are left out."""
    found: Frequencies = {}
    for value, count in counted:
        with suppress(ValueError):
            key = normalised(kind, value)
            first, before = found.get(key, (value, 0))
            found[key] = (first, before + count)
    return found


def candidate_arguments(world: LiveWorld, tool: Tool, limit: int, *, seed: int = 0) -> list[dict[str, Any]]:
    """Up to `limit` argument objects that may succeed, spread over the tool's candidates."""
    if tool.candidates:
        rows = list(hinted_arguments(world, tool, tool.candidates))
        if len(rows) > limit:
            step = len(rows) / limit
            rows = [rows[int(number * step)] for number in range(limit)]
        return rows
    return list(islice(sampled_arguments(world, tool, Random(seed)), limit))


def sampled_arguments(world: LiveWorld, tool: Tool, random: Random) -> Iterator[dict[str, Any]]:
    """Endless argument objects: values of referenced columns, else of the schema; optional ones now and then."""
    live: dict[str, list[Any]] = {}
    for parameter in tool.parameters:
        table, _, column = (parameter.ref or "").partition(".")
        if table in world.schema.tables and column in world.schema.tables[table].names:
            sql = f'SELECT DISTINCT "{column}" FROM "{table}" WHERE "{column}" IS NOT NULL ORDER BY 1 LIMIT 500'
            live[parameter.name] = [row[0] for row in world.query(sql)]
    while True:
        yield {
            parameter.name: random.choice(live[parameter.name])
            if live.get(parameter.name) and random.random() < 0.95
            else schema_value(parameter.schema, random)
            for parameter in tool.parameters
            if parameter.required or random.random() < 0.3
        }


def schema_value(schema: Any, random: Random) -> Any:
    """A value that a schema admits."""
    if schema.get("enum"):
        return random.choice(schema["enum"])
    if "anyOf" in schema:
        return schema_value(random.choice(schema["anyOf"]), random)
    match schema.get("type"):
        case "integer":
            low, high = number_bounds(schema, 1, 20)
            return random.randint(int(low), int(high))
        case "number":
            return round(random.uniform(*number_bounds(schema, 0, 1000)), 2)
        case "boolean":
            return random.random() < 0.5
        case "null":
            return None
        case "array":
            size = random.randint(*size_bounds(schema, "Items", 0, 3))
            return [schema_value(schema.get("items", {}), random) for _ in range(size)]
        case "object":
            needed = set(schema.get("required", ()))
            properties = schema.get("properties", {})
            return {name: schema_value(child, random) for name, child in properties.items() if name in needed}
        case _:
            return _text(schema, random)


def _text(schema: Any, random: Random) -> str:
    day = f"2026-{random.randint(1, 12):02}-{random.randint(1, 28):02}"
    if schema.get("format") == "date":
        return day
    if schema.get("format") == "date-time":
        return f"{day}T{random.randint(0, 23):02}:00:00Z"
    if schema.get("examples"):
        return str(random.choice(schema["examples"]))
    low, high = size_bounds(schema, "Length", 1, 10)
    return "".join(random.choice("abcdefghijklmnop ") for _ in range(random.randint(low, high)))
