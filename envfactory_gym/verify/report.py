"""Verifying a package: every check, every certificate, one report.

A report says what was executed on exactly which bytes. It protects against drift, not against
forgery: whoever doubts it runs `envfactory verify` again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from ..environment import Bundle, EnvFactoryError, Package, TaskPrivate
from ..environment.registry import Tier, open_package
from .arguments import Candidates
from .certificate import Certificate, certify
from .checks import CHECKS, determinism, mutation, static
from .finding import Finding
from .mutation import MutationScore
from .replay import forms

FORMAT = 1

MIN_TASKS = 10
"""Certified tasks that the tier `verified` needs."""

MIN_SCORE = 0.7
"""Mutation score that the tier `verified` needs."""

REFERENCE_TASKS, REFERENCE_SCORE = 60, 0.9
"""What the tier `reference` needs of a crafted package."""

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many parts are done, and how many there are."""


class Report(BaseModel):
    """The executed report of an environment.

    Attributes:
        checks: Findings on the environment.
        certificates: Certificates of its tasks, one per task and form.
        mutation: The mutation score; not measured where another check failed, or it was left out.
        crafted: Whether somebody wrote the package; a build leaves its account, `coverage.json`, in what it makes.
    """

    model_config = ConfigDict(frozen=True)

    environment: str
    world_hash: str
    rules_hash: str
    package_hash: str
    tools: int
    checks: tuple[Finding, ...]
    certificates: tuple[Certificate, ...]
    mutation: MutationScore | Literal["not measured"] = "not measured"
    crafted: bool = False

    @property
    def passed(self) -> bool:
        """Whether every check and every certificate passed."""
        return all(check.passed for check in self.checks) and all(
            certificate.passed for certificate in self.certificates
        )

    @property
    def certified(self) -> list[str]:
        """Ids of the tasks that passed in every form."""
        failed = {certificate.task for certificate in self.certificates if not certificate.passed}
        return [
            task for task in dict.fromkeys(certificate.task for certificate in self.certificates) if task not in failed
        ]

    @property
    def seconds_per_certificate(self) -> float:
        """CPU seconds that one certificate took on average; of this run, and not part of `content()`."""
        seconds = [certificate.seconds for certificate in self.certificates]
        return sum(seconds) / len(seconds) if seconds else 0.0

    @property
    def tier(self) -> Tier:
        """The best tier whose demands on checks, certified tasks, mutation score and making are all met."""
        share = self.mutation.share if isinstance(self.mutation, MutationScore) else 0.0
        if not self.passed or len(self.certified) < MIN_TASKS or share < MIN_SCORE:
            return "draft"
        best = self.crafted and len(self.certified) >= REFERENCE_TASKS and share >= REFERENCE_SCORE
        return "reference" if best else "verified"

    @property
    def wanting(self) -> tuple[str, ...]:
        """What a report that passed lacks for the tier `verified`, each with what to do; nothing from there on."""
        lacking = []
        if len(self.certified) < MIN_TASKS:
            lacking.append(
                f"{len(self.certified)} of {MIN_TASKS} certified tasks: `envfactory synth DIR --count 60 --out "
                "tasks.jsonl`, then `mv tasks.jsonl DIR/` and `envfactory verify DIR --write`"
            )
        if isinstance(self.mutation, MutationScore) and self.mutation.share < MIN_SCORE:
            lacking.append(
                f"{self.mutation.share:.0%} of the planted faults noticed, of {MIN_SCORE:.0%}: write behaviours that "
                "notice those that are shown"
            )
        return tuple(lacking) if self.passed else ()

    def content(self) -> dict[str, Any]:
        """The report as report.json holds it: verdicts, figures, hashes, no timings."""
        return {
            "format": FORMAT,
            "environment": self.environment,
            "tier": self.tier,
            "passed": self.passed,
            "world_hash": self.world_hash,
            "rules_hash": self.rules_hash,
            "package_hash": self.package_hash,
            "tools": self.tools,
            "mutation": self.mutation if isinstance(self.mutation, str) else self.mutation.content(),
            "checks": {check.check: _verdict(check) for check in self.checks},
            "tasks": {
                "certified": len(self.certified),
                "forms": len(self.certificates),
                "failed": sorted({certificate.task for certificate in self.certificates if not certificate.passed}),
            },
        }


def _verdict(check: Finding) -> dict[str, Any]:
    verdict: dict[str, Any] = {"passed": check.passed, **check.figures}
    return verdict | ({"evidence": list(check.evidence)} if check.evidence else {})


