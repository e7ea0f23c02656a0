"""What may be said of one item: the modifiers that a noun offers for its values, and which items each is true of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ...environment import Language
from ...environment.language import Noun
from ..reference import Condition
from .nouns import LABELS
from .relation import Relation
from .said import Way, kind_of_words, ways

Item = Mapping[str, Any]

_CODE = re.compile(
    r"[\[{].*[\]}]|(?=\S*\d)(?=\S*[A-Z_-])[A-Z0-9_-]{4,}|[0-9a-f]{8}-[0-9a-f]{4}-.*|[A-Z]{6,}|https?://.*|\S+_\S*\d\S*"
)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(?:$|[T ])")
_FIXED = re.compile(r"(\w+)=(.*)")
_TIMED = re.compile(r"(\w+)([<>])now")
COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "==": lambda left, right: bool(left == right),
    "<": lambda left, right: bool(left < right),
    ">": lambda left, right: bool(left > right),
    "starts": lambda left, right: str(left).startswith(str(right)),
    "contains": lambda left, right: str(right).casefold() in str(left).casefold(),
}
"""Of the closed list of `filter`, those that descriptions use; an item without a value fulfils none."""


@dataclass(frozen=True)
class Modifier:
    """Something true of the wanted item, and how to say it.

    Attributes:
        template: Of the noun, with `~` for what is modified and the value filled in: `~ to Oslo`.
        column: Column it is about.
        condition: For the solver and for SQL; None where the list was narrowed by it anyway.
        mask: Bit i is set where it is true of item i.
        level: How far from a key it is: 0 key, 1 name, 2 description.
        order: Its place in a phrase.
    """

    template: str
    column: str
    condition: Condition | None
    mask: int
    level: int
    order: int

    @property
    def silent(self) -> bool:
        """Whether no word says it."""
        return self.template == "~"


@dataclass(frozen=True)
class Extreme:
    """A superlative that a noun offers: `cheapest ~`.

    Attributes:
        template: With `~`.
        column: Column compared.
        field: Its field in the items.
        greatest: Whether the greatest value is meant.
        condition: For "next" and the like: before or after the present moment.
        mask: Items that it chooses among.
    """

    template: str
    column: str
    field: str
    greatest: bool
    condition: Condition | None
    mask: int


class Offer:
    """All that a noun offers to say of one item of a list.

    Attributes:
        singles: Modifiers that may be said, by column, in phrase order.
        required: Modifiers that must be said, or hold silently, for the noun to be right at all.
        details: Modifiers that only repeat what the list was asked for.
        extremes: Superlatives that could be used of lists like this.
        sound: Whether the noun can be used of the item at all.
    """

    def __init__(
        self,
        items: Sequence[Item],
        target: int,
        noun: Noun,
        relation: Relation,
        language: Language,
        now: str,
        random: Random,
        details: Mapping[str, str],
    ) -> None:
        self._items, self._target, self._relation = items, target, relation
        self._language, self._now, self._random = language, now, random
        self._fields = {column: name for name, column in sorted(relation.fields.items(), reverse=True)}
        self._label = next((column for column in LABELS if column in self._fields), None)
        self.singles: list[Modifier] = []
        self.required: list[Modifier] = []
        self.details: list[Modifier] = []
        self.extremes: list[Extreme] = []
        self.sound = True
        plain: dict[str, bool] = {}
        fixed: set[str] = set()
        for order, (name, templates) in enumerate(noun.says.items()):
            if match := _FIXED.fullmatch(name):
                if self._fixed(match[1], match[2], templates, order, plain):
                    fixed.add(match[1])
            elif name in details:
                self.details.append(Modifier(self._repeated(templates, details[name]), name, None, -1, 2, order))
            elif name in self._fields and name not in relation.scope and name not in fixed:
                self._valued(name, templates, order)
        self.sound = all(plain.values()) or not plain
        self._superlatives(noun)

    # ------------------------------------------------------------ modifiers

    def named(self) -> Iterator[Modifier]:
        """The item by its key, as it is written: `server LAM9TK`."""
        column = self._relation.key
        field = self._fields.get(column)
        value = self._items[self._target].get(field) if field is not None else None
        if field is None or isinstance(value, (bool, float)):
            return
        for way in ways("", value, self._language, self._now):
            if way.words == str(value):
                modifier = self._modifier("~ {value}", column, field, way, 0, 0)
                if modifier.mask == 1 << self._target:
                    yield modifier

    def _valued(self, column: str, templates: Sequence[str], order: int) -> None:
        """Ways to describe the item by its value: one drawn for each template, at most two."""
        field = self._fields[column]
        value = self._items[self._target].get(field)
        table = self._relation.column.partition(".")[0]
        said = ways(column, value, self._language, self._now, table)
        key = column == self._relation.key
        if not key and self._unsaid(column, field, value):
            return
        short = [way for way in said if _goes_before(way.words)]
        for template in self._some(templates, 2):
            pool = [way for way in said if _suits(way, template)] if "{value} ~" not in template else short
            if not pool:
                continue
            way = pool[int(self._random.random() ** 2 * len(pool))]
            level = 0 if key else 1 if column == self._label or "~" not in template else 2
            self.singles.append(self._modifier(template, column, field, way, level, order))

    def _repeated(self, templates: Sequence[str], words: str) -> str:
        """Words that were said for a look-up, as a modifier: "on" goes with a day, "at" with a time."""
        way = Way(words, words, kind=kind_of_words(words, self._now))
        fitting = [one for one in templates if _suits(way, one) and "~" in one]
        template = self._one(fitting) if fitting else "~ on {value}" if way.kind == "date" else "~ for {value}"
        return template.replace("{value}", words)

    def _unsaid(self, column: str, field: str, value: Any) -> bool:
        """Whether nobody says such a value: a code, JSON, a flag."""
        if isinstance(value, str):
            return _CODE.fullmatch(value) is not None and _MOMENT.match(value) is None
        return isinstance(value, int) and all(item.get(field) in (0, 1, None) for item in self._items)

    def _modifier(self, template: str, column: str, field: str, way: Way, level: int, order: int) -> Modifier:
        holds = COMPARISONS[way.comparison]
        mask = sum(
            1 << place
            for place, item in enumerate(self._items)
            if item.get(field) is not None and holds(item[field], way.value)
        )
        condition = Condition(field, way.value, way.words, way.read, way.table, way.comparison)
        return Modifier(template.replace("{value}", way.words), column, condition, mask, level, order)

    def _fixed(self, column: str, value: str, templates: Sequence[str], order: int, plain: dict[str, bool]) -> bool:
        """`column=value`: words for one value, such as `cancelled ~`; a bare `~` makes it the usual, unsaid one.

        Returns:
            Whether it says something of the item; its column is then not said in another way.
        """
        if column not in self._fields or column in self._relation.scope:
            return False
        field = self._fields[column]
        own = self._items[self._target].get(field)
        usual = "~" in templates
        if usual:
            plain.setdefault(column, False)
        if str(own) != value or own is None:
            return False
        mask = sum(1 << place for place, item in enumerate(self._items) if item.get(field) == own)
        condition = Condition(field, own, implied=True)
        template = "~" if usual else self._one(templates)
        modifier = Modifier(template, column, condition, mask, 2, order)
        if usual or column in plain:
            plain[column] = True
            self.required.append(modifier)
        else:
            self.singles.append(modifier)
        return True

    # ------------------------------------------------------------ superlatives

    def _superlatives(self, noun: Noun) -> None:
        for name, (least, greatest) in noun.extremes.items():
            match = _TIMED.fullmatch(name)
            column = match[1] if match else name
            if column not in self._fields or column in self._relation.scope:
                continue
            field = self._fields[column]
            present = [(place, item[field]) for place, item in enumerate(self._items) if item.get(field) is not None]
            condition, mask = None, (1 << len(self._items)) - 1
            if match:
                now = self._now if any("T" in str(value) for _, value in present) else self._now[:10]
                condition = Condition(field, now, comparison=match[2], implied=True)
                holds = COMPARISONS[match[2]]
                mask = sum(1 << place for place, value in present if isinstance(value, str) and holds(value, now))
            for template, largest in ((least, False), (greatest, True)):
                if template:
                    self.extremes.append(Extreme(template, column, field, largest, condition, mask))

    # ------------------------------------------------------------ draws

    def _one(self, options: Sequence[str]) -> str:
        return options[int(self._random.random() * len(options))]

    def _some(self, options: Sequence[str], most: int) -> list[str]:
        start = int(self._random.random() * len(options))
        return [options[(start + step) % len(options)] for step in range(min(most, len(options)))]


def _goes_before(words: str) -> bool:
    """Whether words can stand before a noun: `Oslo`, `on hold`, not `the 3rd of May` or `Existing - Upgrade`."""
    return not words.startswith("the ") and (len(words.split()) == 1 or (len(words.split()) == 2 and words.islower()))


def _suits(way: Way, template: str) -> bool:
    """Whether words fit a place: "on half past nine" and "at 21 May" are wrong, and so is "a 3 May trip" twice."""
    before = template.partition("{value}")[0].rstrip().rpartition(" ")[2]
    if before == "at":
        return way.kind not in ("date",)
    if before in ("on", "from", "by", "of", "until", "is", "since", "before", "after") or not before:
        return way.kind != "time"
    return True
