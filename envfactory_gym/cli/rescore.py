"""`envfactory rescore`: outcomes of a run computed anew, by replay, without the model."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from .eval import with_tasks_of
from .evaluation_tables import show_summary
from .output import FAILED, JSON_OPTION, console, counted, emit_json, progress, say

if TYPE_CHECKING:
    from envfactory_gym.environment import Package


class RewardName(StrEnum):
    """How a run was paid."""

    SUCCESS = "success"
    TURNS = "turns"


def rescore(
    run: Path = typer.Argument(metavar="RUN", help="A RUN.jsonl file."),
    env: list[str] = typer.Option([], "--env", help="Folder of an environment that is not found by its id."),
    reward: RewardName = typer.Option(RewardName.SUCCESS, help="How the run was paid."),
    out: Path | None = typer.Option(None, help="Write the records with what was found to this file."),
    task_file: Path | None = typer.Option(None, "--from", help="The file of tasks that the run was played from."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Play the messages of a run again, grade them again, and say what differs. Needs no model.

    Exit code 1 where an episode cannot be played again, or ends otherwise than its record says.
    """
    from envfactory_gym.environment import PackageError, load_package
    from envfactory_gym.episode import read_run
    from envfactory_gym.evaluate import rescore as again
    from envfactory_gym.evaluate import summarise

    given = {package.id: package for package in map(load_package, env)}
    if task_file is not None:
        given |= {package.id: package for package in with_tasks_of(task_file)}

    def package_of(name: str) -> Package:
        return given.get(name) or load_package(name)

    if out is not None and out.exists():
        raise PackageError("this file exists", file=out, remedy="name another with --out")
    records = list(read_run(run))
    if not records:
        raise PackageError("this run has no episode", file=run)
    found = []
    with progress(quiet=as_json) as bar:
        job = bar.add_task("rescoring", total=len(records))
        for one in again(iter(records), package_of, reward=reward.value):
            found.append(one)
            bar.update(job, advance=1)
    if out is not None:
        out.write_text("".join(one.renewed.line() for one in found), encoding="utf-8")
    summary = summarise([one.renewed for one in found])
    wrong = [one for one in found if not one.same]
    differences = [
        {
            "environment": one.record.environment,
            "task": one.record.task,
            "trial": one.record.trial,
            "agent": one.record.agent,
            "was": one.record.outcome.kind if one.record.outcome else None,
            "is": one.outcome.kind if one.outcome else None,
            "problem": one.problem or ("another outcome" if one.outcome != one.record.outcome else "another state"),
        }
        for one in wrong
    ]
    if as_json:
        emit_json(
            {"episodes": len(found), "same": len(found) - len(wrong), "differences": differences, "agents": summary}
        )
    else:
        show_summary(summary, f"{run}: {counted(len(found), 'episode')} played again")
        screen = console()
        for each in differences:
            say(
                screen,
                f"{each['agent']} on {each['task']} #{each['trial']}: {each['was']} -> {each['is']}: {each['problem']}",
            )
        say(screen, f"{len(found) - len(wrong)} of {counted(len(found), 'episode')} ended as the record says.")
    if wrong:
        raise typer.Exit(FAILED)
