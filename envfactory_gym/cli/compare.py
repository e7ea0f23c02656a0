"""`envfactory compare`: two runs over the same tasks, with a paired test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from .output import JSON_OPTION, console, counted, emit_json, heading, say, table

if TYPE_CHECKING:
    from envfactory_gym.episode import RunRecord

_SHOWN = 12


def compare(
    first: Path = typer.Argument(metavar="A", help="A RUN.jsonl file."),
    second: Path = typer.Argument(metavar="B", help="Another, or the same for two of its agents."),
    agent_a: str | None = typer.Option(None, help="The agent of A, where it has several."),
    agent_b: str | None = typer.Option(None, help="The agent of B, where it has several."),
    seed: int = typer.Option(0, help="Of the bootstrap."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Compare two runs task by task: the difference in pass@1, its interval, and whether it may be chance."""
    from envfactory_gym.evaluate import compare as compared

    one, other = _agent(first, agent_a, "--agent-a"), _agent(second, agent_b, "--agent-b")
    found = compared(one, other, seed=seed)
    names = [f"{records[0].agent} ({path})" for records, path in ((one, first), (other, second))]
    if as_json:
        emit_json({"a": names[0], "b": names[1], **asdict(found), "first": found.first._asdict(),
                   "second": found.second._asdict(), "difference": found.difference._asdict()})  # fmt: skip
        return
    screen = console()
    screen.print(heading(f"{counted(found.tasks, 'task')} in common"))
    rows = [[name, str(rate)] for name, rate in zip(names, (found.first, found.second), strict=True)]
    screen.print(table(("run", "pass@1 [95 %]"), rows, right=("pass@1 [95 %]",)))
    gap = found.difference
    say(screen, f"B - A: {gap.value:+.1%} [{gap.low:+.1%}, {gap.high:+.1%}], p = {gap.p:.3g} ({found.test}; interval: "
                "paired bootstrap over tasks)")  # fmt: skip
    say(screen, f"B passes {counted(len(found.gained), 'task')} more often than A, and {len(found.lost)} less often.")
    for word, tasks in (("better", found.gained), ("worse", found.lost)):
        if tasks:
            say(screen, f"{word}: {_listed(tasks)}")
    if found.left_out:
        say(screen, f"left out: {counted(found.left_out, 'task')} that only one of them has valid episodes of")
    for setting in found.settings:
        say(screen, f"beware: they were not played alike: {setting}", "yellow")


def _agent(path: Path, agent: str | None, option: str) -> list[RunRecord]:
    """The episodes of one agent of a run."""
    from envfactory_gym.environment import PackageError
    from envfactory_gym.episode import read_run

    records = list(read_run(path))
    agents = list(dict.fromkeys(record.agent for record in records))
    if agent is None and len(agents) > 1:
        raise PackageError(
            f"this run has {len(agents)} agents: {', '.join(agents)}", file=path, remedy=f"name one with {option}"
        )
    found = [record for record in records if agent is None or record.agent == agent]
    if not found:
        what = f"no episode of {agent!r}; there are: {', '.join(agents)}" if agents else "no episode"
        raise PackageError(f"this run has {what}", file=path)
    return found


def _listed(tasks: Sequence[tuple[str, str]]) -> str:
    shown = ", ".join(task for _, task in tasks[:_SHOWN])
    return shown + (f" and {len(tasks) - _SHOWN} more" if len(tasks) > _SHOWN else "")
