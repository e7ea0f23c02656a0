"""What is known of an environment while it is written: its checkpoint, from which everything can go on."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from ..llm import Exchange
from .answers import Files
from .proposal import Proposal

Stage = Literal["propose", "state", "tools", "data", "words", "behaviours", "execute", "revise", "report", "done"]

STAGES: tuple[Stage, ...] = (
    "propose", "state", "tools", "data", "words", "behaviours", "execute", "revise", "report",
)  # fmt: skip
"""The stages in their order; each is checked by execution before the next begins."""


class Ledger(BaseModel):
    """What an environment has cost, whether it was paid in this run or is replayed."""

    calls: int = 0
    tokens: int = 0
    cost: float = 0.0

    def add(self, exchange: Exchange) -> None:
        """Count an answer."""
        self.calls += 1
        self.tokens += exchange.usage.total
        self.cost += exchange.cost or 0.0


class Step(BaseModel):
    """One answer, and what came of it.

    Attributes:
        step: Such as `tools/2`: the stage, and which attempt.
        outcome: `accepted`, or why not: `truncated`, `refused`, `empty`, `unusable`, `failed`, `discarded`.
        evidence: What speaks against it.
        figures: After the execution of the whole: its figures in a line.
        regressions: What held before this revision and did not after it.
    """

    step: str
    outcome: str
    evidence: list[str] = Field(default_factory=list)
    figures: str = ""
    regressions: list[str] = Field(default_factory=list)


class Found(BaseModel):
    """A document that a search has brought."""

    title: str
    text: str
    url: str | None = None
    licence: str = "not stated"


class Draft(BaseModel):
    """The texts of a package, and the script that its rows come from (which is no part of it)."""

    files: Files = Field(default_factory=dict)
    script: str = ""

    def shown(self) -> Files:
        """All texts under their names, the script included."""
        return {**self.files, **({"make_data.py": self.script} if self.script else {})}


class Revising(BaseModel):
    """Where the revisions stand.

    Attributes:
        number: Revisions made.
        stale: Revisions in a row that did not improve the figures.
        best: The best draft by executed figures.
        best_key: Its figures.
        turn: Who revises next, where that is not decided by the figures.
        disputes: Objections of the tools' author to examples.
        insisted: Answers of the examples' author to those.
        discarded: What the last discarded revision broke.
        worded: Revisions of the words so far.
        rejected: Why chains gave no tasks, the last time that tasks were drawn.
    """

    number: int = 0
    stale: int = 0
    best: Draft = Field(default_factory=Draft)
    best_key: list[float] = Field(default_factory=list)
    turn: Literal["code", "behaviours", ""] = ""
    disputes: list[str] = Field(default_factory=list)
    insisted: list[str] = Field(default_factory=list)
    discarded: list[str] = Field(default_factory=list)
    worded: int = 0
    rejected: dict[str, int] = Field(default_factory=dict)


class State(BaseModel):
    """The checkpoint of an environment.

    Attributes:
        name: Of the environment.
        stage: The stage to be done next.
        draft: What is written so far.
        proposal: What it is to be.
        found: Documents that searches brought, in order.
        signatures: The tools as they present themselves.
        steps: Every answer, and what came of it.
        ledger: What it has cost.
        tier: What was reached, once it was reported.
        failure: Why it could not be written; empty where it could, or is not done.
    """

    name: str
    stage: Stage = "propose"
    draft: Draft = Field(default_factory=Draft)
    proposal: Proposal | None = None
    found: list[Found] = Field(default_factory=list)
    signatures: list[dict[str, Any]] = Field(default_factory=list)
    steps: list[Step] = Field(default_factory=list)
    revising: Revising = Field(default_factory=Revising)
    ledger: Ledger = Field(default_factory=Ledger)
    tier: str = ""
    failure: str = ""
