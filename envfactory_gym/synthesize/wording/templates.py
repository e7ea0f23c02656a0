"""Templates of language.yaml for tools: which one fits a wish, and what it is when its gaps are filled.

`cancel {reservation}[, {reason}]`: a gap names an argument, with or without its `_id`; what stands
in brackets is said only if its gaps can be filled; `{bags} checked bag(s)` agrees with the number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from ...environment import Language, Tool

Mood = Literal["imperative", "question", "statement"]
"""What a template is: `cancel {x}` is asked for, `how much is {x}` is asked, `I need {x}` is said."""

_GAP = re.compile(r"\{(\w+)\}")
_OPTION = re.compile(r"\[([^\[\]]*)\]")
_SAME = re.compile(r"the same (\w+) as ")
_SINGLE = re.compile(r"\b(?:one|1|an?|another)\b", re.IGNORECASE)
_QUESTION = re.compile(
    r"(?:what|which|who|whose|when|where|why|how|do|does|did|is|are|was|were|can|could|have|has|had|will|would|may|"
    r"at what|on what|on which|in which|until when|since when|by when|from when|to which|for how|by how)\b",
    re.IGNORECASE,
)
_STATEMENT = re.compile(
    r"(?:I|I'm|I've|I'd|we|we're|we'd|my|our|there|it|it's|the|this|that|you|for|from|instead|some|someone|nobody)\b"
)


@dataclass(frozen=True)
class Filled:
    """A template with its gaps filled.

    Attributes:
        text: The words, without capital or stop of their own.
        mood: What it is.
        said: Arguments that it says.
    """

    text: str
    mood: Mood
    said: frozenset[str]


def templates_of(language: Language, tool: Tool) -> tuple[str, ...]:
    """The templates of a tool; in a bundle of environments language.yaml is keyed by its prefixed name."""
    return language.tools.get(tool.name, ()) or language.tools.get(tool.name.removeprefix(tool.prefix), ())


def mood_of(text: str) -> Mood:
    """What a template is, from its first words."""
    if _QUESTION.match(text):
        return "question"
    return "statement" if _STATEMENT.match(text) or text.startswith("{") else "imperative"


@lru_cache(maxsize=2048)
def gaps(template: str) -> tuple[str, ...]:
    """The gaps that have to be filled, those in brackets left out."""
    return tuple(_GAP.findall(_OPTION.sub("", template)))


@lru_cache(maxsize=2048)
def argument_of(gap: str, arguments: tuple[str, ...]) -> str | None:
    """The argument that a gap names: `reservation` is `reservation_id` where nothing is called `reservation`."""
    return next((name for name in (gap, f"{gap}_id", f"{gap}_ids", f"{gap}_code") if name in arguments), None)


def fill(template: str, words: Mapping[str, str], say: Callable[[str], str | None]) -> Filled | None:
    """Fill a template; None where a gap outside brackets has no words.

    Args:
        template: Of language.yaml.
        words: What can be said, by argument; what stands in brackets is said only if it is here.
        say: The words for an argument, those for "it" too; None where there are none.
    """
    said: set[str] = set()
    missing = False
    for gap in _GAP.findall(template):
        same = _SAME.match(words.get(argument_of(gap, tuple(words)) or "", ""))
        if same:  # "on the {fare} fare" with "the same fare as my trip" has its article and noun already
            template = re.sub(rf"(?:(?:the|a|an) )?\{{{gap}\}}(?: {same[1]}\b)?", f"{{{gap}}}", template)

    def value(match: re.Match[str]) -> str:
        nonlocal missing
        argument = argument_of(match[1], tuple(words))
        spoken = words[argument] if argument is not None else say(match[1])
        if spoken is None:
            missing = True
            return ""
        said.add(argument or match[1])
        return spoken

    def option(match: re.Match[str]) -> str:
        inside = _GAP.findall(match[1])
        return match[1] if all(argument_of(gap, tuple(words)) for gap in inside) else ""

    text = _agreeing(_GAP.sub(value, _OPTION.sub(option, template)))
    return None if missing else Filled(" ".join(text.split()), mood_of(template), frozenset(said))


def _agreeing(text: str) -> str:
    """With every `(s)` resolved: nothing after "one" or "1", else an s."""

    def ending(match: re.Match[str]) -> str:
        return match[1] + ("" if _SINGLE.search(match[1]) else "s")

    return re.sub(r"((?:\S+ ){0,3}\S+)\(s\)", ending, text)


def fitting(templates: Sequence[str], words: Mapping[str, str], say: Callable[[str], str | None]) -> list[Filled]:
    """The templates that can be filled and say most, in their own order."""
    filled = [one for template in templates if (one := fill(template, words, say)) is not None]
    most = max((len(one.said) for one in filled), default=0)
    return [one for one in filled if len(one.said) == most]


def cut(template: str, clauses: Iterable[str]) -> str:
    """A template without a trailing clause: `cancel {reservation}, {reason}` → `cancel {reservation}`."""
    for name in clauses:
        gap = r"\{" + re.escape(name) + r"\}"
        template = re.sub(rf"\s*[,:;-]\s*{gap}\s*$|\s*\[[^\[\]]*{gap}[^\[\]]*\]|,? because {gap}\s*$", "", template)
    return template
