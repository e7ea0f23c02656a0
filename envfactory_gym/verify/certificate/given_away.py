"""Row `not given away`: a graded answer does not stand in what the agent is shown before it looks anything up.

That is the system prompt (policy and clock included), the documentation of the tools, and the
request. In prompt and tools the words of an enum are exempt, since they are the vocabulary of the
environment, and so are numbers below a hundred, which stand everywhere: how well those are guessed
is the business of another row. What the request holds counts only where repeating it passes the
turn, for people do ask "is it the 3rd or the 4th?".
"""

from __future__ import annotations

import json
from functools import lru_cache

from ...episode.answers import Wanted
from ...episode.grade import Conduct, grade_told
from ...episode.mentions import STRONG, Mention
from ...episode.prose import plain
from ...episode.values import Kind, equal, find, find_words, folded, normalised, say
from ..finding import Finding, finding
from .context import TaskContext

SMALL = 100
"""Numbers below this stand in any text by chance."""


def check(context: TaskContext) -> Finding:
    """Look for every graded answer in the prompt and the tools' documentation, and repeat the requests."""
    evidence: list[str] = []
    places = {"the system prompt": context.episode.prompt, "the tools' documentation": _documentation(context)}
    answers = 0
    for index, turn in enumerate(context.episode.plan.turns):
        end = turn.accepted[0]
        answers += len(end.answers)
        for answer in end.answers:
            evidence += [
                f"turn {index}: the answer {answer.subject!r}, {_shown(answer)}, stands in {place}"
                for place, text in places.items()
                if _stands(answer, text)
            ]
        if end.answers and not end.changes and not end.decline:
            requests = "\n".join(part.request for part in context.task.turns[: index + 1])
            grade = grade_told(context.task, index, end, Conduct(texts=[requests]), "text")
            if grade is not None and grade.passed:
                evidence.append(f"turn {index}: repeating the request passes the turn")
    return finding(
        "not given away", evidence, figures={"answers": answers},
        remedy="take the value out of policy, docs or request, or ask for something that has to be looked up",
    )  # fmt: skip


def _documentation(context: TaskContext) -> str:
    return json.dumps([tool["function"] for tool in context.episode.tools], ensure_ascii=False)


def _shown(answer: Wanted) -> str:
    return say(answer.kind, answer.value, answer.currency)


def _stands(answer: Wanted, text: str) -> bool:
    """Whether an unmistakable mention of the answer stands in a text."""
    if answer.kind == "enum":
        return False
    if answer.kind == "name":
        return bool(find_words([str(answer.value)], _folded(text)))
    value = normalised(answer.kind, answer.value)
    if answer.kind == "number" and abs(value) < SMALL:
        return False
    floor = 0 if answer.kind == "number" else STRONG
    return any(
        mention.strength >= floor and equal(answer.kind, value, mention, answer.currency)
        for mention in _mentions(answer.kind, text, answer.currency)
    )


@lru_cache(maxsize=64)
def _mentions(kind: Kind, text: str, currency: str | None) -> tuple[Mention, ...]:
    """Mentions in a text; prompts and documentation are the same for all tasks of an environment."""
    return tuple(find(kind, plain(text), currency))


@lru_cache(maxsize=64)
def _folded(text: str) -> str:
    return folded(text)
