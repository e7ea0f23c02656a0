"""`envfactory synth`: make certified tasks for an environment, without a model."""

from __future__ import annotations

import json
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from .output import FAILED, JSON_OPTION, MISTAKE, console, emit_json, say, table

if TYPE_CHECKING:
    from envfactory_gym.environment import Package
    from envfactory_gym.synthesize.pipeline import Worked, Yield


def synth(
    environments: list[str] = typer.Argument(help="Environments: registered names, or package folders."),
    count: int = typer.Option(100, min=1, help="Tasks wanted."),
    seed: int = typer.Option(0, help="The same seed gives the same bytes."),
    out: Path = typer.Option(..., help="JSONL file of tasks; the part that is done is kept beside it if interrupted."),
    easy: bool = typer.Option(False, "--easy", help="Short, mostly stated."),
    medium: bool = typer.Option(False, "--medium", help="The usual mix (default)."),
    hard: bool = typer.Option(False, "--hard", help="Several turns, described rather than stated."),
    across: bool = typer.Option(False, "--across", help="Make tasks that span the environments, two or three each."),
    jobs: int = typer.Option(min(2, os.cpu_count() or 1), min=1, help="Processes; changes nothing but the time."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Sample tool chains, ground them by execution, word them, certify them, and split them."""
    from rich.progress import Progress

    from envfactory_gym.synthesize.pipeline import Recipe, Yield, chains_of, load, synthesise
    from envfactory_gym.synthesize.presets import Preset

    if easy + medium + hard > 1:
        typer.secho("error: choose one of --easy, --medium and --hard", err=True, fg=typer.colors.RED)
        raise typer.Exit(MISTAKE)
    preset: Preset = "easy" if easy else "hard" if hard else "medium"
    if across and len(environments) < 2:
        typer.secho("error: --across takes at least two environments", err=True, fg=typer.colors.RED)
        raise typer.Exit(MISTAKE)
    screen = console(stderr=as_json)
    groups = [tuple(environments)] if across else [(name,) for name in environments]
    lines: list[str] = []
    figures = Yield()
    parts = []
    with Progress(console=screen, transient=True) as progress:
        for place, group in enumerate(groups):
            wanted = count // len(groups) + (place < count % len(groups))
            package = load(group)
            recipe = Recipe(group, seed, preset)
            # A part is named by what it is of, so that several environments do not meet in one.
            part = Part(out, "+".join(one.name for one in members(package)), {
                "package": package.package_hash, "seed": seed, "preset": preset,
            })  # fmt: skip
            parts.append(part)
            bar = progress.add_task("tasks", total=wanted)
            with part:
                found = synthesise(
                    package, chains_of(package, recipe), recipe, wanted, jobs=jobs, figures=figures, done=part.done,
                    record=part.add, tell=partial(_tell, progress, bar),
                )  # fmt: skip
                lines += [task.model_dump_json(exclude_defaults=True) for task in found]
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    for part in parts:
        part.forget()
    if as_json:
        emit_json({"out": str(out), **summary(figures)})
    else:
        show(figures, out, screen)
    if len(lines) < count:
        raise typer.Exit(FAILED)


def _tell(progress: Any, bar: Any, kept: int, wanted: int, chains: int) -> None:
    progress.update(bar, completed=min(kept, wanted), description=f"tasks (of {chains} chains)")


def members(package: Package) -> tuple[Package, ...]:
    """The packages in a bundle; a package alone is its own."""
    return getattr(package, "packages", (package,))


class Part:
    """What is done so far, beside the output file, so that an interrupted run goes on where it was.

    Args:
        out: The output file.
        name: What it is a part of.
        recipe: What the run depends on; a part of another recipe is not used.
    """

    def __init__(self, out: Path, name: str, recipe: dict[str, Any]) -> None:
        self._path = out.with_name(f"{out.name}.{name}.part")
        self._recipe = json.dumps(recipe, sort_keys=True)
        self.done: list[Worked] = []
        self._file: Any = None

    def __enter__(self) -> Part:
        from envfactory_gym.synthesize.pipeline import Worked

        self._path.parent.mkdir(parents=True, exist_ok=True)
        lines = self._path.read_text(encoding="utf-8").splitlines() if self._path.exists() else []
        if lines and lines[0] == self._recipe:
            for line in lines[1:]:
                try:
                    self.done.append(Worked.model_validate_json(line))
                except ValueError:
                    break  # the line being written when the run was interrupted
        self._file = self._path.open("w", encoding="utf-8")
        self._write(self._recipe)
        for worked in self.done:
            self._write(worked.model_dump_json())
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, worked: Worked) -> None:
        """Keep what became of a chain."""
        self._write(worked.model_dump_json())

    def _write(self, line: str) -> None:
        self._file.write(line + "\n")
        self._file.flush()

    def forget(self) -> None:
        """Remove the part: the whole is there."""
        self._path.unlink(missing_ok=True)


def summary(figures: Yield) -> dict[str, Any]:
    """The figures as plain data."""
    levels = [one.level for one in figures.difficulties]
    arguments = max(sum(one.arguments for one in figures.difficulties), 1)
    return {
        "chains": figures.chains,
        "became_tasks": figures.became,
        "yield": round(figures.became / max(figures.chains, 1), 4),
        "tasks": len(figures.difficulties),
        "duplicates": figures.duplicates,
        "rejected": dict(figures.rejected.most_common()),
        "failed_rows": dict(figures.failed.most_common()),
        "levels": {level: levels.count(level) for level in ("easy", "medium", "hard")},
        "referred_or_inferred": round(
            sum(one.arguments * (one.referred + one.inferred) for one in figures.difficulties) / arguments, 4
        ),
        "stated": round(sum(one.arguments * (one.stated) for one in figures.difficulties) / arguments, 4),
        "asked": round(sum(one.arguments * (one.asked) for one in figures.difficulties) / arguments, 4),
        "splits": {split: sum(one == split for one, _ in figures.templates) for split in ("train", "dev", "test")},
        "unseen_templates_in_test": round(figures.unseen, 4),
        "kinds": dict(sorted(figures.kinds.items())),
        "tools": dict(sorted(figures.tools.items())),
        "seconds": {
            "wall": round(figures.seconds, 2),
            "making_cpu": round(figures.making, 2),
            "certifying_cpu": round(figures.certifying, 2),
        },
        "tasks_per_cpu_second_without_certificates": round(len(figures.difficulties) / max(figures.making, 1e-9), 1),
    }


def show(figures: Yield, out: Path, screen: Any) -> None:
    """The figures for people."""
    data = summary(figures)
    rows = [
        ("tasks", data["tasks"]),
        ("chains drawn", data["chains"]),
        ("chains that became tasks", f"{data['yield']:.1%}"),
        ("near-duplicates left out", data["duplicates"]),
        ("easy, medium, hard", ", ".join(str(data["levels"][level]) for level in ("easy", "medium", "hard"))),
        ("arguments referred to or inferred", f"{data['referred_or_inferred']:.1%}"),
        ("train, dev, test", ", ".join(str(data["splits"][split]) for split in ("train", "dev", "test"))),
        ("test tasks of unseen templates", f"{data['unseen_templates_in_test']:.1%}"),
        ("tasks per CPU second, without certificates", data["tasks_per_cpu_second_without_certificates"]),
        ("CPU ms per task for certificates", round(1000 * figures.certifying / max(data["tasks"], 1))),
    ]
    screen.print(table(["", "value"], rows, right=["value"]))
    for title, counted in (("rejected chains", data["rejected"]), ("failed rows", data["failed_rows"])):
        if counted:
            screen.print(table([title, "count"], counted.items(), right=["count"]))
    say(screen, f"{data['tasks']} certified tasks are in {out}")
