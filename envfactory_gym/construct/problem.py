"""What stops a build, in one sentence that says what to do next."""

from __future__ import annotations

from envfactory_gym.environment.errors import PackageError


class BuildError(PackageError):
    """A source cannot become a package; the message names the place and the way out."""
