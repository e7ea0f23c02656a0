"""A session: one world being used by one client, seen as tools that are called by name.

Two kinds look alike from here: `graded` plays a task, `free` explores the base world. A session
knows no protocol; whoever serves it turns replies into messages.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..environment import EnvFactoryError, Package, Tool

if TYPE_CHECKING:
    from ..episode import Outcome, RunRecord, Step
    from ..world import Changes, LiveWorld
    from .state import SavedState

MAX_STEPS = 100
"""Calls a graded session may make. A Gymnasium step may hold many calls; over MCP each is a step of its own."""


class ServeError(EnvFactoryError):
    """Serving cannot begin, or its outcome cannot be kept; the message says why and what to do."""


class SessionFault(EnvFactoryError):
    """The environment, not the client, failed during a call."""


class NotGraded(ServeError):
    """Something that only a task has (a user, a grade) was asked of a free world."""

    def __init__(self, wanted: str) -> None:
        super().__init__(f"a base world without a task has no {wanted}; create the episode with a task")


@dataclass(frozen=True)
class Reply:
    """What a call gave back: compact JSON text, and whether it is a refusal."""

    text: str
    refused: bool = False


class Session(ABC):
    """One client's use of one environment.

    Attributes:
        package: The environment.
        tools: Name → tool, exactly those that may be called, in listed order.
        client: Name of the client program, once it has introduced itself.
        after_change: Called after each call that may have changed the world or the grading.
    """

    def __init__(self, package: Package, tools: Mapping[str, Tool]) -> None:
        self.package, self.tools = package, tools
        self.client: str | None = None
        self.after_change: Callable[[Session], None] | None = None

    def call(self, name: str, arguments: Mapping[str, Any]) -> Reply:
        """Call one of `tools`.

        Raises:
            SessionFault: The environment failed.
        """
        try:
            return self._call(name, arguments)
        finally:
            # A fault may have ended the episode, which is a change as well.
            if self.after_change is not None and not only_reads(self.tools[name]):
                self.after_change(self)

    @property
    def agent(self) -> str:
        """Who is playing, as run records say it."""
        return f"mcp:{self.client}" if self.client else "mcp"

    @abstractmethod
    def _call(self, name: str, arguments: Mapping[str, Any]) -> Reply: ...

    @property
    @abstractmethod
    def instructions(self) -> str:
        """What the agent is told before it begins: the system prompt."""

    @property
    @abstractmethod
    def ticket(self) -> str | None:
        """The request to work on; None where there is no task."""

    @property
    @abstractmethod
    def world(self) -> LiveWorld:
        """The world that is being used."""

    @property
    @abstractmethod
    def messages(self) -> list[dict[str, Any]]:
        """The transcript so far."""

    @abstractmethod
    def reset(self) -> None:
        """Back to right after the setup."""

    @property
    def now(self) -> str:
        """The time in the world, ISO 8601."""
        return self.world.now

    def changes(self) -> Changes:
        """Every row changed since the setup."""
        return self.world.changes()

    @property
    def outcome(self) -> Outcome | None:
        """How it ended; None while it goes on, and always without a task."""
        return None

    @property
    def steps(self) -> int:
        """Agent messages so far."""
        return 0

    def say(self, text: str) -> Step:
        """Say something to the user.

        Raises:
            NotGraded: There is no user.
        """
        raise NotGraded("user to talk to")

    def score(self) -> Outcome:
        """How it ended, or would end if the agent stopped here; it stays where it is.

        Raises:
            NotGraded: There is nothing to grade.
        """
        raise NotGraded("grade")

    def fail(self, reason: str) -> None:
        """End it because the environment failed; without a task there is nothing to end."""
        return

    @abstractmethod
    def state(self) -> SavedState:
        """What is needed to be here again in another process."""

    @abstractmethod
    def finish(self, seconds: float | None = None) -> RunRecord:
        """End the session: grade it, where there is something to grade.

        Args:
            seconds: How long it took, for the record.
        """

    @abstractmethod
    def close(self) -> None:
        """Give the world back; nothing can be called afterwards."""


def only_reads(tool: Tool) -> bool:
    """Whether a call changes neither the world nor the grading."""
    return tool.read_only and tool.actor != "episode"


def agent_tools(package: Package) -> dict[str, Tool]:
    """The environment's tools for the agent, by name, in the order of server.py."""
    return {name: tool for name, tool in package.tools.items() if tool.actor == "agent"}


def open_session(package: Package, task: str | None = None, *, max_steps: int = MAX_STEPS) -> Session:
    """A new session.

    Args:
        package: The environment.
        task: Id of the task to play in its solo form; None for a free world.
        max_steps: Calls after which a task's episode is out of steps.

    Raises:
        TaskError: There is no such task, or it cannot be played alone.
    """
    if task is None:
        from .free import FreeSession

        return FreeSession(package)
    from .graded import GradedSession

    return GradedSession(package, package.task(task), max_steps=max_steps)
