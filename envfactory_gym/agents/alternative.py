"""An agent that solves a task another way than gold does, and must be paid all the same.

It knows gold, like `GoldAgent`, but looks every value up anew and goes its own way: another order
of calls, lookups nobody needs, calls one at a time or many together, other words, another of the
accepted ends. Where it is not paid, grading has a false negative.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ..environment import Goal, ToolError
from ..environment.task import GoalCall, GoldCall, GoldStep, Turn
from ..environment.tool import EPISODE_TOOLS
from ..episode import Episode
from ..episode.gold import knowledge
from ..episode.solo import results_used
from ..episode.sources import Knowledge, SourceError, evaluate
from ..episode.values import render, say

Message = dict[str, Any]
Play = Generator[Message, list[Message], None]

WORDINGS = 3
"""Rewordings that are tried."""


@dataclass(frozen=True)
class Way:
    """How to differ from gold.

    Attributes:
        name: For reports.
        reorder: Make calls in another valid order.
        reread: Look everything up again after each step.
        joined: Make calls that do not need each other in one message; else one call a message.
        wording: 0 keeps gold's words; others use other sentences and formats.
        end: (turn, alternative): the accepted end to take there instead of gold's.
    """

    name: str
    reorder: bool = False
    reread: bool = False
    joined: bool = False
    wording: int = 0
    end: tuple[int, int] | None = None

    def __str__(self) -> str:
        return self.name


def ways(episode: Episode) -> list[Way]:
    """Every way in which an episode's task can be solved differently."""
    turns = episode.task.turns
    found = [Way("looking values up anew"), Way("joining calls", joined=True), Way("reading more", reread=True)]
    if any(reordered(episode, plan_items(turn, turn.goal), turn.goal) or _writes_meet(episode, turn) for turn in turns):
        found.append(Way("another order", reorder=True))
    found += [Way(f"other words ({number})", wording=number) for number in range(1, WORDINGS + 1)]
    found += [
        Way(f"another end of turn {index + 1} ({number + 1})", end=(index, number))
        for index, turn in enumerate(turns)
        for number in range(len(turn.alternatives))
    ]
    return [*found, Way("all of this", reorder=True, reread=True, joined=True, wording=1)]


@dataclass(frozen=True)
class Item:
    """One part of a solution: a call, or a message to the user (`step`), perhaps one that makes the user act."""

    call: GoldCall | None = None
    step: GoldStep | None = None


def plan_items(turn: Turn, goal: Goal) -> list[Item]:
    """The parts of a turn's solution: gold's own, or those of another accepted goal in gold's manner."""
    if goal is turn.goal:
        items = []
        for step in turn.gold:
            items += [Item(call=call) for call in step.calls] if step.calls else [Item(step=step)]
        return items
    talks = [Item(step=step) for step in turn.gold if step.expect in ("tells", "affirms")]
    acts = {step.acts.id: step for step in turn.gold if step.acts}
    items = [
        Item(step=acts[call.id]) if call.id in acts else Item(call=GoldCall(id=call.id, tool=call.tool))
        for call in goal.calls
    ]
    if goal.decline:
        items.append(Item(call=GoldCall(id="decline", tool="decline_request", arguments={"rule": goal.decline})))
    return [*talks, *items, Item(step=GoldStep(say=None, expect="ends"))]


def reordered(episode: Episode, items: Sequence[Item], goal: Goal) -> list[Item] | None:
    """The items with lookups in another order where neither needs the other; None where there is none."""
    goals = {call.id: call for call in goal.calls}
    result: list[Item] = []
    run: list[Item] = []
    for item in [*items, None]:
        if item is not None and item.call is not None and _reads(episode, item.call):
            run.append(item)
            continue
        while run:
            left = {other.call.id for other in run if other.call}
            last = next(
                one
                for one in reversed(run)
                if one.call and not _needs(goals.get(one.call.id), goal) & (left - {one.call.id})
            )
            run.remove(last)
            result.append(last)
        if item is not None:
            result.append(item)
    return result if result != list(items) else None


