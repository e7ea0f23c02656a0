"""A run in a process of its own, to be killed: `python -m tests.author.child FOLDER URL`."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from envfactory_gym.author import reporting
from envfactory_gym.author.fleet import Endpoint, write_environments
from envfactory_gym.author.pipeline import Order, Settings
from envfactory_gym.author.run_folder import RunFolder

from .playing import rooms, sources_of


def killed_at(mark: Path) -> Callable[..., None]:
    """What ends this process without a word, once: the package is written then, and its report is not."""

    def die(*arguments: Any) -> None:
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)

    return die


def main(folder: Path, url: str) -> None:
    """Go on with the run of a folder until it is done."""
    order = Order("rooms", sources_of(folder, rooms()), folder / "out")
    if not (folder / "killed-at-report").exists():
        reporting.write_report = killed_at(folder / "killed-at-report")
    kept = RunFolder(folder / "run", {"model": "scripted"}, resume=True)
    (outcome,) = asyncio.run(write_environments([order], Endpoint("scripted", url), Settings(tasks=12), kept))
    print(outcome.tier, outcome.why)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
