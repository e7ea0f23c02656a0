"""Code blocks of the documentation, and the package that docs/packages.md shows, built from its own words."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_SECTION = re.compile(r"^### (\S+)\n(.*?)(?=^#{2,3} |\Z)", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, and the line it starts on."""

    language: str
    text: str
    line: int


def blocks(document: Path, language: str | None = None) -> list[Block]:
    """The fenced blocks of a document, in order."""
    text = document.read_text(encoding="utf-8")
    found = [Block(m[1], m[2], text[: m.start()].count("\n") + 1) for m in _FENCE.finditer(text)]
    return [block for block in found if language is None or block.language == language]


def write_documented_package(document: Path, folder: Path) -> Path:
    """The package whose files docs/packages.md shows, one per section named after a file."""
    for name, body in _SECTION.findall(document.read_text(encoding="utf-8")):
        block = _FENCE.search(body)
        assert block, f"the section {name} shows no file"
        text = json.dumps(json.loads(block[2])) + "\n" if name == "tasks.jsonl" else block[2]
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder
