"""The solo form of a task: one ticket with everything the user would tell, and no replies.

This is what an MCP client without a control plane plays. All turns become one; questions and
confirmations fall away from gold, and what it says is said once, at the end.
"""

from __future__ import annotations

from ..environment import Goal, Package, TaskError, TaskPrivate, Turn
from ..environment.task import Derived, GoldCall, GoldStep, Result, Said, Source


def solo_form(package: Package, task: TaskPrivate) -> TaskPrivate:
    """The one-ticket form of a task.

    Raises:
        TaskError: The task has none: it says so itself, or its turns decline for different rules.
    """
    if not task.solo:
        raise TaskError(f"task {task.id} has no solo form; play it with user='scripted'")
    if any(step.acts for turn in task.turns for step in turn.gold):
        raise TaskError(f"task {task.id} has no solo form: the user has to act; set solo to false")
    declines = {turn.goal.decline for turn in task.turns if turn.goal.decline}
    if len(declines) > 1:
        raise TaskError(f"task {task.id} has no solo form: it declines for {len(declines)} rules")
    goals = [_renamed(turn.goal, index) for index, turn in enumerate(task.turns)]
    goal = Goal(
        calls=tuple(call for part in goals for call in part.calls),
        answers=tuple(answer for part in goals for answer in part.answers),
        decline=next(iter(declines), None),
        referents=tuple(referent for part in goals for referent in part.referents),
        order=tuple(pair for part in goals for pair in part.order),
    )
    turn = Turn(
        request=ticket(package, task),
        goal=goal,
        gold=_gold(task),
        alternatives=_alternatives(task, goals),
        max_other_values=sum(turn.max_other_values for turn in task.turns),
    )
    return task.model_copy(update={"turns": (turn,), "twin": None})


def ticket(package: Package, task: TaskPrivate) -> str:
    """The text of the ticket: every request, every slot, and leave to act."""
    paragraphs = [turn.request for turn in task.turns]
    told = [slot.say.format(value=slot.value) for slot in task.user.slots]
    if told:
        paragraphs.append(" ".join(told))
    paragraphs.append("I cannot answer questions about this; please go ahead without asking back.")
    return "\n\n".join(paragraphs)


def _renamed(goal: Goal, turn: int) -> Goal:
    """The goal with its words in turn 0. Call ids are unique in a task, so they stay."""
    calls = tuple(
        call.model_copy(update={"arguments": {name: _source(source) for name, source in call.arguments.items()}})
        for call in goal.calls
    )
    answers = tuple(answer.model_copy(update={"source": _source(answer.source)}) for answer in goal.answers)
    return goal.model_copy(update={"calls": calls, "answers": answers})


def _source(source: Source) -> Source:
    match source:
        case Said():
            return Said(turn=0, span=source.span)
        case Derived():
            return source.model_copy(update={"sources": tuple(_source(child) for child in source.sources)})
        case _:
            return source


def _alternatives(task: TaskPrivate, goals: list[Goal]) -> tuple[Goal, ...]:
    """One alternative per alternative of a turn, all other turns done as in gold."""
    found = []
    for index, turn in enumerate(task.turns):
        for other in turn.alternatives:
            parts = [*goals[:index], _renamed(other, index), *goals[index + 1 :]]
            found.append(
                Goal(
                    calls=tuple(call for part in parts for call in part.calls),
                    answers=tuple(answer for part in parts for answer in part.answers),
                    decline=next((part.decline for part in parts if part.decline), None),
                )
            )
    return tuple(found)


def _gold(task: TaskPrivate) -> tuple[GoldStep, ...]:
    steps, says = [], []
    for turn in task.turns:
        for step in turn.gold:
            if step.calls:
                steps.append(GoldStep(calls=step.calls))
            if step.say and step.expect == "ends":
                says.append(step.say)
    return (*steps, GoldStep(say="\n\n".join(says) or "Done.", expect="ends"))


def results_used(source: Source) -> set[str]:
    """Ids of the calls whose results a source expression uses."""
    match source:
        case Result(call=call):
            return {call}
        case Derived(sources=children):
            return set().union(*(results_used(child) for child in children))
        case _:
            return set()


__all__ = ["GoldCall", "results_used", "solo_form", "ticket"]
