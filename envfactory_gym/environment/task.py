"""What a task IS, as inert data: setup, user, turns, and for each turn a goal and its gold.

The goal is formal; the words of a request are generated from it, and so is the gold. Every
argument of a goal's call is a *source expression* that says where a solver can get its value.
docs/proofs.md explains each part. Two types keep secrets apart: `TaskPublic` is what a prompt,
a trainer or a hub may see; `TaskPrivate` adds goal, gold and everything graded.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Split = Literal["train", "dev", "test"]


class Frozen(BaseModel):
    """Base of all task data: immutable, and unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")


# ---------------------------------------------------------------- where a value comes from


class Said(Frozen):
    """Words of the user: `span` stands literally in the request of turn `turn`."""

    kind: Literal["said"] = "said"
    turn: int
    span: str


class Answered(Frozen):
    """A slot that the user tells when asked (or has told)."""

    kind: Literal["answered"] = "answered"
    slot: str


class Result(Frozen):
    """Part of the result of an earlier call.

    `path` walks the result: `trips.0.id`; empty for the whole. A call of an earlier turn may be
    named only if it reads.
    """

    kind: Literal["result"] = "result"
    call: str
    path: str = ""


class PolicyValue(Frozen):
    """A value that stands in the text of a policy rule."""

    kind: Literal["policy"] = "policy"
    rule: str
    value: Any


class SchemaValue(Frozen):
    """The default of an argument, or the only value its enum admits."""

    kind: Literal["schema"] = "schema"
    value: Any


class Clock(Frozen):
    """The current time (`now`) or date (`today`) of the episode."""

    kind: Literal["clock"] = "clock"
    part: Literal["now", "today"] = "now"


Operation = Literal[
    "add", "subtract", "multiply", "date_add", "date_diff",
    "filter", "arg_min", "arg_max", "first", "last", "field", "count", "sum", "min", "max", "collect",
    "number", "money", "date", "time", "code", "lower", "phrase",
]  # fmt: skip
"""The closed list of derivations; `episode.sources` evaluates them and documents each."""


class Derived(Frozen):
    """A value computed from other sources by one operation of the closed list.

    `options` belong to the operation: `filter` {"where": [[path, op, value-or-source-index], ...]},
    `arg_min`/`arg_max` {"by": path}, `field`/`sum`/`collect` {"path": path},
    `phrase` {"table": name of a phrase table in language.yaml}.
    """

    kind: Literal["derived"] = "derived"
    op: Operation
    sources: tuple[Source, ...]
    options: dict[str, Any] = Field(default_factory=dict)


Source = Annotated[Said | Answered | Result | PolicyValue | SchemaValue | Clock | Derived, Field(discriminator="kind")]
"""Where a value comes from; re-evaluated by the certificate."""


# ---------------------------------------------------------------- what the user wants


class GoalCall(Frozen):
    """One call of the goal's plan. `wish` marks what the user asked for; the rest are lookups."""

    id: str
    tool: str
    arguments: dict[str, Source] = Field(default_factory=dict)
    wish: bool = False


AnswerKind = Literal["number", "money", "date", "time", "duration", "name", "enum"]


class Answer(Frozen):
    """Something the agent must tell.

    Attributes:
        subject: What it is about, for people: "refund".
        kind: How values are written and compared. Money is in minor units with `currency`;
            dates and times ISO 8601; durations in minutes.
        source: Where the value comes from, evaluated against the world the agent left.
        column: `table.column` whose other values count as guesses, where there is one.
        phrases: For `enum`, the phrase table of language.yaml that words it.
    """

    subject: str
    kind: AnswerKind
    source: Source
    column: str | None = None
    currency: str | None = None
    phrases: str | None = None


class Referent(Frozen):
    """A referring expression of the request, and SQL that denotes exactly one row key."""

    phrase: str
    sql: str
    column: str


class Goal(Frozen):
    """What one turn wants: a plan of calls over source expressions, answers, or a refusal.

    `order` lists pairs of call ids whose order matters. `decline` names the policy rule for which
    the request must be declined with `decline_request`.
    """

    calls: tuple[GoalCall, ...] = ()
    answers: tuple[Answer, ...] = ()
    decline: str | None = None
    referents: tuple[Referent, ...] = ()
    order: tuple[tuple[str, str], ...] = ()


# ---------------------------------------------------------------- how it is solved


class GoldCall(Frozen):
    """A literal call of the reference solution; `id` names the goal's call it was derived from."""

    id: str
    tool: str
    arguments: dict[str, Any] = Field(default_factory=dict)


