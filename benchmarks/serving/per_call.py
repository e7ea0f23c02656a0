"""One light call: server CPU time beside an echo, at 16 and at 1,000 connections.

In every round each server has its turn, so that a ratio compares neighbours in time; the median of the rounds' ratios
is the result. Each connection of a fleet has an episode of its own.
"""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from .. import process_memory
from . import messages, running
from .desk_package import ticket_id
from .load import Connection, drive
from .place import Place, create_many

FEW, MANY = 16, 1_000
"""Connections."""

ECHO, SDK, FAST = "Starlette echo", "fleet, SDK path", "fleet, fast path"
LEGACY, PLAIN = "fleet, SDK path, era before", "plain MCPServer, one world for all"
LIMITS = ("--max-episodes", "5000", "--max-live", "2000")


@dataclass
class Subject:
    """A server under load: one request per connection, and what the rounds found."""

    server: running.Server
    requests: Sequence[bytes]
    connections: int
    each: int
    rounds: list[dict[str, float]] = field(default_factory=list)

    async def round(self) -> None:
        """Connect, warm up, measure, hang up."""
        connections = [await Connection.open(self.server.port) for _ in range(self.connections)]
        await drive(connections, self.requests, 2)
        before = self.server.spent
        load = await drive(connections, self.requests, self.each)
        spent = self.server.spent - before
        for connection in connections:
            connection.close()
        if load.wrong:
            raise RuntimeError(f"{load.wrong} of {load.calls} calls were not answered as they should be")
        self.rounds.append({
            "cpu": spent / 1e3 / load.calls, "calls_per_second": load.calls / load.seconds,
            "p50_ms": load.latency(0.5) * 1e3, "p95_ms": load.latency(0.95) * 1e3,
        })  # fmt: skip


def measure(place: Place, *, quick: bool) -> dict[str, Any]:
    """Figures by server and number of connections; CPU in microseconds per call."""
    return asyncio.run(_measure(place, rounds=3 if quick else 9, each=60 if quick else 120))


async def _measure(place: Place, rounds: int, each: int) -> dict[str, Any]:
    with ExitStack() as stack:
        echo = stack.enter_context(running.subject("echo"))
        plain = stack.enter_context(running.subject("plain", "--package", str(place.desk)))
        slow = stack.enter_context(place.fleet("--no-fast", *LIMITS))
        fast = stack.enter_context(place.fleet("--fast", *LIMITS))
        subjects: dict[tuple[str, int], Subject] = {}
        for name, server in ((ECHO, echo), (PLAIN, plain), (SDK, slow), (FAST, fast)):
            paths = ["/mcp"] * MANY
            if server in (slow, fast):
                paths = [episode.path for episode in await create_many(server.port, MANY)]
            asked = [_call(path, server.port, number) for number, path in enumerate(paths)]
            subjects[name, FEW] = Subject(server, asked[:FEW], FEW, each)
            subjects[name, MANY] = Subject(server, asked, MANY, max(4, each // 30))
            if server is slow:
                before = [
                    messages.legacy_call(path, server.port, "get_ticket", {"ticket_id": ticket_id(number)})
                    for number, path in enumerate(paths[:FEW])
                ]
                subjects[LEGACY, FEW] = Subject(server, before, FEW, each)
        for _ in range(rounds):
            for subject in subjects.values():
                await subject.round()
        memory = {
            name: process_memory.read(server.process.pid)["pss"]
            for name, server in ((ECHO, echo), (PLAIN, plain), (SDK, slow), (FAST, fast))
        }
    yardstick = {count: [one["cpu"] for one in subjects[ECHO, count].rounds] for count in (FEW, MANY)}
    made = {
        count: sum(one.connections * one.each for (_, of), one in subjects.items() if of == count)
        for count in (FEW, MANY)
    }
    calls = {str(count): total // len({name for name, of in subjects if of == count}) for count, total in made.items()}
    found: dict[str, Any] = {"rounds": rounds, "calls": calls, "memory": memory, "servers": {}}
    for (name, count), subject in subjects.items():
        cpu = [one["cpu"] for one in subject.rounds]
        figures = {key: statistics.median(one[key] for one in subject.rounds) for key in subject.rounds[0]}
        figures["ratio"] = _ratio(cpu, yardstick[count])
        if count == MANY:
            figures["many"] = _ratio(cpu, [one["cpu"] for one in subjects[name, FEW].rounds])
        found["servers"].setdefault(name, {})[str(count)] = figures
    return found


def _call(path: str, port: int, number: int) -> bytes:
    return messages.tool_call(path, port, "get_ticket", {"ticket_id": ticket_id(number)})


def _ratio(over: Sequence[float], under: Sequence[float]) -> float:
    """Median of the rounds' own ratios."""
    return statistics.median(a / b for a, b in zip(over, under, strict=True))