def verify(
    package: Package,
    *,
    tasks: Sequence[TaskPrivate] | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
    mutate: bool | None = None,
    checks: bool = True,
) -> Report:
    """Execute every check and every certificate.

    The package's code runs in this process (and its children) with your rights, after the static
    check has read it; there is no sandbox.

    Args:
        package: What to verify. It is executed whether or not it is trusted already.
        tasks: The tasks to certify; by default all of the package.
        jobs: Processes that certify tasks and run mutants.
        progress: Called as parts are done.
        checks: Whether to execute the environment's checks besides `static` and `determinism`; without them the
            report speaks of tasks alone, and the tier is `draft`.
        mutate: Whether to measure the mutation score; by default where all tasks are certified. It is never
            measured on an environment that failed another check.

    Returns:
        The report, also where checks failed.
    """
    tell = progress or (lambda what, done, total: None)
    if isinstance(package, Bundle):
        from .bundle import verify_bundle

        return verify_bundle(package, tasks=tasks, jobs=jobs, progress=tell)
    total = len(CHECKS) + 2
    tell("static", 0, total)
    first = static.check(package)
    findings = [first]
    certificates: list[Certificate] = []
    score: MutationScore | Literal["not measured"] = "not measured"
    if first.passed:
        package.trusted = True
        try:
            package.environment  # noqa: B018 - imports server.py, and says where it fails
        except EnvFactoryError as error:
            findings.append(Finding(check="import", passed=False, evidence=(str(error),), remedy="fix server.py"))
        else:
            for number, (name, check) in enumerate(CHECKS.items() if checks else (), start=1):
                tell(name, number, total)
                findings.append(guarded(name, check, package))
            chosen = list(package.tasks if tasks is None else tasks)
            jobs_done = [(task, form) for task in chosen for form in forms(task)]
            for done, certificate in enumerate(certify_all(package, jobs_done, jobs), start=1):
                certificates.append(certificate)
                tell("certificates", done, len(jobs_done))
            broken = {certificate.task for certificate in certificates if not certificate.findings[0].passed}
            tell("determinism", total - 1, total)
            playable = [task for task in chosen if task.id not in broken]
            findings.append(guarded("determinism", lambda whole: determinism.check(whole, playable), package))
            if all(found.passed for found in findings) and (checks and tasks is None if mutate is None else mutate):
                found, score = _mutation(package, jobs, tell)
                findings.append(found)
    tell("done", total, total)
    return Report(
        environment=package.id,
        world_hash=package.world_hash if first.passed else "",
        rules_hash=package.rules_hash if first.passed else "",
        package_hash=package.package_hash,
        tools=len(package.tools) if "environment" in package.__dict__ else 0,
        checks=tuple(findings),
        certificates=tuple(certificates),
        mutation=score,
        crafted=not (package.path / "coverage.json").exists(),
    )


def _mutation(package: Package, jobs: int, tell: Progress) -> tuple[Finding, MutationScore | Literal["not measured"]]:
    try:
        return mutation.check(package, jobs=jobs, progress=lambda done, of: tell("mutants", done, of))
    except EnvFactoryError as error:
        failed = Finding(check="mutation", passed=False, evidence=(str(error),), remedy="see the check `behaviours`")
        return failed, "not measured"


def guarded(name: str, check: Callable[[Package], Finding], package: Package) -> Finding:
    """A check that cannot even be carried out has failed, with the reason as evidence."""
    try:
        return check(package)
    except EnvFactoryError as error:
        return Finding(check=name, passed=False, evidence=(str(error),), remedy="the check could not be carried out")


def certify_all(package: Package, jobs_done: Sequence[tuple[TaskPrivate, Any]], jobs: int) -> Iterator[Certificate]:
    """The certificates of tasks in forms, in that order, made by several processes where that pays."""
    if jobs <= 1 or len(jobs_done) < 4 * jobs:
        candidates = Candidates(package) if jobs_done else None
        for task, form in jobs_done:
            yield certify(package, task, form, candidates)
        return
    work = [(str(package.path), task.model_dump_json(), form) for task, form in jobs_done]
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(_certify_elsewhere, work, chunksize=max(1, len(work) // (8 * jobs)))


@cache
def _opened(folder: str) -> tuple[Package, Candidates]:
    """A package in a worker process, opened once."""
    package = open_package(folder, trusted=True)
    return package, Candidates(package)


def _certify_elsewhere(job: tuple[str, str, Any]) -> Certificate:
    """One certificate in a worker process."""
    folder, task, form = job
    package, candidates = _opened(folder)
    return certify(package, TaskPrivate.model_validate_json(task), form, candidates)


def write_report(package: Package, report: Report) -> None:
    """Write report.json beside the package."""
    text = json.dumps(report.content(), indent=2, ensure_ascii=False) + "\n"
    (package.path / "report.json").write_text(text, encoding="utf-8")


def pin_tasks(folder: Path, report: Report) -> None:
    """Write the hashes and certificates of a report into the package's tasks.jsonl."""
    package = open_package(folder)
    rows: dict[str, dict[str, Any]] = {}
    for certificate in report.certificates:
        rows.setdefault(certificate.task, {})[certificate.form] = certificate.summary()
    lines = []
    for task in package.tasks:
        own = package.narrowed(task)
        pinned = task.model_copy(
            update={
                "world_hash": report.world_hash if own is package else own.world_hash,
                "rules_hash": report.rules_hash if own is package else own.rules_hash,
                "certificate": rows.get(task.id),
            }
        )
        lines.append(task_line(pinned))
    (folder / "tasks.jsonl").write_text("".join(lines), encoding="utf-8")


def task_line(task: TaskPrivate) -> str:
    """A task as one line of tasks.jsonl: what equals a default is left out."""
    content = task.model_dump(mode="json", exclude_defaults=True)
    return (
        json.dumps(_with_kinds(content, task.model_dump(mode="json")), ensure_ascii=False, separators=(",", ":")) + "\n"
    )


def _with_kinds(lean: Any, full: Any) -> Any:
    """Put the `kind` of source expressions back, which equals its default but tells them apart."""
    if isinstance(lean, dict):
        kept = {key: _with_kinds(child, full[key]) for key, child in lean.items()}
        return ({"kind": full["kind"]} | kept) if "kind" in full and "kind" not in lean else kept
    if isinstance(lean, list):
        return [_with_kinds(child, whole) for child, whole in zip(lean, full, strict=True)]
    return lean
