"""How commands open the package they play: as it is, or, where nobody verified it, in a sandbox."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from envfactory_gym.environment import Package


class Unverified(StrEnum):
    """Ways to play a package that nobody verified."""

    SUBPROCESS = "subprocess"


UNVERIFIED_OPTION = typer.Option(
    None, "--unverified", help="Play a package that nobody verified: `subprocess` runs its code in a sandbox."
)


def opened(name: str, unverified: Unverified | None) -> Package:
    """A package to play; with a sandbox, a line on standard error says what holds it."""
    from envfactory_gym.environment import load_package

    package = load_package(name)
    if unverified is None:
        return package
    from envfactory_gym.verify.unverified import open_unverified

    held = open_unverified(package.path)
    colour = None if held.protection.walled else typer.colors.YELLOW
    typer.secho(held.protection.summary(), err=True, fg=colour)
    return held
