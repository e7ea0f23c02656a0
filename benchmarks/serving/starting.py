"""Starting with 300 environments, and the first call of one that nobody has used yet."""

from __future__ import annotations

import asyncio
import statistics
import time
from typing import Any

from . import messages, running
from .desk_package import ticket_id
from .load import Connection
from .place import Place, create


def measure(place: Place, *, quick: bool) -> dict[str, Any]:
    """Start: what `MANY` environments add to one, CPU seconds. Cold: milliseconds, wall clock and CPU.

    Interpreter and imports cost the same however many environments there are; they are given beside it.
    """
    one, many, wall = [], [], []
    cold: list[tuple[float, float]] = []
    for _ in range(1 if quick else 3):
        with running.fleet(place.names[0], environment=place.variables) as server:
            one.append(server.spent / 1e9)
        start = time.perf_counter()
        with running.fleet(*place.names, environment=place.variables) as server:
            wall.append(time.perf_counter() - start)
            many.append(server.spent / 1e9)
            # The first of all also pays for what every environment shares; it is not counted, but shown.
            begun = len(cold)
            names = place.names[10 + begun : 10 + begun + (4 if quick else 8)]
            cold += asyncio.run(_first_calls(server, names))
    added = [more - less for more, less in zip(many, one, strict=True)]
    shared, others = cold[0], [figures for number, figures in enumerate(cold) if number % len(names)]
    return {
        "added_seconds": statistics.median(added), "process_cpu_seconds": statistics.median(many),
        "process_wall_seconds": statistics.median(wall), "environments": len(place.names),
        "cold_cpu_ms": statistics.median(cpu for _, cpu in others),
        "cold_wall_ms": statistics.median(seen for seen, _ in others),
        "first_cold_wall_ms": shared[0], "first_cold_cpu_ms": shared[1], "cold": len(others),
    }  # fmt: skip


async def _first_calls(server: running.Server, names: tuple[str, ...]) -> list[tuple[float, float]]:
    """Wall clock and CPU, in milliseconds, of creating an episode of a cold environment and calling a tool in it."""
    connection = await Connection.open(server.port)
    found = []
    for name in names:
        spent, start = server.spent, time.perf_counter()
        episode = await create(connection, server.port, name)
        response = await connection.ask(
            messages.tool_call(episode.path, server.port, "get_ticket", {"ticket_id": ticket_id(1)})
        )
        found.append(((time.perf_counter() - start) * 1e3, (server.spent - spent) / 1e6))
        assert response.status == 200, response.body
    connection.close()
    return found
