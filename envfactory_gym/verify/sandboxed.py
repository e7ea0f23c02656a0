"""Verifying a package whose code nobody trusts: the same checks, in a sandbox (docs/sandbox.md).

The report is made by the process in which the package's code ran. Code that means harm can forge
it, though it can touch nothing else; so a sandboxed report says how good a package is, and never
makes it trusted.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from ..environment import PackageError
from ..sandbox import Limits, Protection, Sandbox, SandboxStopped
from .finding import Finding
from .reach import PURE
from .report import Progress, Report

LIMITS = Limits(wall_seconds=1800, cpu_seconds=1500, processes=24, files=512)
"""What a verification may use. Replays and mutants run in processes of their own."""

SILENCE = 600.0
"""Seconds without any progress after which a verification is given up."""


class SandboxedReport(BaseModel):
    """What a sandboxed verification found.

    Attributes:
        folder: The package, as the caller named it; the copy that was run is gone.
        report: The report; None where the package could not be opened, or the sandbox was stopped.
        stopped: Why the sandbox was stopped before it had a report; empty where it was not.
        error: Why the package could not be opened, as a finding; None where it could.
        protection: What held the code.
        output: The last of what was printed inside.
        seconds: Wall time, with the sandbox's start.
    """

    model_config = ConfigDict(frozen=True)

    folder: str
    report: Report | None
    stopped: str = ""
    error: Finding | None = None
    protection: Protection
    output: str = ""
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        """Whether there is a report, and everything in it passed."""
        return self.report is not None and self.report.passed

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Everything that was found: checks, then rows of certificates (`gold of book-a-trip (scripted)`)."""
        found = list(self.report.checks) if self.report is not None else []
        if self.report is not None:
            found += [
                row.model_copy(update={"check": f"{row.check} of {certificate.task} ({certificate.form})"})
                for certificate in self.report.certificates
                for row in certificate.findings
            ]
        if self.error is not None:
            found.append(self.error)
        if self.stopped:
            evidence = (self.stopped, *self.output.strip().splitlines()[-5:])
            remedy = "find what does not end, or takes too much, in server.py, schema.sql or a query"
            found.append(Finding(check="sandbox", passed=False, evidence=evidence, remedy=remedy))
        return tuple(found)

    @property
    def failures(self) -> tuple[Finding, ...]:
        """The findings that did not pass: what to fix, each with evidence and remedy."""
        return tuple(found for found in self.findings if not found.passed)


def verify_sandboxed(
    folder: str | Path,
    *,
    tasks: Sequence[str] | None = None,
    jobs: int = 1,
    mutate: bool | None = None,
    checks: bool = True,
    limits: Limits = LIMITS,
    layers: Collection[str] | None = None,
    progress: Progress | None = None,
) -> SandboxedReport:
    """Verify a package folder in a sandbox. The caller's process imports none of it, and trusts none of it.

    Args:
        folder: The package; it is copied, and never written to.
        tasks: Ids of tasks to certify; by default all.
        jobs: Processes that certify tasks and run mutants.
        mutate: As in `verify`.
        checks: As in `verify`.
        limits: What ends the sandbox.
        layers: Layers to put up; all by default.
        progress: Called as parts are done.

    Returns:
        What was found, also where the package is broken, or the sandbox had to be stopped.

    Raises:
        SandboxError: There is no sandbox on this system, or it does not start.
        PackageError: The folder cannot be copied: it is missing, too large, or holds links.
    """
    started = time.perf_counter()
    if not Path(folder).is_dir():
        raise PackageError("no such package folder", file=folder, remedy="give the folder that holds environment.yaml")
    arguments = {"tasks": None if tasks is None else list(tasks), "jobs": jobs, "mutate": mutate, "checks": checks}
    target = "envfactory_gym.verify.inside:serve"
    with Sandbox(target, folder, arguments=arguments, limits=limits, imports=PURE, layers=layers) as sandbox:
        report, error, stopped = None, None, ""
        try:
            message = _renamed(_last(sandbox, progress), str(sandbox.copy), str(folder))
            error = _error(message["error"]) if "error" in message else None
            report = Report.model_validate(message["report"]) if error is None else None
        except SandboxStopped as end:
            stopped = end.reason
        except (KeyError, TypeError, ValidationError):
            stopped = "it sent something that is no report"
        return SandboxedReport(
            folder=str(folder),
            report=report,
            stopped=stopped,
            error=error,
            protection=sandbox.protection,
            output=_renamed(sandbox.output, str(sandbox.copy), str(folder)),
            seconds=time.perf_counter() - started,
        )


def _last(sandbox: Sandbox, progress: Progress | None) -> dict[str, Any]:
    """The last message; the others are progress."""
    while True:
        message = sandbox.receive(SILENCE)
        if "what" not in message:
            return message
        if progress is not None:
            progress(str(message["what"])[:80], int(message["done"]), int(message["total"]))


def _renamed(value: Any, inside: str, outside: str) -> Any:
    """Paths in the sandbox's copy as paths in the caller's folder, in all texts of a message."""
    if isinstance(value, str):
        return value.replace(inside, outside)
    if isinstance(value, dict):
        return {key: _renamed(child, inside, outside) for key, child in value.items()}
    return [_renamed(child, inside, outside) for child in value] if isinstance(value, list) else value


def _error(parts: dict[str, Any]) -> Finding:
    """An error that kept the package from being opened."""
    told = PackageError(str(parts["message"]), file=parts.get("file"), line=parts.get("line"), key=parts.get("key"))
    remedy = str(parts.get("remedy") or "fix the file at the place named")
    return Finding(check="package", passed=False, evidence=(str(told),), remedy=remedy)
