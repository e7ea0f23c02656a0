"""Two samplers to compare with: a random walk, and the reference's, written from the description of what it does.

Neither enforces anything, which is the point. They yield the bare order of tools with the turn of each, since
a `Chain` would refuse much of it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from ..graph import InputNode, ToolGraph
from .draft import weighted
from .limits import Limits


class Walk(NamedTuple):
    """Tools in the order in which they are to be called, and the turn of each."""

    tools: tuple[str, ...]
    turns: tuple[int, ...]


class RandomWalkSampler:
    """From a random tool to a random unvisited successor, until there is none. No producers are added.

    Args:
        graph: The tool graph.
        seed: Decides on everything.
        max_nodes: Most tools in a chain.
    """

    def __init__(self, graph: ToolGraph, *, seed: int = 0, max_nodes: int = 10) -> None:
        self._graph, self._random, self._most = graph, Random(seed), max_nodes

    def __iter__(self) -> Iterator[Walk]:
        return self

    def __next__(self) -> Walk:
        visited = [_choice(self._random, list(self._graph.tools))]
        while len(visited) < self._most:
            free = [tool for tool in self._graph.successors[visited[-1]] if tool not in visited]
            if not free:
                break
            visited.append(_choice(self._random, free))
        return Walk(tuple(visited), turns_by_chance(self._random, len(visited)))


class ReferenceSampler:
    """The reference's topology sampler (arXiv 2605.18703), with its tendencies where this library has guarantees.

    Breadth first from a random tool: a tool's missing producers before it, then successors; when there are none, any
    tool of the same environment, even one used before. Inputs for which no producer is found are passed over;
    the limit on tools is looked at between tools only, the one on environments only when choosing.

    Args:
        graph: The tool graph.
        seed: Decides on everything.
        limits: Its parameters; limits on wishes and turns do not apply.
    """

    def __init__(self, graph: ToolGraph, *, seed: int = 0, limits: Limits | None = None) -> None:
        self._graph, self._random, self._limits = graph, Random(seed), limits or Limits()

    def __iter__(self) -> Iterator[Walk]:
        return self

    def __next__(self) -> Walk:
        graph, random = self._graph, self._random
        visited: list[str] = []
        queue = deque([_choice(random, list(graph.tools))])
        while queue and len(visited) < self._limits.max_nodes:
            tool = queue.popleft()
            visited.extend(name for name in self._before(tool, visited, 0) if name not in visited)
            visited.append(tool)
            after = self._after(tool, visited)
            if not after:
                after = [_choice(random, [n for n, t in graph.tools.items() if t.server == graph.tools[tool].server])]
            queue.extend(after)
        return Walk(tuple(visited), turns_by_chance(random, len(visited), self._limits.max_turn))

    def _before(self, tool: str, visited: list[str], depth: int) -> list[str]:
        if depth >= self._limits.max_recursion_depth:
            return []
        found: list[str] = []
        for node in self._graph.inputs_of[tool]:
            if not node.required and self._random.random() < self._limits.skip_optional:
                continue
            if self._satisfied(node, visited) and self._random.random() < self._limits.skip_satisfied:
                continue
            producers = sorted({link.producer for link in self._graph.links_into.get(node.key, ())} - {tool})
            producers = self._near(producers, visited)
            if producers:
                producer = _choice(self._random, producers)
                found.extend(self._before(producer, visited, depth + 1))
                found.append(producer)
        return found

    def _satisfied(self, node: InputNode, visited: list[str]) -> bool:
        links = self._graph.links_into.get(node.key, ())
        return node.source == "user" or any(link.producer in visited for link in links)

    def _after(self, tool: str, visited: list[str]) -> list[str]:
        free = self._near([name for name in self._graph.successors[tool] if name not in visited], visited)
        if not free:
            return []
        number = 1 + int(self._random.random() * len(free))
        drawn = weighted(self._random, [(name, 1.0) for name in free])
        return [name for name, _ in zip(drawn, range(number), strict=False)]

    def _near(self, tools: list[str], visited: list[str]) -> list[str]:
        servers = {self._graph.tools[name].server for name in visited}
        if len(servers) < self._limits.max_servers:
            return tools
        return [name for name in tools if self._graph.tools[name].server in servers]


def turns_by_chance(random: Random, length: int, most: int = 5) -> tuple[int, ...]:
    """The reference's split: after each tool the turn ends with probability (tools in it) / `most`."""
    turns, turn, size = [], 0, 0
    for _ in range(length):
        turns.append(turn)
        size += 1
        if random.random() < size / most:
            turn, size = turn + 1, 0
    return tuple(turns)


def _choice(random: Random, items: list[str]) -> str:
    return items[int(random.random() * len(items))]
