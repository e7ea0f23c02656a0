"""Playing what nobody verified: a package whose tools run in a sandbox, and everything else here."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Collection
from pathlib import Path

from ..environment import Package
from ..environment.hashing import package_hash
from ..sandbox import Protection
from ..sandbox.remote import RemoteTools
from .reach import PURE


class UnverifiedPackage(Package):
    """A package whose code is never imported here.

    Args:
        path: The folder.
        layers: Layers of the sandbox; all by default.

    Attributes:
        remote: Its tools, and the sandbox in which they run.
    """

    def __init__(self, path: str | Path, *, layers: Collection[str] | None = None) -> None:
        self.remote = RemoteTools("envfactory_gym.verify.inside:serve_tools", path, imports=PURE, layers=layers)
        super().__init__(path, environment=self.remote.environment)
        self.tools_from = id(self.remote)  # which a template that uses its tools keeps alive

    @property
    def protection(self) -> Protection:
        """What holds its code."""
        return self.remote.protection


_opened: weakref.WeakValueDictionary[tuple[str, str, int], UnverifiedPackage] = weakref.WeakValueDictionary()
_lock = threading.Lock()


def open_unverified(folder: str | Path) -> UnverifiedPackage:
    """A package to play in a sandbox; environments of the same files share one, and its sandbox.

    Raises:
        PackageError: It does not pass the static check, or does not load.
        SandboxError: There is no sandbox on this system, or it was stopped.
    """
    path = Path(folder).resolve()
    key = (str(path), package_hash(path), os.getpid())
    with _lock:
        found = _opened.get(key)
        if found is None:
            found = _opened[key] = UnverifiedPackage(path)
        return found
