"""The journal of a world: the few kilobytes from which the same world can be played again.

A live world does not travel between processes; its journal does. `Template.replay` starts from
the setup, makes the calls again, and must reach the recorded digest.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import PydanticSerializationError, to_json

from ..environment.task import Setup


class JournalCall(BaseModel):
    """A successful call: the tool, its arguments as given, who made it, and the time it was."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="constants")

    tool: str
    arguments: dict[str, Any] = Field(default_factory=dict)
    actor: str = "agent"
    now: str


class Journal(BaseModel):
    """Everything that decides the state of a world.

    Attributes:
        world_hash: The template it belongs to.
        setup: What was changed before the episode.
        seed: Seed of ids and chance.
        now: The time at the end.
        calls: Successful calls in order; a failed call leaves no trace, so it is not here.
        digest: Digest of the rows at the end.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="constants")

    world_hash: str
    setup: Setup = Setup()
    seed: int = 0
    now: str
    calls: tuple[JournalCall, ...] = ()
    digest: str


def as_text(arguments: Mapping[str, Any]) -> bytes | None:
    """Arguments as JSON; None where they are not, which `Tool.validate` then explains."""
    try:
        return to_json(arguments)
    except (PydanticSerializationError, UnicodeError, ValueError, TypeError):
        return None
