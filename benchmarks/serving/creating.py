"""Creating an episode over the control plane, and giving it back."""

from __future__ import annotations

import asyncio
import statistics
import time
from typing import Any

from . import messages
from .load import Connection
from .place import Place, create


def measure(place: Place, *, quick: bool) -> dict[str, Any]:
    """Milliseconds per episode: creating (wall clock and CPU), deleting."""
    with place.fleet() as server:
        return asyncio.run(_measure(server, 200 if quick else 1_000))


async def _measure(server: Any, count: int) -> dict[str, Any]:
    connection = await Connection.open(server.port)
    creating, deleting, spent = [], [], 0
    for number in range(count + 20):
        before, start = server.spent, time.perf_counter()
        episode = await create(connection, server.port)
        made, after = time.perf_counter(), server.spent
        response = await connection.ask(messages.http("DELETE", f"/v1/episodes/{episode.id}", server.port))
        assert response.status == 204, response.body
        if number >= 20:
            creating.append((made - start) * 1e3)
            deleting.append((time.perf_counter() - made) * 1e3)
            spent += after - before
    connection.close()
    return {
        "create_ms": statistics.median(creating), "create_cpu_ms": spent / 1e6 / count,
        "create_p95_ms": statistics.quantiles(creating, n=20)[-1], "delete_ms": statistics.median(deleting),
        "episodes": count,
    }  # fmt: skip
