"""The process between the caller and the code: it puts up the layers, forks the inmate, and outlives it.

Run as `python -m envfactory_gym.sandbox.warden CONFIG`. The warden runs no code of a package. It
ends the inmate, and whatever that started, when the caller goes away, when the wall time is up, or
when there are too many processes; and it tells the caller how the inmate ended.
"""

from __future__ import annotations

import importlib
import os
import select
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from . import audit, processes
from .channel import Channel, encode, write_all
from .config import Config
from .kernel import landlock, namespaces, rlimits, seccomp
from .kernel.calls import Unavailable
from .protection import Layer

_LOOK_EVERY = 0.05
"""Seconds between two looks at the inmate's processes."""


def main(path: str) -> None:
    """Start the inmate, wait for its end, and say how it ended."""
    config = Config.model_validate_json(Path(path).read_text(encoding="utf-8"))
    module, _, function = config.target.partition(":")
    target = getattr(importlib.import_module(module), function)  # the library's own, before anything is restricted
    processes.adopt_orphans()
    layers = [Layer(name=name, active=True) for name in ("snapshot", "environment")]
    layers.append(_layer(config, "supervisor", lambda: None))
    layers.append(_layer(config, "namespaces", namespaces.enter_user))
    inmate = os.fork()
    if inmate == 0:
        _inmate(config, layers, target)
    os.close(0)
    os.close(config.answers)
    ended = _watch(config, inmate)
    try:
        write_all(config.status, encode(ended))
    except BrokenPipeError:  # nobody is left to tell, nor to tidy up
        shutil.rmtree(config.folder, ignore_errors=True)


def _inmate(config: Config, layers: list[Layer], target: Callable[[Channel, dict[str, Any]], None]) -> NoReturn:
    """What the forked process does: lock itself in, say what holds it, run the target, end."""
    code = 1
    try:
        os.setsid()
        requests = os.dup(0)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        processes.close_all_but({0, 1, 2, requests, config.answers})
        channel = Channel(requests, config.answers)
        os.chdir(config.work)
        try:
            layers = lock_in(config, layers)
        except Unavailable as error:
            channel.send({"without": {"namespaces": str(error)}})
            os._exit(0)
        channel.send({"layers": [layer.model_dump() for layer in layers]})
        target(channel, config.arguments)
        code = 0
    except MemoryError:
        sys.stderr.write("MemoryError: the sandbox's memory is used up\n")
    except BaseException:  # noqa: BLE001 - whatever it was, it is printed and the process ends
        traceback.print_exc()
    finally:
        with suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)  # no exit handlers, no finalisers of modules: nothing that the code left behind runs


def lock_in(config: Config, layers: list[Layer]) -> list[Layer]:
    """Put up the layers that a process puts up around itself, each before what it would forbid."""
    folder, work = Path(config.folder), Path(config.work)
    limits, may_start = config.limits, config.limits.processes > 0
    found = list(layers)
    if found[-1].active:
        # Where this fails, the process is in half of them, and says so by ending.
        namespaces.wall_off(folder / "root", work, config.readable, limits.disk)
    processes.die_with_parent()
    found.append(_layer(config, "limits", lambda: rlimits.restrict(limits)))
    writable = (config.work, os.devnull)
    # A program is run by its loader, which the kernel opens to run it too.
    programs = (os.path.realpath(sys.executable), "/lib64", "/lib") if may_start else ()
    found.append(_layer(config, "landlock", lambda: landlock.restrict(config.readable, writable, programs)))
    found.append(_layer(config, "seccomp", lambda: seccomp.restrict(processes=may_start)))
    found.append(_layer(config, "audit", lambda: _audit(config)))
    return found


def _layer(config: Config, name: str, put_up: Callable[[], None]) -> Layer:
    """Put up one layer, where it is wanted and to be had."""
    if name not in config.layers or name in config.absent:
        return Layer(name=name, active=False, why=config.absent.get(name, "switched off"))
    try:
        put_up()
    except Unavailable as error:
        return Layer(name=name, active=False, why=str(error))
    return Layer(name=name, active=True)


def _audit(config: Config) -> None:
    folder = Path(config.folder)
    rules = audit.Rules(
        [str(folder / "package"), config.work],
        config.work,
        config.readable,
        processes=config.limits.processes > 0,
        pure=config.imports,
    )
    audit.arm(rules)


def _watch(config: Config, inmate: int) -> dict[str, Any]:
    """Wait for the inmate's end, or bring it about; how it ended."""
    deadline = None if config.limits.wall_seconds is None else time.monotonic() + config.limits.wall_seconds
    caller = os.getppid()
    reason = ""
    told: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, frame: told.append(number))
    ending = select.poll()
    ending.register(config.alive, select.POLLHUP | select.POLLIN)
    while True:
        found, status = os.waitpid(inmate, os.WNOHANG)
        if found:
            break
        if told:
            reason = "the caller ended it"
        elif ending.poll(1000 * _LOOK_EVERY) or os.getppid() != caller:
            reason = "the caller went away"
        elif deadline is not None and time.monotonic() > deadline:
            reason = f"more than {config.limits.wall_seconds:g} s of wall time"
        elif (
            "supervisor" in config.layers
            and (count := len(processes.descendants(os.getpid())) - 1) > config.limits.processes
        ):
            reason = f"more than {config.limits.processes} processes besides the first ({count})"
        if reason:
            processes.end_all()
            return {"ended": reason}
    processes.end_all()
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return {"ended": f"it exited with code {code}"}
    return {"ended": _signal(-code, config)}


def _signal(number: int, config: Config) -> str:
    if number == signal.SIGXCPU or (number == signal.SIGKILL and config.limits.cpu_seconds is not None):
        return f"more than {config.limits.cpu_seconds} s of CPU time, or the machine's memory ran out (signal {number})"
    return f"it was ended by the signal {signal.Signals(number).name}"


if __name__ == "__main__":
    main(sys.argv[1])
