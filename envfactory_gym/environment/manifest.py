"""`environment.yaml`: what an environment is called, where it comes from, and what time it is there."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, field_validator

NAMESPACE = "EnvFactory"
"""Namespace of every registered Gymnasium id."""


class SourceRecord(BaseModel):
    """An authentic resource that an environment was built from."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str
    url: str | None = None
    licence: str = "not stated"


class Manifest(BaseModel):
    """The content of `environment.yaml`.

    Attributes:
        name: Identifier, lower case; also the tool prefix where several environments meet.
        version: `major.minor.patch`; the major number raises when tasks become invalid.
        users: Who talks to the agent, in a sentence or two.
        clock: The time in the base world, `YYYY-MM-DDTHH:MM:SSZ`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,19}$")]
    title: str
    domain: str
    version: Annotated[str, Field(pattern=r"^\d+\.\d+\.\d+$")] = "0.1.0"
    summary: str
    users: str = ""
    clock: str
    sources: tuple[SourceRecord, ...] = ()

    @field_validator("clock", mode="before")
    @classmethod
    def _iso_utc(cls, value: object) -> object:
        text = value.strftime("%Y-%m-%dT%H:%M:%SZ") if isinstance(value, datetime) else value
        if not isinstance(text, str) or not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", text):
            raise ValueError("write the time as YYYY-MM-DDTHH:MM:SSZ, in UTC")
        datetime.fromisoformat(text.replace("Z", "+00:00"))
        return text

    @property
    def id(self) -> str:
        """The Gymnasium id, such as `EnvFactory/airline-v0`."""
        return f"{NAMESPACE}/{self.name}-v{self.version.split('.')[0]}"
