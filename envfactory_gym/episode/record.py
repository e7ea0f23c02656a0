"""The one run format: a JSON line per finished episode, shared by every command that makes or reads runs.

A record holds what was played and how it ended, with the transcript and every call. It carries
no goal and no gold, and tools, messages and calls hold nothing that the agent did not see: these may
be shown and trained on. The reasons of its outcome name, for people, the change and the answers that
were expected; whoever shows records of tasks that are still to be played leaves the outcome out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ..environment import PackageError
from ..environment.files import read_jsonl_as
from .episode import Episode
from .outcome import Outcome
from .user import Reply

FORMAT = 1


class RunCall(BaseModel):
    """One tool call of a run; `arguments` as the agent gave them, `result` as it was sent back."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    turn: int
    step: int
    actor: Literal["agent", "user"]
    tool: str
    arguments: Any
    result: str
    error: str | None = None
    cause: Literal["agent", "instruction"] = "agent"


class ModelUse(BaseModel):
    """What one model did and used in an episode.

    Attributes:
        model: Its name.
        form: How it calls tools: `native`, or as `text`; absent for a user.
        calls: Completions.
        prompt, completion, cached, reasoning: Tokens, as the endpoint counts them.
        cost: In the currency of the user's prices; absent where there were none.
        retries: Requests beyond one per completion.
        seconds: Time spent waiting for it.
        problems: What was wrong with its messages, counted: `cut_off`, `empty`, `unparsable`, ...
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str
    form: Literal["native", "text"] | None = None
    calls: int = 0
    prompt: int = 0
    completion: int = 0
    cached: int = 0
    reasoning: int = 0
    cost: float | None = None
    retries: int = 0
    seconds: float = 0.0
    problems: dict[str, int] = Field(default_factory=dict)


class RunRecord(BaseModel):
    """One episode.

    Attributes:
        format: Version of this format.
        environment, task, world_hash, rules_hash, split: What was played.
        user, answer: In which form.
        agent: Who played it.
        seed: Seed of the agent, where it has one.
        tools, messages: Ready for a chat template.
        calls: Every tool call in order.
        outcome: How it ended.
        digest: Digest of the final state.
        seconds: Wall-clock time of the episode; absent where it was not measured.
        trial: Which of several episodes of this agent on this task, from 0.
        domain, difficulty: Of environment and task, for tables.
        max_steps, max_result: Limits it was played under; absent in older records.
        replies: In the user form `model`, what the user said to each agent message, if anything: with the
            messages, all that is needed to play it again without a model.
        agent_model, user_model: What the models used, where models played.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = FORMAT
    environment: str
    task: str
    world_hash: str
    rules_hash: str
    split: str
    user: str
    answer: str
    agent: str
    seed: int | None = None
    tools: list[dict[str, Any]] = Field(repr=False)
    messages: list[dict[str, Any]] = Field(repr=False)
    calls: list[RunCall] = Field(repr=False)
    outcome: Outcome | None
    digest: str
    seconds: float | None = None
    trial: int = 0
    domain: str | None = None
    difficulty: str | None = None
    max_steps: int | None = None
    max_result: int | None = None
    replies: list[Reply | None] = Field(default_factory=list, repr=False)
    agent_model: ModelUse | None = None
    user_model: ModelUse | None = None

    def line(self) -> str:
        """The record as one line of RUN.jsonl, newline included."""
        return json.dumps(self.model_dump(mode="json"), ensure_ascii=False, separators=(",", ":")) + "\n"


def record(
    episode: Episode,
    agent: str,
    *,
    seed: int | None = None,
    seconds: float | None = None,
    trial: int = 0,
    agent_model: ModelUse | None = None,
    user_model: ModelUse | None = None,
) -> RunRecord:
    """The record of an episode that has been played (to its end, or as far as it got)."""
    return RunRecord(
        environment=episode.package.id,
        task=episode.task.id,
        world_hash=episode.package.world_hash,
        rules_hash=episode.package.rules_hash,
        split=episode.task.split,
        user=episode.user_form,
        answer=episode.answer_form,
        agent=agent,
        seed=seed,
        tools=episode.tools,
        messages=episode.messages,
        calls=[RunCall(**vars(call)) for call in episode.calls],
        outcome=episode.outcome,
        digest=episode.world.digest(),
        seconds=seconds,
        trial=trial,
        domain=episode.package.manifest.domain,
        difficulty=episode.task.difficulty,
        max_steps=episode.max_steps,
        max_result=episode.max_result,
        replies=episode.replies,
        agent_model=agent_model,
        user_model=user_model,
    )


def read_run(path: str | Path) -> Iterator[RunRecord]:
    """The records of a RUN.jsonl file.

    Raises:
        PackageError: There is no such file, or a line is no record; the message names the line.
    """
    if not Path(path).exists():
        raise PackageError("there is no such file", file=path, remedy="`envfactory run NAME --out FILE` writes one")
    for run in read_jsonl_as(Path(path), RunRecord, remedy="this line is not a run record"):
        if run.format != FORMAT:
            raise PackageError(
                f"run format {run.format} is not {FORMAT}", file=path, remedy="read it with the version that wrote it"
            )
        yield run
