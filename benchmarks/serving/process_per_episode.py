"""The usual alternative: a server process for every episode, over standard input and output."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from typing import Any

from .. import process_memory
from . import processor, running
from .desk_package import ticket_id
from .messages import LEGACY
from .place import Place


def measure(place: Place, *, quick: bool) -> dict[str, Any]:
    """Start (wall-clock seconds and CPU milliseconds), one call (CPU microseconds), memory (bytes)."""
    found: dict[str, list[float]] = {"start": [], "start_cpu_ms": [], "cpu": [], "memory": []}
    calls = 200 if quick else 500
    for _ in range(2 if quick else 5):
        start = time.perf_counter()
        command = [sys.executable, str(place.desk / "server.py")]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=running.variables(**place.variables)
        ) as process:
            try:
                _ask(process, 0, "initialize", {
                    "protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"},
                })  # fmt: skip
                _send(process, {"jsonrpc": "2.0", "method": "notifications/initialized"})
                found["start"].append(time.perf_counter() - start)
                found["start_cpu_ms"].append(processor.nanoseconds(process.pid) / 1e6)
                for warm in range(20):
                    _call(process, warm)
                before = processor.nanoseconds(process.pid)
                for number in range(calls):
                    _call(process, number)
                found["cpu"].append((processor.nanoseconds(process.pid) - before) / 1e3 / calls)
                found["memory"].append(process_memory.read(process.pid)["pss"])
            finally:
                process.kill()
    return {name: statistics.median(values) for name, values in found.items()} | {"episodes": len(found["start"])}


def _call(process: subprocess.Popen[bytes], number: int) -> None:
    answer = _ask(
        process, number + 1, "tools/call", {"name": "get_ticket", "arguments": {"ticket_id": ticket_id(number)}}
    )
    assert not answer["result"].get("isError")


def _ask(process: subprocess.Popen[bytes], number: int, method: str, params: dict[str, Any]) -> dict[str, Any]:
    _send(process, {"jsonrpc": "2.0", "id": number, "method": method, "params": params})
    assert process.stdout is not None
    answer: dict[str, Any] = json.loads(process.stdout.readline())
    return answer


def _send(process: subprocess.Popen[bytes], message: dict[str, Any]) -> None:
    assert process.stdin is not None
    process.stdin.write(json.dumps(message).encode() + b"\n")
    process.stdin.flush()
