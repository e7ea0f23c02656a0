"""SQL inside the string literals of a Python text: where it stands, and its tokens.

A small tokenizer of our own, because a mutant is an edit of the author's text: a parser that
prints its tree anew would change every line of the query, bring a dependency into the base
install, and not know the `{...}` of an f-string. Tokens are all that the operators need.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

_PREFIX = re.compile(r"[rRbBuUfF]{0,2}(?=['\"])")
_TOKEN = re.compile(
    r"""(?P<space>\s+|--[^\n]*|/\*.*?\*/)
      | (?P<string>'(?:[^']|'')*')
      | (?P<hole>\{[^{}]*\})
      | (?P<word>[A-Za-z_][A-Za-z_0-9]*|"[^"]*"|`[^`]*`)
      | (?P<number>\d+(?:\.\d+)?)
      | (?P<parameter>\?\d*|[:@$][A-Za-z_][A-Za-z_0-9]*)
      | (?P<operator><>|<=|>=|==|!=|\|\||[-+*/%=<>&|~])
      | (?P<mark>.)""",
    re.VERBOSE | re.DOTALL,
)
VERBS = frozenset({"SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "REPLACE", "VALUES"})
_OPENING = frozenset({"(", "CASE"})
_CLOSING = frozenset({")", "END"})
KEYWORDS = frozenset(
    """ALL AND AS ASC BETWEEN BY CASE CAST COLLATE CROSS DEFAULT DELETE DESC DISTINCT ELSE END ESCAPE EXCEPT EXISTS
    FALSE FROM FULL GLOB GROUP HAVING IN INNER INSERT INTERSECT INTO IS ISNULL JOIN LEFT LIKE LIMIT MATCH NATURAL NOT
    NOTNULL NULL OFFSET ON OR ORDER OUTER OVER PARTITION RECURSIVE REPLACE RETURNING RIGHT SELECT SET THEN TRUE UNION
    UPDATE USING VALUES WHEN WHERE WINDOW WITH""".split()
)


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of SQL.

    Attributes:
        kind: word, string, number, parameter, operator, mark, or hole (the braces of an f-string).
        text: As written.
        start, end: Where it stands in the server's text.
        depth: How many parentheses and CASEs are open around it; an opening one counts as outside.
        piece: Which of several literals written side by side holds it.
    """

    kind: str
    text: str
    start: int
    end: int
    depth: int
    piece: int

    @property
    def word(self) -> str:
        """The text in upper case where it is an unquoted word or a mark, else nothing."""
        return self.text.upper() if self.kind in ("word", "mark") and self.text[:1] not in '"`' else ""


def characters(source: str, start: int, end: int) -> list[tuple[str, int, int]]:
    """The characters of a string literal (or of several, written side by side), each with place and piece.

    Braces of f-strings stay as they are written.
    """
    found: list[tuple[str, int, int]] = []
    at = start
    piece = 0
    while at < end:
        match = _PREFIX.match(source, at)
        if match is None:
            if source[at] == "#":
                at = source.find("\n", at)
                at = end if at < 0 else at
            at += 1
            continue
        prefix, at = match.group().lower(), match.end()
        quote = source[at : at + 3] if source[at : at + 3] in ("'''", '"""') else source[at]
        at += len(quote)
        read, at = _piece(source, at, quote, prefix)
        found += [(letter, place, piece) for letter, place in read]
        piece += 1
    return found


def _piece(source: str, at: int, quote: str, prefix: str) -> tuple[list[tuple[str, int]], int]:
    """Read one literal from after its opening quote; where the text goes on after it."""
    found: list[tuple[str, int]] = []
    holes = 0
    while at < len(source):
        here = source[at]
        if not holes and source.startswith(quote, at):
            return found, at + len(quote)
        if here == "\\" and "r" not in prefix and not holes:
            following = source[at + 1]
            if following != "\n":
                found.append((" " if following in "nrt" else following, at))
            at += 2
            continue
        if "f" in prefix and here in "{}":
            holes += 1 if here == "{" else -1
            holes = max(0, holes)
        found.append((here, at))
        at += 1
    return found, at


def tokens(source: str, start: int, end: int) -> list[Token]:
    """The tokens of the SQL in a string literal; spaces and comments are left out."""
    return _tokens(characters(source, start, end))


def plain_tokens(sql: str) -> list[Token]:
    """The tokens of a text that is SQL as it stands."""
    return _tokens([(letter, place, 0) for place, letter in enumerate(sql)])


def _tokens(letters: list[tuple[str, int, int]]) -> list[Token]:
    text = "".join(letter for letter, _, _ in letters)
    found: list[Token] = []
    depth = 0
    for match in _TOKEN.finditer(text):
        kind = str(match.lastgroup)
        if kind == "space":
            continue
        _, place, piece = letters[match.start()]
        token = Token(kind, match.group(), place, letters[match.end() - 1][1] + 1, depth, piece)
        if token.word in _CLOSING:
            depth = max(0, depth - 1)
            token = replace(token, depth=depth)
        found.append(token)
        if token.word in _OPENING:
            depth += 1
    return found


def looks_like_sql(text: str) -> bool:
    """Whether a text begins as a statement does."""
    match = re.match(r"\s*([A-Za-z]+)\b\s+\S", text)
    return bool(match and match.group(1).upper() in VERBS and match.group(1).isupper())
