"""What is measured, on which image, how often: the whole programme and the quick one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

IMAGES = ("100 KB", "500 KB", "5 MB", "20 MB")
USUAL = "500 KB"
"""The image of everything that does not depend on the size."""


@dataclass(frozen=True)
class Job:
    """One measurement in one process.

    Attributes:
        part: The module of `benchmarks.parts`.
        name: What the result is called in its part: an image, and a form where there are two.
        image: The package it is given; None where it needs none.
        options: Further arguments.
        timed: Whether it measures time, so that nothing else should run meanwhile.
    """

    part: str
    name: str
    image: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    timed: bool = True


PARTS = ("image", "reset", "step", "compare", "episode", "faces", "imports", "memory", "deepcopy", "servers")


def jobs(quick: bool) -> list[Job]:
    """All measurements in the order in which they are shown."""
    images = (USUAL,) if quick else IMAGES
    few = 5 if quick else 1
    worlds = [1, 200] if quick else [1, 1_000, 10_000]
    found = [Job("image", image, image) for image in images]
    found += [Job("reset", image, image, {"samples": 500 // few}) for image in images]
    found += [Job("step", image, image, {"samples": 400 // few}) for image in ((USUAL,) if quick else (USUAL, "20 MB"))]
    found += [Job("compare", USUAL, USUAL, {"samples": 200 // few})]
    found += [Job("episode", image, image, {"samples": 400 // few}) for image in images]
    found += [Job("faces", USUAL, USUAL, {"samples": 200 // few})]
    found += [Job("imports", "any", None, {"samples": 2 if quick else 7})]
    found += [
        Job("memory", f"{image}, shared", image, {"worlds": worlds, "form": "shared"}, timed=False) for image in images
    ]
    found += [
        Job("memory", f"{image}, private", image, {"worlds": [20], "form": "private"}, timed=False) for image in images
    ]
    found += [Job("deepcopy", image, image, {"copies": 5 if quick else 20}) for image in images]
    found += [Job("servers", USUAL, USUAL, {"episodes": 2 if quick else 20})]
    return found
