"""Certified tasks in a model's words: reworded, checked, certified again, or left as they are.

The model sees one request at a time and never what is graded. Its words count only if nothing was
lost and nothing added (`wording.rewording`), and if the task with them passes its certificate; twins share
their words, so both must pass.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from functools import partial

from ..environment import Package, TaskPrivate
from ..environment.task import Said
from ..llm import Client
from ..llm.errors import ModelError
from ..verify.arguments import Candidates
from ..verify.certificate import certify
from ..verify.replay import forms
from .difficulty import parts
from .wording.rewording import Rewording, messages


async def reword(
    package: Package,
    tasks: Sequence[TaskPrivate],
    client: Client,
    model: str,
    candidates: Candidates,
    outcomes: Counter[str],
) -> list[TaskPrivate]:
    """The tasks, in a model's words where those pass.

    Args:
        package: Their environment.
        tasks: Certified tasks; twins follow each other.
        client: Where the model is.
        model: Its name.
        candidates: Shared by all certificates.
        outcomes: Counts what came of each task: `reworded`, or why the script's words stayed.
    """
    pairs = _pairs(tasks)
    words = await asyncio.gather(*(_requests(package, pair[0], client, model, outcomes) for pair in pairs))
    kept: list[TaskPrivate] = []
    for pair, requests in zip(pairs, words, strict=True):
        new = [_with(task, requests) for task in pair] if requests is not None else []
        if new and all(_certified(package, task, candidates) for task in new):
            outcomes["reworded"] += len(new)
            kept += new
        else:
            if new:
                outcomes["its certificate failed"] += len(new)
            kept += pair
    return kept


async def _requests(
    package: Package, task: TaskPrivate, client: Client, model: str, outcomes: Counter[str]
) -> list[str] | None:
    """Other words for every turn of a task; None where those of one turn do not pass."""
    names = {*package.tools, *(f"{table}" for table in package.schema.tables)}
    names |= {name for table in package.schema.tables.values() for name in table.names if "_" in name}
    found = []
    for number, turn in enumerate(task.turns):
        spans = literals(task, number)
        request = {
            "model": model,
            "messages": messages(turn.request, spans, task.user.persona),
            "temperature": 0.9,
            "seed": task.seed,
        }
        try:
            exchange = await client.complete(request, tag=f"{task.id}.{number}")
        except ModelError as error:
            outcomes[f"the model did not answer: {type(error).__name__}"] += 1
            return None
        rewording = Rewording(partial(_said, exchange.text or ""), names)
        said = rewording(turn.request, spans, task.user.persona)
        if not rewording.outcomes["reworded"]:
            outcomes.update(rewording.outcomes)
            return None
        found.append(said)
    return found


def _said(text: str, _: list[dict[str, str]]) -> str:
    """A model that has answered already."""
    return text


def literals(task: TaskPrivate, number: int) -> list[str]:
    """What has to stand in the request of a turn letter for letter: said spans of any turn, and referents' phrases."""
    spans = [referent.phrase for referent in task.turns[number].goal.referents]
    for turn in task.turns:
        sources = [source for call in turn.goal.calls for source in call.arguments.values()]
        sources += [answer.source for answer in turn.goal.answers]
        spans += [
            part.span for source in sources for part in parts(source) if isinstance(part, Said) and part.turn == number
        ]
    return list(dict.fromkeys(spans))


def _with(task: TaskPrivate, requests: Sequence[str]) -> TaskPrivate:
    turns = tuple(
        turn.model_copy(update={"request": request}) for turn, request in zip(task.turns, requests, strict=True)
    )
    return task.model_copy(update={"turns": turns, "wording": "model", "certificate": None})


def _certified(package: Package, task: TaskPrivate, candidates: Candidates) -> bool:
    return all(certify(package, task, form, candidates).passed for form in forms(task))


def _pairs(tasks: Sequence[TaskPrivate]) -> list[list[TaskPrivate]]:
    """Tasks with their twins."""
    found: list[list[TaskPrivate]] = []
    for task in tasks:
        if found and found[-1][0].twin == task.id:
            found[-1].append(task)
        else:
            found.append([task])
    return found
