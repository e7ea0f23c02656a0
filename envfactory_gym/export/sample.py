"""A sample: one finished episode as training data, with its reward and without its grading.

`sample_of` is the gate: a run record enters, and what leaves it is what the agent saw and did, what
it was paid, and where it came from. The reasons of an outcome name what was expected, so they stay
outside, and no exporter can write what it was never given.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ..environment import Package, PackageError, load_package
from ..episode import RunRecord
from .messages import Message, canonical, dump

Keep = Literal["success", "valid", "all"]
"""Which episodes to keep: those that succeeded, those whose reward says something, or all."""


class Facts(BaseModel):
    """What the installed package says about where a sample comes from.

    Attributes:
        name, domain: Of the environment; its id and None where it is not installed here.
        licences: Licences of the sources that it was built from.
        difficulty, kinds: Of the task.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    domain: str | None = None
    licences: tuple[str, ...] = ()
    difficulty: str | None = None
    kinds: tuple[str, ...] = ()


class Sample(BaseModel):
    """One episode, ready to be written in any format.

    Attributes:
        id: Digest of what was played, by whom, and what was said: equal for equal episodes of a split only.
        environment, task, split, world_hash, rules_hash: What was played.
        facts: Where it comes from.
        user, answer: In which form.
        agent, seed: Who played it.
        messages: The transcript in canonical form.
        tools: The tools that the agent was shown, in OpenAI form.
        errors: Per message, whether it is an assistant message with a call that was refused.
        reward, success: How it ended; None where nothing was graded.
        valid: Whether the reward says anything about the agent.
        steps, calls: Agent messages and tool calls.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    environment: str
    task: str
    split: str
    world_hash: str
    rules_hash: str
    facts: Facts
    user: str
    answer: str
    agent: str
    seed: int | None = None
    messages: list[Message] = Field(repr=False)
    tools: list[dict[str, Any]] = Field(repr=False)
    errors: tuple[bool, ...] = Field(default=(), repr=False)
    reward: float | None = None
    success: bool | None = None
    valid: bool = False
    steps: int = 0
    calls: int = 0

    def kept(self, keep: Keep) -> bool:
        """Whether this sample is among those to keep."""
        return keep == "all" or (self.valid and (keep == "valid" or bool(self.success)))

    def showing(self, tools: Collection[str]) -> Sample:
        """This sample with only some of its tools listed: shorter, and easier than what the agent was shown."""
        return self.model_copy(update={"tools": [one for one in self.tools if one["function"]["name"] in tools]})

    def about(self) -> dict[str, Any]:
        """Everything but messages and tools, flat: the columns beside them in every format."""
        return {
            "id": self.id,
            "environment": self.facts.name,
            "task": self.task,
            "split": self.split,
            "domain": self.facts.domain,
            "difficulty": self.facts.difficulty,
            "agent": self.agent,
            "user": self.user,
            "answer": self.answer,
            "reward": self.reward,
            "success": self.success,
            "world_hash": self.world_hash,
            "rules_hash": self.rules_hash,
        }


def sample_of(run: RunRecord) -> Sample:
    """The training data in a run record; its grading stays behind."""
    messages = canonical(run.messages)
    outcome = run.outcome
    asked = sum(message["role"] == "assistant" for message in messages)
    return Sample(
        id=_digest(run, messages),
        environment=run.environment,
        task=run.task,
        split=run.split,
        world_hash=run.world_hash,
        rules_hash=run.rules_hash,
        facts=facts(run.environment, run.task),
        user=run.user,
        answer=run.answer,
        agent=run.agent,
        seed=run.seed,
        messages=messages,
        tools=run.tools,
        errors=_errors(run, messages),
        reward=outcome.reward if outcome else None,
        success=outcome.success if outcome else None,
        valid=bool(outcome and outcome.reward_valid),
        steps=asked,
        calls=sum(len(message.get("tool_calls", ())) for message in messages),
    )


def facts(environment: str, task: str) -> Facts:
    """What is known about a task of an environment (by id or name) without playing it."""
    package = _package(environment)
    if package is None:
        return Facts(name=environment.removeprefix("EnvFactory/").rsplit("-v", 1)[0])
    found = next((candidate for candidate in package.tasks if candidate.id == task), None)
    return Facts(
        name=package.name,
        domain=package.manifest.domain,
        licences=tuple(sorted({source.licence for source in package.manifest.sources})),
        difficulty=found.difficulty if found else None,
        kinds=found.kinds if found else (),
    )


@lru_cache(maxsize=256)
def _package(environment: str) -> Package | None:
    """The installed package of an id; None where it is not here, since records travel without their environments."""
    try:
        return load_package(environment)
    except PackageError:
        return None


def _digest(run: RunRecord, messages: list[Message]) -> str:
    parts = [run.environment, run.world_hash, run.rules_hash, run.task, run.split, run.agent, run.seed, messages]
    return blake2b(dump(parts).encode(), digest_size=12).hexdigest()


def _errors(run: RunRecord, messages: list[Message]) -> tuple[bool, ...]:
    """The n-th assistant message is step n of the run's calls."""
    refused = {call.step for call in run.calls if call.actor == "agent" and call.error is not None}
    found, step = [], 0
    for message in messages:
        step += message["role"] == "assistant"
        found.append(message["role"] == "assistant" and step in refused)
    return tuple(found)
