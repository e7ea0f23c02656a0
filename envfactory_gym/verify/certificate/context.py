"""What every row of a certificate works with: a task in one form, its gold, and ways to play variants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, repeat
from typing import Any

from ...agents import gold_message
from ...environment import Package, TaskPrivate
from ...environment.task import GoldStep
from ...environment.tool import EPISODE_TOOLS
from ...episode import AnswerForm, Episode, Outcome, RewardForm, UserForm
from ...episode.values import say
from ..arguments import Candidates

DONE: dict[str, Any] = {"role": "assistant", "content": "Done."}
"""The message that ends a turn without having done anything."""


@dataclass(frozen=True)
class PlacedStep:
    """A step of gold with the turn it belongs to."""

    turn: int
    step: GoldStep
    message: dict[str, Any] = field(hash=False)


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
        self.package, self._original, self.user, self.answer = package, task, user, answer
        self.episode = self._episode("success")
        self.task = self.episode.task

    def _episode(self, reward: RewardForm) -> Episode:
        limit = 4 * sum(len(turn.gold) for turn in self._original.turns) + 20
        return Episode(self.package, self._original, user=self.user, answer=self.answer, reward=reward, max_steps=limit)

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
        calls = placed.step.calls
        return (
            any(self.writes(call.tool) or call.tool in EPISODE_TOOLS for call in calls)
            or (bool(turn.goal.answers) and placed.step.expect == "ends")
        )  # fmt: skip

    def play(self, messages: Sequence[dict[str, Any]], *, reward: RewardForm = "success") -> tuple[float, Outcome]:
        """Play messages, then say "Done." until the episode ends; total reward and outcome."""
        episode = self.episode if reward == "success" else self._episode(reward)
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
            if episode is not self.episode:
                episode.close()

    @property
    def candidates(self) -> Candidates:
        """Arguments that may succeed in the base world."""
        if self._candidates is None:
            self._candidates = Candidates(self.package)
        return self._candidates

    def close(self) -> None:
        """Give the world back."""
        self.episode.close()
