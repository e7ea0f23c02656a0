"""Writing the measured help desk: under any name."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from envfactory_gym.environment import Package

TICKETS = 1_000
"""Rows of the base world; the image has about 100 KB."""

_SOURCE = Path(__file__).parent / "desk"
_SUBJECTS = ("cannot log in", "invoice is wrong", "parcel is late", "how do I cancel", "screen stays black")


def ticket_id(number: int) -> str:
    """The number of the n-th ticket."""
    return f"T-{number:05d}"


def write(folder: Path, name: str = "bench_desk") -> Package:
    """Write the package into a new folder; its code is this project's own."""
    shutil.copytree(_SOURCE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    manifest = folder / "environment.yaml"
    manifest.write_text(manifest.read_text("utf-8").replace("name: bench_desk", f"name: {name}"), "utf-8")
    (folder / "data").mkdir()
    with (folder / "data" / "tickets.jsonl").open("w", encoding="utf-8") as file:
        for number in range(TICKETS):
            row = {
                "ticket_id": ticket_id(number), "customer": f"Customer {number % 97}",
                "subject": _SUBJECTS[number % len(_SUBJECTS)], "status": "closed" if number % 4 == 3 else "open",
                "priority": number % 7,
            }  # fmt: skip
            file.write(json.dumps(row) + "\n")
    return Package(folder, trusted=True)


def names(count: int) -> list[str]:
    """Names of packages that differ in nothing else."""
    return [f"desk_{number:03d}" for number in range(count)]
