"""Check `coverage`: what of server.py, of the tables and of the rules the behaviours and the fuzz reach."""

from __future__ import annotations

import ast
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ...environment import EnvFactoryError, Package, Tool, ToolError
from ...world import World
from ..arguments import HintError
from ..branches import Branches, instrumented
from ..finding import Finding, finding
from ..fuzzing import Profile, Session, explore
from ..reimport import CannotImport
from .behaviours import observe, setup_of

LEAST = 0.9
"""Share of the branches that must be taken."""

SHOWN = 40
"""Branches never taken that are listed."""

_WRITES = frozenset({sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE})


@dataclass
class _Seen:
    """What calls did: the SQL they ran, and who was refused why."""

    statements: dict[str, Any] = field(default_factory=dict)
    refused: set[tuple[str, str]] = field(default_factory=set)
    succeeded: set[str] = field(default_factory=set)

    def fitted(self, tool: Tool) -> Tool:
        """The tool, with everything it does noted here."""

        def function(world: World, **arguments: Any) -> Any:
            try:
                result = tool.function(_NotedView(world, self.statements), **arguments)
            except ToolError as error:
                if error.reason:
                    self.refused.add((tool.name, error.reason))
                raise
            self.succeeded.add(tool.name)
            return result

        return replace(tool, function=function)


class _NotedView:
    """A world's view that notes each text of SQL once, with values it was given."""

    def __init__(self, world: World, statements: dict[str, Any]) -> None:
        self._world, self._statements = world, statements

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._world, name)
        return self._noting(found) if name in ("one", "all", "value", "run") else found

    def _noting(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def noted(sql: str, /, *params: Any, **named: Any) -> Any:
            if isinstance(sql, str):
                bind = params or {"now": self._world.now, "today": self._world.today, **named}
                self._statements.setdefault(sql, bind)
            return method(sql, *params, **named)

        return noted


def check(package: Package) -> Finding:
    """Run behaviours and a fuzz on instrumented tools, and see what was reached."""
    seen = _Seen()
    try:
        tools, branches = instrumented(package)
        _run(package, {name: seen.fitted(tool) for name, tool in tools.items()})
    except (CannotImport, HintError) as error:
        return finding("coverage", [str(error)], remedy="the check could not be carried out")
    evidence: list[str] = []
    if branches.share < LEAST:
        evidence.append(f"only {branches.share:.0%} of the branches are taken, of {LEAST:.0%} that should be; never:")
        evidence += [str(branch) for branch in branches.missed[:SHOWN]]
    read, written = tables(package, seen.statements)
    evidence += [
        f"the table {name} is neither read nor written" for name in package.schema.tables if name not in read | written
    ]
    declared = {table for tool in package.tools.values() for table in tool.writes}
    evidence += [f"the table {name} is never written, though a tool declares it" for name in sorted(declared - written)]
    ways = rules(package, seen.refused, seen.succeeded)
    evidence += [f"policy.md: [{rule}] {way}" for rule, way in ways.items() if way in _ONE_SIDED]
    return finding(
        "coverage", evidence, figures=_figures(branches, read, written, ways),
        remedy="write behaviours that go there, or take out what nothing reaches",
        notes=[*_never(branches), *(f"[{rule}] {way}" for rule, way in ways.items())],
    )  # fmt: skip


def _never(branches: Branches) -> list[str]:
    return [f"never taken: {branch}" for branch in branches.missed[:SHOWN]] if branches.share >= LEAST else []


def _figures(branches: Branches, read: set[str], written: set[str], ways: Mapping[str, str]) -> dict[str, Any]:
    return {
        "branches": len(branches.known),
        "taken": round(branches.share, 3),
        "tables_read": len(read),
        "tables_written": len(written),
        "rules_enforced": sum(way == _BOTH for way in ways.values()),
        "rules_by_behaviours": sum(way == _BEHAVIOURS for way in ways.values()),
        "rules_by_tasks": sum(way == _TASKS for way in ways.values()),
        "rules_not_exercised": sum(way == _NOT for way in ways.values()),
    }


def _run(package: Package, tools: Mapping[str, Tool]) -> None:
    session = Session(package, tools=tools, check_every=0)
    try:
        explore(session, Profile())
        for behaviour in package.behaviours:
            try:
                world = session.template.acquire(setup_of(behaviour))
            except EnvFactoryError:
                continue  # the check `behaviours` reports it
            try:
                observe(world, behaviour)
            finally:
                world.close()
    finally:
        session.close()


# ---------------------------------------------------------------- tables


def tables(package: Package, statements: Mapping[str, Any]) -> tuple[set[str], set[str]]:
    """The tables that statements read, and those that they write, as SQLite's authorizer sees them."""
    read: set[str] = set()
    written: set[str] = set()

    def authorise(action: int, one: str | None, two: str | None, database: str | None, source: str | None) -> int:
        if one in package.schema.tables:
            if action == sqlite3.SQLITE_READ:
                read.add(one)
            elif action in _WRITES:
                written.add(one)
        return sqlite3.SQLITE_OK

    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        connection.executescript(package.schema.ddl)
        connection.set_authorizer(authorise)
        for sql, bind in statements.items():
            try:
                connection.execute(f"EXPLAIN {sql}", bind).fetchall()
            except sqlite3.Error:
                continue  # such a statement fails in the world too, where the other checks see it
    finally:
        connection.close()
    return read, written


# ---------------------------------------------------------------- rules

_BOTH = "refused by the tools and allowed by them"
_BEHAVIOURS = "stated by at least two behaviours"
_TASKS = "kept by the agent alone: a task that declines, and its twin"
_NOT = "not exercised: no tool refuses by it, fewer than two behaviours and no refusal task with a twin name it"
_NEVER_REFUSED = "is enforced in server.py, but nothing was ever refused by it"
_NEVER_ALLOWED = "is enforced in server.py, but the tools that refuse by it never succeeded"
_ONE_SIDED = (_NEVER_REFUSED, _NEVER_ALLOWED)


def rules(package: Package, refused: set[tuple[str, str]], succeeded: set[str]) -> dict[str, str]:
    """How each rule of policy.md is seen from both sides."""
    enforced = {
        node.value.value
        for node in ast.walk(ast.parse(package.server_source))
        if isinstance(node, ast.keyword) and node.arg == "reason" and isinstance(node.value, ast.Constant)
    }
    twins = {
        turn.goal.decline for task in package.tasks if task.twin for turn in task.turns if turn.goal.decline is not None
    }
    ways: dict[str, str] = {}
    for rule in package.policy.rules:
        refusing = {tool for tool, reason in refused if reason == rule}
        named = sum(
            behaviour.origin.kind == "policy" and behaviour.origin.ref == rule for behaviour in package.behaviours
        )
        if refusing:
            ways[rule] = _BOTH if refusing & succeeded else _NEVER_ALLOWED
        elif rule in enforced:
            ways[rule] = _NEVER_REFUSED
        elif rule in twins:
            ways[rule] = _TASKS
        else:
            ways[rule] = _BEHAVIOURS if named >= 2 else _NOT
    return ways
