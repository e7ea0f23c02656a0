"""`envfactory build`: compile an API document or a database into environment packages."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import typer

from .output import JSON_OPTION, console, counted, emit_json, say, table

if TYPE_CHECKING:
    from envfactory_gym.construct import Coverage


def build(
    source: Path | None = typer.Argument(
        None,
        metavar="SOURCE",
        help="An OpenAPI 3, Swagger 2 or Google discovery document, an SQL script, or a SQLite file.",
    ),
    out: Path = typer.Option(..., help="The folder to make; with --batch, the folder of all packages."),
    name: str | None = typer.Option(None, help="The environment's name; the folder's if left out."),
    only: list[str] = typer.Option(
        [], metavar="TAG|PATH|OPERATION|TABLE", help="Only this part of the source; may be given several times."
    ),
    parts: bool = typer.Option(False, "--split", help="Make as many packages as it takes, each in a folder of --out."),
    licence: str | None = typer.Option(None, help="Under which SOURCE came, where it does not say so itself."),
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
    """Compile an API document or a database, or a folder of them, into environments."""
    from envfactory_gym.construct import BuildError, build_parts
    from envfactory_gym.construct import build as compile_package

    if (source is None) == (batch is None):
        raise BuildError("there is one source to build, or one folder", remedy="give SOURCE, or --batch FOLDER")
    if batch is not None:
        from .build_batch import build_batch

        if name is not None or only or parts or licence is not None:
            raise BuildError(
                "--name, --only, --split and --licence are for one source",
                remedy="documents of a batch are named by their files",
            )
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
    if parts:
        if licence is not None:
            raise BuildError("--licence is for one package", remedy="leave out --split, or the licence")
        made = build_parts(source, out, name=name, only=only, seed=seed, force=force, progress=tell)
        _show_parts(made, out, as_json=as_json)
        return
    coverage = compile_package(
        source, out, name=name, only=only, licence=licence, seed=seed, force=force, progress=tell
    )
    if as_json:
        emit_json({"path": str(out), **coverage.payload()})
        return
    screen = console()
    say(screen, coverage.text())
    if coverage.beyond:
        say(
            screen,
            f"{counted(coverage.beyond, 'operation')} did not fit: --split makes several packages of this source, "
            "--only chooses a part of it.",
        )
    say(screen, f"Next: `envfactory verify {quote(str(out))}`")


def _show_parts(made: Mapping[str, Coverage], out: Path, *, as_json: bool) -> None:
    if as_json:
        emit_json({"path": str(out), "packages": [{"path": str(out / name), **made[name].payload()} for name in made]})
        return
    screen = console()
    rows = [
        (name, one.operations, len(one.tools), len(one.left_out), one.rows, one.tasks) for name, one in made.items()
    ]
    heads = ("package", "operations", "tools", "left out", "rows", "tasks")
    screen.print(table(heads, rows, right=heads[1:]))
    say(screen, f"What was left out, and why, stands in each package's coverage.json, such as {out / rows[0][0]}.")
    say(screen, f"Next: `envfactory verify {quote(str(out / rows[0][0]))}`")
