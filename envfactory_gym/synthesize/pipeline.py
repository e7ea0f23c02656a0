"""The whole way: chains, tasks, certificates, and the set that comes out, in the order of the chains.

Chains come from one sampler, in one process, so their order is fixed; each is worked on by whichever
process is free. What is kept is decided in the order of the chains, so the number of processes
changes nothing but the time it takes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from math import ceil
from multiprocessing import get_context
from time import perf_counter, process_time
from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict

from ..environment import Bundle, Package, TaskPrivate
from ..environment.task import Result
from ..verify.arguments import Candidates
from ..verify.certificate import certify
from ..verify.replay import forms
from .chain import Chain
from .difficulty import Difficulty, parts
from .duplicates import Duplicates
from .maker import Made, TaskMaker
from .presets import TARGETS, Preset
from .splits import leaks, unseen_share
from .turns import Rejected, template_of, wished_tools

TRIES = 3
"""Tasks of one chain that are certified before the chain is given up."""

BATCH = 64
"""Chains drawn at a time."""

MOST_CHAINS = 6
"""Chains drawn for each task wanted, before a set is given up as too small."""


@dataclass(frozen=True)
class Recipe:
    """What a worker needs to know to work on any chain; small, and the same for all.

    Attributes:
        sources: What the packages are loaded by; several of them meet in every task.
        seed: Seeds everything.
        preset: What tasks should be like.
    """

    sources: tuple[str, ...]
    seed: int
    preset: Preset


class Worked(BaseModel):
    """What became of one chain.

    Attributes:
        number: The chain's number.
        template: Its goal template.
        tasks: The certified tasks: one, or two twins; none where it was rejected.
        difficulty: Of the first task.
        rejected: Why there is none.
        tables: Tables that the goals read or write.
        links: Pairs of tools, one of which tells the other something.
        rules: Policy rules whose both sides the tasks are on.
        touched: People and rows that the tasks are about.
        failed: Rows of certificates that failed on the way.
        making, certifying: CPU seconds.
    """

    model_config = ConfigDict(frozen=True)

    number: int
    template: str = ""
    tasks: tuple[TaskPrivate, ...] = ()
    difficulty: Difficulty | None = None
    rejected: str | None = None
    tables: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    rules: tuple[str, ...] = ()
    touched: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    making: float = 0.0
    certifying: float = 0.0


@dataclass
class Yield:
    """The figures of a synthesis.

    Attributes:
        chains: Chains drawn, all of them.
        became: Chains that became certified tasks, kept or not.
        grounded: Chains that had words, whether they certified or not.
        rejected: Cause → chains.
        failed: Row of the certificate → tasks that failed it.
        duplicates: Certified tasks left out because they nearly repeat another.
        off_target: Certified tasks left out because there are enough of their difficulty.
        touched: (split, people and rows) of the kept tasks.
        difficulties: Of the kept tasks.
        templates: (split, goal template) of the kept tasks.
        tools: Tool → kept tasks that call it.
        tables, links, rules: The same of tables, of pairs of tools that tell one another something, of policy rules.
        making, certifying: CPU seconds, of all processes.
        seconds: Wall clock.
        wanted: Tasks that were wanted in the sets before.
    """

    chains: int = 0
    became: int = 0
    grounded: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    duplicates: int = 0
    off_target: int = 0
    touched: list[tuple[Any, tuple[str, ...]]] = field(default_factory=list)
    difficulties: list[Difficulty] = field(default_factory=list)
    templates: list[tuple[Any, str]] = field(default_factory=list)
    tools: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    tables: Counter[str] = field(default_factory=Counter)
    links: Counter[tuple[str, str]] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    making: float = 0.0
    certifying: float = 0.0
    seconds: float = 0.0
    wanted: int = 0

    @property
    def unseen(self) -> float:
        """Share of the test tasks whose goal template no other split has."""
        return unseen_share(self.templates)

    def count(self, worked: Worked) -> None:
        """Take in what became of a chain."""
        self.chains += 1
        self.making += worked.making
        self.certifying += worked.certifying
        self.failed.update(worked.failed)
        self.became += bool(worked.tasks)
        self.grounded += bool(worked.tasks) or bool(worked.failed)
        if worked.rejected:
            self.rejected[worked.rejected] += 1

    @property
    def leaks(self) -> list[str]:
        """People, rows and twins that are met in several splits; none, since splits are dealt beforehand."""
        return leaks(self.touched)

    def has_room(self, worked: Worked, target: Mapping[str, float], wanted: int) -> bool:
        """Whether there may be another task of that difficulty in a set of so many."""
        level = worked.difficulty.level if worked.difficulty is not None else "medium"
        return sum(one.level == level for one in self.difficulties) < ceil(target[level] * (self.wanted + wanted))

    def keep(self, worked: Worked) -> None:
        """Take in the tasks of a chain that are kept."""
        self.touched.append((worked.tasks[0].split, worked.touched))
        self.tables.update(worked.tables)
        self.links.update(worked.links)
        self.rules.update(worked.rules)
        for task in worked.tasks:
            self.templates.append((task.split, worked.template))
            self.tools.update({call.tool for turn in task.turns for call in turn.goal.calls})
            self.kinds.update(task.kinds)
            if worked.difficulty is not None:
                self.difficulties.append(worked.difficulty)


class Maker(Protocol):
    """What makes tasks out of chains."""

    @property
    def package(self) -> Package:
        """The environment, or the bundle of them."""
        ...

    @property
    def candidates(self) -> Candidates:
        """Arguments and base rates, as certificates use them."""
        ...

    def together(self, tools: frozenset[str]) -> bool:
        """Whether some tools can be wished for in one conversation."""
        ...

    def make(self, chain: Chain, number: int, attempt: int = 0) -> Made:
        """A task out of a chain; raises `Rejected`."""
        ...


Tell = Callable[[int, int, int], None]
"""Progress: tasks kept, tasks wanted, chains drawn."""


def chains_of(package: Package, recipe: Recipe) -> Iterator[Chain]:
    """The chains of a recipe: topology-aware, and such that somebody can wish for all of a chain."""
    from .graph import ToolGraph
    from .sampling import TopologySampler

    graph, maker = ToolGraph.build(package), maker_of(package, recipe)
    sampler = TopologySampler(graph, seed=recipe.seed, preset=recipe.preset, together=maker.together)
    if not isinstance(package, Bundle):
        return sampler
    return (chain for chain in sampler if spans(package, chain))


def spans(bundle: Bundle, chain: Chain) -> bool:
    """Whether what a chain is for belongs to several environments."""
    return len({bundle.tools[name].prefix for turn in wished_tools(bundle, chain) for name in turn}) > 1


def synthesise(
    package: Package,
    chains: Iterator[Chain],
    recipe: Recipe,
    count: int,
    *,
    jobs: int = 1,
    tell: Tell | None = None,
    figures: Yield | None = None,
    done: Sequence[Worked] = (),
    record: Callable[[Worked], None] | None = None,
) -> Iterator[TaskPrivate]:
    """Certified tasks, one after another, until there are enough or too many chains gave none.

    Args:
        package: The environment.
        chains: Endless chains, from one sampler.
        recipe: What workers are told.
        count: Tasks wanted.
        jobs: Processes.
        tell: Called as tasks come.
        figures: Filled in along the way.
        done: What an earlier, interrupted run found out about the first chains; not done again.
        record: Called with what became of each further chain.

    Yields:
        Certified tasks in the order of their chains; twins follow each other.
    """
    figures = figures if figures is not None else Yield()
    duplicates = Duplicates()
    began, kept = perf_counter(), 0
    for worked in _all_worked(package, chains, recipe, count * MOST_CHAINS + BATCH, jobs, done):
        if record is not None and worked.number >= len(done):
            record(worked)
        figures.count(worked)
        if worked.tasks and not figures.has_room(worked, TARGETS[recipe.preset], count):
            figures.off_target += 1
        elif worked.tasks:
            text = "\n".join(turn.request for turn in worked.tasks[0].turns)
            if duplicates.add(worked.template, text):
                figures.keep(worked)
                for task in worked.tasks:
                    kept += 1
                    yield task
            else:
                figures.duplicates += 1
        figures.seconds = perf_counter() - began
        if tell is not None:
            tell(kept, count, figures.chains)
        if kept >= count:
            break
    figures.wanted += count


def _all_worked(
    package: Package, chains: Iterator[Chain], recipe: Recipe, most: int, jobs: int, done: Sequence[Worked]
) -> Iterator[Worked]:
    numbered = enumerate(islice(chains, most))
    yield from (worked for worked, _ in zip(done, numbered, strict=False))
    if jobs == 1:
        maker = maker_of(package, recipe)
        for number, chain in numbered:
            yield work(maker, chain, number)
        return
    # Spawned, not forked: a fork would share the world's connections with its parent.
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))
    try:
        ahead: list[Any] = []
        for number, chain in numbered:
            ahead.append(pool.submit(_work, recipe, chain.model_dump_json(), number))
            if len(ahead) >= BATCH:
                yield ahead.pop(0).result()
        while ahead:
            yield ahead.pop(0).result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def load(sources: Sequence[str]) -> Package:
    """One package, or a bundle of several."""
    from ..environment import load_bundle, load_package

    return load_package(sources[0]) if len(sources) == 1 else load_bundle(list(sources))


def maker_of(package: Package, recipe: Recipe) -> Maker:
    """What makes tasks in a package, or in a bundle."""
    if isinstance(package, Bundle):
        from .spanning import SpanningMaker

        return SpanningMaker(package, seed=recipe.seed, preset=recipe.preset)
    return TaskMaker(package, seed=recipe.seed, preset=recipe.preset)


@lru_cache(maxsize=2)
def _maker(recipe: Recipe) -> Maker:
    """The maker of a worker process; made once, since it looks around in the environment first."""
    return maker_of(load(recipe.sources), recipe)


def _work(recipe: Recipe, chain: str, number: int) -> Worked:
    return work(_maker(recipe), Chain.model_validate_json(chain), number)


def work(maker: Maker, chain: Chain, number: int) -> Worked:
    """Make a task out of a chain and certify it; of one that fails, make another, a few times."""
    template = template_of(wished_tools(maker.package, chain))
    failed: list[str] = []
    making = certifying = 0.0
    rejected = None
    for attempt in range(TRIES):
        began = process_time()
        try:
            made = maker.make(chain, number, attempt)
        except Rejected as cause:
            making += process_time() - began
            rejected = str(cause)
            break
        making += process_time() - began
        began = process_time()
        tasks, rows = certified(maker, made)
        certifying += process_time() - began
        if not rows:
            return Worked(
                number=number, template=made.template, tasks=tasks, difficulty=made.difficulty, failed=tuple(failed),
                tables=made.tables, links=links_of(made.task), rules=rules_of(tasks),
                touched=(*made.touched, *(made.twin.touched if made.twin else ())), making=making,
                certifying=certifying,
            )  # fmt: skip
        failed += rows
        rejected = f"certificate: {rows[0]}"
    return Worked(
        number=number, template=template, rejected=rejected, failed=tuple(failed), making=making, certifying=certifying
    )


def links_of(task: TaskPrivate) -> tuple[tuple[str, str], ...]:
    """Pairs of tools of which the first told the second something, in a task's goals."""
    tools = {call.id: call.tool for turn in task.turns for call in turn.goal.calls}
    return tuple(
        sorted(
            {
                (tools[part.call], call.tool)
                for turn in task.turns
                for call in turn.goal.calls
                for source in call.arguments.values()
                for part in parts(source)
                if isinstance(part, Result) and part.call in tools
            }
        )
    )


def rules_of(tasks: Sequence[TaskPrivate]) -> tuple[str, ...]:
    """Policy rules by which one of some twins has to be declined."""
    return tuple(sorted({turn.goal.decline for task in tasks for turn in task.turns if turn.goal.decline}))


def certified(maker: Maker, made: Made) -> tuple[tuple[TaskPrivate, ...], list[str]]:
    """A made task (and its twin) with certificates, or the rows that failed."""
    tasks: list[TaskPrivate] = []
    for one in (made, made.twin) if made.twin is not None else (made,):
        certificates = [certify(maker.package, one.task, form, maker.candidates) for form in forms(one.task)]
        rows = [row.check for certificate in certificates for row in certificate.findings if not row.passed]
        if rows:
            return (), rows
        summary = {certificate.form: certificate.summary() for certificate in certificates}
        tasks.append(one.task.model_copy(update={"certificate": summary}))
    return tuple(tasks), []


__all__ = ["Recipe", "Tell", "Worked", "Yield", "chains_of", "load", "maker_of", "synthesise", "work"]
