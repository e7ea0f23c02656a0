"""Verdicts kept between runs, in the user's cache folder.

A verdict is good for one text of server.py (and so of every mutant), one set of rows, one set of
behaviours, one Python and one SQLite; the file's name is the hash of them all.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from ...environment import Package
from ...environment.files import read_text
from ...world.image import cache_folder
from .judge import Verdict

FORMAT = 2
"""Raise it when an operator, or what counts as noticing, changes."""


def load(package: Package) -> dict[str, Verdict]:
    """What is known about mutants of exactly this package; empty where nothing is, or it is damaged."""
    try:
        rows = json.loads(_path(package).read_text(encoding="utf-8"))
        found = [Verdict(row["mutant"], row["outcome"], row["by"], tuple(row["ran"])) for row in rows]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return {verdict.mutant: verdict for verdict in found}


def save(package: Package, found: Mapping[str, Verdict]) -> None:
    """Keep verdicts; the file appears whole or not at all, and a full disk costs only time."""
    path = _path(package)
    text = json.dumps([found[name].content() for name in sorted(found)])
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).replace(path)


def _path(package: Package) -> Path:
    behaviours = package.path / "behaviours.yaml"
    parts = (
        str(FORMAT),
        package.world_hash,
        read_text(behaviours) if behaviours.exists() else "",
        sys.version,
        sqlite3.sqlite_version,
    )
    digest = blake2b("\0".join(parts).encode(), digest_size=16).hexdigest()
    return cache_folder().parent / "mutation" / f"{digest}.json"
