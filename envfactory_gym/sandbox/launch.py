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
import threading
import time
import weakref
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from .audit import write_customise
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

Result = TypeVar("Result")

_LIBRARY = Path(__file__).resolve().parents[1]


class Sandbox:
    """One process behind walls, with a copy of a package.

    Args:
        target: What runs inside, as `module:function` of this library. It gets a `Channel` and the arguments, to
            which `folder` is added: where the copy of the package lies.
        package: The package folder; it is copied, and never touched again.
        arguments: JSON data for the target.
        limits: What ends it.
        imports: Roots of modules that the package's code may import; all where none are given.
        layers: Layers to put up, of `LAYERS`; all by default. Fewer are for tests of the others.

    Attributes:
        protection: Which layers are active.
        copy: Where the copy of the package lies, which paths in messages from inside speak of.

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
        imports: Collection[str] = (),
        layers: Collection[str] | None = None,
    ) -> None:
        if os.name != "posix":
            raise SandboxError("a sandbox needs a POSIX system; on Windows, run it inside WSL or a container")
        self.limits = limits or Limits()
        self.printed = 0
        self._tail = b""
        self._buffer = bytearray()
        self._folder = Path(tempfile.mkdtemp(prefix="envfactory-sandbox-")).resolve()
        self._cleanup = weakref.finalize(self, _remove, self._folder, os.getpid())
        try:
            self.copy = self._folder / "package"
            snapshot(Path(package).resolve(), self.copy, limit=self.limits.package)
            self._furnish()
            config = Config(
                target=target,
                arguments={**(arguments or {}), "folder": str(self.copy)},
                limits=self.limits,
                folder=str(self._folder),
                work=str(self._folder / "work"),
                readable=tuple(readable(self._folder)),
                imports=tuple(sorted(imports)),
                layers=frozenset(LAYERS if layers is None else layers),
            )
            ready = self._begin(config)
            if "without" in ready:  # seen only half way in
                self._end(of_itself=True)
                ready = self._begin(config.model_copy(update={"absent": dict(ready["without"])}))
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
        said = _whole(lambda: self._end(of_itself=not reason))
        return SandboxStopped(reason or said, self.output)

    # ------------------------------------------------------------ beginning and end

    def _furnish(self) -> None:
        """Make the folders of a sandbox, and put this library on its path by a link."""
        for name in ("work/tmp", "path", "root"):
            (self._folder / name).mkdir(parents=True)
        (self._folder / "path" / _LIBRARY.name).symlink_to(_LIBRARY)
        write_customise(self._folder / "path")

    def _begin(self, config: Config) -> dict[str, Any]:
        """Start the warden; the first message from inside, sent before it runs anything of the package."""
        self._close_processes()
        requests, self._requests = os.pipe()
        self._answers, answers = os.pipe()
        self._status, status = os.pipe()
        self._printed, output = os.pipe()
        alive, self._alive = os.pipe()
        theirs = [requests, answers, status, output, alive]
        mine = [self._requests, self._answers, self._status, self._printed, self._alive]
        self._close_pipes = weakref.finalize(self, _close, mine)
        order = self._folder / "order.json"
        pipes = {"answers": answers, "status": status, "alive": alive}
        order.write_text(config.model_copy(update=pipes).model_dump_json(), encoding="utf-8")
        work = self._folder / "work"
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "envfactory_gym.sandbox.warden", str(order)],
                stdin=requests, stdout=output, stderr=output, pass_fds=(answers, status, alive),
                env=environment(self._folder / "path", work), cwd=work, start_new_session=True,
            )  # fmt: skip
        finally:
            _close(theirs)
        self._end_process = weakref.finalize(self, _finish, self._process, os.getpid())
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._answers, selectors.EVENT_READ, "answers")
        self._selector.register(self._printed, selectors.EVENT_READ, "output")
        return self.receive(STARTING)

    def _end(self, *, of_itself: bool) -> str:
        """End the processes, or wait for their own end; what the warden said about it."""
        if of_itself:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(ENDING)
        _finish(self._process, os.getpid())
        said = ""
        with suppress(OSError):  # what was printed last; the writers are gone
            os.set_blocking(self._printed, False)
            self._tail = (self._tail + os.read(self._printed, 1 << 20))[-TAIL:]
        with suppress(OSError):
            os.set_blocking(self._status, False)
            said = os.read(self._status, 4096).decode("utf-8", "replace")
        try:
            return str(json.loads(said)["ended"])
        except (ValueError, KeyError, TypeError):
            return "it ended"

    def close(self) -> None:
        """End everything inside and remove the temporary folder; safe to call again."""
        _whole(self._close_all)

    def _close_all(self) -> None:
        self._close_processes()
        self._cleanup()

    def _close_processes(self) -> None:
        if hasattr(self, "_process"):
            self._end_process()
            self._selector.close()
        if hasattr(self, "_close_pipes"):
            self._close_pipes()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _whole(work: Callable[[], Result]) -> Result:
    """Do something to its end, whatever is raised in this thread meanwhile (by a watchdog, or Ctrl-C)."""
    done: list[Result] = []
    thread = threading.Thread(target=lambda: done.append(work()), name="envfactory-sandbox-end", daemon=True)
    try:
        thread.start()
    except RuntimeError:  # no more threads: the interpreter is going
        return work()
    thread.join()
    return done[0]


def readable(folder: Path) -> list[str]:
    """What a sandbox may read: Python, its libraries, this library, and its own folder."""
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    found = {Path(sysconfig.get_path(name)) for name in names}
    found |= {Path(prefix) for prefix in (sys.prefix, sys.base_prefix, sys.exec_prefix)}
    found |= {Path(sys.executable), Path(sys.executable).resolve(), _LIBRARY, folder / "package", folder / "path"}
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


def _remove(folder: Path, owner: int) -> None:
    if os.getpid() == owner:  # a process forked from it has the object too, and no business with the folder
        shutil.rmtree(folder, ignore_errors=True)


def _finish(process: subprocess.Popen[bytes], owner: int) -> None:
    """Let the warden end everything; kill it where it does not."""
    if os.getpid() == owner and process.poll() is None:
        process.terminate()
        try:
            process.wait(ENDING)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
