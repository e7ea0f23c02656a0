"""Content hashes: what a task was certified against, and what a registry vouches for.

`world_hash` covers everything that decides how a world behaves, `rules_hash` what the agent is
told and how people speak, `package_hash` every file but the report and the brief.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .columns import Schema

WORLD_FORMAT = 1
"""Raised when the library changes how a world behaves for the same package."""

BRIEF = "BRIEF.md"
"""What an author was told; it is read while a package is written, and is no part of it."""

IGNORED = frozenset({"report.json", BRIEF, "__pycache__", ".DS_Store"})


def digest(parts: Iterable[bytes | str]) -> str:
    """A blake2b digest (32 hex digits) of a sequence of parts, unambiguous in their borders."""
    state = hashlib.blake2b(digest_size=16)
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        state.update(len(data).to_bytes(8, "big"))
        state.update(data)
    return state.hexdigest()


def canonical(value: Any) -> str:
    """JSON text that is equal exactly for equal data."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def normalised_ddl(ddl: str) -> str:
    """The schema without comments and layout."""
    return " ".join(re.sub(r"--[^\n]*", " ", ddl).split())


def world_hash(schema: Schema, rows: Mapping[str, Sequence[Mapping[str, Any]]], server: str, clock: str) -> str:
    """Hash of rows, schema, column policies, tool code, clock and world format."""
    policies = {
        f"{table.name}.{column.name}": str(column.policy)
        for table in schema.tables.values()
        for column in table.columns
    }
    parts = [f"world {WORLD_FORMAT}", normalised_ddl(schema.ddl), canonical(policies), clock, server]
    for table in sorted(rows):
        parts.append(table)
        parts.extend(canonical(row) for row in rows[table])
    return digest(parts)


def rules_hash(policy: str, language: str) -> str:
    """Hash of the policy text and of language.yaml."""
    return digest(["rules 1", policy, language])


def package_files(folder: Path) -> list[Path]:
    """The files that make a package, in a fixed order."""
    return sorted(
        path
        for path in folder.rglob("*")
        if path.is_file() and not IGNORED & set(path.relative_to(folder).parts) and path.suffix != ".pyc"
    )


def package_hash(folder: Path) -> str:
    """Hash of every file but report.json and BRIEF.md; text files with any newline convention agree."""
    parts: list[bytes | str] = ["package 1"]
    for path in package_files(folder):
        parts.append(path.relative_to(folder).as_posix())
        parts.append(path.read_bytes().replace(b"\r\n", b"\n"))
    return digest(parts)
