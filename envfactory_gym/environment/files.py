"""Reading a package's files so that every error names the file, the line or key, and the remedy."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, TypeAdapter, ValidationError

from .errors import PackageError

Model = TypeVar("Model", bound=BaseModel)


def read_text(path: Path) -> str:
    """The text of a UTF-8 file, with plain newlines."""
    try:
        return path.read_bytes().decode("utf-8").replace("\r\n", "\n")
    except FileNotFoundError:
        raise PackageError("this file is missing", file=path, remedy="create it; docs/packages.md shows one") from None
    except UnicodeDecodeError as error:
        raise PackageError(f"not UTF-8 text (byte {error.start})", file=path, remedy="save it as UTF-8") from None


def read_yaml(path: Path) -> Any:
    """The content of a YAML file; only plain data types."""
    try:
        return yaml.safe_load(read_text(path))
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise PackageError(
            f"not valid YAML: {error.problem}", file=path, line=line, remedy="fix the syntax there"
        ) from None


def read_yaml_as(path: Path, kind: Any) -> Any:
    """A YAML file validated as a pydantic type; errors carry the line of the offending key."""
    data = read_yaml(path)
    try:
        return TypeAdapter(kind).validate_python(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = [part for part in first["loc"] if not (isinstance(part, str) and "[" in part)]
        raise PackageError(
            first["msg"], file=path, line=_line_of(path, where), key=".".join(map(str, where)) or None,
            remedy=f"see docs/packages.md, {path.name}",
        ) from None  # fmt: skip


def _line_of(path: Path, where: Sequence[int | str]) -> int | None:
    """The line on which a key path (or its deepest existing part) stands."""
    node = yaml.compose(read_text(path), Loader=yaml.SafeLoader)
    if node is None:
        return None
    line: int = node.start_mark.line + 1
    for part in where:
        if isinstance(node, yaml.MappingNode):
            found = next((pair for pair in node.value if pair[0].value == str(part)), None)
            if found is None:
                return line
            line, node = found[0].start_mark.line + 1, found[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
            line = node.start_mark.line + 1
        else:
            return line
    return line


def read_jsonl(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Line numbers and objects of a JSON-lines file; blank lines are skipped."""
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (json.JSONDecodeError, RecursionError) as error:
            raise PackageError(
                f"not valid JSON: {error}", file=path, line=number, remedy="one JSON object a line"
            ) from None
        if not isinstance(record, dict):
            raise PackageError("a line must hold one JSON object", file=path, line=number, remedy="write {...}")
        yield number, record


def read_jsonl_as(path: Path, model: type[Model], *, remedy: str | None = None) -> tuple[Model, ...]:
    """A JSON-lines file validated as one pydantic model a line; `remedy` is for a line that is no such model."""
    found = []
    for number, record in read_jsonl(path):
        try:
            found.append(model.model_validate(record))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            key = ".".join(map(str, first["loc"]))
            raise PackageError(
                first["msg"], file=path, line=number, key=key, remedy=remedy or f"see docs/packages.md, {path.name}"
            ) from None
    return tuple(found)
