"""The rows of a task's certificate, a module each with the same shape: `check(context) -> Finding`.

docs/proofs.md has the table. `certify` executes all rows on every form in which a task is offered;
the row `replay` is executed for a whole batch (`verify.replay`), since it starts processes.
"""

from __future__ import annotations

from collections.abc import Callable

from pydantic import BaseModel, ConfigDict

from ...environment import EnvFactoryError, Package, TaskPrivate
from ...episode import UserForm
from ..arguments import Candidates
from ..finding import Finding
from . import (
    answers_told,
    each_write,
    given_away,
    gold,
    mutants,
    nothing,
    prefixes,
    referents,
    reorder,
    sources,
    unrelated_write,
)
from .context import TaskContext

ROWS: tuple[Callable[[TaskContext], Finding], ...] = (
    gold.check,
    sources.check,
    referents.check,
    nothing.check,
    prefixes.check,
    each_write.check,
    unrelated_write.check,
    mutants.check,
    reorder.check,
    answers_told.check,
    given_away.check,
)
"""Every row that is executed on one task, cheapest evidence first."""


class Certificate(BaseModel):
    """The executed proof of one task in one form."""

    model_config = ConfigDict(frozen=True)

    task: str
    form: UserForm
    findings: tuple[Finding, ...]

    @property
    def passed(self) -> bool:
        """Whether every row passed."""
        return all(row.passed for row in self.findings)

    def summary(self) -> dict[str, object]:
        """The small JSON that a task carries: verdict and figures per row."""
        return {row.check: row.figures if row.passed else "failed" for row in self.findings}


def certify(
    package: Package, task: TaskPrivate, form: UserForm = "scripted", candidates: Candidates | None = None
) -> Certificate:
    """Execute every row on one task.

    Gold comes first: where it fails, the other rows would only repeat why, so they are not run.

    Args:
        package: The environment.
        task: The task.
        form: The form to certify.
        candidates: Shared by all tasks of a package; found anew where absent.
    """
    try:
        context = TaskContext(package, task, form, candidates=candidates)
    except EnvFactoryError as error:
        broken = Finding(check="gold", passed=False, evidence=(str(error),), remedy="the task cannot be played at all")
        return Certificate(task=task.id, form=form, findings=(broken,))
    try:
        findings: list[Finding] = []
        for row in ROWS:
            findings.append(row(context))
            if row is gold.check and not findings[0].passed:
                break
        return Certificate(task=task.id, form=form, findings=tuple(findings))
    finally:
        context.close()


__all__ = ["ROWS", "Certificate", "TaskContext", "certify"]
