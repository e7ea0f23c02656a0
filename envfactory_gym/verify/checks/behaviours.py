"""Check `behaviours`: every example of behaviours.yaml does what it says, through the path agents use."""

from __future__ import annotations

import json
from typing import Any

from ...environment import Behaviour, EnvFactoryError, EnvironmentFault, Package, ToolError
from ...episode.sources import SourceError, walk
from ...world import Template
from ..finding import Finding, finding


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
            evidence.append(f"{behaviour.name}: {problem}")
    return finding(
        "behaviours", evidence, figures=kinds, remedy="correct the tool, or the expectation if its origin is wrong"
    )


def run(package: Package, behaviour: Behaviour) -> str | None:
    """Execute one behaviour; why it does not hold, or None where it does."""
    setup = behaviour.setup.model_copy(update={"now": behaviour.now}) if behaviour.now else behaviour.setup
    world = Template.of(package).acquire(setup)
    try:
        results: list[Any] = []
        for number, call in enumerate(behaviour.calls):
            try:
                arguments = _filled(call.arguments, results)
            except (SourceError, IndexError) as error:
                return f"call {number} ({call.tool}): an argument takes a result that is not there: {error}"
            try:
                result = json.loads(world.call(call.tool, arguments))
            except ToolError as error:
                if call.expect.error is None:
                    return f"call {number}: {call.tool}{arguments} was refused: {error.payload()}"
                wanted = call.expect.error.model_dump(exclude_none=True)
                met = {key: getattr(error, key) for key in wanted}
                if met != wanted:
                    return f"call {number}: {call.tool}{arguments} was refused with {met}, expected {wanted}"
                results.append(None)
                continue
            except EnvironmentFault as fault:
                return f"call {number}: {call.tool}{arguments} failed: {fault}"
            if call.expect.error is not None:
                wanted = call.expect.error.model_dump(exclude_none=True)
                return f"call {number}: {call.tool}{arguments} succeeded, expected the refusal {wanted}"
            results.append(result)
            if call.expect.result is not None and (where := difference(call.expect.result, result, "result")):
                return f"call {number}: {call.tool}{arguments}: {where}"
        if behaviour.changes is not None:
            counts: dict[str, int] = {}
            for table, _ in world.changes():
                counts[table] = counts.get(table, 0) + 1
            if counts != behaviour.changes:
                return f"it changed rows {counts}, expected {behaviour.changes}"
        return None
    finally:
        world.template.release(world)


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
