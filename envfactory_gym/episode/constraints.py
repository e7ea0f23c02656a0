"""Policy constraints over what was said: a write that needs a confirmation must have had one.

A write is confirmed if, since the user last changed the wish, an agent message stated the write's
key arguments (`confirm=` of the tool) and the user affirmed it. A blanket "may I proceed?" names
nothing and confirms nothing (docs/proofs.md, "Turns").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from ..environment import Language, Tool
from ..environment.task import AnswerKind
from .prose import plain
from .values import equal, find, find_words, folded, normalised


def confirmed(tool: Tool, arguments: Mapping[str, Any], affirmed: Sequence[str], language: Language) -> bool:
    """Whether one of the affirmed messages stated every key argument of a call."""
    wanted = [(key, value) for key in tool.confirm for value in _parts(arguments.get(key))]
    return any(all(_stated(key, value, text, language) for key, value in wanted) for text in affirmed)


def _parts(value: Any) -> Iterator[Any]:
    """The single values in an argument; nothing where it is not given."""
    if isinstance(value, Mapping):
        for child in value.values():
            yield from _parts(child)
    elif isinstance(value, (list, tuple)):
        for child in value:
            yield from _parts(child)
    elif value is not None:
        yield value


def _stated(key: str, value: Any, text: str, language: Language) -> bool:
    """Whether a text states a value, in any of the forms in which people write it."""
    if isinstance(value, bool):
        return True
    if isinstance(value, (int, float)):
        kind: AnswerKind = "money" if key.endswith("_cents") else "number"
        return any(equal(kind, normalised(kind, value), mention) for mention in find(kind, plain(text)))
    if day := re.fullmatch(r"(\d{4}-\d\d-\d\d)(?:T.*)?", str(value)):
        wanted = normalised("date", date.fromisoformat(day.group(1)).isoformat())
        return any(equal("date", wanted, mention) for mention in find("date", plain(text)))
    wordings = [phrase for table in language.phrases.values() for phrase in table.get(str(value), ())]
    return bool(find_words([str(value), str(value).replace("_", " "), *wordings], folded(text)))
