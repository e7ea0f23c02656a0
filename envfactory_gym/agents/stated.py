"""An agent that uses stated arguments only: how far one comes by listening, without looking anything up.

It is told which tools gold calls, and makes exactly those calls whose every argument the user states
or tells when asked, or which schema, policy or clock give away. What has to be found in a result it
never sends. A task it solves asks for no lookup; the share of those says how implicit a set is.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..environment.task import GoldStep, Turn
from ..environment.tool import EPISODE_TOOLS
from ..episode import Episode
from ..episode.solo import results_used
from ..episode.values import say
from .baselines import Message, gold_message


class StatedAgent:
    """Makes gold's calls as far as their arguments are stated; it is given the episode, since it knows what nobody may.

    Args:
        episode: The episode it plays.
    """

    name = "stated-arguments-only"

    def __init__(self, episode: Episode) -> None:
        self._episode = episode
        self._steps: Iterator[Message] = iter(())

    def begin(self, messages: list[Message], tools: list[Message]) -> None:
        """Start over."""
        self._steps = self._play()

    def act(self, messages: list[Message]) -> Message:
        """The next of gold's messages that can be said without a lookup."""
        return next(self._steps, {"role": "assistant", "content": "Done."})

    def _play(self) -> Iterator[Message]:
        made: set[str] = set()
        for index, turn in enumerate(self._episode.task.turns):
            stated = {
                call.id for call in turn.goal.calls if not any(results_used(value) for value in call.arguments.values())
            }
            made |= stated
            for step in turn.gold:
                if step.expect == "ends":
                    yield from self._end(step, turn, index, made)
                elif step.calls:
                    kept = tuple(call for call in step.calls if call.id in stated or call.tool in EPISODE_TOOLS)
                    if kept:
                        yield gold_message(step.model_copy(update={"calls": kept, "say": None}), {})
                elif (
                    step.expect == "tells"
                    or (step.acts is not None and step.acts.id in stated)
                    or (step.expect == "affirms" and all(call.id in stated for call in turn.goal.calls))
                ):
                    yield gold_message(step, {})

    def _end(self, step: GoldStep, turn: Turn, index: int, made: set[str]) -> Iterator[Message]:
        """The last message of a turn: the answers, if the results that they stand in were seen."""
        wanted = self._episode.plan.turns[index].accepted[0].answers
        told = {answer.subject: say(answer.kind, answer.value, answer.currency) for answer in wanted}
        if not all(results_used(answer.source) <= made for answer in turn.goal.answers):
            yield {"role": "assistant", "content": "Done."}
            return
        if self._episode.answer_form == "tool" and wanted:
            call = {"name": "answer", "arguments": {"values": list(told.values())}}
            yield {"role": "assistant", "content": "", "tool_calls": [call]}
        yield gold_message(step, told)
