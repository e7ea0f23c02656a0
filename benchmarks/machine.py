"""What the figures were measured on."""

from __future__ import annotations

import datetime
import os
import platform
import sqlite3
from pathlib import Path

from envfactory_gym import __version__


def describe() -> dict[str, str]:
    """Processor, system, Python, SQLite, the library and the day."""
    load = os.getloadavg()[0]
    return {
        "machine": f"{_processor()}, {os.cpu_count()} cores, load {load:.1f} at the start",
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "envfactory_gym": __version__,
        "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
    }


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
