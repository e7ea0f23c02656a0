"""What goes over the control plane, as types: the server writes them, the client reads them.

Nothing here holds a goal, a gold solution or an expectation.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ...environment import TaskPublic
from ...environment.task import Split
from ...episode import AnswerForm, UserForm
from ...episode.outcome import Outcome
from ..session import MAX_STEPS

MAX_TEXT = 100_000
"""Longest message to a simulated user, in characters."""

PAGE = 1_000
"""Most items of one page of a list."""

EpisodeState = Literal["live", "hibernated", "broken"]
"""Whether an episode has a world in memory, only its journal, or cannot be played again."""


class _Sent(BaseModel):
    """Something a client sends: unknown keys are mistakes."""

    model_config = ConfigDict(extra="forbid")


class CreateEpisode(_Sent):
    """What to play. Name one environment, or several for an episode that spans them."""

    environment: str | None = Field(default=None, description="Name or id, such as `airline`.")
    environments: tuple[str, ...] = Field(default=(), max_length=16, description="Names or ids of several.")
    task: str | None = Field(default=None, description="Id of the task; none for the base world.")
    split: Split | None = Field(default=None, description="Choose a task of this split by `seed`.")
    seed: int = Field(default=0, ge=0, lt=1 << 63, description="Chooses the task; seeds a base world.")
    user: UserForm = Field(default="solo", description="`solo`: one ticket; `scripted`: a conversation.")
    answer: AnswerForm = Field(default="tool", description="Facts are told with the `answer` tool, or in text.")
    max_steps: int = Field(default=MAX_STEPS, ge=1, le=10_000, description="Agent messages until out of steps.")

    @model_validator(mode="after")
    def _one_way_to_say_it(self) -> CreateEpisode:
        if (self.environment is None) == (not self.environments):
            raise ValueError("name either `environment` or `environments`")
        if self.task is not None and self.split is not None:
            raise ValueError("name a `task`, or a `split` to choose from, not both")
        return self


class Say(_Sent):
    """A message of the agent to the user."""

    message: str = Field(max_length=MAX_TEXT)


class Restore(_Sent):
    """Which point to go back to."""

    snapshot: str


class Fork(_Sent):
    """Where the other episode is to stand: at a snapshot, or where this one stands."""

    snapshot: str | None = None


class Score(_Sent):
    """How to grade."""

    message: Annotated[str, Field(max_length=MAX_TEXT)] | None = Field(default=None, description="A last word.")
    end: bool = Field(default=True, description="False: say how it would end now, and go on.")


class EnvironmentInfo(BaseModel):
    """An environment, as the registry and its files describe it."""

    id: str
    name: str
    title: str
    domain: str
    version: str
    summary: str
    url: str = Field(description="The shared MCP address.")


class EnvironmentDetail(EnvironmentInfo):
    """An environment with what an agent in it works with."""

    tools: list[dict[str, Any]] = Field(description="The agent's tools in OpenAI form.")
    policy: str
    tasks: int


class TaskPage(BaseModel):
    """Some tasks, in the order of the package."""

    tasks: list[TaskPublic]
    total: int


class Beginning(BaseModel):
    """How an episode begins: the first messages (system prompt, and the request of a task) and the tools."""

    messages: list[dict[str, Any]]
    tools: list[dict[str, Any]]


class EpisodeInfo(Beginning):
    """A new episode and where it is played."""

    id: str
    url: str = Field(description="The MCP address with all its tools.")
    urls: dict[str, str] = Field(description="Every MCP address of it, by environment (or `multi`, `episode`).")
    token: str | None = Field(description="Bearer token of these addresses; none where the server asks for none.")
    environments: list[str]
    task: str | None
    user: UserForm
    answer: AnswerForm


class EpisodeStatus(BaseModel):
    """Where an episode stands. Times are seconds since 1970."""

    id: str
    environments: list[str]
    task: str | None
    user: UserForm
    answer: AnswerForm
    state: EpisodeState
    calls: int = Field(description="Tool calls so far, refused ones included.")
    steps: int = Field(description="Agent messages so far.")
    over: bool
    created_at: float
    used_at: float
    snapshots: list[str]


class EpisodePage(BaseModel):
    """Some episodes, oldest first."""

    episodes: list[EpisodeStatus]
    total: int


class UserReply(BaseModel):
    """What the user said; `done` with the outcome when that was the end."""

    messages: list[dict[str, Any]]
    reward: float
    done: bool
    outcome: Outcome | None


class Snapshot(BaseModel):
    """Name of a point to come back to."""

    snapshot: str


class Digest(BaseModel):
    """Digest of all rows: equal states have equal digests."""

    digest: str


class RowChange(BaseModel):
    """A row that differs from what the setup left: `before` is null for a new row, `after` for one that is gone."""

    table: str
    key: list[Any]
    before: dict[str, Any] | None
    after: dict[str, Any] | None


class Diff(BaseModel):
    """Every changed row."""

    rows: list[RowChange]


class Problem(BaseModel):
    """Why a request was refused: a short code for programs and a sentence for people."""

    code: str
    message: str


class Refusal(BaseModel):
    """The body of every answer that is an error."""

    error: Problem
