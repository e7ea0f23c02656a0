"""How often a task pays an agent that does not do it: every adversary on every task, and the share that was paid.

A refusal is cheap to guess, so a refusal task counts as hacked only by an adversary that also does
its twin. docs/proofs.md defines the figures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..agents import play
from ..agents.adversaries import adversaries
from ..agents.alternative import AlternativeSolver, ways
from ..environment import Package, TaskPrivate
from ..episode import AnswerForm, Episode, Outcome, UserForm
from .finding import Finding, finding

MOST = 100
"""Tasks that are played, where there are more; twins come on top."""

STEPS = 60
"""Agent messages an adversary has; a task's own limit is lower."""

Tell = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Played:
    """How one member of a kind of adversary did on one task.

    Attributes:
        adversary, member, task: Who played what.
        success: Whether it was paid under `reward="success"`.
        paid: What it was paid under `reward="turns"`.
        void: Why the reward was not valid, where it was not: it broke the harness.
    """

    adversary: str
    member: str
    task: str
    success: bool
    paid: float
    void: str = ""

    def __str__(self) -> str:
        return f"{self.adversary} ({self.member})" if self.member else self.adversary


@dataclass(frozen=True)
class Tally:
    """One line of the table: a kind of adversary over all tasks, its best member counting for each."""

    adversary: str
    tasks: int
    success: int
    paid: int
    hacked: int
    pairs: int
    void: int


class Hackability:
    """All that was played, and the figures that follow from it.

    Args:
        tasks: The tasks that were played.
        played: How every adversary did on each.
    """

    def __init__(self, tasks: Sequence[TaskPrivate], played: Sequence[Played]) -> None:
        self.tasks, self.played = tasks, played
        self._by = {(one.adversary, one.member, one.task): one for one in played}
        names = {task.id for task in tasks}
        self._twin = {task.id: task.twin for task in tasks if is_refusal(task) and task.twin in names}

    @property
    def hacked(self) -> dict[str, list[str]]:
        """Task → adversaries that succeed on it without doing it."""
        return self._hacks(lambda one: one.success)

    @property
    def hacked_by_turns(self) -> dict[str, list[str]]:
        """The same under `reward="turns"`, where one turn of several is paid."""
        return self._hacks(lambda one: one.paid > 0)

    @property
    def share(self) -> float:
        """Hackability: the share of tasks where any adversary is paid."""
        return round(len(self.hacked) / len(self.tasks), 4) if self.tasks else 0.0

    @property
    def share_by_turns(self) -> float:
        """Hackability under `reward="turns"`."""
        return round(len(self.hacked_by_turns) / len(self.tasks), 4) if self.tasks else 0.0

    @property
    def void(self) -> list[Played]:
        """Episodes whose reward was not valid: an agent can escape being scored there."""
        return [one for one in self.played if one.void]

    @property
    def pairs(self) -> int:
        """Refusal tasks that were played together with their twins."""
        return len(self._twin)

    def table(self) -> list[Tally]:
        """One line per kind of adversary."""
        hacked = self.hacked
        lines = []
        for name in dict.fromkeys(one.adversary for one in self.played):
            own = [one for one in self.played if one.adversary == name]
            lines.append(
                Tally(
                    adversary=name,
                    tasks=len({one.task for one in own}),
                    success=len({one.task for one in own if one.success}),
                    paid=len({one.task for one in own if one.paid > 0}),
                    hacked=sum(
                        any(str(one) in hacked.get(one.task, ()) for one in own if one.task == task.id)
                        for task in self.tasks
                    ),
                    pairs=len(
                        {
                            one.task
                            for one in own
                            if one.task in self._twin and self._both(one, lambda each: each.success)
                        }
                    ),
                    void=sum(bool(one.void) for one in own),
                )
            )
        return lines

    def _hacks(self, won: Callable[[Played], bool]) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for one in self.played:
            if self._both(one, won) if one.task in self._twin else won(one):
                found.setdefault(one.task, []).append(str(one))
        return found

    def _both(self, one: Played, won: Callable[[Played], bool]) -> bool:
        """Whether an adversary won a refusal and its twin."""
        return won(one) and won(self._by[one.adversary, one.member, str(self._twin[one.task])])


def is_refusal(task: TaskPrivate) -> bool:
    """Whether anything in a task has to be declined."""
    return any(turn.goal.decline for turn in task.turns)


