"""A graded session: one task, played through an `Episode`.

Each tool call of the client is one agent message with one call. Over plain MCP it is the solo form of
the task: a client never sends text of its own, so when it leaves, `finish` says `CLOSING` in its
stead, which ends the turn and has it graded. With a control plane the user may converse too (`say`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic_core import to_json

from ..environment import EnvFactoryError, Package, TaskPrivate, ToolError
from ..episode import AnswerForm, Episode, EpisodeJournal, Outcome, RunRecord, Step, UserForm, record
from ..episode.episode_tools import episode_tools
from ..world import LiveWorld
from .session import MAX_STEPS, Reply, ServeError, Session, SessionFault, agent_tools
from .state import TaskState, task_hash

CLOSING = "Done."
"""The agent's last message; it tells nothing, because answers go through the `answer` tool."""


class GradedSession(Session):
    """One task being played.

    Args:
        package: The environment.
        task: The task.
        user, answer: In which form, as in `Episode`.
        max_steps: Calls and messages after which it is out of steps.
        episode: The episode, where it has begun already.
    """

    def __init__(
        self,
        package: Package,
        task: TaskPrivate,
        *,
        user: UserForm = "solo",
        answer: AnswerForm = "tool",
        max_steps: int = MAX_STEPS,
        episode: Episode | None = None,
    ) -> None:
        package = package.narrowed(task)
        super().__init__(package, {**agent_tools(package), **episode_tools(package, answer)})
        if episode is None:
            episode = Episode(package, task, user=user, answer=answer, max_steps=max_steps)
            episode.reset()
        self.episode = episode

    @classmethod
    def resume(cls, package: Package, state: TaskState) -> GradedSession:
        """The session of a saved state, its messages played again.

        Raises:
            ServeError: The task or the environment has changed, or the calls lead elsewhere now.
        """
        task = package.task(state.task)
        if task_hash(task) != state.task_hash:
            raise ServeError(f"the task {task.id} has changed since this state was saved, so it cannot be resumed")
        journal = EpisodeJournal(
            environment=state.environment,
            world_hash=state.world_hash,
            rules_hash=state.rules_hash,
            task=task,
            user="solo",
            answer="tool",
            max_steps=state.max_steps,
            messages=state.messages,
            digest=state.digest,
        )
        try:
            episode = Episode.replay(journal, package=package)
        except EnvFactoryError as error:
            raise ServeError(f"the saved state cannot be resumed: {error}") from error
        return cls(package, task, episode=episode)

    def _call(self, name: str, arguments: Mapping[str, Any]) -> Reply:
        episode = self.episode
        if not episode.over:
            episode.step({"content": "", "tool_calls": [{"name": name, "arguments": dict(arguments)}]})
            if episode.outcome is None or episode.outcome.reward_valid:
                call = episode.calls[-1]
                return Reply(call.result, call.error is not None)
        assert episode.outcome is not None  # an episode that is over has one
        if not episode.outcome.reward_valid:
            raise SessionFault(f"the episode is over and its reward is not valid: {episode.outcome.reason}")
        # Why it ended is the trainer's to know: the agent would read there what it should have done.
        spent = ": it is out of steps" if episode.outcome.kind == "out_of_steps" else ""
        over = ToolError("limit", f"The episode is over{spent}.")
        return Reply(to_json(over.payload()).decode(), refused=True)

    @property
    def instructions(self) -> str:
        """The episode's system prompt."""
        return self.episode.prompt

    @property
    def ticket(self) -> str:
        """The text of the ticket."""
        return self.episode.task.turns[0].request

    @property
    def world(self) -> LiveWorld:
        """The world that is being used."""
        return self.episode.world

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The transcript so far."""
        return list(self.episode.messages)

    @property
    def outcome(self) -> Outcome | None:
        """How it ended; None while it goes on."""
        return self.episode.outcome

    @property
    def steps(self) -> int:
        """Agent messages so far."""
        return self.episode.steps

    def reset(self) -> None:
        """Back to right after the setup, nothing said."""
        self.episode.reset()

    def say(self, text: str) -> Step:
        """Say something to the user: an agent message without calls.

        Raises:
            EpisodeOver: The episode has ended.
        """
        return self.episode.step({"role": "assistant", "content": text})

    def score(self) -> Outcome:
        """How it ended, or would end if the agent stopped here; it stays where it is."""
        return self.episode.score()

    def fail(self, reason: str) -> None:
        """End it because the environment failed, without a valid reward."""
        if not self.episode.over:
            self.episode.abort("infra", reason)

    def state(self) -> TaskState:
        """The task by its id, and the messages so far."""
        journal = self.episode.journal()
        return TaskState(
            environment=journal.environment,
            world_hash=journal.world_hash,
            rules_hash=journal.rules_hash,
            task=journal.task.id,
            task_hash=task_hash(journal.task),
            max_steps=journal.max_steps,
            messages=journal.messages,
            digest=journal.digest,
        )

    def finish(self, seconds: float | None = None) -> RunRecord:
        """Close the episode, unless it is over, and return its record with the outcome."""
        while not self.episode.over:
            self.say(CLOSING)
        return self.record(seconds)

    def record(self, seconds: float | None = None) -> RunRecord:
        """The record of the episode as far as it has come."""
        return record(self.episode, self.agent, seconds=seconds)

    def close(self) -> None:
        """Give the world back."""
        self.episode.close()
