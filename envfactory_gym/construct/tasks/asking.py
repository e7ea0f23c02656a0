"""Tasks that ask: for fields of a row, for the largest or latest among several, and before a change."""

from __future__ import annotations

from typing import Any

from ..emit.render import literal, quoted
from ..model import Field, Filter, Resource, Row, ToolPlan
from ..naming import words
from ..rows.dice import Dice
from . import wording
from .desk import Desk, Draft, Turn, asking, turn
from .lookups import Found, reference_words
from .plan import Plan, Source, derived, result


def question(desk: Desk, resource: Resource, dice: Dice) -> list[Draft]:
    """Ask for one or two fields of a row."""
    found = _askable(desk, resource, dice)
    if found is None:
        return []
    row, fields = found
    plan = Plan(0)
    target = desk.finder.find(plan, resource, row)
    asked = _sources(desk, plan, target, fields[: 1 + dice.below(2)])
    if not asked:
        return []
    request = wording.question(dice, target.words, [name for _, _, name, _ in asked])
    return [Draft([asking(plan, request, asked)], kinds=("question",))]


def ask_then_update(desk: Desk, resource: Resource, dice: Dice) -> list[Draft]:
    """Ask about a row, then change it without naming it again."""
    tool = resource.tool("update") or resource.tool("replace")
    found = _askable(desk, resource, dice) if tool else None
    if tool is None or found is None:
        return []
    row, fields = found
    first, second = Plan(0), Plan(1)
    target = desk.finder.find(first, resource, row)
    asked = _sources(desk, first, target, fields[:1])
    changes = desk.teller.changes(second, resource, row, tool, dice, 2)
    told = next((one for one in changes if asked and one.field is not asked[0][1]), None)
    if told is None or not desk.write(second, target, tool, {told.field.name: (told.value, told.source)}):
        return []
    request = wording.question(dice, target.words, [asked[0][2]])
    follow = wording.change_again(dice, wording.field(told.field), told.words)
    turns = [asking(first, request, asked), turn(second, follow, "I have changed it.")]
    return [Draft(turns, kinds=("action", "implicit"))]


def extreme(desk: Desk, resource: Resource, dice: Dice) -> list[Draft]:
    """Ask which of the rows that belong to another row is the largest or latest."""
    tool, label = resource.tool("list"), resource.label
    figures = [one for one in resource.shown if one.kind in ("number", "date") and one.role == "plain"]
    if tool is None or label is None or not figures:
        return []
    for narrowing, field in _narrowings(resource):
        above = desk.model.resource(field.references or "")
        for owner in dice.shuffled(desk.data[above.table]):
            rows = [one for one in desk.data[resource.table] if one[field.name] == owner[above.key]]
            fits = 2 <= len(rows) <= resource.listing.default_limit and desk.finder.findable(above, owner)
            for figure in dice.shuffled(figures) if fits else ():
                best = _only_largest(rows, figure)
                if best is not None and not desk.teller.guessable(resource, label, best[label.name]):
                    made = _extreme(desk, tool, resource, narrowing, (above, owner), figure, best, dice)
                    return [Draft([made], kinds=("question", "implicit"))]
    return []


