"""Proving a fresh build: every check, every certificate, and no task that does not hold one.

A compiler proposes tasks; execution decides. What does not certify is taken out of `tasks.jsonl`
before the package is pinned, and is named in the result.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..environment import Package
from ..environment.registry import open_package
from ..environment.trust import trust
from ..verify import Report, pin_tasks, verify, write_report
from ..verify.report import Progress

Dropped = dict[str, str]
"""Task → the row of its certificate that failed, with the first line of evidence."""


@dataclass(frozen=True)
class Proof:
    """A report, and the tasks that were taken out on the way to it."""

    report: Report
    dropped: Dropped


def prove(folder: Path, *, jobs: int = 1, progress: Progress | None = None) -> Proof:
    """Verify a package that was just built, keep the tasks that certify, pin them, and write its report.

    A package that fails a check is left as it was built. The package's code runs, with your rights.

    Args:
        folder: The package.
        jobs: Processes that certify tasks and run mutants.
        progress: Called as parts are done.
    """
    report = verify(Package(folder, trusted=True), jobs=jobs, progress=progress)
    dropped = _with_twins(folder, _failed(report))
    if dropped and all(check.passed for check in report.checks):
        _keep(folder, lambda task: task not in dropped)
        report = verify(Package(folder, trusted=True), jobs=jobs, progress=progress)
    if report.passed:
        # Certificates become part of tasks.jsonl, and so of the package's hash.
        pin_tasks(folder, report)
        report = report.model_copy(update={"package_hash": open_package(folder).package_hash})
        write_report(Package(folder), report)
        trust(report.package_hash, Package(folder).name)
    return Proof(report, dropped)


def _failed(report: Report) -> Dropped:
    found: Dropped = {}
    for certificate in report.certificates:
        for row in certificate.findings:
            if not row.passed:
                found.setdefault(certificate.task, f"{row.check}: {(row.evidence or ('',))[0]}")
    return found


def _with_twins(folder: Path, failed: Dropped) -> Dropped:
    """Those that failed, and the twins that would stand alone without them."""
    twins = {task.id: task.twin for task in open_package(folder).tasks if task.twin}
    return failed | {twins[task]: f"its twin {task} does not certify" for task in failed if task in twins} | failed


def _keep(folder: Path, wanted: Callable[[str], bool]) -> None:
    package = open_package(folder)
    lines = (folder / "tasks.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line, task in zip(lines, package.tasks, strict=True) if wanted(task.id)]
    (folder / "tasks.jsonl").write_text("".join(kept), encoding="utf-8")
