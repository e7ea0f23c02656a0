"""A free session: the base world without a task, to look around in. Nothing is graded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic_core import to_json

from ..environment import EnvironmentFault, Package, ToolError
from ..episode import RunRecord
from ..episode.prompt import introduction
from ..episode.record import RunCall
from ..world import Journal, LiveWorld, Template
from .session import Reply, ServeError, Session, SessionFault, agent_tools
from .state import FreeState


class FreeSession(Session):
    """A world on the base data, with the environment's own tools and no end.

    Args:
        package: The environment.
        seed: Seeds ids and chance.
        transcript: Whether to keep what was called and said back; without, it can go on for ever.
    """

    def __init__(self, package: Package, *, seed: int = 0, transcript: bool = True) -> None:
        super().__init__(package, agent_tools(package))
        self._world = Template.of(package).acquire(seed=seed)
        self._transcript = transcript
        self._begin()

    def _begin(self) -> None:
        self._messages: list[dict[str, Any]] = [{"role": "system", "content": self.instructions}]
        self._calls: list[RunCall] = []

    def reset(self) -> None:
        """Back to the base world."""
        self._world.reset()
        self._begin()

    @property
    def world(self) -> LiveWorld:
        """The world that is being used."""
        return self._world

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The transcript so far."""
        return list(self._messages)

    @classmethod
    def resume(cls, package: Package, journal: Journal) -> FreeSession:
        """The session of a journal, its successful calls made again.

        Raises:
            ServeError: The environment has changed, or the calls lead elsewhere now.
        """
        if journal.world_hash != package.world_hash:
            raise ServeError(f"{package.name} has changed since this state was saved, so it cannot be resumed")
        session = cls(package)
        for number, call in enumerate(journal.calls, start=1):
            if call.tool not in session.tools or session.call(call.tool, call.arguments).refused:
                raise ServeError(f"call {number} of the saved state ({call.tool}) succeeded then and fails now")
        if session._world.digest() != journal.digest:
            raise ServeError(f"the saved calls of {package.name} no longer lead to the saved world")
        return session

    def _call(self, name: str, arguments: Mapping[str, Any]) -> Reply:
        error = None
        try:
            text = self._world.call(name, arguments)
        except ToolError as refusal:
            text, error = to_json(refusal.payload()).decode(), refusal.code
        except EnvironmentFault as fault:
            raise SessionFault(f"the environment failed: {fault}; the call left no trace") from fault
        if self._transcript:
            self._note(name, arguments, text, error)
        return Reply(text, error is not None)

    def _note(self, name: str, arguments: Mapping[str, Any], text: str, error: str | None) -> None:
        step = len(self._calls) + 1
        identifier = f"call_{step - 1}_0"
        function = {"name": name, "arguments": arguments}
        call = {"id": identifier, "type": "function", "function": function}
        self._messages += [
            {"role": "assistant", "content": "", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": identifier, "name": name, "content": text},
        ]
        self._calls.append(
            RunCall(turn=0, step=step, actor="agent", tool=name, arguments=arguments, result=text, error=error)
        )

    @property
    def instructions(self) -> str:
        """Who the agent is, the rules and the time."""
        return introduction(self.package, now=self.now)

    @property
    def ticket(self) -> None:
        """None: nobody asks for anything."""
        return None

    def state(self) -> FreeState:
        """The journal of the world."""
        return FreeState(environment=self.package.id, world=self._world.journal())

    def finish(self, seconds: float | None = None) -> RunRecord:
        """The record of what was called; its `task` is empty and it has no outcome."""
        return RunRecord(
            environment=self.package.id,
            task="",
            world_hash=self.package.world_hash,
            rules_hash=self.package.rules_hash,
            split="",
            user="solo",
            answer="tool",
            agent=self.agent,
            tools=[tool.openai() for tool in self.tools.values()],
            messages=self._messages,
            calls=self._calls,
            outcome=None,
            digest=self._world.digest(),
            seconds=seconds,
        )

    def close(self) -> None:
        """Give the world back."""
        self._world.template.release(self._world)
