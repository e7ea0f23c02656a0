"""RL rows: what a trainer may know of a task before it is played.

A prompt is the public face of a task and the first messages of its episode, composed by the episode
itself, so that data and environment begin with the same bytes. Nothing graded is near.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from ..environment import Package, TaskPrivate, TaskPublic
from ..episode import AnswerForm, Episode, UserForm
from .messages import Message, canonical
from .sample import Facts, facts


class Prompt(BaseModel):
    """A task to be played.

    Attributes:
        environment: Registered id.
        task: The task's public face.
        facts: Where it comes from.
        user, answer: The form it is to be played in.
        messages: The first messages: system prompt and request.
        tools: The tools that the agent will be shown, in OpenAI form.
    """

    model_config = ConfigDict(frozen=True)

    environment: str
    task: TaskPublic
    facts: Facts
    user: UserForm
    answer: AnswerForm
    messages: list[Message] = Field(repr=False)
    tools: list[dict[str, Any]] = Field(repr=False)


def prompts(
    package: Package, tasks: Iterable[TaskPrivate], *, user: UserForm = "solo", answer: AnswerForm = "text"
) -> Iterator[Prompt]:
    """The RL rows of some tasks of a package.

    Args:
        package: The environment.
        tasks: Its tasks; with `user="solo"` those that have no one-ticket form are left out.
        user: `solo` for trainers whose loop ends at the first message without a call (TRL, verl), which
            is most; `scripted` where the loop lets the user answer.
        answer: Whether facts are told in text or with the `answer` tool.
    """
    for task in tasks:
        if user == "solo" and not task.solo:
            continue
        with Episode(package, task, user=user, answer=answer) as episode:
            first = canonical(episode.reset())
            # In solo form the ticket holds every request, so the public request follows the form.
            public = task.public().model_copy(update={"request": first[-1]["content"]})
            yield Prompt(
                environment=package.id,
                task=public,
                facts=facts(package.id, task.id),
                user=user,
                answer=answer,
                messages=first,
                tools=episode.tools,
            )
