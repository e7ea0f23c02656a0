"""`Sandbox`: starting one, asking it, and ending it, from the caller's side.

Nothing that comes out of a sandbox is more than JSON of a bounded length, and no call waits longer
than it was told to.
"""

from __future__ import annotations

import json
import os
import selectors
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import weakref
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from .channel import encode, write_all
from .config import Config
from .errors import SandboxError, SandboxStopped
from .limits import Limits
from .protection import LAYERS, Layer, Protection
from .snapshot import snapshot

STARTING = 60.0
"""Seconds in which a sandbox must be up; it takes less than one."""

ENDING = 5.0
"""Seconds in which a warden must have ended everything, before it is killed itself."""

TAIL = 8_192
"""Bytes of printed output that are kept."""

_LIBRARY = Path(__file__).resolve().parents[1]


class Sandbox:
    """One process behind walls, with a copy of a package.

    Args:
        target: What runs inside, as `module:function` of this library. It gets a `Channel` and the arguments, to
            which `folder` is added: where the copy of the package lies.
        package: The package folder; it is copied, and never touched again.
        arguments: JSON data for the target.
        limits: What ends it.
        layers: Layers to put up, of `LAYERS`; all by default. Fewer are for tests of the others.

    Attributes:
        protection: Which layers are active.

    Raises:
        SandboxError: There are no such processes on this system.
        SandboxStopped: It did not start.
        PackageError: The folder cannot be copied.
    """

    protection: Protection

    def __init__(
        self,
        target: str,
        package: str | Path,
        *,
        arguments: Mapping[str, Any] | None = None,
        limits: Limits | None = None,
        layers: Collection[str] | None = None,
    ) -> None:
        if os.name != "posix":
            raise SandboxError("a sandbox needs a POSIX system; on Windows, run it inside WSL or a container")
        self.limits = limits or Limits()
        self.printed = 0
        self._tail = b""
        self._buffer = bytearray()
        self._folder = Path(tempfile.mkdtemp(prefix="envfactory-sandbox-")).resolve()
        self._cleanup = weakref.finalize(self, shutil.rmtree, self._folder, True)
        try:
            copy = self._folder / "package"
            snapshot(Path(package).resolve(), copy, limit=self.limits.package)
            self._start(target, {**(arguments or {}), "folder": str(copy)}, frozenset(layers or LAYERS))
            ready = self.receive(STARTING)
            self.protection = Protection(layers=tuple(Layer.model_validate(layer) for layer in ready["layers"]))
        except BaseException:
            self.close()
            raise

    # ------------------------------------------------------------ asking

    def send(self, message: Mapping[str, Any]) -> None:
        """Ask something. The answers come from `receive`.

        Raises:
            SandboxStopped: It is not there any more.
        """
        try:
            write_all(self._requests, encode(message))
        except OSError:
            raise self._stopped() from None

    def receive(self, seconds: float) -> dict[str, Any]:
        """The next message from inside: a JSON object, of which nothing else is known.

        Args:
            seconds: How long to wait; then everything inside is killed.

        Raises:
            SandboxStopped: The time is up, a limit was reached, or it ended.
        """
        deadline = time.monotonic() + seconds
        while (end := self._buffer.find(b"\n")) < 0:
            if len(self._buffer) > self.limits.message:
                raise self._stopped(f"an answer of more than {self.limits.message:,} bytes")
            self._read(deadline, seconds)
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            raise self._stopped("it answered something that is no JSON object")
        return message

    def request(self, message: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """Ask, and wait for one answer."""
        self.send(message)
        return self.receive(seconds)

    @property
    def output(self) -> str:
        """The last of what was printed inside."""
        return self._tail.decode("utf-8", "replace")

    def _read(self, deadline: float, seconds: float) -> None:
        """Read from whichever pipe has something."""
        ready = self._selector.select(max(0.0, deadline - time.monotonic()))
        if not ready:
            raise self._stopped(f"no answer within {seconds:g} s")
        for key, _ in ready:
            data = os.read(key.fd, 1 << 16)
            if not data:
                self._selector.unregister(key.fd)
                if key.data == "answers":
                    raise self._stopped()
            elif key.data == "answers":
                self._buffer += data
            else:
                self.printed += len(data)
                self._tail = (self._tail + data)[-TAIL:]
                if self.printed > self.limits.output:
                    raise self._stopped(f"more than {self.limits.output:,} bytes of output")

    def _stopped(self, reason: str = "") -> SandboxStopped:
        """End everything; the error that says why."""
        said = self._end(of_itself=not reason)
        return SandboxStopped(reason or said, self.output)

    # ------------------------------------------------------------ beginning and end

    def _start(self, target: str, arguments: dict[str, Any], layers: frozenset[str]) -> None:
        work, path = self._folder / "work", self._folder / "path"
        (work / "tmp").mkdir(parents=True)
        path.mkdir()
        (path / _LIBRARY.name).symlink_to(_LIBRARY)
        requests, self._requests = os.pipe()
        self._answers, answers = os.pipe()
        self._status, status = os.pipe()
        alive, self._alive = os.pipe()
        mine = [self._requests, self._answers, self._status, self._alive]
        theirs = [requests, answers, status, alive]
        self._close_pipes = weakref.finalize(self, _close, mine)
        config = Config(
            target=target, arguments=arguments, limits=self.limits, folder=str(self._folder), work=str(work),
            readable=tuple(readable(self._folder)), layers=layers, answers=answers, status=status, alive=alive,
        )  # fmt: skip
        order = self._folder / "order.json"
        order.write_text(config.model_dump_json(), encoding="utf-8")
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "envfactory_gym.sandbox.warden", str(order)],
                stdin=requests, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, pass_fds=(answers, status, alive),
                env=environment(path, work), cwd=work, start_new_session=True,
            )  # fmt: skip
        finally:
            _close(theirs)
        self._end_process = weakref.finalize(self, _finish, self._process)
        self._selector = selectors.DefaultSelector()
        assert self._process.stdout is not None
        self._selector.register(self._answers, selectors.EVENT_READ, "answers")
        self._selector.register(self._process.stdout.fileno(), selectors.EVENT_READ, "output")

    def _end(self, *, of_itself: bool) -> str:
        """End the processes, or wait for their own end; what the warden said about it."""
        if of_itself:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(ENDING)
        _finish(self._process)
        said = ""
        with suppress(OSError):
            os.set_blocking(self._status, False)
            said = os.read(self._status, 4096).decode("utf-8", "replace")
        try:
            return str(json.loads(said)["ended"])
        except (ValueError, KeyError, TypeError):
            return "it ended"

    def close(self) -> None:
        """End everything inside and remove the temporary folder; safe to call again."""
        if hasattr(self, "_process"):
            self._end_process()
            self._selector.close()
            if self._process.stdout is not None:
                self._process.stdout.close()
        if hasattr(self, "_close_pipes"):
            self._close_pipes()
        self._cleanup()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def readable(folder: Path) -> list[str]:
    """What a sandbox may read: Python, its libraries, this library, and its own folder."""
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    found = {Path(sysconfig.get_path(name)) for name in names}
    found |= {Path(prefix) for prefix in (sys.prefix, sys.base_prefix, sys.exec_prefix)}
    found |= {Path(sys.executable), Path(sys.executable).resolve(), _LIBRARY, folder}
    system = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache", "/usr/share/zoneinfo")
    found |= {Path(name) for name in (*system, "/etc/localtime", "/dev/null", "/dev/zero", "/dev/urandom")}
    return sorted({str(path) for path in found if path.exists()})


def environment(path: Path, work: Path) -> dict[str, str]:
    """The environment variables of a sandbox; none is the caller's."""
    return {
        "PATH": os.defpath,
        "LANG": "C.UTF-8",
        "HOME": str(work),
        "TMPDIR": str(work / "tmp"),
        "ENVFACTORY_HOME": str(work / "state"),
        "ENVFACTORY_CACHE": str(work / "cache"),
        "PYTHONPATH": str(path),
        "PYTHONSAFEPATH": "1",
        "PYTHONNOUSERSITE": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUTF8": "1",
        "OPENBLAS_NUM_THREADS": "1",  # a process with threads may not enter a user namespace
        "OMP_NUM_THREADS": "1",
    }


def _close(descriptors: list[int]) -> None:
    while descriptors:
        os.close(descriptors.pop())


def _finish(process: subprocess.Popen[bytes]) -> None:
    """Let the warden end everything; kill it where it does not."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(ENDING)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
