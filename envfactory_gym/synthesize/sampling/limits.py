"""How large a chain may be, and how often optional things are left out: the paper's parameters, and presets.

The figures are those of the reference (arXiv 2605.18703 and its code): three servers, recursion five deep,
optional inputs skipped with 0.6, producers of inputs that are satisfied already with 0.9, five tools a turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ...environment import PackageError

PresetName = Literal["easy", "medium", "hard"]


@dataclass(frozen=True)
class Limits:
    """Hard limits and rates.

    Attributes:
        max_nodes: Most tools in a chain.
        max_servers: Most environments in a chain.
        max_recursion_depth: How deep producers of producers may stand.
        skip_optional: Probability with which an optional input is not given.
        skip_satisfied: Probability with which no further producer is added for an input that is satisfied already.
        max_turn: Most tools in a turn; after a wish, the turn ends with probability (tools in it) / max_turn.
        max_optional: Most optional inputs given in one step, so that it can be said in a sentence.
        cure: Probability with which what may be refused is preceded by what cures the refusal.
        wishes: Fewest and most wishes: tools that are wanted for themselves.
        max_turns: Most turns.
    """

    max_nodes: int = 10
    max_servers: int = 3
    max_recursion_depth: int = 5
    skip_optional: float = 0.6
    skip_satisfied: float = 0.9
    max_turn: int = 5
    max_optional: int = 2
    cure: float = 0.9
    wishes: tuple[int, int] = (2, 4)
    max_turns: int = 3

    def __post_init__(self) -> None:
        rates = (self.skip_optional, self.skip_satisfied, self.cure)
        sizes = (self.max_nodes, self.max_servers, self.max_recursion_depth, self.max_turn, self.max_turns)
        if not all(0.0 <= rate <= 1.0 for rate in rates) or min(*sizes, self.wishes[0]) < 1:
            raise PackageError("limits of a sampler are positive, and its rates between 0 and 1")
        if self.wishes[0] > self.wishes[1] or self.max_optional < 0:
            raise PackageError(f"a chain cannot have {self.wishes} wishes and {self.max_optional} optional inputs")


PRESETS: dict[str, Limits] = {
    "easy": Limits(max_nodes=5, wishes=(1, 3), max_turns=1, max_optional=1),
    "medium": Limits(max_nodes=10, wishes=(2, 4), max_turns=2),
    "hard": Limits(max_nodes=15, wishes=(3, 6), max_turns=4, max_optional=3),
}
"""Lengths by name: one to three wishes in one turn, two to four in at most two, three to six in at most four."""


def preset(name: str) -> Limits:
    """The limits of a preset.

    Raises:
        PackageError: There is none of that name.
    """
    if name not in PRESETS:
        raise PackageError(f"there is no preset {name!r}", remedy=f"choose one of {', '.join(PRESETS)}")
    return PRESETS[name]
