"""A client that speaks bytes: what the official one would never send, and when it would never leave."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from envfactory_gym import Package

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 30.0
"""Seconds until a server that says nothing counts as hung."""


def server_command(package: Package, *arguments: object) -> list[str]:
    """`python server.py ...`"""
    return [sys.executable, str(package.path / "server.py"), *map(str, arguments)]


def cli_command(*arguments: object) -> list[str]:
    """`envfactory ...`"""
    return [sys.executable, "-m", "envfactory_gym.cli", *map(str, arguments)]


def environment(**extra: str) -> dict[str, str]:
    """The variables a server is started with: this checkout's library, and what a test adds."""
    return {**os.environ, "PYTHONPATH": str(ROOT), **extra}


class RawClient:
    """A server process and its three streams; kills it on leaving the `with` block."""

    def __init__(self, command: Sequence[str], **extra: str) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(**extra)
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._input, self._output = self.process.stdin, self.process.stdout
        self._rest = b""

    def __enter__(self) -> RawClient:
        return self

    def __exit__(self, *exc: object) -> None:
        self.process.kill()
        with self.process:
            pass

    def send(self, message: dict[str, Any] | bytes) -> None:
        """One line, of JSON or of anything."""
        self._input.write((message if isinstance(message, bytes) else json.dumps(message).encode()) + b"\n")
        self._input.flush()

    def request(self, number: int, method: str, **params: Any) -> None:
        """A request, without waiting for its answer."""
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})

    def receive(self) -> dict[str, Any]:
        """The next message of the server."""
        while b"\n" not in self._rest:
            assert select.select([self._output], [], [], PATIENCE)[0], "the server says nothing"
            chunk = os.read(self._output.fileno(), 1 << 16)
            assert chunk, "the server has gone"
            self._rest += chunk
        line, _, self._rest = self._rest.partition(b"\n")
        message: dict[str, Any] = json.loads(line)
        return message

    def ask(self, number: int, method: str, **params: Any) -> dict[str, Any]:
        """A request and the next message, which answers it."""
        self.request(number, method, **params)
        answer = self.receive()
        assert answer["id"] == number
        return answer

    def handshake(self, revision: str = "2025-11-25") -> dict[str, Any]:
        """Open a connection of the era before 2026; the server's result."""
        client = {"name": "raw", "version": "1"}
        answer = self.ask(0, "initialize", protocolVersion=revision, capabilities={}, clientInfo=client)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        result: dict[str, Any] = answer["result"]
        return result

    def call(self, number: int, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool; its answer."""
        return self.ask(number, "tools/call", name=tool, arguments=arguments)

    def stop_reading(self) -> None:
        """Close the server's output on this side."""
        self._output.close()

    def leave(self) -> tuple[bytes, str]:
        """Close the input and wait: what the server still said, and its standard error."""
        self._input.close()
        output, errors = self._rest + self._output.read(), self.process.stderr.read().decode()  # type: ignore[union-attr]
        self.process.wait(PATIENCE)
        return output, errors


def text_of(answer: dict[str, Any]) -> str:
    """The text of a tool's result."""
    (block,) = answer["result"]["content"]
    assert block["type"] == "text"
    text: str = block["text"]
    return text
