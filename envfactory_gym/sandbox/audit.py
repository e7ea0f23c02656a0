"""Layer `audit`: Python itself refuses what a package's code has no business with (PEP 578).

The hook sees each file that is opened, each process, socket, foreign function and frame that is
asked for, whatever name it was reached by. It cannot be taken out again; code that breaks the
interpreter's memory could get round it, and that is why the kernel's layers stand behind it.
"""

from __future__ import annotations

import errno
import json
import os
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path, PosixPath, PurePosixPath, PureWindowsPath, WindowsPath
from typing import Any, NoReturn
from urllib.parse import unquote, urlsplit

VARIABLE = "ENVFACTORY_SANDBOX_AUDIT"
"""Environment variable by which the processes of a sandbox know their rules."""

MOST_TOLD = 20
"""Refusals that are printed; all happen."""

_NEVER = (
    "ctypes.", "ftplib.", "http.client.", "imaplib.", "nntplib.", "poplib.", "smtplib.", "telnetlib.", "urllib.Request",
    "webbrowser.", "winreg.", "_winapi.", "msvcrt.", "pty.", "resource.", "syslog.", "fcntl.", "mmap.",
    "os.fork", "os.system", "os.startfile", "os.chown", "os.lchown", "os.chflags", "os.lchflags",
    "os.setxattr", "os.removexattr", "os.putenv.", "os.add_dll_directory", "cpython.remote_debugger", "sys.remote_exec",
    "sys.addaudithook", "sys.set_asyncgen_hook", "builtins.input", "builtins.breakpoint",
    "sqlite3.enable_load_extension", "sqlite3.load_extension", "signal.pthread_kill",
    "socket.gethostbyname", "socket.gethostbyaddr", "socket.getaddrinfo", "socket.getnameinfo", "socket.getservby",
    "socket.bind", "socket.connect", "socket.listen", "socket.send", "socket.sethostname", "socket.if_",
)  # fmt: skip
"""Beginnings of events that nothing in a sandbox may cause."""

_PROCESSES = ("subprocess.Popen", "os.exec", "os.posix_spawn", "os.spawn", "os.kill", "os.killpg", "socket.__new__")
"""Beginnings of events of somebody who starts processes and talks to them."""

_BY_PACKAGES = (
    "exec", "compile", "open", "import", "sys._getframe", "sys._current", "sys.settrace", "sys.setprofile", "gc.",
    "object.__getattr__", "object.__setattr__", "object.__delattr__", "code.__new__", "function.__new__", "marshal.",
    "pickle.", "os.", "shutil.", "tempfile.", "glob.", "pathlib.", "socket.", "subprocess.", "sqlite3.", "signal.",
    "sys.unraisablehook", "sys.excepthook", "_thread.", "threading.",
)  # fmt: skip
"""Beginnings of events that the library may cause, and a line of the package itself may not."""

_PATHS: dict[str, tuple[int, ...]] = {
    "os.chmod": (0,), "os.lchmod": (0,), "os.link": (0, 1), "os.mkdir": (0,), "os.mkfifo": (0,), "os.mknod": (0,),
    "os.remove": (0,), "os.rename": (0, 1), "os.rmdir": (0,), "os.symlink": (0, 1), "os.truncate": (0,),
    "os.utime": (0,), "os.unlink": (0,), "shutil.rmtree": (0,), "shutil.move": (0, 1), "shutil.chown": (0,),
    "shutil.copyfile": (1,), "shutil.copymode": (1,), "shutil.copystat": (1,), "shutil.copytree": (1,),
    "shutil.make_archive": (0,), "shutil.unpack_archive": (1,), "tempfile.mkstemp": (0,), "tempfile.mkdtemp": (0,),
}  # fmt: skip
"""Events that change files, and which of their arguments are paths."""

_LOOKS: dict[str, tuple[int, ...]] = {
    "os.listdir": (0,), "os.scandir": (0,), "os.chdir": (0,), "os.fwalk": (0,), "os.walk": (0,), "os.getxattr": (0,),
    "os.listxattr": (0,), "shutil.copyfile": (0,), "shutil.copytree": (0,),
}  # fmt: skip

