"""Row `paraphrase, negation, guess`: an answer counts however it is worded, and only if it is meant and known.

Every answer is told in at least ten of its written forms, each in another kind of sentence, and
must pass; denied, it must fail. An agent that says the most frequent value must not pass, and what
one guess hits with more than 5 % must not be all that a turn is graded by. Nothing is played for
this: the grader reads these texts as it would at the end of gold's turn.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

from ...episode.answers import Wanted
from ...episode.gold import Expected
from ...episode.grade import Conduct, grade_told
from ...episode.values import render, say
from ..finding import Finding, finding
from .context import TaskContext
from .guessing import best_guess

FORMS = 12
"""Written forms of an answer that are tried; another choice of them for each task."""

CARRIERS = (
    "The {subject} is {value}.",
    "{value}",
    "It is not {other} but {value}.",
    "I have looked it up for you: {value}.",
    "| what | value |\n|---|---|\n| {subject} | {value} |",
    "It is {value}, not {other}.",
    "- {subject}: {value}",
    "Thank you for waiting. As far as I can see, it is {value}, and everything else stays as it is.",
    "That would be {value} rather than {other}.",
    "**{subject}**: {value}",
    "The {subject} is {value}, compared with {other} before.",
    "You asked for the {subject}. It comes to {value}; let me know if there is anything else.",
)
"""Sentences in which an answer may stand; `{other}` is a wrong value of the same kind."""

DENIALS = ("It is not {value}.", "The {subject} is definitely not {value}.", "{value} is wrong.")
"""Sentences that hold an answer and do not give it."""

GUESSABLE = 0.05
"""Chance of one guess above which an answer is not graded alone."""


def check(context: TaskContext) -> Finding:
    """Have the answers of every turn graded in many wordings, denied, and guessed."""
    evidence: list[str] = []
    notes: list[str] = []
    figures = {"answers": 0, "wordings": 0}
    guessed = []
    for index, turn in enumerate(context.episode.plan.turns):
        end = turn.accepted[0]
        figures["answers"] += len(end.answers)
        for position in range(len(end.answers)):
            for text, problem in _paraphrases(context, index, end, position):
                figures["wordings"] += 1
                if problem:
                    evidence.append(f"turn {index}: {text!r} is not accepted: {problem}")
            for text in _denials(context, index, end, position):
                evidence.append(f"turn {index}: {text!r} is accepted, although it denies the answer")
        passed, problems, unknown = _guesses(context, index, end)
        guessed.append(passed)
        evidence += problems
        notes += unknown
    if all(guessed) and figures["answers"]:
        evidence.append("an agent that only says the most frequent values succeeds")
    return finding(
        "paraphrase, negation, guess", evidence, figures=figures, notes=notes,
        remedy="give the answer its true kind, column, currency and phrases; ask for something that cannot be guessed",
    )  # fmt: skip


def _grade(context: TaskContext, index: int, end: Expected, text: str) -> str | None:
    """Why a text does not give the answers of a turn; None where it does."""
    grade = grade_told(context.task, index, end, Conduct(texts=[text]), "text")
    return "; ".join(grade.reasons) if grade is not None and not grade.passed else None


def _told(answer: Wanted) -> str:
    return say(answer.kind, answer.value, answer.currency, answer.phrases)


def _sentences(answers: list[Wanted]) -> list[str]:
    return [f"The {answer.subject} is {_told(answer)}." for answer in answers]


def _paraphrases(context: TaskContext, index: int, end: Expected, position: int) -> Iterator[tuple[str, str | None]]:
    """Texts that give one answer in many ways (the others plainly), each with why it is not accepted."""
    answer = end.answers[position]
    others = _sentences([other for at, other in enumerate(end.answers) if at != position])
    forms = render(answer.kind, answer.value, answer.currency, answer.phrases)
    name = f"{context.task.id} {index} {answer.subject}".encode()
    start = int.from_bytes(hashlib.blake2b(name, digest_size=4).digest(), "big")
    wrong = _another(answer, end.answers)
    for number in range(min(FORMS, len(forms))):
        form = forms[(start + number) % len(forms)] if number else forms[0]
        carrier = CARRIERS[number % len(CARRIERS)]
        asserted = "{other} before" in carrier
        if "{other}" in carrier and (wrong is None or (asserted and not context.task.turns[index].max_other_values)):
            carrier = CARRIERS[0]
        text = "\n".join([*others, carrier.format(subject=answer.subject, value=form, other=wrong)])
        yield text, _grade(context, index, end, text)


def _denials(context: TaskContext, index: int, end: Expected, position: int) -> Iterator[str]:
    """Texts that deny one answer and are accepted all the same."""
    answer = end.answers[position]
    # Where two answers have the same value, giving one gives both: both are left out.
    rest = [other for other in end.answers if (other.kind, other.value) != (answer.kind, answer.value)]
    for denial in DENIALS:
        text = "\n".join([*_sentences(rest), denial.format(subject=answer.subject, value=_told(answer))])
        if _grade(context, index, end, text) is None:
            yield text


def _guesses(context: TaskContext, index: int, end: Expected) -> tuple[bool, list[str], list[str]]:
    """Whether guessing passes a turn, what is wrong about that, and answers whose chance is not known."""
    if end.changes or end.decline or not end.answers:
        return not (end.changes or end.decline), [], []
    chance, best, unknown = 1.0, [], []
    for number, answer in enumerate(end.answers):
        guess = best_guess(context, index, number)
        if guess is None:
            unknown.append(f"turn {index}: too few like values to say how well {answer.subject!r} can be guessed")
            chance = 0.0
        else:
            chance *= guess.chance
            best.append(replace(answer, value=guess.value))
    problems = []
    if chance > GUESSABLE:
        shown = ", ".join(answer.subject for answer in end.answers)
        problems.append(f"turn {index}: one guess hits {shown} with {chance:.0%}, and nothing else is graded there")
    passed = len(best) == len(end.answers) and _grade(context, index, end, "\n".join(_sentences(best))) is None
    return passed, problems, unknown


def _another(answer: Wanted, required: tuple[Wanted, ...]) -> str | None:
    """A wrong value of the same kind, in words; None where there is none."""
    taken = [str(other.value) for other in required]
    value = answer.value
    wrong: Any = None
    match answer.kind:
        case "number" | "money" | "duration":
            wrong = next(value + step for step in (1300, 1700, 1900, 2300) if str(value + step) not in taken)
        case "date":
            wrong = (date.fromisoformat(str(value)[:10]) + timedelta(days=9)).isoformat()
        case "time":
            hour, minute = (int(part) for part in _clock(value).split(":"))
            wrong = f"{(hour + 5) % 24:02}:{(minute + 7) % 60:02}"
        case _:
            names = sorted(str(other) for other in answer.others or () if str(other) != str(value))
            wrong = next((name for name in names if name not in taken), None)
    return None if wrong is None or str(wrong) in taken else say(answer.kind, wrong, answer.currency)


def _clock(value: Any) -> str:
    text = str(value)
    return text[:5] if len(text) < 9 else datetime.fromisoformat(text).strftime("%H:%M")
