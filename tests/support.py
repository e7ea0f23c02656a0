"""What many tests need: a copy of the small lending package that may be broken at will."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from envfactory_gym import Package

LENDING = Path(__file__).parent / "packages" / "lending"


def lending() -> Package:
    """The lending package, as it is."""
    return Package.load(LENDING, trusted=True)


def copy_of_lending(folder: Path, *edits: tuple[str, str, str]) -> Path:
    """A copy in which each (file, old, new) edit was made; an edit that finds nothing is a broken test."""
    target = folder / "lending"
    shutil.copytree(LENDING, target, ignore=shutil.ignore_patterns("__pycache__"))
    for file, old, new in edits:
        text = (target / file).read_text()
        assert old in text, f"{file} does not contain {old!r}"
        (target / file).write_text(text.replace(old, new))
    return target


def edit_task(folder: Path, task_id: str, change: Callable[[dict[str, Any]], None]) -> None:
    """Change one task of a package's tasks.jsonl."""
    path = folder / "tasks.jsonl"
    tasks = [json.loads(line) for line in path.read_text().splitlines()]
    change(next(task for task in tasks if task["id"] == task_id))
    path.write_text("".join(json.dumps(task) + "\n" for task in tasks))
