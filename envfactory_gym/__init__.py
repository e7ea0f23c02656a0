"""EnvFactory Gym: verified, stateful tool environments for language-model agents.

The nouns and verbs most people need are here; everything else is reached from them. Importing
this package registers its environments with Gymnasium.
"""

from .environment import Environment, Package, Ref, TaskPrivate, TaskPublic, ToolError, load_package
from .episode import Episode, Outcome
from .rl import register
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

register()
