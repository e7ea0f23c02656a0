"""`envfactory build`: compile an API document into an environment package."""

from __future__ import annotations

from pathlib import Path

import typer

from .output import JSON_OPTION, console, emit_json, say


def build(
    source: Path | None = typer.Argument(None, metavar="SOURCE", help="An OpenAPI 3 document, JSON or YAML."),
    out: Path = typer.Option(..., help="The folder to make; with --batch, the folder of all packages."),
    name: str | None = typer.Option(None, help="The environment's name; the folder's if left out."),
    seed: int = typer.Option(0, help="Chooses among equally plausible data and tasks."),
    force: bool = typer.Option(False, "--force", help="Replace a folder that no build made."),
    batch: Path | None = typer.Option(
        None, metavar="FOLDER", help="Build and prove every document of this folder; stop and go on at will."
    ),
    jobs: int = typer.Option(1, min=1, help="With --batch: documents at a time."),
    sample: int | None = typer.Option(None, min=1, help="With --batch: only so many documents, chosen by --seed."),
    no_verify: bool = typer.Option(False, "--no-verify", help="With --batch: build and load, but prove nothing."),
    seconds: float = typer.Option(300.0, min=1, help="With --batch: most seconds for one document."),
    megabytes: int = typer.Option(3072, min=256, help="With --batch: most memory of one process."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Compile an OpenAPI document, or a folder of them, into environments."""
    from envfactory_gym.construct import BuildError
    from envfactory_gym.construct import build as compile_package

    if (source is None) == (batch is None):
        raise BuildError("there is one source to build, or one folder", remedy="give SOURCE, or --batch FOLDER")
    if batch is not None:
        from .build_batch import build_batch

        if name is not None:
            raise BuildError("--name is for one source", remedy="documents of a batch are named by their files")
        build_batch(
            batch,
            out,
            jobs=jobs,
            seed=seed,
            sample=sample,
            prove=not no_verify,
            seconds=seconds,
            megabytes=megabytes,
            as_json=as_json,
        )
        return
    assert source is not None
    screen = console(stderr=True)
    tell = (lambda stage: screen.print(f"{stage} ...", style="dim")) if screen.is_terminal and not as_json else None
    coverage = compile_package(source, out, name=name, seed=seed, force=force, progress=tell)
    if as_json:
        emit_json({"path": str(out), **coverage.payload()})
        return
    screen = console()
    say(screen, coverage.text())
    say(screen, f"Next: `envfactory verify {out}`")
