"""Making a task out of a chain: who asks, in which split, what is wanted and in which words, and the gold.

`TaskMaker.make` is a function of the chain and its number: the same ones give the same task, on
every machine. It executes everything it claims, but it does not certify; `verify` does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from ..environment import EnvFactoryError, Package, TaskPrivate, Tool
from ..environment.task import Setup, Split
from ..verify.arguments import Candidates
from ..world import LiveWorld, Template
from .chain import Chain
from .describing import Describer
from .difficulty import Difficulty, measure
from .gold import TooLong, finish, told_up_front, user_of
from .grounding.boundaries import Boundaries, Boundary
from .grounding.draft import Draft
from .grounding.families import Families
from .grounding.landscape import Landscape
from .grounding.routes import Router
from .presets import MIXES, Mix, Preset
from .speaking import Voice
from .splits import SHARES, Splits
from .turns import GroundedTurn, Grounder, Rejected, template_of, wished_tools

TOO_LONG = "gold is too long for an episode"
"""Why a chain is rejected; its last turn is then left out."""

BOUNDARY_DRAWS = 6
"""Refused calls whose other side is looked for, per chain."""


@dataclass(frozen=True)
class Made:
    """A task that was made, not yet certified.

    Attributes:
        task: The task.
        template: Its goal template: the wished tools, turn by turn.
        difficulty: Measured.
        tools: Every tool its goal calls.
        tables: Tables that its goal reads or writes.
        touched: People and rows it is about, by name.
        twin: The task on the other side of a rule, where there is one.
    """

    task: TaskPrivate
    template: str
    difficulty: Difficulty
    tools: tuple[str, ...]
    tables: tuple[str, ...] = ()
    touched: tuple[str, ...] = ()
    twin: Made | None = None


class TaskMaker:
    """Makes tasks in one environment.

    Args:
        package: The environment.
        seed: Seeds splits, draws and words.
        preset: What tasks should be like.
    """

    def __init__(self, package: Package, *, seed: int = 0, preset: Preset = "medium") -> None:
        self.package, self.seed, self.preset = package, seed, preset
        self.mix: Mix = MIXES[preset]
        self.landscape = Landscape.of(package)
        self.splits = Splits(package, seed)
        self.families = Families(package, self.landscape.world, self.splits.reference)
        self.boundaries = Boundaries(self.landscape)
        self._template = Template.of(package)

    @property
    def candidates(self) -> Candidates:
        """Arguments and base rates, as certificates use them."""
        return self.landscape.candidates

    def together(self, tools: frozenset[str]) -> bool:
        """Whether some tools can be wished for in one conversation."""
        return self.landscape.together(tools)

    def make(self, chain: Chain, number: int, attempt: int = 0) -> Made:
        """A task out of a chain.

        Args:
            chain: What the sampler gave.
            number: Its number; names the task.
            attempt: Another attempt draws anew.

        Raises:
            Rejected: The chain cannot be grounded.
        """
        turns = wished_tools(self.package, chain)
        if not turns:
            raise Rejected("nothing is wished")
        ruled = [pair for pair in self.boundaries.rules() if any(pair[0].name in turn for turn in turns)]
        if ruled and digest("boundary", self.seed, number) % 1000 < 1000 * self.mix.boundary:
            made = self.twins(ruled, number, attempt)
            if made is not None:
                return made
        template = template_of(turns)
        split = self.splits.of_template([template], number)
        random = Random(digest("task", self.seed, number, attempt))
        last: Rejected | None = None
        # Where nobody of the wanted split has rows for all of it, the task comes into another one.
        for place in (split, split, *(other for other, _ in SHARES if other != split)):
            try:
                return self._make(turns, template, place, number, random)
            except Rejected as rejected:
                last = rejected
                if rejected.cause == TOO_LONG and len(turns) > 1:
                    turns = turns[:-1]
                    template = template_of(turns)
        raise last or Rejected("nothing was tried")

    def _make(self, turns: Sequence[Sequence[str]], template: str, split: Split, number: int, random: Random) -> Made:
        owner = self.owner(turns, split, random)
        router = self.router(random)
        task_seed = int(random.random() * 1_000_000)
        world = self._template.acquire(seed=task_seed)
        try:
            draft = self.draft(world, owner, split, random)
            grounded = Grounder(self.landscape, router, random, self.mix).ground(draft, turns)
        finally:
            self._template.release(world)
        return self._worded(grounded, draft.slots, owner, template, split, f"{self.preset}-{number}", task_seed, random)

    def _worded(
        self, grounded: Sequence[GroundedTurn], slots: Mapping[str, Any], owner: Any, template: str, split: Split,
        name: str, task_seed: int, random: Random,
    ) -> Made:  # fmt: skip
        voice = self._voice(owner, random)
        requests = voice.requests(grounded, slots, tell=random.random() < self.mix.identity_told, mix=self.mix)
        return self._finished(grounded, requests, voice, slots, owner, template, split, name, task_seed, Setup(), None)

    def _finished(
        self, grounded: Sequence[GroundedTurn], requests: Sequence[str], voice: Voice, slots: Mapping[str, Any],
        owner: Any, template: str, split: Split, name: str, task_seed: int, setup: Setup, twin: str | None,
    ) -> Made:  # fmt: skip
        person = self.landscape.person(owner)
        goals = told_up_front(grounded, requests, slots)
        known = {slot: person[slot] for slot in self.landscape.identities if person.get(slot)} | dict(slots)
        try:
            found = finish(
                self.package, name=name, seed=task_seed, split=split, setup=setup, requests=requests, goals=goals,
                user=user_of(self.package, known, voice.name, voice.persona), speech=voice.speech(),
                kinds=kinds_of(grounded), twin=twin,
            )  # fmt: skip
        except TooLong as error:
            raise Rejected(TOO_LONG, notes={"error": str(error)}) from error
        except EnvFactoryError as error:
            raise Rejected("gold cannot be carried out", notes={"error": str(error)}) from error
        task = found.task
        difficulty = measure(self.package, task, found.results)
        tools = tuple(sorted({call.tool for turn in task.turns for call in turn.goal.calls}))
        return Made(
            task.model_copy(update={"difficulty": difficulty.level}),
            template,
            difficulty,
            tools,
            found.tables,
            self.splits.private(found.touched),
        )

    def _voice(self, owner: Any, random: Random) -> Voice:
        return Voice(self.package, self.landscape.person(owner), random)

    # ------------------------------------------------------------ both sides of a rule

    def twins(self, ruled: Sequence[tuple[Tool, str]], number: int, attempt: int) -> Made | None:
        """A task that a rule forbids and its twin, in whose world the same words ask for what may be done.

        Args:
            ruled: Tools with rules they are known to refuse by.
            number: The chain's number.
            attempt: Another attempt draws anew.
        """
        random = Random(digest("twins", self.seed, number, attempt))
        tool, rule = ruled[int(random.random() * len(ruled))]
        refused = self.landscape.refused(tool, rule)
        for _ in range(min(len(refused), BOUNDARY_DRAWS)):
            arguments = refused[int(random.random() * len(refused))]
            boundary = self.boundaries.find(tool, rule, arguments, random)
            if boundary is not None:
                try:
                    return self._twins(boundary, number, random)
                except Rejected:
                    continue
        return None

    def _twins(self, boundary: Boundary, number: int, random: Random) -> Made:
        tool, template = boundary.tool, f"{boundary.tool.name} under {boundary.rule}"
        split = self.splits.of_template([template], number)
        owner = self.landscape.owner_of(tool, boundary.arguments)
        table = (self.landscape.principal or "").partition(".")[0]
        if owner is not None and self.splits.of_row(table, owner, owner) != split:
            raise Rejected("another split's rows", tool.name)
        task_seed = int(random.random() * 1_000_000)
        router = self.router(random)
        world = self._template.acquire(boundary.refused, seed=task_seed)
        try:
            draft = self.draft(world, owner, split, random)
            turns = Grounder(self.landscape, router, random, self.mix).on_both_sides(draft, boundary)
        finally:
            self._template.release(world)
        words = self._voice(owner, random)
        requests = words.requests([turns[0]], draft.slots, tell=random.random() < self.mix.identity_told, mix=self.mix)
        names = (f"{self.preset}-{number}-declined", f"{self.preset}-{number}-done")
        both = [
            self._finished([turn], requests, words, draft.slots, owner, template, split, name, task_seed, setup, twin)
            for turn, setup, name, twin in (
                (turns[0], boundary.refused, names[0], names[1]), (turns[1], boundary.done, names[1], names[0])
            )
        ]  # fmt: skip
        return replace(both[0], twin=both[1])

    # ------------------------------------------------------------ who asks, and about what

    def draft(self, world: LiveWorld, owner: Any, split: Split, random: Random) -> Draft:
        """An empty draft for somebody's task in a split, in a world."""
        others = [slot for slot in self.landscape.identities if f".{slot}" not in (self.landscape.principal or "")]
        by_other = others and random.random() < self.mix.looked_up
        identity = others[int(random.random() * len(others))] if by_other else None
        return Draft(self.package, world, owner=owner, identity=identity, allowed=self.allowed(split, owner))

    def owner(self, turns: Sequence[Sequence[str]], split: Split, random: Random) -> Any:
        """Somebody of the split who has rows for every wished tool."""
        if self.landscape.principal is None:
            return None
        fitting = self.owners(turns, split)
        if not fitting:
            raise Rejected("nobody of the split has rows for all its tools")
        return fitting[int(random.random() * len(fitting))]

    def owners(self, turns: Sequence[Sequence[str]], split: Split) -> list[Any]:
        """Everybody of the split who has rows for every wished tool, in order."""
        if self.landscape.principal is None:
            return []
        able: frozenset[Any] | None = None
        for name in {name for turn in turns for name in turn}:
            owners = self.landscape.owners(self.package.tools[name])
            if owners:
                able = owners if able is None else able & owners
        table = self.landscape.principal.partition(".")[0]
        return sorted(one for one in able or () if self.splits.of_row(table, one, one) == split)

    def allowed(self, split: Split, owner: Any) -> Callable[[str, Any], bool]:
        """Which rows a task of that split and asker may speak of."""
        schema = self.package.schema

        def allowed(target: str, value: Any) -> bool:
            table, _, column = target.partition(".")
            if table not in schema.tables or schema.tables[table].key != (column,):
                return True
            whose = self.landscape.owner(target, value)
            if whose is not None:
                return bool(whose == owner)
            return self.splits.of_row(*self.families.head(table, value)) in (None, split)

        return allowed

    def router(self, random: Random) -> Router:
        """Finds routes, and describes rows as implicitly as the mix wants."""
        wanted = self.mix.implicitness
        return Router(self.landscape, Describer(self.landscape, random, wanted), random)


def kinds_of(grounded: Sequence[GroundedTurn]) -> list[str]:
    """Labels of a task."""
    kinds = ["action"] if any(turn.wrote for turn in grounded) else ["question"]
    if any(turn.referents for turn in grounded):
        kinds.append("implicit")
    if any(turn.decline for turn in grounded):
        kinds.append("refusal")
    return kinds


def digest(*parts: Any) -> int:
    """A number that seeds draws, equal on every Python."""
    return int.from_bytes(hashlib.blake2b(repr(parts).encode(), digest_size=7).digest(), "big")
