"""How samplers differ on one graph: what their chains violate, what they cover, how long they are."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import pairwise
from statistics import mean, median
from typing import Any

from ..chain import Chain
from ..graph import ToolGraph
from .baselines import RandomWalkSampler, ReferenceSampler, Walk
from .check import could_be_supplied
from .coverage import evenness
from .limits import Limits
from .topology import TopologySampler


@dataclass(frozen=True)
class Figures:
    """What one sampler's chains are like; shares are of all chains, in [0, 1].

    Attributes:
        sampler: Its name.
        chains: How many were drawn.
        unsatisfied: Share with a required input that neither user nor an earlier tool can supply.
        duplicates: Share in which a tool stands twice.
        over_nodes, over_servers: Share with more tools, or more environments, than the limit.
        split_badly: Share with a turn that ends with the user's own tool, before anything is made of what it tells.
        servers: Mean number of environments.
        length, longest: Median and greatest number of tools.
        turns: Mean number of turns.
        writes: Mean share of tools that write.
        tools_used: Share of the graph's tools that occur.
        tool_evenness: How evenly tools are used: entropy over its maximum.
        edges_used: Share of tool pairs that are linked in the graph and occur, the first somewhere before the second.
        edge_evenness: How evenly those pairs are used.
        kinds: Different orders of tools among all chains, as a share.
        milliseconds: Time per chain.
    """

    sampler: str
    chains: int
    unsatisfied: float
    duplicates: float
    over_nodes: float
    over_servers: float
    split_badly: float
    servers: float
    length: float
    longest: int
    turns: float
    writes: float
    tools_used: float
    tool_evenness: float
    edges_used: float
    edge_evenness: float
    kinds: float
    milliseconds: float

    def as_dict(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


def compare(
    graph: ToolGraph,
    count: int,
    *,
    seed: int = 0,
    limits: Limits | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> list[Figures]:
    """The figures of the topology-aware sampler, the reference's and the random walk, on the same graph.

    Args:
        graph: The tool graph.
        count: Chains of each.
        seed: Of each.
        limits: The same for all, as far as they have them.
        clock: Gives seconds, to time them.
    """
    by = limits or Limits(max_nodes=15, wishes=(2, 7), max_turns=6)
    samplers: dict[str, Iterator[Chain | Walk]] = {
        "topology": TopologySampler(graph, seed=seed, limits=by),
        "reference": ReferenceSampler(graph, seed=seed, limits=by),
        "random walk": RandomWalkSampler(graph, seed=seed, max_nodes=by.max_nodes),
    }
    found = []
    for name, sampler in samplers.items():
        begun = clock()
        drawn = [next(sampler) for _ in range(count)]
        took = clock() - begun
        found.append(figures(name, [_walk(one) for one in drawn], graph, by, took))
    return found


def _walk(chain: Chain | Walk) -> Walk:
    return chain if isinstance(chain, Walk) else Walk(chain.tools, tuple(step.turn for step in chain.steps))


def figures(name: str, walks: list[Walk], graph: ToolGraph, limits: Limits, seconds: float) -> Figures:
    """The figures of some chains."""
    pairs = {(tool, other) for tool, others in graph.successors.items() for other in others}
    tools: Counter[str] = Counter()
    edges: Counter[tuple[str, str]] = Counter()
    for walk in walks:
        tools.update(walk.tools)
        edges.update({(a, b) for at, b in enumerate(walk.tools) for a in walk.tools[:at] if (a, b) in pairs})
    servers = [len({graph.tools[tool].server for tool in walk.tools}) for walk in walks]
    lengths = [len(walk.tools) for walk in walks]

    def share(holds: Callable[[Walk], bool]) -> float:
        return round(sum(map(holds, walks)) / len(walks), 4)

    return Figures(
        sampler=name,
        chains=len(walks),
        unsatisfied=share(lambda walk: unsatisfied(walk, graph)),
        duplicates=share(lambda walk: len(set(walk.tools)) < len(walk.tools)),
        over_nodes=share(lambda walk: len(walk.tools) > limits.max_nodes),
        over_servers=share(lambda walk: len({graph.tools[tool].server for tool in walk.tools}) > limits.max_servers),
        split_badly=share(lambda walk: split_badly(walk, graph)),
        servers=round(mean(servers), 2),
        length=median(lengths),
        longest=max(lengths),
        turns=round(mean(len(set(walk.turns)) for walk in walks), 2),
        writes=round(mean(sum(bool(graph.tools[t].writes) for t in w.tools) / len(w.tools) for w in walks), 3),
        tools_used=round(len(tools) / len(graph.tools), 3),
        tool_evenness=round(evenness(tools, sorted(graph.tools)), 3),
        edges_used=round(len(edges) / len(pairs), 3) if pairs else 1.0,
        edge_evenness=round(evenness(edges, sorted(pairs)), 3),
        kinds=round(len({walk.tools for walk in walks}) / len(walks), 3),
        milliseconds=round(1000 * seconds / len(walks), 3),
    )


def unsatisfied(walk: Walk, graph: ToolGraph) -> bool:
    """Whether some required input can come from nowhere at its place in the order."""
    before: set[str] = set()
    for tool in walk.tools:
        if any(node.required and not could_be_supplied(before, node, graph) for node in graph.inputs_of[tool]):
            return True
        before.add(tool)
    return False


def split_badly(walk: Walk, graph: ToolGraph) -> bool:
    """Whether a turn ends with a user's tool, whose result only a later turn could need."""
    ends = [tool for (tool, turn), (_, after) in pairwise(zip(walk.tools, walk.turns, strict=True)) if turn != after]
    return any(graph.tools[tool].actor == "user" for tool in [*ends, *walk.tools[-1:]])
