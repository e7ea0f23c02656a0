"""Playing the measured episode on a world, and what must have come of it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from envfactory_gym.environment import ToolError
from envfactory_gym.world import LiveWorld

from .shop_play import FAR_TOO_MANY, Call

TextCall = tuple[str, str]


def arguments_as_text(calls: Sequence[Call]) -> list[TextCall]:
    """Calls as a model makes them: arguments are JSON text."""
    return [(name, json.dumps(arguments)) for name, arguments in calls]


def play(world: LiveWorld, calls: Sequence[TextCall]) -> None:
    """Make all calls, of which those with far too large a quantity must be refused.

    Raises:
        AssertionError: Another number of calls was refused.
    """
    refused, expected = 0, sum(str(FAR_TOO_MANY) in text for _, text in calls)
    for name, text in calls:
        try:
            world.call(name, text)
        except ToolError:
            refused += 1
    assert refused == expected, f"{refused} calls were refused, not {expected}"
