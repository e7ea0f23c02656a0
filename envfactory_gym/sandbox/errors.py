"""What goes wrong around a sandbox. What the code inside does wrong is said in the words of its own room."""

from __future__ import annotations

from ..environment.errors import EnvFactoryError


class SandboxError(EnvFactoryError):
    """A sandbox could not be used as asked."""


class SandboxStopped(SandboxError):
    """A sandbox was ended, or ended itself, before it had answered.

    Args:
        reason: Why, in a few words, such as `more than 20 s of wall time`.
        output: The last of what it printed.
    """

    def __init__(self, reason: str, output: str = "") -> None:
        self.reason, self.output = reason, output
        tail = "\n".join(output.strip().splitlines()[-5:])
        super().__init__(f"the sandbox was stopped: {reason}" + (f"\n{tail}" if tail else ""))
