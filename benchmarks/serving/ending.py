"""SIGTERM while 500 clients have a stream open: how long until the process has ended, and with what to say."""

from __future__ import annotations

import asyncio
from typing import Any

from . import messages, running
from .load import Connection
from .place import DESK, Place

STREAMS = 500


def measure(place: Place, *, quick: bool) -> dict[str, Any]:
    """Seconds from the signal to the end, by the number of streams that were open."""
    del quick
    found = {}
    for streams in (0, STREAMS):
        with place.fleet() as server:
            found[str(streams)] = asyncio.run(_measure(server, streams))
            found[f"exit_{streams}"] = server.process.returncode
    return found


async def _measure(server: running.Server, streams: int) -> float:
    path = f"/{DESK}/mcp"
    connections = []
    for _ in range(streams):
        connection = await Connection.open(server.port)
        opened = await connection.ask(messages.initialize(path, server.port))
        session = opened.header("mcp-session-id")
        assert opened.status == 200 and session is not None, (opened.status, opened.body)
        await connection.ask(messages.initialized(path, server.port, session))
        response = await connection.ask(messages.open_stream(path, server.port, session), headers_only=True)
        assert response.status == 200, (response.status, response.body)
        connections.append(connection)
    seconds = await asyncio.to_thread(server.stop)
    for connection in connections:
        connection.close()
    return seconds
