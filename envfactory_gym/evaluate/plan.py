"""What is to be played: which tasks of which environments, how often each.

Tasks are drawn by a seed, each environment in its turn, and a larger draw contains every smaller one:
whoever goes from 50 tasks to 100 plays 50 more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain, zip_longest

from ..environment import Package, TaskError, TaskPrivate
from ..episode import RunRecord


@dataclass(frozen=True)
class Item:
    """One episode to be played."""

    package: Package
    task: TaskPrivate
    trial: int

    @property
    def key(self) -> tuple[str, str, int]:
        """What it is known by: environment, task, trial."""
        return self.package.id, self.task.id, self.trial


def key_of(record: RunRecord) -> tuple[str, str, int, str]:
    """What a recorded episode is known by: environment, task, trial, and who played (a family without its member)."""
    return record.environment, record.task, record.trial, record.agent.partition(": ")[0]


def choose(
    packages: Sequence[Package],
    *,
    split: str | None = None,
    tasks: int | None = None,
    names: Sequence[str] = (),
    user: str = "scripted",
    seed: int = 0,
) -> list[tuple[Package, TaskPrivate]]:
    """The tasks to play, environments in turn.

    Args:
        packages: The environments.
        split: Only tasks of this split.
        tasks: How many at most; None for all.
        names: Only these, by id.
        user: With `solo`, only tasks that have a one-ticket form.
        seed: Decides which, where not all are taken.

    Raises:
        TaskError: Nothing fits, or a name is unknown.
    """
    if unknown := sorted(set(names) - {task.id for package in packages for task in package.tasks}):
        where = ", ".join(package.name for package in packages)
        raise TaskError(f"{where} has no task {unknown[0]!r}; `envfactory show NAME` lists the tasks")
    shuffled = [
        [(package, task) for task in sorted(package.tasks, key=lambda task: _draw(seed, package, task))
         if _fits(task, split, names, user)]
        for package in packages
    ]  # fmt: skip
    found = [each for each in chain.from_iterable(zip_longest(*shuffled)) if each is not None]
    if not found:
        what = " ".join(filter(None, ["no task", f"of the split {split}" if split else "", f"for user={user!r}"]))
        raise TaskError(f"{', '.join(package.name for package in packages)}: {what}; leave --split out for all of them")
    return found[:tasks]


def _fits(task: TaskPrivate, split: str | None, names: Sequence[str], user: str) -> bool:
    return (split is None or task.split == split) and (not names or task.id in names) and (user != "solo" or task.solo)


def _draw(seed: int, package: Package, task: TaskPrivate) -> bytes:
    return blake2b(f"{seed} {package.id} {task.id}".encode(), digest_size=8).digest()


def items(chosen: Sequence[tuple[Package, TaskPrivate]], k: int) -> Iterator[Item]:
    """Every episode: all tasks once, then all once more, so that a run that is cut short has seen every task."""
    for trial in range(k):
        for package, task in chosen:
            yield Item(package, task, trial)
