"""`envfactory build`: make environment packages, by the compiler from documents of shapes, by a model from prose."""

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
    sources: list[str] = typer.Argument(
        None,
        metavar="SOURCE...",
        help="An OpenAPI 3, Swagger 2 or Google discovery document, an SQL script, or a SQLite file. With --model: a "
        "sentence, a document (.md, .html, .txt) or a folder of them; several make several environments.",
    ),
    out: Path = typer.Option(..., help="The folder to make; the folder of all packages where there are several."),
    name: str | None = typer.Option(None, help="The environment's name; the folder's if left out."),
    only: list[str] = typer.Option(
        [], metavar="TAG|PATH|OPERATION|TABLE", help="Only this part of the source; may be given several times."
    ),
    parts: bool = typer.Option(False, "--split", help="Make as many packages as it takes, each in a folder of --out."),
    licence: str | None = typer.Option(None, help="Under which SOURCE came, where it does not say so itself."),
    seed: int = typer.Option(0, help="Chooses among equally plausible data and tasks."),
    force: bool = typer.Option(False, "--force", help="Replace a folder that no build made."),
    model: str | None = typer.Option(None, help="Have this model write it, from prose; it is executed at every step."),
    base_url: str = typer.Option("http://127.0.0.1:8000/v1", help="With --model: any OpenAI-compatible endpoint."),
    api_key_env: str = typer.Option(
        "OPENAI_API_KEY", help="With --model: environment variable that holds the API key."
    ),
    on: str | None = typer.Option(None, "--on", metavar="PACKAGE", help="With --model: add to a copy of this package."),
    search: list[Path] = typer.Option(
        [], "--search", metavar="FOLDER", help="With --model: documents that may be searched besides SOURCE."
    ),
    search_tool: str | None = typer.Option(
        None, metavar="MODULE:FUNCTION", help="With --model: a search of your own, from words to Documents."
    ),
    until: str = typer.Option("report", help="With --model: the last stage to go through."),
    revisions: int = typer.Option(8, min=0, help="With --model: revisions of the whole, at most."),
    share: float = typer.Option(
        0.7, min=0.0, max=1.0, help="With --model: planted faults that examples have to notice."
    ),
    tasks: int = typer.Option(24, min=0, help="With --model: tasks to draw."),
    run: Path | None = typer.Option(None, help="With --model: folder of prompts, answers and checkpoints; OUT.run."),
    resume: bool = typer.Option(False, "--resume", help="With --model: go on with the run; nothing is paid for again."),
    cassette: Path | None = typer.Option(
        None, help="With --model: keep answers here instead, and ask for none it has."
    ),
    replay: bool = typer.Option(False, "--replay", help="With --model: answer from the cassette alone."),
    temperature: float | None = typer.Option(None, help="With --model: sent with each request."),
    completion_tokens: int | None = typer.Option(None, help="With --model: sent with each request as max_tokens."),
    timeout: float = typer.Option(600.0, min=0.1, help="With --model: seconds per request."),
    attempts: int = typer.Option(6, min=1, help="With --model: requests per answer, at most."),
    concurrency: int = typer.Option(8, min=1, help="With --model: requests at a time."),
    prices: Path | None = typer.Option(None, help="YAML: model -> {input, output, cached} per million tokens."),
    price_in: float | None = typer.Option(None, help="Instead: price of a million tokens read."),
    price_out: float | None = typer.Option(None, help="Instead: price of a million tokens written."),
    max_calls: int | None = typer.Option(None, min=0, help="With --model: answers to pay for, at most."),
    max_tokens: int | None = typer.Option(None, min=0, help="With --model: tokens to pay for, at most."),
    max_cost: float | None = typer.Option(None, min=0, help="With --model: money to spend, at most."),
    batch: Path | None = typer.Option(
        None, metavar="FOLDER", help="Build and prove every document of this folder; stop and go on at will."
    ),
    jobs: int = typer.Option(1, min=1, help="With --batch: documents at a time; with --model: executions at a time."),
    sample: int | None = typer.Option(None, min=1, help="With --batch: only so many documents, chosen by --seed."),
    no_verify: bool = typer.Option(False, "--no-verify", help="With --batch: build and load, but prove nothing."),
    seconds: float = typer.Option(300.0, min=1, help="With --batch: most seconds for one document."),
    megabytes: int = typer.Option(3072, min=256, help="With --batch: most memory of one process."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Make environments: compile an API document or a database, or have a model write them from prose."""
    from envfactory_gym.construct import BuildError, build_parts
    from envfactory_gym.construct import build as compile_package

    given = list(sources or ())
    if model is not None and batch is None:
        from .build_author import Asked, build_by_model

        if only or parts:
            raise BuildError("--only and --split are for the compiler", remedy="leave them out, or leave out --model")
        if not given:
            raise BuildError("there is nothing to build from", remedy="give a sentence, a document or a folder")
        build_by_model(
            Asked(
                given, out, model, base_url, api_key_env, on, name, licence, search, search_tool, until, revisions,
                share, tasks, seed, run, resume, force, cassette, replay, temperature, completion_tokens, timeout,
                attempts, concurrency, jobs, prices, price_in, price_out, max_calls, max_tokens, max_cost, as_json,
            )
        )  # fmt: skip
        return
    if len(given) > 1 or (not given) == (batch is None):
        raise BuildError("there is one source to build, or one folder", remedy="give SOURCE, or --batch FOLDER")
    source = Path(given[0]) if given else None
    if given and _is_prose(given[0]):
        raise BuildError(
            "the compiler reads shapes, and this is prose",
            remedy="have a model write it with --model, or do it yourself: "
            f"`envfactory brief {given[0] if source and source.exists() else repr(given[0])} --out {out}`",
        )
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


def _is_prose(source: str) -> bool:
    """Whether a source is for an author: a sentence, a document of words, or a folder of them."""
    from envfactory_gym.author.passages import KINDS, is_sentence

    path = Path(source)
    return is_sentence(source) or path.is_dir() or (path.exists() and path.suffix.lower() in set(KINDS) - {".txt"})


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
