"""`envfactory list`: every environment that can be played here."""

from __future__ import annotations

from typing import Any

import typer

from .output import JSON_OPTION, console, counted, emit_json, say, table


def list_environments(
    domain: str | None = typer.Option(None, help="Only environments of this domain."),
    as_json: bool = JSON_OPTION,
) -> None:
    """List the environments that can be played here.

    Those that came with the library, and your own (ENVFACTORY_PATH).
    """
    entries = [entry for entry in _entries() if domain is None or entry["domain"] == domain]
    if as_json:
        emit_json(entries)
        return
    screen = console()
    if not entries:
        say(screen, "No environment found." if domain is None else f"No environment in the domain {domain!r}.")
        return
    numbers = ("tools", "tables", "rows", "tasks")
    columns = ("id", "domain", "tier", *numbers, "origin")
    screen.print(table(columns, [[entry[name] for name in columns] for entry in entries], right=numbers))
    say(screen, f"{counted(len(entries), 'environment')}. `envfactory show NAME` says more about one.")


def _entries() -> list[dict[str, Any]]:
    from envfactory_gym.environment import EnvFactoryError, Package, Registry
    from envfactory_gym.environment.registry import describe, own_packages

    own = []
    for folder in own_packages().values():
        try:
            own.append({**describe(Package(folder), path=str(folder)).model_dump(), "origin": "own"})
        except EnvFactoryError as error:
            typer.secho(f"left out: {error}", err=True, fg=typer.colors.RED)
    names = {entry["name"] for entry in own}
    installed = [
        {**entry.model_dump(), "origin": "library"}
        for entry in Registry.installed().entries
        if entry.name not in names  # one's own come first, here as everywhere
    ]
    return sorted([*installed, *own], key=lambda entry: str(entry["id"]))
