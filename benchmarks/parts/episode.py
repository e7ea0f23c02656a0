"""A whole episode: reset, 24 calls, and the reward, on the world itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from envfactory_gym.world import Template, compare

from .. import shop_package, shop_play
from ..clock import timed
from ..playing import arguments_as_text, play


def measure(folder: Path, orders: int, samples: int) -> dict[str, Any]:
    """Figures of an episode, and of its three parts one after the other."""
    template = Template.of(shop_package.load(folder))
    calls = arguments_as_text(shop_play.calls(orders))
    gold = template.acquire(shop_play.setup())
    play(gold, calls)
    expected, minted = gold.changes(), set(gold.minted)
    template.release(gold)
    world = template.acquire(shop_play.setup())

    def reward() -> float:
        return float(
            compare(
                template.schema, expected, world.changes(), minted_expected=minted, minted_actual=world.minted
            ).equal
        )

    def episode() -> None:
        world.reset()
        play(world, calls)
        assert reward() == 1.0, "the same calls do not earn the reward"

    found = {"whole": timed(episode, samples=samples, warm=5)}
    found["calls"] = timed(lambda: play(world, calls), before=world.reset, samples=samples, warm=5)
    found["reward"] = timed(reward, samples=samples, warm=5)
    template.close()
    return {**found, "changed_rows": len(expected)}
