"""How a request refers to a row: the words, what they say about it, and SQL that denotes it alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ..environment.task import Operation


@dataclass(frozen=True)
class Condition:
    """One thing that a description says about an item of a listed result.

    Attributes:
        path: Field of the item: `destination`.
        value: Its value, which the solver compares with.
        words: The words that say it, exactly as they stand in the description: `Oslo`, `21 May`.
        read: How a solver reads the value out of the words: an operation of the closed list (`date`,
            `money`, `number`, `phrase`, ...); None where the words are the value.
        table: For `phrase`, the phrase table of language.yaml.
        comparison: Of the closed list of `filter`: `==`, `starts`, `contains`, ...
        implied: True where no word says it and policy, noun or tense do (`status == confirmed` of a coming
            trip); `words` is then empty and the value goes into the filter literally.
    """

    path: str
    value: Any
    words: str = ""
    read: Operation | None = None
    table: str | None = None
    comparison: str = "=="
    implied: bool = False


@dataclass(frozen=True)
class Reference:
    """A referring expression for one item of a list, true of no other item.

    Attributes:
        words: The noun phrase: `my cheapest trip to Oslo`.
        conditions: What it says, in filter form; applied first.
        extreme: Then the item with the least or greatest value at this path is meant.
        position: Or the first or last of what is left, in the list's own order.
        sql: Denotes exactly one row; its only column is the key.
        column: The key, `table.column`.
        implicit: How far the words are from stating a key: 0 a code or number, 1 a name or label, 2 a description,
            3 a superlative, ordinal or relation, 4 an earlier turn ("it", "that trip").
    """

    words: str
    conditions: tuple[Condition, ...]
    sql: str
    column: str
    extreme: tuple[Literal["arg_min", "arg_max"], str] | None = None
    position: Literal["first", "last"] | None = None
    implicit: int = 1
