"""What was sampled how often, so that what is rare comes next: counts of wishes, tools and links."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..chain import Chain

Edge = tuple[str, str, str, str]


@dataclass
class Coverage:
    """Counts over all chains of a sampler.

    Attributes:
        wishes: Tool → how often it was wanted for itself.
        tools: Tool → how often it was in a chain.
        links: Link → how often a step's input came by it.
    """

    wishes: Counter[str] = field(default_factory=Counter)
    tools: Counter[str] = field(default_factory=Counter)
    links: Counter[Edge] = field(default_factory=Counter)

    def count(self, chain: Chain, wishes: Iterable[str]) -> None:
        """Take a chain into account."""
        self.wishes.update(wishes)
        self.tools.update(chain.tools)
        self.links.update(edges(chain))

    def state(self) -> dict[str, Any]:
        """The counts as plain data, in a fixed order."""
        return {
            "wishes": dict(sorted(self.wishes.items())),
            "tools": dict(sorted(self.tools.items())),
            "links": [[*edge, number] for edge, number in sorted(self.links.items())],
        }

    @classmethod
    def of_state(cls, state: Mapping[str, Any]) -> Coverage:
        """The counts that `state` gave."""
        links: Counter[Edge] = Counter()
        for producer, output, consumer, wanted, number in state["links"]:
            links[producer, output, consumer, wanted] = number
        return cls(Counter(state["wishes"]), Counter(state["tools"]), links)


def edges(chain: Chain) -> list[Edge]:
    """The links that a chain uses."""
    return [
        (chain.steps[supply.step].tool, supply.path, step.tool, name)
        for step in chain.steps
        for name, supply in step.supplies.items()
        if supply.step is not None
    ]


def evenness(counts: Mapping[Any, int], among: Iterable[Any]) -> float:
    """How evenly things are used: entropy of the shares over its maximum, in [0, 1]; 1 where there is only one."""
    numbers = [counts.get(one, 0) for one in among]
    total = sum(numbers)
    if len(numbers) < 2 or not total:
        return 1.0 if total else 0.0
    entropy = -sum(number / total * math.log(number / total) for number in numbers if number)
    return entropy / math.log(len(numbers))
