"""Asking a model until what it hands in was executed without fault, or it has had its tries.

The conversation goes on: a model is told what its own answer led to. An answer that cannot be used (cut off, refused,
of another form) costs a try like one that fails.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from ..llm import Client, Exchange
from .answers import AnswerError, text_of
from .briefing import render
from .run_folder import RunFolder
from .state import State, Step

Handed = TypeVar("Handed")
Message = dict[str, str]

SHOWN = 30
"""Lines of evidence that are told at a time."""

LONG = 2_500
"""Characters of one line of evidence."""

ECHO = 60_000
"""Characters of a model's own answer that it is shown again."""


class StageFailed(Exception):
    """A stage came to nothing.

    Args:
        stage: Which.
        evidence: What speaks against the last attempt.
        why: In a sentence.
    """

    def __init__(self, stage: str, evidence: Sequence[str], why: str) -> None:
        super().__init__(f"{stage}: {why}")
        self.stage, self.evidence, self.why = stage, list(evidence), why


@dataclass(frozen=True)
class Asker:
    """Somebody who answers: a model at an endpoint.

    Attributes:
        client: The endpoint.
        model: Its name there.
        sampling: Further fields of each request.
        folder: Where prompts and answers are kept for people.
        tries: Answers per stage, at most.
    """

    client: Client
    model: str
    sampling: Mapping[str, Any]
    folder: RunFolder
    tries: int = 4

    async def answer(self, state: State, step: str, messages: Sequence[Message]) -> Exchange:
        """One answer, kept and counted."""
        request = {"model": self.model, "messages": [dict(one) for one in messages], **self.sampling}
        exchange = await self.client.complete(request, tag=f"{state.name}/{step}")
        state.ledger.add(exchange)
        self.folder.note(state.name, step, exchange)
        return exchange

    async def until(
        self,
        state: State,
        stage: str,
        prompt: str,
        take: Callable[[str], Handed],
        check: Callable[[Handed], Awaitable[list[str]]],
        wanted: Sequence[str],
        *,
        tries: int | None = None,
        tell: Callable[[int], None] | None = None,
    ) -> Handed:
        """What a model hands in, once nothing that was executed speaks against it.

        Args:
            state: The environment; its steps and its ledger are kept up.
            stage: Name of the stage; `stage/1` is the first answer.
            prompt: What is asked for.
            take: Reads the answer; raises `AnswerError`.
            check: Executes it; what speaks against it.
            wanted: Names of what is asked for, for the second try.
            tries: As `self.tries`.
            tell: Told the number of each attempt.

        Raises:
            StageFailed: No try was good.
        """
        messages: list[Message] = [
            {"role": "system", "content": render("prompts/system.md.j2")},
            {"role": "user", "content": prompt},
        ]
        evidence: list[str] = []
        kinds: list[str] = []
        for attempt in range(1, (tries or self.tries) + 1):
            if tell is not None:
                tell(attempt)
            step = f"{stage}/{attempt}"
            exchange = await self.answer(state, step, messages)
            try:
                handed = take(text_of(exchange))
                evidence, outcome = await check(handed), "failed"
            except AnswerError as error:
                evidence, outcome = [error.problem], error.kind
            kinds.append(outcome if evidence else "accepted")
            state.steps.append(Step(step=step, outcome=kinds[-1], evidence=told(evidence)))
            if not evidence:
                return handed
            if kinds[-2:] == ["refused", "refused"]:
                break
            repair = render(
                "prompts/repair.md.j2", executed=outcome == "failed", evidence=told(evidence), wanted=wanted
            )
            echo = exchange.text[:ECHO] if outcome != "truncated" else exchange.text[:400] + "\n[cut off]"
            messages += [{"role": "assistant", "content": echo or "(nothing)"}, {"role": "user", "content": repair}]
        raise StageFailed(stage, told(evidence), _why(kinds))


def told(evidence: Sequence[str]) -> list[str]:
    """Evidence as it is told: not too much at a time, and no endless lines."""
    lines = [line if len(line) <= LONG else f"{line[:LONG]} [...]" for line in evidence[:SHOWN]]
    return lines + ([f"and {len(evidence) - SHOWN} more"] if len(evidence) > SHOWN else [])


def _why(kinds: Sequence[str]) -> str:
    """Why a stage came to nothing, from what came of each attempt."""
    if kinds[-2:] == ["refused", "refused"]:
        return "the model refuses"
    tries = f"{len(kinds)} {'try' if len(kinds) == 1 else 'tries'}"
    if all(kind in ("truncated", "empty", "unusable", "refused") for kind in kinds):
        return f"the model handed in nothing that could be executed, in {tries}"
    return f"what the model handed in still fails when it is executed, after {tries}"
