"""Handling sentences without harm to spans that must stand letter for letter."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ..referring.inflect import article

_DOUBLED = re.compile(r"\b([A-Za-z]+) \1\b", re.IGNORECASE)
_ARTICLE = re.compile(r"\b([Aa]n?) (?=([\w\"'(]+))")
_WANTS_STOP = re.compile(r"[\w)\"'\u201d%$€£]$")


def capital(text: str) -> str:
    """With a capital first letter, the rest as it is."""
    return text[:1].upper() + text[1:]


def sentence(text: str, literal: Sequence[str] = (), lead: str = "So") -> str:
    """A sentence: a capital first letter and a full stop.

    A span that must stay as it is may not become the first word of a sentence where that would change it;
    `lead` goes before it then.
    """
    text = text.strip()
    for span in literal:
        if text.startswith(span) and capital(span) != span:
            text = f"{lead} {text}"
            break
    text = capital(text)
    return text + "." if _WANTS_STOP.search(text) else text


def question(text: str, literal: Sequence[str] = (), lead: str = "And") -> str:
    """A question: a capital first letter and a question mark."""
    return sentence(text.rstrip(" .?") + "?", literal, lead)


def outside(text: str, literal: Sequence[str], change: Callable[[str], str]) -> str:
    """The text with a change made everywhere but within spans that must stay as they are."""
    spans = sorted({span for span in literal if span}, key=lambda span: (-len(span), span))
    if not spans:
        return change(text)
    pieces = re.split("(" + "|".join(map(re.escape, spans)) + ")", text)
    return "".join(piece if number % 2 else change(piece) for number, piece in enumerate(pieces))


def tidy(text: str, literal: Sequence[str] = ()) -> str:
    """Without doubled words and spaces, with `a` and `an` where they belong; literal spans stay."""
    plain = " ".join(text.split())
    plain = re.sub(r" ([,.;:?!])", r"\1", plain)
    plain = re.sub(r"([.?!])\.(?!\.)", r"\1", plain)
    fixed = _DOUBLED.sub(lambda match: match[0] if match[1].lower() in ("that", "had") else match[1], plain)
    fixed = _ARTICLE.sub(_with_article, fixed)
    return fixed if all(span in fixed for span in literal if span in plain) else plain


def _with_article(match: re.Match[str]) -> str:
    right = article(match[2])
    return (capital(right) if match[1][0] == "A" else right) + " "


def listed(parts: Sequence[str], last: str = "and") -> str:
    """`a, b and c`."""
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + f" {last} " + parts[-1]
