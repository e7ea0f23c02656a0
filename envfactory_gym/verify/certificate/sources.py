"""Row `sources`: every argument of gold, re-derived from the goal, has the value that gold has."""

from __future__ import annotations

from collections.abc import Iterator

from ...environment import Turn
from ...environment.task import Answered, Derived, SchemaValue, Source
from ...environment.tool import EPISODE_TOOLS
from ...episode.solo import results_used
from ..finding import Finding, finding
from .context import TaskContext


def check(context: TaskContext) -> Finding:
    """Compare gold's literal calls with those the goal derives, and hold each source to its rules."""
    evidence: list[str] = []
    arguments = 0
    for index, turn in enumerate(context.task.turns):
        derived = {call.id: call for call in context.episode.plan.turns[index].accepted[0].calls}
        literal = [call for step in turn.gold for call in step.effects if call.tool not in EPISODE_TOOLS]
        if [call.id for call in literal] != list(derived):
            evidence.append(
                f"turn {index}: gold makes {[call.id for call in literal]}, the goal derives {list(derived)}"
            )
            continue
        for call in literal:
            arguments += len(call.arguments)
            twin = derived[call.id]
            if (call.tool, call.arguments) != (twin.tool, twin.arguments):
                made, wanted = f"{call.tool}{call.arguments}", f"{twin.tool}{twin.arguments}"
                evidence.append(f"turn {index}, {call.id}: gold has {made}, the goal gives {wanted}")
        evidence += [f"turn {index}: {problem}" for problem in _rules(context, index, turn)]
    return finding(
        "sources", evidence, figures={"arguments": arguments},
        remedy="give every argument a source that a solver has: words, a slot, an earlier result, a rule, a default",
    )  # fmt: skip


def _rules(context: TaskContext, index: int, turn: Turn) -> Iterator[str]:
    """What PROOFS demands of sources beyond having a value."""
    tools = context.package.tools
    earlier = {call.id: call.tool for past in context.task.turns[:index] for call in past.goal.calls}
    here: set[str] = set()
    for call in turn.goal.calls:
        for name, source in call.arguments.items():
            where = f"{call.id}.{name}"
            for used in results_used(source) - here:
                if used not in earlier:
                    yield f"{where} uses the result of {used!r}, which does not come before it"
                elif tools[earlier[used]].writes:
                    yield f"{where} uses the result of the write {used!r} of an earlier turn; look it up again"
            for leaf in leaves(source):
                if isinstance(leaf, SchemaValue):
                    parameter = next((known for known in tools[call.tool].parameters if known.name == name), None)
                    only = parameter is not None and (
                        (not parameter.required and parameter.default == leaf.value)
                        or parameter.schema.get("enum") == [leaf.value]
                    )
                    if not only:
                        yield f"{where} takes {leaf.value!r} from the schema: neither its default nor its only choice"
                if isinstance(leaf, Answered) and not _told(context, index, leaf.slot):
                    yield f"{where} uses the slot {leaf.slot!r}, which gold never asks for and no request tells"
        here.add(call.id)
    for answer in turn.goal.answers:
        for used in results_used(answer.source) - here - set(earlier):
            yield f"the answer {answer.subject!r} uses the result of {used!r}, which does not come before it"


def _told(context: TaskContext, index: int, slot: str) -> bool:
    """Whether the user has told a slot by turn `index`, in a request or asked by gold."""
    turns = context.task.turns[: index + 1]
    value = next((str(known.value) for known in context.task.user.slots if known.name == slot), None)
    asked = any(slot in step.slots for turn in turns for step in turn.gold)
    return asked or (value is not None and any(value in turn.request for turn in turns))


def leaves(source: Source) -> Iterator[Source]:
    """The sources at the ends of an expression."""
    if isinstance(source, Derived):
        for child in source.sources:
            yield from leaves(child)
    else:
        yield source
