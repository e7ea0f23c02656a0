"""The scripted user: tells slots when asked, affirms or corrects a confirmation, ends the turn else.

The user knows its own wishes and slots. It sees neither the state nor gold, so talking to it can
never tell an agent whether it is right (docs/proofs.md, "Turns").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..environment import Language, Package, Slot, TaskPrivate
from ..environment.task import AnswerKind, Derived, Said, Source
from .answers import Wanted, grade_answers
from .classify import Move
from .gold import knowledge
from .sources import SourceError, evaluate, user_knows
from .values import folded

DONT_KNOW = "I'm afraid I don't know that."
YES = "Yes, that's right. Please go ahead."
DETAILS_FIRST = "Please tell me exactly what you would do first."

_KINDS: dict[str, AnswerKind] = {"number": "number", "money": "money", "date": "date", "time": "time"}


class Reply(NamedTuple):
    """What a user said to an agent message without calls, where a model speaks for the user.

    Attributes:
        text: The words.
        affirms: Whether they approve of what the agent said it would do.
    """

    text: str
    affirms: bool = False


@dataclass(frozen=True)
class Fact:
    """Something the user wants, as far as the user can check it: a typed value and its own words."""

    wanted: Wanted
    words: str


class ScriptedUser:
    """The user of one task."""

    def __init__(self, package: Package, task: TaskPrivate) -> None:
        self._package, self._task = package, task
        self._slots = {slot.name: slot for slot in task.user.slots}
        self.askable = _askable(package.language, self._slots)

    def reply(self, move: Move, text: str, turn: int) -> str | None:
        """What the user says to an agent message without calls; None where the turn ends."""
        if move.kind == "asks":
            return " ".join(dict.fromkeys(self._tell(name) for name in move.slots)) or DONT_KNOW
        if move.kind == "asks_confirmation":
            return self._confirm(text, turn)
        return None

    def report(self, tool: str, result: dict[str, Any]) -> str:
        """What the user says after using one of its own tools."""
        template = self._package.language.reports.get(tool)
        if template is not None:
            return template.format_map(result)
        seen = ", ".join(f"{key.replace('_', ' ')}: {value}" for key, value in result.items())
        return f"Done. I see {seen}." if seen else "Done."

    def _tell(self, name: str) -> str:
        slot = self._slots.get(name)
        return slot.say.format(value=slot.value) if slot else DONT_KNOW

    def _confirm(self, text: str, turn: int) -> str:
        """Affirm, unless what is named conflicts with the wish, or nothing is named at all."""
        facts = self._facts(turn)
        by_kind: dict[AnswerKind, list[Fact]] = {}
        for fact in facts:
            by_kind.setdefault(fact.wanted.kind, []).append(fact)
        corrections = [fact.words for group in by_kind.values() if _conflict(group, text) for fact in group]
        if corrections:
            return "No, that's not what I want. I meant: " + "; ".join(dict.fromkeys(corrections)) + "."
        if facts and not _names_something(text):
            return DETAILS_FIRST
        return YES

    def _facts(self, turn: int) -> list[Fact]:
        """Everything in this turn's goal that rests on the user's own words and slots."""
        task = self._task
        now = task.setup.now or self._package.manifest.clock
        known = knowledge(self._package, task, turn, now, {})
        facts = []
        for call in task.turns[turn].goal.calls:
            for source in call.arguments.values():
                for own in _own_parts(source):
                    if own is not source and isinstance(own, Derived) and own.op in ("number", "money"):
                        continue  # part of a calculation: what is confirmed is its result
                    # Certification proves that every source has a value; without one there is nothing to defend.
                    with suppress(SourceError):
                        value = evaluate(own, known)
                        facts.append(Fact(_wanted(own, value, self._package.language.phrases), _words(own, task)))
        return facts


def _askable(language: Language, known: Mapping[str, Slot]) -> dict[str, Sequence[str]]:
    """Slot → phrases by which it is asked for.

    Environments that meet may ask for different slots in the same words; those words then mean
    what the user knows, all of it.
    """
    found: dict[str, Sequence[str]] = {name: wording.asked for name, wording in language.slots.items()}
    found |= {name: slot.asked for name, slot in known.items() if slot.asked}
    own = {folded(phrase) for name in known for phrase in found.get(name, ())}
    for name in [name for name in found if name not in known]:
        unknown = tuple(phrase for phrase in found[name] if folded(phrase) not in own)
        if unknown or not found[name]:
            found[name] = unknown
        else:
            del found[name]
    return found


def _own_parts(source: Source) -> Iterator[Source]:
    """The largest parts of an expression that the user knows by itself."""
    if user_knows(source):
        yield source
    elif isinstance(source, Derived):
        for child in source.sources:
            yield from _own_parts(child)


def _wanted(source: Source, value: Any, tables: Mapping[str, Mapping[str, Sequence[str]]]) -> Wanted:
    """A fact in the form in which answers are recognised, since a confirmation names it as one would tell it."""
    if isinstance(source, Derived) and source.op == "phrase":
        wordings = tables.get(source.options["table"], {})
        return Wanted("", "enum", value, phrases=wordings.get(str(value), ()), others=wordings)
    kind = _KINDS.get(source.op, "name") if isinstance(source, Derived) else "name"
    return Wanted("", kind, value)


def _words(source: Source, task: TaskPrivate) -> str:
    """The user's own words for a value."""
    match source:
        case Said(span=span):
            return span
        case Derived(sources=children) if children:
            return _words(children[0], task)
        case _:
            slot = next((slot for slot in task.user.slots if slot.name == getattr(source, "slot", None)), None)
            return slot.say.format(value=slot.value).rstrip(".") if slot else ""


def _conflict(facts: Sequence[Fact], text: str) -> bool:
    """Whether a text names values of a kind, and none of those the user meant.

    Numbers and amounts stand in a confirmation for many reasons (prices, counts, codes), so they
    conflict only where the text names a single one.
    """
    kind = facts[0].wanted.kind
    if kind == "name":
        return False
    grades = [grade_answers([fact.wanted], text, allowed=(), max_other=0) for fact in facts]
    others = {other for grade in grades for other in grade.others}
    if kind in ("number", "money") and len(others) > 1:
        return False
    return bool(others) and all(grade.missing for grade in grades)


def _names_something(text: str) -> bool:
    """Whether a confirmation names anything particular: a number, a code, a proper name."""
    words = re.findall(r"[\w-]+", text)
    return any(
        any(letter.isdigit() for letter in word) or (position > 0 and word[0].isupper() and len(word) > 1)
        for position, word in enumerate(words)
    )
