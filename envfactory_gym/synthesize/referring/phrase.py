"""Putting a noun phrase together: determiner, superlative, modifiers before and behind the noun."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .inflect import comparative, count
from .modifiers import Extreme, Modifier

_DOUBLED = re.compile(r"\b(\w+) \1\b", re.IGNORECASE)


def phrase(noun: str, mine: bool, modifiers: Sequence[Modifier], extreme: Extreme | None = None) -> str:
    """One row: `my cheapest trip to Oslo`. A modifier without `~` is a whole phrase and stands alone."""
    whole = [one.template for one in modifiers if "~" not in one.template]
    if whole:
        return whole[0]
    core = _before(noun, modifiers)
    if extreme is not None and extreme.template.endswith("~"):
        core = extreme.template.replace("~", core)
    core = _behind(core, modifiers)
    if extreme is not None and not extreme.template.endswith("~"):
        core = extreme.template.replace("~", core)
    return _tidy(f"{'my' if mine else 'the'} {core}")


def one_of(nouns: str, mine: bool, modifiers: Sequence[Modifier], extreme: Extreme, number: int) -> str:
    """One row out of a few: `the cheaper of my two trips to Oslo`."""
    superlative = extreme.template.removesuffix("~").strip()
    if number == 2:
        superlative = comparative(superlative)
    return _tidy(f"the {superlative} of {several(nouns, mine, modifiers, number)}")


def several(nouns: str, mine: bool, modifiers: Sequence[Modifier], number: int | None = None) -> str:
    """Several rows: `my two trips to Oslo`, or `my trips to Oslo` without a number."""
    core = _behind(_before(nouns, modifiers), modifiers)
    return _tidy(f"{'my' if mine else 'the'} {count(number) + ' ' if number is not None else ''}{core}")


def _before(noun: str, modifiers: Sequence[Modifier]) -> str:
    for one in modifiers:
        if one.template.endswith("~") and not one.silent:
            noun = one.template.replace("~", noun)
    return noun


def _behind(core: str, modifiers: Sequence[Modifier]) -> str:
    for one in modifiers:
        if not one.template.endswith("~") and "~" in one.template:
            core = one.template.replace("~", core)
    return core


def _tidy(words: str) -> str:
    """Without doubled words: `on the cheapest fare fare` → `on the cheapest fare`."""
    return _DOUBLED.sub(r"\1", words)


def is_relative(modifier: Modifier) -> bool:
    """Whether a modifier is a clause that reads badly in front of another: `~ I paid $210 for`, `~ whose ...`."""
    return re.match(r"~ (?:I|we|that|which|who|whose|with)\b", modifier.template) is not None
