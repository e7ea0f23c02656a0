"""Layer `seccomp`: system calls that no tool has any business with fail with EPERM.

The filter is a list of refusals and a few looks at arguments, assembled here: libseccomp's Python
bindings come with the distribution and not with pip, and the wrapper on PyPI needs the library to
be installed; a list this short needs no compiler.

Source: seccomp(2); numbers of the kernel's tables for x86_64 and aarch64.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from collections.abc import Sequence

from .calls import PR_SET_SECCOMP, Unavailable, linux, machine, no_new_privileges, prctl

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

_ALWAYS = """
    socket 41 198, connect 42 203, bind 49 200, listen 50 201, accept 43 202, accept4 288 242,
    ptrace 101 117, process_vm_readv 310 270, process_vm_writev 311 271, kcmp 312 272, pidfd_open 434 434,
    pidfd_getfd 438 438, process_madvise 440 440,
    mount 165 40, umount2 166 39, pivot_root 155 41, chroot 161 51, unshare 272 97, setns 308 268, open_tree 428 428,
    move_mount 429 429, fsopen 430 430, fsconfig 431 431, fsmount 432 432, fspick 433 433, mount_setattr 442 442,
    bpf 321 280, perf_event_open 298 241, userfaultfd 323 282, io_uring_setup 425 425, io_uring_enter 426 426,
    io_uring_register 427 427, keyctl 250 219, add_key 248 217, request_key 249 218, kexec_load 246 104,
    kexec_file_load 320 294, init_module 175 105, finit_module 313 273, delete_module 176 106, reboot 169 142,
    swapon 167 224, swapoff 168 225, open_by_handle_at 304 265, name_to_handle_at 303 264, personality 135 92,
    quotactl 179 60, syslog 103 116, acct 163 89, settimeofday 164 170, clock_settime 227 112, adjtimex 159 171,
    clock_adjtime 305 266, sethostname 170 161, setdomainname 171 162, iopl 172 -1, ioperm 173 -1, modify_ldt 154 -1,
    memfd_create 319 279, memfd_secret 447 447, setrlimit 160 164, mq_open 240 180, shmget 29 194, semget 64 190,
    msgget 68 186, fanotify_init 300 262, mknod 133 -1, mknodat 259 33
"""
_WITHOUT_PROCESSES = """
    fork 57 -1, vfork 58 -1, execve 59 221, execveat 322 281, socketpair 53 199, pidfd_send_signal 424 424
"""
_TO_SELF = "kill 62 129, tgkill 234 131, rt_sigqueueinfo 129 138, rt_tgsigqueueinfo 297 240"
_TKILL = "tkill 200 130"
_CLONE, _CLONE3 = {"x86_64": 56, "aarch64": 220}, 435
_PRLIMIT = {"x86_64": 302, "aarch64": 261}

_CLONE_THREAD, _CLONE_NEW = 0x00010000, 0x7E020000
_X32 = 0x40000000

_LOAD, _JUMP_EQUAL, _JUMP_SET, _JUMP_GREATER, _RETURN = 0x20, 0x15, 0x45, 0x35, 0x06
_ALLOW, _KILL = 0x7FFF0000, 0x80000000
_REFUSE = 0x00050000 | errno.EPERM
_ABSENT = 0x00050000 | errno.ENOSYS
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16

Instruction = tuple[int, int, int, int]


def program(processes: bool) -> list[Instruction]:
    """The filter for this machine, as instructions (code, jump if true, jump if false, value).

    Args:
        processes: Whether processes may be started.

    Raises:
        Unavailable: The table has no column for this machine.
    """
    kind = machine()
    if kind not in _ARCHITECTURES:
        raise Unavailable(f"the table of system calls has no column for {kind}")
    column = list(_ARCHITECTURES).index(kind)
    found: list[Instruction] = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_JUMP_EQUAL, 1, 0, _ARCHITECTURES[kind]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if kind == "x86_64":
        found += [(_JUMP_GREATER, 0, 1, _X32), (_RETURN, 0, 0, _REFUSE)]
    refused = _ALWAYS if processes else ",".join((_ALWAYS, _WITHOUT_PROCESSES, _TKILL))
    for number in _numbers(refused, column):
        found += [(_JUMP_EQUAL, 0, 1, number), (_RETURN, 0, 0, _REFUSE)]
    # glibc asks for clone3, whose flags lie in memory that no filter sees, and goes back to clone where there is none.
    found += [(_JUMP_EQUAL, 0, 1, _CLONE3), (_RETURN, 0, 0, _ABSENT)]
    if processes:
        found += _when(_CLONE[kind], 0, [(_JUMP_SET, 0, 1, _CLONE_NEW), (_RETURN, 0, 0, _REFUSE)])
    else:
        found += _when(_CLONE[kind], 0, [(_JUMP_SET, 1, 0, _CLONE_THREAD), (_RETURN, 0, 0, _REFUSE)])
        for number in _numbers(_TO_SELF, column):
            found += _when(number, 0, [(_JUMP_EQUAL, 1, 0, os.getpid()), (_RETURN, 0, 0, _REFUSE)])
    for half in (0, 4):  # a new limit is a pointer that is not null
        found += _when(_PRLIMIT[kind], 16 + half, [(_JUMP_EQUAL, 1, 0, 0), (_RETURN, 0, 0, _REFUSE)])
    return [*found, (_RETURN, 0, 0, _ALLOW)]


def restrict(*, processes: bool) -> None:
    """Put the filter around this process and all that it starts.

    Raises:
        Unavailable: The kernel, or this machine, has none.
    """
    if not linux():
        raise Unavailable("only Linux has it")
    code = b"".join(struct.pack("=HBBI", *instruction) for instruction in program(processes))
    buffer = ctypes.create_string_buffer(code, len(code))
    header = struct.pack("@HP", len(code) // 8, ctypes.addressof(buffer))
    try:
        no_new_privileges()
        prctl(PR_SET_SECCOMP, 2, header)
    except OSError as error:
        raise Unavailable(f"the kernel does not take a filter: {error}") from error


def _numbers(table: str, column: int) -> list[int]:
    """The numbers of a table's calls for one processor; those that it has not are left out."""
    rows: list[Sequence[str]] = [row.split() for row in table.split(",") if row.strip()]
    return [number for row in rows if (number := int(row[1 + column])) >= 0]


def _when(number: int, argument: int, block: list[Instruction]) -> list[Instruction]:
    """Look at the low half of an argument, at this many bytes into them, if the call is that one."""
    inner = [(_LOAD, 0, 0, _ARGUMENTS + argument), *block, (_LOAD, 0, 0, _NUMBER)]
    return [(_JUMP_EQUAL, 0, len(inner), number), *inner]
