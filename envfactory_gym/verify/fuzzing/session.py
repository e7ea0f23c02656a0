"""A session: calls played in worlds of one package, and what must never happen in any of them.

The environment must not fail, results must fit their schema, and the invariants must hold.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...environment import EnvironmentFault, Package, Tool, ToolError
from ...world import LiveWorld, Template
from .sources import Sources, values_at

Step = tuple[str, dict[str, Any]]
"""A tool and its arguments."""

KEPT = 60
"""Values of one kind that are remembered from results."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Something that must never happen.

    Attributes:
        kind: What failed: `fault` or `result` with the tool, or `invariant` with its name.
        problem: In words.
        steps: The calls that lead there; the last one shows it.
    """

    kind: str
    problem: str
    steps: tuple[Step, ...]

    def __str__(self) -> str:
        calls = "\n".join(f"  {tool}({json.dumps(arguments, ensure_ascii=False)})" for tool, arguments in self.steps)
        return f"{self.problem}, after\n{calls}"


@dataclass
class Tally:
    """What calling one tool gave: how often it succeeded and was refused, and for which reasons."""

    succeeded: int = 0
    refused: int = 0
    reasons: Counter[str] = field(default_factory=Counter)


class Session:
    """Everything that was played on one package.

    Args:
        package: The environment.
        tools: Its tools, where they are not those of its server (instrumented ones).
        check_every: Invariants are checked after every so many writing calls, and at the end of each sequence;
            never where it is 0.
        seed: Seed of the worlds' ids and chance.
    """

    def __init__(
        self, package: Package, *, tools: Mapping[str, Tool] | None = None, check_every: int = 8, seed: int = 0
    ) -> None:
        self.package, self.check_every = package, check_every
        self.template = Template(
            package.schema,
            package.data,
            tools=package.tools if tools is None else tools,
            now=package.manifest.clock,
            world_hash=package.world_hash,
        )
        self.world: LiveWorld = self.template.acquire(seed=seed)
        self.sources = Sources(package, self.world)
        self.tallies: dict[str, Tally] = {name: Tally() for name in package.tools}
        self.invariant_checks = 0
        self.begin()

    def begin(self) -> None:
        """Start a sequence in the base world."""
        self.world.reset()
        self.steps: list[Step] = []
        self.heard: dict[str, list[Any]] = {}
        self._unchecked = 0

    def unseen(self, tool: str) -> list[str]:
        """Declared reasons for which the tool was not refused so far."""
        reasons = self.tallies[tool].reasons
        return [reason for reason in self.package.tools[tool].refused if not reasons[reason]]

    def play(self, tool: str, arguments: dict[str, Any]) -> Failure | None:
        """Make one call; what must not happen and did, or None."""
        declared, tally = self.package.tools[tool], self.tallies[tool]
        self.steps.append((tool, arguments))
        try:
            text = self.world.call(tool, arguments, actor=declared.actor)
        except ToolError as error:
            tally.refused += 1
            tally.reasons.update({error.code, error.reason or error.code})
            return None
        except EnvironmentFault as fault:
            return self._failure(f"fault {tool}", str(fault))
        tally.succeeded += 1
        if (problem := declared.check_result(text)) is not None:
            return self._failure(f"result {tool}", f"{tool} returned a result that is not what it declares: {problem}")
        self._remember(declared, json.loads(text))
        if declared.writes:
            self._unchecked += 1
            if self.check_every and self._unchecked >= self.check_every:
                return self.check()
        return None

    def check(self) -> Failure | None:
        """The first invariant that a row breaks; None where all hold."""
        if not self._unchecked or not self.check_every:
            return None
        self._unchecked = 0
        for invariant in self.package.invariants:
            self.invariant_checks += 1
            try:
                rows = self.world.query(invariant.sql)
            except EnvironmentFault as fault:
                return self._failure(f"invariant {invariant.name}", str(fault))
            if rows:
                return self._failure(
                    f"invariant {invariant.name}", f"the invariant {invariant.name} returns {len(rows)} rows, {rows[0]}"
                )
        return None

    def replay(self, steps: Sequence[Step]) -> Failure | None:
        """Play a whole sequence from the base world, invariants at its end."""
        self.begin()
        for tool, arguments in steps:
            if (failure := self.play(tool, arguments)) is not None:
                return failure
        return self.check()

    def close(self) -> None:
        """End it; nothing can be played afterwards."""
        self.template.close()

    def _failure(self, kind: str, problem: str) -> Failure:
        return Failure(kind, problem, tuple(self.steps))

    def _remember(self, tool: Tool, result: Any) -> None:
        for path, ref in tool.outputs.items():
            values = self.heard.setdefault(ref, [])
            values += values_at(result, path)[:8]
            del values[:-KEPT]
