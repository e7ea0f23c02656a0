"""Gold trajectories: the reference solution of every task, played and graded like any other episode."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..agents import GoldAgent, play
from ..environment import Package, TaskPrivate
from ..episode import AnswerForm, Episode, UserForm, record
from .sample import Sample, sample_of


def gold_samples(
    package: Package,
    tasks: Iterable[TaskPrivate] | None = None,
    *,
    user: UserForm = "scripted",
    answer: AnswerForm = "text",
) -> Iterator[Sample]:
    """Play the reference solutions of some tasks of a package, and give what came of it.

    Args:
        package: The environment.
        tasks: Its tasks; all by default. With `user="solo"` those without a one-ticket form are left out.
        user: The form of the user.
        answer: Whether facts are told in text or with the `answer` tool.
    """
    for task in package.tasks if tasks is None else tasks:
        if user == "solo" and not task.solo:
            continue
        with Episode(package, task, user=user, answer=answer) as episode:
            play(episode, GoldAgent(episode))
            yield sample_of(record(episode, "gold"))
