"""Why two changes differ, row by row and column by column, for people and for shaped rewards.

The verdict is already known to be "different" here. Inserted rows that have no partner are paired
as well as they can be: by the finest colours in which they agree, then by the fewest differences.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .graph import Entry, Side

PAIRS = 2_000
"""Pairs of leftover rows of one table that are looked at for the fewest differences."""


@dataclass(frozen=True, slots=True)
class RowChange:
    """One row that one side changed and the other did not: `change` is insert, update or delete."""

    table: str
    key: tuple[Any, ...]
    change: str
    values: dict[str, Any]

    def __str__(self) -> str:
        what = "a new row" if self.change == "insert" else f"{self.change} {_key(self.key)}"
        values = ", ".join(f"{column} = {value!r}" for column, value in self.values.items())
        return f"{self.table}: {what}" + (f" ({values})" if values and self.change != "delete" else "")


@dataclass(frozen=True, slots=True)
class Difference:
    """One column of a row that both sides changed, and that ended differently.

    `column` is None where one side deleted the row.
    """

    table: str
    key: tuple[Any, ...]
    column: str | None
    expected: Any
    actual: Any

    def __str__(self) -> str:
        where = f"{self.table}: {_key(self.key)}"
        if self.column is None:
            return f"{where} is deleted on one side only"
        return f"{where}, {self.column} = {self.actual!r} instead of {self.expected!r}"


def _key(key: tuple[Any, ...]) -> str:
    return " / ".join(map(str, key))


@dataclass(frozen=True, slots=True)
class Comparison:
    """The verdict and, for people, its reasons.

    Attributes:
        equal: Whether both changes are the same under the column policies.
        missing: Row changes expected and not made.
        unexpected: Row changes made and not expected.
        different: Row changes made on both sides that ended in other values.
        recall: Share of the expected row changes that were met, from 0 to 1.
        collateral: How many row changes nobody asked for.
    """

    equal: bool
    missing: list[RowChange] = field(default_factory=list)
    unexpected: list[RowChange] = field(default_factory=list)
    different: list[Difference] = field(default_factory=list)
    recall: float = 1.0
    collateral: int = 0

    def __bool__(self) -> bool:
        return self.equal


class Explanation:
    """The reasons for a difference between `left` (expected) and `right` (actual).

    Args:
        left, right: Both changes as graphs.
        rounds: Colours of both, coarse to fine.
        failed: The first column checked on a pair that does not hold, or None.
    """

    def __init__(
        self,
        left: Side,
        right: Side,
        rounds: list[tuple[list[int], list[int]]],
        failed: Callable[[Entry, Entry], int | None],
    ) -> None:
        self.left, self.right, self.failed = left, right, failed
        self.pairs: dict[int, int] = {}
        self.taken: set[int] = set()
        known = {(entry.table, entry.key): node for node, entry in enumerate(right.entries) if entry.old is not None}
        for node, entry in enumerate(left.entries):
            if entry.old is not None:
                self._pair(node, known[entry.table, entry.key])
        for ours, theirs in reversed(rounds):
            waiting: dict[int, list[int]] = {}
            for node in range(len(theirs) - 1, -1, -1):
                if node not in self.taken:
                    waiting.setdefault(theirs[node], []).append(node)
            for node, colour in enumerate(ours):
                if node not in self.pairs and waiting.get(colour):
                    self._pair(node, waiting[colour].pop())
        self._pair_alike()

    def _pair(self, node: int, other: int) -> None:
        self.pairs[node] = other
        self.taken.add(other)

    def _pair_alike(self) -> None:
        """Pair leftover inserted rows of one table that agree in at least half of their columns."""
        tables: dict[str, tuple[list[int], list[int]]] = {}
        for node, entry in enumerate(self.left.entries):
            if node not in self.pairs:
                tables.setdefault(entry.table, ([], []))[0].append(node)
        for node, entry in enumerate(self.right.entries):
            if node not in self.taken and entry.table in tables:
                tables[entry.table][1].append(node)
        for table, (ours, theirs) in tables.items():
            if len(ours) * len(theirs) > PAIRS:
                continue
            compared = sum(policy.kind not in ("ignore", "generated") for policy in self.left.roles[table].policies)
            scored = sorted((len(self._columns(a, b)), a, b) for a in ours for b in theirs)
            for differences, node, other in scored:
                if node not in self.pairs and other not in self.taken and differences * 2 <= compared:
                    self._pair(node, other)

    def _columns(self, node: int, other: int) -> list[int]:
        """Columns in which a pair differs, ids compared through the pairs found so far."""
        ours, theirs = self.left.entries[node], self.right.entries[other]
        if ours.new is None or theirs.new is None:
            return [] if ours.new is theirs.new else [-1]
        roles, our, their = self.left.roles[ours.table], ours.new, theirs.new
        found = []
        for index, policy in enumerate(roles.policies):
            if policy.kind in ("exact", "number") and policy.canonical(our[index]) != policy.canonical(their[index]):
                found.append(index)
        settled = set()
        for index, _, ref in roles.references:
            a, b = self.left.target(ref, our[index]), self.right.target(ref, their[index])
            settled.add((index, self._same(a, b, our[index], their[index])))
        for index, _, ref in (*roles.generated, *(roles.keys if ours.old is None else ())):
            part, a = self.left.generated(node, index, ref)
            other_part, b = self.right.generated(other, index, ref)
            settled.add((index, part == other_part and self._same(a, b, None, None)))
        for index, _ in roles.texts:
            text_a, nodes_a = self.left.split(our[index])
            text_b, nodes_b = self.right.split(their[index])
            settled.add((index, text_a == text_b and [self.pairs.get(n) for n in nodes_a] == nodes_b))
        for index, _ in roles.integers:
            a, b = self.left.integer(our[index]), self.right.integer(their[index])
            settled.add((index, self._same(a, b, our[index], their[index])))
        differing = {index for index in found if (index, True) not in settled}
        differing |= {index for index, same in settled if not same}
        if (failed := self.failed(ours, theirs)) is not None:
            differing.add(failed)
        return sorted(differing)

    def _same(self, a: int | None, b: int | None, our: Any, their: Any) -> bool:
        if a is None or b is None:
            return a is b and our == their
        return self.pairs.get(a) == b

    def comparison(self) -> Comparison:
        """The verdict with its reasons."""
        missing: list[RowChange] = []
        unexpected: list[RowChange] = []
        different: list[Difference] = []
        met = wanted = 0
        for node, entry in enumerate(self.left.entries):
            wanted += not entry.idle
            other = self.pairs.get(node)
            if other is None:
                missing.append(_row_change(self.left, entry))
                continue
            columns, theirs = self._columns(node, other), self.right.entries[other]
            if not columns:
                met += not entry.idle
            elif entry.idle:
                unexpected.append(_row_change(self.right, theirs))
            elif theirs.idle:
                missing.append(_row_change(self.left, entry))
            else:
                names = self.left.roles[entry.table].names
                for index in columns:
                    whole = index < 0
                    different.append(
                        Difference(
                            entry.table,
                            theirs.key,
                            None if whole else names[index],
                            _values(names, entry) if whole else entry.new[index],  # type: ignore[index]
                            _values(names, theirs) if whole else theirs.new[index],  # type: ignore[index]
                        )
                    )
        for node, entry in enumerate(self.right.entries):
            if node not in self.taken:
                unexpected.append(_row_change(self.right, entry))
        return Comparison(
            equal=False,
            missing=missing,
            unexpected=unexpected,
            different=different,
            recall=met / wanted if wanted else 1.0,
            collateral=len(unexpected),
        )


def _values(names: tuple[str, ...], entry: Entry) -> dict[str, Any] | None:
    return None if entry.new is None else dict(zip(names, entry.new, strict=True))


def _row_change(side: Side, entry: Entry) -> RowChange:
    names = side.roles[entry.table].names
    if entry.kind == "update" and entry.old is not None and entry.new is not None:
        values = {name: b for name, a, b in zip(names, entry.old, entry.new, strict=True) if a != b}
    else:
        values = dict(zip(names, entry.new or entry.old or (), strict=True))
    return RowChange(entry.table, entry.key, entry.kind, values)
