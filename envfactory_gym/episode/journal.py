"""From an episode to the same episode again, in any process: task, options, and what was said."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict

from ..environment import Package, TaskError, TaskPrivate, load_package
from .outcome import Outcome
from .prompt import AnswerForm, EpisodeUser
from .user import Reply

if TYPE_CHECKING:
    from .episode import Episode

RewardForm = Literal["success", "turns"] | Callable[[Outcome], float]


class EpisodeJournal(BaseModel):
    """Everything needed to be in the same episode again, as plain JSON.

    `replies` belong to `messages`, one each, in the form `model` alone: what that user said to it, if anything.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    environment: str
    world_hash: str
    rules_hash: str
    task: TaskPrivate
    user: EpisodeUser
    answer: AnswerForm
    max_steps: int
    max_result: int | None = None
    messages: tuple[dict[str, Any], ...]
    replies: tuple[Reply | None, ...] = ()
    digest: str


def replay(
    episode_class: type[Episode], journal: EpisodeJournal, *, package: Package | None, reward: RewardForm
) -> Episode:
    """The episode of a journal, played again up to where it was.

    Raises:
        TaskError: The environment is another version, or the replay reaches another state.
    """
    package = (package or load_package(journal.environment)).narrowed(journal.task)
    if (package.world_hash, package.rules_hash) != (journal.world_hash, journal.rules_hash):
        raise TaskError(f"{package.name} has changed since this episode was saved; it cannot be resumed")
    episode = episode_class(
        package,
        journal.task,
        user=journal.user,
        answer=journal.answer,
        reward=reward,
        max_steps=journal.max_steps,
        max_result=journal.max_result,
    )
    episode.reset()
    for message, reply in zip_longest(journal.messages, journal.replies):
        episode.step(message, reply=reply)
    if (reached := episode.world.digest()) != journal.digest:
        raise TaskError(f"replaying {package.name} reached state {reached}, not {journal.digest}")
    return episode


def check_hashes(package: Package, task: TaskPrivate) -> None:
    """Refuse a task that was certified against another version of its environment."""
    if task.environment != package.id:
        raise TaskError(f"task {task.id} belongs to {task.environment}, not to {package.id}")
    for name in ("world_hash", "rules_hash"):
        pinned, actual = getattr(task, name), getattr(package, name)
        if pinned is not None and pinned != actual:
            raise TaskError(
                f"task {task.id} was certified against {name} {pinned}, but {package.name} has {actual}; "
                f"run `envfactory verify {package.path}` to certify it anew"
            )
