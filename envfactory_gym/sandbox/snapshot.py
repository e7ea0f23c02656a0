"""A copy of a package folder, made before anything looks inside.

What is checked is then what is run, and nothing in the folder can point out of it: links and
special files are refused, hard links too, since a file with a second name may belong to anyone.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from ..environment.errors import PackageError
from ..environment.hashing import IGNORED

MAX_FILES = 10_000
"""Files that a package may consist of."""


def snapshot(folder: Path, target: Path, *, limit: int) -> None:
    """Copy the regular files of a package.

    Args:
        folder: The package; it is only read.
        target: A folder that does not exist yet.
        limit: Bytes that may be copied.

    Raises:
        PackageError: There is a link or a special file in it, or it is too large.
    """
    copied = count = 0
    target.mkdir(parents=True)
    for here, folders, files in os.walk(folder, followlinks=False):
        folders[:] = sorted(name for name in folders if name not in IGNORED)
        inside = Path(here).relative_to(folder)
        for name in folders:
            if (Path(here) / name).is_symlink():
                raise _refusal(folder, inside / name, "a symbolic link")
            (target / inside / name).mkdir()
        for name in sorted(set(files) - IGNORED):
            if name.endswith(".pyc"):
                continue
            content = _read(folder, inside / name, limit - copied)
            copied, count = copied + len(content), count + 1
            if count > MAX_FILES:
                raise PackageError(f"more than {MAX_FILES} files", file=folder, remedy="a package holds a few dozen")
            (target / inside / name).write_bytes(content)


def _read(folder: Path, inside: Path, room: int) -> bytes:
    """The bytes of one file, which is opened without following a link and looked at while open."""
    path = folder / inside
    if path.is_symlink():
        raise _refusal(folder, inside, "a symbolic link")
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(handle, "rb") as file:
        facts = os.fstat(file.fileno())
        if not stat.S_ISREG(facts.st_mode):
            raise _refusal(folder, inside, "no regular file")
        if facts.st_nlink > 1:
            raise _refusal(folder, inside, "a hard link: the same file has another name elsewhere")
        content = file.read(room + 1)
    if len(content) > room:
        raise PackageError("the package is too large for the sandbox", file=path, remedy="make its data smaller")
    return content


def _refusal(folder: Path, inside: Path, what: str) -> PackageError:
    return PackageError(
        f"it is {what}, which a sandbox does not follow", file=folder / inside,
        remedy="copy the folder with its links resolved (`cp -rL`), once you know where they lead",
    )  # fmt: skip
