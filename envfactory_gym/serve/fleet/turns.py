"""One after the other: a lock that also knows whether anybody waits for it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator


class Turns:
    """Gives turns in the order in which they are asked for.

    While it is idle, work that never awaits needs no turn: nobody can come in between, and nobody is overtaken.
    """

    __slots__ = ("_lock", "_wanted")

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._wanted = 0

    @property
    def idle(self) -> bool:
        """Whether nobody has a turn, and nobody waits for one."""
        return not self._wanted

    @contextlib.contextmanager
    def expected(self) -> Iterator[None]:
        """A block in which a turn is going to be asked for, after which nobody may come in between any more."""
        self._wanted += 1
        try:
            yield
        finally:
            self._wanted -= 1

    async def __aenter__(self) -> None:
        self._wanted += 1
        try:
            await self._lock.acquire()
        except BaseException:
            self._wanted -= 1
            raise

    async def __aexit__(self, *exc: object) -> None:
        self._wanted -= 1
        self._lock.release()
