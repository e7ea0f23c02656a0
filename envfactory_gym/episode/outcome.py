"""How an episode ended and why, in a form that a trainer can mask and a person can read."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

OutcomeKind = Literal["success", "failure", "out_of_steps", "user_error", "infra"]


class TurnOutcome(BaseModel):
    """The grade of one turn.

    Attributes:
        passed: Whether the state, the answers and the refusal are all right.
        effects: Share of the wanted row changes that were made (1.0 where none was wanted).
        collateral: Number of row changes nobody asked for.
        answers: Share of the required answers that were told (1.0 where none was required).
        decline: Whether a refusal was made exactly where one was due.
        policy: Whether every write that needs a confirmation had one.
        transient: Rows that were changed and restored.
        reasons: Why it did not pass, for people; empty where it did.
    """

    model_config = ConfigDict(frozen=True)

    passed: bool
    effects: float = 1.0
    collateral: int = 0
    answers: float = 1.0
    decline: bool = True
    policy: bool = True
    transient: int = 0
    reasons: tuple[str, ...] = ()


class Outcome(BaseModel):
    """The end of an episode.

    Attributes:
        kind: `success`, `failure` and `out_of_steps` are the agent's doing; `user_error` and
            `infra` are the harness's, and make the reward invalid.
        reward: Sum of all rewards paid in the episode, in [0, 1].
        reward_valid: False where the harness, not the agent, is to blame: mask the sample.
        turns: Grades of the turns that ended.
        steps, calls, errors: Agent messages, tool calls, and calls that were refused.
        reason: One sentence for people.
    """

    model_config = ConfigDict(frozen=True)

    kind: OutcomeKind
    reward: float
    reward_valid: bool
    turns: tuple[TurnOutcome, ...] = ()
    steps: int = 0
    calls: int = 0
    errors: int = 0
    reason: str = ""
    metrics: dict[str, Any] = Field(default_factory=dict)

    @property
    def success(self) -> bool:
        """Whether every turn passed."""
        return self.kind == "success"
