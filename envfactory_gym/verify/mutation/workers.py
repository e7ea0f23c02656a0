"""Processes that judge mutants, each with a limit on the wall clock.

The world's own budget stops most of what does not end; a process is killed for the rest (a power
of two huge numbers never looks up). Fresh processes, so that no mutant's leftovers are the caller's.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any

from ...environment import EnvFactoryError, Package
from .judge import Judge, Verdict
from .mutants import Mutant

SECONDS = 20.0
"""Wall-clock seconds after which a process that judges one mutant is killed."""

STARTING = 300.0
"""Seconds in which a process must have imported the package and traced its behaviours."""

_READY = "ready"

PER_PROCESS = 30
"""With fewer mutants than this for each, another process is not worth its start."""


class _Worker:
    """One process and what it is doing."""

    def __init__(self, folder: str) -> None:
        context = get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(theirs, folder), daemon=True)
        self.process.start()
        theirs.close()
        self.mutant: Mutant | None = None
        self.deadline = time.monotonic() + STARTING

    def give(self, mutant: Mutant, seconds: float) -> None:
        """Let it judge a mutant."""
        self.mutant = mutant
        self.deadline = time.monotonic() + seconds
        self.connection.send(mutant)

    def answer(self, ready: Sequence[Any]) -> Any:
        """What it says: a verdict, a text, or None where it is still at work."""
        if self.connection in ready:
            try:
                return self.connection.recv()
            except EOFError:
                return "its process ended"
        return "it ran on" if time.monotonic() > self.deadline else None

    def stop(self) -> None:
        """End the process, whatever it does."""
        self.process.kill()
        self.process.join()
        self.connection.close()


def verdicts(package: Package, mutants: Sequence[Mutant], *, jobs: int, seconds: float = SECONDS) -> Iterator[Verdict]:
    """The verdict of every mutant, in the order in which they are reached.

    Raises:
        EnvFactoryError: A behaviour does not hold on the sound server, or no process could begin.
    """
    waiting = list(reversed(mutants))
    count = max(1, min(jobs, len(waiting) // PER_PROCESS))
    folder = str(package.path)
    workers = [_Worker(folder) for _ in range(count)] if waiting else []
    try:
        while workers:
            nearest = min(worker.deadline for worker in workers) - time.monotonic()
            ready = wait([worker.connection for worker in workers], timeout=max(0.0, nearest))
            for worker in list(workers):
                answer = worker.answer(ready)
                if answer is None:
                    continue
                if isinstance(answer, Verdict):
                    yield answer
                elif worker.mutant is None and answer != _READY:
                    raise EnvFactoryError(f"mutants of {package.name} cannot be judged: {answer}")
                elif worker.mutant is not None:
                    yield Verdict(worker.mutant.id, "left out", f"{answer}, with {seconds:g} s to end")
                    worker.stop()
                    workers.remove(worker)
                    workers += [_Worker(folder)] if waiting else []
                    continue
                if waiting:
                    worker.give(waiting.pop(), seconds)
                else:
                    worker.stop()
                    workers.remove(worker)
    finally:
        for worker in workers:
            worker.stop()


def _work(connection: Connection, folder: str) -> None:
    """What a process does: say that it is ready, then answer each mutant with a verdict."""
    try:
        judge = Judge(Package(folder, trusted=True))
    except EnvFactoryError as error:
        connection.send(str(error))
        return
    connection.send(_READY)
    while True:
        try:
            mutant = connection.recv()
        except EOFError:
            return
        connection.send(judge.judge(mutant))
