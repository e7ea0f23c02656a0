"""The documents of a folder: found, named, and told apart by all that decides what becomes of them."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ..naming import snake
from ..problem import BuildError
from ..rows.dice import Dice

SUFFIXES = (".json", ".yaml", ".yml", ".sql", ".sqlite", ".db")
"""Files that may be sources; everything else in a folder is passed over."""

_WIDEST = 20
_DULL = frozenset({"com", "org", "net", "io", "www", "api", "googleapis", "local", "swagger", "openapi"})


@dataclass(frozen=True)
class Source:
    """One document of a sweep.

    Attributes:
        path: Where it lies.
        relative: Its path below the folder, with `/`.
        name: The environment's name, unique in the folder and the same in every sweep of it.
    """

    path: Path
    relative: str
    name: str

    def key(self, options: Mapping[str, Any]) -> str:
        """Hash of the document's bytes, the options and the compiler: equal keys, equal outcome."""
        digest = hashlib.blake2b(self.path.read_bytes(), digest_size=16)
        digest.update(json.dumps(dict(options), sort_keys=True).encode())
        digest.update(compiler_version().encode())
        return digest.hexdigest()


def find_sources(folder: Path) -> list[Source]:
    """Every document below a folder, in the order of their paths.

    Raises:
        BuildError: There is no such folder, or no document in it.
    """
    if not folder.is_dir():
        raise BuildError("there is no such folder", file=folder)
    paths = sorted(path for path in folder.rglob("*") if path.suffix in SUFFIXES and path.is_file())
    if not paths:
        raise BuildError(f"no document lies in this folder ({', '.join(SUFFIXES)})", file=folder)
    relatives = [path.relative_to(folder).as_posix() for path in paths]
    return [
        Source(path, relative, name) for path, relative, name in zip(paths, relatives, _names(relatives), strict=True)
    ]


def sampled(sources: Sequence[Source], count: int, seed: int) -> list[Source]:
    """`count` of the sources, chosen by the seed, in their own order."""
    chosen = {one.relative for one in Dice("sample", seed).shuffled(sources)[:count]}
    return [one for one in sources if one.relative in chosen]


def _names(relatives: Iterable[str]) -> list[str]:
    """A name for each path: its telling words, with a few hexadecimal digits where two would be the same."""
    relatives = list(relatives)
    plain = [_plain(relative) for relative in relatives]
    counts = Counter(plain)
    return [
        name if counts[name] == 1 else f"{name[: _WIDEST - 5].rstrip('_')}_{_digits(relative)}"
        for name, relative in zip(plain, relatives, strict=True)
    ]


def _plain(relative: str) -> str:
    parts = re.split(r"[/.]", relative.rpartition(".")[0] or relative)
    words = [snake(part) for part in parts if part and snake(part) not in _DULL]
    telling = [word for word in dict.fromkeys(words) if not re.fullmatch(r"x_[\d_]*|v\d+\w*", word)] or ["source"]
    name = "_".join(telling)
    return (name if len(name) <= _WIDEST else telling[-1])[:_WIDEST].rstrip("_")


def _digits(relative: str) -> str:
    return hashlib.blake2b(relative.encode(), digest_size=2).hexdigest()


@cache
def compiler_version() -> str:
    """Hash of the compiler's own files: another one may make something else of the same document."""
    root = Path(__file__).resolve().parents[1]
    digest = hashlib.blake2b(digest_size=16)
    for path in sorted(root.rglob("*")):
        if path.suffix in (".py", ".j2"):
            digest.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()
