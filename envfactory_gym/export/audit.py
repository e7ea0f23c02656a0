"""The leak audit: whether something of one split can be learnt from another.

Leaks are of a task in two splits, a task and its twin in different ones, the same request word for
word, and the same conversation. Near-duplicates (requests that share most of their word triples) are
warnings: families of tasks are alike by design, and their values differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Literal, NamedTuple

from ..environment import Package
from .prompts import Prompt
from .sample import Sample

NEAR = 0.8
"""Share of common word triples from which two requests are near-duplicates."""


class Leak(NamedTuple):
    """One finding: what kind, whether it is only a warning, and the two places."""

    kind: Literal["task", "twin", "request", "conversation", "near-duplicate"]
    serious: bool
    one: str
    other: str


class _Seen(NamedTuple):
    environment: str
    task: str
    split: str
    request: str

    @property
    def place(self) -> str:
        return f"{self.split}: {self.environment}/{self.task}"


def audit(rows: Iterable[Sample | Prompt], packages: Mapping[str, Package] | None = None) -> list[Leak]:
    """Everything that two splits of some rows have in common and should not.

    Args:
        rows: Samples, prompts or both.
        packages: Environment id → package, to know twins; without it twins are not looked for.
    """
    seen: dict[_Seen, None] = {}
    talks: dict[str, _Seen] = {}
    found = []
    for row in rows:
        one = _seen(row)
        seen[one] = None
        if isinstance(row, Sample):
            said = "\n".join(f"{m['role']}: {m['content']}" for m in row.messages if m["role"] != "system")
            other = talks.setdefault(said, one)
            if other.split != one.split:
                found.append(Leak("conversation", True, other.place, one.place))
    found += _across(list(seen), packages or {})
    return sorted(set(found))


def _seen(row: Sample | Prompt) -> _Seen:
    request = next((message["content"] for message in row.messages if message["role"] == "user"), "")
    if isinstance(row, Sample):
        return _Seen(row.environment, row.task, row.split, request)
    return _Seen(row.environment, row.task.id, row.task.split, request)


def _across(seen: list[_Seen], packages: Mapping[str, Package]) -> Iterator[Leak]:
    twins = {(package.id, task.id): task.twin for package in packages.values() for task in package.tasks if task.twin}
    triples = {one: _triples(one.request) for one in seen}
    for one, other in combinations(sorted(seen), 2):
        if one.split == other.split:
            continue
        if (one.environment, one.task) == (other.environment, other.task):
            yield Leak("task", True, one.place, other.place)
            continue
        if one.environment == other.environment and twins.get((one.environment, one.task)) == other.task:
            yield Leak("twin", True, one.place, other.place)
        if _words(one.request) == _words(other.request):
            yield Leak("request", True, one.place, other.place)
        elif _alike(triples[one], triples[other]) >= NEAR:
            yield Leak("near-duplicate", False, one.place, other.place)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _triples(text: str) -> frozenset[tuple[str, ...]]:
    words = _words(text)
    return frozenset(zip(words, words[1:], words[2:], strict=False))


def _alike(one: frozenset[tuple[str, ...]], other: frozenset[tuple[str, ...]]) -> float:
    if min(len(one), len(other)) < NEAR * max(len(one), len(other)) or not one:
        return 0.0
    return len(one & other) / len(one | other)
