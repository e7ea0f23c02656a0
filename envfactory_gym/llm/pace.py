"""How fast requests may leave: so many at a time, so many a minute, so many tokens a minute.

A pace is a bucket that may be overdrawn: whoever takes more than there is waits until the debt is
gone. Tokens are known only afterwards, so they are taken then, and the next request waits for them.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable


class Pace:
    """A rate that is kept on average, with bursts of a few seconds' worth.

    Args:
        per_minute: The rate; None for no limit.
        burst: Seconds' worth that may be taken at once.
        clock: Seconds, monotonic.
    """

    def __init__(
        self, per_minute: float | None, *, burst: float = 2.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        if per_minute is not None and per_minute <= 0:
            raise ValueError(f"a rate per minute is more than 0, not {per_minute}")
        self._rate = None if per_minute is None else per_minute / 60.0
        self._burst, self._clock = burst, clock
        self._free_at = clock() - burst
        """When everything taken so far is worked off."""

    def take(self, amount: float = 1.0) -> None:
        """Take what was, or is about to be, used."""
        if self._rate is not None:
            self._free_at = max(self._free_at, self._clock() - self._burst) + amount / self._rate

    def wait(self) -> float:
        """Seconds until more may be taken."""
        return 0.0 if self._rate is None else max(0.0, self._free_at - self._clock())


class Gate:
    """Where requests wait before they leave.

    Args:
        concurrency: Requests in flight, at most.
        requests: Per minute; None for no limit.
        tokens: Per minute; None for no limit.
    """

    def __init__(self, concurrency: int, requests: float | None = None, tokens: float | None = None) -> None:
        if concurrency < 1:
            raise ValueError(f"concurrency is at least 1, not {concurrency}")
        self._slots = asyncio.Semaphore(concurrency)
        self._requests, self._tokens = Pace(requests), Pace(tokens)
        self._closed_until = 0.0

    async def __aenter__(self) -> None:
        await self._slots.acquire()
        try:
            while (wait := self._wait()) > 0.0:
                await asyncio.sleep(wait)
            self._requests.take()
        except BaseException:
            self._slots.release()
            raise

    async def __aexit__(self, *exc: object) -> None:
        self._slots.release()

    def _wait(self) -> float:
        closed = self._closed_until - time.monotonic()
        return max(closed, self._requests.wait(), self._tokens.wait())

    def used(self, tokens: int) -> None:
        """Count the tokens of an answer."""
        self._tokens.take(tokens)

    def close_for(self, seconds: float) -> None:
        """Let nobody through for a while: the endpoint has asked one of us to wait, and means all."""
        self._closed_until = max(self._closed_until, time.monotonic() + seconds)
