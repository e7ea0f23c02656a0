"""The process between the caller and the code: it puts up the layers, forks the inmate, and outlives it.

Run as `python -m envfactory_gym.sandbox.warden CONFIG`. The warden runs no code of a package. It
ends the inmate, and whatever that started, when the caller goes away, when the wall time is up, or
when there are too many processes; and it tells the caller how the inmate ended.
"""

from __future__ import annotations

import importlib
import os
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from . import processes
from .channel import Channel, encode, write_all
from .config import Config
from .kernel.rlimits import restrict as restrict_resources
from .protection import LAYERS, Layer

_LOOK_EVERY = 0.05
"""Seconds between two looks at the inmate's processes."""


def main(path: str) -> None:
    """Start the inmate, wait for its end, and say how it ended."""
    config = Config.model_validate_json(Path(path).read_text(encoding="utf-8"))
    module, _, function = config.target.partition(":")
    target = getattr(importlib.import_module(module), function)  # the library's own, before anything is restricted
    processes.adopt_orphans()
    layers: list[Layer] = []
    inmate = os.fork()
    if inmate == 0:
        _inmate(config, layers, target)
    os.close(0)
    os.close(config.answers)
    ended = _watch(config, inmate)
    write_all(config.status, encode(ended))


def _inmate(config: Config, layers: list[Layer], target: Callable[[Channel, dict[str, Any]], None]) -> NoReturn:
    """What the forked process does: lock itself in, say what holds it, run the target, end."""
    code = 1
    try:
        os.setsid()
        processes.die_with_parent()
        requests = os.dup(0)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        processes.close_all_but({0, 1, 2, requests, config.answers})
        channel = Channel(requests, config.answers)
        os.chdir(config.work)
        layers += lock_in(config)
        channel.send({"layers": [layer.model_dump() for layer in layers]})
        target(channel, config.arguments)
        code = 0
    except MemoryError:
        sys.stderr.write("MemoryError: the sandbox's memory is used up\n")
    except BaseException:  # noqa: BLE001 - whatever it was, it is printed and the process ends
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)  # no exit handlers, no finalisers of modules: nothing that the code left behind runs


def lock_in(config: Config) -> list[Layer]:
    """Put up the layers that a process puts up around itself."""
    found = [Layer(name="snapshot", active=True), Layer(name="environment", active=True)]
    found.append(Layer(name="supervisor", active=True))
    if "limits" in config.layers:
        restrict_resources(config.limits)
        found.append(Layer(name="limits", active=True))
    else:
        found.append(Layer(name="limits", active=False, why="switched off"))
    present = {layer.name for layer in found}
    found += [Layer(name=name, active=False, why="not put up") for name in LAYERS if name not in present]
    return found


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
        elif (count := len(processes.descendants(os.getpid())) - 1) > config.limits.processes:
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
