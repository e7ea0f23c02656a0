"""The budgets of a call: SQL by counting opcodes, Python by a watchdog.

Opcodes are counted in ticks, the same on every machine (to a tick per statement, because SQLite
carries the remainder of a kept statement over to its next run). A Python loop has no such counter:
a thread looks at the running calls four times a second and raises inside one that runs for more
than two seconds. That is a backstop, not a promise: code in C (a huge power, a bad regular
expression) ends when it ends. The sandbox, which kills processes, is the promise.
"""

from __future__ import annotations

import ctypes
import threading
import time

from .process import forks

TICK = 10_000
"""Opcodes between two looks at the budget."""

MAX_TICKS = 3_000
"""Ticks of one call: 30 million opcodes, about a second."""

MAX_SECONDS = 2.0
"""Wall-clock seconds of one call."""

_LOOK_EVERY = 0.25

_BYTECODES = 100
"""Turns of a loop in which an exception that was sent before must arrive: each looks for it."""


class Expired(BaseException):
    """Raised inside a call by the watchdog; no tool's `except Exception` stops it."""


class Budget:
    """What one connection's current call has used.

    Attributes:
        limited: Whether SQL is counted now; the library's own statements are not.
        ticks: Opcodes used, in ticks.
        spent: Whether SQL was interrupted.
        expired: Whether the watchdog raised in the current call.
    """

    __slots__ = ("__weakref__", "_lock", "_running", "expired", "limited", "serial", "spent", "thread", "ticks")

    def __init__(self) -> None:
        self.limited = False
        self.ticks = 0
        self.spent = False
        self.expired = False
        self.serial = 0
        self.thread = 0
        self._running = False
        self._lock = threading.Lock()

    def tick(self) -> bool:
        """Progress handler of SQLite: true interrupts the statement."""
        self.ticks += 1
        if self.limited and self.ticks > MAX_TICKS:
            self.spent = True
            return True
        return False

    def refill(self) -> None:
        """Start counting SQL anew."""
        self.ticks = 0
        self.spent = False
        self.limited = True

    def start(self, watchdog: Watchdog) -> None:
        """A call begins on this thread."""
        self.ticks = 0
        self.spent = self.expired = False
        self.limited = True
        self.serial += 1
        self.thread = threading.get_ident()
        self._running = True
        watchdog.running[id(self)] = self

    def stop(self, watchdog: Watchdog) -> None:
        """The call is over: after this returns, the watchdog cannot raise in this thread.

        An exception that was sent and has not arrived yet arrives here, and is swallowed. It is never taken back:
        CPython 3.11 would go on looking for it at every bytecode, and hang under a profiler or a tracer.
        """
        while True:
            try:
                self._running = False
                # Whoever expires a call takes the lock and then looks at `_running`. A lock that is free after the line
                # above is therefore taken by nobody who still sees the call; asking costs half of what taking it does.
                if self._lock.locked():
                    with self._lock:
                        pass
                if self.expired:
                    for _ in range(_BYTECODES):
                        pass
                watchdog.running.pop(id(self), None)
                self.limited = False
                return
            except Expired:
                continue

    def expire(self, serial: int) -> None:
        """Raise in the thread of the call, if that call still runs."""
        with self._lock:
            if self._running and self.serial == serial:
                self.expired = True
                _raise_in(self.thread, Expired)


def _raise_in(thread: int, exception: type[BaseException]) -> None:
    """Let a thread raise an exception at its next bytecode."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(exception))


class Watchdog:
    """The thread of one process that ends calls which run too long."""

    def __init__(self) -> None:
        self.running: dict[int, Budget] = {}
        self.forks = forks()
        threading.Thread(target=self._watch, name="envfactory-watchdog", daemon=True).start()

    def _watch(self) -> None:
        first_seen: dict[int, tuple[int, float]] = {}
        while True:
            time.sleep(_LOOK_EVERY)
            now = time.monotonic()
            seen: dict[int, tuple[int, float]] = {}
            for key, budget in list(self.running.items()):
                serial = budget.serial
                known = first_seen.get(key)
                since = known[1] if known is not None and known[0] == serial else now
                seen[key] = (serial, since)
                if now - since >= MAX_SECONDS - _LOOK_EVERY:
                    budget.expire(serial)
            first_seen = seen


_watchdog: Watchdog | None = None
_watchdog_lock = threading.Lock()


def watchdog() -> Watchdog:
    """The watchdog of this process, started when first asked for (anew after a fork)."""
    global _watchdog
    with _watchdog_lock:
        if _watchdog is None or _watchdog.forks != forks():
            _watchdog = Watchdog()
        return _watchdog
