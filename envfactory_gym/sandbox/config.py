"""What a launcher tells its warden."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

from .limits import Limits


class Config(BaseModel):
    """The order for one sandbox, as a file that only the warden reads.

    Attributes:
        target: What to run inside, as `module:function` of this library; it gets a `Channel` and the arguments.
        arguments: JSON data for the target.
        folder: The temporary folder that holds everything of this sandbox.
        work: The folder in it where the inmate may write.
        readable: Files and folders that may be read.
        imports: Roots of modules that the package's code may import; empty for all.
        layers: Layers to put up.
        absent: Layers that turned out not to be had here, and why.
        answers, status, alive: File descriptors: the inmate's answers, the warden's last words, and one that
            hangs up when the caller is gone.
    """

    model_config = ConfigDict(frozen=True)

    target: str
    arguments: dict[str, Any]
    limits: Limits
    folder: str
    work: str
    readable: tuple[str, ...]
    imports: tuple[str, ...]
    layers: frozenset[str]
    absent: dict[str, str] = {}
    answers: int = -1
    status: int = -1
    alive: int = -1
