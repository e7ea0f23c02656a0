"""What a sampler gives to grounding: tools in order, where each required input can come from, and turns."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator


class Supply(BaseModel):
    """Where one input of a step can come from.

    Attributes:
        kind: `user`: the user can say it; `schema`: a default, or the only value admitted; `clock`: the current
            time; `call`: an earlier step's result.
        step: For `call`, the position of the earlier step in the chain.
        path: For `call`, the place in its result: `reservations[].reservation_id`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["user", "schema", "clock", "call"]
    step: int | None = None
    path: str = ""


class ChainStep(BaseModel):
    """One tool of a chain.

    Attributes:
        tool: Its name, as the package (or bundle of packages) lists it.
        turn: The turn it belongs to, from 0; turns never decrease along a chain.
        supplies: Input → where it comes from; every required input is here.
        after: Positions of earlier steps that tell it nothing and yet make it possible: a code is sent before it is
            verified.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    tool: str
    turn: int = 0
    supplies: dict[str, Supply] = Field(default_factory=dict)
    after: tuple[int, ...] = ()


class Chain(BaseModel):
    """Tools in an order in which each can be called: producers stand before consumers.

    Attributes:
        steps: The tools, no tool twice.
        seed: What the sampler was seeded with; grounding draws from it too.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    steps: tuple[ChainStep, ...] = Field(min_length=1)
    seed: int = 0

    @model_validator(mode="after")
    def _in_order(self) -> Chain:
        for place, step in enumerate(self.steps):
            if place and step.turn < self.steps[place - 1].turn:
                raise ValueError(f"{step.tool} stands in an earlier turn than the step before it")
            for name, supply in step.supplies.items():
                if (supply.kind == "call") != (supply.step is not None):
                    raise ValueError(f"{step.tool}.{name}: only a supply of kind `call` names a step")
                if supply.step is not None and not 0 <= supply.step < place:
                    raise ValueError(f"{step.tool}.{name} is to come from step {supply.step}, which is not earlier")
            if not all(0 <= earlier < place for earlier in step.after):
                raise ValueError(f"{step.tool} is to come after a step that is not earlier: {step.after}")
        return self

    @property
    def tools(self) -> tuple[str, ...]:
        """The names of the tools, in order."""
        return tuple(step.tool for step in self.steps)

    @property
    def sinks(self) -> tuple[int, ...]:
        """Positions of the steps that no later step uses or needs to come after: what such a chain is for."""
        used = {supply.step for step in self.steps for supply in step.supplies.values()}
        used |= {earlier for step in self.steps for earlier in step.after}
        return tuple(place for place in range(len(self.steps)) if place not in used)
