"""Servers as processes: started, waited for, measured, and gone at the end whatever happened."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from envfactory_gym.environment import Package

from . import processor

ROOT = Path(__file__).resolve().parents[2]
STARTING = 60.0
"""Seconds that a server may take until it answers."""


class NotRunning(Exception):
    """A server did not start; the message holds what it said."""


@dataclass
class Server:
    """A server process and its port."""

    process: subprocess.Popen[bytes]
    port: int

    @property
    def address(self) -> str:
        """Where it is reached."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def spent(self) -> int:
        """CPU time used so far, in nanoseconds."""
        return processor.nanoseconds(self.process.pid)

    def stop(self, patience: float = 30.0) -> float:
        """Ask it to end (SIGTERM); the seconds until it had."""
        start = time.perf_counter()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(patience)
        return time.perf_counter() - start


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


def variables(**extra: str) -> dict[str, str]:
    """The variables servers are started with: this checkout's library, and what is added."""
    path = os.pathsep.join(part for part in (str(ROOT), os.environ.get("PYTHONPATH", "")) if part)
    return {**os.environ, "PYTHONPATH": path, **extra}


def trusting(home: Path, packages: Path, known: Sequence[Package]) -> dict[str, str]:
    """Variables of a server that finds packages in a folder and may import those that are known.

    Args:
        home: A folder for the list of what may be imported.
        packages: The folder that holds the packages' folders.
        known: Those that may be imported.
    """
    (home / "verified.txt").write_text("".join(f"{one.package_hash} {one.name}\n" for one in known), "utf-8")
    return {"ENVFACTORY_HOME": str(home), "ENVFACTORY_PATH": str(packages)}


@contextlib.contextmanager
def subject(kind: str, *arguments: str) -> Iterator[Server]:
    """One of `subjects`, running."""
    command = [sys.executable, "-m", "benchmarks.serving.subjects", kind, *arguments]
    with _started(command, variables(), piped=True) as (process, log):
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line.strip().isdigit():
            raise NotRunning(f"{kind} did not start: {log.read_text('utf-8', 'replace')[-2000:]}")
        server = Server(process, int(line))
        _wait(server, log)
        yield server


@contextlib.contextmanager
def fleet(*arguments: str, environment: dict[str, str], port: int | None = None) -> Iterator[Server]:
    """`envfactory serve --http`, running.

    Args:
        arguments: Environments and options.
        environment: Variables to add: where packages are found, and that they may be imported (`trusting`).
        port: Where it listens; any free port if left out.
    """
    port = port or free_port()
    command = [sys.executable, "-m", "envfactory_gym.cli", "serve", *arguments, "--http", "--port", str(port)]
    with _started(command, variables(**environment)) as (process, log):
        server = Server(process, port)
        _wait(server, log)
        yield server


@contextlib.contextmanager
def _started(
    command: Sequence[str], env: dict[str, str], *, piped: bool = False
) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    with tempfile.TemporaryDirectory(prefix="envfactory-serving-") as folder:
        log = Path(folder) / "log"
        with log.open("wb") as errors:
            output = subprocess.PIPE if piped else errors
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, env=env, cwd=ROOT
            )
        try:
            yield process, log
        finally:
            process.kill()
            with process:
                pass


def _wait(server: Server, log: Path) -> None:
    """Until the server accepts connections.

    Raises:
        NotRunning: It ended, or did not within `STARTING`.
    """
    until = time.monotonic() + STARTING
    while time.monotonic() < until:
        if server.process.poll() is not None:
            break
        try:
            socket.create_connection(("127.0.0.1", server.port), timeout=1.0).close()
            return
        except ConnectionRefusedError:
            time.sleep(0.01)
    raise NotRunning(f"the server did not start: {log.read_text('utf-8', 'replace')[-2000:]}")
