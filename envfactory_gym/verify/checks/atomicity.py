"""Check `atomicity`: a call that errs, for whatever reason and at whatever point, leaves no trace."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from ...environment import EnvironmentFault, Package, Tool, ToolError
from ...world import LiveWorld, Template, World
from ..arguments import HintError, candidate_arguments, hinted_arguments, sampled_arguments
from ..finding import Finding, finding

CALLS = 12
"""Calls per tool that are interrupted after each of their operations."""

OPERATIONS = 40
"""Operations of one call that are tried as the point of interruption."""

INTERRUPTED = "interrupted-by-check"


class _Fuse:
    """Decides at which operation of a tool the next call is interrupted; 0 for never."""

    def __init__(self) -> None:
        self.left = 0

    def fitted(self, tool: Tool) -> Tool:
        """The tool, working on a view that burns this fuse."""

        def function(world: World, **arguments: Any) -> Any:
            return tool.function(_FusedView(world, self), **arguments)

        return replace(tool, function=function)

    def burn(self) -> None:
        """One operation is done."""
        self.left -= 1
        if self.left == 0:
            raise ToolError("conflict", "interrupted by the atomicity check", reason=INTERRUPTED)


class _FusedView:
    """A world's view whose every operation burns a fuse, as a tool would that fails there."""

    def __init__(self, world: World, fuse: _Fuse) -> None:
        self._world, self._fuse = world, fuse

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._world, name)
        if not callable(found):
            return found

        def counted(*args: Any, **kwargs: Any) -> Any:
            result = found(*args, **kwargs)
            self._fuse.burn()
            return result

        return counted


def check(package: Package) -> Finding:
    """Interrupt calls after each of their operations, and provoke refusals; compare before and after."""
    evidence: list[str] = []
    interrupted = refused = 0
    fuse = _Fuse()
    template = Template(
        package.schema,
        package.data,
        tools={name: fuse.fitted(tool) for name, tool in package.tools.items()},
        now=package.manifest.clock,
        world_hash=package.world_hash,
    )
    world = template.acquire()
    try:
        for tool in package.tools.values():
            try:
                for arguments in candidate_arguments(world, tool, CALLS):
                    done, problem = _interrupt_everywhere(world, fuse, tool, arguments)
                    interrupted += done
                    evidence += problem
                for arguments in _refusals(world, tool):
                    refused += 1
                    evidence += _trace(world, tool, arguments)
            except HintError as error:
                evidence.append(str(error))
    finally:
        template.release(world)
        template.close()
    return finding(
        "atomicity", evidence[:20], figures={"interrupted": interrupted, "refused": refused},
        remedy="keep all effects in the world, so that the call's savepoint undoes them",
    )  # fmt: skip


def _interrupt_everywhere(
    world: LiveWorld, fuse: _Fuse, tool: Tool, arguments: dict[str, Any]
) -> tuple[int, list[str]]:
    """Interrupt one call after its first operation, its second, and so on until it gets through.

    After every interruption the next uninterrupted call must give what it gives at once.
    """
    with world.trial():
        wanted = _heard(world, tool, arguments)
    for at in range(1, OPERATIONS + 1):
        with world.trial():
            before = fingerprint(world)
            fuse.left = at
            try:
                heard = _heard(world, tool, arguments)
            finally:
                fuse.left = 0
            if INTERRUPTED not in heard:
                repeated = f"{tool.name}{arguments}, repeated from the same state, gives {heard}, not {wanted}"
                return at - 1, [] if heard == wanted else [repeated]
            if fingerprint(world) != before:
                return at, [f"{tool.name}{arguments}, interrupted after operation {at}, left a trace"]
            if (again := _heard(world, tool, arguments)) != wanted:
                repeated = f"{tool.name}{arguments}, repeated after an interruption at operation {at}"
                return at, [f"{repeated}, gives {again}, not {wanted}"]
    return OPERATIONS, []


def _heard(world: LiveWorld, tool: Tool, arguments: dict[str, Any]) -> str:
    """The result of a call, or what refused it, as text."""
    try:
        return world.call(tool.name, arguments, actor=tool.actor)
    except ToolError as error:
        return f"refused: {error.payload()}"
    except EnvironmentFault as fault:
        return f"failed: {fault}"


def _refusals(world: LiveWorld, tool: Tool) -> list[dict[str, Any]]:
    found = [row for sql in tool.refused.values() for row in list(hinted_arguments(world, tool, sql))[:CALLS]]
    sampled = sampled_arguments(world, tool, Random(3))
    return found + [next(sampled) for _ in range(CALLS)]


def _trace(world: LiveWorld, tool: Tool, arguments: dict[str, Any]) -> list[str]:
    with world.trial():
        before = fingerprint(world)
        heard = _heard(world, tool, arguments)
        changed = heard.startswith(("refused: ", "failed: ")) and fingerprint(world) != before
        return [f"{tool.name}{arguments} left a trace although it was {heard}"] if changed else []


def fingerprint(world: LiveWorld) -> tuple[str, int]:
    """State, and how many ids were minted: what an error must leave as it was."""
    return world.digest(), len(world.minted)
