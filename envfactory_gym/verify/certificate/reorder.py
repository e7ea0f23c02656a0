"""Row `reorder`: calls that have nothing to do with each other may be made in another order.

Two calls of a turn are independent where neither changes a row that the other changes, nor a table
that the other reads. Rows changed come from the change log, tables read from SQLite's authorizer.
Within each stretch of calls between two messages to the user, the calls are put into the order
that is furthest from gold's, except that dependent calls, calls that use a result and those that
the goal's `order` names stay in order. Gold played so must score 1 too.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Any

from ...environment.task import GoldCall
from ...environment.tool import EPISODE_TOOLS
from ...episode.solo import results_used
from ..finding import Finding, finding
from .context import TaskContext


@dataclass(frozen=True)
class _Footprint:
    """What a call touched: rows changed (table, key), tables changed, tables read."""

    rows: frozenset[tuple[str, tuple[Any, ...]]]
    writes: frozenset[str]
    reads: frozenset[str]

    def independent(self, other: _Footprint) -> bool:
        """Whether two calls may change places."""
        return not (self.rows & other.rows or self.writes & other.reads or self.reads & other.writes)


def check(context: TaskContext) -> Finding:
    """Play gold once more with all independent calls moved as far as they go."""
    messages: list[dict[str, Any]] = []
    moved: list[str] = []
    stretches = groupby(range(len(context.gold)), key=lambda index: _stretch(context, index))
    for (_, calling), indices in stretches:
        steps = list(indices)
        if not calling:
            messages += [context.gold[index].message for index in steps]
            continue
        calls = [call for index in steps for call in context.gold[index].step.calls]
        order = _furthest(context, steps, calls) if len(calls) > 1 else list(range(len(calls)))
        if order == sorted(order):
            messages += [context.gold[index].message for index in steps]
            continue
        moved += [calls[at].id for place, at in enumerate(order) if place != at]
        said = "\n".join(filter(None, (context.gold[index].message["content"] for index in steps)))
        for place, at in enumerate(order):
            call = {"name": calls[at].tool, "arguments": calls[at].arguments}
            messages.append({"role": "assistant", "content": "" if place else said, "tool_calls": [call]})
    evidence = []
    if moved:
        _, outcome = context.play(messages)
        if not outcome.success:
            evidence.append(
                f"gold with {', '.join(moved)} in another order scores {outcome.reward:g}: {outcome.reason}"
            )
    return finding(
        "reorder", evidence, figures={"moved": len(moved)},
        remedy="name the order in the goal, or draw ids and times in a way that does not depend on it",
    )  # fmt: skip


def _stretch(context: TaskContext, index: int) -> tuple[int, bool]:
    """Steps of one stretch have the same: how many messages to the user came before, and whether it is calls."""
    spoken = sum(not placed.step.calls for placed in context.gold[:index])
    return spoken, bool(context.gold[index].step.calls)


def _furthest(context: TaskContext, steps: list[int], calls: list[GoldCall]) -> list[int]:
    """An order of calls as different from the given one as their dependencies allow: always the last that may come."""
    prints = _footprints(context, steps[0], calls)
    before = _before(context, context.gold[steps[0]].turn, calls)
    waiting = list(range(len(calls)))
    order: list[int] = []
    while waiting:
        last = next(
            at
            for at in reversed(waiting)
            if all(
                prints[at].independent(prints[earlier]) and (earlier, at) not in before
                for earlier in waiting
                if earlier < at
            )
        )
        order.append(last)
        waiting.remove(last)
    return order


def _footprints(context: TaskContext, index: int, calls: list[GoldCall]) -> list[_Footprint]:
    """What each call touches where gold makes it."""
    found = []
    with context.before(index) as episode:
        world = episode.world
        for call in calls:
            mark = world.mark()
            with world.reads() as reads:
                if call.tool not in EPISODE_TOOLS:
                    world.call(call.tool, call.arguments)
            found.append(_Footprint(frozenset(world.changes(mark)), frozenset(world.touched(mark)), frozenset(reads)))
    return found


def _before(context: TaskContext, turn: int, calls: list[GoldCall]) -> set[tuple[int, int]]:
    """Pairs of calls that keep their order: the later uses the earlier's result, or the goal says so."""
    goal = context.task.turns[turn].goal
    at = {call.id: place for place, call in enumerate(calls)}
    pairs = set(goal.order)
    for call in goal.calls:
        for source in call.arguments.values():
            pairs |= {(used, call.id) for used in results_used(source)}
    return {(at[first], at[second]) for first, second in pairs if first in at and second in at}
