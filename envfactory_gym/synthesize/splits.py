"""Splits that do not leak: every row and every kind of task belongs to one split before anything is made.

A row's split follows from whose row it is (or from itself, where it is nobody's), by a keyed digest;
grounding then draws only from rows of the task's own split. So no row that a task refers to or
writes is met in another split, however many tasks are made, and nothing has to be sorted out
afterwards. Tables that no tool writes (airports, fares) are reference data and belong to all, and so do counters that
hang on them alone (seats left on a flight): nobody refers to those, and whoever learns one learns nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

from ..environment import Package
from ..environment.task import Split

SHARES: tuple[tuple[Split, float], ...] = (("train", 0.6), ("dev", 0.18), ("test", 0.22))
"""Shares of the rows, and about those of the tasks."""

UNSEEN = 0.14
"""Share of the goal templates that occur in `test` alone; about half of the test tasks are then of such."""

_TEST_AMONG_SEEN = 0.11
_DEV_AMONG_SEEN = 0.19


class Splits:
    """Which split rows and goal templates of an environment belong to.

    Args:
        package: The environment.
        seed: Another seed deals anew.
    """

    def __init__(self, package: Package, seed: int = 0) -> None:
        self._seed = seed
        written = {table for tool in package.tools.values() for table in tool.writes}
        reference = set(package.schema.tables) - written
        counters = {
            table.name
            for table in package.schema.tables.values()
            if (
                above := [
                    column.references for column in table.columns if column.name in table.key and column.references
                ]
            )
            and all(one.partition(".")[0] in reference for one in above)
        }
        self.reference = frozenset(reference | counters)

    def private(self, touched: Iterable[str]) -> tuple[str, ...]:
        """Of the people and rows that a task touches, those that belong to one split."""
        return tuple(one for one in touched if one.partition(" ")[0].partition(".")[0] not in self.reference)

    def of_row(self, table: str, key: Any, owner: Any = None) -> Split | None:
        """The split of a row; None for reference data, which belongs to all."""
        if owner is not None:
            return self._dealt(_share("owner", owner, self._seed))
        if table in self.reference:
            return None
        return self._dealt(_share(table, key, self._seed))

    def of_template(self, template: Sequence[str], number: int) -> Split:
        """The split of a task with such wishes; templates that are held out come into `test` only.

        Args:
            template: The wished tools, turn by turn.
            number: Which chain it is; decides where templates may come into every split.
        """
        if _share("template", "|".join(template), self._seed) < UNSEEN:
            return "test"
        at = _share("task", number, self._seed)
        if at < _TEST_AMONG_SEEN:
            return "test"
        return "dev" if at < _TEST_AMONG_SEEN + _DEV_AMONG_SEEN else "train"

    @staticmethod
    def _dealt(at: float) -> Split:
        for split, share in SHARES:
            if at < share:
                return split
            at -= share
        return "test"


def leaks(footprints: Iterable[tuple[Split, Iterable[str]]]) -> list[str]:
    """What is met in several splits: names of people, rows and twin groups, each with the splits it is met in."""
    met: dict[str, set[str]] = {}
    for split, touched in footprints:
        for one in touched:
            met.setdefault(one, set()).add(split)
    return sorted(f"{one} ({', '.join(sorted(splits))})" for one, splits in met.items() if len(splits) > 1)


def unseen_share(templates: Iterable[tuple[Split, str]]) -> float:
    """Share of the test tasks whose goal template occurs in no other split."""
    listed = list(templates)
    seen = {template for split, template in listed if split != "test"}
    tests = [template for split, template in listed if split == "test"]
    return sum(template not in seen for template in tests) / len(tests) if tests else 0.0


def _share(*parts: Any) -> float:
    digest = hashlib.blake2b(repr(parts).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") / 2**64
