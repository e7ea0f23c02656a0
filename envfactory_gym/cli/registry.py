"""`envfactory registry`: keep `registry.yaml` true to the packages beside it."""

from __future__ import annotations

from pathlib import Path

import typer

from .output import FAILED, JSON_OPTION, console, counted, emit_json, say


def registry(
    write: bool = typer.Option(False, "--write", help="Write the file anew from the packages' files and reports."),
    folder: Path | None = typer.Option(
        None, help="The folder with registry.yaml and generated_servers/; the library's own if left out."
    ),
    as_json: bool = JSON_OPTION,
) -> None:
    """Check registry.yaml against the packages, or write it."""
    from envfactory_gym.environment import Package, PackageError, Registry
    from envfactory_gym.environment.registry import describe
    from envfactory_gym.environment.trust import installed_registry

    file = (folder / "registry.yaml") if folder else installed_registry()
    screen = console()
    if write:
        manifests = sorted((file.parent / "generated_servers").glob("*/environment.yaml"))
        if not manifests:
            raise PackageError(
                "no package in generated_servers/", file=file.parent, remedy="give the root of a checkout with --folder"
            )
        entries = [describe(Package(path.parent), f"generated_servers/{path.parent.name}") for path in manifests]
        file.write_text(Registry.text(entries), encoding="utf-8")
    known = Registry.read(file)
    problems = list(known.problems())
    if as_json:
        shown = [entry.model_dump(mode="json") for entry in known.entries]
        emit_json({"file": str(file), "environments": shown, "problems": problems})
    else:
        for problem in problems:
            say(screen, problem)
        if not problems:
            say(screen, f"{file}: {counted(len(known.entries), 'environment')}, all as on disk.")
    if problems:
        typer.echo("`envfactory registry --write` writes it anew.", err=True)
        raise typer.Exit(FAILED)
