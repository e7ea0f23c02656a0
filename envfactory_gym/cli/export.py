"""`envfactory export`: runs, reference solutions and tasks as the files that trainers read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from .output import FAILED, JSON_OPTION, console, counted, emit_json, progress, say, table
from .run import AnswerName

if TYPE_CHECKING:
    from envfactory_gym.environment import Package, TaskPrivate
    from envfactory_gym.export import Prompt, Sample


class FormatName(StrEnum):
    """Formats of `--to`."""

    CHAT = "chat"
    TRL = "trl"
    VERL = "verl"
    SHAREGPT = "sharegpt"
    PARQUET = "parquet"


class KeepName(StrEnum):
    """Which episodes of a run are kept."""

    SUCCESS = "success"
    VALID = "valid"
    ALL = "all"


class MaskName(StrEnum):
    """Which assistant messages are trained on."""

    ALL = "all"
    CLEAN = "clean"
    CALLS = "calls"
    TEXT = "text"
    LAST = "last"


class ArgumentsName(StrEnum):
    """How arguments of calls are written."""

    OBJECT = "object"
    TEXT = "text"


class FormName(StrEnum):
    """Forms of a task."""

    SCRIPTED = "scripted"
    SOLO = "solo"


def export(
    runs: list[Path] = typer.Argument(None, help="RUN.jsonl files of `envfactory run` or `eval`.", show_default=False),
    to: FormatName = typer.Option(FormatName.CHAT, "--to", help="Format of the rows."),
    out: Path = typer.Option(..., "--out", help="Folder to write; it must not hold files yet."),
    gold: list[str] = typer.Option([], "--gold", help="Add the reference solutions of this environment; repeatable."),
    rl: list[str] = typer.Option([], "--rl", help="Add RL rows of the tasks of this environment; repeatable."),
    split: list[str] = typer.Option([], help="Only this split; may be given again."),
    task: list[str] = typer.Option([], help="Only this task; may be given again."),
    keep: KeepName = typer.Option(KeepName.SUCCESS, help="Which episodes of runs: successes, valid ones, all."),
    steps: bool = typer.Option(False, "--steps", help="One row per step: the messages before it, and the message."),
    mask: MaskName = typer.Option(MaskName.ALL, help="Which assistant messages are trained on."),
    arguments: ArgumentsName = typer.Option(ArgumentsName.OBJECT, help="Arguments as objects, or as JSON text."),
    user: FormName = typer.Option(FormName.SOLO, help="Form of --gold and --rl: one ticket, or a conversation."),
    answer: AnswerName = typer.Option(AnswerName.TEXT, help="Form of --gold and --rl: facts in text, or by tool."),
    title: str = typer.Option("EnvFactory trajectories", help="Heading of the dataset card."),
    plots: bool = typer.Option(True, "--plots/--no-plots", help="Draw turns, steps, tools and domains."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Write episodes and tasks as a data set for a trainer, with a card and an audit for leaks between splits."""
    from envfactory_gym.environment import EnvFactoryError, load_package
    from envfactory_gym.export import Mask, gold_samples, prompts, sample_of
    from envfactory_gym.export import export as write
    from envfactory_gym.export.write import Choices

    if not (runs or gold or rl):
        raise EnvFactoryError("nothing to export was named\n  -> give RUN.jsonl files, --gold NAME or --rl NAME")
    packages = {name: load_package(name) for name in dict.fromkeys([*gold, *rl])}
    with progress(quiet=as_json) as bar:
        job = bar.add_task("samples", total=None)

        def samples() -> Iterator[Sample]:
            from envfactory_gym.episode import read_run

            for path in runs or ():
                for run in read_run(path):
                    if (not split or run.split in split) and (not task or run.task in task):
                        sample = sample_of(run)
                        if sample.kept(keep.value):
                            bar.advance(job)
                            yield sample
            for name in gold:
                chosen = _tasks(packages[name], split, task)
                for sample in gold_samples(packages[name], chosen, user=user.value, answer=answer.value):
                    bar.advance(job)
                    yield sample

        def asked() -> Iterator[Prompt]:
            for name in rl:
                package = packages[name]
                yield from prompts(package, _tasks(package, split, task), user=user.value, answer=answer.value)

        kept = list(samples())
        known = {package.id: package for package in packages.values()} | _installed(kept)
        made = write(
            kept,
            out,
            to.value,
            prompts=asked(),
            choices=Choices(steps, Mask(mask.value), arguments.value),
            packages=list(known.values()),
            title=title,
            plots=plots,
        )
    if as_json:
        emit_json({"folder": str(out), "rows": made.rows, "leaks": [leak._asdict() for leak in made.leaks]})
    else:
        screen = console()
        screen.print(table(("file", "rows"), made.rows.items(), right=("rows",)))
        serious = [leak for leak in made.leaks if leak.serious]
        say(
            screen, f"{counted(len(serious), 'leak')} and {counted(len(made.leaks) - len(serious), 'warning')} in {out}"
        )
        for leak in serious[:10]:
            say(screen, f"  {leak.kind}: {leak.one} and {leak.other}")
    if not made.clean:
        raise typer.Exit(FAILED)


def _tasks(package: Package, splits: Sequence[str], names: Sequence[str]) -> list[TaskPrivate]:
    found = [package.task(name) for name in names] or list(package.tasks)
    return [task for task in found if not splits or task.split in splits]


def _installed(samples: Sequence[Sample]) -> dict[str, Package]:
    """The packages of some samples, as far as they are installed here."""
    from envfactory_gym.environment import load_package
    from envfactory_gym.environment.registry import names

    known = set(names())
    return {
        identifier: load_package(name)
        for identifier, name in sorted({(sample.environment, sample.facts.name) for sample in samples})
        if name in known
    }
