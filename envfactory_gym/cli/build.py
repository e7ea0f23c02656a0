"""`envfactory build`: compile an API document into an environment package."""

from __future__ import annotations

from pathlib import Path

import typer

from .output import JSON_OPTION, console, emit_json, say


def build(
    source: Path = typer.Argument(metavar="SOURCE", help="An OpenAPI 3 document, JSON or YAML."),
    out: Path = typer.Option(..., help="The folder to make."),
    name: str | None = typer.Option(None, help="The environment's name; the folder's if left out."),
    seed: int = typer.Option(0, help="Chooses among equally plausible data and tasks."),
    force: bool = typer.Option(False, "--force", help="Replace a folder that no build made."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Compile an OpenAPI document into an environment."""
    from envfactory_gym.construct import build as compile_package

    screen = console(stderr=True)
    tell = (lambda stage: screen.print(f"{stage} ...", style="dim")) if screen.is_terminal and not as_json else None
    coverage = compile_package(source, out, name=name, seed=seed, force=force, progress=tell)
    if as_json:
        emit_json({"path": str(out), **coverage.payload()})
        return
    screen = console()
    say(screen, coverage.text())
    say(screen, f"Next: `envfactory verify {out}`")
