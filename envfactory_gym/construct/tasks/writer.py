"""Simple tasks on a compiled environment: one or two turns, each with goal, gold and natural words.

Rows are described by label and found by lookups; new values stand in the request; nothing is an
identifier that a user could not know. Whether a task holds is not decided here: `verify` executes it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..dependants import kept_by
from ..model import Field, Filter, Model, Resource, Row, ToolPlan
from ..naming import words
from ..rows import lexicon
from ..rows.data import Data
from ..rows.dice import Dice
from . import wording
from .lookups import Finder, Found, Plan, Source, derived, reference_words, result
from .telling import Teller

MAX_TASKS = 30
"""Most tasks of one package."""

ENOUGH = 16
"""With fewer tasks than this, each kind is tried a second time."""

SPLITS = ("train", "train", "dev", "train", "test")
"""Splits in turn, so that every kind of task comes into each."""

Turn = dict[str, Any]


def make_tasks(model: Model, data: Data, seed: int) -> list[dict[str, Any]]:
    """Tasks in the form of `tasks.jsonl`: kinds in turn, tables in turn, at most `MAX_TASKS`."""
    writer = TaskWriter(model, data)
    kinds: dict[str, Callable[[Resource, Dice], list[Turn] | None]] = {
        "update": writer.update,
        "question": writer.question,
        "create": writer.create,
        "ask-then-update": writer.ask_then_update,
        "delete": writer.delete,
        "relink": writer.relink,
        "extreme": writer.extreme,
        "action": writer.action,
    }
    made: list[dict[str, Any]] = []
    for repeat in range(2):
        if repeat and len(made) >= ENOUGH:
            break
        # Rotated, so that a limit cuts every kind and every table alike.
        for shift in range(max(len(kinds), len(model.resources))):
            for place, (kind, write) in enumerate(kinds.items()):
                at = (place + shift) % max(len(kinds), len(model.resources))
                if at >= len(model.resources) or len(made) >= MAX_TASKS:
                    continue
                resource = model.resources[at]
                dice = Dice(seed, "task", kind, resource.table, repeat)
                turns = write(resource, dice)
                if turns is not None:
                    name = f"{kind}-{resource.table.replace('_', '-')}" + (f"-{repeat + 1}" if repeat else "")
                    made.append(writer.task(name, kind, turns, dice, SPLITS[len(made) % len(SPLITS)]))
    return made


class TaskWriter:
    """Writes tasks of each kind for one base world.

    Each kind is a method that returns the turns of a task about a resource, or None where the
    resource does not offer one.
    """

    def __init__(self, model: Model, data: Data) -> None:
        self.model, self.data = model, data
        self.finder, self.teller = Finder(model, data), Teller(model, data)

    def task(self, name: str, kind: str, turns: list[Turn], dice: Dice, split: str) -> dict[str, Any]:
        """A whole task around its turns."""
        kinds = ["question"] if all(turn["goal"].get("answers") for turn in turns) else ["action"]
        if kind in ("ask-then-update", "extreme"):
            kinds.append("implicit")
        return {
            "id": name,
            "environment": f"EnvFactory/{self.model.name}-v0",
            "split": split,
            "seed": dice.below(10_000),
            "user": {"name": f"{dice.pick(lexicon.FIRST_NAMES)} {dice.pick(lexicon.LAST_NAMES)}"},
            "turns": turns,
            "kinds": kinds,
            "wording": "script",
        }

    # ------------------------------------------------------------ kinds

    def update(self, resource: Resource, dice: Dice) -> list[Turn] | None:
        """Change one or two fields of a row."""
        tool = resource.tool("update") or resource.tool("replace")
        row = self._row(resource, dice)
        if tool is None or row is None:
            return None
        plan = Plan(0)
        target = self.finder.find(plan, resource, row)
        changes = self.teller.changes(plan, resource, row, tool, dice, 1 + dice.below(2))
        if not changes:
            return None
        self._write(plan, target, tool, {told.field.name: (told.value, told.source) for told in changes})
        request = wording.change(dice, target.words, [(words(told.field.name), told.words) for told in changes])
        return [_turn(plan, request, f"I have changed {target.words} as you asked.")]

    def relink(self, resource: Resource, dice: Dice) -> list[Turn] | None:
        """Point a row at another row."""
        tool = resource.tool("update")
        row = self._row(resource, dice)
        if tool is None or row is None:
            return None
        outward = [one for one in tool.arguments if one.references not in (None, resource.table)]
        for field in dice.shuffled(outward):
            above = self.model.resource(field.references or "")
            other = self._row(above, dice, unlike=row[field.name])
            if other is None:
                continue
            plan = Plan(0)
            target = self.finder.find(plan, resource, row)
            found = self.finder.find(plan, above, other)
            self._write(plan, target, tool, {field.name: found.value(above.key)})
            role = reference_words(field)
            request = wording.link(dice, target.words, found.words, role, role == words(above.one))
            return [_turn(plan, request, f"Done: {target.words} now has {found.words} as its {role}.")]
        return None

    def create(self, resource: Resource, dice: Dice) -> list[Turn] | None:
        """Create a row whose required fields, and one or two others, are told."""
        tool = resource.tool("create")
        rows = self.data[resource.table]
        if tool is None or not rows or resource.key_field.references:
            return None
        base = dice.pick(rows)
        if not self.finder.scopeable(resource, base):
            return None
        plan = Plan(0)
        arguments, inside = self.finder.scope(plan, resource, base)
        required = [one for one in tool.arguments if one.required]
        optional = [one for one in self.teller.free_fields(resource, tool) if not one.required]
        details: list[str] = []
        name = ""
        for field in [*required, *dice.shuffled(optional)[: max(1, 3 - len(required))]]:
            if field.role == "key" or field.label or field.unique:
                made = self._fresh_name(field, resource, dice)
                if made is None:
                    return None
                arguments[resource.key_argument if field.role == "key" else field.name] = (made, plan.said(made))
                if field.unique and not field.label:
                    details.append(f'{words(field.name)} "{made}"')
                else:
                    name = f' "{made}"'
            elif field.references:
                above = self.model.resource(field.references)
                other = self._row(above, dice)
                if other is None:
                    return None
                found = self.finder.find(plan, above, other)
                arguments[field.name] = found.value(above.key)
                details.append(f"{found.words} as its {reference_words(field)}")
            elif (told := self.teller.new_value(plan, field, resource, base, dice)) is not None:
                arguments[field.name] = (told.value, told.source)
                details.append(f"{words(field.name)} {told.words}")
            elif field.required:
                return None
        plan.call(tool.name, arguments, wish=True)
        request = wording.new(dice, resource.one, name, inside, details)
        return [_turn(plan, request, f"I have created the {words(resource.one)}{name}.")]

    def delete(self, resource: Resource, dice: Dice) -> list[Turn] | None:
        """Delete a row that nothing refers to."""
        tool = resource.tool("delete")
        row = self._row(resource, dice, where=lambda one: not kept_by(self.model, self.data, resource, one))
        if tool is None or row is None:
            return None
        plan = Plan(0)
        target = self.finder.find(plan, resource, row)
        plan.call(tool.name, _named(target), wish=True)
        return [_turn(plan, wording.removal(dice, target.words), f"{wording.capital(target.words)} is deleted.")]

    def action(self, resource: Resource, dice: Dice) -> list[Turn] | None:
        """Move a row to another state."""
        tool = resource.tool("action")
        step = tool.transition if tool else None
        if tool is None or step is None:
            return None
        row = self._row(resource, dice, where=lambda one: one[step.column] not in (step.value, *step.refused_from))
        if row is None:
            return None
        plan = Plan(0)
        target = self.finder.find(plan, resource, row)
        plan.call(tool.name, _named(target), wish=True)
        return [_turn(plan, f"Please {words(step.word)} {target.words}.", "That is done.")]

    def question(self, resource: Resource, dice: Dice) -> list[Turn] | None:
        """Ask for one or two fields of a row."""
        row = self._row(resource, dice)
        asked = self.teller.askable(resource, row, dice)[: 1 + dice.below(2)] if row else []
        if row is None or not asked:
            return None
        plan = Plan(0)
        target = self.finder.find(plan, resource, row)
        request = wording.question(dice, target.words, [words(field.name) for field in asked])
        return [_asking(plan, request, target, asked)]

    def ask_then_update(self, resource: Resource, dice: Dice) -> list[Turn] | None:
        """Ask about a row, then change it without naming it again."""
        tool = resource.tool("update")
        row = self._row(resource, dice)
        asked = self.teller.askable(resource, row, dice)[:1] if row else []
        if tool is None or row is None or not asked:
            return None
        first, second = Plan(0), Plan(1)
        target = self.finder.find(first, resource, row)
        changes = self.teller.changes(second, resource, row, tool, dice, 2)
        told = next((one for one in changes if one.field is not asked[0]), None)
        if told is None:
            return None
        self._write(second, target, tool, {told.field.name: (told.value, told.source)})
        request = f"What {words(asked[0].name)} do we have for {target.words}?"
        follow = wording.change_again(dice, words(told.field.name), told.words)
        return [_asking(first, request, target, asked), _turn(second, follow, "I have changed it.")]

    def extreme(self, resource: Resource, dice: Dice) -> list[Turn] | None:
        """Ask which of the rows that belong to another row is the largest or latest."""
        tool, label = resource.tool("list"), resource.label
        figures = [one for one in resource.fields if one.kind in ("number", "date") and one.role == "plain"]
        if tool is None or label is None or resource.parent:
            return None
        for narrowing in resource.listing.filters:
            field = resource.field(narrowing.column) if narrowing.column else None
            if field is None or field.references in (None, resource.table):
                continue
            above = self.model.resource(field.references or "")
            for owner in dice.shuffled(self.data[above.table]):
                rows = [one for one in self.data[resource.table] if one[field.name] == owner[above.key]]
                fits = 2 <= len(rows) <= resource.listing.default_limit and self.finder.findable(above, owner)
                for figure in figures if fits else ():
                    best = _only_largest(rows, figure)
                    if best is not None and not self.teller.guessable(resource, label, best[label.name]):
                        return [
                            self._extreme(tool, narrowing, above, owner, figure, Found(resource, best, "", {}), dice)
                        ]
        return None

    def _extreme(
        self, tool: ToolPlan, narrowing: Filter, above: Resource, owner: Row, figure: Field, best: Found, dice: Dice
    ) -> Turn:
        resource = best.resource
        label = resource.label or resource.key_field
        plan = Plan(0)
        found = self.finder.find(plan, above, owner)
        call = plan.call(tool.name, {narrowing.argument: found.value(above.key)})
        least: Any = "0000" if figure.kind == "date" else -(10**15)  # leaves out rows without the figure
        known = derived("filter", [result(call, resource.table)], where=[[figure.name, ">", least]])
        item = derived("arg_max", [known], by=figure.name)
        request = wording.extreme_question(
            dice,
            words(resource.table),
            found.words,
            reference_words(resource.field(narrowing.column)),
            words(label.name),
            words(figure.name),
            "latest" if figure.kind == "date" else "highest",
        )
        target = Found(resource, best.row, "", item)
        return _asking(plan, request, target, [label], f"It is {{{words(label.name)}}}.")

    # ------------------------------------------------------------ parts

    def _row(
        self, resource: Resource, dice: Dice, *, unlike: Any = None, where: Callable[[Row], bool] | None = None
    ) -> Row | None:
        """A row that can be found by its label."""
        for row in dice.shuffled(self.data[resource.table]):
            wanted = row[resource.key] != unlike and (where is None or where(row))
            if wanted and self.finder.findable(resource, row):
                return row
        return None

    def _fresh_name(self, field: Field, resource: Resource, dice: Dice) -> str | None:
        if field.role != "key":
            return self.teller.new_label(field, resource, dice)
        return f"{dice.pick(lexicon.ADJECTIVES)}-{dice.code(4)}".upper() if field.kind == "text" else None

    def _write(self, plan: Plan, target: Found, tool: ToolPlan, changes: dict[str, tuple[Any, Source]]) -> None:
        """The wished change; a replacement repeats what it must not clear."""
        kept = {
            field.name: target.value(field.name)
            for field in tool.arguments
            if tool.verb == "replace" and target.row[field.name] is not None
        }
        plan.call(tool.name, {**_named(target), **kept, **changes}, wish=True)


def _named(target: Found) -> dict[str, tuple[Any, Source]]:
    """Arguments that name a found row."""
    resource = target.resource
    parent = resource.parent_field
    named = {parent.name: target.value(parent.name)} if parent else {}
    return {**named, resource.key_argument: target.value(resource.key)}


def _only_largest(rows: list[Row], figure: Field) -> Row | None:
    """The row with the largest figure, where at least two have one and no two share the largest."""
    known = sorted((row for row in rows if row[figure.name] is not None), key=lambda row: row[figure.name])
    if len(known) < 2 or known[-1][figure.name] == known[-2][figure.name]:
        return None
    return known[-1]


def _asking(plan: Plan, request: str, target: Found, asked: list[Field], say: str | None = None) -> Turn:
    kinds = {"text": "name", "date": "date", "integer": "number", "number": "number"}
    turn = _turn(plan, request, say or wording.answer([words(field.name) for field in asked]))
    turn["goal"]["answers"] = [
        {
            "subject": words(field.name),
            "kind": kinds[field.kind],
            "source": target.value(field.name)[1],
            "column": f"{target.resource.table}.{field.name}",
        }
        for field in asked
    ]
    # The list a solver looks at may show two or three values; quoting them all must be no answer.
    turn["max_other_values"] = 0
    return turn


def _turn(plan: Plan, request: str, say: str) -> Turn:
    goal: dict[str, Any] = {"calls": plan.goal}
    if plan.referents:
        goal["referents"] = list({one["phrase"]: one for one in plan.referents}.values())
    steps: list[dict[str, Any]] = [{"calls": [call]} for call in plan.gold]
    return {"request": wording.capital(request), "goal": goal, "gold": [*steps, {"say": say, "expect": "ends"}]}
