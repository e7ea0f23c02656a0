"""`envfactory synth`: make certified tasks for an environment, without a model."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from .output import FAILED, JSON_OPTION, MISTAKE, console, emit_json, say, table

if TYPE_CHECKING:
    from envfactory_gym.environment import Package, TaskPrivate
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
    trajectories: Path | None = typer.Option(None, help="Also write gold, played, as RUN.jsonl."),
    recovery: float = typer.Option(0.15, min=0, max=1, help="Share of trajectories with a slip and its repair."),
    model: str | None = typer.Option(None, help="Have a model reword the requests; the checks run on its words."),
    base_url: str = typer.Option(
        "http://127.0.0.1:8000/v1", help="Where the model is: any OpenAI-compatible endpoint."
    ),
    api_key_env: str = typer.Option("OPENAI_API_KEY", help="Environment variable that holds the key."),
    max_calls: int | None = typer.Option(None, min=1, help="Requests that may be made to the model, at most."),
    cassette: Path | None = typer.Option(None, help="Keep the model's answers here, and ask for none that is there."),
    jobs: int = typer.Option(min(2, os.cpu_count() or 1), min=1, help="Processes; changes nothing but the time."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Sample tool chains, ground them by execution, word them, certify them, and split them."""
    from rich.progress import Progress

    from envfactory_gym.synthesize.pipeline import Recipe, Yield, chains_of, load, synthesise
    from envfactory_gym.synthesize.presets import Preset
    from envfactory_gym.verify.report import task_line

    if easy + medium + hard > 1:
        typer.secho("error: choose one of --easy, --medium and --hard", err=True, fg=typer.colors.RED)
        raise typer.Exit(MISTAKE)
    preset: Preset = "easy" if easy else "hard" if hard else "medium"
    if across and len(environments) < 2:
        typer.secho("error: --across takes at least two environments", err=True, fg=typer.colors.RED)
        raise typer.Exit(MISTAKE)
    screen = console(stderr=as_json)
    groups = [tuple(environments)] if across else [(name,) for name in environments]
    made: list[tuple[Package, list[TaskPrivate]]] = []
    rewordings: Counter[str] = Counter()
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
                made.append((package, list(found)))
    if model is not None:
        endpoint = Endpoint(model, base_url, api_key_env, max_calls, cassette)
        made = [(package, reworded(package, tasks, endpoint, rewordings)) for package, tasks in made]
    lines = [task_line(task).rstrip("\n") for _, tasks in made for task in tasks]
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    if trajectories is not None:
        write_trajectories(made, trajectories, recovery, seed)
    for part in parts:
        part.forget()
    totals = Totals.of([package for package, _ in made])
    if as_json:
        emit_json({"out": str(out), **summary(figures, totals), "reworded": dict(rewordings.most_common())})
    else:
        show(figures, out, screen, totals)
        if rewordings:
            screen.print(table(["what came of rewording", "tasks"], rewordings.most_common(), right=["tasks"]))
    if len(lines) < count:
        raise typer.Exit(FAILED)


@dataclass(frozen=True)
class Endpoint:
    """Where a model is, and what may be asked of it."""

    model: str
    base_url: str
    api_key_env: str
    max_calls: int | None
    cassette: Path | None


def reworded(
    package: Package, tasks: list[TaskPrivate], endpoint: Endpoint, outcomes: Counter[str]
) -> list[TaskPrivate]:
    """The tasks in a model's words, where those pass."""
    import asyncio
    from contextlib import ExitStack

    from envfactory_gym.llm import Budget, Cassette, Client, api_key_from
    from envfactory_gym.synthesize.reworded import reword
    from envfactory_gym.verify.arguments import Candidates

    async def run() -> list[TaskPrivate]:
        with ExitStack() as stack:
            kept = stack.enter_context(Cassette(endpoint.cassette)) if endpoint.cassette is not None else None
            client = Client(
                endpoint.base_url, api_key=api_key_from(endpoint.api_key_env), cassette=kept,
                budget=Budget(calls=endpoint.max_calls),
            )  # fmt: skip
            async with client:
                return await reword(package, tasks, client, endpoint.model, Candidates(package), outcomes)

    return asyncio.run(run())


