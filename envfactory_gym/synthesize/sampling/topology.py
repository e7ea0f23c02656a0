"""The topology-aware sampler: chains in which every required input can be supplied, always.

The parameters are the paper's, the invariant is enforced: a producer is added together with all that it
needs itself, or not at all. Rare wishes and links come first, so that tools and edges are covered evenly. A
turn ends after something that is wanted for itself, never between a producer and its consumer's wish.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import islice
from random import Random
from typing import Any

from ...environment import PackageError
from ..chain import Chain, Supply
from ..graph import InputNode, Link, ToolGraph
from .coverage import Coverage
from .draft import Draft, weighted
from .limits import Limits, PresetName
from .limits import preset as limits_of
from .reach import NEVER, costs

WRITE_WISH, READ_WISH, STEP_WISH = 3.0, 1.0, 0.5
"""How much more often a write is wanted for itself than a lookup, or than a write that mostly prepares another."""

WRITE_PRODUCER = 0.1
"""Weight of a write among producers: one books a trip to have one rather seldom."""

COHERENT = 12.0
"""Weight of a producer that is asked about the same things as the consumer."""

FOLLOWS = 4.0
"""Weight of a wish that can use what the chain has already."""

FITS_BETTER = 2.5
"""So much more weight than what is there makes a producer worth adding for an input that only calls supply."""

TWICE = 0.05
"""Weight of a place that supplies another input of the same call already."""

ATTEMPTS = 300
"""Steps tried for one wish before it is given up."""


@dataclass
class _Attempt:
    """What bounds one try to add a wish: the positions it may fill, and how many steps may still be tried."""

    most: int
    left: int = ATTEMPTS


class TopologySampler:
    """Chains without end; the same seed and graph give the same ones.

    Args:
        graph: The tool graph.
        seed: Decides on everything.
        preset: Length: `easy`, `medium` or `hard`.
        limits: Limits of one's own, instead of a preset's.
        state: What `state()` of another sampler gave, to go on where that one was.
        together: Whether some tools can be wished for in one conversation (somebody has rows for all of them);
            any can where left out.
        **changes: Single limits that differ, such as `max_servers=1`.

    Raises:
        PackageError: No tool can be called, since nothing can supply what they need.
    """

    def __init__(
        self,
        graph: ToolGraph,
        *,
        seed: int = 0,
        preset: PresetName = "medium",
        limits: Limits | None = None,
        state: Mapping[str, Any] | None = None,
        together: Callable[[frozenset[str]], bool] | None = None,
        **changes: Any,
    ) -> None:
        self._together = together
        self.graph, self.seed = graph, seed
        self.limits = replace(limits or limits_of(preset), **changes)
        self.coverage = Coverage() if state is None else Coverage.of_state(state["coverage"])
        self._drawn = 0 if state is None else int(state["drawn"])
        self._cost = costs(graph)
        self._base = {
            name: self._worth(name)
            for name, tool in graph.tools.items()
            if tool.actor == "agent" and self._cost[name] < NEVER
        }
        if not self._base:
            raise PackageError(
                "no tool of this graph can be called: what they need is supplied by nothing",
                remedy="`envfactory graph --audit` lists what is missing",
            )

    def __iter__(self) -> Iterator[Chain]:
        return self

    def __next__(self) -> Chain:
        number = self._drawn
        self._drawn += 1
        digest = blake2b(f"chain {self.seed} {number}".encode(), digest_size=7).digest()
        chosen = int.from_bytes(digest, "big")
        chain, wishes = self._sample(Random(chosen), chosen)
        self.coverage.count(chain, wishes)
        return chain

    def state(self) -> dict[str, Any]:
        """Plain data by which another sampler goes on where this one is."""
        return {"drawn": self._drawn, "coverage": self.coverage.state()}

    # ------------------------------------------------------------ wishes

    def _worth(self, name: str) -> float:
        tool = self.graph.tools[name]
        if not tool.writes:
            return READ_WISH
        return STEP_WISH if any(cure.writer == name for cure in self.graph.cures) else WRITE_WISH

    def _sample(self, random: Random, seed: int) -> tuple[Chain, list[str]]:
        limits, draft = self.limits, Draft(self.graph)
        low, high = limits.wishes
        wanted = low + int(random.random() * (high - low + 1))
        wishes: list[str] = []
        turns: list[int] = []
        turn, begun = 0, 0
        while len(wishes) < wanted and len(draft.steps) < limits.max_nodes:
            room = limits.max_turn - (len(draft.steps) - begun)
            found = self._next_wish(draft, wishes, random, room)
            if found is None and begun < len(draft.steps) and turn + 1 < limits.max_turns:
                turn, begun = turn + 1, len(draft.steps)
                continue
            if found is None:
                break
            wishes.append(found)
            turns.extend([turn] * (len(draft.steps) - len(turns)))
            size = len(draft.steps) - begun
            if turn + 1 < limits.max_turns and random.random() < size / limits.max_turn:
                turn, begun = turn + 1, len(draft.steps)
        if not wishes:
            raise PackageError(
                f"no tool of this graph fits {limits.max_nodes} tools a chain and {limits.max_turn} a turn "
                "with what it needs", remedy="give higher limits"
            )  # fmt: skip
        return draft.chain(turns, seed), wishes

    def _next_wish(self, draft: Draft, wishes: Sequence[str], random: Random, room: int) -> str | None:
        """Add a wish with all it needs, in at most `room` steps; None where nothing fits."""
        limits = self.limits
        most = min(len(draft.steps) + room, limits.max_nodes)
        pool = [name for name in self._base if name not in draft.at and self._fits(draft, name)]
        if room < 1 or not pool:
            return None
        follows = {name for tool in draft.at for name in self.graph.successors[tool]}
        spent = {name: self.coverage.wishes[name] / self._base[name] for name in pool}
        least = min(spent.values())
        weights = []
        for name in pool:
            rarity = 1.0 / (1.0 + spent[name] - least)
            weights.append((name, self._base[name] * rarity * rarity * rarity * (FOLLOWS if name in follows else 1.0)))
        for name in weighted(random, weights):
            tried = draft.copy()
            if self._add(tried, name, random, 0, frozenset(), _Attempt(most)) and self._meet(tried, {*wishes, name}):
                draft.take(tried)
                return name
        return None

    def _meet(self, draft: Draft, wishes: set[str]) -> bool:
        """Whether somebody can wish for all that a draft does."""
        if self._together is None:
            return True
        return self._together(frozenset(wishes | {tool for tool in draft.at if self.graph.tools[tool].writes}))

    def _fits(self, draft: Draft, tool: str) -> bool:
        return len(draft.servers | {self.graph.tools[tool].server}) <= self.limits.max_servers

    # ------------------------------------------------------------ steps

    def _add(
        self, draft: Draft, tool: str, random: Random, depth: int, above: frozenset[str], attempt: _Attempt
    ) -> bool:
        """Add a tool after all that it needs; False, with the draft spoiled, where it does not fit."""
        attempt.left -= 1
        if attempt.left < 0 or depth > self.limits.max_recursion_depth or not self._fits(draft, tool):
            return False
        if len(draft.steps) >= attempt.most:
            return False
        above = above | {tool}
        after = self._cured(draft, tool, random, depth, above, attempt)
        supplies: dict[str, Supply] = {}
        for node in self.graph.inputs_of[tool]:
            if node.required:
                supply = self._supply(draft, node, supplies, random, depth, above, attempt)
                if supply is None:
                    return False
                _note(supplies, node, supply)
        for node in self._optional(tool, random, self.limits.max_optional if depth == 0 else 1):
            supply = self._supply(draft, node, supplies, random, depth, above, attempt)
            if supply is not None:
                _note(supplies, node, supply)
        # Producers of optional inputs came after this was last looked at.
        if len(draft.steps) >= attempt.most or tool in draft.at:
            return False
        used = {supply.step for supply in supplies.values()}
        draft.append(tool, supplies, tuple(draft.at[name] for name in after if draft.at[name] not in used))
        return True

    def _cured(
        self, draft: Draft, tool: str, random: Random, depth: int, above: frozenset[str], attempt: _Attempt
    ) -> tuple[str, ...]:
        """Writes, added where need be, after which the tool is not refused for want of them."""
        found: list[str] = []
        for cure in self.graph.cures_of.get(tool, ()):
            writer = cure.writer
            if writer in found or writer in above or self.graph.tools[writer].destructive:
                continue
            if writer in draft.at:
                found.append(writer)
            elif random.random() < self.limits.cure and self._cost[writer] < NEVER:
                tried = draft.copy()
                left = attempt.left
                # One position stays for the tool itself.
                inner = _Attempt(attempt.most - 1, left)
                if self._add(tried, writer, random, depth + 1, above, inner):
                    draft.take(tried)
                    found.append(writer)
                attempt.left = inner.left
        return tuple(found)

    def _optional(self, tool: str, random: Random, most: int) -> list[InputNode]:
        """Optional inputs to be given: some, and at least one where a write would else be told nothing."""
        nodes = [
            node
            for node in self.graph.inputs_of[tool]
            if not node.required and node.source != "schema" and node.path == node.argument
        ]
        kept = [node for node in nodes if random.random() >= self.limits.skip_optional]
        kept = list(islice(weighted(random, [(node, 1.0) for node in kept]), most))
        told = any(node.required and node.ref is None for node in self.graph.inputs_of[tool])
        sayable = [node for node in nodes if node.source == "user"]
        if self.graph.tools[tool].writes and not told and sayable and not any(node.source == "user" for node in kept):
            kept = [next(weighted(random, [(node, 1.0) for node in sayable])), *kept[: max(most - 1, 0)]]
        order = {node.path: at for at, node in enumerate(nodes)}
        return sorted(kept, key=lambda node: order[node.path])

    def _supply(
        self,
        draft: Draft,
        node: InputNode,
        supplies: Mapping[str, Supply],
        random: Random,
        depth: int,
        above: frozenset[str],
        attempt: _Attempt,
    ) -> Supply | None:
        """Where an input comes from, after adding a producer where one is needed; None where it can come from nowhere.

        Args:
            draft: The steps so far; producers are added to it.
            node: The input.
            supplies: Other inputs of the step, decided already.
            random: Drawn from.
            depth: How deep the step stands below its wish.
            above: Tools that wait for this one.
            attempt: What bounds the search.
        """
        if node.source in ("schema", "clock"):
            return Supply(kind=node.source)
        ready = self._ready(draft, node, supplies, depth)
        producers = self._producers(draft, node, above, attempt, alone=not ready, depth=depth)
        if ready and (not node.required or random.random() < self._skip(node, ready, producers)):
            return next(weighted(random, ready))
        if not node.required and depth > 0:
            return None
        for link in weighted(random, producers):
            tried = draft.copy()
            inner = _Attempt(attempt.most - 1, attempt.left)
            added = self._add(tried, link.producer, random, depth + 1, above, inner)
            attempt.left = inner.left
            if added:
                draft.take(tried)
                return Supply(kind="call", step=draft.at[link.producer], path=link.output)
            if attempt.left < 0:
                break
        return next(weighted(random, ready)) if ready else None

    def _skip(self, node: InputNode, ready: list[tuple[Supply, float]], producers: list[tuple[Link, float]]) -> float:
        """How likely no producer is added for an input that is satisfied: unlikely, where one would fit far better."""
        best = max((weight for _, weight in producers), default=0.0)
        poor = node.source == "call" and best > FITS_BETTER * max(weight for _, weight in ready)
        return 1.0 - self.limits.skip_satisfied if poor else self.limits.skip_satisfied

    def _producers(
        self, draft: Draft, node: InputNode, above: frozenset[str], attempt: _Attempt, *, alone: bool, depth: int
    ) -> list[tuple[Link, float]]:
        """Links from tools that could be added for an input, with weights: shorter ways rather than longer ones."""
        found: list[tuple[Link, float]] = []
        for link in self.graph.links_into.get(node.key, ()):
            producer = self.graph.tools[link.producer]
            allowed = producer.actor == "agent" or (alone and node.required)
            if producer.writes and depth > 0:
                allowed = False
            cost = self._cost[link.producer]
            fits = cost < NEVER and len(draft.steps) + 1 < attempt.most
            if allowed and fits and link.producer not in draft.at and link.producer not in above:
                found.append((link, self._weight(link, node) / (cost * cost)))
        return found

    def _ready(
        self, draft: Draft, node: InputNode, supplies: Mapping[str, Supply], depth: int
    ) -> list[tuple[Supply, float]]:
        """Supplies that are there without adding anything, with weights."""
        found: list[tuple[Supply, float]] = []
        taken = {(supply.step, supply.path) for supply in supplies.values() if supply.kind == "call"}
        if node.source == "user":
            found.append((Supply(kind="user"), 1.0))
        for link in self.graph.links_into.get(node.key, ()):
            at = draft.at.get(link.producer)
            if at is None or at in draft.young or (depth > 0 and self.graph.tools[link.producer].writes):
                continue
            # A place twice in one call would mostly be one thing twice: a flight from Oslo to Oslo.
            weight = self._weight(link, node) * (TWICE if (at, link.output) in taken else 1.0)
            found.append((Supply(kind="call", step=at, path=link.output), weight))
        return found

    def _weight(self, link: Link, node: InputNode) -> float:
        others = {other.ref for other in self.graph.inputs_of[link.consumer] if other.ref and other.key != node.key}
        needs = {other.ref for other in self.graph.inputs_of[link.producer] if other.required}
        weight = link.strength * (COHERENT if needs & others else 1.0)
        if self.graph.tools[link.producer].writes:
            weight *= WRITE_PRODUCER
        uses = self.coverage.links[link.key]
        least = min(self.coverage.links[other.key] for other in self.graph.links_into[node.key])
        return weight / (1.0 + (uses - least) / 8.0)


def _note(supplies: dict[str, Supply], node: InputNode, supply: Supply) -> None:
    """Enter a supply for an input; a structured argument is entered too, by what a call supplies of it."""
    supplies[node.path] = supply
    if node.path != node.argument and (supply.kind == "call" or node.argument not in supplies):
        supplies[node.argument] = supply
