"""The usual alternative: an MCP server process for every episode, driven by the official client.

Each episode starts `python server.py`, shakes hands over stdio and makes the 24 calls. All servers
are kept until the last one has played, so that their memory can be read side by side.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from .. import process_memory, shop_play
from ..clock import summary


def measure(folder: Path, orders: int, episodes: int) -> dict[str, Any]:
    """Wall-clock figures of starting a server, of one call and of the episode.

    Also, per episode: CPU time of client and server together, and memory of the server.
    """
    return asyncio.run(_measure(folder, shop_play.calls(orders), episodes))


async def _measure(folder: Path, calls: list[shop_play.Call], episodes: int) -> dict[str, Any]:
    starts, steps, wholes = [], [], []
    parameters = StdioServerParameters(
        command=sys.executable, args=[str(folder / "server.py")], env=dict(os.environ), cwd=str(folder)
    )
    before, spent = _children(), time.process_time()
    async with AsyncExitStack() as stack:
        for _ in range(episodes):
            start = time.perf_counter_ns()
            reader, writer = await stack.enter_async_context(stdio_client(parameters))
            session = await stack.enter_async_context(ClientSession(reader, writer))
            await session.initialize()
            ready = time.perf_counter_ns()
            refused = 0
            for name, arguments in calls:
                result = await session.call_tool(name, arguments)
                refused += bool(json.loads(result.model_dump_json(by_alias=True)).get("isError"))
            end = time.perf_counter_ns()
            assert refused == shop_play.REFUSED, f"{refused} calls were refused, not {shop_play.REFUSED}"
            starts.append(ready - start)
            steps.append((end - ready) / len(calls))
            wholes.append(end - start)
        servers = _children() - before
        assert len(servers) == episodes, f"{len(servers)} servers are running, not {episodes}"
        memory = [process_memory.read(pid) for pid in servers]
        spent = time.process_time() - spent + sum(map(_cpu_seconds, servers))
    return {
        "start": summary(starts), "step": summary(steps), "whole": summary(wholes), "episodes": episodes,
        "cpu": spent / episodes * 1e6,
        "memory": {kind: sum(one[kind] for one in memory) / episodes for kind in ("pss", "anonymous")},
    }  # fmt: skip


def _cpu_seconds(pid: int) -> float:
    """CPU time that a process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _children() -> set[int]:
    """Processes started by this one that still run."""
    found = set()
    for task in Path("/proc/self/task").iterdir():
        found |= {int(pid) for pid in (task / "children").read_text(encoding="ascii").split()}
    return found
