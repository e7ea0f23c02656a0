"""Reset: back to right after the setup, with the setup of 20 rows kept.

A reset costs what there is to undo, so it is measured after nothing, after 16 writes of one row
each, and after the whole episode of 24 calls, whose rows, cascades and index entries dirty some
hundred pages.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from envfactory_gym.world import LiveWorld, Template
from envfactory_gym.world.template import PRIVATE_UP_TO

from .. import shop_package, shop_play
from ..clock import Figures, timed
from ..playing import TextCall, arguments_as_text, play


def measure(folder: Path, orders: int, samples: int) -> dict[str, Any]:
    """Figures of `world.reset()` by form and by what is undone; each sample undoes it once."""
    template = Template.of(shop_package.load(folder))
    undone: dict[str, list[TextCall]] = {
        "nothing": [],
        "16 writes": arguments_as_text(shop_play.spread_writes(orders)),
        "24 calls": arguments_as_text(shop_play.calls(orders)),
    }
    found: dict[str, Any] = {"default": "private" if template.size <= PRIVATE_UP_TO else "shared"}
    for form in ("private", "shared"):
        world = template.acquire(shop_play.setup(), shared=form == "shared")
        found[form] = {name: _reset(world, calls, samples) for name, calls in undone.items()}
        world.close()
    template.close()
    return found


def _reset(world: LiveWorld, calls: list[TextCall], samples: int) -> Figures:
    """Figures of a reset after these calls, which must bring back exactly what the setup left."""
    base = world.digest()
    figures = timed(world.reset, before=lambda: play(world, calls), samples=samples)
    _check(world, base)
    return figures


def _check(world: LiveWorld, base: str) -> None:
    """A fast reset that forgets the setup, or keeps a change, is not a reset."""
    kept = world.query("SELECT count(*) FROM notes WHERE body = 'Please ring twice.'")[0][0]
    assert kept == 4, "the setup was lost"
    assert world.digest() == base, "the world is not as it was after its setup"
    assert not world.changes(), "a reset world has changes"
