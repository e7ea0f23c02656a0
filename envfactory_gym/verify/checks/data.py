"""Check `data`: constraints and invariants hold, every table is used, every tool can succeed."""

from __future__ import annotations

import re

from ...environment import EnvFactoryError, EnvironmentFault, Package, Tool, ToolError
from ...world import LiveWorld, Template
from .. import places
from ..arguments import HintError, candidate_arguments
from ..finding import Finding, finding

TRIES = 200
"""Argument tuples tried before a tool counts as unreachable."""


def check(package: Package) -> Finding:
    """Build the world, run the invariants, and make every tool succeed once."""
    try:
        world = Template.of(package).acquire()
    except EnvFactoryError as error:
        return finding("data", [str(error)], remedy="correct the rows named")
    evidence: list[str] = []
    try:
        for invariant in package.invariants:
            try:
                rows = world.query(invariant.sql)
            except EnvironmentFault as error:
                evidence.append(f"{places.of_invariant(package, invariant.name)} does not run: {error}")
                continue
            if rows:
                evidence.append(
                    f"{places.of_invariant(package, invariant.name)} returns {len(rows)} rows, first {rows[0]}"
                )
        for table in package.schema.tables:
            if not re.search(rf"\b{re.escape(table)}\b", package.server_source):
                evidence.append(f"the table {table} is dead: server.py does not name it")
        for tool in package.tools.values():
            if (why := _unreachable(world, tool)) is not None:
                place = places.of_tool(tool)
                evidence.append(f"{place} is unreachable: no arguments found with which it succeeds; {why}")
    finally:
        world.template.release(world)
    figures = {"rows": sum(map(len, package.data.values())), "invariants": len(package.invariants)}
    return finding(
        "data",
        evidence,
        figures=figures,
        remedy="correct the data, give the tool `candidates`, or take out the table that no tool names",
    )


def _unreachable(world: LiveWorld, tool: Tool) -> str | None:
    """Why no live arguments make a tool succeed, as the last attempt tells; None where some do."""
    try:
        attempts = candidate_arguments(world, tool, TRIES)
    except HintError as error:
        return str(error)
    why = "it has no candidates in the base world"
    for arguments in attempts:
        with world.trial():
            try:
                world.call(tool.name, arguments, actor=tool.actor)
            except (ToolError, EnvironmentFault) as error:
                why = f"{arguments} gave: {error}"
            else:
                return None
    return why
