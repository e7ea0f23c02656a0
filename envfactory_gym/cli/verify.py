"""`envfactory verify`: execute every proof of an environment and of its tasks, and show evidence first."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import typer

from .output import FAILED, JSON_OPTION, MISTAKE, console, counted, emit_json, heading, progress, say, table

if TYPE_CHECKING:
    from rich.console import Console

    from envfactory_gym.environment import Package
    from envfactory_gym.verify import Certificate, Finding, Report

SURVIVORS = 5
"""Planted faults that are shown where too many went unnoticed, and nobody asked for all of them."""


def verify(
    names: list[str] = typer.Argument(None, metavar="NAME", help="Names, ids or folders of environments."),
    everything: bool = typer.Option(False, "--all", help="Every environment that is found here."),
    task: list[str] = typer.Option([], help="Certify only this task; may be given again."),
    tasks_only: bool = typer.Option(
        False, "--tasks", help="Execute the certificates of the tasks again, without the environment's own checks."
    ),
    jobs: int = typer.Option(min(2, os.cpu_count() or 1), min=1, help="Processes that certify tasks."),
    write: bool = typer.Option(
        False, "--write", help="Pin tasks to what they were certified against, and write report.json."
    ),
    adversaries: bool = typer.Option(
        False,
        "--adversaries",
        help="Also let agents that cheat play the tasks, and solve them in other ways than gold.",
    ),
    sandbox: bool = typer.Option(
        False,
        "--sandbox",
        help="Run the package's code behind walls (for code of others); a pass does not make it trusted.",
    ),
    notes: bool = typer.Option(False, "--notes", help="Show what was not tried, and what is worth knowing."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Execute every proof of an environment and its tasks.

    The package's own code runs, with your rights; with --sandbox, in a process that may do next to nothing.
    """
    from envfactory_gym.environment import EnvFactoryError, PackageError, load_package
    from envfactory_gym.environment.registry import names as known

    wanted = known() if everything else list(names or ())
    if not wanted:
        raise PackageError("nothing to verify", remedy="give a name or a folder, or --all")
    if write and (task or tasks_only):
        raise PackageError("--write needs everything executed", remedy="leave out --task and --tasks")
    if sandbox and (write or adversaries):
        raise PackageError(
            "--sandbox only looks: it neither writes nor plays adversaries",
            remedy="leave out --write and --adversaries",
        )
    if sandbox:
        from .verify_sandboxed import verify_all

        verify_all(wanted, task, jobs, checks=not tasks_only, notes=notes, as_json=as_json)
        return
    reports = []
    unreadable = 0
    for name in wanted:
        started = time.perf_counter()
        try:
            report = verify_one(
                load_package(name), task, jobs, write, quiet=as_json, adversaries=adversaries, checks=not tasks_only
            )
        except EnvFactoryError as error:
            if len(wanted) == 1:
                raise
            typer.secho(f"error: {name}: {error}", err=True, fg=typer.colors.RED)  # the others have their turn
            unreadable += 1
            continue
        reports.append(report)
        if not as_json:
            show_report(report, console(), time.perf_counter() - started, notes=notes, folder=name)
    if as_json:
        emit_json([report_record(report) for report in reports])
    elif len(wanted) > 1:
        good = sum(report.passed for report in reports)
        console().print(heading(f"{good} of {counted(len(wanted), 'environment')} passed."))
    if unreadable:
        raise typer.Exit(MISTAKE)
    if not all(report.passed for report in reports):
        raise typer.Exit(FAILED)


def verify_one(
    package: Package,
    tasks: Sequence[str],
    jobs: int,
    write: bool,
    *,
    quiet: bool,
    adversaries: bool = False,
    checks: bool = True,
) -> Report:
    """Verify one package, and remember on this machine that it passed."""
    from envfactory_gym.environment.registry import open_package
    from envfactory_gym.environment.trust import trust
    from envfactory_gym.verify import hackability, pin_tasks, write_report
    from envfactory_gym.verify import verify as execute

    if write:
        _pin_hashes(package)
        package = open_package(package.path)
    with progress(quiet=quiet) as bar:
        job = bar.add_task(package.name, total=None)

        def tell(what: str, done: int, total: int) -> None:
            bar.update(job, description=f"{package.name}: {what}", completed=done, total=total)

        chosen = [package.task(name) for name in tasks] if tasks else None
        report = execute(package, tasks=chosen, jobs=jobs, progress=tell, checks=checks)
        if adversaries and report.certified:
            # Only tasks that gold solves say anything about who else is paid.
            certified = [package.task(name) for name in report.certified]
            found = hackability.check(package, hackability.spread(certified), tell=tell)
            report = report.model_copy(update={"checks": (*report.checks, found)})
    if write and report.passed:
        # Certificates become part of tasks.jsonl, and so of the package's hash; nothing that was executed changes.
        pin_tasks(package.path, report)
        report = report.model_copy(update={"package_hash": open_package(package.path).package_hash})
        write_report(package, report)
    if report.passed and checks and not tasks:
        trust(report.package_hash, package.name)
    return report


