"""A chain in the making: steps with their supplies, copied before something is tried that may not fit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from ..chain import Chain, ChainStep, Supply
from ..graph import ToolGraph

T = TypeVar("T")


@dataclass
class Draft:
    """Steps so far.

    Attributes:
        steps: Tool and supplies, in order.
        after: Per step, positions of earlier ones that only make it possible.
        at: Tool → its position.
        servers: Environments of the steps.
        young: Positions of steps about something that an earlier step of the chain made. What they return is not
            relied upon: a new row has few things said about it.
    """

    graph: ToolGraph
    steps: list[tuple[str, dict[str, Supply]]] = field(default_factory=list)
    after: list[tuple[int, ...]] = field(default_factory=list)
    at: dict[str, int] = field(default_factory=dict)
    servers: frozenset[str] = frozenset()
    young: frozenset[int] = frozenset()

    def copy(self) -> Draft:
        """One that can be changed without changing this one."""
        return Draft(self.graph, list(self.steps), list(self.after), dict(self.at), self.servers, self.young)

    def take(self, other: Draft) -> None:
        """Become what a copy has become."""
        self.steps, self.after, self.at = other.steps, other.after, other.at
        self.servers, self.young = other.servers, other.young

    def append(self, tool: str, supplies: dict[str, Supply], after: tuple[int, ...] = ()) -> None:
        """Add a step."""
        made = {at for at, (name, _) in enumerate(self.steps) if self.graph.tools[name].writes} | self.young
        if any(supply.step in made for supply in supplies.values()):
            self.young |= {len(self.steps)}
        self.at[tool] = len(self.steps)
        self.steps.append((tool, supplies))
        self.after.append(after)
        self.servers |= {self.graph.tools[tool].server}

    def chain(self, turns: list[int], seed: int) -> Chain:
        """The finished chain.

        Args:
            turns: The turn of each step.
            seed: What grounding draws from.
        """
        return Chain(
            steps=tuple(
                ChainStep(tool=tool, turn=turn, supplies=supplies, after=after)
                for (tool, supplies), turn, after in zip(self.steps, turns, self.after, strict=True)
            ),
            seed=seed,
        )


def weighted(random: Random, items: list[tuple[T, float]]) -> Iterator[T]:
    """The items in a random order, those with more weight rather first. Only `random()` is drawn from."""
    left = list(items)
    while left:
        total = sum(weight for _, weight in left)
        mark = random.random() * total
        for at, (item, weight) in enumerate(left):
            mark -= weight
            if mark < 0 or at == len(left) - 1:
                del left[at]
                yield item
                break