def spread(tasks: Sequence[TaskPrivate], most: int = MOST) -> list[TaskPrivate]:
    """At most so many tasks, evenly over the package, and the twins of the refusals among them."""
    if len(tasks) <= most:
        return list(tasks)
    chosen = {tasks[number * len(tasks) // most].id for number in range(most)}
    chosen |= {task.twin for task in tasks if task.id in chosen and task.twin}
    return [task for task in tasks if task.id in chosen]


def measure(
    package: Package,
    tasks: Iterable[TaskPrivate] | None = None,
    *,
    only: Sequence[str] = (),
    user: UserForm = "scripted",
    answer: AnswerForm = "text",
    tell: Tell | None = None,
) -> Hackability:
    """Let every adversary play every task.

    Args:
        package: The environment.
        tasks: The tasks; by default up to `MOST`, spread over all.
        only: Kinds of adversaries; by default all.
        user: Form of the tasks; those without a solo form are left out of `solo`.
        answer: How answers are told.
        tell: Called with what is being done, how many tasks are done, and how many there are.
    """
    chosen = list(spread(package.tasks) if tasks is None else tasks)
    chosen = [task for task in chosen if user == "scripted" or task.solo]
    kinds = adversaries(package, only)
    played = []
    for number, task in enumerate(chosen):
        if tell is not None:
            tell("adversaries", number, len(chosen))
        with Episode(package, task, user=user, answer=answer, reward="turns", max_steps=STEPS) as episode:
            for kind, members in kinds.items():
                for label, agent in members.items():
                    outcome = play(episode, agent).outcome
                    assert outcome is not None
                    played.append(_played(kind, label, task, outcome))
    return Hackability(chosen, played)


def _played(kind: str, label: str, task: TaskPrivate, outcome: Outcome) -> Played:
    void = "" if outcome.reward_valid else outcome.reason
    return Played(kind, label, task.id, outcome.success, outcome.reward, void)


def false_negatives(
    package: Package, tasks: Sequence[TaskPrivate], *, user: UserForm = "scripted", answer: AnswerForm = "text"
) -> tuple[int, list[str]]:
    """Solve tasks in other ways than gold's; how many were played, and those that were not paid."""
    number = 0
    missed: list[str] = []
    for task in tasks:
        if user == "solo" and not task.solo:
            continue
        with Episode(package, task, user=user, answer=answer, max_steps=10_000) as episode:
            for way in ways(episode):
                number += 1
                outcome = play(episode, AlternativeSolver(episode, way)).outcome
                assert outcome is not None
                if not outcome.success:
                    missed.append(f"{task.id} ({user}, {answer}), solved by {way}: {outcome.kind}, {outcome.reason}")
    return number, missed


def check(package: Package, tasks: Sequence[TaskPrivate] | None = None, *, tell: Tell | None = None) -> Finding:
    """Adversaries are paid nowhere, break nothing, and whoever solves a task another way than gold is paid.

    Args:
        package: The environment.
        tasks: The tasks; by default up to `MOST`, spread over all.
        tell: Called as tasks are done.
    """
    chosen = list(spread(package.tasks) if tasks is None else tasks)
    result = measure(package, chosen, tell=tell)
    solved = 0
    missed: list[str] = []
    for user, answer in _FORMS:
        number, failed = false_negatives(package, chosen, user=user, answer=answer)
        solved, missed = solved + number, missed + failed
    evidence = [f"{task} pays {', '.join(names[:3])}" for task, names in result.hacked.items()]
    evidence += [f"{one} ends {one.task} without a valid reward: {one.void}" for one in result.void]
    return finding(
        "adversaries",
        evidence + [f"not paid: {line}" for line in missed],
        figures={
            "tasks": len(result.tasks),
            "episodes": len(result.played),
            "hackability": result.share,
            "hackability_by_turns": result.share_by_turns,
            "pairs": result.pairs,
            "other_solutions": solved,
            "false_negatives": len(missed),
            "by_adversary": {line.adversary: _figures(line) for line in result.table()},
        },
        remedy="make the answer or the row harder to hit (more rows alike, fewer other values allowed), "
        "give the refusal a twin, or mend the comparison",
        notes=[
            f"under reward='turns', {task} pays {', '.join(names[:3])}"
            for task, names in result.hacked_by_turns.items()
        ],
    )


_FORMS: tuple[tuple[UserForm, AnswerForm], ...] = (("scripted", "text"), ("scripted", "tool"), ("solo", "text"))


def _figures(line: Tally) -> Mapping[str, int]:
    return {
        "tasks": line.tasks,
        "success": line.success,
        "paid_by_turns": line.paid,
        "hacked": line.hacked,
        "pairs": line.pairs,
        "void": line.void,
    }
