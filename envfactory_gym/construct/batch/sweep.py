"""Running one process per document, a few at a time, and keeping a record of each as it ends.

A document whose key stands in the records already is not repeated. A process that outlives its
limit is killed with all that it started; so is every process when the sweep is interrupted, and
the records written until then are what the next sweep goes on from.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .record import Record, Records
from .sources import Source

RECORDS = "batch.jsonl"
"""The records of a sweep, in its output folder."""


@dataclass(frozen=True)
class Limits:
    """What one document may take: wall-clock seconds, and megabytes of address space per process."""

    seconds: float = 300.0
    megabytes: int = 3072


class Sweep:
    """Builds (and proves) many documents below one folder.

    Args:
        out: The folder of packages and records.
        seed: Chooses among equally plausible data and tasks.
        verify: Whether to prove what was built.
        limits: What one document may take.
    """

    def __init__(self, out: Path, *, seed: int = 0, verify: bool = True, limits: Limits | None = None) -> None:
        self.out, self.seed, self.verify = out, seed, verify
        self.limits = limits or Limits()
        self.records = Records(out / RECORDS)
        self._options = {"seed": seed, "verify": verify, "seconds": self.limits.seconds, "mb": self.limits.megabytes}
        self._running: set[subprocess.Popen[str]] = set()
        self._lock = threading.Lock()
        self._stopped = False

    def waiting(self, sources: Sequence[Source]) -> list[Source]:
        """The sources that no record answers for yet."""
        known = self.records.latest()
        return [
            one for one in sources if one.relative not in known or known[one.relative].key != one.key(self._options)
        ]

    def run(self, sources: Sequence[Source], *, jobs: int = 1) -> Iterator[Record]:
        """Work through sources, `jobs` at a time; each record is kept before it is yielded.

        Raises:
            KeyboardInterrupt: Someone stopped it; no process of it is left, and no record is lost.
        """
        left = list(reversed(sources))
        pending: set[Future[Record]] = set()
        with ThreadPoolExecutor(jobs) as pool:
            try:
                while left or pending:
                    while left and len(pending) < jobs:
                        pending.add(pool.submit(self._one, left.pop()))
                    done, pending = wait(pending, return_when=FIRST_COMPLETED)
                    for future in sorted(done, key=lambda one: one.result().source):
                        self.records.add(future.result())
                        yield future.result()
            finally:
                self._stop()

    def _one(self, source: Source) -> Record:
        """One document in a process of its own."""
        started = time.monotonic()
        said: dict[str, Any] = {"stage": "found"}
        job = {
            "source": str(source.path.resolve()),
            "out": str((self.out / source.name).resolve()),
            "name": source.name,
            "seed": self.seed,
            "verify": self.verify,
            "memory": self.limits.megabytes,
        }
        process = self._start()
        if process is None:
            return self._record(source, {**said, "reason": "the sweep was stopped"}, started)
        try:
            output, trouble = process.communicate(json.dumps(job), timeout=self.limits.seconds)
            late = False
        except subprocess.TimeoutExpired:
            _kill(process)
            output, trouble = process.communicate()
            late = True
        finally:
            with self._lock:
                self._running.discard(process)
        for line in output.splitlines():
            said |= _said(line)
        if late:
            said["reason"] = f"it was not done after {self.limits.seconds:g} s"
        elif process.returncode:
            last = (trouble.strip().splitlines() or ["without a word"])[-1]
            said["reason"] = f"its process ended ({process.returncode}): {last}"
        return self._record(source, said, started)

    def _start(self) -> subprocess.Popen[str] | None:
        with self._lock:
            if self._stopped:
                return None
            process = subprocess.Popen(
                [sys.executable, "-m", f"{__package__}.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                env={**os.environ, "PYTHONPATH": os.pathsep.join(part for part in sys.path if part)},
                start_new_session=True,
            )
            self._running.add(process)
            return process

    def _stop(self) -> None:
        with self._lock:
            self._stopped = True
            for process in self._running:
                _kill(process)

    def _record(self, source: Source, said: dict[str, Any], started: float) -> Record:
        return Record(
            source=source.relative,
            name=source.name,
            key=source.key(self._options),
            stage=said["stage"],
            tier=said.get("tier", ""),
            tools=said.get("tools", 0),
            tasks=said.get("tasks", 0),
            operations=said.get("operations", 0),
            mutation=said.get("mutation"),
            seconds=round(time.monotonic() - started, 1),
            cpu=said.get("cpu", 0.0),
            reason=said.get("reason", ""),
            dropped=said.get("dropped", {}),
        )


def _said(line: str) -> dict[str, Any]:
    """What one line of a worker says; nothing where it was cut short."""
    try:
        found = json.loads(line)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _kill(process: subprocess.Popen[str]) -> None:
    """End a process and everything it started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
