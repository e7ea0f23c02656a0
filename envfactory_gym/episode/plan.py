"""What a task expects, computed once: per turn, the state it starts from and the ends it accepts.

Gold is run on a pooled world the first time a task is played in a process (about as long as the
episode itself) and then only looked up. Where an agent starts a turn from another state than gold
did, the goal is run anew on a fork of the agent's world (`replan`).
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from ..environment import EnvironmentFault, Package, Schema, TaskError, TaskPrivate
from ..world import LiveWorld, Mark, Template
from .gold import Expected, GoldFailed, expect, knowledge


@dataclass(frozen=True)
class Begun:
    """The start of a turn in a world: where its changes begin, and which ids existed by then."""

    mark: Mark
    minted: frozenset[Any]


@dataclass(frozen=True)
class TurnPlan:
    """One turn of a plan.

    Attributes:
        start: Digest of the state in which gold starts the turn.
        accepted: Every accepted end, gold's first.
        compare_from: Turn at whose start the compared change begins; None where the change is
            due only at the end of the task and this is not its last turn.
    """

    start: str
    accepted: tuple[Expected, ...]
    compare_from: int | None


@dataclass(frozen=True)
class Plan:
    """A task with everything expected of it. `results` are gold's results, by goal-call id."""

    task: TaskPrivate
    schema: Schema
    turns: tuple[TurnPlan, ...]
    results: dict[str, Any]


KEPT_PLANS = 1024
"""Plans kept per package, the least recently used given up first: a plan may hold a column of values."""

_plans: weakref.WeakKeyDictionary[Package, dict[str, Plan]] = weakref.WeakKeyDictionary()


def plan_of(package: Package, task: TaskPrivate) -> Plan:
    """The plan of a task; computed once per package and task content.

    Raises:
        TaskError: The task's setup or gold does not run.
    """
    cache = _plans.setdefault(package, {})
    key = task.model_dump_json(exclude={"certificate"})
    plan = cache.pop(key, None) or _compute(package, task)
    cache[key] = plan
    while len(cache) > KEPT_PLANS:
        cache.pop(next(iter(cache)), None)
    return plan


def comparison_start(task: TaskPrivate, turn: int) -> int | None:
    """The turn from whose start a turn's change is compared, or None where it is not compared yet."""
    due_end = [index for index, other in enumerate(task.turns[: turn + 1]) if other.due == "end"]
    if not due_end:
        return turn
    return due_end[0] if turn == len(task.turns) - 1 else None


def _compute(package: Package, task: TaskPrivate) -> Plan:
    template = Template.of(package)
    try:
        schema = package.schema.with_policies(task.loosen)
    except (KeyError, ValueError) as error:
        raise TaskError(f"task {task.id}: it loosens an unknown column or policy: {error}") from None
    world = template.acquire(task.setup, seed=task.seed)
    try:
        results: dict[str, Any] = {}
        turns = []
        begun: list[Begun] = []
        for index, turn in enumerate(task.turns):
            world.advance(turn.advance)
            begun.append(Begun(world.mark(), frozenset(world.minted)))
            start = world.digest()
            try:
                accepted = accepted_ends(world, package, task, index, results, begun.__getitem__)
            except (GoldFailed, EnvironmentFault) as error:
                raise TaskError(f"task {task.id}: gold of turn {index} does not run: {error}") from error
            turns.append(TurnPlan(start, accepted, comparison_start(task, index)))
        return Plan(task, schema, tuple(turns), results)
    finally:
        template.release(world)


def accepted_ends(
    world: LiveWorld,
    package: Package,
    task: TaskPrivate,
    index: int,
    results: dict[str, Any],
    begun: Callable[[int], Begun],
) -> tuple[Expected, ...]:
    """Every accepted end of a turn, run from the world's present state; the world is left in gold's.

    Args:
        world: A world of the harness's own, at the start of the turn.
        package: Its package.
        task: The task.
        index: The turn.
        results: Results of earlier turns' gold calls; this turn's are added.
        begun: The start of an earlier turn, for changes due at the end.

    Raises:
        GoldFailed: Gold itself does not run. Alternatives that do not run here are left out.
    """
    turn = task.turns[index]
    others = []
    for goal in turn.alternatives:
        # An alternative is a choice among others: where it cannot be made, it is not accepted.
        with world.trial(), suppress(GoldFailed):
            others.append(expect(world, package, goal, knowledge(package, task, index, world.now, dict(results))))
    gold = expect(world, package, turn.goal, knowledge(package, task, index, world.now, results))
    start = comparison_start(task, index)
    if start is not None and start < index:
        first = begun(start)
        gold = replace(gold, changes=world.changes(first.mark), minted=frozenset(world.minted - first.minted))
    return (gold, *others)


def replan(world: LiveWorld, package: Package, plan: Plan, index: int) -> tuple[Expected, ...]:
    """The accepted ends of a turn from the agent's own state, found on a fork.

    Returns:
        The ends; none where the goal cannot be carried out there, which means that an earlier
        turn has failed.
    """
    last = len(plan.task.turns) - 1
    start = comparison_start(plan.task, last)
    stretch = range(index, last + 1) if start == index and start != last else range(index, index + 1)
    fork = world.fork()
    try:
        start_of_stretch = Begun(fork.mark(), frozenset(fork.minted))
        results = dict(plan.results)
        found: tuple[Expected, ...] = ()
        for step in stretch:
            if step > index:
                fork.advance(plan.task.turns[step].advance)
            found = accepted_ends(fork, package, plan.task, step, results, lambda _: start_of_stretch)
        return found
    except GoldFailed:
        return ()
    finally:
        fork.template.release(fork)
