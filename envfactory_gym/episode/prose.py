"""What a sentence asserts and what it denies.

Text of an agent is put into one plain form first, so that recognisers meet one kind of quote, dash
and space and no markup. Then each mention of a value is either asserted or denied: "it is not
$120", "$130 instead of $120", "$120 is wrong" deny $120, and a denied value neither answers nor
counts as a guess.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence

from .memo import remembered

_CHARACTERS = str.maketrans(
    {
        "\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u201c": '"', "\u201d": '"', "\u00ab": '"', "\u00bb": '"',
        "\u2010": "-", "\u2011": "-", "\u2212": "-", "\u2012": "-", "\u2013": "-", "\u2014": " - ", "\u2015": " - ",
        "\u00a0": " ", "\u2007": " ", "\u2009": " ", "\u202f": " ", "\u200b": "", "\ufeff": "", "\u00ad": "",
        "\u00f8": "o", "\u00d8": "O", "\u0142": "l", "\u0141": "L", "\u0111": "d", "\u0110": "D", "\u00df": "ss",
        "\u00e6": "ae", "\u00c6": "AE", "\u0153": "oe", "\u0152": "OE", "\u0131": "i", "\u00bd": " and a half",
        "*": "", "`": "", "_": " ", "~": "", "\t": " | ", "\r": "\n",
    }
)  # fmt: skip
_GROUPED = re.compile(r"(?<=\d)[\u00a0\u2007\u2009\u202f](?=\d{3}(?!\d))")
_SPACES = re.compile(r" {2,}")


@remembered(256)
def plain(text: str) -> str:
    """The text with plain quotes, dashes, spaces and letters, and without Markdown's marks."""
    text = _GROUPED.sub("", text).translate(_CHARACTERS)
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return _SPACES.sub(" ", text)


# A cue denies the next mention; how many words may stand between them depends on the cue.
_CUES = re.compile(
    r"\b(?:(?P<near>no|without|non|zero)|(?P<far>not|never|cannot|neither|nor|no longer|instead of|rather than|"
    r"as opposed to|in place of|unlike|[a-z]+n't|it is false that|it is wrong that|used to be|previously|formerly))\b",
    re.IGNORECASE,
)
_NO_CUE = re.compile(
    r"(?:no|not) (?:more|less|fewer|later|earlier|sooner|other|only|just|merely|problem|worries|doubt|matter)\b"
    r"|not (?:until|before) |why not\b|(?:do|does|did)n't forget|no\.? ?\d|not to mention|(?:can|could)n't agree more",
    re.IGNORECASE,
)
_NEAR, _FAR = 3, 10
_REACH = 200
_ENDS = re.compile(
    r"[.!?](?:\s|$)|[;|\n]|:(?!\d)|\s-\s"
    r"|\b(?:but|because|since|although|though|whereas|while|until|unless|so|hence|therefore|however)\b"
    r"|(?:,|\band\b)\s*(?:and\s+|then\s+|so\s+)?"
    r"(?:it|its|it's|this|that|that's|these|they|they're|the|your|you|you'll|you're|we|we'll|i|i'll|i'm|he|she|his|her|"
    r"their|our|my|there|there's|rather|instead|which|who|please|actually|in fact|with|for|at)\b",
    re.IGNORECASE,
)
_BOUND = re.compile(r"\b(?:more|less|fewer|later|earlier|over|under|above|below|beyond)(?: than)? $", re.IGNORECASE)
_JOINED = re.compile(
    r"^\s*(?:,|/|&|(?:,\s*)?(?:and|or|nor)(?:\s+(?:on|at|to|for|of|even|the|a))?|(?:,\s*)?not|to|-)\s*$", re.IGNORECASE
)
_AFTER = re.compile(
    r"^['\"]?\s*(?:(?:is|was|are|were|would be|will be|'s)(?:n't| not| no longer)|isn't|wasn't|aren't|won't be)\s+"
    r"(?:the|your|it|its|correct|right|accurate|what|how|true|valid|any|a|an|when|where|who)\b"
    r"|^['\"]?\s*(?:is|was|would be|are|were) (?:wrong|incorrect|false|inaccurate|mistaken|outdated|out of date)\b"
    r"|^['\"]?\s*(?:no longer|does not|doesn't|do not|don't|did not|didn't) (?:appl|hold|count|stand)",
    re.IGNORECASE,
)


def denied(text: str, spans: Sequence[tuple[int, int]]) -> list[bool]:
    """For each mention, whether the plain text denies it; "not more than $120" does not.

    A cue denies the first mention after it in its clause, and those joined to that one by "and",
    "or" or a comma. "But", a new sentence or a new subject ends the clause.

    Args:
        text: Text out of `plain`.
        spans: (start, end) of the mentions of one kind, in order.
    """
    result = [bool(_AFTER.match(text[end : end + 60])) for _, end in spans]
    exempt = {match.start() for match in _NO_CUE.finditer(text)}
    followed = 0  # joins up to here were followed already: many cues in one long list are read once
    for cue in _CUES.finditer(text):
        if cue.start() in exempt:
            continue
        following = bisect_left(spans, (cue.end(), 0))
        if following == len(spans) or spans[following][0] - cue.end() > _REACH:
            continue
        between = text[cue.end() : spans[following][0]]
        if (
            _ENDS.search(between)
            or _BOUND.search(between)
            or len(between.split()) > (_NEAR if cue.group("near") else _FAR)
        ):
            continue
        result[following] = True
        for i in range(following + 1, len(spans)):
            if i <= followed or not _JOINED.match(text[spans[i - 1][1] : spans[i][0]]):
                break
            result[i] = True
            followed = i
    return result
