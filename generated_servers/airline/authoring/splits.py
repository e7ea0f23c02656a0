"""Splits: tasks that share a customer, a row or a twin stay together, and the groups are dealt to train, dev and test.

So nothing that is learnt about a row in one split can help in another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from envfactory_gym.environment import TaskPrivate
from envfactory_gym.environment.task import Split, Turn
from envfactory_gym.world import LiveWorld

SHARES: tuple[tuple[Split, float], ...] = (("train", 0.6), ("dev", 0.18), ("test", 0.22))


def footprint(task: TaskPrivate, turns: Sequence[Turn], world: LiveWorld) -> set[str]:
    """Names of all a task touches: its customer, its twin, its referents, and the rows that gold updates.

    Args:
        task: The task.
        turns: Its turns.
        world: Where gold was carried out.
    """
    touched = {f"customer {slot.value}" for slot in task.user.slots if slot.name == "customer_id"}
    touched.add("twins " + " ".join(sorted((task.id, task.twin or task.id))))
    for turn in turns:
        for referent in turn.goal.referents:
            touched |= {f"{referent.column} {row[0]}" for row in world.query(referent.sql)}
    touched |= {f"{table} {key}" for (table, key), (old, _) in world.changes().items() if old is not None}
    return touched


def deal(footprints: Mapping[str, set[str]]) -> dict[str, Split]:
    """A split for every task; the largest group goes first, always to the split that lacks most."""
    groups: list[tuple[list[str], set[str]]] = []
    for task, touched in footprints.items():
        names, union = [task], set(touched)
        apart = []
        for group in groups:
            if group[1] & union:
                names, union = group[0] + names, union | group[1]
            else:
                apart.append(group)
        groups = [*apart, (names, union)]
    found: dict[str, Split] = {}
    for names, _ in sorted(groups, key=lambda group: (-len(group[0]), group[0])):
        counts = {split: sum(value == split for value in found.values()) for split, _ in SHARES}
        split = min(SHARES, key=lambda item: counts[item[0]] / item[1])[0]
        found |= dict.fromkeys(names, split)
    return found
