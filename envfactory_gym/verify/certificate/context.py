"""What every row of a certificate works with: a task in one form, its gold, and ways to play variants."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, repeat
from typing import Any

from ...agents import gold_message
from ...environment import Package, TaskPrivate
from ...environment.task import GoldStep
from ...environment.tool import EPISODE_TOOLS
from ...episode import AnswerForm, Episode, Outcome, RewardForm, UserForm
from ...episode.gold import knowledge
from ...episode.grade import UNCONFIRMED, Made
from ...episode.outcome import TurnOutcome
from ...episode.sources import Knowledge
from ...episode.values import say
from ...world import LiveWorld
from ..arguments import Candidates

DONE: dict[str, Any] = {"role": "assistant", "content": "Done."}
"""The message that ends a turn without having done anything."""


@dataclass(frozen=True)
class PlacedStep:
    """A step of gold with the turn it belongs to."""

    turn: int
    step: GoldStep
    message: dict[str, Any] = field(hash=False)


def _achieved(grade: TurnOutcome) -> bool:
    """Whether a turn passed, or failed for nothing but writes that were not confirmed."""
    return all(reason.endswith(UNCONFIRMED) for reason in grade.reasons)


def made_in(world: LiveWorld) -> Made:
    """Everything that an episode has changed in its world."""
    return Made(world.changes(), frozenset(world.minted))


class TaskContext:
    """One task in one form, and its episode, reused for every variant that is played.

    Args:
        package: The environment.
        task: The task.
        user: The form to certify.
        answer: How answers are told.
        candidates: Arguments that may succeed, shared by all tasks of the package.
    """

    def __init__(
        self,
        package: Package,
        task: TaskPrivate,
        user: UserForm = "scripted",
        answer: AnswerForm = "text",
        candidates: Candidates | None = None,
    ) -> None:
        self._candidates = candidates
        self.user = user
        steps = sum(len(turn.gold) for turn in task.turns)
        self.episode = Episode(package, task, user=user, answer=answer, max_steps=4 * steps + 20)
        self.package, self.task = self.episode.package, self.episode.task
        self._position: int | None = None

    @cached_property
    def gold(self) -> list[PlacedStep]:
        """The reference solution, step by step, as messages."""
        placed = []
        for index, turn in enumerate(self.task.turns):
            wanted = self.episode.plan.turns[index].accepted[0].answers
            told = {answer.subject: say(answer.kind, answer.value, answer.currency) for answer in wanted}
            placed += [PlacedStep(index, step, gold_message(step, told)) for step in turn.gold]
        return placed

    def writes(self, tool: str) -> bool:
        """Whether a tool of the package declares writes."""
        return tool not in EPISODE_TOOLS and bool(self.package.tools[tool].writes)

    def decides(self, placed: PlacedStep) -> bool:
        """Whether a step holds a write, a graded answer or a decline: gold must fail without it."""
        turn = self.task.turns[placed.turn]
        calls = placed.step.effects
        return (
            any(self.writes(call.tool) or call.tool in EPISODE_TOOLS for call in calls)
            or (bool(turn.goal.answers) and placed.step.expect == "ends")
        )  # fmt: skip

    def play(self, messages: Sequence[dict[str, Any]], *, reward: RewardForm = "success") -> tuple[float, Outcome]:
        """Play messages from the beginning, then say "Done." until the episode ends; total reward and outcome."""
        episode, self._position = self.episode, None
        episode.reward_form = reward
        try:
            episode.reset()
            total = 0.0
            for message in chain(messages, repeat(DONE)):
                step = episode.step(message)
                total += step.reward
                if step.outcome is not None:
                    return total, step.outcome
            raise AssertionError("an endless stream of messages ended")
        finally:
            episode.reward_form = "success"

    @contextmanager
    def before(self, index: int) -> Iterator[Episode]:
        """The episode just before a step of gold; whatever the block plays is taken back at its end.

        Gold is played on from where it was left, so rows ask for its steps in order.
        """
        if self._position is None or self._position > index:
            self.episode.reset()
            self._position = 0
        while self._position < index:
            self.episode.step(self.gold[self._position].message)
            self._position += 1
        with self.episode.trial():
            yield self.episode

    def succeeds(self, messages: Sequence[dict[str, Any]]) -> bool:
        """Whether these messages, then "Done.", lead from here to success. Stops at the first turn that fails.

        Missing confirmations are overlooked: a variant changes calls, not the talk before them, and
        has to fail by what it does.
        """
        for message in chain(messages, repeat(DONE)):
            if self.episode.over or not all(map(_achieved, self.episode.grades)):
                break
            self.episode.step(message)
        grades = self.episode.grades
        return len(grades) == len(self.task.turns) and all(map(_achieved, grades))

    def rest(self, index: int) -> list[dict[str, Any]]:
        """Gold's messages from a step on."""
        return [placed.message for placed in self.gold[index:]]

    @cached_property
    def gold_end(self) -> Made:
        """What all of gold changes."""
        self.play(self.rest(0))
        return made_in(self.episode.world)

    def first_step(self, turn: int) -> int:
        """The step with which gold begins a turn."""
        return next(index for index, placed in enumerate(self.gold) if placed.turn == turn)

    def known(self, turn: int, now: str) -> Knowledge:
        """What a solver that went gold's way knows in a turn: results of that turn and of all others."""
        return knowledge(self.package, self.task, turn, now, dict(self.episode.plan.results))

    @property
    def candidates(self) -> Candidates:
        """Arguments that may succeed in the base world."""
        if self._candidates is None:
            self._candidates = Candidates(self.package)
        return self._candidates

    def close(self) -> None:
        """Give the world back."""
        self.episode.close()
