"""Light calls while a slow tool runs in other episodes: does one keep the others waiting?"""

from __future__ import annotations

import asyncio
import time
from typing import Any

from . import messages, running
from .desk_package import ticket_id
from .load import Connection
from .place import Place, create_many

LIGHT = 8
"""Connections that make light calls; one more makes slow ones."""


def measure(place: Place, *, quick: bool) -> dict[str, Any]:
    """Milliseconds that a light call took, wall clock: alone, and beside a slow tool that never rests."""
    with place.fleet() as server:
        return asyncio.run(_measure(server, 2.0 if quick else 6.0))


async def _measure(server: running.Server, seconds: float) -> dict[str, Any]:
    episodes = await create_many(server.port, LIGHT + 1)
    light = [
        messages.tool_call(episode.path, server.port, "get_ticket", {"ticket_id": ticket_id(number)})
        for number, episode in enumerate(episodes[:LIGHT])
    ]
    slow = messages.tool_call(episodes[LIGHT].path, server.port, "count_pairs", {})
    alone = await _light(server, light, seconds)
    stop = asyncio.Event()
    heavy = asyncio.create_task(_slow(server, slow, stop))
    await asyncio.sleep(0.3)
    beside = await _light(server, light, seconds)
    stop.set()
    took = await heavy
    return {
        "alone_p50_ms": _at(alone, 0.5), "alone_p95_ms": _at(alone, 0.95), "beside_p50_ms": _at(beside, 0.5),
        "beside_p95_ms": _at(beside, 0.95), "slow_ms": _at(took, 0.5), "slow_calls": len(took), "calls": len(beside),
    }  # fmt: skip


async def _light(server: running.Server, requests: list[bytes], seconds: float) -> list[float]:
    """Calls at a walking pace, so that what is measured is waiting for the server and not for its own queue."""
    until, found = time.perf_counter() + seconds, []

    async def one(request: bytes) -> None:
        connection = await Connection.open(server.port)
        await connection.ask(request)
        while time.perf_counter() < until:
            start = time.perf_counter()
            response = await connection.ask(request)
            found.append((time.perf_counter() - start) * 1e3)
            assert response.status == 200, response.body
            await asyncio.sleep(0.02)
        connection.close()

    await asyncio.gather(*map(one, requests))
    return found


async def _slow(server: running.Server, request: bytes, stop: asyncio.Event) -> list[float]:
    connection, found = await Connection.open(server.port), []
    while not stop.is_set():
        start = time.perf_counter()
        response = await connection.ask(request)
        found.append((time.perf_counter() - start) * 1e3)
        assert response.status == 200 and b'"isError":true' not in response.body, response.body
    connection.close()
    return found


def _at(samples: list[float], share: float) -> float:
    return sorted(samples)[round((len(samples) - 1) * share)]
