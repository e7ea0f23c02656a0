"""The rollout: one episode played by a model behind any OpenAI-compatible endpoint.

A request may be sent many times until it is answered; what the answer says is played once. So
retries never repeat a tool call, and whatever fails between us and the model ends the episode as
`infra`, whose reward is not valid: a fault of the harness is never a zero.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...environment import Package, TaskError, TaskPrivate, load_package
from ...episode import AnswerForm, Episode, EpisodeUser, ModelUse, Outcome, RewardForm, RunRecord, Step, record
from ...llm import BudgetSpent, CassetteMiss, Client, Exchange, ModelError, RequestRefused, Usage
from .user_model import UserFailed, UserModel
from .wire import FormName, Message, Wire, wire_of


@dataclass
class Rollout:
    """What a rollout gives.

    Attributes:
        outcome: How the episode ended.
        record: Its line of RUN.jsonl.
        exchanges: Every request and answer of the agent's model, exactly, in order.
        user_exchanges: Those of the model that played the user.
        problems: What was wrong with the agent's messages, counted; see `wire.PROBLEMS`.
        error: What failed between us and a model, where something did.
    """

    outcome: Outcome
    record: RunRecord
    exchanges: list[Exchange] = field(repr=False)
    user_exchanges: list[Exchange] = field(default_factory=list, repr=False)
    problems: Counter[str] = field(default_factory=Counter)
    error: Exception | None = None

    @property
    def reward(self) -> float:
        """The reward; it says something only if `reward_valid`."""
        return self.outcome.reward

    @property
    def reward_valid(self) -> bool:
        """False where the harness is to blame: leave the sample out."""
        return self.outcome.reward_valid

    @property
    def messages(self) -> list[Message]:
        """The transcript, ready for a chat template."""
        return self.record.messages

    @property
    def tools(self) -> list[Message]:
        """The tools in OpenAI form."""
        return self.record.tools


async def rollout(
    task: Episode | TaskPrivate | str,
    model: str,
    base_url: str | None = None,
    *,
    client: Client | None = None,
    package: Package | None = None,
    api_key: str | None = None,
    form: FormName = "native",
    sampling: Mapping[str, Any] | None = None,
    user: EpisodeUser | UserModel = "scripted",
    answer: AnswerForm = "text",
    reward: RewardForm = "success",
    max_steps: int = 30,
    max_result: int | None = None,
    token_limit: int | None = None,
    reasoning: bool = False,
    tag: str | None = None,
    trial: int = 0,
) -> Rollout:
    """Play one episode with a model.

    Args:
        task: An `Episode` (whose own options hold, and which stays open), a task, or `environment/task`.
        model: Name of the model at the endpoint.
        base_url: The endpoint, such as `http://127.0.0.1:8000/v1`.
        client: An open client instead, shared by many rollouts.
        package: The environment of a task, if it is not to be looked up by its id.
        api_key: For `base_url`.
        form: `native` tool calls, or `text` with `<tool_call>` tags.
        sampling: Further fields of each request: `temperature`, `max_tokens`, `logprobs`, ...
        user: `scripted`, `solo`, or a `UserModel`.
        answer: `text` or `tool`.
        reward: As for `Episode`.
        max_steps: Agent messages per episode.
        max_result: Characters of a tool result that are shown at once.
        token_limit: Tokens that the model may read and write in the episode before it is out of steps.
        reasoning: Whether reasoning is sent back with earlier messages.
        tag: Names the episode to the endpoint and to cassettes; by default `environment/task#trial`.
        trial: Which of several episodes of this task.

    Raises:
        TaskError: The task cannot be played.
        BudgetSpent, CassetteMiss: Of the client; the episode was not finished, and says nothing.
        ValueError: Options that do not go together.
    """
    if (client is None) == (base_url is None):
        raise ValueError("give a base_url, or an open client, and not both")
    if client is None and base_url is not None:
        async with Client(base_url, api_key=api_key) as own:
            return await rollout(
                task, model, client=own, package=package, form=form, sampling=sampling, user=user, answer=answer,
                reward=reward, max_steps=max_steps, max_result=max_result, token_limit=token_limit, reasoning=reasoning,
                tag=tag, trial=trial,
            )  # fmt: skip
    assert client is not None
    speaker = user if isinstance(user, UserModel) else None
    if isinstance(task, Episode):
        return await _Playing(task, model, client, form, sampling, speaker, token_limit, reasoning, tag, trial).play()
    package, task = _found(task, package)
    whose: EpisodeUser = "model" if isinstance(user, UserModel) else user
    options: dict[str, Any] = {"answer": answer, "reward": reward, "max_steps": max_steps, "max_result": max_result}
    with Episode(package, task, user=whose, **options) as episode:
        return await _Playing(
            episode, model, client, form, sampling, speaker, token_limit, reasoning, tag, trial
        ).play()


def _found(task: TaskPrivate | str, package: Package | None) -> tuple[Package, TaskPrivate]:
    if isinstance(task, TaskPrivate):
        return package or load_package(task.environment), task
    environment, _, name = task.rpartition("/")
    if package is None and not environment:
        raise TaskError(f"name the task with its environment, such as airline/{name}, or give the package")
    package = package or load_package(environment)
    return package, package.task(name)


class _Playing:
    """One rollout while it lasts."""

    def __init__(
        self,
        episode: Episode,
        model: str,
        client: Client,
        form: FormName,
        sampling: Mapping[str, Any] | None,
        user: UserModel | None,
        token_limit: int | None,
        reasoning: bool,
        tag: str | None,
        trial: int,
    ) -> None:
        if (episode.user_form == "model") != (user is not None):
            raise ValueError("an episode with user='model' needs a UserModel as user, and no other takes one")
        self.episode, self.model, self.client, self.user = episode, model, client, user
        self.form, self.sampling, self.token_limit, self.reasoning = form, dict(sampling or {}), token_limit, reasoning
        self.trial = trial
        self.tag = f"{episode.package.name}/{episode.task.id}#{trial}" if tag is None else tag
        self.exchanges: list[Exchange] = []
        self.user_exchanges: list[Exchange] = []
        self.problems: Counter[str] = Counter()
        self.usage = Usage()
        self.error: Exception | None = None

    async def play(self) -> Rollout:
        started = time.perf_counter()
        episode = self.episode
        wire = wire_of(self.form, episode.reset(), episode.tools, reasoning=self.reasoning)
        step = Step([])
        while step.outcome is None:
            try:
                step = await self._step(wire)
            except (BudgetSpent, CassetteMiss):
                raise
            except RequestRefused as refused:
                self.error = refused
                step = episode.stop(str(refused)) if refused.too_long else episode.abort("infra", str(refused))
            except ModelError as error:
                self.error = error
                step = episode.abort("infra", str(error))
            except UserFailed as failure:
                self.error = failure
                step = episode.abort("user_error", str(failure))
        return Rollout(
            step.outcome,
            record(
                episode,
                self.model,
                seconds=round(time.perf_counter() - started, 6),
                trial=self.trial,
                agent_model=use(self.model, self.exchanges, self.form, self.problems),
                user_model=use(self.user.model, self.user_exchanges) if self.user is not None else None,
            ),
            self.exchanges,
            self.user_exchanges,
            self.problems,
            self.error,
        )

    async def _step(self, wire: Wire) -> Step:
        """One request, and what its answer leads to."""
        episode = self.episode
        if self.token_limit is not None and self.usage.total >= self.token_limit:
            return episode.stop(f"{self.usage.total:,} tokens were used, and {self.token_limit:,} may be")
        request = {"model": self.model, **wire.request(), **self.sampling}
        exchange = await self.client.complete(request, tag=self.tag)
        self.exchanges.append(exchange)
        self.usage = self.usage.plus(exchange.usage)
        action, problems = wire.hear(exchange)
        self.problems.update(problems)
        reply = None
        if self.user is not None and episode.awaits_reply(action):
            talk = [*_talk(episode.messages), action]
            reply = await self.user.reply(
                episode.task, episode.turn, talk, tag=f"{self.tag} user", exchanges=self.user_exchanges
            )
        said = len(episode.messages)
        step = episode.step(action, reply=reply)
        wire.said(episode.messages[said], exchange, step.messages)
        return step


def _talk(messages: Sequence[Message]) -> list[Message]:
    """What agent and user have said to each other: messages without calls."""
    return [
        message
        for message in messages
        if message["role"] == "user" or (message["role"] == "assistant" and not message.get("tool_calls"))
    ]


def use(
    model: str, exchanges: Sequence[Exchange], form: FormName | None = None, problems: Mapping[str, int] | None = None
) -> ModelUse:
    """What some exchanges used, for a record. What was replayed was paid for when it was recorded, and counts."""
    usage = Usage()
    for exchange in exchanges:
        usage = usage.plus(exchange.usage)
    costs = [exchange.cost for exchange in exchanges if exchange.cost is not None]
    return ModelUse(
        model=model,
        form=form,
        calls=len(exchanges),
        prompt=usage.prompt,
        completion=usage.completion,
        cached=usage.cached,
        reasoning=usage.reasoning,
        cost=sum(costs) if costs else None,
        retries=sum(max(0, exchange.attempts - 1) for exchange in exchanges),
        seconds=round(sum(exchange.seconds for exchange in exchanges), 6),
        problems=dict(sorted((problems or {}).items())),
    )
