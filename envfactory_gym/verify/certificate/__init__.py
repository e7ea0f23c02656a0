"""The rows of a task's certificate, a module each with the same shape: `check(context) -> Finding`.

docs/proofs.md has the table. `certify` executes all rows on every form in which a task is offered;
the row `replay` is executed for a whole batch (`verify.replay`), since it starts processes.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

from pydantic import BaseModel, ConfigDict, Field

from ...environment import EnvFactoryError, Package, TaskPrivate
from ...episode import UserForm
from ..arguments import Candidates
from ..finding import Finding
from . import (
    answers_told,
    each_write,
    given_away,
    gold,
    heap,
    mutants,
    nothing,
    prefixes,
    referents,
    reorder,
    sources,
    unrelated_write,
)
from .context import TaskContext

ROWS: dict[str, Callable[[TaskContext], Finding]] = {
    "gold": gold.check,
    "sources": sources.check,
    "referents": referents.check,
    "nothing": nothing.check,
    "prefixes": prefixes.check,
    "each write": each_write.check,
    "unrelated write": unrelated_write.check,
    "mutants": mutants.check,
    "reorder": reorder.check,
    "paraphrase, negation, guess": answers_told.check,
    "heap": heap.check,
    "not given away": given_away.check,
}
"""Every row that is executed on one task, by name; gold first, since the others rest on it."""


class Certificate(BaseModel):
    """The executed proof of one task in one form.

    Attributes:
        task: Id of the task.
        form: The form in which it was played.
        findings: One per row.
        seconds: CPU time it took. It differs between runs, so it is never written down.
    """

    model_config = ConfigDict(frozen=True)

    task: str
    form: UserForm
    findings: tuple[Finding, ...]
    seconds: float = Field(default=0.0, exclude=True)

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
    began = process_time()
    try:
        context = TaskContext(package, task, form, candidates=candidates)
    except EnvFactoryError as error:
        broken = Finding(check="gold", passed=False, evidence=(str(error),), remedy="the task cannot be played at all")
        return Certificate(task=task.id, form=form, findings=(broken,), seconds=process_time() - began)
    try:
        findings: list[Finding] = []
        for name in ROWS:
            findings.append(_row(name, context))
            if name == "gold" and not findings[0].passed:
                break
        return Certificate(task=task.id, form=form, findings=tuple(findings), seconds=process_time() - began)
    finally:
        context.close()


def _row(name: str, context: TaskContext) -> Finding:
    """A row that cannot even be carried out has failed, with the reason as evidence."""
    try:
        return ROWS[name](context)
    except (EnvFactoryError, ValueError) as error:
        # ValueError: an answer is not of its kind, which graders and renderers refuse.
        return Finding(check=name, passed=False, evidence=(str(error),), remedy="the row could not be carried out")


__all__ = ["ROWS", "Certificate", "TaskContext", "certify"]
