"""Lines as protocol messages: the two streams that an MCP server runs on.

A line that is no message costs only itself: it is answered with an error, under its own id where
one can be found, and the next line is read. When the input ends, requests that are still being
worked on are answered first, so that a script may write its calls, close the pipe and read on.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from pydantic import ValidationError
from pydantic_core import from_json

from .pipes import MAX_LINE, Line, LineReader, LineWriter, TooLong

LAST_ANSWERS = 10.0
"""Seconds that requests still being worked on are given when the input has ended."""

Incoming = MemoryObjectReceiveStream[SessionMessage | Exception]
Outgoing = MemoryObjectSendStream[SessionMessage]


@contextlib.asynccontextmanager
async def wire(source: int, target: int, *, on_broken: Callable[[], None]) -> AsyncIterator[tuple[Incoming, Outgoing]]:
    """Message streams over two descriptors.

    Args:
        source: Descriptor that lines come from.
        target: Descriptor that lines go to.
        on_broken: Called when the client reads no more.
    """
    to_server, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, from_server = anyio.create_memory_object_stream[SessionMessage](0)
    reader, writer = LineReader(source), LineWriter(target, on_broken)
    unanswered = Unanswered()

    reading = anyio.CancelScope()

    async def read() -> None:
        with reading:
            async with to_server:
                while (line := await reader.next()) is not None:
                    try:
                        message = read_message(line)
                    except Unreadable as error:
                        await writer.write(as_line(error.answer))
                        continue
                    if message is not None:
                        unanswered.asked(message)
                        await to_server.send(SessionMessage(message))
                with anyio.move_on_after(LAST_ANSWERS):
                    await unanswered.none_left()

    async def write() -> None:
        async with from_server:
            async for message in from_server:
                await writer.write(as_line(message.message))
                unanswered.answered(message.message)

    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(read)
            tasks.start_soon(write)
            yield incoming, outgoing
            reading.cancel()
    finally:
        writer.close()


class Unreadable(Exception):
    """A line that is no message; `answer` is what the client gets for it."""

    def __init__(self, code: int, problem: str, line: Line = b"") -> None:
        super().__init__(problem)
        error = types.ErrorData(code=code, message=problem)
        self.answer = types.JSONRPCError(jsonrpc="2.0", id=_id_in(line), error=error)


def read_message(line: Line) -> types.JSONRPCMessage | None:
    """The message in a line; None in an empty one.

    Raises:
        Unreadable: It holds none.
    """
    if isinstance(line, TooLong):
        raise Unreadable(types.INVALID_REQUEST, f"A message may have {MAX_LINE:,} bytes at most.")
    if not line.strip():
        return None
    try:
        return types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        if first["type"] == "json_invalid":
            raise Unreadable(types.PARSE_ERROR, f"Not JSON: {first['ctx']['error']}.", line) from None
        raise Unreadable(types.INVALID_REQUEST, "Not a JSON-RPC 2.0 message.", line) from None


def as_line(message: types.JSONRPCMessage) -> bytes:
    """A message as it goes over the wire."""
    return message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"


def _id_in(line: Line) -> types.RequestId | None:
    """The id of a damaged request, so that whoever waits for its answer gets one."""
    if isinstance(line, TooLong):
        return None
    try:
        content = from_json(line.decode("utf-8", "replace"))
    except ValueError:
        return None
    found = content.get("id") if isinstance(content, dict) else None
    return found if isinstance(found, (str, int)) and not isinstance(found, bool) else None


class Unanswered:
    """The requests that were handed to the server and have no answer yet."""

    def __init__(self) -> None:
        self._ids: set[types.RequestId] = set()
        self._none_left = anyio.Event()

    def asked(self, message: types.JSONRPCMessage) -> None:
        """A message came in."""
        if isinstance(message, types.JSONRPCRequest):
            self._ids.add(message.id)
        elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
            # A cancelled request may never be answered.
            self._done((message.params or {}).get("requestId"))

    def answered(self, message: types.JSONRPCMessage) -> None:
        """A message went out."""
        if isinstance(message, (types.JSONRPCResponse, types.JSONRPCError)):
            self._done(message.id)

    def _done(self, request: Any) -> None:
        if isinstance(request, (str, int)):
            self._ids.discard(request)
        if not self._ids:
            self._none_left.set()

    async def none_left(self) -> None:
        """Wait until every request has its answer."""
        if self._ids:
            self._none_left = anyio.Event()
            await self._none_left.wait()
