"""EnvFactory Gym: verified, stateful tool environments for language-model agents."""

from .environment import Environment, Package, Ref, TaskPrivate, TaskPublic, ToolError, load_package

__version__ = "0.1.0"


def __getattr__(name: str):
    if name == "World":
        from .world import World

        return World
    raise AttributeError(name)
