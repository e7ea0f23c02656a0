"""Running a goal: from source expressions to literal calls, results, answers and the expected change.

A goal is a program whose effect is a function of the state it starts from. Running it on the
base world gives a task's gold; running it on a fork of the agent's own world gives what was
expected of the agent there.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from ..environment import EnvFactoryError, Goal, Package, TaskError, TaskPrivate, ToolError
from ..environment.task import GoldCall
from ..world import Changes, LiveWorld
from .answers import Wanted
from .sources import Knowledge, SourceError, evaluate


class GoldFailed(EnvFactoryError):
    """A goal cannot be carried out on this state: an earlier turn has failed, or the task is broken."""


@dataclass(frozen=True)
class Expected:
    """What one way of doing a turn leads to."""

    changes: Changes
    minted: frozenset[Any]
    answers: tuple[Wanted, ...]
    decline: str | None
    calls: tuple[GoldCall, ...]
    results: tuple[str, ...] = field(repr=False, default=())


def knowledge(package: Package, task: TaskPrivate, turn: int, now: str, results: dict[str, Any]) -> Knowledge:
    """What a solver knows in a turn: the requests so far, and everything the user would tell."""
    return Knowledge(
        requests=[earlier.request for earlier in task.turns[: turn + 1]],
        slots={slot.name: slot.value for slot in task.user.slots},
        rules=package.policy.rules,
        language=package.language,
        now=now,
        results=results,
    )


def carry_out(world: LiveWorld, package: Package, goal: Goal, known: Knowledge) -> list[tuple[GoldCall, str]]:
    """Execute a goal's plan on a world; results enter `known`.

    Raises:
        GoldFailed: A source has no value, or a tool refuses.
    """
    made = []
    for call in goal.calls:
        if call.tool not in package.tools:
            raise TaskError(f"the goal's call {call.id!r} names an unknown tool {call.tool!r}")
        try:
            arguments = {name: evaluate(source, known) for name, source in call.arguments.items()}
            text = world.call(call.tool, arguments, actor=package.tools[call.tool].actor)
        except (SourceError, ToolError) as error:
            raise GoldFailed(f"{call.id} ({call.tool}): {error}") from error
        known.results[call.id] = json.loads(text)
        made.append((GoldCall(id=call.id, tool=call.tool, arguments=arguments), text))
    return made


def wanted_answers(world: LiveWorld, package: Package, goal: Goal, known: Knowledge) -> tuple[Wanted, ...]:
    """The answers of a goal with their values, as the grader takes them.

    Raises:
        GoldFailed: The source of an answer has no value here.
    """
    wanted = []
    for answer in goal.answers:
        try:
            value = evaluate(answer.source, known)
        except SourceError as error:
            raise GoldFailed(f"answer {answer.subject!r}: {error}") from error
        if value is None:
            raise GoldFailed(f"answer {answer.subject!r} has no value here")
        wordings = package.language.phrases.get(answer.phrases, {}) if answer.phrases else {}
        others: Collection[Any] | None = wordings or None
        if answer.column:
            others = {other: wordings.get(str(other), ()) for other in column_values(world, answer.column)}
        wanted.append(
            Wanted(
                subject=answer.subject,
                kind=answer.kind,
                value=value,
                currency=answer.currency,
                phrases=wordings.get(str(value), ()),
                others=others,
            )
        )
    return tuple(wanted)


def column_values(world: LiveWorld, column: str) -> frozenset[Any]:
    """All values that a column (`table.column`) holds now."""
    table, _, name = column.partition(".")
    try:
        world.schema.column(column)
    except KeyError:
        raise TaskError(f"an answer names the column {column!r}, which the schema does not have") from None
    return frozenset(row[0] for row in world.query(f'SELECT DISTINCT "{name}" FROM "{table}"') if row[0] is not None)


def expect(world: LiveWorld, package: Package, goal: Goal, known: Knowledge) -> Expected:
    """Carry out a goal on a world (which it changes) and say what that led to."""
    mark = world.mark()
    before = set(world.minted)
    made = carry_out(world, package, goal, known)
    return Expected(
        changes=world.changes(mark),
        minted=frozenset(world.minted - before),
        answers=wanted_answers(world, package, goal, known),
        decline=goal.decline,
        calls=tuple(call for call, _ in made),
        results=tuple(text for _, text in made),
    )
