"""Writes the shop's tasks: as many of each difficulty as elsewhere, and more that a rule decides or that are for dev.

Run from the root of the checkout: `python -m generated_servers.retail.authoring.tasks`; the same package gives the
same bytes. `envfactory verify retail --write` then certifies them once more and pins what they were certified against.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from envfactory_gym.environment import Package, TaskPrivate
from envfactory_gym.synthesize.duplicates import Duplicates
from envfactory_gym.synthesize.pipeline import Recipe, chains_of, synthesise
from envfactory_gym.synthesize.presets import Preset
from generated_servers.synthesised import line, written

HERE = Path(__file__).resolve().parents[1]
MORE: tuple[tuple[int, Preset], ...] = ((21, "easy"), (22, "medium"), (23, "easy"), (24, "medium"), (25, "hard"))
"""Seeds and difficulties that further tasks are chosen from."""

LOOKED_AT = 45
MOST_OF_A_RULE = 2
DEV_WANTED = 16


def chosen(package: Package) -> Iterator[TaskPrivate]:
    """The tasks as they are made elsewhere, then pairs for rules that few tasks turn on, and tasks for dev."""
    seen, rules, dev = Duplicates(), Counter[str](), 0
    for task in written(package):
        seen.add(_template(task), _words(task))
        rules.update(_declined(task))
        dev += task.split == "dev"
        yield task
    for seed, preset in MORE:
        recipe = Recipe((package.name,), seed, preset)
        kept: set[str] = set()
        for task in synthesise(package, chains_of(package, recipe), recipe, LOOKED_AT):
            wanted = [rule for rule in _declined(task) if rules[rule] < MOST_OF_A_RULE]
            follows = task.twin in kept
            for_dev = task.split == "dev" and dev < DEV_WANTED and task.twin is None
            if follows or wanted or (for_dev and seen.add(_template(task), _words(task))):
                rules.update(wanted)
                dev += task.split == "dev"
                kept.add(task.id)
                yield _renamed(task, seed)


def _declined(task: TaskPrivate) -> list[str]:
    return [turn.goal.decline for turn in task.turns if turn.goal.decline]


def _template(task: TaskPrivate) -> str:
    return " ".join(call.tool for turn in task.turns for call in turn.goal.calls)


def _words(task: TaskPrivate) -> str:
    return " ".join(turn.request for turn in task.turns)


def _renamed(task: TaskPrivate, seed: int) -> TaskPrivate:
    """Ids are unique within a seed only."""
    return task.model_copy(update={"id": f"{task.id}-{seed}", "twin": task.twin and f"{task.twin}-{seed}"})


if __name__ == "__main__":
    found = Package.load(HERE, trusted=True)
    text = "".join(line(task) for task in chosen(found))
    (HERE / "tasks.jsonl").write_text(text, encoding="utf-8", newline="\n")
    print(f"retail: {text.count(chr(10))} tasks")
