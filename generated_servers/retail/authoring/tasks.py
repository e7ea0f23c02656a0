"""Writes the shop's tasks: as many of each difficulty as elsewhere, and more that a rule decides or that are for dev.

All come from one seed, so that nobody and no order is met in two splits. Run from the root of the checkout:
`python -m generated_servers.retail.authoring.tasks`; the same package gives the same bytes. `envfactory verify retail
--write` then certifies them once more and pins what they were certified against.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from envfactory_gym.environment import Package, TaskPrivate
from envfactory_gym.synthesize.duplicates import Duplicates
from envfactory_gym.synthesize.pipeline import Recipe, chains_of, synthesise
from generated_servers.synthesised import OF_EACH, PRESETS, SEED, line

HERE = Path(__file__).resolve().parents[1]
LOOKED_AT = 120
"""Of each difficulty; from the `OF_EACH`th on, only what is wanted is taken."""

MOST_OF_A_RULE = 2
DEV_WANTED = 20


def chosen(package: Package) -> Iterator[TaskPrivate]:
    """The tasks from easy to hard, no two of them alike."""
    seen, rules, dev = Duplicates(), Counter[str](), 0
    for preset in PRESETS:
        recipe = Recipe((package.name,), SEED, preset)
        kept: set[str] = set()
        for number, task in enumerate(synthesise(package, chains_of(package, recipe), recipe, LOOKED_AT)):
            declined = [turn.goal.decline for turn in task.turns if turn.goal.decline]
            if task.twin:
                few = any(rules[rule] < MOST_OF_A_RULE for rule in declined)
                take = task.twin in kept or (bool(declined) and (number < OF_EACH or few))
            else:
                for_dev = task.split == "dev" and dev < DEV_WANTED
                take = (number < OF_EACH or for_dev) and _takes_steps(task) and _is_new(seen, task)
            if take:
                rules.update(declined)
                dev += task.split == "dev"
                kept.add(task.id)
                yield task


def _takes_steps(task: TaskPrivate) -> bool:
    """Whether more than one call is needed: a single one, with all it needs in the words, is soon guessed."""
    return sum(len(turn.goal.calls) for turn in task.turns) > 1


def _is_new(seen: Duplicates, task: TaskPrivate) -> bool:
    template = " ".join(call.tool for turn in task.turns for call in turn.goal.calls)
    return bool(seen.add(template, " ".join(turn.request for turn in task.turns)))


if __name__ == "__main__":
    found = Package.load(HERE, trusted=True)
    text = "".join(line(task) for task in chosen(found))
    (HERE / "tasks.jsonl").write_text(text, encoding="utf-8", newline="\n")
    print(f"retail: {text.count(chr(10))} tasks")
