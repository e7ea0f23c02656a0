"""`behaviours.yaml`: examples of what the tools do, which the report executes."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, model_validator

from .errors import ErrorCode
from .task import Frozen, Setup


class Origin(Frozen):
    """Where an expectation comes from. `recorded` ones document; they prove nothing."""

    kind: Literal["source", "policy", "invariant", "compiler", "recorded"]
    ref: str = ""


class ExpectedError(Frozen):
    """The refusal a call must meet."""

    code: ErrorCode
    field: str | None = None
    reason: str | None = None


class Expectation(Frozen):
    """What a call must give: a part of its result, or an error."""

    result: Any = None
    error: ExpectedError | None = None


class BehaviourCall(Frozen):
    """One call of a behaviour. `{"$call": 0, "path": "id"}` as an argument takes an earlier result."""

    tool: str
    arguments: dict[str, Any] = Field(default_factory=dict)
    expect: Expectation = Expectation()


class Behaviour(Frozen):
    """A named example. `changes` gives, per table, how many rows differ afterwards."""

    name: str
    origin: Origin
    now: str | None = None
    setup: Setup = Setup()
    calls: tuple[BehaviourCall, ...]
    changes: dict[str, int] | None = None

    @model_validator(mode="after")
    def _asserts_something(self) -> Behaviour:
        expects = any(call.expect.error or call.expect.result is not None for call in self.calls)
        if not expects and self.changes is None:
            raise ValueError("a behaviour must expect a result, an error or changes")
        return self
