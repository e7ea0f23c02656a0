"""A load generator that costs little: raw HTTP/1.1 over kept connections, on an asyncio protocol.

An official client spends more on a call than the server does; on a machine whose cores are shared it would be what
is measured. This one writes prepared bytes, looks for the end of the response, and keeps the time.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass

PATIENCE = 60.0
"""Seconds after which a response that has not come counts as a hang."""


@dataclass(frozen=True)
class Response:
    """What came back: status, header block, body."""

    status: int
    head: bytes
    body: bytes

    def header(self, name: str) -> str | None:
        """The value of a header; None where it was not sent."""
        for line in self.head.split(b"\r\n")[1:]:
            key, _, value = line.partition(b":")
            if key.lower() == name.lower().encode():
                return value.strip().decode()
        return None


class Connection(asyncio.Protocol):
    """One kept connection, one request at a time."""

    def __init__(self) -> None:
        self._received = bytearray()
        self._waiting: asyncio.Future[Response] | None = None
        self._transport: asyncio.Transport | None = None
        self._headers_only = False

    @classmethod
    async def open(cls, port: int) -> Connection:
        """Connect to a server of this machine."""
        _, protocol = await asyncio.get_running_loop().create_connection(cls, "127.0.0.1", port)
        return protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember where to write."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Collect; once the response is whole, hand it over."""
        self._received += data
        if self._waiting is None or self._waiting.done():
            return
        end = self._received.find(b"\r\n\r\n")
        if end < 0:
            return
        head = bytes(self._received[:end])
        body = self._body(head.lower(), end + 4)
        if body is not None:
            waiting, self._waiting = self._waiting, None
            waiting.set_result(Response(int(head[9:12]), head, body))

    def _body(self, head: bytes, start: int) -> bytes | None:
        """The body, cut off what was received; None while it is not whole."""
        length = head.find(b"content-length:")
        if self._headers_only:
            stop = start
        elif length >= 0:
            stop = start + int(head[length + 15 :].split(b"\r\n", 1)[0])
            if len(self._received) < stop:
                return None
        elif b"transfer-encoding: chunked" in head:
            if not self._received.endswith(b"0\r\n\r\n"):
                return None
            stop = len(self._received)
        else:
            stop = start
        body = bytes(self._received[start:stop])
        del self._received[:stop]
        return body

    def connection_lost(self, error: Exception | None) -> None:
        """Whoever waits is told."""
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_exception(error or ConnectionResetError("the server closed the connection"))

    async def ask(self, request: bytes, *, headers_only: bool = False) -> Response:
        """Send a request and wait for its response, or for its headers alone where the response never ends."""
        assert self._transport is not None
        self._headers_only = headers_only
        waiting: asyncio.Future[Response] = asyncio.get_running_loop().create_future()
        self._waiting = waiting
        self._transport.write(request)
        return await waiting

    def close(self) -> None:
        """Hang up."""
        if self._transport is not None:
            self._transport.close()


@dataclass(frozen=True)
class Load:
    """What a load came to.

    Attributes:
        latencies: Wall-clock seconds of every call, sorted.
        wrong: Responses that were no success, or said `isError`.
        seconds: Wall clock from the first to the last.
    """

    latencies: list[float]
    wrong: int
    seconds: float

    @property
    def calls(self) -> int:
        """How many were made."""
        return len(self.latencies)

    def latency(self, share: float) -> float:
        """A quantile of the latencies, in seconds."""
        return self.latencies[round((len(self.latencies) - 1) * share)]


async def drive(connections: Sequence[Connection], requests: Sequence[bytes], each: int) -> Load:
    """Let every connection make `each` calls of its own request, one after the other, all at once.

    Args:
        connections: Open ones.
        requests: The request of each, in the same order.
        each: Calls per connection.

    Raises:
        TimeoutError: A response did not come.
    """
    latencies: list[float] = []
    wrong = 0

    async def one(connection: Connection, request: bytes) -> None:
        nonlocal wrong
        for _ in range(each):
            start = time.perf_counter()
            response = await connection.ask(request)
            latencies.append(time.perf_counter() - start)
            wrong += response.status != 200 or b'"isError":true' in response.body

    start = time.perf_counter()
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*map(one, connections, requests))
    seconds = time.perf_counter() - start
    latencies.sort()
    return Load(latencies, wrong, seconds)
