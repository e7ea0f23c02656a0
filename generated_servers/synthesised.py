"""Writes the tasks of packages whose tasks are synthesised: as many of each difficulty, all certified, none hackable.

Run from the root of the checkout: `python -m generated_servers.synthesised hotel`. The same package gives the same
bytes. `envfactory verify NAME --write` then certifies them once more and pins what they were certified against.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from envfactory_gym.environment import Package, TaskPrivate
from envfactory_gym.synthesize.duplicates import Duplicates
from envfactory_gym.synthesize.pipeline import Recipe, chains_of, synthesise
from envfactory_gym.synthesize.presets import Preset
from envfactory_gym.verify.hackability import measure

SERVERS = Path(__file__).resolve().parent
PRESETS: tuple[Preset, ...] = ("easy", "medium", "hard")
OF_EACH = 44
SEED = 7


def written(package: Package) -> Iterator[TaskPrivate]:
    """The tasks, from easy to hard, no two of them alike."""
    seen = Duplicates()
    for preset in PRESETS:
        recipe = Recipe((package.name,), SEED, preset)
        for task in synthesise(package, chains_of(package, recipe), recipe, OF_EACH):
            template = " ".join(call.tool for turn in task.turns for call in turn.goal.calls)
            if seen.add(template, " ".join(turn.request for turn in task.turns)) or task.twin:
                yield task


def unhackable(package: Package, tasks: list[TaskPrivate]) -> list[TaskPrivate]:
    """The tasks that no adversary is paid for, and whose twins are among them."""
    played = measure(package, tasks)
    paid = set(played.hacked) | set(played.hacked_by_turns)
    paid |= {task.id for task in tasks if task.twin in paid}
    return [task for task in tasks if task.id not in paid]


def line(task: TaskPrivate) -> str:
    """A task as one line of JSON, without what is empty: the defaults of a task say the same."""
    return json.dumps(_without_empty(task.model_dump(mode="json")), ensure_ascii=False, separators=(",", ":")) + "\n"


def _without_empty(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {key: _without_empty(child) for key, child in value.items()}
        return {key: child for key, child in kept.items() if child not in (None, "", [], {})}
    return [_without_empty(child) for child in value] if isinstance(value, list) else value


if __name__ == "__main__":
    for name in sys.argv[1:]:
        found = Package.load(SERVERS / name, trusted=True)
        text = "".join(line(task) for task in unhackable(found, list(written(found))))
        (SERVERS / name / "tasks.jsonl").write_text(text, encoding="utf-8", newline="\n")
        print(f"{name}: {text.count(chr(10))} tasks")
