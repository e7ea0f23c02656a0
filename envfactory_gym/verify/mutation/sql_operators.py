"""The operators on SQL text.

A dropped condition becomes `(1 OR (...))`: true whatever it says, and its parameters stay where
they are, so that the mutant runs instead of failing for want of a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from .source import Edit
from .sql_text import KEYWORDS, Token
from .vocabulary import Vocabulary

COMPARISONS = {"=": "<>", "==": "<>", "<>": "=", "!=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
BOUNDARIES = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_FORMAT = re.compile(r"^'%[A-Za-z]'$")  # of strftime; anything more would still be read as the same number
_NEGATABLE = frozenset({"IN", "LIKE", "GLOB", "BETWEEN", "EXISTS"})
_CLAUSE_ENDS = frozenset(
    """WHERE ON HAVING GROUP ORDER LIMIT WINDOW UNION INTERSECT EXCEPT RETURNING JOIN LEFT INNER CROSS NATURAL FULL
    RIGHT DO""".split()
)


def edits(tokens: Sequence[Token], vocabulary: Vocabulary) -> Iterator[Edit]:
    """Every mutant of one statement."""
    settings = set(_assignments(tokens))
    selected = _selected(tokens)
    inserted = _listed(tokens, "INTO", 2)
    joined = _listed(tokens, "USING", 1)
    aliases = _aliases(tokens, vocabulary)
    for at, token in enumerate(tokens):
        before = tokens[at - 1] if at else None
        after = tokens[at + 1] if at + 1 < len(tokens) else None
        match token.kind:
            case "operator" if at not in settings:
                yield from _compared(token)
            case "word":
                yield from _worded(tokens, at)
                if at in inserted:
                    yield from _neighbours(tokens, at)
                elif at not in joined and token.text.upper() not in KEYWORDS and not (after and after.text == "("):
                    owner = aliases.get(tokens[at - 2].text) if before and before.text == "." else None
                    relations = {owner} if owner else set(aliases.values())
                    yield from _swapped(token, before, after, at in selected, relations, vocabulary)
            case "number":
                yield from _number(token, before, after)
            case "string" if not _FORMAT.match(token.text):
                other = vocabulary.other_text(token.text[1:-1].replace("''", "'")).replace("'", "''")
                yield Edit("constant", token.start, token.end, f"'{other}'")
    for start, end in _conditions(tokens):
        yield from _conjuncts(tokens[start:end])


def _compared(token: Token) -> Iterator[Edit]:
    if token.text in COMPARISONS:
        yield Edit("comparison", token.start, token.end, COMPARISONS[token.text])
    if token.text in BOUNDARIES:
        yield Edit("boundary", token.start, token.end, BOUNDARIES[token.text])


def _worded(tokens: Sequence[Token], at: int) -> Iterator[Edit]:
    """`IS`, `IN`, `LIKE`, `BETWEEN`, `EXISTS` and `WHEN`."""
    token, word = tokens[at], tokens[at].word
    before = tokens[at - 1] if at else None
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    if word == "IS" and after is not None:
        if after.word == "NOT":
            yield Edit("comparison", token.start, after.end, "IS")
        else:
            yield Edit("comparison", token.start, token.end, "IS NOT")
    elif word in _NEGATABLE and before is not None:
        if before.word == "NOT":
            yield Edit("comparison", before.start, token.end, token.text)
        else:
            yield Edit("comparison", token.start, token.end, f"NOT {token.text}")
        if word == "BETWEEN" and before.word != "NOT":
            yield from _between(tokens, at)
    elif word == "WHEN":
        condition = _until_then(tokens, at)
        if condition and condition[0].piece == condition[-1].piece:
            yield Edit("negated-condition", condition[0].start, condition[-1].end, f"NOT ({_written(condition)})")


def _until_then(tokens: Sequence[Token], at: int) -> list[Token]:
    found: list[Token] = []
    for token in tokens[at + 1 :]:
        if token.depth == tokens[at].depth and token.word == "THEN":
            return found
        found.append(token)
    return []


def _between(tokens: Sequence[Token], at: int) -> Iterator[Edit]:
    """`x BETWEEN a AND b` without its first, and without its last value, where all three are single tokens."""
    if at < 1 or at + 3 >= len(tokens):
        return
    first = at - 1
    if first >= 2 and tokens[first - 1].text == ".":
        first -= 2
    operand, low, link, high = tokens[at - 1], tokens[at + 1], tokens[at + 2], tokens[at + 3]
    simple = operand.kind in ("word", "parameter") and {low.kind, high.kind} <= {"parameter", "number", "string"}
    if not simple or link.word != "AND" or tokens[first].piece != high.piece or operand.word in KEYWORDS:
        return
    name = "".join(token.text for token in tokens[first:at])
    for left, right in ((">", "<="), (">=", "<")):
        text = f"({name} {left} {low.text} AND {name} {right} {high.text})"
        if "?" not in text:
            yield Edit("boundary", tokens[first].start, high.end, text)


def _number(token: Token, before: Token | None, after: Token | None) -> Iterator[Edit]:
    """A number one larger, but not where the boundary operator says the same, nor in `SELECT 1 FROM`."""
    if before is None or (before.word == "SELECT" and after is not None and after.word == "FROM"):
        return
    alone = after is None or after.text not in {"+", "-", "*", "/", "%"}
    if before.text in BOUNDARIES and alone:
        return
    number = float(token.text) if "." in token.text else int(token.text)
    yield Edit("constant", token.start, token.end, str(number + 1))


def _swapped(
    token: Token,
    before: Token | None,
    after: Token | None,
    selected: bool,
    relations: set[str],
    vocabulary: Vocabulary,
) -> Iterator[Edit]:
    """Another column of the same type; a selected one keeps its name, so that the result keeps its shape."""
    if (before is not None and before.word == "AS") or (after is not None and after.text == "."):
        return
    other = vocabulary.other_column(token.text, relations)
    if other is None or (before is not None and before.word in ("FROM", "JOIN", "INTO", "UPDATE", "USING")):
        return
    named = selected and (after is None or after.text == "," or after.word in ("FROM", "AS"))
    keeps = named and not (after is not None and after.word == "AS")
    yield Edit("swapped", token.start, token.end, f"{other} AS {token.text}" if keeps else other)


def _aliases(tokens: Sequence[Token], vocabulary: Vocabulary) -> dict[str, str]:
    """Every table and view that is read or written, under its own name and under its alias."""
    found: dict[str, str] = {}
    inside: dict[int, bool] = {}
    for at, token in enumerate(tokens):
        if token.word in ("FROM", "JOIN", "INTO", "UPDATE", "IN"):
            inside[token.depth] = True
        elif token.word in (*_CLAUSE_ENDS, "SET", "VALUES", "SELECT", "AND", "OR"):
            inside[token.depth] = False
        elif inside.get(token.depth) and token.text in vocabulary.relations:
            found[token.text] = token.text
            following = [other for other in tokens[at + 1 : at + 3] if other.word != "AS"]
            if following and following[0].kind == "word" and following[0].text.upper() not in KEYWORDS:
                found[following[0].text] = token.text
    return found


def _selected(tokens: Sequence[Token]) -> set[int]:
    """Places of the tokens in the list of the outermost SELECT."""
    found: set[int] = set()
    inside = False
    for at, token in enumerate(tokens):
        if token.depth == 0 and token.word == "SELECT":
            inside = True
        elif token.depth == 0 and token.word == "FROM":
            inside = False
        elif inside and token.depth == 0:
            found.add(at)
    return found


def _listed(tokens: Sequence[Token], word: str, distance: int) -> set[int]:
    """Places of the columns in the parentheses after a word: `INTO table (a, b)`, `USING (a)`."""
    found: set[int] = set()
    for at, token in enumerate(tokens):
        if token.word == word and at + distance < len(tokens) and tokens[at + distance].text == "(":
            for place in range(at + distance + 1, len(tokens)):
                if tokens[place].text == ")":
                    break
                if tokens[place].kind == "word":
                    found.add(place)
    return found


def _neighbours(tokens: Sequence[Token], at: int) -> Iterator[Edit]:
    """Two columns of an INSERT change places."""
    if at + 2 < len(tokens) and tokens[at + 1].text == "," and tokens[at].piece == tokens[at + 2].piece:
        yield Edit("swapped", tokens[at].start, tokens[at + 2].end, f"{tokens[at + 2].text}, {tokens[at].text}")


def _assignments(tokens: Sequence[Token]) -> Iterator[int]:
    """Places of the `=` that set a column."""
    depth = None
    for at, token in enumerate(tokens):
        if token.word == "SET":
            depth = token.depth
        elif token.word in ("WHERE", "RETURNING", "FROM") and token.depth == depth:
            depth = None
        elif token.text == "=" and depth is not None and token.depth == depth:
            yield at


def _conditions(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Where the condition of each WHERE, ON and HAVING begins and ends."""
    for at, token in enumerate(tokens):
        if token.word in ("WHERE", "ON", "HAVING") and not (token.word == "ON" and _conflict(tokens, at)):
            end = at + 1
            while end < len(tokens):
                other = tokens[end]
                if other.depth < token.depth or (other.depth == token.depth and other.word in _CLAUSE_ENDS):
                    break
                end += 1
            if end > at + 1:
                yield at + 1, end