def _pin_hashes(package: Package) -> None:
    """Say in tasks.jsonl that the tasks are for the package as it is now; their certificates follow."""
    from envfactory_gym.verify import Report, pin_tasks

    played = [(task, package.narrowed(task)) for task in package.tasks]
    if any((task.world_hash, task.rules_hash) != (own.world_hash, own.rules_hash) for task, own in played):
        blank = Report(
            environment=package.id,
            world_hash=package.world_hash,
            rules_hash=package.rules_hash,
            package_hash="",
            tools=0,
            checks=(),
            certificates=(),
        )
        pin_tasks(package.path, blank)


def show_report(report: Report, screen: Console, seconds: float, *, notes: bool = False, folder: str = "") -> None:
    """A report for people: what failed, with evidence; then what was executed; then the verdict."""
    from envfactory_gym.verify.mutation import MutationScore
    from envfactory_gym.verify.report import MIN_SCORE

    whole = any(check.check == "data" for check in report.checks) or report.mutation != "not measured"
    screen.print(heading(report.environment))
    for check in report.checks:
        if not check.passed:
            show_failure(check, check.check, screen)
    for certificate in report.certificates:
        for row in certificate.findings:
            if not row.passed:
                show_failure(row, f"{row.check} of {certificate.task} ({certificate.form})", screen)
    rows = [(check.check, "passed" if check.passed else "FAILED", _figures(check)) for check in report.checks]
    rows += [
        (f"task: {name}", f"{good}/{total}" if good == total else f"FAILED {total - good}/{total}", figures)
        for name, good, total, figures in _by_row(report.certificates)
    ]
    screen.print(table(("check", "verdict", "executed"), rows))
    for check in report.checks:
        if check.check == "adversaries":
            _show_adversaries(check, screen)
    if notes:
        _show_notes(report, screen)
    elif whole and isinstance(report.mutation, MutationScore) and report.mutation.share < MIN_SCORE:
        for survivor in report.mutation.survivors[:SURVIVORS]:
            say(screen, f"not noticed: {survivor}", "dim")
    verdict = (report.tier if whole else "tasks passed") if report.passed else "did not pass"
    say(
        screen,
        f"{report.environment}: {verdict}; {counted(len(report.certified), 'certified task')} "
        f"in {counted(len(report.certificates), 'form')} ({1000 * report.seconds_per_certificate:.0f} ms CPU each); "
        f"mutation: {report.mutation}; {seconds:.1f} s",
    )
    for lacking in report.wanting if whole else ():
        say(screen, f"  -> for `verified`: {lacking.replace('DIR', folder) if folder else lacking}")


def _show_adversaries(check: Finding, screen: Console) -> None:
    """Per kind of adversary: tasks it was paid on, alone and after twins are asked for."""
    lines = check.figures["by_adversary"]
    columns = ("adversary", *(figure.replace("_", " ") for figure in next(iter(lines.values()))))
    rows = [(name, *(str(figure) for figure in figures.values())) for name, figures in lines.items()]
    screen.print(table(columns, rows, right=columns[1:]))


def _show_notes(report: Report, screen: Console) -> None:
    for check in report.checks:
        for note in check.notes:
            say(screen, f"{check.check}: {note}", "dim")
    for certificate in report.certificates:
        for row in certificate.findings:
            for note in row.notes:
                say(screen, f"{row.check} of {certificate.task} ({certificate.form}): {note}", "dim")


def show_failure(check: Finding, title: str, screen: Console) -> None:
    """One failed check: its evidence, then what to do."""
    say(screen, f"FAILED {title}", style="red")
    for line in check.evidence:
        say(screen, f"  {line}")
    if check.remedy:
        say(screen, f"  -> {check.remedy}")


def _figures(check: Finding) -> str:
    shown = {name: value for name, value in check.figures.items() if name != "by_adversary"}
    return ", ".join(f"{name.replace('_', ' ')} {_figure(value)}" for name, value in shown.items())


def _figure(value: Any) -> str:
    """A figure in a few characters; many rates become the lowest of them."""
    if isinstance(value, dict) and value and all(isinstance(rate, int | float) for rate in value.values()):
        return f"{min(value.values()):.0%} at least, of {len(value)}"
    return str(value)


def _by_row(certificates: Sequence[Certificate]) -> list[tuple[str, int, int, str]]:
    """Per row of the certificates: its name, how many passed, of how many, and the sum of their figures."""
    found: dict[str, list[Finding]] = {}
    for certificate in certificates:
        for row in certificate.findings:
            found.setdefault(row.check, []).append(row)
    table_rows = []
    for name, rows in found.items():
        sums: dict[str, float] = {}
        for row in rows:
            for figure, value in row.figures.items():
                if isinstance(value, int | float) and not isinstance(value, bool):
                    sums[figure] = sums.get(figure, 0) + value
        text = ", ".join(f"{figure.replace('_', ' ')} {value:g}" for figure, value in sums.items())
        table_rows.append((name, sum(row.passed for row in rows), len(rows), text))
    return table_rows


def report_record(report: Report) -> dict[str, Any]:
    """The report with every finding, for programs."""
    return {
        **report.content(),
        "wanting": list(report.wanting),
        "certificates": [certificate.model_dump(mode="json") for certificate in report.certificates],
    }
