"""Tasks that a rule forbids, each with its twin: the same words in a world where the rule lets them pass.

What stands in the way is in the base world; the twin's setup takes it away. So nobody can tell from
the words alone whether to act or to decline.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from ..dependants import going_with, kept_by
from ..model import Field, Resource, Row, ToolPlan
from ..naming import a, words
from ..rows.data import order_pairs
from ..rows.dice import Dice
from ..rules import final_rule, order_rule, unique_rule, used_rule
from . import wording
from .changing import new_row
from .desk import Desk, Draft, declining, patch, turn
from .lookups import Found
from .plan import Known, Plan, derived

MAX_PATCHES = 5
"""Most rows that a twin's setup changes."""


def delete_used(desk: Desk, resource: Resource, dice: Dice) -> list[Draft]:
    """Delete a row that others refer to; in the twin they refer to something else."""
    tool = resource.tool("delete")
    if tool is None:
        return []

    def freed(row: Row) -> list[dict[str, Any]] | None:
        return _freed(desk, resource, row) if kept_by(desk.model, desk.data, resource, row) else None

    row = desk.row(resource, dice, where=lambda one: bool(freed(one)))
    patches = freed(row) if row else None
    if row is None or patches is None:
        return []
    going = [words(table) for table in going_with(desk.model, desk.data, resource, row) if table != resource.table]
    using = [words(table) for table in kept_by(desk.model, desk.data, resource, row)]

    def drawn(plan: Plan) -> tuple[Any, str]:
        target = desk.finder.find(plan, resource, row)
        return target, wording.removal(Dice("same words", row[resource.key]), target.words)

    refusal, twin = Plan(0), Plan(0)
    target, request = drawn(refusal)
    _look(refusal, target)
    why = f"I cannot delete {target.words}: {wording.joined(using)} still refer to it."
    refused = declining(refusal, request, used_rule(resource), why)
    target, request = drawn(twin)
    desk.remove(twin, target, tool, going)
    return _pair(refused, turn(twin, request, f"{wording.capital(target.words)} is deleted."), patches)


def _freed(desk: Desk, resource: Resource, row: Row) -> list[dict[str, Any]]:
    """Changes that leave nothing which refers to a row; empty where that takes too many, or cannot be done."""
    going = going_with(desk.model, desk.data, resource, row)
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for table, rows in going.items():
        target = desk.model.resource(table)
        gone = {one[target.key] for one in rows}
        for other, column in desk.model.pointing_at(table):
            for one in desk.data[other.table]:
                if one[column.name] not in gone or one in going.get(other.table, ()):
                    continue
                instead = _instead(desk, target, column, gone)
                if column.required and instead is None:
                    return []
                values = {column.name: instead if column.required else None}
                made = patch(other, one, values)
                known = found.setdefault((other.table, str(made["key"])), made)
                known["values"].update(values)
    return list(found.values()) if len(found) <= MAX_PATCHES else []


def _instead(desk: Desk, target: Resource, column: Field, gone: set[Any]) -> Any:
    if not column.required:
        return None
    return next((one[target.key] for one in desk.data[target.table] if one[target.key] not in gone), None)


def create_taken(desk: Desk, resource: Resource, dice: Dice) -> list[Draft]:
    """Create a row with a value that another has; in the twin the other has a different one."""
    tool = resource.tool("create")
    rows = desk.data[resource.table]
    unique = [one for one in tool.arguments if one.unique and one.kind == "text"] if tool else []
    if tool is None or not unique or not rows or resource.key_field.references:
        return []
    field = unique[0]
    other = dice.pick(rows)
    fresh = desk.teller.new_label(field, resource, dice)
    if fresh is None or not desk.finder.scopeable(resource, other):
        return []
    key = str(other[resource.key])

    def drawn(plan: Plan) -> tuple[dict[str, Any], str] | None:
        same = Dice("same words", resource.table, key)
        scope, inside = desk.finder.scope(plan, resource, other)
        said = {field.name: (other[field.name], plan.said(str(other[field.name])))}
        made = new_row(desk, plan, resource, other, same, {})
        if made is None:
            return None
        arguments, name, details = made
        spoken = [one for one in details if not one.startswith(f"{wording.field(field)} ")]
        if field.label:
            name = f' "{other[field.name]}"'
        else:
            spoken.append(f'{wording.field(field)} "{other[field.name]}"')
        return {**scope, **arguments, **said}, wording.new(same, resource.one, name, inside, spoken)

    refusal, twin = Plan(0), Plan(0)
    first, second = drawn(refusal), drawn(twin)
    if first is None or second is None:
        return []
    _look_around(refusal, resource, {name: known for name, known in first[0].items() if name not in _settable(tool)})
    why = f"I cannot create it: there is already {a(words(resource.one))} with this {wording.field(field)}."
    refused = declining(refusal, first[1], unique_rule(resource, field), why)
    twin.call(tool.name, second[0], wish=True)
    done = turn(twin, second[1], f"I have created the {words(resource.one)}.")
    return _pair(refused, done, [patch(resource, other, {field.name: fresh})])