def _needs(call: GoalCall | None, goal: Goal) -> set[str]:
    """Ids of the calls that have to come before one."""
    if call is None:
        return set()
    used = set().union(*(results_used(source) for source in call.arguments.values()))
    return used | {first for first, second in goal.order if second == call.id}


def _reads(episode: Episode, call: GoldCall) -> bool:
    return call.tool not in EPISODE_TOOLS and not episode.package.tools[call.tool].writes


def _writes(episode: Episode, call: GoldCall) -> bool:
    return call.tool not in EPISODE_TOOLS and bool(episode.package.tools[call.tool].writes)


def _writes_meet(episode: Episode, turn: Turn) -> bool:
    """Whether two writes follow each other, so that their order may be open."""
    made = [item.call is not None and _writes(episode, item.call) for item in plan_items(turn, turn.goal)]
    return any(first and second for first, second in pairwise(made))


class AlternativeSolver:
    """Solves a task in one way; it is given the episode, since it knows what nobody may.

    Args:
        episode: The episode it plays.
        way: How to differ from gold.
    """

    def __init__(self, episode: Episode, way: Way) -> None:
        self._episode, self._way = episode, way
        self.name = f"alternative: {way}"
        self._results: dict[str, Any] = {}
        self._read: dict[str, tuple[str, dict[str, Any]]] = {}
        self._run: Play = self._solve()

    def begin(self, messages: list[Message], tools: list[Message]) -> None:
        """Start over."""
        self._results, self._read = {}, {}
        self._run = self._solve()
        next(self._run)

    def act(self, messages: list[Message]) -> Message:
        """The next message of the solution."""
        return self._run.send(messages)

    def _solve(self) -> Play:
        yield {}
        for index, turn in enumerate(self._episode.task.turns):
            end = self._way.end
            goal = turn.alternatives[end[1]] if end is not None and end[0] == index else turn.goal
            items = plan_items(turn, goal)
            if self._way.reorder:
                items = reordered(self._episode, items, goal) or items
            # A value that cannot be looked up ends the turn: that the task is not paid says the rest.
            with suppress(SourceError):
                yield from self._turn(index, goal, items)
                continue
            yield _text("Done.")
        while True:
            yield _text("Done.")

    def _turn(self, index: int, goal: Goal, items: list[Item]) -> Play:
        waiting: list[tuple[GoldCall, dict[str, Any]]] = []
        left = list(items)
        while left:
            item = left.pop(0)
            if item.call is not None:
                needed = self._needed(item, goal)
                if self._way.reorder and left:
                    needed |= self._needed(left[0], goal)  # it may come first
                if waiting and (not self._way.joined or needed & {call.id for call, _ in waiting}):
                    yield from self._make(waiting)
                if self._way.reorder and left and self._may_swap(item, left[0], goal, index):
                    item, left[0] = left[0], item
                if item.call is not None:
                    waiting.append((item.call, self._arguments(item.call, goal, index)))
                continue
            yield from self._make(waiting)
            assert item.step is not None
            if item.step.expect == "ends":
                yield from self._finish(item.step, goal, index)
            else:
                yield _text(self._words(item.step, left, goal, index))
                if item.step.acts is not None:
                    self._note_act(item.step.acts)

    # ------------------------------------------------------------ calls

    @staticmethod
    def _needed(item: Item, goal: Goal) -> set[str]:
        """Ids of the calls that have to be made before an item."""
        return _needs(next((call for call in goal.calls if item.call and call.id == item.call.id), None), goal)

    def _make(self, waiting: list[tuple[GoldCall, dict[str, Any]]]) -> Play:
        """Make the waiting calls in one message and keep what they result in."""
        if not waiting:
            return
        replies = yield _calls([(call.tool, arguments) for call, arguments in waiting])
        for (call, arguments), reply in zip(waiting, replies, strict=False):
            result = json.loads(reply["content"])
            if "error" not in result:
                self._results[call.id] = result
            if _reads(self._episode, call):
                self._read[json.dumps([call.tool, arguments], sort_keys=True)] = (call.tool, arguments)
        waiting.clear()
        if self._way.reread and self._read:
            yield _calls(list(self._read.values()))

    def _arguments(self, call: GoldCall, goal: Goal, index: int) -> dict[str, Any]:
        """The arguments of a call, from what this agent itself was told; gold's where the goal has no such call."""
        for planned in goal.calls:
            if planned.id == call.id:
                known = self._known(index)
                return {name: evaluate(source, known) for name, source in planned.arguments.items()}
        return dict(call.arguments)

    def _known(self, index: int) -> Knowledge:
        episode = self._episode
        return knowledge(episode.package, episode.task, index, episode.world.now, self._results)

    def _note_act(self, act: GoldCall) -> None:
        """What the user saw; it told the agent in its own words."""
        done = next((call for call in reversed(self._episode.calls) if call.actor == "user"), None)
        if done is not None and done.tool == act.tool and done.error is None:
            self._results[act.id] = json.loads(done.result)

    def _may_swap(self, item: Item, after: Item, goal: Goal, index: int) -> bool:
        """Whether two writes do the same in either order: tried on the world, and taken back."""
        first, second = item.call, after.call
        if first is None or second is None or not (_writes(self._episode, first) and _writes(self._episode, second)):
            return False
        planned = next((call for call in goal.calls if call.id == second.id), None)
        if first.id in _needs(planned, goal):
            return False
        made = {call.id: (call.tool, self._arguments(call, goal, index)) for call in (first, second)}
        one, other = self._tried(made, (first.id, second.id)), self._tried(made, (second.id, first.id))
        return one is not None and other is not None and _alike(one[0], other[0], one[1] | other[1])

    def _tried(
        self, made: Mapping[str, tuple[str, dict[str, Any]]], order: tuple[str, str]
    ) -> tuple[dict[str, Any], set[Any]] | None:
        """Results of two writes in an order, with all ids minted; None where one is refused or both touch a row."""
        world = self._episode.world
        with world.trial():
            results, rows = {}, []
            for name in order:
                mark = world.mark()
                try:
                    results[name] = json.loads(world.call(*made[name]))
                except ToolError:
                    return None
                rows.append({where for where, (old, _) in world.changes(mark).items() if old is not None})
            return (results, set(world.minted)) if not rows[0] & rows[1] else None

    # ------------------------------------------------------------ words

    def _words(self, step: GoldStep, left: Sequence[Item], goal: Goal, index: int) -> str:
        """A message to the user: gold's with this episode's ids, or another that does the same."""
        wording = self._way.wording
        if step.expect == "tells" and wording:
            return _ASK[wording % len(_ASK)].format(" and your ".join(self._phrase(slot) for slot in step.slots))
        if step.expect == "affirms" and (wording or self._way.end is not None):
            return f"{self._intention(left, goal, index)} {_CONFIRM[wording % len(_CONFIRM)]}"
        return self._with_own_ids(step.say or "")

    def _phrase(self, slot: str) -> str:
        own = next((known.asked for known in self._episode.task.user.slots if known.name == slot and known.asked), ())
        wording = self._episode.package.language.slots.get(slot)
        return (own or (wording.asked if wording else ()) or (slot,))[0]

    def _intention(self, left: Sequence[Item], goal: Goal, index: int) -> str:
        """The writes up to the next confirmation, with their arguments, as far as they are known by now."""
        stated = []
        for item in left:
            if item.step is not None and item.step.expect == "affirms":
                break
            if item.call is not None and _writes(self._episode, item.call):
                with suppress(SourceError):
                    arguments = self._arguments(item.call, goal, index)
                    told = ", ".join(f"{name.replace('_', ' ')} {_spoken(value)}" for name, value in arguments.items())
                    stated.append(f"{item.call.tool.replace('_', ' ')} with {told}")
        return f"This is what I would do: {'; then '.join(stated)}."

    def _finish(self, step: GoldStep, goal: Goal, index: int) -> Play:
        """Tell the answers, as this agent found them, and end the turn."""
        known, language = self._known(index), self._episode.package.language
        told: dict[str, str] = {}
        for answer in goal.answers:
            value = evaluate(answer.source, known)
            phrases = language.phrases.get(answer.phrases or "", {}).get(str(value), ())
            forms = render(answer.kind, value, answer.currency, phrases)
            told[answer.subject] = (
                forms[self._way.wording % len(forms)] if self._way.wording else say(answer.kind, value, answer.currency)
            )
        if told and self._episode.answer_form == "tool":
            yield _calls([("answer", {"values": list(told.values())})])
        yield _text(self._last_words(step, told, goal))

    def _last_words(self, step: GoldStep, told: Mapping[str, str], goal: Goal) -> str:
        wording = self._way.wording
        if wording or step.say is None:
            if told:
                return _TELL[wording % len(_TELL)].format(
                    "\n".join(f"- {value}" for value in told.values()), ", ".join(told.values())
                )
            return "I am afraid our policy does not allow that." if goal.decline else _LEAVE[wording % len(_LEAVE)]
        words = self._with_own_ids(step.say)
        for subject, value in told.items():
            words = words.replace("{" + subject + "}", value)
        return words

    def _with_own_ids(self, words: str) -> str:
        """Gold's words with the ids of this episode, where other ids were minted than for gold."""
        for name, gold in self._episode.plan.results.items():
            for old, new in _pairs(gold, self._results.get(name)):
                if old != new and new in self._episode.world.minted:
                    words = words.replace(str(old), str(new))
        return words


