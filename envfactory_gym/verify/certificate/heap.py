"""Row `heap`: telling every value that the lookups show, the right one among them, is no answer.

`max_other_values` lets an agent name a few other values beside the answer. Where a solver's own
lookups show no more values than that, quoting all of them would pass: such a task has to lower it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ...episode.answers import Wanted
from ...episode.gold import Expected
from ...episode.grade import Conduct, grade_told
from ...episode.values import say
from ..finding import Finding, finding
from .context import TaskContext


def check(context: TaskContext) -> Finding:
    """Quote, per turn that only answers decide, every value of the answers' columns in gold's results."""
    evidence, heaps = [], 0
    seen: list[Any] = []
    for index, turn in enumerate(context.episode.plan.turns):
        end = turn.accepted[0]
        seen += [leaf for text in end.results for leaf in _leaves(json.loads(text))]
        if end.changes or end.decline or not end.answers:
            continue
        heap = _heap(end, seen)
        if len(heap) <= len(end.answers):
            continue
        heaps += 1
        grade = grade_told(context.task, index, end, Conduct(texts=[", ".join(heap)]), "text")
        if grade is not None and grade.passed:
            evidence.append(f"turn {index}: quoting all that the lookups show passes: {', '.join(heap)}")
    return finding(
        "heap", evidence, figures={"heaps": heaps},
        remedy="set max_other_values of the turn below the number of other values that its lookups show",
    )  # fmt: skip


def _heap(end: Expected, seen: list[Any]) -> list[str]:
    """Every value in the results that stands in a column some answer comes from, in words, and the answers."""
    told = [_words(answer, answer.value) for answer in end.answers]
    for answer in end.answers:
        known = set(map(str, answer.others or ()))
        told += [_words(answer, value) for value in seen if str(value) in known]
    return list(dict.fromkeys(told))


def _words(answer: Wanted, value: Any) -> str:
    return say(answer.kind, value, answer.currency)


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for child in value.values():
            yield from _leaves(child)
    elif isinstance(value, list):
        for child in value:
            yield from _leaves(child)
    elif value is not None and not isinstance(value, bool):
        yield value