def _conflict(tokens: Sequence[Token], at: int) -> bool:
    return at + 1 < len(tokens) and tokens[at + 1].text.upper() == "CONFLICT"


def _conjuncts(condition: Sequence[Token]) -> Iterator[Edit]:
    """Each part of a condition dropped; a part that is no plain comparison also negated."""
    depth = min(token.depth for token in condition)
    either = any(token.word == "OR" and token.depth == depth for token in condition)
    for part in _parts(condition, depth, "OR" if either else "AND"):
        first, last = part[0], part[-1]
        if first.piece != last.piece:
            continue
        text = _written(part)
        neutral = "0 AND" if either else "1 OR"
        yield Edit("dropped-conjunct", first.start, last.end, f"({neutral} ({text}))")
        plain = any(
            token.depth == depth and (token.text in COMPARISONS or token.word in (*_NEGATABLE, "IS")) for token in part
        )
        if not plain:
            yield Edit("negated-condition", first.start, last.end, f"NOT ({text})")


def _parts(condition: Sequence[Token], depth: int, link: str) -> Iterator[list[Token]]:
    part: list[Token] = []
    between = False
    for token in condition:
        if token.depth == depth and token.word == "BETWEEN":
            between = True
        if token.depth == depth and token.word == link and not (link == "AND" and between):
            if part:
                yield part
            part = []
            continue
        if token.depth == depth and token.word == "AND":
            between = False
        part.append(token)
    if part:
        yield part


def _written(part: Sequence[Token]) -> str:
    """The tokens as text again, a space where there was any."""
    text = part[0].text
    for before, token in pairwise(part):
        text += (" " if token.start > before.end else "") + token.text
    return text
