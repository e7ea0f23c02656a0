"""What every kind of task is written with: the base world, ways to find rows, ways to tell values.

A kind is a function from (desk, resource, dice) to drafts: none where the resource does not offer
it, one, or two that are each other's twin.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...episode.classify import classify
from ...world.ids import ALPHABET, Ids
from ..emit.writing_tools import MINTED_LENGTH, MINTED_NUMBERS
from ..model import Field, Model, Resource, Row, ToolPlan
from ..rows import lexicon
from ..rows.data import Data
from ..rows.dice import Dice
from . import wording
from .lookups import Finder, Found
from .plan import Known, Plan, Source
from .telling import Teller

Turn = dict[str, Any]

FEW_ARGUMENTS = 9
"""A replacement with fewer arguments repeats no free text: it is not compared, so too little would be graded."""


@dataclass(frozen=True)
class Draft:
    """A task to be: its turns, its labels, what is changed in the base world first, and its seed where that matters."""

    turns: list[Turn]
    kinds: tuple[str, ...] = ("action",)
    patches: tuple[dict[str, Any], ...] = ()
    seed: int | None = None


Kind = Callable[["Desk", Resource, Dice], list[Draft]]


class Desk:
    """The base world of a model, as those see it who write tasks on it."""

    def __init__(self, model: Model, data: Data) -> None:
        self.model, self.data = model, data
        self.finder, self.teller = Finder(model, data), Teller(model, data)

    def row(
        self, resource: Resource, dice: Dice, *, unlike: Any = None, where: Callable[[Row], bool] | None = None
    ) -> Row | None:
        """A row that can be found; one that people have a name for, where there is one."""
        nameless = None
        for row in dice.shuffled(self.data[resource.table]):
            if row[resource.key] == unlike or (where is not None and not where(row)):
                continue
            if self.finder.findable(resource, row):
                if self.finder.plainly_named(resource, row):
                    return row
                nameless = nameless or row
        return nameless

    def other_row(self, resource: Resource, row: Row, field: Field, dice: Dice) -> Row | None:
        """Another row that a field of a row may refer to: of the same parent, where the document nests them so."""
        above = self.model.resource(field.references or "")
        parent, owner = resource.parent_field, above.parent_field

        def fits(other: Row) -> bool:
            if parent is None or owner is None or not above.beside(resource):
                return True
            return bool(other[owner.name] == row[parent.name])

        return self.row(above, dice, unlike=row[field.name], where=fits)

    def fresh_key(self, resource: Resource, dice: Dice) -> str | None:
        """A key of their own choosing that no row has yet; None where people choose no text."""
        if resource.key_field.kind != "text":
            return None
        made = self.teller.new_label(resource.key_field, resource, dice)
        return made or f"{dice.pick(lexicon.ADJECTIVES)}-{dice.code(4)}".lower()

    def first_minted(self, resource: Resource, seed: int) -> int | str | None:
        """The first identifier that a world of that seed makes for a table; None where a row has it already."""
        ids, kind = Ids(seed), f"{resource.table}.{resource.key}"
        integer = resource.key_field.kind == "integer"
        low, high = MINTED_NUMBERS
        made = low + ids.below(kind, high - low + 1) if integer else ids.code(kind, MINTED_LENGTH, ALPHABET)
        return None if any(row[resource.key] == made for row in self.data[resource.table]) else made

    def write(self, plan: Plan, target: Found, tool: ToolPlan, changes: dict[str, Known]) -> bool:
        """The wished change; a replacement repeats what it must not clear. False where that cannot be known."""
        kept: dict[str, Known] = {}
        if tool.verb == "replace":
            for field in tool.arguments:
                unseen = field.long and len(tool.arguments) < FEW_ARGUMENTS
                if field.name in changes:
                    continue
                missing = target.row[field.name] is None
                if field.required and (missing or unseen):
                    return False
                if missing or unseen:
                    continue
                known = None if field.secret else self.finder.value(plan, target, field.name)
                if known is None:
                    return False
                kept[field.name] = known
        plan.call(tool.name, {**target.named, **kept, **changes}, wish=True)
        return True

    def remove(self, plan: Plan, target: Found, tool: ToolPlan, going: list[str]) -> None:
        """A deletion, confirmed first as the policy asks."""
        resource = target.resource
        plan.confirm(wording.confirm_removal(target.words, resource.key_argument, target.row[resource.key], going))
        plan.call(tool.name, target.named, wish=True)


def turn(plan: Plan, request: str, say: str, *, briefly: str = "Done.") -> Turn:
    """A turn of a plan: the words, the goal, and gold, which ends by saying so.

    Args:
        plan: Its calls.
        request: The words.
        say: Gold's last message.
        briefly: What it says instead where names in it would sound like a question: "the permission group ...".
    """
    if classify(say, slots={}, rules={}).kind in ("asks", "asks_confirmation"):
        say = briefly
    goal: dict[str, Any] = {"calls": plan.goal}
    if plan.referents:
        goal["referents"] = list({one["phrase"]: one for one in plan.referents}.values())
    return {"request": wording.capital(request), "goal": goal, "gold": [*plan.gold, {"say": say, "expect": "ends"}]}


def declining(plan: Plan, request: str, rule: str, explanation: str) -> Turn:
    """A turn that is to be declined by a rule."""
    plan.decline(rule, explanation)
    made = turn(plan, request, explanation, briefly="I am sorry, that cannot be done.")
    made["goal"]["decline"] = rule
    return made


def asking(plan: Plan, request: str, asked: list[tuple[str, Field, str, Source]], say: str | None = None) -> Turn:
    """A turn that wants answers.

    Args:
        plan: Its lookups.
        request: The words.
        asked: Table, field, subject and source of each answer.
        say: Gold's reply, with `{subject}` for each answer.
    """
    kinds = {"text": "name", "date": "date", "datetime": "time", "integer": "number", "number": "number"}
    subjects = [subject for _, _, subject, _ in asked]
    values = ", ".join(f"{{{subject}}}" for subject in subjects)
    made = turn(plan, request, say or wording.answer(subjects), briefly=f"{values}.")
    made["goal"]["answers"] = [
        {"subject": subject, "kind": kinds[field.kind], "source": source, "column": f"{table}.{field.name}"}
        for table, field, subject, source in asked
    ]
    # The list a solver looks at may show two or three values; quoting them all must be no answer.
    made["max_other_values"] = 0
    return made


def patch(resource: Resource, row: Row, values: dict[str, Any] | None) -> dict[str, Any]:
    """A change of one row before the task begins; None takes the row away."""
    return {"table": resource.table, "key": {name: row[name] for name in resource.key_columns}, "values": values}
