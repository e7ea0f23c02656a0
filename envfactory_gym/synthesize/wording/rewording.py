"""Rewording by a model: another sentence for the same request, or the script's own where the checks fail.

A model is any callable from chat messages to text. What it writes counts only if it keeps every
literal span and adds nothing that a solver could take for a fact: no number, date, amount, name or
code, and no name that only code has.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from ...episode.calendar_words import MONTHS
from .quality import problems

Message = dict[str, str]
Complete = Callable[[list[Message]], str]
"""Chat messages → what the model says."""

_TOKEN = re.compile(r"[^\s.,;:!?()\"\u201c\u201d]+")
_NUMBER_WORD = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|"
    r"eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|dozen|half|"
    r"twice|double|both|second|third|fourth|fifth|first|last|next|none)\b",
    re.IGNORECASE,
)
_DAY_WORD = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|mon|tues|wednes|thurs|fri|satur|sun)(?:day)?s?\b|\b(?:"
    + "|".join(month for month in MONTHS if month not in ("May", "March"))
    + r"|(?-i:May|March))\b|\b(?:week|month|year|noon|midnight|morning|afternoon|evening)s?\b",
    re.IGNORECASE,
)
_CAPITALISED = re.compile(r"(?<![.?!:] )(?<!^)(?<![\n\"\u201c])\b[A-Z][\w'\u2019-]*")
_FILLER = frozenset({"I", "I'm", "I've", "I'd", "I'll", "OK", "Hi", "Hello", "Thanks", "English"})
_CHATTY_MODEL = re.compile(r"^(?:sure|certainly|of course|here(?:'s| is| are))\b.*?:\s*", re.IGNORECASE | re.DOTALL)


@dataclass
class Rewording:
    """Rewords requests with a model, and counts what came of it.

    Attributes:
        complete: The model.
        names: Names of tools, tables and columns, which may not leak.
        outcomes: `reworded`, or why the script's sentence stayed → how often.
    """

    complete: Complete
    names: Collection[str] = ()
    outcomes: Counter[str] = field(default_factory=Counter)

    def __call__(self, text: str, literal: Sequence[str], persona: str = "") -> str:
        """Another wording of a request; the request itself where the model's does not pass.

        Args:
            text: The script's request.
            literal: Spans that have to stand in it letter for letter.
            persona: Who writes, in a sentence.
        """
        said = _CHATTY_MODEL.sub("", self.complete(messages(text, literal, persona)).strip(), count=1)
        said = " ".join(said.strip('"\u201c\u201d').split())
        reason = objection(said, text, literal, self.names)
        self.outcomes["reworded" if reason is None else reason] += 1
        return said if reason is None else text


def messages(text: str, literal: Sequence[str], persona: str = "") -> list[Message]:
    """What the model is told."""
    spans = "\n".join(f"- {span}" for span in literal)
    rules = (
        "Reword the customer's message below as another person might have written it. Keep its meaning, everything "
        "it asks for, and the order of its requests. Add no fact: no number, date, amount, name or code that is not "
        "there. Answer with the message alone."
    )
    if spans:
        rules += f"\nThese parts must stand in it letter for letter:\n{spans}"
    if persona:
        rules += f"\nThe person who writes: {persona}"
    return [{"role": "system", "content": rules}, {"role": "user", "content": text}]


def objection(said: str, text: str, literal: Sequence[str], names: Collection[str] = ()) -> str | None:
    """Why a rewording is not accepted; None where it is.

    Args:
        said: The rewording.
        text: The script's request.
        literal: Spans that have to stand letter for letter, as often as before.
        names: Names of tools, tables and columns.
    """
    if not said or len(said.split()) < 2:
        return "nothing was said"
    if len(said) > 2 * len(text) + 80:
        return "it is too long"
    if any(said.count(span) < min(text.count(span), 1) for span in literal):
        return "a literal span is missing"
    known = text.casefold()
    if any(token.casefold() not in known for token in _TOKEN.findall(said) if re.search(r"\d", token)):
        return "a number was added"
    for pattern, reason in ((_NUMBER_WORD, "a number was added"), (_DAY_WORD, "a day was added")):
        if any(not re.search(rf"\b{re.escape(word.casefold())}\b", known) for word in pattern.findall(said)):
            return reason
    if re.search(r"[$€£¥]|\b(?:USD|EUR|GBP|dollars?|euros?|pounds?)\b", said) and not re.search(
        r"[$€£¥]|\b(?:USD|EUR|GBP|dollars?|euros?|pounds?)\b", text
    ):
        return "an amount was added"
    for word in _CAPITALISED.findall(said):
        if word.casefold() not in known and word not in _FILLER:
            return "a name was added"
    if text.count("?") and "?" not in said and not re.search(r"\b(?:tell|let) me\b|\bwonder", said, re.IGNORECASE):
        return "a question was lost"
    found = [one for one in problems(said, literal, names, lower=True) if "span" not in one]
    if any("the name" in one for one in found):
        return "a name of the code stands in it"
    return "it is badly written" if found else None
