"""How parts of a package are shown in a prompt: tools without their code, rows, hints; each as long as it helps."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping, Sequence
from typing import Any

from .answers import Files
from .looking import rows_of
from .passages import Passage, Sources

SOURCE = 24_000
"""Characters of passages that are shown at once; the others can be searched."""

ROWS = 40
"""Rows of a table that are shown."""


def shown_passages(sources: Sources, cited: Sequence[str] = ()) -> list[Passage]:
    """The passages to show: those that were cited, then the first ones, as far as there is room."""
    ranked = sorted(sources.passages, key=lambda passage: passage.id not in cited)
    kept: list[Passage] = []
    room = SOURCE
    for passage in ranked:
        room -= len(passage.text) + len(passage.heading) + 40
        if room < 0:
            break
        kept.append(passage)
    return sorted(kept, key=lambda passage: int(passage.id[1:]))


def signatures_text(signatures: Sequence[Mapping[str, Any]]) -> str:
    """Tools as they present themselves to clients: one object a tool, on lines of their own."""
    return "```json\n" + "\n".join(json.dumps(one, ensure_ascii=False) for one in signatures) + "\n```"


def rows_text(files: Files, most: int = ROWS) -> str:
    """Rows of each table, and how many there are in all."""
    parts = []
    for table, rows in rows_of(files).items():
        lines = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows[:most])
        count = f"all {len(rows)} rows" if len(rows) <= most else f"the first {most} of {len(rows)} rows"
        parts.append(f"{table}, {count}:\n```jsonl\n{lines}\n```")
    return "\n\n".join(parts) or "(no rows yet)"


def hints_text(source: str) -> str:
    """The decorators of server.py's tools: what they claim will succeed, and be refused."""
    found = []
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.decorator_list:
            decorators = "\n".join(f"@{ast.unparse(one)}" for one in node.decorator_list)
            found.append(f"{decorators}\ndef {node.name}({ast.unparse(node.args)}): ...")
    return "```python\n" + "\n\n".join(found) + "\n```"
