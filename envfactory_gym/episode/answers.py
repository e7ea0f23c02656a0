"""Whether an agent told what it had to tell, in whatever words.

An answer is a typed value. All required values must be asserted, and only a few *other* values of
the same kind may be: else quoting everything would pass. Values of the request and those listed
as context do not count as others, nor do values that the text denies (docs/proofs.md, "Answers").
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from .mentions import FAIR, HINT, Mention
from .prose import denied, plain
from .values import Kind, equal, find, find_words, folded, normalised, word_key

FLOOD = 12
"""Other values of a kind beyond which a text counts as quoting everything, whatever column they are of."""


@dataclass(frozen=True)
class Wanted:
    """A value that has to be told.

    Attributes:
        subject: What it is about, for people.
        kind: How it is written and compared.
        value: As it is stored: money in minor units, dates and times ISO 8601, durations in minutes.
        currency: ISO code, for money.
        phrases: For an enum, wordings of this value besides the value itself.
        others: Other values of its column (this one may be among them); a mapping gives their
            wordings. None where all values of the kind count as others.
    """

    subject: str
    kind: Kind
    value: Any
    currency: str | None = None
    phrases: Sequence[str] = ()
    others: Collection[Any] | Mapping[Any, Sequence[str]] | None = None

    @cached_property
    def other_values(self) -> list[Any] | None:
        """The others in the form mentions have, each once; None where all values of the kind count.

        A plan keeps its wanted answers, so a column of thousands of values is read once a task.
        """
        if self.others is None:
            return None
        found = (_maybe(self.kind, other) for other in self.others)
        return list(dict.fromkeys(value for value in found if value is not None))

    @cached_property
    def other_words(self) -> dict[str, str]:
        """Every wording of the others → the value it words, both as names compare."""
        found: dict[str, str] = {}
        for other in self.others or ():
            phrases = self.others[other] if isinstance(self.others, Mapping) else ()
            for wording in _wordings(other, phrases):
                found.setdefault(word_key(wording), word_key(str(other)))
        return found


@dataclass(frozen=True)
class AnswerGrade:
    """How many of the required values were told, and what else was.

    Attributes:
        passed: Whether all were told and not too much else.
        share: Share of the required values that were told, from 0 to 1.
        missing: Subjects that were not told.
        others: Other values that were asserted, as they stand in the text.
        reasons: Why it did not pass, in words.
    """

    passed: bool
    share: float
    missing: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    reasons: tuple[str, ...] = field(default=())

    def __bool__(self) -> bool:
        return self.passed


def grade_answers(
    required: Sequence[Wanted], text: str, *, allowed: Collection[Any] = (), max_other: int = 2
) -> AnswerGrade:
    """Grade what an agent said.

    Args:
        required: The values to be told.
        text: All that the agent said in the turn.
        allowed: Values that may be mentioned freely: typed values, or texts (such as the request)
            whose mentions may be repeated.
        max_other: How many other values may be asserted, per required value's column or kind.
    """
    return _grade(required, _Text(text), allowed, max_other)


def grade_values(
    required: Sequence[Wanted],
    values: Sequence[str | int | float],
    *,
    allowed: Collection[Any] = (),
    max_other: int = 2,
) -> AnswerGrade:
    """Grade the values of the typed `answer` tool, by the same rules; a bare number may be a duration in minutes."""
    lines = [str(value) for value in values]
    return _grade(required, _Text("\n".join(lines), bare_minutes=True), allowed, max_other)


class _Text:
    """A text whose mentions are found once per kind."""

    def __init__(self, text: str, *, bare_minutes: bool = False) -> None:
        self.plain, self.bare_minutes = plain(text), bare_minutes
        self._found: dict[tuple[Kind, str | None], list[Mention]] = {}

    @cached_property
    def folded(self) -> str:
        """Like `plain`, without case and hyphens; lines and sentences stay apart."""
        return "\n".join(folded(line) for line in self.plain.split("\n"))

    def typed(self, kind: Kind, currency: str | None) -> list[Mention]:
        """Asserted mentions of a typed kind."""
        if (kind, currency) not in self._found:
            found = find(kind, self.plain, currency)
            if kind == "duration" and self.bare_minutes and not found:
                found = find("number", self.plain)
            self._found[kind, currency] = _asserted(self.plain, found)
        return self._found[kind, currency]

    def words(self, wordings: Sequence[str]) -> list[Mention]:
        """Asserted mentions of any of the wordings."""
        return _asserted(self.folded, find_words(wordings, self.folded))


def _asserted(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    if not mentions:
        return []
    negated = denied(text, [(mention.start, mention.end) for mention in mentions])
    return [mention for mention, no in zip(mentions, negated, strict=True) if not no]


def _grade(required: Sequence[Wanted], text: _Text, allowed: Collection[Any], max_other: int) -> AnswerGrade:
    missing: list[str] = []
    others: dict[str, None] = {}
    reasons: list[str] = []
    for wanted in required:
        worded = wanted.kind in ("name", "enum")
        told, strayed, flood = (_words if worded else _typed)(wanted, required, text, allowed)
        if not told:
            missing.append(wanted.subject)
            reasons.append(f"{wanted.subject}: not told")
        others.update(dict.fromkeys(strayed))
        if len(strayed) > max_other or flood:
            listed = ", ".join(strayed[:5]) or "very many of them"
            reasons.append(f"{wanted.subject}: too many other values ({listed})")
    share = 1.0 - len(missing) / len(required) if required else 1.0
    return AnswerGrade(not reasons, share, tuple(missing), tuple(others), tuple(reasons))


def _typed(
    wanted: Wanted, required: Sequence[Wanted], text: _Text, allowed: Collection[Any]
) -> tuple[bool, list[str], bool]:
    """Whether a typed value was told; the other values asserted; whether they are a flood."""
    kind, currency = wanted.kind, wanted.currency
    value = normalised(kind, wanted.value)
    mentions = text.typed(kind, currency)
    hits = [mention for mention in mentions if equal(kind, value, mention, currency)]
    strength = max((mention.strength for mention in hits), default=FAIR)
    expected = [normalised(kind, other.value) for other in required if other.kind == kind]
    free, quoted = _allowed(kind, currency, allowed)
    column = wanted.other_values
    strayed: dict[Any, str] = {}
    all_others: set[Any] = set()
    for mention in mentions:
        if mention.strength < strength or mention.strength == HINT:
            continue
        essence = _essence(kind, mention.value)
        if any(equal(kind, other, mention, currency) for other in (*expected, *free)) or essence in quoted:
            continue
        all_others.add(essence)
        if column is None or any(equal(kind, other, mention, currency) for other in column):
            strayed.setdefault(essence, text.plain[mention.start : mention.end])
    return bool(hits), list(strayed.values()), len(all_others) > FLOOD


def _words(
    wanted: Wanted, required: Sequence[Wanted], text: _Text, allowed: Collection[Any]
) -> tuple[bool, list[str], bool]:
    """The same for names and enums; there the others are those of the column."""
    mine = {word_key(wording) for wording in _wordings(wanted.value, wanted.phrases)}
    expected = {
        word_key(wording)
        for other in required
        if other.kind in ("name", "enum")
        for wording in _wordings(other.value, other.phrases)
    }
    others = wanted.other_words
    mentions = text.words([*mine, *expected, *others])
    hits = any(mention.value in mine for mention in mentions)
    free = [folded(str(value)) for value in allowed]
    strayed = {
        others[mention.value]: None
        for mention in mentions
        if mention.value in others
        and mention.value not in expected
        and others[mention.value] not in expected
        and not any(find_words([mention.value], words) for words in free)
    }
    return hits, list(strayed), False


def _wordings(value: Any, phrases: Sequence[str]) -> list[str]:
    return [str(value), *phrases]


def _allowed(kind: Kind, currency: str | None, allowed: Collection[Any]) -> tuple[list[Any], set[Any]]:
    """What may be mentioned freely: typed values, and the mentions of texts."""
    values: list[Any] = []
    quoted: set[Any] = set()
    for item in allowed:
        value = _maybe(kind, item)
        if value is not None:
            values.append(value)
        elif isinstance(item, str):
            quoted.update(_essence(kind, mention.value) for mention in find(kind, plain(item), currency))
    return values, quoted


def _essence(kind: Kind, value: Any) -> Any:
    """A mention's value as others are counted: a date without its year, a time without its half of the day."""
    if kind == "date":
        return value[1:]
    return value % 720 if kind == "time" else value


def _maybe(kind: Kind, value: Any) -> Any:
    """The value in its kind's form, or None where it is not of that kind."""
    try:
        return normalised(kind, value)
    except ValueError:
        return None
