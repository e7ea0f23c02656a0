"""Which sources are worth building next: those that keep much state, can be modelled, and are unlike what there is.

A source is read and modelled, never built. Its score is the product of four shares: how much of it
changes state, how much of it becomes tools, how full an environment it makes, and how far it is
from the nearest environment that exists. What to build next is chosen one after the other, each as
far as possible from those chosen before, the domains in turn.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context

from ..environment import Package
from ..environment.registry import Registry, own_packages
from .batch.sources import Source
from .domains import domain_of
from .model import Model, Resource
from .naming import singular, snake
from .portions import MAX_TOOLS
from .problem import BuildError
from .reading import model_of, read

GOOD_FAMILIES = 5
"""Resources with full CRUD that make an environment rich; more do not make it richer."""

PERMISSIVE = re.compile(r"\b(MIT|Apache|BSD|CC0|CC[- ]BY(?![- ](NC|ND))|ISC|Unlicense|public domain|CC-BY)", re.I)
"""Licences under which what was made from a document can be passed on."""

Vocabulary = frozenset[str]
"""Words of tables and columns."""


@dataclass(frozen=True)
class Candidate:
    """A source that could be built.

    Attributes:
        source: Its path below the folder.
        title, domain, licence, kind: What it says it is.
        operations, tools, tables: How large it is, and what would come of it.
        families: Resources that can be listed, read, created, changed and deleted.
        statefulness: Share of its tools that change something, doubled, at most 1.
        coverage: Share of its operations that become tools.
        fullness: How rich an environment it makes, from 0 to 1.
        distance: How far its words are from the nearest environment there is, from 0 to 1.
        problem: Why it cannot be built; empty where it can.
    """

    source: str
    title: str = ""
    domain: str = ""
    licence: str = ""
    kind: str = ""
    operations: int = 0
    tools: int = 0
    tables: int = 0
    families: int = 0
    statefulness: float = 0.0
    coverage: float = 0.0
    fullness: float = 0.0
    distance: float = 1.0
    problem: str = ""
    words: Vocabulary = frozenset()

    @property
    def score(self) -> float:
        """The product of the four shares."""
        return self.statefulness * self.coverage * self.fullness * self.distance

    @property
    def permissive(self) -> bool:
        """Whether it states a licence under which an environment made from it can be passed on."""
        return PERMISSIVE.search(self.licence) is not None


def survey(
    sources: Sequence[Source], *, jobs: int = 1, progress: Callable[[int], None] | None = None
) -> list[Candidate]:
    """Every source as a candidate, the best first; those that cannot be built come last.

    Args:
        sources: What to read.
        jobs: Processes.
        progress: Told how many are read.
    """
    known = [vocabulary for _, vocabulary in registry_words()]
    found = []
    for number, candidate in enumerate(_read_all(sources, jobs), start=1):
        found.append(replace(candidate, distance=round(distance(candidate.words, known), 3)))
        if progress:
            progress(number)
    return sorted(found, key=lambda one: (bool(one.problem), -one.score, one.source))


def propose(candidates: Iterable[Candidate], count: int, *, permissive: bool = False) -> list[Candidate]:
    """The next sources to build: the best of each domain in turn, each unlike those chosen before.

    Args:
        candidates: From `survey`.
        count: How many.
        permissive: Only sources whose licence lets what is made from them be passed on.
    """
    left = [one for one in candidates if not one.problem and one.score > 0 and (one.permissive or not permissive)]
    chosen: list[Candidate] = []
    while left and len(chosen) < count:
        fewest = Counter(one.domain for one in chosen)

        def worth(one: Candidate, fewest: Counter[str] = fewest) -> tuple[int, float, str]:
            apart = distance(one.words, [other.words for other in chosen])
            return fewest[one.domain], -one.score * apart, one.source

        best = min(left, key=worth)
        chosen.append(best)
        left.remove(best)
    return chosen


def distance(words: Vocabulary, others: Sequence[Vocabulary]) -> float:
    """1 less the largest share of words in common with one of the others; 1 where there are none."""
    if not words:
        return 1.0
    return 1.0 - max((len(words & other) / len(words | other) for other in others), default=0.0)


def registry_words() -> list[tuple[str, Vocabulary]]:
    """Name and words of every environment that is installed or on the search path."""
    registry = Registry.installed()
    packages = [Package(registry.folder(entry)) for entry in registry.entries]
    packages += [Package(folder) for folder in own_packages().values()]
    return [
        (package.name, _vocabulary((table.name, table.names) for table in package.schema.tables.values()))
        for package in packages
    ]


def _read_all(sources: Sequence[Source], jobs: int) -> Iterator[Candidate]:
    if jobs <= 1:
        yield from map(examine, sources)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(examine, sources, chunksize=4)


def examine(source: Source) -> Candidate:
    """What one source would make; its distance is not known yet."""
    try:
        model = model_of(read(source.path), source.name)
    except BuildError as error:
        return Candidate(source.relative, problem=error.message)
    tools = [tool for resource in model.resources for tool in resource.tools]
    writes = sum(tool.verb not in ("list", "get") for tool in tools)
    full = sum(map(_full, model.resources))
    operations = max(model.operations, len(tools), 1)
    linked = sum(any(one.references for one in resource.fields) for resource in model.resources)
    return Candidate(
        source=source.relative,
        title=model.title,
        domain=domain_of(model),
        licence=model.sources[0].get("licence", "not stated") if model.sources else "not stated",
        kind=model.kind,
        operations=model.operations,
        tools=len(tools),
        tables=len(model.resources),
        families=full,
        statefulness=round(min(1.0, 2 * writes / max(1, len(tools))), 3),
        coverage=round(len(tools) / operations, 3),
        fullness=round(_fullness(model, full, linked, len(tools)), 3),
        words=_vocabulary((one.table, [field.name for field in one.fields]) for one in model.resources),
    )


def _fullness(model: Model, full: int, linked: int, tools: int) -> float:
    """Half for resources with full CRUD, a quarter for relations, a quarter for enough tools."""
    return (
        0.5 * min(1.0, full / GOOD_FAMILIES)
        + 0.25 * linked / max(1, len(model.resources))
        + 0.25 * min(1.0, tools / (MAX_TOOLS / 2))
    )


def _full(resource: Resource) -> bool:
    verbs = {tool.verb for tool in resource.tools}
    return {"list", "get", "create", "delete"} <= verbs and bool({"update", "replace"} & verbs)


def _vocabulary(tables: Iterable[tuple[str, Iterable[str]]]) -> Vocabulary:
    found: set[str] = set()
    for table, columns in tables:
        found |= {singular(word) for word in snake(table).split("_")}
        found |= {word for column in columns for word in snake(column).split("_") if len(word) > 2}
    return frozenset(found)
