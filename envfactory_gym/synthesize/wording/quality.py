"""What may be wrong with a request in words: doubled words, articles, quotes, leaks of names that only code has.

These are the checks that every worded request has to pass; they find slips of templates, not of taste.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from ..referring.inflect import article
from .text import outside

_DOUBLED = re.compile(r"\b([A-Za-z']+) \1\b", re.IGNORECASE)
_MAY_DOUBLE = frozenset({"that", "had", "hello", "hey", "so", "no"})
_ARTICLE = re.compile(r"\b([Aa]n?) ([\w\"'(]+)")
_GAP = re.compile(r"[\[\]{}~]|\(s\)")
_SPACING = re.compile(r" [,.;:?!]|[,;:?!]{2,}|\.\.(?!\.)|,[A-Za-z]| {2}|[.?!][A-Z][a-z]")
_SENTENCE_END = re.compile(r"(?<=[.?!]) +(?=[a-z])")
_ABBREVIATED = re.compile(r"(?:\b(?:Dr|Mr|Mrs|Ms|St|No|e\.g|a\.m|p\.m|Inc|Ltd|Co|vs))\.$")


def problems(text: str, literal: Sequence[str] = (), names: Collection[str] = (), lower: bool = False) -> list[str]:
    """Everything that is wrong with a request.

    Args:
        text: The request.
        literal: Spans that have to stand in it, and whose insides are not looked at.
        names: Names of tools, tables and columns; those with an underscore may not occur.
        lower: Whether the person types in lower case, so that sentences begin as they like.
    """
    return list(_problems(text, literal, names, lower))


def _problems(text: str, literal: Sequence[str], names: Collection[str], lower: bool) -> Iterator[str]:
    yield from (f"the span {span!r} is missing" for span in literal if span not in text)
    # Spans are made opaque: what a user quotes or names may look as it likes.
    bare = outside(text, literal, lambda piece: piece)
    for span in sorted(set(literal), key=len, reverse=True):
        bare = bare.replace(span, "Xx" if span[:1].isupper() else "xx")
    for match in _DOUBLED.finditer(bare):
        if match[1].lower() not in _MAY_DOUBLE and match[1].lower() != "xx":
            yield f"the word {match[1]!r} stands twice"
    for match in _ARTICLE.finditer(bare):
        if match[2].lower() != "xx" and article(match[2]) != match[1].lower():
            yield f"{match[0]!r} has the wrong article"
    if left := _GAP.search(bare):
        yield f"{left[0]!r} was left of a template"
    if spaced := _SPACING.search(bare):
        yield f"{spaced[0]!r} is no punctuation"
    if bare.count('"') % 2 or bare.count("\u201c") != bare.count("\u201d") or bare.count("(") != bare.count(")"):
        yield "a quotation mark or bracket is not closed"
    words = set(re.findall(r"\w+", text))
    yield from (f"the name {name!r} stands in it" for name in sorted(names) if "_" in name and name in words)
    if not lower:
        if text[:1].islower():
            yield "it begins with a small letter"
        for match in _SENTENCE_END.finditer(bare):
            if not _ABBREVIATED.search(bare[: match.start()]) and not bare[match.end() :].startswith("xx"):
                yield f"a sentence begins with a small letter: {bare[match.start() : match.end() + 12]!r}"
    if not text.strip():
        yield "it is empty"
