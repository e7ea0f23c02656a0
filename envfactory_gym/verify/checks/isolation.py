"""Check `isolation`: worlds that run interleaved end as they end alone."""

from __future__ import annotations

from random import Random
from typing import Any

from ...environment import EnvironmentFault, Package, ToolError
from ...world import LiveWorld, Template
from ..arguments import Candidates, sampled_arguments
from ..finding import Finding, finding

WORLDS, CALLS = 16, 12


def check(package: Package) -> Finding:
    """Run seeded call sequences alone, then all of them at once in random order; compare results and digests.

    Alone means alone: each sequence has server.py imported anew, so that nothing of another
    sequence can be left in its module.
    """
    template = Template.of(package)
    candidates = Candidates(package)
    scripts = [_script(template, package, candidates, seed) for seed in range(WORLDS)]
    alone = [_alone(package, seed, script) for seed, script in enumerate(scripts)]
    worlds = [template.acquire(seed=seed) for seed in range(WORLDS)]
    heard: list[list[str]] = [[] for _ in worlds]
    order = [number for number, script in enumerate(scripts) for _ in script]
    Random(11).shuffle(order)
    for number in order:
        heard[number].append(_call(worlds[number], *scripts[number][len(heard[number])]))
    evidence = []
    for number, world in enumerate(worlds):
        if (heard[number], world.digest()) != alone[number]:
            where = next(
                (at for at, pair in enumerate(zip(heard[number], alone[number][0], strict=True)) if len(set(pair)) > 1),
                None,
            )
            step = scripts[number][where] if where is not None else "its final state"
            evidence.append(f"world {number} of {WORLDS} came out differently among others than alone, at {step}")
        template.release(world)
    return finding(
        "isolation", evidence, figures={"worlds": WORLDS, "calls": len(order)},
        remedy="keep all state in the world: no module variables, no mutable defaults, no caches in server.py",
    )  # fmt: skip


def _alone(package: Package, seed: int, script: list[tuple[str, dict[str, Any]]]) -> tuple[list[str], str]:
    """Results and final digest of one sequence in a world of its own."""
    fresh = Package(package.path, trusted=True)
    template = Template(
        package.schema, package.data, tools=fresh.tools, now=package.manifest.clock, world_hash=package.world_hash
    )
    try:
        world = template.acquire(seed=seed)
        return [_call(world, *step) for step in script], world.digest()
    finally:
        template.close()


def _script(
    template: Template, package: Package, candidates: Candidates, seed: int
) -> list[tuple[str, dict[str, Any]]]:
    random = Random(seed)
    world = template.acquire(seed=seed)
    try:
        steps = []
        tools = list(package.tools.values())
        for _ in range(CALLS):
            tool = random.choice(tools)
            rows = candidates.of(tool) or [next(sampled_arguments(world, tool, random))]
            steps.append((tool.name, random.choice(rows)))
        return steps
    finally:
        template.release(world)


def _call(world: LiveWorld, tool: str, arguments: dict[str, Any]) -> str:
    try:
        return world.call(tool, arguments, actor=world.template.tools[tool].actor)
    except (ToolError, EnvironmentFault) as error:
        return f"{type(error).__name__}: {error}"
