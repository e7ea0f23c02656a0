"""Plain HTTP over ASGI: reading a body up to a limit, and answering with JSON."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Header = tuple[bytes, bytes]

JSON: Header = (b"content-type", b"application/json")


class Disconnected(Exception):
    """The client left before its request was complete."""


class Refused(Exception):
    """A request that is answered with an error.

    Args:
        status: HTTP status.
        code: A short code for programs.
        message: A sentence for people.
        headers: Further headers of the answer.
    """

    def __init__(self, status: int, code: str, message: str, *, headers: Iterable[Header] = ()) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.headers = status, code, message, tuple(headers)

    def body(self) -> bytes:
        """The error as JSON."""
        return json.dumps({"error": {"code": self.code, "message": self.message}}).encode()


def too_large(limit: int) -> Refused:
    """What a body of too many bytes gets; the rest of it is not read, so nothing else can come on that connection."""
    return Refused(413, "too_large", f"a request has {limit:,} bytes at most", headers=[(b"connection", b"close")])


def only(method: str, *allowed: str) -> None:
    """Refuse other methods than those allowed.

    Raises:
        Refused: It is another.
    """
    if method not in allowed:
        allow = ", ".join(allowed)
        raise Refused(405, "method_not_allowed", f"only {allow} here", headers=[(b"allow", allow.encode())])


async def read_body(receive: Receive, limit: int, declared: bytes | None) -> bytes:
    """The body of a request.

    Args:
        receive: As ASGI gives it.
        limit: Most bytes.
        declared: The `Content-Length`, if any: a body that says it is too large is not read at all.

    Raises:
        Refused: It has more bytes.
        Disconnected: It never came to its end.
    """
    if declared is not None and declared.isdigit() and int(declared[:20]) > limit:
        raise too_large(limit)
    body = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise Disconnected
        part: bytes = message.get("body", b"")
        body = body + part if body else part
        if len(body) > limit:
            raise too_large(limit)
        if not message.get("more_body"):
            return body


def replayed(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives a body which was read already, and then whatever comes next."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return waiting.pop() if waiting else await receive()

    return again


async def until_gone(receive: Receive) -> None:
    """Return when the client has left."""
    while (await receive())["type"] != "http.disconnect":
        await asyncio.sleep(0)


async def respond(send: Send, status: int, body: bytes, headers: Iterable[Header] = (JSON,)) -> None:
    """A whole answer."""
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
    await send({"type": "http.response.body", "body": body})


class Watched:
    """A `send` that knows how far its answer has come."""

    __slots__ = ("_send", "complete", "status")

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status: int | None = None
        self.complete = False

    async def __call__(self, message: Message) -> None:
        """Send on."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
        elif message["type"] == "http.response.body" and not message.get("more_body"):
            self.complete = True
        await self._send(message)

    async def finish(self) -> None:
        """End an answer that was begun and never ended, such as a stream that was open when the server went down."""
        if self.status is not None and not self.complete:
            await self({"type": "http.response.body", "body": b""})
