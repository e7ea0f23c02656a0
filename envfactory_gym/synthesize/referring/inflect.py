"""Small English: plurals, comparatives, articles, counts. Enough for nouns that come from schemas."""

from __future__ import annotations

import re

_IRREGULAR = {
    "person": "people", "child": "children", "man": "men", "woman": "women", "status": "statuses",
    "analysis": "analyses", "diagnosis": "diagnoses", "criterion": "criteria", "medium": "media", "index": "indices",
    "movie": "movies", "cookie": "cookies", "address": "addresses", "alias": "aliases", "series": "series",
}  # fmt: skip
_SINGULARS = {many: one for one, many in _IRREGULAR.items()}
_ONLY_ONE = frozenset(
    {
        "data", "metadata", "news", "information", "settings", "equipment", "software", "feedback", "staff",
        "inventory", "loyalty", "bus", "gas", "analytics",
    }
)  # fmt: skip
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_COMPARATIVES = {"best": "better", "worst": "worse", "least": "lesser", "most": "more"}


def singular(words: str) -> str:
    """One of several: `bag claims` → `bag claim`."""
    head, space, last = words.rpartition(" ")
    if last in _SINGULARS:
        last = _SINGULARS[last]
    elif last in _ONLY_ONE or len(last) < 4 or not last.endswith("s") or last.endswith(("ss", "us", "is")):
        pass
    elif last.endswith("ies"):
        last = last[:-3] + "y"
    elif last.endswith(("ches", "shes", "xes", "sses", "zzes")):
        last = last[:-2]
    else:
        last = last[:-1]
    return head + space + last


def plural(words: str) -> str:
    """Several of one: `bag claim` → `bag claims`."""
    head, space, last = words.rpartition(" ")
    if last in _IRREGULAR:
        last = _IRREGULAR[last]
    elif last in _ONLY_ONE or last in _SINGULARS:
        pass
    elif re.search(r"[^aeiou]y$", last):
        last = last[:-1] + "ies"
    elif last.endswith(("s", "x", "z", "ch", "sh")):
        last += "es"
    else:
        last += "s"
    return head + space + last


def comparative(superlative: str) -> str:
    """For two: `cheapest` → `cheaper`, `most expensive` → `more expensive`; `first` stays."""
    head, space, rest = superlative.partition(" ")
    if space:
        return f"{_COMPARATIVES.get(head, head)} {rest}" if head in _COMPARATIVES else superlative
    if superlative in _COMPARATIVES:
        return _COMPARATIVES[superlative]
    return superlative[:-2] + "r" if superlative.endswith("est") else superlative


def article(words: str) -> str:
    """`a` or `an`, whichever stands before the words."""
    first = re.match(r"[^A-Za-z0-9]*([A-Za-z]+|\d+)", words)
    if first is None:
        return "a"
    word = first[1]
    if word.isdecimal():
        return "an" if word.startswith("8") or word in ("11", "18") else "a"
    if word.isupper() and len(word) > 1 and not re.search(r"[AEIOU]", word[1:]):
        return "an" if word[0] in "AEFHILMNORSX" else "a"  # spelt out: "an SMS", "a USB stick"
    if re.match(r"(?:uni(?!n|m)|use|usu|euro|one\b|once|ut[ei])", word, re.IGNORECASE):
        return "a"
    if re.match(r"(?:hour|honest|honour|heir)", word, re.IGNORECASE):
        return "an"
    return "an" if word[0].lower() in "aeiou" else "a"


def count(number: int) -> str:
    """A number of things as it stands in a sentence: `three`, `14`."""
    return _COUNTS[number] if 0 <= number < len(_COUNTS) else str(number)


def words_of(name: str) -> str:
    """A column or table in words, without what only a database needs: `paid_cents` → `paid`, `stage_id` → `stage`."""
    name = name.rpartition("__")[2]  # where several environments meet, theirs stands before it
    plain = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    plain = re.sub(r"_(?:id|ids|cents|minor|at|datetime|iso|json|flag|num|uuid)$", "", plain.lower())
    return " ".join(plain.replace("-", "_").split("_")).strip()
