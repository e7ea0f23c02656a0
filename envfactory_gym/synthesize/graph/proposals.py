"""Links that a model proposes: it may add, never decide. Execution decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from .records import InputNode, Link, OutputNode, ToolNode


class Proposal(NamedTuple):
    """A place in one tool's result, and the input of another that it may fill."""

    producer: str
    output: str
    consumer: str
    input: str


Proposer = Callable[[Iterable[ToolNode], Iterable[InputNode], Iterable[OutputNode]], Iterable[Proposal]]
"""Given everything known of the tools, it names links that names and types do not show."""


def proposed(
    proposals: Iterable[Proposal],
    inputs: Mapping[tuple[str, str], InputNode],
    outputs: Mapping[tuple[str, str], OutputNode],
) -> list[Link]:
    """Proposals as links; those that name what is not there, or link a tool to itself, are dropped."""
    return [
        Link(producer=one.producer, output=one.output, consumer=one.consumer, input=one.input, proposed=True)
        for one in sorted(set(map(Proposal._make, proposals)))
        if (one.producer, one.output) in outputs
        and (one.consumer, one.input) in inputs
        and one.producer != one.consumer
    ]
