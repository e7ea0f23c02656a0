"""Outcomes computed anew, without the model: the agent's messages are played again, and graded again.

A record holds all that is needed. What it says and what is found should be the same; where it is not,
the environment has changed, or the record was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from ..environment import EnvFactoryError, Package
from ..episode import Episode, Outcome, RewardForm, RunRecord


@dataclass(frozen=True)
class Rescored:
    """One record and what playing it again gave.

    Attributes:
        record: As it was.
        outcome: As it is now; None where it could not be played again.
        digest: Of the final state now.
        problem: Why it could not be played again.
    """

    record: RunRecord
    outcome: Outcome | None
    digest: str | None
    problem: str | None = None

    @property
    def same(self) -> bool:
        """Whether outcome and final state are what the record says."""
        return self.outcome == self.record.outcome and self.digest == self.record.digest

    @property
    def renewed(self) -> RunRecord:
        """The record with what was found; as it was where nothing could be."""
        if self.outcome is None:
            return self.record
        return self.record.model_copy(update={"outcome": self.outcome, "digest": self.digest})


def rescore(
    records: Iterator[RunRecord], package_of: Callable[[str], Package], *, reward: RewardForm = "success"
) -> Iterator[Rescored]:
    """Play records again, one by one.

    Args:
        records: The episodes; those without a task (no outcome) are left out.
        package_of: Environment id → package.
        reward: How they were paid.
    """
    for record in records:
        if record.outcome is not None:
            try:
                yield _again(record, package_of(record.environment), reward)
            except EnvFactoryError as error:
                yield Rescored(record, None, None, str(error))


def _again(record: RunRecord, package: Package, reward: RewardForm) -> Rescored:
    options: dict[str, Any] = {"user": record.user, "answer": record.answer, "max_result": record.max_result}
    if record.max_steps is not None:
        options["max_steps"] = record.max_steps
    with Episode(package, record.task, reward=reward, **options) as episode:
        hashes = episode.package.world_hash, episode.package.rules_hash
        if hashes != (record.world_hash, record.rules_hash):
            return Rescored(record, None, None, f"{package.name} has changed since this episode was played")
        episode.reset()
        said = [message for message in record.messages if message["role"] == "assistant"]
        for message, reply in zip_longest(said, record.replies):
            if message is None or episode.over:
                break
            episode.step(message, reply=reply)
        before = record.outcome
        if not episode.over and before is not None:
            # It did not end by itself, so somebody ended it: for the harness's sake, or a limit of the agent.
            if before.kind in ("infra", "user_error"):
                episode.abort("infra" if before.kind == "infra" else "user_error", before.reason)
            else:
                episode.stop(before.reason)
        return Rescored(record, episode.outcome, episode.world.digest())
