"""What a set of tasks should be like: lengths, implicitness, and how often each turn of phrase occurs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Preset = Literal["easy", "medium", "hard"]


@dataclass(frozen=True)
class Mix:
    """Shares that one preset aims at; every figure is a probability unless it says otherwise.

    Attributes:
        implicitness: How far referring expressions are from keys, in [0, 3]; see `Reference.implicit`.
        identity_told: The request says who is asking; else the agent has to ask.
        looked_up: Who is asking has to be looked up, by an address say, where that works.
        members: Parts of a row are described ("for Anna") rather than numbered.
        asks_after_writes: What a write leads to is asked for as well.
        analogy: A value is said by pointing at another row that has it ("the same owner as ...").
        enrich: Optional arguments are added to a wish that leaves room for them.
        mind_changed: Something is said first and taken back at once.
        fallback: What cannot be done is asked for first, with what to do otherwise.
        premise: A harmless remark is added.
        boundary: A task is one of twins on both sides of a policy rule.
    """

    implicitness: float
    identity_told: float
    looked_up: float
    members: float
    asks_after_writes: float
    analogy: float
    enrich: float
    mind_changed: float
    fallback: float
    premise: float
    boundary: float


TARGETS: dict[Preset, dict[str, float]] = {
    "easy": {"easy": 0.75, "medium": 0.25, "hard": 0.0},
    "medium": {"easy": 0.2, "medium": 0.65, "hard": 0.25},
    "hard": {"easy": 0.0, "medium": 0.3, "hard": 0.9},
}
"""Share of each measured level in a set of tasks, at most; what would go beyond it is left out."""

MIXES: dict[Preset, Mix] = {
    "easy": Mix(0.8, 0.8, 0.1, 0.2, 0.1, 0.0, 0.1, 0.0, 0.0, 0.1, 0.10),
    "medium": Mix(1.8, 0.4, 0.4, 0.6, 0.25, 0.2, 0.3, 0.1, 0.05, 0.2, 0.12),
    "hard": Mix(3.0, 0.15, 0.85, 1.0, 0.3, 0.75, 0.4, 0.15, 0.1, 0.25, 0.12),
}
"""The mix behind `--easy`, `--medium` and `--hard`."""
