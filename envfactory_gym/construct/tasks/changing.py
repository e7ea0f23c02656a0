"""Tasks that change something: update, clear, relink, create, create with what belongs to it, delete, act."""

from __future__ import annotations

import re

from ..dependants import going_with, kept_by
from ..emit.words import fields_table
from ..model import Field, Resource, Row
from ..naming import words
from ..rows import lexicon
from ..rows.dice import Dice
from . import wording
from .desk import Desk, Draft, turn
from .lookups import reference_words
from .plan import Known, Plan, derived, result

_ENDING = re.compile(
    r"deceas|death|terminat|leaving|cancel|archiv|delet|dismiss|resolved|refund|void|lost|reject|approv"
)
"""Names of what no thing has from the start: nobody takes on an employee who has died."""

_PART_OF_NAME = re.compile(r"^(?:first|last|middle|given|family|sur)_?name$|^initials$")


def _from_the_start(one: Field, resource: Resource) -> bool:
    """Whether people may add it when they ask for a new row: no end, and no name beside the name."""
    named = resource.label is not None and _PART_OF_NAME.match(one.name)
    return not (one.required or named or _ENDING.search(one.name))


def _with_one_date(fields: list[Field]) -> list[Field]:
    """The fields without all dates but the first: two that are chosen apart would tell no story."""
    dates = [one for one in fields if one.kind == "date"]
    return [one for one in fields if one not in dates[1:]]


def update(desk: Desk, resource: Resource, dice: Dice) -> list[Draft]:
    """Change one or two fields of a row."""
    tool = resource.tool("update") or resource.tool("replace")
    row = desk.row(resource, dice) if tool else None
    if tool is None or row is None:
        return []
    plan = Plan(0)
    target = desk.finder.find(plan, resource, row)
    changes = desk.teller.changes(plan, resource, row, tool, dice, 1 + dice.below(2))
    told = {one.field.name: (one.value, one.source) for one in changes}
    if not changes or not desk.write(plan, target, tool, told):
        return []
    request = wording.change(dice, target.words, [(wording.field(one.field), one.words) for one in changes])
    return [Draft([turn(plan, request, f"I have changed {target.words} as you asked.")])]


def clear(desk: Desk, resource: Resource, dice: Dice) -> list[Draft]:
    """Empty a field of a row."""
    tool = resource.tool("update")
    if tool is None:
        return []
    for field in dice.shuffled(tool.clearable):
        if field.long or field.kind in ("json", "boolean"):
            continue
        row = desk.row(resource, dice, where=lambda one, name=field.name: one[name] is not None)  # type: ignore[misc]
        if row is None:
            continue
        plan = Plan(0)
        target = desk.finder.find(plan, resource, row)
        span = wording.field(field)
        if str(row[field.name]) in target.words:
            continue
        source = derived("phrase", [plan.said(span)], table=fields_table(resource))
        plan.call(tool.name, {**target.named, "clear": (field.name, source)}, wish=True)
        request = wording.clearing(dice, target.words, span)
        return [Draft([turn(plan, request, f"Done: {target.words} has no {span} any more.")])]
    return []


def relink(desk: Desk, resource: Resource, dice: Dice) -> list[Draft]:
    """Point a row at another row."""
    tool = resource.tool("update")
    row = desk.row(resource, dice) if tool else None
    if tool is None or row is None:
        return []
    outward = [one for one in tool.arguments if one.references not in (None, resource.table)]
    for field in dice.shuffled(outward):
        above = desk.model.resource(field.references or "")
        other = desk.other_row(resource, row, field, dice)
        if other is None:
            continue
        plan = Plan(0)
        target = desk.finder.find(plan, resource, row)
        found = desk.finder.find(plan, above, other, key_only=True)
        desk.write(plan, target, tool, {field.name: found.key})
        role = reference_words(field)
        request = wording.link(dice, target.words, found.words, role, role == words(above.one))
        return [Draft([turn(plan, request, f"Done: {target.words} now has {found.words} as its {role}.")])]
    return []


def create(desk: Desk, resource: Resource, dice: Dice) -> list[Draft]:
    """Create a row whose required fields, and one or two others, are told."""
    rows = desk.data[resource.table]
    if resource.tool("create") is None or not rows:
        return []
    base = dice.pick(rows)
    if resource.key_field.references or not desk.finder.scopeable(resource, base):
        return []
    plan = Plan(0)
    scope, inside = desk.finder.scope(plan, resource, base)
    made = new_row(desk, plan, resource, base, dice, {})
    if made is None:
        return []
    arguments, name, details = made
    if not details and not name:
        return []
    tool = resource.tool("create")
    assert tool is not None
    plan.call(tool.name, {**scope, **arguments}, wish=True)
    request = wording.new(dice, resource.one, name, inside, details)
    return [Draft([turn(plan, request, f"I have created the {words(resource.one)}{name}.")])]


