"""What an agent's message without calls asks of the user, from its words alone.

A scripted user answers three moves (asks, asks for confirmation, instructs) and lets the turn end
at the others. Deciding from gold or state would make the user a grading oracle, so this reads the
text and nothing else. Its accuracy on a labelled phrase bank is measured by `phrase_bank`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from . import move_patterns as patterns
from .prose import plain
from .values import folded

MoveKind = Literal["asks", "asks_confirmation", "declines", "other"]


@dataclass(frozen=True)
class Move:
    """What a message does.

    Attributes:
        kind: `asks` for something the user knows · `asks_confirmation` before acting · `declines` the
            request · `other`: tells something, or takes leave.
        slots: For `asks`, the slots asked for, in order; empty where the user has no such slot.
        rule: For `declines`, the policy rule that the words name or resemble most, if any.
    """

    kind: MoveKind
    slots: tuple[str, ...] = ()
    rule: str | None = None


_SENTENCE = re.compile(r"(?<=[.!?])[\"')\]]*\s+|\n\s*\n|;\s+|\s-\s(?=[A-Za-z])")
_GAP = re.compile(r"(?P<intro>:)?(?P<space>\s+)(?P<bullet>(?:[-+>]|\d{1,9}[.)])(?=\s)[^\S\n]*)?")


_SHORT = 5
"""Words of a question that may refer back to what the sentence before it named."""


def classify(text: str, *, slots: Mapping[str, Sequence[str]], rules: Mapping[str, str]) -> Move:
    """What a message does, from its text alone.

    Args:
        text: The agent's message.
        slots: Slot → phrases by which it is asked for ("customer number"); without any, its name is one.
        rules: Policy rule id → its text.
    """
    asked: dict[str, None] = {}
    mentioned: list[str] = []
    confirms = wonders = declined = False
    for sentence in _sentences(text):
        question = sentence.rstrip(" \"')]").endswith("?") or bool(patterns.BARE_QUESTION.search(sentence))
        requests = bool(patterns.REQUEST.search(sentence))
        if patterns.LEAVE.search(sentence):
            continue
        named = _named(sentence, slots)
        confirming = bool(patterns.CONFIRM.search(sentence)) and not (question and patterns.OPEN.search(sentence))
        if named and (requests or question) and not (confirming and not _asks_despite(sentence)):
            asked.update(dict.fromkeys(named))
        elif confirming and not _choice(sentence):
            confirms = True
        elif (question and (requests or patterns.WONDER.search(sentence))) or (
            requests and not patterns.DECLINE.search(sentence)
        ):
            wonders = True
            if mentioned and len(sentence.split()) <= _SHORT:  # "... your date of birth. Could you tell me?"
                asked.update(dict.fromkeys(mentioned))
        elif patterns.DECLINE.search(sentence):
            declined = True
        mentioned = named
    if asked:
        return Move("asks", tuple(asked))
    if confirms:
        return Move("asks_confirmation")
    if wonders:
        return Move("asks")
    if declined:
        return Move("declines", rule=_rule(text, rules))
    return Move("other")


def _sentences(text: str) -> list[str]:
    """The sentences of a message; a list stays with the line that introduces it."""
    joined = _GAP.sub(_joined, plain(text))
    return [part.strip() for part in _SENTENCE.split(joined) if part and part.strip()]


def _joined(gap: re.Match[str]) -> str:
    """What stands for a gap between words: a line that begins an item, or follows a colon, goes on."""
    if "\n" not in gap["space"] or not (gap["intro"] or gap["bullet"]):
        return gap.group()
    return ": " if gap["intro"] else ", "


def _named(sentence: str, slots: Mapping[str, Sequence[str]]) -> list[str]:
    """The slots whose phrases stand in the sentence; of overlapping phrases the longest counts, for all its slots."""
    pattern, owners = _phrases(tuple((name, tuple(phrases)) for name, phrases in slots.items()))
    if pattern is None:
        return []
    matches = pattern.finditer(folded(sentence))
    return list(dict.fromkeys(name for match in matches for name in owners[match.group(1)]))


@lru_cache(maxsize=64)
def _phrases(slots: tuple[tuple[str, tuple[str, ...]], ...]) -> tuple[re.Pattern[str] | None, dict[str, list[str]]]:
    owners: dict[str, list[str]] = {}
    for name, phrases in slots:
        for phrase in phrases or (name,):
            owners.setdefault(folded(phrase), []).append(name)
    owners.pop("", None)
    if not owners:
        return None, owners
    ordered = sorted(owners, key=lambda phrase: (-len(phrase), phrase))
    return re.compile(r"(?<![a-z0-9])(" + "|".join(map(re.escape, ordered)) + r")(?:e?s)?(?![a-z0-9])"), owners


def _asks_despite(sentence: str) -> bool:
    """Whether a sentence that speaks of confirming asks for a fact all the same: "confirm your date of birth"."""
    return bool(patterns.GIVE.search(sentence)) and not patterns.ACT_AFTER_ALL.search(sentence)


def _choice(sentence: str) -> bool:
    """Whether a question offers alternatives, so that "yes" would answer nothing."""
    return bool(
        patterns.OFFERS.search(sentence) and patterns.CHOICE.search(sentence)
    ) and not patterns.NO_CHOICE.search(sentence)


def _rule(text: str, rules: Mapping[str, str]) -> str | None:
    """The rule whose id the text names, else the one that shares most of its rarer words, if two or more."""
    words = plain(text).casefold()
    for rule in sorted(rules, key=lambda name: (-len(name), name)):
        if rule.casefold() in words:
            return rule
    said = _content(words)
    scores = {rule: len(said & _content(wording)) for rule, wording in rules.items()}
    best = max(scores.values(), default=0)
    nearest = [rule for rule, score in scores.items() if score == best]
    return nearest[0] if best >= 2 and len(nearest) == 1 else None


_COMMON = frozenset(["that", "this", "with", "have", "from", "your", "they", "them", "will", "would", "must", "only"])


def _content(text: str) -> set[str]:
    """The longer words of a text, cut to their stems' first letters."""
    return {word[:6] for word in re.findall(r"[a-z]{4,}", text.casefold()) if word not in _COMMON}
