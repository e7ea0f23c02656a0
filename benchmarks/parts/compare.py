"""Comparison: changes of 5, 30 and 200 inserted rows, with the same ids, other ids, and a wrong value."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from envfactory_gym.world import Changes, Template, compare

from .. import shop_package
from ..clock import Figures, timed
from ..shop_rows import customer_id, sku

ROWS = (5, 30, 200)
LINES = 4

Side = tuple[Changes, set[Any]]
"""A change, and the ids and codes minted in it."""


def measure(folder: Path, samples: int) -> dict[str, Any]:
    """Figures of `compare` by number of inserted rows.

    Each order is one row and `LINES` lines. The renamed side places the same orders in the reverse
    sequence under another seed, so every id of every row differs.
    """
    template = Template.of(shop_package.load(folder))
    found: dict[str, Any] = {}
    for rows in ROWS:
        orders = list(range(rows // (1 + LINES)))
        expected, minted = _placed(template, orders, seed=1)
        inserted = sum(old is None for old, _ in expected.values())
        assert inserted == rows, f"{inserted} rows were inserted, not {rows}"
        sides = {
            "literal": _placed(template, orders, seed=1),
            "renamed": _placed(template, orders[::-1], seed=2),
            "wrong": _placed(template, orders[::-1], seed=2, quantity=3),
        }
        enough = max(5, samples * 5 // rows)
        found[str(rows)] = {
            name: _compare(template, (expected, minted), side, equal=name != "wrong", samples=enough)
            for name, side in sides.items()
        }
    template.close()
    return found


def _compare(template: Template, expected: Side, actual: Side, *, equal: bool, samples: int) -> Figures:
    """Figures of one comparison, whose verdict is known."""

    def work() -> bool:
        return compare(
            template.schema, expected[0], actual[0], minted_expected=expected[1], minted_actual=actual[1]
        ).equal

    assert work() is equal, "the comparison is wrong"
    return timed(work, samples=samples, warm=2)


def _placed(template: Template, orders: list[int], *, seed: int, quantity: int = 2) -> Side:
    """The change that placing orders makes; the last line of customer 0's order has `quantity` pieces."""
    world = template.acquire(seed=seed)
    for n in orders:
        pieces = [1, 1, 1, quantity if n == 0 else 2]
        basket = [{"sku": sku((n + line) % 20), "quantity": pieces[line]} for line in range(LINES)]
        world.call("place_order", json.dumps({"customer_id": customer_id(n % 20), "basket": basket}))
    changes, minted = world.changes(), set(world.minted)
    template.release(world)
    return changes, minted
