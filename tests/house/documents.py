"""Code blocks of the documentation, and the package that docs/packages.md shows, built from its own words."""

from __future__ import annotations

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
        if name == "tasks.jsonl":
            continue
        block = _FENCE.search(body)
        assert block, f"the section {name} shows no file"
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(block[2], encoding="utf-8")
    (folder / "data" / "members.jsonl").write_text(
        '{"member_id": "M-1001", "name": "Ada Nygaard"}\n{"member_id": "M-1002", "name": "Bo Lund"}\n'
    )
    (folder / "data" / "copies.jsonl").write_text(
        '{"copy_id": "C-0007", "title": "Kon-Tiki"}\n{"copy_id": "C-0011", "title": "Hunger"}\n'
        '{"copy_id": "C-0012", "title": "Hunger"}\n'
    )
    return folder
