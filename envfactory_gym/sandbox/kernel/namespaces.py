"""Layer `namespaces`: a user, process table, network, file system and host name of one's own.

The way of bubblewrap, and its order of steps, without needing the program: the file system is an
empty one in memory, with Python and its libraries bound into it read-only. What is not bound is
not there. Nothing has an address but the process itself, not even a loopback that is up.

Sources: namespaces(7), user_namespaces(7), pivot_root(2), mount_setattr(2).
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable
from pathlib import Path

from .calls import Unavailable, call, linux, machine, system_call

_NEW_NS, _NEW_CGROUP, _NEW_UTS, _NEW_IPC = 0x00020000, 0x02000000, 0x04000000, 0x08000000
_NEW_USER, _NEW_PID, _NEW_NET = 0x10000000, 0x20000000, 0x40000000
_MS_NOSUID, _MS_NODEV, _MS_BIND, _MS_REC, _MS_PRIVATE = 0x2, 0x4, 0x1000, 0x4000, 0x40000
_MNT_DETACH = 2
_ATTR_RDONLY, _ATTR_NOSUID = 0x1, 0x2
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_MOUNT_SETATTR = 442
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_LINKS = 16
"""Symbolic links followed on the way to one path."""


def enter_user() -> None:
    """Become the owner of a new user namespace, in which processes started from now on have their own table.

    Raises:
        Unavailable: The system does not let us.
    """
    if not linux() or machine() not in _PIVOT_ROOT:
        raise Unavailable("only Linux on x86_64 and aarch64 has them")
    user, group = os.getuid(), os.getgid()
    try:
        call("unshare", _NEW_USER | _NEW_PID)
        Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1", encoding="ascii")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1", encoding="ascii")
    except OSError as error:
        raise Unavailable(f"this system does not allow user namespaces: {error}") from error


def wall_off(root: Path, work: Path, readable: Iterable[str], disk: int) -> None:
    """Enter the other namespaces and change to a file system that holds nothing but what is given.

    Args:
        root: An empty folder to build the file system on.
        work: The folder that stays writable: a file system of its own, in memory.
        readable: Files and folders that are bound read-only, where they are.
        disk: Bytes that fit `work`.

    Raises:
        Unavailable: The system does not let us; this process may then be in half of them, and has to end.
    """
    try:
        call("unshare", _NEW_NS | _NEW_NET | _NEW_IPC | _NEW_UTS | _NEW_CGROUP)
        _mount("none", "/", None, _MS_REC | _MS_PRIVATE)
        _mount("tmpfs", str(root), "tmpfs", _MS_NOSUID | _MS_NODEV, "size=1m,mode=755")
        bound: list[Path] = []
        for path in sorted(readable):
            _place(Path(path), root, bound)
        _folder(root, work)
        _mount("tmpfs", f"{root}{work}", "tmpfs", _MS_NOSUID | _MS_NODEV, f"size={disk},mode=700")
        (Path(f"{root}{work}") / "tmp").mkdir()
        os.chdir(root)
        system_call(_PIVOT_ROOT[machine()], b".", b".")
        call("umount2", b".", _MNT_DETACH)
        _read_only("/", recursive=False)
        os.chdir(work)
    except OSError as error:
        raise Unavailable(f"this system does not allow mounts of one's own: {error}") from error


def _place(path: Path, root: Path, bound: list[Path], links: int = 0) -> None:
    """Bind a path at the same place below `root`; symbolic links on the way are made again there."""
    if links > _LINKS:
        return
    for part in [*reversed(path.parents), path]:
        if part in bound:
            return
        if part.is_symlink():
            target = part.readlink()
            _folder(root, part.parent)
            link = Path(f"{root}{part}")
            if not os.path.lexists(link):
                link.symlink_to(target)
            rest = path.relative_to(part)
            whole = Path(os.path.normpath(part.parent / target)) / rest
            _place(whole, root, bound, links + 1)
            return
    if not path.exists():
        return
    place = Path(f"{root}{path}")
    if path.is_dir():
        _folder(root, path)
    else:
        _folder(root, path.parent)
        place.touch()
    _mount(str(path), str(place), None, _MS_BIND | _MS_REC)
    _read_only(str(place), recursive=True)
    bound.append(path)


def _folder(root: Path, path: Path) -> None:
    Path(f"{root}{path}").mkdir(parents=True, exist_ok=True)


def _mount(source: str, target: str, kind: str | None, flags: int, options: str = "") -> None:
    call(
        "mount", source.encode(), target.encode(), None if kind is None else kind.encode(), ctypes.c_ulong(flags),
        options.encode(),
    )  # fmt: skip


def _read_only(path: str, *, recursive: bool) -> None:
    attributes = (ctypes.c_uint64 * 4)(_ATTR_RDONLY | _ATTR_NOSUID, 0, 0, 0)
    system_call(
        _MOUNT_SETATTR, ctypes.c_int(_AT_FDCWD), path.encode(), ctypes.c_uint(_AT_RECURSIVE if recursive else 0),
        attributes, ctypes.c_size_t(ctypes.sizeof(attributes)),
    )  # fmt: skip
