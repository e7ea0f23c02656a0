"""Importing the library, in fresh interpreters: what it adds to importing Gymnasium."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from ..clock import summary

_PROGRAM = """
import json, time
start = time.process_time_ns()
import gymnasium
between = time.process_time_ns()
import envfactory_gym
print(json.dumps([between - start, time.process_time_ns() - between]))
"""


def measure(samples: int) -> dict[str, Any]:
    """CPU time of importing gymnasium, and of importing envfactory_gym after it (the first run is not counted)."""
    found = [_once() for _ in range(samples + 1)][1:]
    return {
        "gymnasium": summary([first for first, _ in found]),
        "envfactory_gym": summary([second for _, second in found]),
    }


def _once() -> tuple[int, int]:
    done = subprocess.run([sys.executable, "-c", _PROGRAM], capture_output=True, text=True, check=True)
    first, second = json.loads(done.stdout)
    return first, second
