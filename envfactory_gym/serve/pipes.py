"""Standard input and output as a wire: lines in, lines out, and nothing else ever on it.

Both ends are served by threads that the interpreter does not wait for, because a blocked read or
write cannot be cancelled: a signal must end the server even while the client says nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass

MAX_LINE = 4 << 20
"""Longest message of a client, in bytes; a longer one is refused without being kept in memory."""

AHEAD = 16
"""Lines read before the server gets to them."""

_CHUNK = 1 << 16


@dataclass(frozen=True)
class TooLong:
    """Stands where a line longer than the limit was."""


Line = bytes | TooLong


@contextlib.contextmanager
def claimed_streams() -> Iterator[tuple[int, int]]:
    """The wire's own descriptors, for reading and writing.

    Meanwhile standard input is empty and standard output goes to standard error, so that whatever
    a tool or a library prints cannot end up between two messages.
    """
    source, target = os.dup(0), os.dup(1)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    os.dup2(2, 1)
    try:
        yield source, target
    finally:
        sys.stdout.flush()
        os.dup2(source, 0)
        os.dup2(target, 1)


def split_lines(read: Callable[[], bytes], limit: int = MAX_LINE) -> Iterator[Line]:
    """Lines without their ends; the last one counts even if its end is missing.

    Args:
        read: Gives the next bytes; none at the end.
        limit: Longest line, in bytes.
    """
    rest, skipping = bytearray(), False
    while chunk := read():
        *ended, tail = chunk.split(b"\n")
        for part in ended:
            rest += part
            yield TooLong() if skipping or len(rest) > limit else bytes(rest)
            rest, skipping = bytearray(), False
        rest += tail
        if len(rest) > limit:
            rest, skipping = bytearray(), True
    if skipping or rest:
        yield TooLong() if skipping else bytes(rest)


class LineReader:
    """Lines of a descriptor, for one event loop. Must be made inside it."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor, self._loop = descriptor, asyncio.get_running_loop()
        self._lines: asyncio.Queue[Line | None] = asyncio.Queue()
        self._slots = threading.Semaphore(AHEAD)
        threading.Thread(target=self._read, name="mcp-stdin", daemon=True).start()

    def _read(self) -> None:
        for line in split_lines(self._chunk):
            self._slots.acquire()
            if not self._hand_over(line):
                return
        self._hand_over(None)

    def _chunk(self) -> bytes:
        try:
            return os.read(self._descriptor, _CHUNK)
        except OSError:
            # A terminal that was hung up gives an error where a pipe gives the end.
            return b""

    def _hand_over(self, line: Line | None) -> bool:
        try:
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
        except RuntimeError:
            # The loop is closed: the server has ended, and nobody waits for this line.
            return False
        return True

    async def next(self) -> Line | None:
        """The next line; None at the end."""
        line = await self._lines.get()
        self._slots.release()
        return line


class LineWriter:
    """Writes whole messages to a descriptor, one after the other. Must be made inside an event loop.

    Args:
        descriptor: Where to.
        on_broken: Called in the loop when the other side is gone.
    """

    def __init__(self, descriptor: int, on_broken: Callable[[], None]) -> None:
        self._descriptor, self._loop, self._on_broken = descriptor, asyncio.get_running_loop(), on_broken
        self._queue: queue.SimpleQueue[tuple[bytes, asyncio.Event] | None] = queue.SimpleQueue()
        threading.Thread(target=self._write, name="mcp-stdout", daemon=True).start()

    def _write(self) -> None:
        while (item := self._queue.get()) is not None:
            data, written = memoryview(item[0]), item[1]
            try:
                while data:
                    data = data[os.write(self._descriptor, data) :]
                self._loop.call_soon_threadsafe(written.set)
            except OSError:
                # The client has gone and reads no more.
                self._loop.call_soon_threadsafe(self._on_broken)
                return
            except RuntimeError:
                # The loop is closed: the server ended while the client did not read.
                return

    async def write(self, data: bytes) -> None:
        """Write, and wait until it is written."""
        written = asyncio.Event()
        self._queue.put((data, written))
        await written.wait()

    def close(self) -> None:
        """Let the thread end."""
        self._queue.put(None)
