"""JSONL as all generators read and write it, and the universe's own tables by name."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    """The rows of a JSONL file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write_jsonl(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write rows as JSONL: one compact object a line, keys in the order given."""
    lines = (json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)
    path.write_text("".join(lines), encoding="utf-8", newline="\n")


def universe(table: str) -> list[dict[str, Any]]:
    """A table of the universe, such as `people`, `addresses`, `companies`, `jobs`, `cards`, `cities`."""
    return read_jsonl(HERE / f"{table}.jsonl")
