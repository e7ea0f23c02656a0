"""What holds a sandbox: its layers, which of them are active here, and what each can promise.

A layer of the kernel holds whatever the code does. One of the interpreter stops mistakes and plain
attacks, and can be got round by code that breaks Python itself. A report that named only what is
active would hide the difference, so it names both, and why a layer is missing.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

Held = Literal["kernel", "interpreter", "launcher"]
"""Who holds a layer: the kernel, the interpreter that runs the code, or the process that started it."""

LAYERS: dict[str, tuple[Held, str]] = {
    "snapshot": ("launcher", "it works on a copy without links; the package folder itself is never touched"),
    "environment": ("launcher", "no environment variable and no open file of the caller is passed on"),
    "supervisor": (
        "launcher",
        "the number of processes is watched, beside wall time and output; all are killed at the end",
    ),
    "limits": ("kernel", "CPU time, memory, open files and file sizes are bounded"),
    "namespaces": ("kernel", "a file system, processes and network of its own: nothing else is there to be seen"),
    "landlock": ("kernel", "files outside its own folder are not written, nor read beyond Python's; no TCP"),
    "seccomp": ("kernel", "no sockets, tracing, mounts or signals to others; no new processes where none are due"),
    "audit": ("interpreter", "Python refuses files, processes, sockets, ctypes and frames to the package's code"),
}
"""Every layer: who holds it, and what it holds."""


class Layer(BaseModel):
    """One layer here and now.

    Attributes:
        name: One of `LAYERS`.
        active: Whether it holds.
        why: Why it does not; empty where it does.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    active: bool
    why: str = ""

    @property
    def held_by(self) -> Held:
        """Who holds it."""
        return LAYERS[self.name][0]

    @property
    def holds(self) -> str:
        """What it holds, in a sentence."""
        return LAYERS[self.name][1]


class Protection(BaseModel):
    """All layers of one sandbox."""

    model_config = ConfigDict(frozen=True)

    layers: tuple[Layer, ...]

    @property
    def active(self) -> list[str]:
        """Names of the layers that hold."""
        return [layer.name for layer in self.layers if layer.active]

    @property
    def missing(self) -> list[str]:
        """Names of the layers that do not, each with the reason."""
        return [f"{layer.name} ({layer.why})" for layer in self.layers if not layer.active]

    @property
    def files_walled(self) -> bool:
        """Whether the kernel keeps the code away from the files of this machine."""
        return bool({"namespaces", "landlock"} & set(self.active))

    @property
    def network_walled(self) -> bool:
        """Whether the kernel keeps the code off the network."""
        return bool({"namespaces", "seccomp"} & set(self.active))

    @property
    def walled(self) -> bool:
        """Whether the kernel keeps the code away from both."""
        return self.files_walled and self.network_walled

    def summary(self) -> str:
        """One line for the user."""
        text = f"sandbox: {', '.join(self.active)}"
        if self.missing:
            text += f"; missing: {', '.join(self.missing)}"
        if not self.walled:
            open_to = " and ".join(
                name for name, walled in (("files", self.files_walled), ("network", self.network_walled)) if not walled
            )
            text += f". The kernel does not guard {open_to} here: run only code that you would run anyway"
        return text
