"""Whether two changes of a world are the same change, and if not, how they differ.

Rows that existed before are compared by key. Inserted rows are compared without their surrogate
ids: the ids of one side may be renamed to those of the other, everywhere at once. The definition is
docs/proofs.md, "Compare"; the pairing of inserted rows is in `matching`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from ..environment.columns import Schema
from .graph import Entry, Side
from .matching import AmbiguousComparison, Matcher
from .reasons import Comparison, Difference, Explanation, RowChange
from .roles import Roles, Row, near, roles_of

__all__ = ["AmbiguousComparison", "Changes", "Comparison", "Difference", "RowChange", "compare"]

Key = tuple[str, tuple[Any, ...]]
Change = tuple[Row | None, Row | None]
Changes = dict[Key, Change]
"""(table, key values) → (old row, new row), rows as tuples in the order of `Table.names`."""

Holds = Callable[[str, tuple[Any, ...], str], bool]


def compare(
    schema: Schema,
    expected: Changes,
    actual: Changes,
    *,
    minted_expected: Collection[Any] = (),
    minted_actual: Collection[Any] = (),
    holds: Holds | None = None,
    texts: Sequence[str] = (),
) -> Comparison:
    """Compare two changes made from the same state.

    Args:
        schema: Tables and column policies, loosened for the task where it says so.
        expected: The net change that should have been made.
        actual: The net change that was made.
        minted_expected: Ids and codes made during the expected change, and only during it: ids
            made before stood in both worlds already, and are compared literally.
        minted_actual: The same for the actual change.
        holds: For `where(SQL)` columns: whether the expression holds for (table, key) in the world
            that `actual` was taken from.
        texts: What a `text(contains)` column must contain, apart from case and spacing.

    Raises:
        AmbiguousComparison: Inserted rows are too symmetric to be paired within the bound.
        ValueError: A `where(SQL)` column changed and `holds` was not given.
    """
    comparing = _Comparing(roles_of(schema), holds, [_plain(text) for text in texts])
    if expected == actual and not any(comparing.roles[table].unary for table, _ in actual):
        return Comparison(True)
    return comparing.run(expected, actual, minted_expected, minted_actual)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


class _Comparing:
    """One comparison: the policies bound to the world and texts they are checked with."""

    def __init__(self, roles: dict[str, Roles], holds: Holds | None, texts: Sequence[str]) -> None:
        self.roles, self.holds, self.texts = roles, holds, texts

    def run(
        self, expected: Changes, actual: Changes, minted_expected: Collection[Any], minted_actual: Collection[Any]
    ) -> Comparison:
        """Literally first, since ids are deterministic; then up to renaming; then the reasons."""
        if expected.keys() == actual.keys() and all(
            self._literally(key, change, actual[key]) for key, change in expected.items()
        ):
            return Comparison(True)
        ours, theirs = self._entries(expected, actual)
        left = Side(self.roles, ours, minted_expected)
        right = Side(self.roles, theirs, minted_actual)

        def fits(our: int, their: int) -> bool:
            return self.failed(ours[our], theirs[their]) is None

        matcher = Matcher(left.graph, right.graph, fits)
        if matcher.pairing() is not None:
            return Comparison(True)
        return Explanation(left, right, matcher.rounds, self.failed).comparison()

    def _entries(self, expected: Changes, actual: Changes) -> tuple[list[Entry], list[Entry]]:
        """The rows of both changes; rows that existed before stand on both sides or on neither."""
        ours, theirs = [], []
        for key, (old, new) in expected.items():
            table, values = key
            their = actual.get(key)
            if old is None or their is not None:
                ours.append(Entry(table, values, old, new))
                if their is not None:
                    theirs.append(Entry(table, values, *their))
            elif not self._idle(self.roles[table], old, new):
                ours.append(Entry(table, values, old, new))
                theirs.append(Entry(table, values, old, old, idle=True))
        for key, (old, new) in actual.items():
            if key in expected:
                continue
            table, values = key
            if old is None:
                theirs.append(Entry(table, values, None, new))
            elif not self._idle(self.roles[table], old, new):
                ours.append(Entry(table, values, old, old, idle=True))
                theirs.append(Entry(table, values, old, new))
        return ours, theirs

    def _idle(self, roles: Roles, old: Row | None, new: Row | None) -> bool:
        """Whether an update that only one side made is none under the policies."""
        return (
            old is not None
            and new is not None
            and roles.literal(old) == roles.literal(new)
            and all(policy.canonical(old[i]) == policy.canonical(new[i]) for i, policy in roles.numbers)
            and all(
                old[i] == new[i] or (policy.kind == "time" and near(policy, old[i], new[i]))
                for i, policy in roles.checked
            )
        )

    def _literally(self, key: Key, ours: Change, theirs: Change) -> bool:
        """Whether a row ended alike under the policies, ids taken literally."""
        our, their = ours[1], theirs[1]
        if our is None or their is None:
            return our is their
        roles = self.roles[key[0]]
        if our == their and not roles.unary:
            return True
        return (
            roles.literal(our) == roles.literal(their)
            and all(policy.canonical(our[i]) == policy.canonical(their[i]) for i, policy in roles.numbers)
            and (not roles.checked or self.failed(Entry(*key, *ours), Entry(*key, *theirs)) is None)
        )

    def failed(self, ours: Entry, theirs: Entry) -> int | None:
        """The first column of a paired row whose policy does not hold; None where all hold."""
        if ours.new is None or theirs.new is None:
            return None
        for index, policy in self.roles[ours.table].checked:
            value = theirs.new[index]
            if policy.kind == "time":
                good = near(policy, ours.new[index], value)
            elif ours.idle:
                good = ours.new[index] == value
            elif policy.kind == "one_of":
                good = near(policy, ours.new[index], value)
            elif policy.kind == "text":
                plain = _plain(value) if isinstance(value, str) else ""
                good = all(text in plain for text in self.texts)
            elif self.holds is None:
                raise ValueError(f"{theirs.table} has a column under where(...): pass `holds` to compare it")
            else:
                good = self.holds(theirs.table, theirs.key, policy.sql or "")
            if not good:
                return index
        return None
