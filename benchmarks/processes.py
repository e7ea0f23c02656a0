"""One measurement, one process: nothing measured before lies in its memory or its caches."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]


class PartFailed(RuntimeError):
    """A measurement did not come to an end; the message holds the last lines it wrote."""


def surroundings(cache: Path) -> dict[str, str]:
    """Environment variables of a measurement: its own cache of images, and this checkout first."""
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    return {**os.environ, "ENVFACTORY_CACHE": str(cache), "PYTHONPATH": path, "PYTHONHASHSEED": "0"}


def run(part: str, options: dict[str, Any], *, cache: Path, seconds: float = 1_200) -> dict[str, Any]:
    """Run `benchmarks.parts.<part>.measure(**options)` in a fresh process.

    Raises:
        PartFailed: It raised, or took longer than `seconds`.
    """
    command = [sys.executable, "-m", "benchmarks.processes", part, json.dumps(options)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, cwd=ROOT, env=surroundings(cache), timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        raise PartFailed(f"{part} took longer than {seconds:.0f} seconds") from None
    if done.returncode:
        raise PartFailed(f"{part}: " + " / ".join(done.stderr.strip().splitlines()[-2:]))
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def _main(part: str, options: str) -> None:
    from importlib import import_module

    given = json.loads(options)
    if "folder" in given:
        given["folder"] = Path(given["folder"])
    print(json.dumps(import_module(f"benchmarks.parts.{part}").measure(**given)))


if __name__ == "__main__":
    _main(*sys.argv[1:])