_LOOKING = ("sys._getframe", "object.__getattr__")
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Rules:
    """What may be opened, and whose code is a package's.

    Args:
        package: Folders whose Python files are the package's (and its mutants').
        work: The folder that may be written to.
        readable: Files and folders that may be read besides it.
        processes: Whether processes may be started, of this interpreter only.
        pure: Roots of modules that a package may import; empty for all.
    """

    def __init__(
        self, package: Sequence[str], work: str, readable: Sequence[str], *, processes: bool, pure: Sequence[str]
    ) -> None:
        self.package = tuple(folder.rstrip(os.sep) + os.sep for folder in package)
        self.work = os.path.realpath(work)
        self.readable = tuple({os.path.realpath(path) for path in readable})
        self.processes = processes
        self.pure = frozenset(pure)
        self.told = 0
        self._looking = threading.local()

    def text(self) -> str:
        """The rules as JSON, for the processes below this one."""
        return json.dumps(
            {
                "package": self.package,
                "work": self.work,
                "readable": self.readable,
                "processes": self.processes,
                "pure": sorted(self.pure),
            }
        )

    # ------------------------------------------------------------ the hook

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        """What Python calls at each event; raising refuses it."""
        if event in _LOOKING and getattr(self._looking, "now", False):
            return
        if event == "import" or event.startswith(_BY_PACKAGES):
            self._of_the_package(event, arguments)
        if event == "open":
            self._open(arguments)
        elif event in _PATHS or event in _LOOKS:
            self._paths(event, arguments)
        elif event == "sqlite3.connect":
            self._database(arguments[0])
        elif event.startswith(_NEVER):
            self.refuse(event, arguments)
        elif event.startswith(_PROCESSES):
            self._process(event, arguments)

    def _of_the_package(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Refuse what a line of the package does itself."""
        self._looking.now = True  # asking for a frame and its code are events themselves
        try:
            file = sys._getframe(3).f_code.co_filename
        except ValueError:
            return  # nobody's code: the interpreter itself
        finally:
            self._looking.now = False
        if not file.startswith(self.package):
            return
        if event == "import" and (not self.pure or str(arguments[0]).split(".")[0] in self.pure):
            return
        self.refuse(event, arguments)

    def _open(self, arguments: tuple[Any, ...]) -> None:
        path, mode, flags = arguments
        if isinstance(path, int):
            return
        if mode is None and not self._may(path, writing=True):
            self.refuse("os.open", (path, flags))  # a folder's descriptor would be a way round paths
        writing = bool((flags or 0) & _WRITING) or (isinstance(mode, str) and any(letter in mode for letter in "wax+"))
        if not self._may(path, writing=writing):
            self.refuse("open", (path, mode))

    def _paths(self, event: str, arguments: tuple[Any, ...]) -> None:
        for index in _PATHS.get(event, ()):
            if index < len(arguments) and not self._may(arguments[index], writing=True):
                self.refuse(event, arguments)
        for index in _LOOKS.get(event, ()):
            if index < len(arguments) and not self._may(arguments[index], writing=False):
                self.refuse(event, arguments)

    def _database(self, name: Any) -> None:
        if type(name) is not str:
            self.refuse("sqlite3.connect", (name,))
        text = name
        if text.startswith("file:"):
            parts = urlsplit(text)
            if "mode=memory" in parts.query or parts.path == ":memory:":
                return
            text = unquote(parts.path)
        elif text in (":memory:", ""):
            return
        if not self._may(text, writing=True) and not self._may(text, writing=False):
            self.refuse("sqlite3.connect", (name,))

    def _process(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.processes:
            self.refuse(event, arguments)
        if event == "subprocess.Popen" and os.path.realpath(str(arguments[0])) != os.path.realpath(sys.executable):
            self.refuse(event, arguments)
        if event.startswith(("os.exec", "os.posix_spawn", "os.spawn")):
            self.refuse(event, arguments)
        if event == "socket.__new__" and int(arguments[1]) != 1:  # AF_UNIX: a pair of connected ends, no address
            self.refuse(event, arguments)

    def _may(self, path: Any, *, writing: bool) -> bool:
        if isinstance(path, int) or path is None:
            return True
        if isinstance(path, bytes):
            text = os.fsdecode(bytes(path))
        elif isinstance(path, str):
            text = str.__add__("", path)  # of a subclass, the text itself: none of its methods is asked
        elif type(path) in (PosixPath, WindowsPath, PurePosixPath, PureWindowsPath):
            text = str(path)
        else:
            return False  # whatever it says now, it may say something else when it is opened
        try:
            real = os.path.realpath(text)
        except ValueError:
            return False
        if _below(real, self.work) or real == os.devnull:
            return True
        return not writing and any(_below(real, root) for root in self.readable)

    def refuse(self, event: str, arguments: tuple[Any, ...]) -> NoReturn:
        """Say so, and raise."""
        shown = ", ".join(_shown(argument) for argument in arguments[:2])
        text = f"the sandbox refuses {event}({shown})"
        self.told += 1
        if self.told <= MOST_TOLD:
            os.write(2, f"{text}\n".encode("utf-8", "replace"))
        raise PermissionError(errno.EPERM, text)


def _shown(argument: Any) -> str:
    """A value for people; of types of one's own only the name, since showing them would run their code."""
    return repr(argument)[:80] if type(argument) in (str, bytes, int, type(None)) else type(argument).__name__


def _below(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)


def arm(rules: Rules) -> None:
    """Put up the hook, in this process for good, and in those that it starts."""
    os.environ[VARIABLE] = rules.text()
    sys.addaudithook(_kept(rules))


def arm_again() -> None:
    """Put up the hook in a process that a sandbox started; nothing anywhere else."""
    text = os.environ.get(VARIABLE)
    if text:
        parts = json.loads(text)
        rules = Rules(
            parts["package"], parts["work"], parts["readable"],
            processes=parts["processes"], pure=parts["pure"],
        )  # fmt: skip
        sys.addaudithook(_kept(rules))


def _kept(rules: Rules) -> Callable[[str, tuple[Any, ...]], None]:
    """The rules behind a function, which has no attribute to change them by."""
    call = rules.__call__

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        call(event, arguments)

    return hook


CUSTOMISE = "from envfactory_gym.sandbox.audit import arm_again\n\narm_again()\n"
"""`sitecustomize.py` of a sandbox: what each Python process in it runs first."""


def write_customise(folder: Path) -> None:
    """Let every Python process that has `folder` on its path put up the hook."""
    (folder / "sitecustomize.py").write_text(CUSTOMISE, encoding="utf-8")
