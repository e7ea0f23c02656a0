"""Memory per live world: right after its setup, and with a whole episode played in it."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

from envfactory_gym.environment import EnvFactoryError
from envfactory_gym.world import LiveWorld, Template

from .. import process_memory, shop_package, shop_play
from ..playing import arguments_as_text, play

SHARE_OF_ALL, SHARE_OF_FREE = 0.45, 0.9
"""How much of the machine's memory a measurement may take (two run at a time), and of what is free."""


def measure(folder: Path, orders: int, worlds: list[int], form: str) -> dict[str, Any]:
    """Bytes per world and in all, for growing numbers of live worlds in one process.

    Returns:
        `base`: the process before any world; then by number of worlds `idle` (per world made
        since the last number), `played` (per world) and `total` (the whole process, all episodes
        played). The first world also pays for what all share, such as the pages of the image that
        were read. Where the system does not allow so many worlds, `refused` says why.
    """
    template = Template.of(shop_package.load(folder))
    calls, setup = arguments_as_text(shop_play.calls(orders)), shop_play.setup()
    gc.collect()
    base = process_memory.read()
    live: list[LiveWorld] = []
    found: dict[str, Any] = {"base": base, "counts": {}}
    for count in worlds:
        before, fresh = process_memory.read(), count - len(live)
        if reason := _too_many(before, base, len(live), fresh):
            found["refused"] = f"{count} worlds: {reason}"
            break
        try:
            live += [template.acquire(setup, shared=form == "shared") for _ in range(fresh)]
        except EnvFactoryError as error:
            found["refused"] = f"{count} worlds: {error}"
            break
        idle = process_memory.read()
        for world in live[-fresh:]:
            play(world, calls)
        total = process_memory.read()
        found["counts"][str(count)] = {
            "idle": process_memory.per(before, idle, fresh),
            "played": process_memory.per(base, total, count),
            "total": total,
        }
    template.close()
    return found


def _too_many(now: process_memory.Memory, base: process_memory.Memory, live: int, fresh: int) -> str | None:
    """Why so many more worlds should not be made on this machine; None where they may."""
    if live < 20:
        return None
    wanted = process_memory.per(base, now, live)["anonymous"] * fresh
    total, free = process_memory.of_machine()
    if wanted <= min(SHARE_OF_ALL * total, SHARE_OF_FREE * free):
        return None
    return f"they would take some {wanted / 1e9:.1f} GB more; {free / 1e9:.1f} of {total / 1e9:.1f} GB are free"
