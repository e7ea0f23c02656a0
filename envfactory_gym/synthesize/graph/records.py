"""What a tool graph is made of: tools, their inputs and outputs, links with evidence, cures.

All of it is inert data that goes to JSON and back unchanged. A link is a claim, "what this tool returns
here can be given there", and it carries what speaks for it; `usable` is the verdict, in which execution
outweighs everything else.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

Source = Literal["user", "schema", "clock", "call"]
"""Where an input comes from by itself: `call` means that only another tool's result can fill it."""

Actor = Literal["agent", "user", "episode"]

Evidence = Literal["declared", "similar", "proposed", "executed"]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ToolNode(_Record):
    """A tool.

    Attributes:
        name: Its name, as the package (or the bundle of packages) lists it.
        server: The environment it belongs to.
        actor: Who calls it.
        writes: Tables it may change; none for a lookup.
        destructive: Whether it may delete or overwrite what existed before.
        description: What it does.
    """

    name: str
    server: str
    actor: Actor = "agent"
    writes: tuple[str, ...] = ()
    destructive: bool = False
    description: str = ""


class InputNode(_Record):
    """A value that a tool takes: an argument, or a place in a structured one.

    Attributes:
        tool: The tool.
        path: `reservation_id`; inside a structured argument `legs[].flight_id`. A list of plain values is one input.
        type: JSON type, `date` and `date-time` told from other text.
        required: Whether a call must give it.
        ref: What it names, such as `reservations.reservation_id`.
        description: What it means.
        source: Where it comes from without any other tool.
        why: The rule that decided on `source`, in a few words.
    """

    tool: str
    path: str
    type: str
    required: bool
    ref: str | None = None
    description: str = ""
    source: Source = "call"
    why: str = ""

    @property
    def argument(self) -> str:
        """The argument that it is, or is a part of."""
        return self.path.split(".", 1)[0].split("[", 1)[0]

    @property
    def key(self) -> tuple[str, str]:
        """Names it in a graph."""
        return self.tool, self.path


class OutputNode(_Record):
    """A value that a tool returns.

    Attributes:
        tool: The tool.
        path: Its place in the result: `reservations[].reservation_id`.
        type, ref, description: As for an input.
        echoes: The tool's own input whose value it only repeats; such an output tells nothing new.
        fresh: Whether the call itself made it, as a booking makes its code. Other results of a write are no reason
            to write.
    """

    tool: str
    path: str
    type: str
    ref: str | None = None
    description: str = ""
    echoes: str | None = None
    fresh: bool = False

    @property
    def name(self) -> str:
        """The last word of its path."""
        return self.path.removesuffix("[]").rpartition(".")[2].removesuffix("[]")

    @property
    def key(self) -> tuple[str, str]:
        """Names it in a graph."""
        return self.tool, self.path


class Link(_Record):
    """What one tool returns, as an input of another, and what speaks for it.

    Attributes:
        producer, output: The tool, and the place in its result.
        consumer, input: The other tool, and its input.
        declared: Both name the same `Ref` target.
        similar: Similarity of their names and descriptions, where it reaches the threshold.
        proposed: A model thought so.
        tried: How often execution looked: calls of the consumer that the producer's real results were held against.
        accepted: How many of them were accepted with a value that the producer really returned.
    """

    producer: str
    output: str
    consumer: str
    input: str
    declared: bool = False
    similar: float | None = None
    proposed: bool = False
    tried: int = 0
    accepted: int = 0

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """What speaks for it; an execution in which nothing was accepted speaks against it."""
        found: list[Evidence] = []
        if self.declared:
            found.append("declared")
        if self.similar is not None:
            found.append("similar")
        if self.proposed:
            found.append("proposed")
        if self.accepted:
            found.append("executed")
        return tuple(found)

    @property
    def usable(self) -> bool:
        """Whether a chain may rest on it: execution decides where it looked; a proposal needs it."""
        if self.tried:
            return self.accepted > 0
        return self.declared or self.similar is not None

    @property
    def strength(self) -> float:
        """How well it is supported, in (0, 1]: the accepted share, or one half where nothing was executed."""
        return self.accepted / self.tried if self.tried else 0.5

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Names it in a graph."""
        return self.producer, self.output, self.consumer, self.input


class Cure(_Record):
    """A write after which a call that was refused is accepted.

    Attributes:
        writer: The tool that writes.
        tool: The tool that was refused before.
        reason: The refusal's reason or code.
        shared: Inputs of `tool` that were given to the writer too: what both calls are about.
        tried, cured: How many refused calls were looked at, and how many the write cured.
    """

    writer: str
    tool: str
    reason: str
    shared: tuple[str, ...] = ()
    tried: int = 0
    cured: int = 0
