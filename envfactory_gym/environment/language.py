"""`language.yaml` and `policy.md`: how people talk about an environment, and the agent's rules."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from .errors import PackageError
from .files import read_text


class SlotWording(BaseModel):
    """How a user tells a value (`say`, with `{value}`) and how one asks for it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    say: str
    asked: tuple[str, ...] = ()


class Noun(BaseModel):
    """How people name a row of a table: a noun, and what may stand around it (`~` stands for the noun).

    Attributes:
        one: Names of one row, the usual one first: `trip`, `booking`.
        many: The same names for several rows.
        mine: Whether a row belongs to the user who asks, so that it is "my trip" and not "the trip".
        says: Column → ways to describe a row by its value: `~ to {value}`, `{value} ~`, `~ on {value}`.
        extremes: Column → words for the row with the least and with the greatest value:
            `[cheapest ~, most expensive ~]`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    one: tuple[str, ...] = Field(min_length=1)
    many: tuple[str, ...] = Field(min_length=1)
    mine: bool = False
    says: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    extremes: dict[str, tuple[str, str]] = Field(default_factory=dict)


class Language(BaseModel):
    """The content of `language.yaml`.

    Attributes:
        slots: What a user may know, by name.
        phrases: Phrase table → value → ways people say it.
        tools: Tool → ways people ask for it, with `{argument}` placeholders; for a user tool, ways one is told
            to use it.
        reports: User tool → what the user says after using it, with `{key}` placeholders of its result.
        rows: Table → ways people refer to one of its rows, with `{column}` placeholders.
        nouns: Table or view → how people name its rows; referring expressions are composed from it.
        asks: `table.column` → ways to ask for it, with `{row}` for the row: `how much did I pay for {row}`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    slots: dict[str, SlotWording] = Field(default_factory=dict)
    phrases: dict[str, dict[str, tuple[str, ...]]] = Field(default_factory=dict)
    tools: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    reports: dict[str, str] = Field(default_factory=dict)
    rows: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    nouns: dict[str, Noun] = Field(default_factory=dict)
    asks: dict[str, tuple[str, ...]] = Field(default_factory=dict)

    def value_of(self, table: str, words: str) -> str | None:
        """The value that some words name in a phrase table; the longest phrase found wins."""
        spoken = " ".join(words.casefold().split())
        hits = [
            (len(phrase), value)
            for value, phrases in self.phrases.get(table, {}).items()
            for phrase in (*phrases, value, value.replace("_", " "))
            if phrase.casefold() in spoken and re.search(rf"(?<!\w){re.escape(phrase.casefold())}(?!\w)", spoken)
        ]
        return max(hits)[1] if hits else None


@dataclass(frozen=True)
class Policy:
    """The rules the agent has to follow: the whole text, and each rule by its id."""

    text: str
    rules: dict[str, str]


_RULE = re.compile(r"^\s*[-*]\s+\[([a-z0-9][a-z0-9-]*)\]\s+(.*)$")


def read_policy(path: Path) -> Policy:
    """Read `policy.md`, whose rules are list items such as `- [cancel-window] Within 24 hours ...`."""
    rules: dict[str, str] = {}
    current = None
    text = read_text(path)
    for number, line in enumerate(text.split("\n"), start=1):
        if match := _RULE.match(line):
            current = match.group(1)
            if current in rules:
                raise PackageError(f"the rule id {current!r} stands twice", file=path, line=number, remedy="rename one")
            rules[current] = match.group(2).strip()
        elif current and line.startswith((" ", "\t")) and line.strip() and not re.match(r"^\s*[-*#]", line):
            rules[current] += " " + line.strip()
        else:
            current = None
    return Policy(text.strip() + "\n", rules)
