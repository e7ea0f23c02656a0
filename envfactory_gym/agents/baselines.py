"""Agents that need no model: gold, no-op, random. Every number about a task is read beside theirs."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Protocol

from ..environment.task import GoldStep
from ..episode import Episode, Step
from ..episode.values import say

Message = dict[str, Any]


class Agent(Protocol):
    """Anything that answers messages with messages. It sees what a model would see, and no more."""

    name: str

    def begin(self, messages: list[Message], tools: list[Message]) -> None:
        """A new episode: its first messages and the tools."""

    def act(self, messages: list[Message]) -> Message:
        """The next assistant message, given the new messages since the last one."""


def play(episode: Episode, agent: Agent) -> Step:
    """Play an episode from reset to its end; the last step carries the outcome."""
    messages = episode.reset()
    agent.begin(messages, episode.tools)
    while True:
        step = episode.step(agent.act(messages))
        if step.outcome is not None:
            return step
        messages = step.messages


class NoOpAgent:
    """Says "Done." and does nothing."""

    name = "no-op"

    def begin(self, messages: list[Message], tools: list[Message]) -> None:
        """Nothing to prepare."""

    def act(self, messages: list[Message]) -> Message:
        """Say that it is done."""
        return {"role": "assistant", "content": "Done."}


class RandomAgent:
    """Calls random tools with arguments sampled from their schemas and the base data.

    Args:
        sample: Draws one action, such as `AgentMessages.sample`.
        seed: Decides when it stops talking to tools.
        stop: Chance of ending the turn at each step.
    """

    name = "random"

    def __init__(self, sample: Any, seed: int = 0, stop: float = 0.1) -> None:
        self._sample, self._random, self._stop = sample, Random(seed), stop

    def begin(self, messages: list[Message], tools: list[Message]) -> None:
        """Nothing to prepare."""

    def act(self, messages: list[Message]) -> Message:
        """A random call, or now and then the end of the turn."""
        if self._random.random() < self._stop:
            return {"role": "assistant", "content": "Done."}
        action: Message = self._sample()
        return action


class GoldAgent:
    """Plays a task's reference solution; it is given the episode, since it knows what nobody may."""

    name = "gold"

    def __init__(self, episode: Episode) -> None:
        self._episode = episode
        self._steps: Iterator[Message] = iter(())

    def begin(self, messages: list[Message], tools: list[Message]) -> None:
        """Start the solution over."""
        self._steps = iter(gold_messages(self._episode))

    def act(self, messages: list[Message]) -> Message:
        """The next message of the solution; "Done." where it has run out."""
        return next(self._steps, {"role": "assistant", "content": "Done."})


def gold_messages(episode: Episode) -> list[Message]:
    """The reference solution of an episode's task (in its form) as assistant messages."""
    found = []
    for index, turn in enumerate(episode.task.turns):
        wanted = episode.plan.turns[index].accepted[0].answers
        told = {answer.subject: say(answer.kind, answer.value, answer.currency) for answer in wanted}
        for step in turn.gold:
            last = step.expect == "ends"
            if last and episode.answer_form == "tool" and wanted:
                call = {"name": "answer", "arguments": {"values": list(told.values())}}
                found.append({"role": "assistant", "content": "", "tool_calls": [call]})
            found.append(gold_message(step, told))
    return found


def gold_message(step: GoldStep, told: dict[str, str]) -> Message:
    """One step of gold as an assistant message; `{subject}` in its text becomes the answer."""
    text = step.say or ("" if step.calls else "Done.")
    for subject, value in told.items():
        text = text.replace("{" + subject + "}", value)
    calls = [{"id": call.id, "name": call.tool, "arguments": call.arguments} for call in step.calls]
    return {"role": "assistant", "content": text, **({"tool_calls": calls} if calls else {})}
