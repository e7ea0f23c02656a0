"""EnvFactory Gym: verified, stateful tool environments for language-model agents.

The nouns and verbs most people need are here; everything else is reached from them. Importing
this package registers its environments with Gymnasium, and loads nothing that only playing needs.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .environment import Environment, Package, Ref, TaskPrivate, TaskPublic, ToolError, load_package
from .rl import register

if TYPE_CHECKING:
    from .episode import Episode, Outcome
    from .world import World

__version__ = "0.1.0"

__all__ = [
    "Environment",
    "Episode",
    "Outcome",
    "Package",
    "Ref",
    "TaskPrivate",
    "TaskPublic",
    "ToolError",
    "World",
    "__version__",
    "load_package",
    "register",
]

_LATER = {"Episode": ".episode", "Outcome": ".episode", "World": ".world"}


def __getattr__(name: str) -> Any:
    """Load what only playing needs when it is asked for."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_LATER[name], __name__), name)


register()
