"""How much of the machine a sandbox may use. Sizes are in bytes, times in seconds."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

MIB = 1 << 20


class Limits(BaseModel):
    """What ends a sandbox.

    Attributes:
        wall_seconds: From start to end; None for a sandbox that waits for requests, each of which has its own limit.
        cpu_seconds: CPU time of one process; None for no limit.
        memory: Address space of one process.
        processes: Processes besides the first; 0 for none, which the kernel enforces where seccomp is at hand.
        files: Open files of one process.
        disk: The largest file and, where the temporary folder is a file system of its own, the whole folder.
        output: What may be printed.
        message: The longest answer to a request.
        package: The whole package folder, which is copied.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    wall_seconds: float | None = Field(default=None, gt=0)
    cpu_seconds: int | None = Field(default=None, gt=0)
    memory: int = Field(default=2048 * MIB, ge=64 * MIB)
    processes: int = Field(default=0, ge=0)
    files: int = Field(default=256, ge=32)
    disk: int = Field(default=256 * MIB, ge=MIB)
    output: int = Field(default=MIB, ge=0)
    message: int = Field(default=64 * MIB, ge=1024)
    package: int = Field(default=256 * MIB, ge=1024)
