"""The folder of journals: one server's at a time, since two would write into the same episodes."""

from __future__ import annotations

import contextlib
import logging
import os
from pathlib import Path

from ..session import ServeError
from .journal import SUFFIX

logger = logging.getLogger("envfactory.fleet")


class Folder:
    """A folder that nobody else uses until it is closed, or until this process has died.

    Args:
        path: Where it is; made where there is none.

    Raises:
        ServeError: It cannot be used, or another server uses it.
    """

    def __init__(self, path: Path) -> None:
        self._handle: int | None = None
        try:
            path.mkdir(parents=True, exist_ok=True, mode=0o700)
            if not os.access(path, os.W_OK | os.X_OK):
                raise PermissionError(0, "it cannot be written to")
            self._handle = _held(path)
        except BlockingIOError:
            raise ServeError(
                f"{path}: another server keeps its episodes here; stop it first, or name another folder"
            ) from None
        except OSError as error:
            raise ServeError(f"{path}: episodes cannot be kept here: {error.strerror}; name another folder") from error

    def close(self) -> None:
        """Let others have it."""
        handle, self._handle = self._handle, None
        if handle is not None:
            os.close(handle)


def of_worker(folder: Path, number: int) -> Path:
    """The folder of one process among several."""
    return folder / f"worker{number}"


def left_out(folder: Path, count: int) -> list[str]:
    """Parts of a folder whose episodes nobody takes up, because it was kept by another number of processes.

    Args:
        folder: What `--hibernate` names.
        count: How many processes there are now; 0 for one that is on its own.
    """
    mine = {of_worker(folder, number) for number in range(count)} if count else {folder}
    others = {folder, *folder.glob("worker[0-9]*")} - mine
    return sorted(str(other) for other in others if any(other.glob(f"*{SUFFIX}")))


def tell_of_others(folder: Path, count: int) -> None:
    """Say in the log which episodes are not there now; as `left_out`."""
    for other in left_out(folder, count):
        logger.warning("episodes sleep on that were kept by another number of workers", extra={"folder": other})


def _held(path: Path) -> int | None:
    """A descriptor that holds a folder; None on systems that cannot."""
    try:
        import fcntl
    except ImportError:
        return None
    handle = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BaseException:
        with contextlib.suppress(OSError):
            os.close(handle)
        raise
    return handle
