"""`envfactory verify --sandbox`: the same report, made behind walls, with a line that says which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import typer

from .output import FAILED, console, emit_json, heading, progress, say

if TYPE_CHECKING:
    from rich.console import Console

    from envfactory_gym.verify import SandboxedReport


def verify_all(
    names: Sequence[str], tasks: Sequence[str], jobs: int, *, checks: bool, notes: bool, as_json: bool
) -> None:
    """Verify packages one after the other, each in a sandbox of its own; nothing becomes trusted.

    Raises:
        typer.Exit: One did not pass.
    """
    found = []
    for name in names:
        report = verify_one(name, tasks, jobs, checks=checks, quiet=as_json)
        found.append(report)
        if not as_json:
            show(report, console(), notes=notes)
    if as_json:
        emit_json([record(report) for report in found])
    if not all(report.passed for report in found):
        raise typer.Exit(FAILED)


def verify_one(name: str, tasks: Sequence[str], jobs: int, *, checks: bool, quiet: bool) -> SandboxedReport:
    """Verify one package in a sandbox, with progress on standard error."""
    from envfactory_gym.environment import load_package
    from envfactory_gym.verify import verify_sandboxed

    folder = load_package(name).path
    with progress(quiet=quiet) as bar:
        job = bar.add_task(name, total=None)

        def tell(what: str, done: int, total: int) -> None:
            bar.update(job, description=f"{name}: {what}", completed=done, total=total)

        return verify_sandboxed(folder, tasks=tasks or None, jobs=jobs, checks=checks, progress=tell)


def show(found: SandboxedReport, screen: Console, *, notes: bool) -> None:
    """What was found, then what held the code, then what the verdict is good for."""
    from .verify import show_failure, show_report

    if found.report is not None:
        show_report(found.report, screen, found.seconds, notes=notes, folder=found.folder)
    else:
        screen.print(heading(found.folder))
        for failure in found.failures:
            show_failure(failure, failure.check, screen)
    say(screen, found.protection.summary(), "" if found.protection.walled else "yellow")
    if found.passed:
        say(
            screen,
            '  -> not trusted by this: play it with unverified="subprocess", or read server.py and run '
            f"`envfactory verify {found.folder}` to import it into your own process",
        )


def record(found: SandboxedReport) -> dict[str, Any]:
    """Everything that was found, for programs."""
    from .verify import report_record

    return {
        "folder": found.folder,
        "passed": found.passed,
        "stopped": found.stopped,
        "failures": [failure.model_dump(mode="json") for failure in found.failures],
        "protection": [layer.model_dump() for layer in found.protection.layers],
        "output": found.output,
        "report": None if found.report is None else report_record(found.report),
    }
