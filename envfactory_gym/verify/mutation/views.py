"""The views of schema.sql: a tool that reads one is only as right as the view is."""

from __future__ import annotations

import ast
import re
import sqlite3
from collections.abc import Sequence

from .source import ServerText, body_of, walk_code
from .sql_text import Token, plain_tokens


def views(ddl: str) -> dict[str, list[Token]]:
    """Name → the tokens of its query, for every view of a schema."""
    found: dict[str, list[Token]] = {}
    every = plain_tokens(ddl)
    at = 0
    while at < len(every):
        if every[at].word == "CREATE" and any(token.word == "VIEW" for token in every[at + 1 : at + 3]):
            end = _first(every, at, ";")
            start = _first(every[:end], at, "AS")
            name = every[start - 1] if every[start - 1].text != ")" else every[_first(every, at, "(") - 1]
            found[name.text.strip('"`')] = every[start + 1 : end]
            at = end
        at += 1
    return found


def _first(every: Sequence[Token], at: int, word: str) -> int:
    """Where a word stands outside of parentheses; the end where it does not."""
    return next(
        (place for place in range(at, len(every)) if every[place].word == word and every[place].depth == 0), len(every)
    )


def readers_of(view: str, found: dict[str, list[Token]], text: ServerText) -> tuple[str, ...]:
    """The functions whose SQL names a view, itself or through another view or a constant."""
    names = {view}
    for _ in found:
        names |= {other for other, query in found.items() if names & {token.text for token in query}}
    word = re.compile(r"\b(" + "|".join(sorted(map(re.escape, names))) + r")\b")
    users = {name for name, function in text.functions.items() if any(_says(part, word) for part in body_of(function))}
    for constant, value in text.constants.items():
        if _says(value, word):
            users.update(text.users_of(constant))
    return tuple(name for name in text.functions if name in users)


def _says(node: ast.AST, word: re.Pattern[str]) -> bool:
    """Whether a word stands in one of the texts of a piece of code."""
    return any(
        isinstance(part, ast.Constant) and isinstance(part.value, str) and word.search(part.value) is not None
        for part in walk_code(node)
    )


def with_view(image: bytes, ddl: str, view: str) -> bytes | None:
    """The image of a world in which a view is as another schema says: far quicker than building it anew.

    Args:
        image: The bytes of the sound world.
        ddl: The other schema; it differs in that view only.
        view: Its name.

    Returns:
        The bytes, or None where triggers hang on the view, so that it cannot simply be exchanged.

    Raises:
        sqlite3.Error: SQLite refuses the schema.
    """
    plain, world = sqlite3.connect(":memory:"), sqlite3.connect(":memory:", isolation_level=None)
    try:
        plain.executescript(ddl)
        (sql,) = plain.execute("SELECT sql FROM sqlite_schema WHERE type = 'view' AND name = ?", (view,)).fetchone()
        world.deserialize(image)
        if world.execute("SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?", (view,)).fetchone():
            return None
        quoted = view.replace('"', '""')
        world.execute(f'DROP VIEW "{quoted}"')
        world.execute(sql)
        return world.serialize()
    finally:
        plain.close()
        world.close()
