"""Layer `landlock`: the kernel refuses this process files outside a list, TCP, and signals to others.

It needs no privilege, and holds in containers that forbid namespaces. Every version of the kernel
knows more of it; what this one knows is asked for.

Source: landlock(7) and the kernel's userspace-api/landlock.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from collections.abc import Iterable

from .calls import Unavailable, linux, no_new_privileges, system_call

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_RULE_PATH = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
REMOVE_DIR, REMOVE_FILE, MAKE_DIR, MAKE_REG, MAKE_SYM = 1 << 4, 1 << 5, 1 << 7, 1 << 8, 1 << 12
REFER, TRUNCATE = 1 << 13, 1 << 14

READ = READ_FILE | READ_DIR
CHANGE = READ | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | MAKE_SYM | REFER | TRUNCATE
_OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE

_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}
_NET = 0b11
_SCOPES = 0b11


def version() -> int:
    """Which landlock the kernel has; 0 for none."""
    if not linux():
        return 0
    try:
        return system_call(_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint(1))
    except OSError:
        return 0


def restrict(readable: Iterable[str], writable: Iterable[str], executable: Iterable[str]) -> None:
    """Lose every right to files that is not given here, and TCP; for this process and all that it starts.

    Args:
        readable: Files and folders, with all below.
        writable: Files and folders, with all below.
        executable: Files and folders.

    Raises:
        Unavailable: The kernel has no landlock.
    """
    known = version()
    if not known:
        raise Unavailable("the kernel has no landlock (Linux 5.13), or it is switched off")
    rights = _RIGHTS[min(known, max(_RIGHTS))]
    fields = [rights, *([_NET] if known >= 4 else []), *([_SCOPES] if known >= 6 else [])]
    attributes = struct.pack(f"={len(fields)}Q", *fields)
    try:
        rules = system_call(_CREATE, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint(0))
        try:
            for paths, given in ((readable, READ), (writable, CHANGE), (executable, READ | EXECUTE)):
                for path in paths:
                    _add(rules, path, given & rights)
            no_new_privileges()
            system_call(_RESTRICT, ctypes.c_int(rules), ctypes.c_uint(0))
        finally:
            os.close(rules)
    except OSError as error:
        raise Unavailable(f"landlock is refused here: {error}") from error


def _add(rules: int, path: str, rights: int) -> None:
    try:
        beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(beneath).st_mode):
            rights &= _OF_FILES
        rule = struct.pack("=Qi", rights, beneath)
        system_call(_ADD, ctypes.c_int(rules), ctypes.c_int(_RULE_PATH), rule, ctypes.c_uint(0))
    finally:
        os.close(beneath)
