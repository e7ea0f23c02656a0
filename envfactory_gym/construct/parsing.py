"""From bytes to plain data: JSON and YAML, told apart by what they hold, with one sentence for what cannot be read.

YAML is read as JSON would be: keys are text, dates stay text, `no` stays a word where JSON has no
other way to write it. A document that contains itself through anchors is refused.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from .problem import BuildError

MAX_BYTES = 64_000_000
"""Larger files are refused: nobody reads what would come out."""


def read_bytes(source: str | Path) -> bytes:
    """The bytes of a file.

    Raises:
        BuildError: The file is missing, unreadable, or larger than `MAX_BYTES`.
    """
    path = Path(source)
    try:
        if path.stat().st_size > MAX_BYTES:
            raise BuildError(
                f"this file is too large: {path.stat().st_size // 1_000_000} MB, and at most "
                f"{MAX_BYTES // 1_000_000} MB are read",
                file=path,
                remedy="cut it down to the part you need",
            )
        return path.read_bytes()
    except FileNotFoundError:
        raise BuildError("there is no such file", file=path) from None
    except OSError as error:
        raise BuildError(f"this file cannot be read: {error.strerror}", file=path) from error


def as_text(content: bytes, path: Path) -> str:
    """The text of a file: UTF-8, or UTF-16 where its mark says so.

    Raises:
        BuildError: It is neither.
    """
    marked = content[:2] in (b"\xff\xfe", b"\xfe\xff")
    encoding, name = ("utf-16", "UTF-16") if marked else ("utf-8-sig", "UTF-8")
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise BuildError(f"this file cannot be read: it is no {name} text ({error.reason})", file=path) from error


def parse(text: str, path: Path) -> Any:
    """JSON or YAML as plain data.

    Raises:
        BuildError: It is neither, or nested too deeply.
    """
    try:
        # YAML may open with a brace as well, so its own suffix is believed.
        if text.lstrip().startswith(("{", "[")) and path.suffix not in (".yaml", ".yml"):
            return json.loads(text)
        return _yaml(text, path)
    except json.JSONDecodeError as error:
        raise BuildError(f"this is not valid JSON: {error.msg}", file=path, line=error.lineno) from error
    except RecursionError:
        raise BuildError("this document is nested too deeply to be read", file=path) from None


def _yaml(text: str, path: Path) -> Any:
    try:
        # The loader builds nothing but plain data: it is derived from YAML's safe one.
        return _plain(yaml.load(text, _loader()), path, (), {})
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise BuildError(
            f"this is neither JSON nor valid YAML: {getattr(error, 'problem', None) or error}",
            file=path,
            line=mark.line + 1 if mark else None,
        ) from error
    except (ValueError, OverflowError, TypeError) as error:  # such as a key that is a mapping, or !!int of a word
        raise BuildError(f"this is neither JSON nor valid YAML: {error}", file=path) from error


@cache
def _loader() -> Any:
    """YAML's safe loader, compiled where there is one, without dates: `2024-05-01` is an example, not an object."""
    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class Loader(base):  # type: ignore[misc]
        yaml_implicit_resolvers = {  # noqa: RUF012
            first: [(tag, pattern) for tag, pattern in found if not tag.endswith(":timestamp")]
            for first, found in base.yaml_implicit_resolvers.items()
        }

    return Loader


def _plain(node: Any, path: Path, above: tuple[int, ...], done: dict[int, Any]) -> Any:
    """The same data with text as keys; what anchors share stays shared, what contains itself is refused."""
    if not isinstance(node, (Mapping, list)):
        return node if node is None or isinstance(node, (str, int, float, bool)) else str(node)
    identity = id(node)
    if identity in above:
        raise BuildError("an anchor of this document contains itself", file=path)
    if identity not in done:
        inside = (*above, identity)
        if isinstance(node, Mapping):
            done[identity] = {_key(key): _plain(value, path, inside, done) for key, value in node.items()}
        else:
            done[identity] = [_plain(value, path, inside, done) for value in node]
    return done[identity]


def _key(key: Any) -> str:
    if isinstance(key, bool):
        return "true" if key else "false"
    return "null" if key is None else str(key)
