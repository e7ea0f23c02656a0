"""How commands show things: tables and headings for people, JSON for programs.

Where the output is not a terminal it is plain text without colour, wide enough not to wrap.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

FAILED = 1
"""Exit code when everything ran and something did not pass."""

MISTAKE = 2
"""Exit code when a command could not run as asked."""

PLAIN_WIDTH = 140
"""Columns of output that nobody watches, unless COLUMNS says otherwise."""

JSON_OPTION = typer.Option(False, "--json", help="Write JSON for programs instead of text for people.")


def console(*, stderr: bool = False) -> Console:
    """A console for standard output (or standard error, for progress beside `--json`)."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() or "COLUMNS" in os.environ else PLAIN_WIDTH
    return Console(file=stream, width=width, highlight=False, soft_wrap=False)


def say(screen: Console, text: str, style: str | None = None) -> None:
    """A paragraph as it is: never read as markup, and broken by the terminal rather than by us."""
    screen.print(text, style=style, markup=False, soft_wrap=True)


def emit_json(data: Any) -> None:
    """Write one JSON document to standard output."""
    typer.echo(json.dumps(data, ensure_ascii=False, indent=2))


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], *, right: Iterable[str] = ()) -> Any:
    """A table without clutter.

    Args:
        columns: Headings.
        rows: Cells; None shows as a dash. Text is shown as it is, never read as markup; verdicts get a colour.
        right: Headings of columns to align right, such as numbers.
    """
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for name in columns:
        drawn.add_column(name, justify="right" if name in set(right) else "left", overflow="fold")
    for row in rows:
        drawn.add_row(*(Text("-" if cell is None else str(cell), style=_colour(cell)) for cell in row))
    return drawn


def _colour(cell: object) -> str:
    """Red and green for the two words that one looks for; nothing for all others."""
    text = str(cell)
    return "red" if text.startswith("FAILED") else "green" if text == "passed" else ""


def heading(text: str) -> Any:
    """A heading: a bold line after an empty one."""
    from rich.text import Text

    return Text(f"\n{text}", style="bold")


def progress(*, quiet: bool = False) -> AbstractContextManager[Progress]:
    """A progress display on standard error; silent where nobody watches, so that logs stay short."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    screen = console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=screen,
        transient=True,
        disable=quiet or not screen.is_terminal,
    )


def counted(number: int, noun: str) -> str:
    """`1 task`, `2 tasks`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
