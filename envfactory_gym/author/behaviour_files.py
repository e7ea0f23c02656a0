"""Putting examples together: new ones behind old ones, changed ones in their place, comments kept.

Nobody can take an example away by leaving it out; an example goes only when another of its name comes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import yaml
from pydantic import TypeAdapter, ValidationError

from ..environment import Behaviour
from .answers import AnswerError

_EXAMPLES = TypeAdapter(list[Behaviour])


def merged(before: str, handed: str) -> str:
    """The text of behaviours.yaml with examples that were handed in.

    Args:
        before: The text so far; empty where there is none.
        handed: A YAML list of examples, or an object that holds one under `behaviours`.

    Raises:
        AnswerError: It is no list of examples; the message says which is wrong, and where.
    """
    items = _items(handed)
    names = [str(item.get("name")) for item, _ in items]
    kept = [(item, text) for item, text in (_items(before) if before.strip() else []) if item.get("name") not in names]
    return "".join(text for _, text in (*kept, *items))


def unblamed(text: str, evidence: Iterable[str]) -> str:
    """The examples that no line of evidence names: one that was sent back comes again corrected, or not at all."""
    blame = "\n".join(evidence)
    return "".join(part for item, part in _items(text) if not _named(str(item.get("name")), blame))


def _named(name: str, blame: str) -> bool:
    return f"{name}: " in blame or repr(name) in blame


def _items(text: str) -> list[tuple[dict[str, Any], str]]:
    """Each example as data and as its own text, the comments behind it included."""
    try:
        told = yaml.safe_load(text)
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else "?"
        raise AnswerError("unusable", f"behaviours.yaml:{line}: not valid YAML: {error.problem}") from None
    except (yaml.YAMLError, RecursionError) as error:
        raise AnswerError("unusable", f"behaviours.yaml: not valid YAML: {error}") from None
    if isinstance(told, dict) and isinstance(told.get("behaviours"), list):
        told = told["behaviours"]
        return [(item, _dumped(item)) for item in _checked(told)]
    _checked(told)
    assert isinstance(root, yaml.SequenceNode)
    if any(node.start_mark.column != 2 for node in root.value):
        return [(item, _dumped(item)) for item in told]
    lines = text.splitlines(keepends=True)
    starts = [node.start_mark.line for node in root.value]
    ends = [*starts[1:], len(lines)]
    parts = ["".join(lines[start:end]) for start, end in zip(starts, ends, strict=True)]
    return [(item, part if part.endswith("\n") else f"{part}\n") for item, part in zip(told, parts, strict=True)]


def _checked(told: Any) -> list[dict[str, Any]]:
    """The list, if it is one of examples."""
    if not isinstance(told, list) or not told or not all(isinstance(item, dict) for item in told):
        raise AnswerError("unusable", "behaviours.yaml is a list of examples, each with name, origin and calls")
    try:
        _EXAMPLES.validate_python(told)
    except ValidationError as error:
        lines = []
        for one in error.errors(include_url=False)[:8]:
            first, *rest = one["loc"]
            name = told[first].get("name", f"number {first}") if isinstance(first, int) else first
            lines.append(f"behaviours.yaml: {name}: {'.'.join(map(str, rest))}: {one['msg']}")
        raise AnswerError("unusable", "\n".join(lines)) from None
    return told


def _dumped(item: dict[str, Any]) -> str:
    return yaml.safe_dump([item], sort_keys=False, allow_unicode=True, width=140)
