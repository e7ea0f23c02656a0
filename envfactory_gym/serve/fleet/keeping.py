"""The folder of journals: one server's at a time, since two would write into the same episodes."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from ..session import ServeError


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
