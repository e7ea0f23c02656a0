"""A turn's request in words: its wishes, asked for by a person in that person's way of writing.

Every literal span of the wishes stands in the text; where a style types in lower case or a
sentence would begin with such a span, the span wins.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from ...environment import Language, Tool
from ...environment.columns import Schema
from ..referring import noun_of
from ..referring.inflect import plural, singular
from ..referring.said import is_clause
from .asking import asked
from .derived import derived, detail, verb_and_noun
from .person import Person
from .templates import Filled, cut, fill, fitting, templates_of
from .text import capital, listed, outside, question, sentence, tidy
from .wish import Ask, Wish, Worded

T = TypeVar("T")

_NO_START = re.compile(r"^(?:because|cause|it is because|reason|the reason)\b", re.IGNORECASE)
_FOLLOWS = re.compile(
    r"^(?:and by the way, |and if I may ask, |and, uh, |oh, and |ooh, and |I should also |I also |also |and |so )",
    re.IGNORECASE,
)
_SELF = re.compile(r"(?:I|I'[a-z]+)\b")
_SLIPS = ("{wrong}, no wait, {right}", "{wrong}, sorry, I mean {right}", "{wrong}, no, make that {right}")
_ONLY_IF = ("but only if {clause}", "but please only if {clause}")
_FAILING = ("If that is not possible,", "If that doesn't work,", "Failing that,", "Otherwise,")
_MY = re.compile(r"^My (?P<thing>[a-z' -]+) is \{value\}\.$")
_IDENTITIES = (
    "My {thing} is {value}.", "My {thing} is {value}, if you need it.", "That's {thing} {value}.",
    "You'll find me under {thing} {value}.", "For your files: {thing} {value}.",
)  # fmt: skip


@dataclass(frozen=True)
class Speech:
    """What requests are worded with in one environment.

    Attributes:
        language: Phrases, nouns and questions.
        tools: By name.
        schema: For nouns that language.yaml does not give.
    """

    language: Language
    tools: Mapping[str, Tool]
    schema: Schema

    def noun(self, table: str) -> str:
        """What people call a row of a table."""
        return noun_of(table, table, self.language, self.schema).one[0]


def request(wishes: Sequence[Wish], *, speech: Speech, person: Person, random: Random, turn: int = 0) -> Worded:
    """Put a turn's wishes into words.

    Args:
        wishes: What the turn wants, in order.
        speech: The environment's words.
        person: Who writes.
        random: Draws.
        turn: The turn's number; a later one greets nobody.
    """
    return Worded(_Writer(wishes, speech, person, random, turn).text(), person.style.name, person.persona)


class _Writer:
    """Writes one request."""

    def __init__(self, wishes: Sequence[Wish], speech: Speech, person: Person, random: Random, turn: int) -> None:
        self._wishes, self._speech, self._person, self._random, self._turn = wishes, speech, person, random, turn
        self._style = person.style
        self._used: set[str] = set()
        self._literal = tuple(dict.fromkeys(span for wish in wishes for span in wish.literal))

    def text(self) -> str:
        """The whole request."""
        style = self._style
        opener = self._drawn(style.again if self._turn else style.openers)
        flows = bool(opener) and opener[-1] not in ".!?"
        parts: list[str] = []
        told = self._identity()
        chatter = self._random.random() < (style.tell if not self._turn else style.tell / 3)
        early = self._random.random() < 0.5
        if not flows:
            if chatter and self._random.random() < 0.6:
                parts.append(self._drawn(style.chatter))
                chatter = False
            if told and early:
                parts += told
                told = []
        body = self._body()
        parts += [sentence(body[0], self._literal) if parts or not opener or not flows else body[0], *body[1:]]
        if chatter:
            parts.append(self._drawn(style.chatter))
        parts += told
        closer = self._drawn(style.closers) if self._random.random() < (0.6 if self._turn == 0 else 0.25) else ""
        text = " ".join(part for part in (opener, *parts, closer) if part)
        text = self._complete(tidy(text, self._literal), closer)
        if style.lower:
            text = outside(text, self._literal, str.lower)
        if style.light and text.endswith("."):
            text = text[:-1]
        return text

    def _complete(self, text: str, closer: str) -> str:
        """The text with whatever no template said; that nothing is lost comes before beauty."""
        missing = [span for span in self._literal if span not in text]
        if not missing:
            return text
        body = text.removesuffix(closer).rstrip() if closer else text
        return f"{body} I am talking about {listed(missing)}. {closer}".strip()

    # ------------------------------------------------------------ who writes

    def _drawn(self, options: Sequence[str]) -> str:
        """One of the style's sentences; one without a name where there is no name."""
        named = [words for option in options if (words := self._person.named(option)) is not None]
        return self._one(named) if named else ""

    def _identity(self) -> list[str]:
        """The slots that the request tells, as sentences."""
        told = [item for wish in self._wishes for item in wish.told.items()]
        found = []
        for slot, value in dict(told).items():
            say = self._speech.language.slots[slot].say if slot in self._speech.language.slots else "{value}."
            if match := _MY.match(say):
                say = self._one(_IDENTITIES).replace("{thing}", match["thing"])
            found.append(capital(say.replace("{value}", value)))
        return found

    # ------------------------------------------------------------ what is wanted

    def _body(self) -> list[str]:
        """Sentences for all wishes; only the first lacks its capital, since it may follow an opener."""
        found: list[str] = []
        for number, wish in enumerate(self._wishes):
            sentences = self._wished(wish)
            if number:
                link = self._drawn([one for one in self._style.links if one not in self._used] or self._style.links)
                self._used.add(link)
                if link:
                    rest = _FOLLOWS.sub("", sentences[0])
                    sentences[0] = f"{link} {rest[:1].lower() + rest[1:] if not _SELF.match(rest) else rest}"
            found += sentences if not found else [sentence(sentences[0], self._literal), *sentences[1:]]
        return found

    def _wished(self, wish: Wish) -> list[str]:
        """One wish, with its reason, its conditions and what is asked along with it."""
        if wish.kind == "question" and wish.asks:
            return self._questions(wish)
        filled, whys = self._said(wish)
        body = self._asked_for(filled, wish)
        sentences = [body]
        if wish.otherwise is not None:
            second, more = self._said(wish.otherwise)
            whys += more
            sentences.append(self._capitalised(f"{self._one(_FAILING)} {self._asked_for(second, wish.otherwise)}"))
        sentences = self._with_reasons(sentences, whys)
        for ask in wish.asks:
            self._ask_along(sentences, ask, wish)
        return sentences

    def _with_reasons(self, sentences: list[str], whys: Sequence[str]) -> list[str]:
        for why in whys:
            frames = self._style.whys
            before = self._random.random() < 0.4
            if before:
                frames = tuple(frame for frame in frames if not _NO_START.match(frame)) or frames
            told = self._fresh(frames).replace("{why}", why)
            if before and not _NO_START.match(told):
                lowered = told[:1].lower() + told[1:] if not re.match(r"I\b|I'm", told) else told
                sentences = [lowered, self._capitalised(sentences[0]), *sentences[1:]]
            else:
                sentences = [*sentences[:1], self._capitalised(told), *sentences[1:]]
        return sentences

    def _capitalised(self, text: str) -> str:
        return sentence(text, self._literal)

    # ------------------------------------------------------------ actions

    def _said(self, wish: Wish) -> tuple[Filled, list[str]]:
        """The wish in a template's words, and clauses that say why."""
        tool = self._speech.tools[wish.tool]
        words = dict(wish.words)
        whys = [wish.reason] if wish.reason else []
        templates = templates_of(self._speech.language, tool)
        rows = {**self._rows(tool), **wish.rows}
        clauses = {name: text for name, text in words.items() if name not in rows and is_clause(text)}
        chosen: Filled | None = None
        if templates:
            chosen = self._from_templates(templates, words, clauses, wish)
        if chosen is None:
            told = {name: text for name, text in words.items() if name not in clauses}
            rows = {name: table for name, table in rows.items() if name in told or name in wish.again}
            chosen = derived(tool, told, rows, wish.again, self._pronoun(wish, tool), self._random)
        whys += [text for name, text in clauses.items() if text not in chosen.text]
        left = {name: text for name, text in words.items() if text not in chosen.text and name not in clauses}
        if left:
            _, noun = verb_and_noun(tool)
            text = chosen.text + "".join(f" {detail(name, said, noun)}" for name, said in left.items())
            chosen = Filled(text, chosen.mood, chosen.said | left.keys())
        for name, wrong in wish.instead_of.items():
            right = words.get(name, "")
            if right and wrong not in chosen.text and not is_clause(right):  # nobody takes a reason back
                slip = self._one(_SLIPS).replace("{wrong}", wrong).replace("{right}", right)
                chosen = Filled(chosen.text.replace(right, slip, 1), chosen.mood, chosen.said)
        return chosen, whys

    def _from_templates(
        self, templates: Sequence[str], words: Mapping[str, str], clauses: Mapping[str, str], wish: Wish
    ) -> Filled | None:
        """A template that says most; a clause that trails it is left for a sentence of its own now and then."""
        tool = self._speech.tools[wish.tool]
        names = tuple(parameter.name for parameter in tool.parameters)

        def say(gap: str) -> str | None:
            name = next((name for name in (gap, f"{gap}_id") if name in names), gap)
            return self._pronoun(wish, tool, name) if name in wish.again else None

        options = list(templates)
        if clauses:
            if self._random.random() < 0.85:
                trimmed = [new for old in templates if (new := cut(old, clauses)) != old]
                words = {name: text for name, text in words.items() if name not in clauses} if trimmed else words
            else:  # a clause after a mere comma reads badly within "could you ...?"
                trimmed = [one for one in templates if not re.search(r", \{\w+\}$", one)]
            options = trimmed or options
        if wish.again:
            # "Delete the comment" leaves open which one: what was spoken of before has to be pointed at.
            gaps = [f"{{{name.removesuffix('_id')}" for name in wish.again]
            options = [one for one in options if any(gap in one for gap in gaps)]
        found = fitting(options, words, say)
        if not found:
            return None
        chosen = self._one(found)
        if not chosen.said and any(name not in clauses for name in words):
            return None  # words made from the tool's name say more than a template without gaps
        return chosen

    def _asked_for(self, filled: Filled, wish: Wish) -> str:
        text = filled.text
        condition = f", {self._one(_ONLY_IF).replace('{clause}', wish.condition)}" if wish.condition else ""
        if filled.mood == "question":
            return question(text, self._literal)[:1].lower() + question(text, self._literal)[1:] if not condition else (
                text.rstrip("?") + condition + "?"
            )  # fmt: skip
        if filled.mood == "statement" or re.search(r"[.?!] [A-Z]", text):
            return text.rstrip(".") + condition + "."
        frames = self._style.frames
        if re.search(r"\bfor me\b", text):
            frames = tuple(frame for frame in frames if "for me" not in frame) or frames
        if ":" in text or condition:
            frames = tuple(frame for frame in frames if frame.rstrip(".!?").endswith("{do}")) or frames
        frame = self._fresh(frames)
        return frame.replace("{do}", text.rstrip(".") + condition)

    def _pronoun(self, wish: Wish, tool: Tool, argument: str | None = None) -> str:
        """What a row spoken of before is called: "it", "that trip"."""
        name = argument or (wish.again[0] if wish.again else None)
        table = {**self._rows(tool), **wish.rows}.get(name or "", "")
        if not table or (wish.it and len(wish.again) < 2 and not wish.words and self._random.random() < 0.45):
            return "it"
        return f"{self._one(('that', 'that', 'the same'))} {self._speech.noun(table)}"

    @staticmethod
    def _rows(tool: Tool) -> dict[str, str]:
        return {one.name: one.ref.partition(".")[0] for one in tool.parameters if one.ref and "." in one.ref}

    # ------------------------------------------------------------ questions

    def _ask_along(self, sentences: list[str], ask: Ask, wish: Wish) -> None:
        """Add what is asked about an action's result: as a part of its sentence now and then."""
        words = self._question(ask, wish)
        if len(sentences) == 1 and sentences[0].endswith("?") and self._random.random() < 0.4:
            sentences[0] = f"{sentences[0][:-1]}, and {words}?"
        else:
            sentences.append(self._wondered(words))

    def _questions(self, wish: Wish) -> list[str]:
        """A wish that only asks."""
        tool = self._speech.tools[wish.tool]
        asks = [self._question(ask, wish) for ask in wish.asks]
        joined = " ".join(asks)
        rows = {**self._rows(tool), **wish.rows}
        clauses = [
            text for name, text in wish.words.items() if name not in rows and is_clause(text) and text not in joined
        ]
        left = {
            name: text
            for name, text in {**wish.words, **wish.look_up}.items()
            if text not in joined and text not in clauses
        }
        sentences: list[str] = []
        if left:
            sentences.append(self._about(tool, left))
        first = len(sentences)
        for number, words in enumerate(asks):
            wondered = self._wondered(words, plain=number > 0, first=number == 0)
            sentences.append(wondered if sentences else wondered[:1].lower() + wondered[1:])
        if first == 0 and sentences[0][:2] in ("i ", "i'"):
            sentences[0] = capital(sentences[0])
        if wish.reason:
            clauses.append(wish.reason)
        return self._with_reasons(sentences, clauses)

    def _about(self, tool: Tool, words: Mapping[str, str]) -> str:
        """A sentence that says what a question is about, where neither row nor phrase does."""
        templates = templates_of(self._speech.language, tool)
        found = [one for one in (fill(template, words, lambda _: None) for template in templates) if one is not None]
        whole = [one for one in found if one.mood == "statement" and all(text in one.text for text in words.values())]
        if whole:
            return self._one(whole).text.rstrip(".") + "."
        _, noun = verb_and_noun(tool)
        rest = " ".join(detail(name, text, noun) for name, text in words.items())
        opening = self._one(("I'm looking at", "it's about", "I have a question about", "I'm interested in"))
        return f"{opening} the {plural(singular(noun)) if noun else 'entries'} {rest}."

    def _question(self, ask: Ask, wish: Wish) -> str:
        tool = self._speech.tools[wish.tool]
        return asked(ask, tool, self._speech.language, self._pronoun(wish, tool), self._random)

    def _wondered(self, words: str, *, plain: bool = False, first: bool = False) -> str:
        frames = self._style.wonder
        if first:  # nothing was said yet that "and" could follow
            frames = tuple(frame for frame in frames if not _FOLLOWS.match(frame)) or ("{ask}?",)
        frame = "{ask}?" if plain else self._fresh(frames)
        return sentence(frame.replace("{ask}", words), self._literal)

    def _fresh(self, options: Sequence[str]) -> str:
        """One that this request has not used yet, where there is one left."""
        chosen = self._one([option for option in options if option not in self._used] or options)
        self._used.add(chosen)
        return chosen

    def _one(self, options: Sequence[T]) -> T:
        return options[int(self._random.random() * len(options))]


__all__ = ["Speech", "request"]
