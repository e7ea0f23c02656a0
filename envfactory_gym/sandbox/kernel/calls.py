"""Calls of the C library and of the Linux kernel, with errors as exceptions."""

from __future__ import annotations

import ctypes
import os
import platform
import sys
from functools import cache
from typing import Any

PR_CAPBSET_DROP = 24
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_SET_SECCOMP = 22

_CAPABILITIES = 64
_CAPABILITY_VERSION = 0x20080522


class Unavailable(OSError):
    """A mechanism is not there, or not for us; the text says why."""


@cache
def _libc() -> Any:
    return ctypes.CDLL(None, use_errno=True)


def linux() -> bool:
    """Whether this is Linux."""
    return sys.platform == "linux"


def machine() -> str:
    """The processor: `x86_64`, `aarch64`, or another."""
    name = platform.machine().lower()
    return {"amd64": "x86_64", "arm64": "aarch64"}.get(name, name)


def call(name: str, *arguments: Any) -> int:
    """A function of the C library that returns -1 on failure.

    Raises:
        OSError: It failed.
    """
    result = int(getattr(_libc(), name)(*arguments))
    if result == -1:
        code = ctypes.get_errno()
        raise OSError(code, f"{name}: {os.strerror(code)}")
    return result


def system_call(number: int, *arguments: Any) -> int:
    """A system call by number.

    Raises:
        OSError: It failed.
    """
    return call("syscall", ctypes.c_long(number), *arguments)


def prctl(option: int, value: Any = 0, third: Any = 0) -> int:
    """Linux's prctl.

    Raises:
        OSError: It failed.
    """
    return call("prctl", option, value, third, 0, 0)


def no_new_privileges() -> None:
    """Let nothing that this process runs gain privileges; what unprivileged landlock and seccomp ask for."""
    prctl(PR_SET_NO_NEW_PRIVS, 1)


def drop_capabilities() -> None:
    """Give up every privilege, for good: root without them is a user who owns root's files."""
    for capability in range(_CAPABILITIES):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError:
            break  # no such capability, or not allowed to: then there was none to drop
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    call("capset", header, (ctypes.c_uint32 * 6)())
