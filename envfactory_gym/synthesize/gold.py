"""From grounded turns and their requests to a whole task: gold is derived from the goal by carrying it out.

The literal calls come from execution in a fresh world with the task's own seed; the agent's messages
between them (asking for a slot, stating what is confirmed, telling answers) come from the wording.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..environment import Package, TaskPrivate
from ..environment.task import (
    Answered,
    Derived,
    Goal,
    GoalCall,
    GoldCall,
    GoldStep,
    Said,
    Setup,
    Slot,
    Source,
    Turn,
    User,
)
from ..episode.gold import GoldFailed, carry_out, knowledge
from ..world import LiveWorld, Template
from .difficulty import parts
from .turns import GroundedTurn

MAX_STEPS = 24
"""Agent messages of gold, at most: an episode's default limit is 30, and an agent needs some room."""


class TooLong(GoldFailed):
    """Gold takes more steps than an episode leaves room for."""


@dataclass(frozen=True)
class Speech:
    """The agent's words in gold; each is drawn by the wording.

    Attributes:
        ask: Slots → the question for them.
        confirm: Calls waiting for a confirmation → the message that states them.
        instruct: User tool → what the user is asked to do.
        close: Answers' subjects, and whether something was written → the last message, `{subject}` in place.
        decline: Rule → why not.
    """

    ask: Callable[[Sequence[str]], str]
    confirm: Callable[[Sequence[GoldCall]], str]
    instruct: Callable[[str], str]
    close: Callable[[Sequence[str], Sequence[GoldCall]], str]
    decline: Callable[[str], str]


@dataclass(frozen=True)
class Finished:
    """A task with gold.

    Attributes:
        task: The task.
        results: What its goals' calls returned, by id.
        tables: Tables that they read or wrote.
        touched: People, rows that were there and changed, and rows referred to.
    """

    task: TaskPrivate
    results: dict[str, Any]
    tables: tuple[str, ...]
    touched: tuple[str, ...]


def told_up_front(turns: Sequence[GroundedTurn], requests: Sequence[str], slots: Mapping[str, Any]) -> list[Goal]:
    """The goals of all turns, in which a slot whose value a request states is read from there."""
    said = {
        name: Said(turn=number, span=str(value))
        for name, value in slots.items()
        for number, request in reversed(list(enumerate(requests)))
        if str(value) in request
    }

    def settled(source: Source, turn: int) -> Source:
        if isinstance(source, Answered) and source.slot in said and said[source.slot].turn <= turn:
            return said[source.slot]
        if isinstance(source, Derived):
            return source.model_copy(update={"sources": tuple(settled(child, turn) for child in source.sources)})
        return source

    return [
        Goal(
            calls=tuple(
                _with(call, {name: settled(one, number) for name, one in call.arguments.items()}) for call in turn.calls
            ),
            answers=tuple(one.model_copy(update={"source": settled(one.source, number)}) for one in turn.answers),
            referents=tuple(dict.fromkeys(turn.referents)),
            decline=turn.decline,
        )
        for number, turn in enumerate(turns)
    ]  # fmt: skip


def _with(call: GoalCall, arguments: dict[str, Source]) -> GoalCall:
    return call.model_copy(update={"arguments": arguments})