def write_trajectories(
    made: Sequence[tuple[Package, list[TaskPrivate]]], path: Path, recovery: float, seed: int
) -> None:
    """Play gold of every task and write the records."""
    from envfactory_gym.synthesize.trajectories import trajectories

    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        for package, tasks in made:
            for record in trajectories(package, tasks, recovery=recovery, seed=seed):
                file.write(record.line())


@dataclass(frozen=True)
class Totals:
    """What could be covered: tools, tables, and rules that a tool is known to refuse by."""

    tools: int
    tables: int
    rules: int

    @classmethod
    def of(cls, packages: Sequence[Package]) -> Totals:
        """The totals of some environments."""
        tools = [tool for package in packages for tool in package.tools.values()]
        rules = {
            (package.name, reason)
            for package in packages
            for tool in package.tools.values()
            for reason in tool.refused
            if reason in package.policy.rules
        }
        return cls(len(tools), sum(len(package.schema.tables) for package in packages), len(rules))


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


def summary(figures: Yield, totals: Totals | None = None) -> dict[str, Any]:
    """The figures as plain data."""
    levels = [one.level for one in figures.difficulties]
    arguments = max(sum(one.arguments for one in figures.difficulties), 1)
    return {
        "chains": figures.chains,
        "became_tasks": figures.became,
        "yield": round(figures.became / max(figures.chains, 1), 4),
        "tasks": len(figures.difficulties),
        "duplicates": figures.duplicates,
        "enough of that difficulty": figures.off_target,
        "leaks": figures.leaks,
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
        "tables": dict(sorted(figures.tables.items())),
        "links": {" > ".join(link): count for link, count in sorted(figures.links.items())},
        "rules": dict(sorted(figures.rules.items())),
        "totals": {"tools": totals.tools, "tables": totals.tables, "rules": totals.rules} if totals else None,
        "seconds": {
            "wall": round(figures.seconds, 2),
            "making_cpu": round(figures.making, 2),
            "certifying_cpu": round(figures.certifying, 2),
        },
        "tasks_per_cpu_second_without_certificates": round(len(figures.difficulties) / max(figures.making, 1e-9), 1),
    }


def show(figures: Yield, out: Path, screen: Any, totals: Totals) -> None:
    """The figures for people."""
    data = summary(figures)
    rows = [
        ("tasks", data["tasks"]),
        ("chains drawn", data["chains"]),
        ("chains that became tasks", f"{data['yield']:.1%}"),
        ("near-duplicates left out", data["duplicates"]),
        ("left out, enough of that difficulty", figures.off_target),
        ("people, rows and twins in several splits", len(data["leaks"])),
        ("easy, medium, hard", ", ".join(str(data["levels"][level]) for level in ("easy", "medium", "hard"))),
        ("arguments referred to or inferred", f"{data['referred_or_inferred']:.1%}"),
        ("train, dev, test", ", ".join(str(data["splits"][split]) for split in ("train", "dev", "test"))),
        ("test tasks of unseen templates", f"{data['unseen_templates_in_test']:.1%}"),
        ("tools used", f"{len(data['tools'])} of {totals.tools}"),
        ("tables touched", f"{len(data['tables'])} of {totals.tables}"),
        ("links between tools used", len(data["links"])),
        ("policy rules on both sides", f"{len(data['rules'])} of {totals.rules}"),
        ("tasks per CPU second, without certificates", data["tasks_per_cpu_second_without_certificates"]),
        ("CPU ms per task for certificates", round(1000 * figures.certifying / max(data["tasks"], 1))),
    ]
    screen.print(table(["", "value"], rows, right=["value"]))
    for title, counted in (("rejected chains", data["rejected"]), ("failed rows", data["failed_rows"])):
        if counted:
            screen.print(table([title, "count"], counted.items(), right=["count"]))
    say(screen, f"{data['tasks']} certified tasks are in {out}")
