"""Who plays: a model behind an endpoint, or one of the agents that need none."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..agents import Agent, play
from ..agents.rollout import FormName, UserModel, rollout
from ..episode import AnswerForm, Episode, EpisodeUser, RunRecord, record
from ..llm import Client, RequestRefused
from .plan import Item


class Player(Protocol):
    """Plays episodes, many at a time."""

    name: str

    async def play(self, item: Item) -> list[RunRecord]:
        """The records of one item: one, or one per member of a family of agents."""


@dataclass(frozen=True)
class Rules:
    """How episodes are played, whoever plays."""

    user: EpisodeUser = "scripted"
    answer: AnswerForm = "text"
    max_steps: int = 30
    max_result: int | None = None


@dataclass
class ModelPlayer:
    """A model.

    Attributes:
        client: The endpoint, open.
        model: Its name there.
        rules: How it plays.
        form: `native` or `text`.
        sampling: Further fields of each request. A `seed` among them is raised by one per trial.
        user: The model that speaks for the user, with `user="model"`.
        token_limit: Tokens per episode.
        name: How it is called in tables; the model's name by default.
    """

    client: Client
    model: str
    rules: Rules = field(default_factory=Rules)
    form: FormName = "native"
    sampling: Mapping[str, Any] = field(default_factory=dict)
    user: UserModel | None = None
    token_limit: int | None = None
    name: str = ""

    def __post_init__(self) -> None:
        self.name = self.name or self.model

    async def play(self, item: Item) -> list[RunRecord]:
        """Play one episode.

        Raises:
            RequestRefused: The endpoint refuses whatever is asked: key, model or address are wrong.
        """
        sampling = dict(self.sampling)
        if isinstance(sampling.get("seed"), int):
            sampling["seed"] += item.trial
        found = await rollout(
            item.task,
            self.model,
            client=self.client,
            package=item.package,
            form=self.form,
            sampling=sampling,
            user=self.user or self.rules.user,
            answer=self.rules.answer,
            max_steps=self.rules.max_steps,
            max_result=self.rules.max_result,
            token_limit=self.token_limit,
            trial=item.trial,
        )
        if isinstance(found.error, RequestRefused) and found.error.status in (401, 403, 404):
            raise found.error
        return [found.record.model_copy(update={"agent": self.name})]


@dataclass
class AgentPlayer:
    """An agent that needs no model.

    Attributes:
        name: How it is called.
        make: Episode and trial → its members, by label; one where it is no family.
        rules: How it plays.
    """

    name: str
    make: Callable[[Episode, int], Mapping[str, Agent]]
    rules: Rules = field(default_factory=Rules)

    async def play(self, item: Item) -> list[RunRecord]:
        """Play one episode with each member."""
        rules, records = self.rules, []
        options: dict[str, Any] = {"max_steps": rules.max_steps, "max_result": rules.max_result}
        with Episode(item.package, item.task, user=rules.user, answer=rules.answer, **options) as episode:
            for label, agent in self.make(episode, item.trial).items():
                started = time.perf_counter()
                play(episode, agent)
                seconds = round(time.perf_counter() - started, 6)
                records.append(record(episode, label, seconds=seconds, trial=item.trial))
        return records