def finish(
    package: Package,
    *,
    name: str,
    seed: int,
    split: str,
    user: User,
    setup: Setup,
    requests: Sequence[str],
    goals: Sequence[Goal],
    speech: Speech,
    kinds: Sequence[str],
    twin: str | None = None,
) -> Finished:
    """The whole task, with what its calls returned and touched.

    Raises:
        GoldFailed: The goals cannot be carried out in a fresh world.
        TooLong: They take too many steps.
    """
    acts = any(package.tools[call.tool].actor == "user" for goal in goals for call in goal.calls)
    draft = TaskPrivate(
        id=name,
        environment=package.id,
        split=split,  # type: ignore[arg-type]
        seed=seed,
        user=user,
        setup=setup,
        turns=tuple(
            Turn(
                request=request,
                goal=goal,
                gold=(GoldStep(say="Done.", expect="ends"),),
                max_other_values=2 if any(not package.tools[call.tool].read_only for call in goal.calls) else 0,
            )
            for request, goal in zip(requests, goals, strict=True)
        ),
        twin=twin,
        solo=not acts,
        kinds=tuple(kinds),
        wording="script",
        world_hash=package.world_hash,
        rules_hash=package.rules_hash,
    )
    template = Template.of(package)
    world = template.acquire(setup, seed=seed)
    results: dict[str, Any] = {}
    told: set[str] = set()
    turns = []
    tables: set[str] = set()
    touched = {f"{slot.name} {slot.value}" for slot in user.slots}
    try:
        for index, turn in enumerate(draft.turns):
            known = knowledge(package, draft, index, world.now, results)
            touched |= _denoted(package, turn.goal, world)  # as the turn begins: later they may denote others
            with world.reads() as read:
                made = [call for call, _ in carry_out(world, package, turn.goal, known)]
            tables |= read
            steps = list(_steps(package, turn.goal, made, speech, told))
            turns.append(turn.model_copy(update={"gold": tuple(steps)}))
        tables |= world.touched()
        touched |= {f"{table} {key}" for (table, key), (old, _) in world.changes().items() if old is not None}
    finally:
        template.release(world)
    task = draft.model_copy(update={"turns": tuple(turns)})
    if (length := sum(len(turn.gold) for turn in turns)) > MAX_STEPS:
        raise TooLong(f"gold takes {length} steps; an episode leaves room for {MAX_STEPS}")
    return Finished(task, results, tuple(sorted(tables & set(package.schema.tables))), tuple(sorted(touched)))


def _denoted(package: Package, goal: Goal, world: LiveWorld) -> set[str]:
    """The rows that a turn refers to, by column and key; a number within another row names no row by itself."""
    found: set[str] = set()
    for referent in goal.referents:
        table, _, column = referent.column.partition(".")
        if package.schema.tables[table].key == (column,):
            found |= {f"{referent.column} {row[0]}" for row in world.query(referent.sql)}
    return found


def _steps(package: Package, goal: Goal, made: Sequence[GoldCall], speech: Speech, told: set[str]) -> list[GoldStep]:
    steps: list[GoldStep] = []
    wanted = [slot for slot in slots_of(goal) if slot not in told]
    if wanted:
        steps.append(GoldStep(say=speech.ask(wanted), slots=tuple(wanted), expect="tells"))
        told.update(wanted)
    for place, call in enumerate(made):
        tool = package.tools[call.tool]
        if tool.confirm:
            steps.append(GoldStep(say=speech.confirm(made[place : place + 1]), expect="affirms"))
        if tool.actor == "user":
            steps.append(GoldStep(say=speech.instruct(call.tool), acts=call, expect="acts"))
        else:
            steps.append(GoldStep(calls=(call,)))
    if goal.decline:
        why = speech.decline(goal.decline)
        decline = GoldCall(id="decline", tool="decline_request", arguments={"rule": goal.decline, "explanation": why})
        return [*steps, GoldStep(calls=(decline,)), GoldStep(say=why, expect="ends")]
    writes = [call for call in made if not package.tools[call.tool].read_only]
    return [*steps, GoldStep(say=speech.close([one.subject for one in goal.answers], writes), expect="ends")]


def slots_of(goal: Goal) -> list[str]:
    """Slots that a goal needs to be told, in the order needed."""
    sources = [source for call in goal.calls for source in call.arguments.values()]
    sources += [answer.source for answer in goal.answers]
    return list(dict.fromkeys(part.slot for source in sources for part in parts(source) if isinstance(part, Answered)))


def user_of(package: Package, slots: Mapping[str, Any], name: str, persona: str) -> User:
    """Who asks, with every slot it may be asked for."""
    wording = package.language.slots
    return User(
        name=name,
        persona=persona,
        slots=tuple(Slot(name=slot, value=value, say=wording[slot].say) for slot, value in slots.items()),
    )


__all__ = ["Speech", "finish", "slots_of", "told_up_front", "user_of"]
