"""Writes the bank's tasks: as many of each difficulty as the other packages have, and more pairs of refusals.

A bank mostly says no. So to the tasks that `generated_servers.synthesised` makes come pairs on both sides of a
rule, two at most for each rule and tool: refused in one world, done in the other, with the same words.

Run from the root of the checkout: `python -m generated_servers.banking.authoring.tasks`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from envfactory_gym.environment import Package, TaskPrivate
from envfactory_gym.synthesize.maker import TaskMaker
from envfactory_gym.synthesize.pipeline import Recipe, chains_of, work
from generated_servers.synthesised import line, written

BANKING = Path(__file__).resolve().parents[1]
PAIRS, OF_A_RULE = 24, 2
SEED = 11
FIRST = 1000
"""Where the numbers of these tasks begin, so that they clash with no others."""


def pairs(package: Package) -> Iterator[TaskPrivate]:
    """Tasks to be declined, each with its twin that is to be done."""
    maker = TaskMaker(package, seed=SEED, preset="medium")
    maker.mix = replace(maker.mix, boundary=1.0)
    made: Counter[str] = Counter()
    for number, chain in enumerate(chains_of(package, Recipe((package.name,), SEED, "medium")), start=FIRST):
        worked = work(maker, chain, number)
        if len(worked.tasks) == 2 and made[worked.template] < OF_A_RULE:
            made[worked.template] += 1
            yield from worked.tasks
        if made.total() == PAIRS or number == FIRST + 20 * PAIRS:
            return


if __name__ == "__main__":
    banking = Package.load(BANKING, trusted=True)
    text = "".join(line(task) for task in (*written(banking), *pairs(banking)))
    (BANKING / "tasks.jsonl").write_text(text, encoding="utf-8", newline="\n")
    print(f"banking: {text.count(chr(10))} tasks")
