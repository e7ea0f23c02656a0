"""Questions in words: from the `asks` of language.yaml, or from the kind and the name of what is asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from ...environment import Language, Tool
from ..referring.inflect import singular, words_of
from .derived import label_of
from .wish import Ask

_MEANT = {
    "departs": ("when does {row} leave", "at what time does {row} depart"),
    "arrives": ("when does {row} arrive", "at what time does {row} get in"),
    "starts": ("when does {row} start",),
    "begins": ("when does {row} begin",),
    "ends": ("when does {row} end",),
    "expires": ("when does {row} expire",),
    "valid until": ("until when is {row} valid", "how long is {row} good for, until which day"),
    "paid": ("how much did I pay for {row}", "what did {row} cost me"),
    "price": ("how much is {row}", "what does {row} cost"),
    "cost": ("what does {row} cost", "how much is {row}"),
    "total": ("how much is {row} in total", "what is the total of {row}"),
    "refund": ("how much would I get back for {row}",),
}
_WHOLE = {
    "refund": ("how much do I get back", "what comes back to me"),
    "refunded": ("how much was paid back", "how much went back"),
    "charged": ("how much will be charged", "what am I charged for this"),
    "fee": ("how much is the fee", "what fee do I pay for this"),
    "paid": ("how much did that come to", "what did I pay in the end"),
    "price": ("how much is it", "what does it cost"),
    "total": ("how much is it in total", "what is the total"),
}
_DONE = re.compile(r"^(\w+ed|sent|made|bought|sold|given|taken|won|lost|begun|held|built|done)$")


def asked(ask: Ask, tool: Tool, language: Language, pronoun: str, random: Random) -> str:
    """A question without capital and question mark; the row's words stand in it as they are.

    Args:
        ask: What is asked.
        tool: The tool whose result holds the answer; `tool.field` may be a key of `asks` too.
        language: The phrases.
        pronoun: What a row spoken of before is called.
        random: Draws.
    """
    row = ask.row or (pronoun if ask.about in ("again", "told") else None)
    given = _given(ask, tool, language, row)
    options = given or _derived(ask, row)
    chosen = options[int(random.random() * len(options))]
    return chosen.replace("{row}", row or "it").rstrip("?. ")


def _given(ask: Ask, tool: Tool, language: Language, row: str | None) -> list[str]:
    """Phrases of language.yaml that fit: with a row where there is one, without where there is none."""
    if ask.form not in ("value", "which"):
        return []
    names = (ask.table, tool.name, tool.name.removeprefix(tool.prefix))
    found = [
        phrase
        for key in dict.fromkeys(f"{name}.{ask.field}" for name in names)
        for phrase in language.asks.get(key, ())
    ]
    fitting = [phrase for phrase in found if ("{row}" in phrase) == (row is not None)]
    if not fitting and ask.about == "again":
        fitting = [phrase for phrase in found if "{row}" not in phrase]
    return fitting


def _derived(ask: Ask, row: str | None) -> Sequence[str]:
    # The name of a table's column is said without the table's own noun: `activity_date` → `date`.
    name = label_of(ask.field or ask.subject, singular(words_of(ask.table)) if ask.table else "")
    if ask.form == "count":
        return (f"can you count {row}: how many are there", f"how many are there of {row}") if row else ("how many",)
    if ask.form == "sum":
        return (f"what do {row} come to in all", f"what is the {name} of {row} altogether")
    if ask.form in ("min", "max"):
        degree = "lowest" if ask.form == "min" else "highest"
        return (f"what is the {degree} {name} among {row}",)
    if row is None:
        return _of_nothing(ask, name)
    if name in _MEANT:
        return tuple(option for option in _MEANT[name])
    its = "its {name}" if row == "it" else "the {name} of {row}"
    plain = its.replace("{name}", name).replace("{row}", row)
    if ask.kind == "money":
        if _DONE.match(name):
            return (f"how much was {name} for {row}",)
        return (f"how much is {plain}", f"what is {plain}")
    if ask.kind in ("date", "time"):
        if _DONE.match(name):
            return (f"when was {row} {name}", f"on which day was {row} {name}") if ask.kind == "date" else (
                f"when was {row} {name}", f"at what time was {row} {name}"
            )  # fmt: skip
        if not re.search(r"(?:date|day|time|start|end|deadline|reminder)$", name):
            day = "date" if ask.kind == "date" else "time"
            plain = its.replace("{name}", f"{name} {day}").replace("{row}", row)
        return (
            (f"what is {plain}", f"when is {plain}")
            if plain.startswith(("its", "the")) and not re.search(r"\b(?:date|day|time)\b", plain)
            else (f"what is {plain}",)
        )
    if ask.kind == "duration":
        return (f"how long is {row}", f"how long does {row} take") if name in ("", "minutes", "duration") else (
            f"how long is {plain}",
        )  # fmt: skip
    if ask.kind == "number" and name.endswith("s") and singular(name) != name:
        verb = "does" if row is not None else "do"
        return (f"how many {name} {verb} {row} have",)
    return (f"what is {plain}",)


def _of_nothing(ask: Ask, name: str) -> Sequence[str]:
    """About what an action gives, or about no single row."""
    if name in _WHOLE and ask.kind == "money":
        return _WHOLE[name]
    if ask.kind == "money":
        if _DONE.match(name):
            return (f"how much is {name} for this",)
        return (f"how much is the {name}", f"what will the {name} be")
    if ask.kind == "number" and name.endswith("s") and singular(name) != name:
        return (f"how many {name} are there", f"how many {name} is it")[:1]
    if ask.kind == "duration":
        return (f"how long is the {name}",)
    if ask.kind in ("date", "time") and _DONE.match(name):
        return (f"when was it {name}",)
    return (f"what is the {name}",)
