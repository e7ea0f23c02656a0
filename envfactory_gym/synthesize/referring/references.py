"""All good referring expressions for one item of a list, from explicit to implicit.

After Dale and Reiter's incremental algorithm in spirit: a description is kept only if it is true of
the item alone and no part of it could be dropped; but all small ones are looked at, which for the
handful of columns people speak of is cheaper than being clever.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice
from random import Random
from typing import Any

from ...environment import Language
from ...environment.columns import Schema
from ...environment.language import Noun
from ..reference import Condition, Reference
from .modifiers import Extreme, Item, Modifier, Offer
from .nouns import noun_of
from .phrase import is_relative, one_of, phrase
from .relation import Relation, literal, quoted

MOST_WORDS = 18
"""Longest description, in words."""

MOST = 36
"""References of one item that are put into words; small ones are found first."""

_SQL = {"==": "{column} = {value}", "<": "{column} < {value}", ">": "{column} > {value}"}


def references(
    items: Sequence[Item],
    target: int,
    *,
    relation: Relation,
    language: Language,
    schema: Schema,
    now: str,
    random: Random,
    details: Mapping[str, str] | None = None,
) -> list[Reference]:
    """Ways to refer to `items[target]`, each true of no other item, explicit ones first.

    Args:
        items: The rows that a tool lists, all of them.
        target: Which one is meant.
        relation: The table or view behind the list.
        language: Nouns and phrase tables.
        schema: For the noun of a table without one.
        now: The time in the episode, for "next" and for dates without a year.
        random: Draws among equal wordings; nothing else depends on it.
        details: Column → words that have to be said because the list was looked up by them (`destination_city` →
            `Oslo`); they are woven in where the noun can say the column.

    Returns:
        References by `implicit`; empty where nothing that people say tells the item from the others.
    """
    table = relation.column.partition(".")[0]
    noun = noun_of(table, relation.name, language, schema)
    offer = Offer(items, target, noun, relation, language, now, random, details or {})
    if not offer.sound or (len(items) == 1 and not noun.mine and not offer.details and not offer.singles):
        return []
    found = [
        reference
        for choice in islice(_choices(offer, noun.mine, target, items), MOST)
        if (reference := _worded(choice, offer, noun, relation, random)) is not None
    ]
    if not found and not {table, relation.name} & language.nouns.keys():
        # Nobody wrote how people speak of these rows, and nothing else tells them apart: a code is better than nothing.
        found = [
            reference
            for named in offer.named()
            if (reference := _worded(((named,), None, 1), offer, noun, relation, random)) is not None
        ]
    unique: dict[str, Reference] = {}
    for reference in sorted(found, key=lambda one: (one.implicit, len(one.conditions), len(one.words), one.words)):
        unique.setdefault(reference.words, reference)
    return list(unique.values())


Choice = tuple[tuple[Modifier, ...], Extreme | None, int]
"""What is said, the superlative if any, and how many items it chooses among."""


def _choices(offer: Offer, mine: bool, target: int, items: Sequence[Item]) -> Iterator[Choice]:
    """Every small set of modifiers, alone or with a superlative, that leaves the target only."""
    count = len(items)
    everything, wanted = (1 << count) - 1, 1 << target
    required = everything
    for one in offer.required:
        required &= one.mask
    orders = [(extreme, _ranking(items, extreme), extreme.mask) for extreme in offer.extremes if extreme.mask & wanted]
    if required == wanted:
        # "my trip" says enough where there is one; "the flight" says nothing but what everybody knows.
        if mine or offer.details or count > 1:
            yield (), None, 1
        for single in offer.singles:
            if single.level < 2:  # a name is good even where it is not needed
                yield (single,), None, 1
        return
    superlative: set[tuple[str, bool]] = set()

    def extremes(said: tuple[Modifier, ...], mask: int) -> Iterator[Choice]:
        for extreme, ranking, among in orders:
            left = mask & among
            kind = (extreme.template, extreme.greatest)
            if kind in superlative or any(one.column == extreme.column for one in said) or left.bit_count() < 2:
                continue
            if _best(ranking, left, extreme.greatest) == target:
                if not said:
                    superlative.add(kind)
                yield said, extreme, left.bit_count()

    yield from extremes((), required)
    alone: list[Modifier] = []
    rest: list[Modifier] = []
    for single in offer.singles:
        if (left := required & single.mask) == wanted:
            alone.append(single)
            yield (single,), None, 1
        else:
            rest.append(single)
            if "~" in single.template:
                yield from extremes((single,), left)
    rest = [single for single in rest if "~" in single.template]
    pairs = 0
    for first, second in combinations(rest, 2):
        if first.column == second.column or (is_relative(first) and is_relative(second)):
            continue
        left = required & first.mask & second.mask
        if left == wanted:
            pairs += 1
            yield (first, second), None, 1
        elif not alone and not superlative:
            yield from extremes((first, second), left)
    if alone or pairs or superlative:
        return
    for three in combinations(rest, 3):
        if len({one.column for one in three}) == 3 and sum(map(is_relative, three)) < 2:
            left = required & three[0].mask & three[1].mask & three[2].mask
            if left == wanted:
                yield three, None, 1


def _ranking(items: Sequence[Item], extreme: Extreme) -> list[tuple[Any, int]] | None:
    """The items by the compared value; None where one has no value or they cannot be compared."""
    values = [(item.get(extreme.field), place) for place, item in enumerate(items) if extreme.mask >> place & 1]
    kinds = {str if isinstance(value, str) else float for value, _ in values}
    if len(kinds) != 1 or any(value is None or isinstance(value, (bool, list, dict)) for value, _ in values):
        return None
    if any(isinstance(value, str) and value.replace(".", "", 1).replace("-", "", 1).isdigit() for value, _ in values):
        return None  # numbers stored as text compare as text, which nobody means
    return sorted(values)


def _best(ranking: list[tuple[Any, int]] | None, mask: int, greatest: bool) -> int | None:
    """The one item of a mask with the least or greatest value; None on a tie."""
    if ranking is None:
        return None
    first: tuple[Any, int] | None = None
    for value, place in reversed(ranking) if greatest else ranking:
        if mask >> place & 1:
            if first is None:
                first = (value, place)
            else:
                return None if value == first[0] else first[1]
    return first[1] if first else None


def _worded(choice: Choice, offer: Offer, noun: Noun, relation: Relation, random: Random) -> Reference | None:
    said, extreme, number = choice
    place = int(random.random() ** 2 * len(noun.one))
    one, many = noun.one[place], noun.many[min(place, len(noun.many) - 1)]
    modifiers = sorted(
        [*said, *offer.details, *offer.required], key=lambda modifier: (is_relative(modifier), modifier.order)
    )
    if offer.details and any("~" not in modifier.template for modifier in said):
        return None  # a whole phrase takes nothing behind it
    if extreme is None:
        words = phrase(one, noun.mine, modifiers)
    elif extreme.condition is None and extreme.template.endswith("~") and _in_full(number, bool(said), random):
        words = one_of(many, noun.mine, modifiers, extreme, number)
    else:
        words = phrase(one, noun.mine, modifiers, extreme)
    conditions = [modifier.condition for modifier in (*offer.required, *said) if modifier.condition is not None]
    if extreme is not None and extreme.condition is not None:
        conditions.append(extreme.condition)
    if len(words.split()) > MOST_WORDS or any(one.words not in words for one in conditions):
        return None
    sql = [_sql(condition, relation) for condition in conditions]
    if extreme is not None:
        column = quoted(extreme.column)
        least = f"{'max' if extreme.greatest else 'min'}({column})"
        sql = [*sql, f"{column} = (SELECT {least} FROM {quoted(relation.name)}{relation.where(sql)})"]
    level = 3 if extreme is not None else min((modifier.level for modifier in said), default=2)
    return Reference(
        words=words,
        conditions=tuple(conditions),
        sql=relation.select(sql),
        column=relation.column,
        extreme=(("arg_max" if extreme.greatest else "arg_min"), extreme.field) if extreme is not None else None,
        implicit=level,
    )


def _in_full(number: int, narrowed: bool, random: Random) -> bool:
    """Whether to say among how many: "the cheaper of my two trips" rather than "my cheapest trip"."""
    if number == 2:
        return narrowed or random.random() < 0.7
    return narrowed and number <= 6 and random.random() < 0.4


def _sql(condition: Condition, relation: Relation) -> str:
    column, value = quoted(relation.fields[condition.path]), literal(condition.value)
    if condition.comparison == "starts":
        return f"substr({column}, 1, {len(str(condition.value))}) = {value}"
    if condition.comparison == "contains":
        return f"instr(lower({column}), lower({value})) > 0"
    return _SQL[condition.comparison].format(column=column, value=value)
