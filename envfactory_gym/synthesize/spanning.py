"""Making a task out of a chain whose tools belong to several environments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from ..environment import Bundle, EnvFactoryError, Package
from ..environment.task import Setup, Split
from ..verify.arguments import Candidates
from ..world import Template
from .across import Renamed, by_member, joined, lendable
from .chain import Chain
from .difficulty import measure
from .gold import finish, told_up_front, user_of
from .grounding.draft import Draft
from .grounding.routes import Router
from .maker import Made, TaskMaker, digest, kinds_of
from .presets import Preset
from .speaking import Voice
from .splits import SHARES, Splits
from .turns import GroundedTurn, Grounder, Rejected, template_of, wished_tools


class SpanningMaker:
    """Makes tasks that span the members of a bundle; used like `TaskMaker`.

    Args:
        bundle: The environments.
        seed: Seeds splits, draws and words.
        preset: What tasks should be like.
    """

    def __init__(self, bundle: Bundle, *, seed: int = 0, preset: Preset = "medium") -> None:
        self.package, self.seed, self.preset = bundle, seed, preset
        self._members = {one.name: TaskMaker(one, seed=seed, preset=preset) for one in bundle.packages}
        self.mix = next(iter(self._members.values())).mix
        self._splits = next(iter(self._members.values())).splits
        self._setup = Setup(now=bundle.manifest.clock)
        self._candidates: Candidates | None = None

    @property
    def candidates(self) -> Candidates:
        """Arguments and base rates of all members, as certificates use them."""
        if self._candidates is None:
            self._candidates = Candidates(self.package)
        return self._candidates

    def together(self, tools: frozenset[str]) -> bool:
        """Whether some tools can be wished for in one conversation: each member's own, by one person there."""
        for member, maker in self._members.items():
            prefix = self.package.names[member].prefix
            own = frozenset(name.removeprefix(prefix) for name in tools if name.startswith(prefix))
            if own and not maker.together(own):
                return False
        return True

    def make(self, chain: Chain, number: int, attempt: int = 0) -> Made:
        """A task out of a chain; see `TaskMaker.make`.

        Raises:
            Rejected: The chain cannot be grounded, or stays within one environment.
        """
        turns = wished_tools(self.package, chain)
        members = {self.package.tools[name].prefix for turn in turns for name in turn}
        if len(members) < 2:
            raise Rejected("it stays within one environment")
        template = template_of(turns)
        split = self._splits.of_template([template], number)
        random = Random(digest("spanning", self.seed, number, attempt))
        last: Rejected | None = None
        for place in (split, split, *(other for other, _ in SHARES if other != split)):
            try:
                return self._make(turns, template, place, number, random)
            except Rejected as rejected:
                last = rejected
        raise last or Rejected("nothing was tried")

    def _make(self, turns: Sequence[Sequence[str]], template: str, split: Split, number: int, random: Random) -> Made:
        runs = [by_member(self.package, turn) for turn in turns]
        involved = sorted({member.name for turn in runs for member, _ in turn})
        seed = int(random.random() * 1_000_000)
        owners = self._owners(runs, involved, split, random)
        parts = {name: self._part(self._members[name], owners[name], split, seed, random) for name in involved}
        try:
            grounded = self._ground(runs, parts, random)
        finally:
            for name, (draft, _, _) in parts.items():
                Template.of(self._members[name].package).release(draft.world)
        slots = {
            self.package.names[name].prefix + slot: value
            for name, (draft, _, _) in parts.items()
            for slot, value in draft.slots.items()
        }
        return self._finished(grounded, slots, parts, template, split, number, seed, random)

    def _owners(
        self, runs: Sequence[Sequence[tuple[Package, list[str]]]], involved: Sequence[str], split: Split,
        random: Random,
    ) -> dict[str, Any]:  # fmt: skip
        """Who asks, in each member: one and the same person where the members know people in common.

        People are recognised by their e-mail address. Members that have nobody in common, or no people at all,
        are asked by whoever fits.
        """
        wished = {
            name: [own for turn in runs if (own := [tool for one, tools in turn if one.name == name for tool in tools])]
            for name in involved
        }
        known = {name: self._members[name].landscape.addresses for name in involved}
        known = {name: addresses for name, addresses in known.items() if addresses}
        people = set.intersection(*map(set, known.values())) if len(known) > 1 else set()
        if not people:
            return {name: self._members[name].owner(wished[name], split, random) for name in involved}
        for name in known:
            able = set(self._members[name].owners(wished[name], split))
            people &= {address for address, owner in known[name].items() if owner in able}
        if not people:
            raise Rejected("nobody of the split has rows for all its tools in all its environments")
        person = sorted(people)[int(random.random() * len(people))]
        return {
            name: known[name][person] if name in known else self._members[name].owner(wished[name], split, random)
            for name in involved
        }

    def _part(
        self, maker: TaskMaker, owner: Any, split: Split, seed: int, random: Random
    ) -> tuple[Draft, Router, Grounder]:
        """One member's share: its own draft in its own world, at the bundle's time."""
        world = Template.of(maker.package).acquire(self._setup, seed=seed)
        prefix = self.package.names[maker.package.name].prefix
        draft = maker.draft(world, owner, split, random)
        draft.prefix = prefix
        router = maker.router(random)
        return draft, router, Grounder(maker.landscape, router, random, self.mix)

    def _ground(
        self, runs: Sequence[Sequence[tuple[Package, list[str]]]], parts: Mapping[str, tuple[Draft, Router, Grounder]],
        random: Random,
    ) -> list[GroundedTurn]:  # fmt: skip
        results: dict[str, Any] = {}
        subjects: set[str] = set()
        grounded = []
        for number, turn in enumerate(runs):
            pieces = []
            for draft, _, _ in parts.values():
                draft.turn, draft.results, draft.subjects = number, results, subjects
                draft.calls, draft.referents, draft.answers = [], [], []
            for member, tools in turn:
                draft, router, grounder = parts[member.name]
                renamed = Renamed(self.package.names[member.name])
                draft.calls, draft.referents, draft.answers = [], [], []
                pieces.append(renamed.turn(grounder.turn(draft, tools)))
                lent = lendable(draft, router, renamed, random)
                for other, _, _ in parts.values():
                    if other is not draft:
                        other.lent = lent
            grounded.append(joined(pieces))
        return grounded

    def _finished(
        self, grounded: Sequence[GroundedTurn], slots: Mapping[str, Any],
        parts: Mapping[str, tuple[Draft, Router, Grounder]], template: str, split: Split, number: int, seed: int,
        random: Random,
    ) -> Made:  # fmt: skip
        person: Mapping[str, Any] = next(
            (
                self._members[name].landscape.person(draft.owner)
                for name, (draft, _, _) in parts.items()
                if draft.owner is not None
            ),
            {},
        )
        voice = Voice(self.package, person, random)
        requests = voice.requests(grounded, slots, tell=random.random() < self.mix.identity_told, mix=self.mix)
        goals = told_up_front(grounded, requests, slots)
        try:
            found = finish(
                self.package, name=f"across-{self.preset}-{number}", seed=seed, split=split, setup=Setup(),
                requests=requests, goals=goals, user=user_of(self.package, slots, voice.name, voice.persona),
                speech=voice.speech(), kinds=[*kinds_of(grounded), "multi"],
            )  # fmt: skip
        except EnvFactoryError as error:
            raise Rejected("gold cannot be carried out", notes={"error": str(error)}) from error
        task = found.task.model_copy(update={"environments": self.package.members})
        difficulty = measure(self.package, task, found.results)
        tools = tuple(sorted({call.tool for turn in task.turns for call in turn.goal.calls}))
        return Made(
            task.model_copy(update={"difficulty": difficulty.level}),
            template,
            difficulty,
            tools,
            found.tables,
            Splits(self.package).private(found.touched),
        )
