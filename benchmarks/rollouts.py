"""What a rollout costs beyond its requests, and whether anything gets lost: `python -m benchmarks.rollouts`.

A scripted server in a process of its own plays gold over HTTP. Many episodes are played at once, and
then the very same requests are sent bare, through the same client, in the same order and as many
at once; the two take turns. What a step of a rollout takes longer is its overhead: reading answers, playing
them, keeping records. The second part plants faults, and compares every episode with a calm run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table

from envfactory_gym.agents.rollout import Rollout, rollout
from envfactory_gym.agents.scripted import GoldScript
from envfactory_gym.environment import Package, TaskPrivate, load_package
from envfactory_gym.llm import Client, Exchange, Retries
from envfactory_gym.llm.loopback import TRANSPORT_FAULTS, Faults, Loopback

from . import machine

TARGET_MS = 2.0
"""Overhead per step that is promised, in milliseconds."""

FAULTS = 0.05
TIMES = ("wall", "cpu")


def main(arguments: list[str] | None = None) -> int:
    """Measure and print; the exit code is 1 where a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rollouts", description=__doc__.partition("\n")[0])
    parser.add_argument("--episodes", type=int, default=256, help="at a time, and per round")
    parser.add_argument("--rounds", type=int, default=5, help="of each kind")
    parser.add_argument("--environment", default="airline")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the figures to this file")
    given = parser.parse_args(arguments)
    package = load_package(given.environment)
    tasks = [package.tasks[number % len(package.tasks)] for number in range(given.episodes)]
    with _server(given.environment) as url:
        overhead = asyncio.run(measure_overhead(url, package, tasks, given.rounds))
    kept = asyncio.run(measure_faults(package, tasks))
    found = {"machine": machine.describe(), "episodes": given.episodes, "overhead": overhead, "faults": kept}
    show(Console(), found)
    if given.json is not None:
        given.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    return 0 if overhead["over"]["wall"] <= TARGET_MS and not kept["lost"] and not kept["doubled"] else 1


@contextmanager
def _server(environment: str) -> Iterator[str]:
    """Gold over HTTP, in a process of its own."""
    command = [sys.executable, "-m", "envfactory_gym.agents.scripted", environment]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


async def measure_overhead(url: str, package: Package, tasks: Sequence[TaskPrivate], rounds: int) -> dict[str, Any]:
    """Milliseconds per step: of rollouts, of the same requests sent bare, and the difference, round by round."""
    episodes: list[list[Exchange]] = []

    async def play(client: Client) -> int:
        found = await _play(client, package, tasks)
        episodes[:] = [result.exchanges for result in found]
        return sum(map(len, episodes))

    async def bare(client: Client) -> int:
        await asyncio.gather(*(_send(client, exchanges) for exchanges in episodes))
        return sum(map(len, episodes))

    await _timed(url, len(tasks), play)  # templates, plans and the script's solutions are made once
    pairs = []
    for number in range(rounds):
        order = (play, bare) if number % 2 else (bare, play)
        first, second = [await _timed(url, len(tasks), work) for work in order]
        pairs.append((first, second) if order[0] is play else (second, first))
    return {
        "steps": sum(map(len, episodes)),
        "rollout": {name: median(played[name] for played, _ in pairs) for name in TIMES},
        "bare": {name: median(sent[name] for _, sent in pairs) for name in TIMES},
        "over": {name: median(played[name] - sent[name] for played, sent in pairs) for name in TIMES},
    }


async def _timed(url: str, episodes: int, work: Callable[[Client], Awaitable[int]]) -> dict[str, float]:
    async with Client(url, concurrency=episodes) as client:
        wall, cpu = time.perf_counter(), time.process_time()
        steps = await work(client)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return {"wall": wall / steps * 1e3, "cpu": cpu / steps * 1e3}


async def _play(client: Client, package: Package, tasks: Sequence[TaskPrivate]) -> list[Rollout]:
    return await asyncio.gather(
        *(rollout(task, "gold", client=client, package=package, trial=number) for number, task in enumerate(tasks))
    )


async def _send(client: Client, exchanges: Sequence[Exchange]) -> None:
    for exchange in exchanges:
        await client.complete(exchange.request, tag=exchange.tag)


async def measure_faults(package: Package, tasks: Sequence[TaskPrivate]) -> dict[str, Any]:
    """Episodes under faults against calm ones: calls lost, calls doubled, episodes that ended otherwise."""
    faults = Faults(rate=FAULTS, seed=1, kinds=TRANSPORT_FAULTS, hang=5.0)
    calm, stormy = Loopback(GoldScript([package])), Loopback(GoldScript([package]), faults=faults)
    with calm, stormy:
        async with Client(calm.url, concurrency=len(tasks)) as client:
            expected = await _play(client, package, tasks)
        retries = Retries(first=0.02)
        async with Client(stormy.url, concurrency=len(tasks), timeout=20.0, retries=retries) as client:
            found = await _play(client, package, tasks)
    calls = [([_call(c) for c in e.record.calls], [_call(c) for c in f.record.calls])
             for e, f in zip(expected, found, strict=True)]  # fmt: skip
    return {
        "requests": stormy.served.requests,
        "faults": dict(sorted(stormy.served.faults.items())),
        "lost": sum(max(0, len(wanted) - len(made)) for wanted, made in calls),
        "doubled": sum(max(0, len(made) - len(wanted)) for wanted, made in calls),
        "different": sum(
            wanted != made or e.outcome != f.outcome or e.record.digest != f.record.digest
            for (wanted, made), e, f in zip(calls, expected, found, strict=True)
        ),
        "answers": stormy.served.answered,
        "exchanges": sum(len(result.exchanges) for result in found),
    }


def _call(call: Any) -> tuple[Any, ...]:
    return call.turn, call.step, call.tool, json.dumps(call.arguments, sort_keys=True), call.result


def show(console: Console, found: dict[str, Any]) -> None:
    """Print both parts."""
    overhead, faults = found["overhead"], found["faults"]
    table = Table(title=f"{found['episodes']} episodes at a time, {overhead['steps']:,} steps: ms per step (medians)")
    for name in ("", *TIMES):
        table.add_column(name, justify="right" if name else "left")
    for label, key in (("rollouts", "rollout"), ("the same requests, sent bare", "bare"), ("overhead", "over")):
        table.add_row(label, *(f"{overhead[key][name]:.2f}" for name in TIMES))
    console.print(table)
    console.print(f"target: at most {TARGET_MS:g} ms of wall time")
    told = ", ".join(f"{kind} {number}" for kind, number in faults["faults"].items())
    console.print(
        f"{faults['requests']:,} requests with {sum(faults['faults'].values())} faults ({told}): calls lost "
        f"{faults['lost']}, doubled {faults['doubled']}; episodes that ended otherwise {faults['different']}; "
        f"{faults['answers']:,} whole answers, {faults['exchanges']:,} of them played"
    )


if __name__ == "__main__":
    sys.exit(main())