def create_both(desk: Desk, resource: Resource, dice: Dice) -> list[Draft]:
    """Create a row and, in the same breath, another that belongs to it."""
    tool = resource.tool("create")
    rows = desk.data[resource.table]
    if tool is None or not rows or resource.key_field.references:
        return []
    base = dice.pick(rows)
    seed = dice.below(10_000)
    children = [
        (child, column)
        for child, column in desk.model.references_to(resource.table)
        if child.table != resource.table and child.tool("create") and column.role != "key"
    ]
    for child, column in dice.shuffled(children):
        adding = child.tool("create")
        settable = adding is not None and (column.role == "parent" or column in adding.arguments)
        if adding is None or not settable or child.parent not in (None, resource.table):
            continue
        if child.parent == resource.table and column.role != "parent":
            continue
        if not desk.data[child.table] or not desk.finder.scopeable(resource, base):
            continue
        plan = Plan(0)
        scope, inside = desk.finder.scope(plan, resource, base)
        first = new_row(desk, plan, resource, base, dice, {})
        if first is None or not first[1]:
            continue
        arguments, name, details = first
        made = plan.call(tool.name, {**scope, **arguments}, wish=True)
        owner: Known | None = arguments.get(resource.key_argument)
        if owner is None:
            minted = desk.first_minted(resource, seed)
            if minted is None:
                continue
            owner = (minted, result(made, resource.key))
        second = new_row(desk, plan, child, dice.pick(desk.data[child.table]), dice, {column.name: owner})
        if second is None or not (second[1] or second[2]):
            continue
        theirs, other, more = second
        plan.call(adding.name, {**({column.name: owner} if column.role == "parent" else {}), **theirs}, wish=True)
        request = wording.new_both(dice, (resource.one, name, inside, details), (child.one, other, more))
        return [
            Draft(
                [turn(plan, request, f"I have created the {words(resource.one)}{name} and what belongs to it.")],
                seed=seed,
            )
        ]
    return []


def new_row(
    desk: Desk, plan: Plan, resource: Resource, base: Row, dice: Dice, given: dict[str, Known]
) -> tuple[dict[str, Known], str, list[str]] | None:
    """Arguments of a new row, the words of its name, and the words of its other details."""
    tool = resource.tool("create")
    if tool is None:
        return None
    arguments: dict[str, Known] = {}
    details: list[str] = []
    name = ""
    required = [one for one in tool.arguments if one.required]
    optional = [one for one in desk.teller.free_fields(resource, tool) if _from_the_start(one, resource)]
    label = [one for one in tool.arguments if one is resource.label and not one.required]
    linked = [one for one in tool.arguments if one.name in given and not one.required]
    for field in [*required, *linked, *label, *_with_one_date(dice.shuffled(optional))[: max(1, 3 - len(required))]]:
        if field.name in given:
            arguments[field.name] = given[field.name]
            continue
        if field.role == "key" or field.label or field.unique:
            made = (
                desk.fresh_key(resource, dice) if field.role == "key" else desk.teller.new_label(field, resource, dice)
            )
            if made is None:
                return None
            argument = resource.key_argument if field.role == "key" else field.name
            arguments[argument] = (made, plan.said(made))
            if name or (field.unique and not field.label and field.role != "key"):
                details.append(f'{wording.field(field)} "{made}"')
            else:
                name = f' "{made}"'
        elif field.references:
            above = desk.model.resource(field.references)
            other = desk.other_row(resource, base, field, dice)
            if other is None:
                return None
            found = desk.finder.find(plan, above, other, key_only=True)
            arguments[field.name] = found.key
            details.append(f"{found.words} as its {reference_words(field)}")
        elif field.secret and field.required and field.kind == "text":
            secret = f"{dice.pick(lexicon.ADJECTIVES)}-{dice.code(6)}".lower()
            arguments[field.name] = (secret, plan.said(secret))
            details.append(f'{wording.field(field)} "{secret}"')
        elif (told := desk.teller.new_value(plan, field, resource, base, dice)) is not None:
            arguments[field.name] = (told.value, told.source)
            details.append(f"{wording.field(field)} {told.words}")
        elif field.required:
            return None
    return arguments, name, details


def delete(desk: Desk, resource: Resource, dice: Dice) -> list[Draft]:
    """Delete a row that nothing refers to."""
    tool = resource.tool("delete")
    if tool is None:
        return []
    row = desk.row(resource, dice, where=lambda one: not kept_by(desk.model, desk.data, resource, one))
    if row is None:
        return []
    plan = Plan(0)
    target = desk.finder.find(plan, resource, row)
    going = [table for table in going_with(desk.model, desk.data, resource, row) if table != resource.table]
    desk.remove(plan, target, tool, [words(table) for table in going])
    return [Draft([turn(plan, wording.removal(dice, target.words), f"{wording.capital(target.words)} is deleted.")])]


def delete_two(desk: Desk, resource: Resource, dice: Dice) -> list[Draft]:
    """Delete two rows that nothing refers to, named one after the other."""
    tool = resource.tool("delete")
    if tool is None or resource.parent_field is not None:
        return []

    def free(row: Row) -> bool:
        plain = list(going_with(desk.model, desk.data, resource, row)) == [resource.table]
        return plain and not kept_by(desk.model, desk.data, resource, row)

    first = desk.row(resource, dice, where=free)
    second = desk.row(resource, dice, unlike=first[resource.key], where=free) if first else None
    if first is None or second is None:
        return []
    plan = Plan(0)
    one, other = (desk.finder.find(plan, resource, row) for row in (first, second))
    for target in (one, other):
        desk.remove(plan, target, tool, [])
    request = wording.removal(dice, f"{one.words} and {other.words}", several=True)
    return [Draft([turn(plan, request, f"{wording.capital(one.words)} and {other.words} are deleted.")])]


def action(desk: Desk, resource: Resource, dice: Dice) -> list[Draft]:
    """Move a row to another state."""
    tools = [one for one in resource.tools if one.transition is not None]
    for tool in dice.shuffled(tools):
        step = tool.transition
        assert step is not None
        column, away = step.column, (step.value, *step.refused_from)
        row = desk.row(resource, dice, where=lambda one, c=column, a=away: one[c] not in a)  # type: ignore[misc]
        if row is None:
            continue
        plan = Plan(0)
        target = desk.finder.find(plan, resource, row)
        plan.call(tool.name, target.named, wish=True)
        return [Draft([turn(plan, wording.act(dice, words(step.word).lower(), target.words), "That is done.")])]
    return []