def act_too_late(desk: Desk, resource: Resource, dice: Dice) -> list[Draft]:
    """Ask for an action that the row's state forbids; in the twin its state allows it."""
    for tool in dice.shuffled([one for one in resource.tools if one.transition is not None]):
        step = tool.transition
        assert step is not None
        if not step.refused_from:
            continue
        column = resource.field(step.column)
        ready = next((value for value in column.enum if value not in (step.value, *step.refused_from)), None)
        row = desk.row(resource, dice, where=lambda one, s=step: one[s.column] in s.refused_from)  # type: ignore[misc]
        if ready is None or row is None:
            continue

        def drawn(plan: Plan, row: Row = row, word: str = words(step.word).lower()) -> tuple[Any, str]:
            target = desk.finder.find(plan, resource, row)
            return target, wording.act(Dice("same words", row[resource.key]), word, target.words)

        refusal, twin = Plan(0), Plan(0)
        target, request = drawn(refusal)
        _look(refusal, target)
        why = f"I cannot do that: {target.words} is already {words(str(row[step.column])).lower()}."
        refused = declining(refusal, request, final_rule(resource, tool), why)
        target, request = drawn(twin)
        twin.call(tool.name, target.named, wish=True)
        return _pair(refused, turn(twin, request, "That is done."), [patch(resource, row, {step.column: ready})])
    return []


def end_before_start(desk: Desk, resource: Resource, dice: Dice) -> list[Draft]:
    """Move an end before the start; in the twin it starts earlier."""
    tool = resource.tool("update")
    if tool is None:
        return []
    names = {one.name for one in tool.arguments}
    for start, end in order_pairs(resource):
        if start.kind != "date" or end.name not in names:
            continue
        row = desk.row(resource, dice, where=lambda one, s=start: one[s.name] is not None)  # type: ignore[misc]
        if row is None:
            continue
        wished = (date.fromisoformat(row[start.name]) - timedelta(days=3)).isoformat()
        earlier = (date.fromisoformat(wished) - timedelta(days=9)).isoformat()

        def drawn(plan: Plan, row: Row = row, end: Field = end, wished: str = wished) -> tuple[Any, Any, str]:
            target = desk.finder.find(plan, resource, row)
            text = wording.spoken_date(wished)
            source = derived("date", [plan.said(text)])
            same = Dice("same words", row[resource.key])
            return target, source, wording.change(same, target.words, [(wording.field(end), text)])

        refusal, twin = Plan(0), Plan(0)
        target, _, request = drawn(refusal)
        _look(refusal, target)
        why = f"I cannot do that: {target.words} would end before it starts."
        refused = declining(refusal, request, order_rule(resource), why)
        target, source, request = drawn(twin)
        desk.write(twin, target, tool, {end.name: (wished, source)})
        return _pair(refused, turn(twin, request, "I have changed it."), [patch(resource, row, {start.name: earlier})])
    return []


def _settable(tool: ToolPlan) -> set[str]:
    return {one.name for one in tool.arguments}


def _look(plan: Plan, target: Found) -> None:
    """Look at a row before declining what was asked of it."""
    tool = target.resource.tool("get")
    if tool is not None:
        plan.call(tool.name, target.named)
    else:
        plan.referents.clear()  # nothing shows the row, so no call can use what the words denote


def _look_around(plan: Plan, resource: Resource, scope: dict[str, Known]) -> None:
    """Look at the rows that are there before declining a new one."""
    tool = resource.tool("list")
    if tool is not None:
        plan.call(tool.name, scope)
    else:
        plan.referents.clear()


def _pair(refused: dict[str, Any], done: dict[str, Any], patches: list[dict[str, Any]]) -> list[Draft]:
    """A refusal in the base world, and its twin in the changed one."""
    assert refused["request"] == done["request"]
    refused["max_other_values"] = 0
    return [Draft([refused], kinds=("refusal",)), Draft([done], patches=tuple(patches))]
