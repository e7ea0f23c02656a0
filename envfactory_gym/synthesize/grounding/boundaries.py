"""Boundaries of the policy: a call that a rule forbids, and the smallest change of the world that allows it.

Both sides are found by execution. The refused side comes from a tool's `refused` hint for a policy
rule; the allowed side is the same call in a world in which one value of one row that the call is
about is another one, or in which it is earlier or later. A change counts only if the call then
succeeds and every invariant still holds. From the two sides come twins: the same words, to be
declined in one world and done in the other.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from random import Random
from typing import Any

from ...environment import EnvFactoryError, Tool, ToolError
from ...environment.task import RowPatch, Setup, SetupCall
from ...world import LiveWorld, Template
from .landscape import Landscape

MAX_CHANGES = 250
"""Changes of the world that are tried for one refused call."""

LEVER_BY = 6
"""Refused calls on which it is found out what decides a rule."""

MAX_CALLS = 3
"""Calls of one other tool that are tried as a setup."""

MAX_VALUES = 6
"""Other values of a column that are tried."""

_SHIFTS = (1, -1, 2, -2, 4, -4, 7, -7, 14, -14, 30, -30)
"""Days by which the clock is moved."""


@dataclass(frozen=True)
class Boundary:
    """A call on both sides of a rule.

    Attributes:
        tool: The tool.
        rule: Id of the policy rule.
        arguments: The call, the same on both sides.
        refused: The world in which it must be declined.
        done: The world in which it succeeds.
    """

    tool: Tool
    rule: str
    arguments: Mapping[str, Any]
    refused: Setup
    done: Setup


class Boundaries:
    """Finds boundaries in one environment."""

    def __init__(self, landscape: Landscape) -> None:
        self._landscape = landscape
        self._template = Template.of(landscape.package)
        self._levers: dict[tuple[str, str], str | None] = {}

    def rules(self) -> list[tuple[Tool, str]]:
        """Every writing tool with every policy rule it is known to refuse by."""
        package = self._landscape.package
        return [
            (tool, rule)
            for tool in package.tools.values()
            for rule in sorted(tool.refused)
            if rule in package.policy.rules and not tool.read_only and tool.actor == "agent"
        ]

    def find(self, tool: Tool, rule: str, arguments: Mapping[str, Any], random: Random) -> Boundary | None:
        """The other side of a refusal; None where the call is not refused by that rule, or no change allows it."""
        if self._attempt(tool, arguments, Setup()) != rule:
            return None
        lever = self._lever(tool, rule)
        if lever is None:
            return None
        return self._search(tool, rule, arguments, random, lever)

    def _lever(self, tool: Tool, rule: str) -> str | None:
        """What decides the rule, so that not everything has to be tried each time: a column, or the clock.

        Found once, on the first refused calls for which any change helps.
        """
        known = (tool.name, rule)
        if known not in self._levers:
            self._levers[known] = None
            refused = self._landscape.refused(tool, rule)
            for arguments in refused[:: max(1, len(refused) // LEVER_BY)][:LEVER_BY]:
                if self._attempt(tool, arguments, Setup()) == rule:
                    found = self._search(tool, rule, arguments, Random(0), None)
                    if found is not None:
                        self._levers[known] = lever_of(found.done)
                        break
        return self._levers[known]

    def _search(
        self, tool: Tool, rule: str, arguments: Mapping[str, Any], random: Random, lever: str | None
    ) -> Boundary | None:
        changes = (one for one in self._changes(tool, arguments, random) if lever in (None, lever_of(one)))
        for setup in islice(changes, MAX_CHANGES):
            if self._attempt(tool, arguments, setup) is None and self._sound(setup):
                return Boundary(tool, rule, arguments, Setup(), setup)
        return None

    # ------------------------------------------------------------ what is tried

    def _changes(self, tool: Tool, arguments: Mapping[str, Any], random: Random) -> Iterator[Setup]:
        yield from (Setup(calls=(call,)) for call in self._calls(tool, arguments))
        yield from (Setup(rows=(patch,)) for patch in self._patches(tool, arguments, random))
        now = datetime.fromisoformat(self._landscape.world.now.replace("Z", "+00:00"))
        for days in _SHIFTS:
            moved = (now + timedelta(days=days)).astimezone(UTC)
            yield Setup(now=moved.strftime("%Y-%m-%dT%H:%M:%SZ"))

    def _calls(self, tool: Tool, arguments: Mapping[str, Any]) -> Iterator[SetupCall]:
        """Calls of other tools about the same rows, which may lift the refusal as an agent would have done."""
        about = {(one.ref, arguments.get(one.name)) for one in tool.parameters if one.ref and arguments.get(one.name)}
        for other in self._landscape.package.tools.values():
            if other is tool or other.read_only or other.actor != "agent":
                continue
            found = 0
            for candidate, _ in self._landscape.arguments(other):
                named = {(one.ref, candidate.get(one.name)) for one in other.parameters if one.ref}
                if about & named:
                    found += 1
                    yield SetupCall(tool=other.name, arguments=candidate)
                if found == MAX_CALLS:
                    break

    def _patches(self, tool: Tool, arguments: Mapping[str, Any], random: Random) -> Iterator[RowPatch]:
        schema = self._landscape.package.schema
        for table, row in self._rows(tool, arguments):
            definition = schema.tables[table]
            key = {name: row[name] for name in definition.key}
            for column in definition.columns:
                if column.name in definition.key or column.computed:
                    continue
                values = self._landscape.relations.sample(table, column.name)
                others = [value for value in values if value != row[column.name]]
                if column.nullable and row[column.name] is not None:
                    others.append(None)
                for value in sorted(others, key=lambda _: random.random())[:MAX_VALUES]:
                    yield RowPatch(table=table, key=key, values={column.name: value})

    def _rows(self, tool: Tool, arguments: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
        """The rows a call is about: those its arguments name, those they point to, and the asker's own."""
        landscape = self._landscape
        tables = landscape.package.schema.tables
        found: list[tuple[str, dict[str, Any]]] = []
        for parameter in tool.parameters:
            table, _, column = (parameter.ref or "").partition(".")
            value = arguments.get(parameter.name)
            if table not in tables or not isinstance(value, (str, int)):
                continue
            found += [(table, row) for row in landscape.relations.rows(table, column, value)[:1]]
            owner = landscape.owner(parameter.ref or "", value)
            if owner is not None and landscape.principal is not None:
                for other in tables.values():
                    for name in other.names:
                        if (
                            other.key == (name,)
                            and landscape.references.get(f"{other.name}.{name}") == landscape.principal
                        ):
                            found += [(other.name, row) for row in landscape.relations.rows(other.name, name, owner)]
        found += [beside for table, row in list(found) for beside in self._beside(table, row)]
        unique = {json.dumps([table, row], sort_keys=True, default=str): (table, row) for table, row in found}
        return list(unique.values())

    def _beside(self, table: str, row: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
        """Rows that point to a row, and what those point to: a trip's flights, which decide about the trip."""
        landscape = self._landscape
        tables = landscape.package.schema.tables
        for place, references in sorted(landscape.references.items()):
            other, _, column = place.partition(".")
            above, _, key = references.partition(".")
            if above != table or row.get(key) is None:
                continue
            for child in landscape.relations.rows(other, column, row[key])[:2]:
                yield other, child
                for name, value in child.items():
                    further = landscape.references.get(f"{other}.{name}")
                    if (
                        further is not None
                        and value is not None
                        and further.partition(".")[0] in tables.keys() - {table}
                    ):
                        beyond, _, beyond_key = further.partition(".")
                        yield from ((beyond, one) for one in landscape.relations.rows(beyond, beyond_key, value)[:1])

    # ------------------------------------------------------------ what happens

    def _attempt(self, tool: Tool, arguments: Mapping[str, Any], setup: Setup) -> str | None:
        """The reason why a call is refused in a world; None where it succeeds, `broken` where it cannot be made."""
        try:
            world = self._template.acquire(setup)
        except EnvFactoryError:
            return "broken"
        try:
            world.call(tool.name, arguments, actor=tool.actor)
        except ToolError as error:
            return error.reason or error.code
        except EnvFactoryError:
            return "broken"
        finally:
            self._template.release(world)
        return None

    def _sound(self, setup: Setup) -> bool:
        """Whether every invariant holds in a world."""
        world = self._template.acquire(setup)
        try:
            return not broken_invariants(world, self._landscape)
        finally:
            self._template.release(world)


def lever_of(setup: Setup) -> str:
    """What a change of the world changes: `table.column`, `clock`, or what the call of a tool does."""
    for patch in setup.rows:
        return f"{patch.table}.{next(iter(patch.values or {}), '')}"
    return f"call of {setup.calls[0].tool}" if setup.calls else "clock"


def broken_invariants(world: LiveWorld, landscape: Landscape) -> list[str]:
    """Names of the invariants that do not hold in a world."""
    return [one.name for one in landscape.package.invariants if world.query(one.sql)]