def update_extreme(desk: Desk, resource: Resource, dice: Dice) -> list[Draft]:
    """Change the largest or latest of the rows that belong to another row."""
    tool, lister = resource.tool("update"), resource.tool("list")
    figures = [one for one in resource.shown if one.kind in ("number", "date") and one.role == "plain"]
    if tool is None or lister is None or not figures:
        return []
    for narrowing, field in _narrowings(resource):
        above = desk.model.resource(field.references or "")
        for owner in dice.shuffled(desk.data[above.table]):
            rows = [one for one in desk.data[resource.table] if one[field.name] == owner[above.key]]
            if not 2 <= len(rows) <= resource.listing.default_limit or not desk.finder.findable(above, owner):
                continue
            for figure in dice.shuffled(figures):
                best = _only_largest(rows, figure)
                if best is None:
                    continue
                plan = Plan(0)
                found, item = _picked(desk, plan, lister, resource, narrowing, above, owner, figure)
                changes = desk.teller.changes(plan, resource, best, tool, dice, 2)
                told = next((one for one in changes if one.field is not figure), None)
                if told is None:
                    continue
                degree = _degree(figure)
                role = reference_words(field)
                phrase = wording.extreme_row(
                    words(resource.one), found.words, role, degree, wording.field(figure), same=role == words(above.one)
                )
                sql = (
                    f"SELECT {quoted(resource.key)} FROM {quoted(resource.table)} "
                    f"WHERE {quoted(field.name)} = {literal(owner[above.key])} "
                    f"AND {quoted(figure.name)} = {literal(best[figure.name])}"
                )
                plan.refer(phrase, sql, f"{resource.table}.{resource.key}")
                target = Found(
                    resource, best, phrase, (best[resource.key], derived("field", [item], path=resource.key)), {}, item
                )
                if not desk.write(plan, target, tool, {told.field.name: (told.value, told.source)}):
                    continue
                request = wording.change(dice, phrase, [(wording.field(told.field), told.words)])
                return [Draft([turn(plan, request, "I have changed it.")], kinds=("action", "implicit"))]
    return []


def _narrowings(resource: Resource) -> list[tuple[Filter, Field]]:
    """Filters of a list by what a row refers to, with the column; none of a nested list."""
    if resource.parent is not None:
        return []
    found = [(one, resource.field(one.column)) for one in resource.listing.filters if one.column and one.op == "="]
    return [(one, field) for one, field in found if field.references not in (None, resource.table)]


def _picked(
    desk: Desk,
    plan: Plan,
    tool: ToolPlan,
    resource: Resource,
    narrowing: Filter,
    above: Resource,
    owner: Row,
    figure: Field,
) -> tuple[Found, Source]:
    """Find the owner, list what belongs to it, and take the row with the largest figure."""
    found = desk.finder.find(plan, above, owner, key_only=True)
    call = plan.call(tool.name, {narrowing.argument: found.key})
    least: Any = "0000" if figure.kind == "date" else -(10**15)  # leaves out rows without the figure
    known = derived("filter", [result(call, resource.table)], where=[[figure.name, ">", least]])
    return found, derived("arg_max", [known], by=figure.name)


def _extreme(
    desk: Desk,
    tool: ToolPlan,
    resource: Resource,
    narrowing: Filter,
    owner: tuple[Resource, Row],
    figure: Field,
    best: Row,
    dice: Dice,
) -> Turn:
    label = resource.label or resource.key_field
    plan = Plan(0)
    found, item = _picked(desk, plan, tool, resource, narrowing, *owner, figure)
    name, role = wording.field(label), reference_words(resource.field(narrowing.column))
    request = wording.extreme_question(
        dice,
        words(resource.table),
        found.words,
        role,
        name,
        wording.field(figure),
        _degree(figure),
        same=role == words(owner[0].one),
    )
    source = derived("field", [item], path=label.name)
    return asking(plan, request, [(resource.table, label, name, source)], f"It is {{{name}}}.")


def _degree(figure: Field) -> str:
    return "latest" if figure.kind == "date" else "highest"


def _only_largest(rows: list[Row], figure: Field) -> Row | None:
    """The row with the largest figure, where at least two have one and no two share the largest."""
    known = sorted((row for row in rows if row[figure.name] is not None), key=lambda row: row[figure.name])
    if len(known) < 2 or known[-1][figure.name] == known[-2][figure.name]:
        return None
    return known[-1]


def _askable(desk: Desk, resource: Resource, dice: Dice) -> tuple[Row, list[Field]] | None:
    """A row that can be found, with fields worth asking for."""
    for _ in range(4):
        row = desk.row(resource, dice)
        fields = desk.teller.askable(resource, row, dice) if row else []
        if row is not None and fields:
            return row, fields
    return None


def _sources(desk: Desk, plan: Plan, target: Found, fields: list[Field]) -> list[tuple[str, Field, str, Source]]:
    """Where the answers come from; fields that no tool shows are left out, and so are those the request names."""
    asked = []
    for field in fields:
        known = desk.finder.value(plan, target, field.name)
        if known is not None and str(known[0]).lower() not in target.words.lower():
            asked.append((target.resource.table, field, wording.field(field), known[1]))
    return asked
