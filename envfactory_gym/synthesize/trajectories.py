"""Trajectories out of gold: the reference solution played as an agent would, now and then with a slip and its repair.

The slip is one that models make: a code copied wrongly into a look-up. The tool refuses, the agent
notices and calls again with the right one. Nothing else changes, so the outcome is that of gold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any

from ..agents import play
from ..agents.baselines import GoldAgent, Message
from ..environment import Package, TaskPrivate
from ..episode import Episode, RunRecord
from ..episode.record import record
from .maker import digest

_REPAIRS = (
    "I mistyped that code; let me try again.", "That was a slip of mine. Once more.", "Not found: I copied it wrongly.",
    "Sorry, wrong code. Checking again.",
)  # fmt: skip


class RecoveringAgent(GoldAgent):
    """Gold, with one look-up first called with a code that is one letter off.

    Args:
        episode: The episode it will play.
        random: Draws where and how.
    """

    name = "gold-with-a-slip"

    def __init__(self, episode: Episode, random: Random) -> None:
        super().__init__(episode)
        self._random = random

    def begin(self, messages: list[Message], tools: list[Message]) -> None:
        """Start the solution over, with the slip in it."""
        super().begin(messages, tools)
        self._steps = iter(self._slipped(list(self._steps)))

    def _slipped(self, steps: Sequence[Message]) -> list[Message]:
        tools = self._episode.package.tools
        places = []
        for number, step in enumerate(steps):
            for call in step.get("tool_calls", ())[:1]:
                tool = tools.get(call["name"])
                refs = {one.name for one in tool.parameters if one.ref} if tool is not None else set()
                code = next(
                    (name for name, value in call["arguments"].items() if name in refs and _is_code(value)), None
                )
                if tool is not None and tool.read_only and code is not None:
                    places.append((number, call, code))
        if not places:
            return list(steps)
        number, call, name = places[int(self._random.random() * len(places))]
        wrong = {**call["arguments"], name: _mistyped(str(call["arguments"][name]), self._random)}
        slip = {
            "role": "assistant",
            "content": "",
            "tool_calls": [{**call, "id": f"{call['id']}-slip", "arguments": wrong}],
        }
        repaired = {**steps[number], "content": _REPAIRS[int(self._random.random() * len(_REPAIRS))]}
        return [*steps[:number], slip, repaired, *steps[number + 1 :]]


def _is_code(value: Any) -> bool:
    return isinstance(value, str) and len(value) >= 5 and any(letter.isdigit() for letter in value) and "@" not in value


def _mistyped(code: str, random: Random) -> str:
    """The code with two neighbouring characters exchanged, or one repeated where they are all alike."""
    places = [place for place in range(len(code) - 1) if code[place] != code[place + 1]]
    if not places:
        return code + code[-1]
    at = places[int(random.random() * len(places))]
    return code[:at] + code[at + 1] + code[at] + code[at + 2 :]


def trajectories(
    package: Package, tasks: Iterable[TaskPrivate], *, recovery: float = 0.0, seed: int = 0
) -> Iterator[RunRecord]:
    """One record per task: gold played through an episode, kept only where it succeeds.

    Args:
        package: The environment.
        tasks: Its tasks.
        recovery: Share of trajectories with a slip and its repair.
        seed: Draws which.
    """
    for task in tasks:
        random = Random(digest("trajectory", seed, task.id))
        slips = random.random() < recovery
        episode = Episode(package, task)
        try:
            agent = RecoveringAgent(episode, random) if slips else GoldAgent(episode)
            step = play(episode, agent)
            if step.outcome is not None and step.outcome.success:
                yield record(episode, agent.name)
        finally:
            episode.close()
