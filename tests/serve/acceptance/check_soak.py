"""A hundred thousand episodes come and go, and the process is as it was: memory, threads, descriptors, counts.

`ENVFACTORY_SOAK` says how many (100,000 by default). The first tenth warms up: allocators, caches and the interpreter
reach their size there. What is compared is the memory after it and the memory at the end.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks import process_memory
from benchmarks.serving import desk_package, messages, running
from benchmarks.serving.load import Connection, drive
from benchmarks.serving.place import DESK, Episode, create

CYCLES = int(os.environ.get("ENVFACTORY_SOAK", "100000"))
CONNECTIONS = 16
GROWTH = 1.10
"""How much larger the process may be at the end."""

SETTLING = 20.0
"""Seconds in which counts may go back to what they were: sessions end a moment after their connections."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[running.Server]:
    """A fleet that serves the measured help desk."""
    folder = tmp_path_factory.mktemp("soak")
    (folder / "home").mkdir()
    package = desk_package.write(folder / "packages" / DESK)
    variables = running.trusting(folder / "home", folder / "packages", [package])
    with running.fleet(DESK, environment={**variables, "ENVFACTORY_CACHE": str(folder / "cache")}) as server:
        yield server


def footprint(server: running.Server) -> dict[str, int]:
    """What the process holds: threads, descriptors, live episodes as it counts them itself."""
    process = Path("/proc") / str(server.process.pid)
    return {"threads": len(list((process / "task").iterdir())), "descriptors": len(list((process / "fd").iterdir()))}


async def metrics(server: running.Server) -> dict[str, float]:
    """The fleet's own figures, by name with labels."""
    connection = await Connection.open(server.port)
    page = (await connection.ask(messages.http("GET", "/metrics", server.port))).body.decode()
    connection.close()
    pairs = (line.rsplit(" ", 1) for line in page.splitlines() if line and not line.startswith("#"))
    return {name: float(value) for name, value in pairs}


async def live_episodes(server: running.Server) -> int:
    """Episodes that exist, by the control plane."""
    connection = await Connection.open(server.port)
    response = await connection.ask(messages.http("GET", "/v1/episodes?limit=1", server.port))
    connection.close()
    return int(json.loads(response.body)["total"])


async def cycles(server: running.Server, count: int) -> None:
    """Create, look up, write, delete: on `CONNECTIONS` connections at once."""
    left = iter(range(count))

    async def one() -> None:
        connection = await Connection.open(server.port)
        for number in left:
            episode = await create(connection, server.port)
            await _use(connection, server.port, episode, number)
            gone = await connection.ask(messages.http("DELETE", f"/v1/episodes/{episode.id}", server.port))
            assert gone.status == 204, gone.body
        connection.close()

    await asyncio.gather(*(one() for _ in range(CONNECTIONS)))


async def _use(connection: Connection, port: int, episode: Episode, number: int) -> None:
    ticket = desk_package.ticket_id(4 * (number % 200))
    asked = (("get_ticket", {"ticket_id": ticket}), ("add_note", {"ticket_id": ticket, "body": "x" * (number % 100)}))
    for tool, arguments in asked:
        response = await connection.ask(messages.tool_call(episode.path, port, tool, arguments))
        assert response.status == 200 and b'"isError":true' not in response.body, (response.status, response.body)


async def settled(server: running.Server, wanted: dict[str, int]) -> dict[str, int]:
    """The footprint, once it is no larger than what is wanted or the time for that is over."""
    until = time.monotonic() + SETTLING
    while any(found > wanted[name] for name, found in footprint(server).items()) and time.monotonic() < until:
        await asyncio.sleep(0.2)
    return footprint(server)


async def test_episodes_come_and_go_without_a_trace(server: running.Server) -> None:
    await cycles(server, CYCLES // 10)
    await asyncio.sleep(1.0)
    before, memory = footprint(server), process_memory.read(server.process.pid)["pss"]
    start = time.perf_counter()
    await cycles(server, CYCLES)
    seconds = time.perf_counter() - start
    after = await settled(server, before)
    grown = process_memory.read(server.process.pid)["pss"]
    print(
        f"\n{CYCLES:,} cycles in {seconds:,.0f} s: {memory / 1e6:.1f} MB -> {grown / 1e6:.1f} MB, {before} -> {after}"
    )
    assert await live_episodes(server) == 0
    assert after == before
    assert grown <= memory * GROWTH


async def test_sessions_of_the_era_before_come_and_go_without_a_trace(server: running.Server) -> None:
    path = f"/{DESK}/mcp"

    async def session() -> None:
        connection = await Connection.open(server.port)
        opened = await connection.ask(messages.initialize(path, server.port))
        identifier = opened.header("mcp-session-id")
        assert identifier is not None, opened.body
        await connection.ask(messages.initialized(path, server.port, identifier))
        own = {"Mcp-Session-Id": identifier}
        asked = messages.legacy_call(path, server.port, "get_ticket", {"ticket_id": "T-00001"}, headers=own)
        assert (await connection.ask(asked)).status == 200
        closed = await connection.ask(
            messages.http("DELETE", path, server.port, None, {"MCP-Protocol-Version": messages.LEGACY, **own})
        )
        assert closed.status in (200, 204), closed.status
        connection.close()

    async def many(count: int) -> None:
        for _ in range(count // CONNECTIONS):
            await asyncio.gather(*(session() for _ in range(CONNECTIONS)))

    count = CYCLES // 20
    await many(count // 10)
    await asyncio.sleep(1.0)
    before, memory = footprint(server), process_memory.read(server.process.pid)["pss"]
    await many(count)
    after = await settled(server, before)
    grown = process_memory.read(server.process.pid)["pss"]
    print(f"\n{count:,} sessions: {memory / 1e6:.1f} MB -> {grown / 1e6:.1f} MB, {before} -> {after}")
    assert after == before
    assert grown <= memory * GROWTH


async def test_a_thousand_at_once_give_their_memory_back(server: running.Server) -> None:
    connection = await Connection.open(server.port)
    for _ in range(2):  # the first time makes room, the second must find it again
        episodes = [await create(connection, server.port) for _ in range(1_000)]
        calls = [
            messages.tool_call(one.path, server.port, "add_note", {"ticket_id": "T-00000", "body": "x" * 500})
            for one in episodes
        ]
        for call in calls:
            await drive([connection], [call], 1)
        high = process_memory.read(server.process.pid)["pss"]
        for one in episodes:
            await connection.ask(messages.http("DELETE", f"/v1/episodes/{one.id}", server.port))
        low = process_memory.read(server.process.pid)["pss"]
        print(f"\n1,000 live episodes: {high / 1e6:.1f} MB, deleted: {low / 1e6:.1f} MB")
    connection.close()
    assert await live_episodes(server) == 0
    assert low <= high
