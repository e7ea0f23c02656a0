"""Check `declarations`: what tools say of themselves is true when they are called."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

from ...environment import EnvironmentFault, Package, Tool, ToolError
from ...world import LiveWorld, Template
from .. import places
from ..arguments import HintError, candidate_arguments, hinted_arguments, sampled_arguments
from ..finding import Finding, finding

CALLS = 120
"""Calls tried per tool."""

HIT_RATE = 0.9
"""Share of `candidates` that must succeed, and of `refused` that must be refused for their reason."""

MAX_RESULT = 40_000
"""Longest result, in characters of JSON: about the 10,000 tokens that hosts pass on."""


@dataclass
class _Tally:
    """What calling one tool showed."""

    succeeded: int = 0
    refused: int = 0
    problems: dict[str, str] = field(default_factory=dict)

    def blame(self, promise: str, evidence: str) -> None:
        """Keep the first piece of evidence against each promise."""
        self.problems.setdefault(promise, evidence)


def check(package: Package) -> Finding:
    """Call every tool with candidates, refusals and samples, and compare with what it declares."""
    evidence: list[str] = []
    rates: dict[str, Any] = {}
    world = Template.of(package).acquire()
    total = 0
    try:
        for tool in package.tools.values():
            tally = _Tally()
            try:
                rates |= _hints(world, tool, tally)
                for arguments in _attempts(world, tool):
                    _try(world, tool, arguments, tally)
            except HintError as error:
                tally.blame("hints", str(error))
            total += tally.succeeded
            evidence += [f"{places.of_tool(tool)}: {problem}" for problem in tally.problems.values()]
    finally:
        world.template.release(world)
    return finding(
        "declarations", evidence, figures={"successful_calls": total, "hit_rates": rates},
        remedy="make the tool do what it declares, or declare what it does",
    )  # fmt: skip


def _attempts(world: LiveWorld, tool: Tool) -> list[dict[str, Any]]:
    found = candidate_arguments(world, tool, CALLS)
    sampled = sampled_arguments(world, tool, Random(7))
    return found + [next(sampled) for _ in range(CALLS // 4)]


def _try(world: LiveWorld, tool: Tool, arguments: dict[str, Any], tally: _Tally) -> None:
    """Call once and, where it succeeds, once more."""
    shown = f"{tool.name}{arguments}"
    with world.trial():
        _judge(world, tool, arguments, shown, tally)


def _judge(world: LiveWorld, tool: Tool, arguments: dict[str, Any], shown: str, tally: _Tally) -> None:
    mark = world.mark()
    try:
        text = world.call(tool.name, arguments, actor=tool.actor)
        tally.succeeded += 1
        changes = world.changes(mark)
        tables = {table for table, _ in changes}
        if undeclared := sorted(tables - set(tool.writes)):
            tally.blame("writes", f"{shown} changed {', '.join(undeclared)}, not among writes={list(tool.writes)}")
        if not tool.destructive and (gone := [key for key, (_, new) in changes.items() if new is None]):
            tally.blame("destructive", f"{shown} deleted {gone[0]}, but it is not declared destructive")
        if (problem := tool.check_result(text)) is not None:
            tally.blame("result", f"{shown} returned a result that is not what it declares: {problem}")
        if len(text) > MAX_RESULT:
            tally.blame("size", f"{shown} returned {len(text)} characters; page results longer than {MAX_RESULT}")
        if tool.idempotent and tool.writes:
            _again(world, tool, arguments, shown, tally)
    except ToolError as error:
        tally.refused += 1
        if error.code in ("invalid", "not_found") and error.field is None and error.reason is None:
            tally.blame("field", f"{shown} was refused without naming a field or reason: {error.payload()}")
        if error.field is not None and error.field not in {parameter.name for parameter in tool.parameters} | set(
            arguments
        ):
            tally.blame("field", f"{shown} blames the field {error.field!r}, which is no argument")
    except EnvironmentFault as fault:
        tally.blame("fault", f"{shown} failed instead of refusing: {fault}")


def _again(world: LiveWorld, tool: Tool, arguments: dict[str, Any], shown: str, tally: _Tally) -> None:
    before = world.digest()
    # Refusing the repetition changes nothing either.
    with suppress(ToolError):
        world.call(tool.name, arguments, actor=tool.actor)
    if world.digest() != before:
        tally.blame("idempotent", f"{shown} changed something when it was repeated, but is declared idempotent")


def _hints(world: LiveWorld, tool: Tool, tally: _Tally) -> dict[str, float]:
    """Hit rates of the candidates and of each refusal."""
    rates = {}
    if tool.candidates:
        rows = candidate_arguments(world, tool, CALLS)
        if not rows:
            tally.blame("candidates", "its candidates give no row in the base world")
        hits = sum(_outcome(world, tool, arguments) is None for arguments in rows)
        if rows:
            rates[f"{tool.name}"] = round(hits / len(rows), 3)
            if hits < HIT_RATE * len(rows):
                tally.blame("candidates", f"only {hits} of {len(rows)} candidates succeed")
    for reason, sql in tool.refused.items():
        rows = list(hinted_arguments(world, tool, sql))[:CALLS]
        if not rows:
            tally.blame(f"refused {reason}", f"refused[{reason!r}] gives no row in the base world")
            continue
        met = [_outcome(world, tool, arguments) for arguments in rows]
        hits = sum(error is not None and reason in (error.reason, error.code) for error in met)
        rates[f"{tool.name}/{reason}"] = round(hits / len(rows), 3)
        if hits < HIT_RATE * len(rows):
            miss = next(
                (arguments, error)
                for arguments, error in zip(rows, met, strict=True)
                if error is None or reason not in (error.reason, error.code)
            )
            said = miss[1].payload() if miss[1] else "success"
            tally.blame(f"refused {reason}", f"{hits} of {len(rows)} are refused so; {miss[0]} gave {said}")
    return rates


def _outcome(world: LiveWorld, tool: Tool, arguments: dict[str, Any]) -> ToolError | None:
    """The refusal that a call meets; None where it succeeds. The world is left as it was."""
    with world.trial():
        try:
            world.call(tool.name, arguments, actor=tool.actor)
            return None
        except ToolError as error:
            return error
        except EnvironmentFault as fault:
            return ToolError("invalid", f"the environment failed: {fault}")
