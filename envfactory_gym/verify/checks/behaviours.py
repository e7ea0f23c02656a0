"""Check `behaviours`: every example of behaviours.yaml does what it says, through the path agents use."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from ...environment import Behaviour, EnvFactoryError, EnvironmentFault, Package, Setup, ToolError
from ...episode.sources import SourceError, walk
from ...world import LiveWorld, Template
from .. import places
from ..finding import Finding, finding


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a behaviour does not hold.

    Attributes:
        text: What was met, and what was expected.
        fault: Whether the environment failed instead of giving a wrong answer.
    """

    text: str
    fault: bool = False

    def __str__(self) -> str:
        return self.text


def check(package: Package) -> Finding:
    """Execute all behaviours."""
    evidence: list[str] = []
    kinds: dict[str, int] = {}
    for behaviour in package.behaviours:
        kinds[behaviour.origin.kind] = kinds.get(behaviour.origin.kind, 0) + 1
        try:
            problem = run(package, behaviour)
        except EnvFactoryError as error:
            problem = str(error)
        if problem:
            evidence.append(f"{places.of_behaviour(package, behaviour)}: {problem}")
    return finding(
        "behaviours", evidence, figures=kinds, remedy="correct the tool, or the expectation if its origin is wrong"
    )


def run(package: Package, behaviour: Behaviour) -> str | None:
    """Execute one behaviour; why it does not hold, or None where it does."""
    template = Template.of(package)
    world = template.acquire(setup_of(behaviour))
    try:
        problem = observe(world, behaviour)
        return problem.text if problem else None
    finally:
        template.release(world)


def setup_of(behaviour: Behaviour) -> Setup:
    """What the world of a behaviour begins with, its clock included."""
    return behaviour.setup.model_copy(update={"now": behaviour.now}) if behaviour.now else behaviour.setup


def observe(world: LiveWorld, behaviour: Behaviour) -> Problem | None:
    """Make the calls of a behaviour in a world that has its setup; the first thing that is not as expected."""
    results: list[Any] = []
    for number, call in enumerate(behaviour.calls):
        try:
            arguments = _filled(call.arguments, results)
        except (SourceError, IndexError) as error:
            return Problem(f"call {number} ({call.tool}): an argument takes a result that is not there: {error}")
        shown = f"call {number}: {call.tool}{arguments}"
        try:
            # An example may hold calls of the user's own tools; each is made by whoever has the tool.
            tool = world.template.tools.get(call.tool)
            result = json.loads(world.call(call.tool, arguments, actor=tool.actor if tool else "agent"))
        except ToolError as error:
            if call.expect.error is None:
                return Problem(f"{shown} was refused: {error.payload()}")
            wanted = call.expect.error.model_dump(exclude_none=True)
            met = {key: getattr(error, key) for key in wanted}
            if met != wanted:
                return Problem(f"{shown} was refused with {met}, expected {wanted}")
            results.append(None)
            continue
        except EnvironmentFault as fault:
            return Problem(f"{shown} failed: {fault}", fault=True)
        if call.expect.error is not None:
            wanted = call.expect.error.model_dump(exclude_none=True)
            return Problem(f"{shown} succeeded, expected the refusal {wanted}")
        results.append(result)
        if call.expect.result is not None and (where := difference(call.expect.result, result, "result")):
            return Problem(f"{shown}: {where}")
    if behaviour.changes is not None:
        counts: dict[str, int] = {}
        for table, _ in world.changes():
            counts[table] = counts.get(table, 0) + 1
        if counts != behaviour.changes:
            return Problem(f"it changed rows {counts}, expected {behaviour.changes}")
    return None


def _filled(value: Any, results: list[Any]) -> Any:
    """Arguments with `{"$call": 0, "path": ...}` replaced by results."""
    if isinstance(value, dict):
        if "$call" in value:
            return walk(results[value["$call"]], value.get("path", ""))
        return {key: _filled(child, results) for key, child in value.items()}
    return [_filled(child, results) for child in value] if isinstance(value, list) else value


def difference(expected: Any, actual: Any, path: str) -> str | None:
    """Where a result lacks what was expected: objects may have more keys, all else must be equal."""
    if isinstance(expected, dict):
        if not isinstance(actual, dict):
            return f"{path} is {actual!r}, expected an object"
        for key, child in expected.items():
            if key not in actual:
                return f"{path}.{key} is missing"
            if found := difference(child, actual[key], f"{path}.{key}"):
                return found
        return None
    if isinstance(expected, list):
        if not isinstance(actual, list) or len(actual) != len(expected):
            return f"{path} is {actual!r}, expected {expected!r}"
        pairs = enumerate(zip(expected, actual, strict=True))
        return next((found for at, (left, right) in pairs if (found := difference(left, right, f"{path}.{at}"))), None)
    same = expected == actual and isinstance(expected, bool) == isinstance(actual, bool)
    return None if same else f"{path} is {actual!r}, expected {expected!r}"
