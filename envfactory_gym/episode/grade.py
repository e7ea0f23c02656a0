"""Grading one turn: the change made, the answers told, and whether a refusal was due."""

from __future__ import annotations

from collections.abc import Collection, Sequence, Set
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Any

from ..environment import TaskPrivate
from ..world import Changes, Comparison, Happened, LiveWorld, compare
from .answers import AnswerGrade, grade_answers, grade_values
from .gold import Expected
from .outcome import TurnOutcome
from .plan import Plan
from .prompt import AnswerForm
from .values import say

UNCONFIRMED = "was called before its details were stated and affirmed"
"""How the reason ends for which a write without a confirmation fails its turn."""


@dataclass
class Conduct:
    """What the agent did in a turn besides changing the world: what it said, told, declined and left unconfirmed."""

    texts: list[str] = field(default_factory=list)
    values: list[str | int | float] = field(default_factory=list)
    declined: list[str] = field(default_factory=list)
    unconfirmed: list[str] = field(default_factory=list)

    def copy(self) -> Conduct:
        """The same so far; what follows is not shared."""
        return Conduct(*(list(getattr(self, each.name)) for each in fields(self)))


@dataclass(frozen=True)
class Made:
    """The change an agent made over the compared stretch, and the ids and codes minted in it."""

    changes: Changes
    minted: Set[Any]


def grade_turn(
    world: LiveWorld,
    plan: Plan,
    turn: int,
    accepted: Sequence[Expected],
    happened: Happened,
    made: Made | None,
    conduct: Conduct,
    answer_form: AnswerForm,
) -> TurnOutcome:
    """The grade of a turn that has ended: the best over the accepted ends.

    Args:
        world: The agent's world as it left it.
        plan: The task and what it expects.
        turn: Index of the turn.
        accepted: The accepted ends; none where the goal could not be done from here.
        happened: What happened in the turn, for `never` and transient changes.
        made: The change to compare, or None where it is not due yet.
        conduct: What the agent said.
        answer_form: Whether answers are read from words or from the `answer` tool.
    """
    if not accepted:
        return TurnOutcome(
            passed=False, effects=0.0, reasons=("the request could not be done any more: an earlier turn has failed",)
        )
    grades = [_grade(world, plan, turn, end, made, conduct, answer_form) for end in accepted]
    best = max(grades, key=lambda grade: (grade.passed, grade.effects, -grade.collateral, grade.answers))
    forbidden = sorted(happened.touched & set(plan.task.never))
    reasons = best.reasons + tuple(f"the table {table} must never be touched" for table in forbidden)
    return best.model_copy(update={"passed": not reasons, "transient": happened.transient, "reasons": reasons})


def _grade(
    world: LiveWorld,
    plan: Plan,
    turn: int,
    end: Expected,
    made: Made | None,
    conduct: Conduct,
    answer_form: AnswerForm,
) -> TurnOutcome:
    reasons: list[str] = []
    effects, collateral = 1.0, 0
    if made is not None:
        comparison = compare_changes(world, plan, end, made)
        effects, collateral = comparison.recall, comparison.collateral
        reasons += comparison_reasons(comparison)
    answers = grade_told(plan.task, turn, end, conduct, answer_form)
    if answers is not None and not answers.passed:
        reasons += answers.reasons
    declined = list(dict.fromkeys(conduct.declined))
    decline = declined == ([end.decline] if end.decline else [])
    if not decline:
        reasons.append(
            f"the request had to be declined by the rule {end.decline}" if end.decline else "nothing had to be declined"
        )
    reasons += [f"{tool} {UNCONFIRMED}" for tool in conduct.unconfirmed]
    return TurnOutcome(
        passed=not reasons,
        policy=not conduct.unconfirmed,
        effects=effects,
        collateral=collateral,
        answers=1.0 if answers is None else answers.share,
        decline=decline,
        reasons=tuple(reasons),
    )


def compare_changes(world: LiveWorld, plan: Plan, end: Expected, made: Made) -> Comparison:
    """The agent's change against an accepted end, under the task's column policies."""
    texts = [say(wanted.kind, wanted.value, wanted.currency) for wanted in end.answers]
    return compare(
        plan.schema,
        end.changes,
        made.changes,
        minted_expected=end.minted,
        minted_actual=made.minted,
        holds=partial(row_satisfies, world),
        texts=texts,
    )


def row_satisfies(world: LiveWorld, table: str, key: tuple[Any, ...], sql: str) -> bool:
    """Whether the row with that key meets an SQL condition (the `where(SQL)` column policy)."""
    columns = " AND ".join(f'"{name}" IS ?' for name in world.schema.tables[table].key)
    return bool(world.query(f'SELECT 1 FROM "{table}" WHERE {columns} AND ({sql})', key))


def comparison_reasons(comparison: Comparison) -> list[str]:
    """A comparison in words."""
    if comparison.equal:
        return []
    found = [f"missing change: {item}" for item in comparison.missing]
    found += [f"unwanted change: {item}" for item in comparison.unexpected]
    found += [f"wrong change: {item}" for item in comparison.different]
    return found or ["the change is not the wanted one"]


def grade_told(
    task: TaskPrivate, turn: int, end: Expected, conduct: Conduct, answer_form: AnswerForm
) -> AnswerGrade | None:
    """The grade of the answers; None where none was required."""
    if not end.answers:
        return None
    limit = task.turns[turn].max_other_values
    allowed: Collection[str] = [request.request for request in task.turns[: turn + 1]]
    if answer_form == "tool":
        return grade_values(end.answers, conduct.values, allowed=allowed, max_other=limit)
    return grade_answers(end.answers, "\n".join(conduct.texts), allowed=allowed, max_other=limit)
