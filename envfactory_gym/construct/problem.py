"""What stops a build, in one sentence that says what to do next."""

from __future__ import annotations

from envfactory_gym.environment.errors import PackageError


def not_an_object(raw: object) -> str:
    """What to say of a document that holds something else than an object."""
    if raw is None:
        return "this file is empty"
    kinds = {list: "a list", str: "text", bool: "a truth value", int: "a number", float: "a number"}
    return f"this is not an API document but {kinds.get(type(raw), type(raw).__name__)}"


class BuildError(PackageError):
    """A source cannot become a package; the message names the place and the way out."""
