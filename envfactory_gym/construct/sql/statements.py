"""A script taken apart into statements, without understanding them: strings, comments and dollar quotes are skipped.

One statement that no parser knows must not cost the others, so each is parsed on its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""
    '(?:[^'\\]|''|\\.)*'            # a string, whichever way its quotes are escaped
    | "(?:[^"]|"")*" | `(?:[^`]|``)*`
    | (?P<dollar>\$\w*\$)
    | --[^\n]* | /\*.*?\*/
    | (?P<end>;)
    """,
    re.X | re.S,
)
_COPY = re.compile(r"^COPY\s+(?P<table>[\w.\"]+)\s*(?:\((?P<columns>[^)]*)\))?\s+FROM\s+stdin", re.I)
_LEADING = re.compile(r"^(?:\s+|--[^\n]*(?:\n|$)|/\*(?!!).*?\*/|\#[^\n]*(?:\n|$))+", re.S)


@dataclass(frozen=True)
class Statement:
    """One statement.

    Attributes:
        text: Its text, without leading comments and the closing semicolon.
        line: Line of the script where it begins.
        data: Lines that follow a `COPY ... FROM stdin`, each with tabs between values.
    """

    text: str
    line: int
    data: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """Its first words, in capitals: `CREATE TABLE`."""
        return " ".join(re.findall(r"[A-Za-z_]+", self.text[:60])[:2]).upper()


def statements(script: str) -> Iterator[Statement]:
    """The statements of a script, in order; empty ones are passed over."""
    start = position = 0
    while True:
        token = _TOKEN.search(script, position)
        if token is None:
            yield from _made(script, start, len(script))
            return
        position = token.end()
        if tag := token.group("dollar"):
            close = script.find(tag, position)
            position = len(script) if close < 0 else close + len(tag)
        elif token.group("end"):
            for one in _made(script, start, token.start()):
                if _COPY.match(one.text):
                    lines, position = _data(script, position)
                    yield Statement(one.text, one.line, lines)
                else:
                    yield one
            start = position


def _made(script: str, start: int, end: int) -> Iterator[Statement]:
    raw = script[start:end]
    text = _LEADING.sub("", raw).strip()
    if text:
        line = script.count("\n", 0, start + raw.find(text[:20])) + 1 if raw else 1
        yield Statement(text, line)


def _data(script: str, position: int) -> tuple[tuple[str, ...], int]:
    """Lines up to the one that holds only a backslash and a full stop."""
    begin = script.find("\n", position) + 1
    close = re.compile(r"^\\\.[ \t]*$", re.M).search(script, begin)
    end = close.start() if close else len(script)
    return tuple(script[begin:end].splitlines()), close.end() if close else len(script)


def copied(statement: Statement) -> tuple[str, list[str], list[list[str | None]]] | None:
    """Table, columns and values of a `COPY ... FROM stdin`; None for any other statement."""
    match = _COPY.match(statement.text)
    if match is None:
        return None
    columns = [part.strip().strip('"') for part in (match.group("columns") or "").split(",") if part.strip()]
    values = [[_unescaped(part) for part in line.split("\t")] for line in statement.data]
    return match.group("table").replace('"', "").rpartition(".")[2], columns, values


_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\"}


def _unescaped(part: str) -> str | None:
    return None if part == r"\N" else re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[1]), part)
