"""Layout: templates, and the few rules of line breaking that keep emitted code as `ruff format` writes it."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from functools import cache
from typing import Any

import jinja2

WIDTH = 120
"""Longest line of emitted code, as in this project's own configuration."""

_RESERVED = frozenset(
    {
        "ABORT", "ADD", "ALL", "ALTER", "AND", "AS", "AUTOINCREMENT", "BETWEEN", "CASE", "CAST", "CHECK",
        "COLLATE", "COMMIT", "CONSTRAINT", "CREATE", "CROSS", "CURRENT_DATE", "CURRENT_TIME",
        "CURRENT_TIMESTAMP", "DEFAULT", "DEFERRABLE", "DELETE", "DISTINCT", "DROP", "ELSE", "ESCAPE",
        "EXCEPT", "EXISTS", "FOREIGN", "FROM", "FULL", "GLOB", "GROUP", "HAVING", "IF", "IN", "INDEX",
        "INNER", "INSERT", "INTERSECT", "INTO", "IS", "ISNULL", "JOIN", "LEFT", "LIKE", "LIMIT", "NATURAL",
        "NOT", "NOTHING", "NOTNULL", "NULL", "OFFSET", "ON", "OR", "ORDER", "OUTER", "OVER", "PARTITION",
        "PRIMARY", "RAISE", "REFERENCES", "REGEXP", "RETURNING", "RIGHT", "ROW", "ROWS", "SELECT", "SET",
        "TABLE", "THEN", "TO", "TRANSACTION", "UNION", "UNIQUE", "UPDATE", "USING", "VALUES", "WHEN", "WHERE",
        "WINDOW",
    }
)  # fmt: skip


def quoted(name: str) -> str:
    """A column or table as SQL writes it: in double quotes only where it is a reserved word."""
    return f'"{name}"' if name.upper() in _RESERVED else name


def literal(value: Any) -> str:
    """A value as an SQL literal."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, (int, float)):
        return repr(value)
    return "'" + str(value).replace("'", "''") + "'"


def text(value: str) -> str:
    """A Python string literal in double quotes, unless it holds more double quotes than single ones."""
    escaped = json.dumps(value, ensure_ascii=False)  # JSON's escapes are Python's
    if '"' in value and "'" not in value:
        return "'" + escaped[1:-1].replace('\\"', '"') + "'"
    return escaped


def bracket(head: str, items: Sequence[str], close: str, indent: int = 0) -> str:
    """`head(items)` on one line where it fits, else one item a line with a trailing comma."""
    line = head + ", ".join(items) + close
    if indent + len(line) <= WIDTH and "\n" not in line:
        return line
    inner = " " * (indent + 4)
    return head + "\n" + "".join(f"{inner}{item},\n" for item in items) + " " * indent + close


def sql(lines: Sequence[str], indent: int, room: int | None = None) -> str:
    """SQL as a Python string: one line where it fits in `room` columns, else a block indented by `indent`."""
    joined = " ".join(line.strip() for line in lines)
    fits = len(joined) + 2 <= (WIDTH - indent - 1 if room is None else room)
    if fits and '"' not in joined:
        return f'"{joined}"'
    if fits and "'" not in joined:
        return f"'{joined}'"
    inner = " " * indent
    short = [part for line in lines for part in _broken(line, WIDTH - indent)]
    return '"""\n' + "".join(f"{inner}{line}\n" for line in short) + inner + '"""'


def _broken(line: str, width: int) -> list[str]:
    """One line of SQL, broken before a clause where it is too long; what follows stands further in."""
    lead = " " * (len(line) - len(line.lstrip()) + 4)
    done = []
    while len(line) > width:
        places = [line.rfind(word, len(lead) + 1, width) for word in (" FROM ", " WHERE ", " AND ", " OR ", " IN (")]
        if max(places) <= 0:
            break
        done.append(line[: max(places)])
        line = lead + line[max(places) + 1 :]
    return [*done, line]


def listed(head: str, items: Sequence[str], close: str = ")", width: int = 100) -> list[str]:
    """`head a, b, ... close` as SQL lines, broken between items, continuation lines indented."""
    lines, line = [], head
    for number, item in enumerate(items):
        piece = item + (close if number == len(items) - 1 else ",")
        glue = "" if line == head or not line.strip() else " "
        if len(line) + len(glue) + len(piece) > width and line != head:
            lines.append(line)
            line, glue = "    ", ""
        line += glue + piece
    return [*lines, line]


def assignments(items: Sequence[str]) -> list[str]:
    """`SET a = b, ...` as SQL lines: one line where it fits, else one assignment a line."""
    line = f"SET {', '.join(items)}"
    if len(line) <= 100:
        return [line]
    lines = []
    for number, item in enumerate(items):
        lead, comma = "SET " if number == 0 else "    ", "," if number < len(items) - 1 else ""
        column, _, value = item.partition(" = ")
        whole = f"{lead}{item}{comma}"
        lines += [whole] if len(whole) <= 104 else [f"{lead}{column} =", f"        {value}{comma}"]
    return lines


def documented(summary: str, arguments: Sequence[tuple[str, str]], indent: int = 4) -> str:
    """A Google docstring, wrapped, without its quotes at the start."""
    inner = " " * indent
    head = textwrap.wrap(summary, WIDTH - indent - 3, break_long_words=False) or [""]
    if not arguments:
        if len(head) == 1 and indent + 6 + len(head[0]) <= WIDTH:
            return f'{inner}"""{head[0]}"""'
        return f'{inner}"""' + f"\n{inner}".join(head) + f'\n{inner}"""'
    lines = [f'{inner}"""' + f"\n{inner}".join(head), "", f"{inner}Args:"]
    for name, about in arguments:
        lines += textwrap.wrap(
            f"{name}: {about}",
            WIDTH,
            initial_indent=inner + "    ",
            subsequent_indent=inner + "        ",
            break_long_words=False,
        )
    return "\n".join([*lines, f'{inner}"""'])


@cache
def _templates() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.PackageLoader("envfactory_gym.construct.emit", "templates"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )


def render(template: str, **values: Any) -> str:
    """Fill one template of this room."""
    return _templates().get_template(template).render(**values)
