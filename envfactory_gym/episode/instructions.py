"""Instructions: the agent tells the user, in words, to use one of the user's own tools.

At most one instruction is followed per message. What is to be done is read from the words alone:
the phrases of language.yaml name the tool, and its arguments are typed values in the same sentence
or slots that the user knows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..environment import Package, Parameter, Tool
from . import values

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_DENIED = re.compile(r"\b(?:do not|don't|never|no need to|cannot|can't|without)\b", re.IGNORECASE)
_ON = re.compile(r"\b(?:on|enable|activate|yes|allow)\b", re.IGNORECASE)
_OFF = re.compile(r"\b(?:off|disable|deactivate|no|forbid)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Instruction:
    """What the user is told to do. `missing` names an argument that the words do not give."""

    tool: Tool
    arguments: dict[str, Any]
    missing: str | None = None


def read_instruction(text: str, package: Package, slots: Mapping[str, Any], now: str) -> Instruction | None:
    """The first instruction in an agent message; None where there is none.

    Args:
        text: The message.
        package: Whose user tools and phrases count.
        slots: What the user knows, by name: an argument of that name may be left unsaid.
        now: The time, for spoken dates.
    """
    for sentence in _SENTENCE.split(text):
        for tool in package.tools.values():
            if tool.actor == "user" and _names(sentence, package.language.tools.get(tool.name, ())):
                known = {name.removeprefix(tool.prefix): value for name, value in slots.items()}
                return _filled(tool, sentence, package, known, now)
    return None


def _names(sentence: str, phrases: tuple[str, ...]) -> bool:
    """Whether a sentence tells one to do what a phrase says, and does not deny it."""
    for phrase in phrases:
        pattern = ".{1,60}?".join(re.escape(part) for part in re.split(r"\{\w+\}", phrase))
        match = re.search(rf"(?<!\w){pattern}(?!\w)", sentence, re.IGNORECASE)
        if match and not _DENIED.search(sentence[: match.start()]):
            return True
    return False


def _filled(tool: Tool, sentence: str, package: Package, slots: Mapping[str, Any], now: str) -> Instruction:
    arguments = {}
    for parameter in tool.parameters:
        phrases = tool.prefix + parameter.name
        value = _value(parameter, phrases, sentence, package, slots, now)
        if value is not None:
            arguments[parameter.name] = value
        elif parameter.required:
            return Instruction(tool, arguments, missing=parameter.name)
    return Instruction(tool, arguments)


def _value(
    parameter: Parameter, phrases: str, sentence: str, package: Package, slots: Mapping[str, Any], now: str
) -> Any:
    """What the words give an argument; `phrases` names the phrase table of its choices."""
    options = [parameter.schema, *parameter.schema.get("anyOf", ())]
    choices = next((option["enum"] for option in options if "enum" in option), None)
    if choices is not None:
        spoken = package.language.value_of(phrases, sentence)
        return spoken or next((one for one in choices if values.find_words([str(one)], values.folded(sentence))), None)
    kinds = {option.get("type") for option in options}
    formats = {option.get("format") for option in options}
    if "boolean" in kinds:
        return True if _ON.search(sentence) else False if _OFF.search(sentence) else None
    if kinds & {"integer", "number"}:
        found = values.parse("number", sentence, now=now)
        return found if found is not None else slots.get(parameter.name)
    if "date" in formats and (day := values.parse("date", sentence, now=now)) is not None:
        return day
    patterns = [option["pattern"].strip("^$") for option in options if "pattern" in option]
    for pattern in patterns:
        if match := re.search(rf"(?<!\w)(?:{pattern})(?!\w)", sentence):
            return match.group(0)
    if parameter.name in slots:
        return slots[parameter.name]
    quoted = re.search(r"[\"\u201c']([^\"\u201d']{1,200})[\"\u201d']", sentence)
    return quoted.group(1) if quoted else None
