"""Verifying tasks that span environments: their certificates, on members that were verified by themselves.

A bundle has no code, no data and no behaviours of its own, so there is nothing else to check.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..environment import Bundle, TaskPrivate
from ..environment.trust import is_trusted
from .checks import determinism
from .finding import Finding, finding
from .replay import forms
from .report import Progress, Report, certify_all, guarded


def verify_bundle(bundle: Bundle, *, tasks: Sequence[TaskPrivate] | None, jobs: int, progress: Progress) -> Report:
    """Execute every certificate of a bundle's tasks; arguments as for `verify`."""
    findings = [members(bundle)]
    certificates = []
    if findings[0].passed:
        chosen = list(bundle.tasks if tasks is None else tasks)
        jobs_done = [(task, form) for task in chosen for form in forms(task)]
        for done, certificate in enumerate(certify_all(bundle, jobs_done, jobs), start=1):
            certificates.append(certificate)
            progress("certificates", done, len(jobs_done))
        broken = {certificate.task for certificate in certificates if not certificate.findings[0].passed}
        playable = [task for task in chosen if task.id not in broken]
        findings.append(guarded("determinism", lambda whole: determinism.check(whole, playable), bundle))
    return Report(
        environment=bundle.id,
        world_hash=bundle.world_hash,
        rules_hash=bundle.rules_hash,
        package_hash=bundle.package_hash,
        tools=len(bundle.tools) if findings[0].passed else 0,
        checks=tuple(findings),
        certificates=tuple(certificates),
    )


def members(bundle: Bundle) -> Finding:
    """Check `members`: each was verified here or came verified, and each task spans some of them."""
    return finding(
        "members", list(_problems(bundle)), figures={"environments": len(bundle.packages), "tasks": len(bundle.tasks)},
        remedy="verify the environments first, each by itself",
    )  # fmt: skip


def _problems(bundle: Bundle) -> Iterator[str]:
    for package in bundle.packages:
        if not (package.trusted or is_trusted(package.package_hash)):
            yield f"{package.name} was not verified here: `envfactory verify {package.path}`"
    for task in bundle.tasks:
        if not task.environments:
            yield f"task {task.id} names no environments"