class GoldStep(Frozen):
    """One agent message of the reference solution, and how the user is expected to react.

    `expect`: `continues` after calls; `tells` a slot; `affirms` a confirmation; `acts` on an
    instruction, making the call `acts`; `ends` the turn. `slots` are what the agent asks for. `say`
    may hold `{subject}` of an answer.
    """

    say: str | None = None
    calls: tuple[GoldCall, ...] = ()
    slots: tuple[str, ...] = ()
    acts: GoldCall | None = None
    expect: Literal["continues", "tells", "affirms", "acts", "ends"] = "continues"

    @property
    def effects(self) -> tuple[GoldCall, ...]:
        """Every call this step leads to: the agent's, and the one the user makes on instruction."""
        return (*self.calls, self.acts) if self.acts else self.calls


class Turn(Frozen):
    """One request of the user.

    Attributes:
        request: The words.
        goal: What they mean, formally.
        gold: A reference solution derived from the goal.
        alternatives: Other goals whose ends are accepted as well.
        advance: Seconds the clock advances before this turn.
        due: `turn`: the change must be there when this turn ends; `end`: when the task ends.
        max_other_values: How many other values of an answer's column may be mentioned.
    """

    request: str
    goal: Goal
    gold: tuple[GoldStep, ...]
    alternatives: tuple[Goal, ...] = ()
    advance: int = 0
    due: Literal["turn", "end"] = "turn"
    max_other_values: int = 2


class Slot(Frozen):
    """Something the user knows and tells when asked. `say` holds `{value}`."""

    name: str
    value: Any
    say: str
    asked: tuple[str, ...] = ()


class User(Frozen):
    """Who is asking: a persona for people, and the slots."""

    name: str
    persona: str = ""
    slots: tuple[Slot, ...] = ()


# ---------------------------------------------------------------- what happened before


class SetupCall(Frozen):
    """A tool call made before the episode begins."""

    tool: str
    arguments: dict[str, Any] = Field(default_factory=dict)


class RowPatch(Frozen):
    """A row inserted (no row with that key), updated, or deleted (`values` is null)."""

    table: str
    key: dict[str, Any]
    values: dict[str, Any] | None = None


class Setup(Frozen):
    """Changes applied to the base world before an episode: the clock, row patches, then calls."""

    now: str | None = None
    rows: tuple[RowPatch, ...] = ()
    calls: tuple[SetupCall, ...] = ()


# ---------------------------------------------------------------- the two faces of a task


class TaskPublic(Frozen):
    """What prompts, trainers and hubs may see of a task: nothing that is graded."""

    id: str
    environments: tuple[str, ...]
    split: Split
    request: str
    turns: int
    kinds: tuple[str, ...] = ()
    difficulty: str | None = None
    solo: bool = True
    world_hash: str | None = None
    rules_hash: str | None = None


class TaskPrivate(Frozen):
    """A whole task, graded parts included. Never serialise it into a dataset row.

    Attributes:
        id: Unique in its environment, such as `cancel-oslo-cheaper`.
        environment: Registered id, such as `EnvFactory/airline-v0`.
        environments: For `EnvFactory/multi-v0` only: ids of the environments that the task spans.
        split: `train`, `dev` or `test`; twins share one.
        seed: Seeds ids and chance inside the world.
        twin: Id of the task with the same words on the other side of a rule.
        loosen: `table.column` → a looser column policy for this task only.
        never: Tables that must not be touched, not even transiently.
        solo: Whether the one-ticket form is certified too.
        kinds: Labels such as `action`, `question`, `refusal`, `implicit`.
        wording: Who wrote the requests.
        world_hash, rules_hash: What the task was certified against; those of every environment where it
            spans several.
        certificate: Figures and evidence of the executed proof.
    """

    id: str
    environment: str
    environments: tuple[str, ...] = ()
    split: Split
    seed: int = 0
    user: User
    setup: Setup = Setup()
    turns: tuple[Turn, ...] = Field(min_length=1)
    twin: str | None = None
    loosen: dict[str, str] = Field(default_factory=dict)
    never: tuple[str, ...] = ()
    max_exchanges: int = 6
    solo: bool = True
    kinds: tuple[str, ...] = ()
    difficulty: str | None = None
    wording: Literal["script", "model", "human"] = "human"
    world_hash: str | None = None
    rules_hash: str | None = None
    certificate: dict[str, Any] | None = None

    def public(self) -> TaskPublic:
        """The part of this task that may be shown."""
        return TaskPublic(
            id=self.id,
            environments=self.environments or (self.environment,),
            split=self.split,
            request=self.turns[0].request,
            turns=len(self.turns),
            kinds=self.kinds,
            difficulty=self.difficulty,
            solo=self.solo,
            world_hash=self.world_hash,
            rules_hash=self.rules_hash,
        )


Derived.model_rebuild()
