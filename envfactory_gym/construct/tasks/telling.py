"""What a user can say and ask: new values with the words and sources for them, and fields worth asking for."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

from envfactory_gym.environment import Language

from ..emit.words import phrase_table, spoken
from ..model import Field, Model, Resource, Row, ToolPlan
from ..rows import lexicon
from ..rows.data import Data, order_pairs
from ..rows.dice import Dice
from ..rows.labels import blended
from .plan import Plan, Source, derived
from .wording import spoken_date

MAX_SHARE = 0.05
"""An answer whose value more rows than this share have could be guessed, so it is not asked for."""

MAX_SPOKEN = 24
"""Values of a longer enum are told only where they are common."""


@dataclass(frozen=True)
class Told:
    """A new value of a field: the value, its source, and its words in the request."""

    field: Field
    value: Any
    source: Source
    words: str


class Teller:
    """Chooses what users of one base world tell and ask."""

    def __init__(self, model: Model, data: Data) -> None:
        self.model, self.data = model, data
        self._language = Language(
            phrases={
                phrase_table(one, field.name): {str(value): (spoken(value),) for value in field.enum}
                for one in model.resources
                for field in one.fields
                if field.enum and field.kind == "text"
            }
        )

    def tellable(self, field: Field) -> bool:
        """Whether a user can say a value of the field in a few words."""
        plain = field.role == "plain" and not field.long and not field.secret and not field.references
        return plain and (bool(field.enum) or field.kind in ("text", "date", "integer", "number"))

    def free_fields(self, resource: Resource, tool: ToolPlan) -> list[Field]:
        """Tellable arguments that no order of dates ties to another, labels apart."""
        tied = {field.name for pair in order_pairs(resource) for field in pair}
        return [
            one
            for one in tool.arguments
            if self.tellable(one) and one.name not in tied and not one.label and not one.unique
        ]

    def changes(self, plan: Plan, resource: Resource, row: Row, tool: ToolPlan, dice: Dice, count: int) -> list[Told]:
        """New values for up to `count` fields of a row."""
        found: list[Told] = []
        for field in dice.shuffled(self.free_fields(resource, tool)):
            told = self.new_value(plan, field, resource, row, dice)
            if told is not None and len(found) < count:
                found.append(told)
        return found

    def new_value(self, plan: Plan, field: Field, resource: Resource, row: Row, dice: Dice) -> Told | None:
        """A value the row does not have; None where none can be told."""
        if not self.tellable(field):
            return None
        if field.enum and field.kind == "text":
            return self._new_choice(plan, field, resource, row, dice)
        values = [other[field.name] for other in self.data[resource.table]]
        others = [value for value in values if value not in (None, row[field.name])]
        if not others:
            return None
        value = dice.pick(others)
        if field.kind == "date":
            text = spoken_date(value)
            return Told(field, value, derived("date", [plan.said(text)]), text)
        if field.kind in ("integer", "number"):
            text = str(int(value)) if float(value).is_integer() else str(value)
            return Told(field, value, derived("number", [plan.said(text)]), text)
        if not str(value).isascii() or '"' in str(value):
            return None
        return Told(field, value, plan.said(value), f'"{value}"')

    def _new_choice(self, plan: Plan, field: Field, resource: Resource, row: Row, dice: Dice) -> Told | None:
        table = phrase_table(resource, field.name)
        for value in dice.shuffled(field.enum):
            text = spoken(value)
            common = len(field.enum) <= MAX_SPOKEN or value in lexicon.CURRENCIES
            if not common or value == row[field.name] or not text.isascii():
                continue
            if self._language.value_of(table, text) == value:  # asked last: it reads the whole table
                return Told(field, value, derived("phrase", [plan.said(text)], table=table), text)
        return None

    def new_label(self, field: Field, resource: Resource, dice: Dice) -> str | None:
        """A label that no row has yet, made like those there are."""
        known = [str(row[field.name]) for row in self.data[resource.table] if row[field.name]]
        taken = {value.lower() for value in known}
        for _ in range(30 if known else 0):
            made = _alike(dice.pick(known), dice.pick(known), dice)
            made = made[: field.max_length].strip() if field.max_length else made
            if made and made.lower() not in taken and made.isascii() and '"' not in made:
                return made
        return None

    def askable(self, resource: Resource, row: Row, dice: Dice) -> list[Field]:
        """Fields whose value here can be told in words and could not be guessed."""
        fields = [one for one in resource.fields if self.tellable(one) and not one.label and not one.enum]
        named = str(row[resource.label.name]).lower() if resource.label else ""
        return dice.shuffled(
            [
                one
                for one in fields
                if not self.guessable(resource, one, row[one.name]) and str(row[one.name]).lower() not in named
            ]
        )

    def guessable(self, resource: Resource, field: Field, value: Any) -> bool:
        """Whether a value is missing, common, or one that somebody who knows the column would say first."""
        known = [row[field.name] for row in self.data[resource.table] if row[field.name] is not None]
        if value is None or not str(value).isascii() or len(known) < 4:
            return True
        counts = Counter(known)
        common = max(counts.values())
        if common > max(MAX_SHARE * len(known), 1) or (common > 1 and counts[value] == common):
            return True
        return value in (known[0], known[-1], min(known), max(known))


def _alike(one: str, other: str, dice: Dice) -> str:
    """A value in the manner of two others: an address, a host, a name, a code."""
    if "@" in one:
        first, last = dice.pick(lexicon.FIRST_NAMES), dice.pick(lexicon.LAST_NAMES)
        return f"{first}.{last}@{one.split('@', 1)[1]}".lower()
    if one.endswith(".") and " " not in one:
        return f"{dice.pick(lexicon.COMPANY_FIRST)}-{dice.pick(lexicon.COMPANY_LAST)}.example.".lower()
    if re.fullmatch(r"[A-Z]{1,3}-\d+", one):
        return f"{one.partition('-')[0]}-{dice.between(1000, 99999)}"
    if (mixed := blended(one, other)) is not None:
        return mixed
    return f"{dice.pick(lexicon.LAST_NAMES)}{dice.between(100, 999)}".lower()