_ASK = (
    "Could you tell me your {}?",
    "Happy to help with that! Before I start, may I have your {}, please?",
    "I need your {} to find you in our system.",
    "Please give me your {}.",
)
_CONFIRM = (
    "Shall I go ahead?",
    "Please confirm, and I will do it.",
    "Is that all right with you?",
    "Do you want me to proceed?",
)
_TELL = (
    "Here it is: {1}.",
    "This is what I found:\n{0}\nThank you for your patience.",
    "It is {1}.",
    "You asked, and the answer is {1}.",
)
_LEAVE = (
    "All done.",
    "That is taken care of. Have a nice day!",
    "Everything you asked for is done.",
    "It's done, thank you.",
)


def _spoken(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_spoken(part) for part in value)
    if isinstance(value, dict):
        return ", ".join(f"{name} {_spoken(part)}" for name, part in value.items())
    return str(value)


def _alike(one: Any, other: Any, minted: set[Any]) -> bool:
    """Whether two results are the same but for ids minted in the episode."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_alike(one[key], other[key], minted) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_alike, one, other, [minted] * len(one)))
    if isinstance(one, (dict, list)) or isinstance(other, (dict, list)):
        return False
    return bool(one == other) or (one in minted and other in minted)


def _pairs(one: Any, other: Any) -> list[tuple[Any, Any]]:
    """Scalars that stand at the same place of two results."""
    if isinstance(one, dict) and isinstance(other, dict):
        return [pair for key in one.keys() & other.keys() for pair in _pairs(one[key], other[key])]
    if isinstance(one, list) and isinstance(other, list):
        return [pair for left, right in zip(one, other, strict=False) for pair in _pairs(left, right)]
    return [] if isinstance(one, (dict, list)) or isinstance(other, (dict, list)) else [(one, other)]


def _text(content: str) -> Message:
    return {"role": "assistant", "content": content}


def _calls(made: Sequence[tuple[str, dict[str, Any]]]) -> Message:
    calls = [{"name": name, "arguments": arguments} for name, arguments in made]
    return {"role": "assistant", "content": "", "tool_calls": calls}
