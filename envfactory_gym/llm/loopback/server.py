"""The server: HTTP/1.1 over asyncio streams, in a thread of its own or in the caller's loop.

It speaks the few lines of HTTP that chat completions need by itself, because its faults are below
what a web framework lets one do: answers cut in the middle, connections dropped, promises of bytes
that never come.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from types import TracebackType
from typing import Any

from pydantic_core import from_json, to_json

from .completions import Heard, Responder, chunks, completion
from .faults import MODEL_FAULTS, Faults

_STATUS = {"rate_limit": 429, "server_error": 500, "unavailable": 503}
_LARGEST = 1 << 26


@dataclass
class Served:
    """What a server did.

    Attributes:
        requests: Requests that arrived.
        answered: Those that got a whole chat completion.
        faults: Faults by kind.
    """

    requests: int = 0
    answered: int = 0
    faults: Counter[str] = field(default_factory=Counter)


class Loopback:
    """A scripted endpoint on 127.0.0.1; `url` is what a client takes as its base URL.

    ```python
    with Loopback(lambda heard: {"content": "Done."}) as server:
        ...  # POST {server.url}/chat/completions
    ```

    Args:
        responder: Says the assistant message that answers a request.
        faults: How it misbehaves; never, by default.
        delay: Seconds that every answer takes.
        port: 0 for any free one.
        record: Whether to keep every request that was answered, in `heard`.
        key: The API key that requests have to carry; any, by default.
    """

    def __init__(
        self,
        responder: Responder,
        *,
        faults: Faults | None = None,
        delay: float = 0.0,
        port: int = 0,
        record: bool = False,
        key: str | None = None,
    ) -> None:
        self.responder, self.faults, self.delay, self.key = responder, faults, delay, key
        self.served = Served()
        self.heard: list[Heard] = []
        self._record, self._port = record, port
        self._server: asyncio.Server | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._stopping: asyncio.Event
        self._open: dict[asyncio.StreamWriter, asyncio.Task[None]] = {}

    @property
    def url(self) -> str:
        """The base URL, such as `http://127.0.0.1:8123/v1`."""
        return f"http://127.0.0.1:{self._port}/v1"

    # ------------------------------------------------------------ beginning and end

    async def start(self) -> Loopback:
        """Listen, in the running loop."""
        self._stopping = asyncio.Event()
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self._port, limit=_LARGEST, backlog=1024)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def stop(self) -> None:
        """Stop listening and drop what is open."""
        if self._server is not None:
            self._server.close()
            self._stopping.set()
            for writer in self._open:
                writer.transport.abort()
            await asyncio.gather(*self._open.values(), return_exceptions=True)
            await self._server.wait_closed()
            self._server = None

    async def __aenter__(self) -> Loopback:
        return await self.start()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    def __enter__(self) -> Loopback:
        """Listen, in a thread of its own."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="loopback", daemon=True)
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self.start(), self._loop).result()
        return self

    def __exit__(self, *exc: object) -> None:
        assert self._loop is not None and self._thread is not None
        asyncio.run_coroutine_threadsafe(self.stop(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    # ------------------------------------------------------------ one connection

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open[writer] = task
        # Whoever leaves in the middle has left: that is the client's right.
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while await self._exchange(reader, writer):
                pass
        del self._open[writer]
        writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """One request and its answer; whether the connection stays."""
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        except asyncio.IncompleteReadError as gone:
            if gone.partial:
                raise
            return False
        first, *rest = head.split("\r\n")
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in rest)}
        body = await reader.readexactly(int(headers.get("content-length") or 0))
        method, path = first.split(" ")[:2]
        keep = headers.get("connection", "").lower() != "close"
        stays = await self._answer(method, path.partition("?")[0].rstrip("/"), headers, body, writer)
        return stays and keep

    async def _answer(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes, writer: asyncio.StreamWriter
    ) -> bool:
        if method == "GET" and path.endswith("/models"):
            models = [{"id": "scripted", "object": "model", "owned_by": "nobody", "created": 0}]
            return await _send(writer, 200, {"object": "list", "data": models})
        if method != "POST" or not path.endswith("/chat/completions"):
            return await _send(writer, 404, _error(f"there is no {method} {path}", "not_found"))
        if self.key is not None and headers.get("authorization") != f"Bearer {self.key}":
            return await _send(writer, 401, _error("the API key is wrong", "invalid_api_key"))
        self.served.requests += 1
        session = headers.get("x-session-id", "")
        fault = self.faults.of(session, body) if self.faults is not None else None
        if fault is not None:
            self.served.faults[fault] += 1
            if fault not in MODEL_FAULTS and fault not in ("cut", "bad_json"):
                return await self._fail(fault, writer)
        if self.delay:
            await self._pause(self.delay)
        try:
            heard = Heard(from_json(body), session)
            answer = completion(heard, self.responder(heard), self.served.requests, fault)
        except (ValueError, KeyError, TypeError) as error:
            return await _send(writer, 400, _error(f"the request cannot be answered: {error!r}", "bad_request"))
        if fault in ("cut", "bad_json"):
            return await _cut(writer, to_json(answer), promised=fault == "cut")
        self.served.answered += 1
        if self._record:
            self.heard.append(heard)
        if heard.request.get("stream"):
            return await _stream(writer, answer)
        return await _send(writer, 200, answer)

    async def _fail(self, fault: str, writer: asyncio.StreamWriter) -> bool:
        assert self.faults is not None
        if fault in _STATUS:
            extra = {"retry-after": f"{self.faults.retry_after:g}"} if fault == "rate_limit" else {}
            return await _send(writer, _STATUS[fault], _error(f"a planted {fault}", fault), extra)
        if fault == "hang":
            await self._pause(self.faults.hang)
        writer.transport.abort()
        return False

    async def _pause(self, seconds: float) -> None:
        """Wait, but no longer than the server lives."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), seconds)


def _error(message: str, code: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": code, "code": code}}


async def _send(writer: asyncio.StreamWriter, status: int, data: Any, extra: Mapping[str, str] | None = None) -> bool:
    body = to_json(data)
    lines = "".join(f"{name}: {value}\r\n" for name, value in (extra or {}).items())
    head = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\ncontent-type: application/json\r\n{lines}"
    writer.write(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
    await writer.drain()
    return True


async def _cut(writer: asyncio.StreamWriter, body: bytes, *, promised: bool) -> bool:
    """Half a body: with the whole one promised and the connection closed, or sent as if it were all."""
    half = body[: len(body) // 2]
    length = len(body) if promised else len(half)
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % length + half)
    await writer.drain()
    return not promised


async def _stream(writer: asyncio.StreamWriter, answer: Mapping[str, Any]) -> bool:
    events = [json.dumps(chunk, ensure_ascii=False) for chunk in chunks(answer)] + ["[DONE]"]
    body = "".join(f"data: {event}\n\n" for event in events).encode()
    head = f"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: {len(body)}\r\n\r\n"
    writer.write(head.encode() + body)
    await writer.drain()
    return True
