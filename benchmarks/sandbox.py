"""What a sandbox costs: opening it, a call, an episode, each beside the same in process, in one run.

`python -m benchmarks.sandbox [--verify] [--json FILE]`. Times are wall clock, since two processes take part;
medians. `--verify` also verifies a package both ways, which takes minutes.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table

from envfactory_gym.agents import GoldAgent, play
from envfactory_gym.environment import Package, load_package
from envfactory_gym.episode import Episode
from envfactory_gym.verify import verify, verify_sandboxed
from envfactory_gym.verify.arguments import Candidates
from envfactory_gym.verify.unverified import UnverifiedPackage
from envfactory_gym.world import Template

from . import machine

PACKAGE = "airline"
EPISODES = 10


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, check that both ways give the same, and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sandbox", description="What a sandbox costs here.")
    parser.add_argument("--verify", action="store_true", help="also verify a package both ways; minutes")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write all figures to this file")
    given = parser.parse_args(arguments)
    found = measure(verified=given.verify)
    show(Console(), found)
    if given.json is not None:
        given.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    return 0


def measure(*, verified: bool = False, repeat: int = 200, episodes: int = EPISODES) -> dict[str, Any]:
    """Seconds of each thing in process and in a sandbox, by name.

    Args:
        verified: Whether to verify a package both ways.
        repeat: Calls per figure.
        episodes: Tasks that are played.
    """
    here = load_package(PACKAGE)
    started = time.perf_counter()
    there = UnverifiedPackage(here.path)
    opening = time.perf_counter() - started
    figures: dict[str, Any] = {"open": [None, opening]}
    try:
        protection = there.protection.summary()
        for tool in _cheapest(here):
            answers = [_call(package, tool, repeat) for package in (here, there)]
            assert answers[0][1] == answers[1][1], f"{tool} answers differently in the sandbox"
            figures[f"call of {tool}"] = [answers[0][0], answers[1][0]]
        figures["episode of gold"] = [_episodes(package, episodes) for package in (here, there)]
    finally:
        there.remote.close()
    if verified:
        folder = load_package("dns").path
        times = [_seconds(lambda: verify(Package(folder, trusted=True), mutate=False)), _sandboxed(folder)]
        figures["verify without mutants"] = times
    return {"machine": machine.describe(), "protection": protection, "figures": figures}


def _cheapest(package: Package) -> list[str]:
    """Two tools with candidates: the first that reads, and the first that writes."""
    tools = [tool for tool in package.tools.values() if tool.candidates and tool.actor == "agent"]
    return [
        next(tool.name for tool in tools if tool.read_only),
        next(tool.name for tool in tools if not tool.read_only),
    ]


def _call(package: Package, name: str, repeat: int) -> tuple[float, str]:
    """Seconds of one call, and its result."""
    world = Template.of(package).acquire(seed=1)
    try:
        arguments = json.dumps(Candidates(package).of(package.tools[name])[0])
        times = []
        for _ in range(repeat):
            world.reset()
            started = time.perf_counter()
            result = world.call(name, arguments)
            times.append(time.perf_counter() - started)
        return median(times), result
    finally:
        world.template.release(world)


def _episodes(package: Package, count: int) -> float:
    """Seconds of one episode that gold plays."""
    times = []
    for task in package.tasks[:count]:
        with Episode(package, task) as episode:
            started = time.perf_counter()
            play(episode, GoldAgent(episode))
            times.append(time.perf_counter() - started)
            assert episode.outcome is not None
            assert episode.outcome.reward == 1.0
    return median(times)


def _sandboxed(folder: Path) -> float:
    return _seconds(lambda: verify_sandboxed(folder, mutate=False))


def _seconds(work: Callable[[], Any]) -> float:
    started = time.perf_counter()
    assert work().passed
    return time.perf_counter() - started


def show(console: Console, found: dict[str, Any]) -> None:
    """The figures as a table."""
    about = found["machine"]
    console.print(f"{about['machine']}, Python {about['python']}, {about['system']}, {about['date']}")
    console.print(found["protection"])
    table = Table("what", "in process", "in a sandbox", "ratio")
    for name, (here, there) in found["figures"].items():
        ratio = "" if here is None else f"× {there / here:.1f}"
        table.add_row(name, "" if here is None else _time(here), _time(there), ratio)
    console.print(table)


def _time(seconds: float) -> str:
    return (
        f"{seconds:.2f} s"
        if seconds >= 1
        else f"{1e3 * seconds:.2f} ms"
        if seconds >= 1e-3
        else f"{1e6 * seconds:.0f} µs"
    )


if __name__ == "__main__":
    raise SystemExit(main())
