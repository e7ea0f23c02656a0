"""Executing what is written so far, in a sandbox: a stage's own look, rows from a script, the whole of `verify`, tasks.

Nothing of an unfinished package is imported by this process. The package exists as texts; a temporary
folder is made of them for each execution, and the sandbox works on a copy of that.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..environment import PackageError
from ..sandbox import Limits, Sandbox, SandboxStopped
from ..verify.finding import Finding, finding
from ..verify.report import Report
from ..verify.sandboxed import verify_sandboxed
from .answers import Files

Rows = dict[str, list[dict[str, Any]]]
"""Table → rows."""

LOOK = Limits(wall_seconds=120, cpu_seconds=90)
"""What a look at one stage may use."""

GENERATE = Limits(wall_seconds=60, cpu_seconds=45, message=32 << 20)
"""What a script for rows may use."""

SYNTH = Limits(wall_seconds=900, cpu_seconds=800)
"""What making tasks may use."""

PATIENCE = 300.0
"""Seconds without a sign of life from a sandbox."""

Tell = Callable[[str, int, int], None]
"""Progress within an execution."""


@contextmanager
def folder_of(files: Mapping[str, str]) -> Any:
    """A temporary folder that holds the files."""
    with tempfile.TemporaryDirectory(prefix="envfactory-author-") as place:
        folder = Path(place) / "package"
        write_files(folder, files)
        yield folder


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write files below a folder, which is made."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in sorted(files):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(files[name], encoding="utf-8")


def read_files(folder: Path, *, without: Sequence[str] = ()) -> Files:
    """The text files of a package."""
    from ..environment.hashing import package_files

    found = {}
    for path in package_files(folder):
        name = path.relative_to(folder).as_posix()
        if name not in without:
            found[name] = path.read_text(encoding="utf-8")
    return found


@dataclass(frozen=True)
class Look:
    """What a look at a stage found.

    Attributes:
        findings: What was executed.
        signatures: The tools as they present themselves; empty before there are any.
    """

    findings: tuple[Finding, ...]
    signatures: tuple[dict[str, Any], ...] = ()

    @property
    def evidence(self) -> list[str]:
        """Everything that speaks against it."""
        return [line for one in self.findings for line in (one.evidence if not one.passed else ())]


def look(stage: str, files: Mapping[str, str], **arguments: Any) -> Look:
    """Execute what a stage can execute.

    Args:
        stage: `state`, `tools`, `data`, `words` or `behaviours`.
        files: The package so far.
        arguments: What the stage is held to; see `inside`.
    """
    message = ask("probe", files, {"stage": stage, **arguments}, LOOK)
    if "stopped" in message:
        return Look((finding("sandbox", [message["stopped"]], remedy="find what does not end, or takes too much"),))
    return Look(tuple(Finding.model_validate(one) for one in message["findings"]), tuple(message.get("signatures", ())))


def generate(script: str, base: Rows, files: Mapping[str, str]) -> tuple[Rows, str]:
    """The rows that a script makes, and what is wrong: an error, or rows that differ from run to run."""
    manifest = {name: text for name, text in files.items() if name == "environment.yaml"}
    runs = [ask("generate", manifest, {"script": script, "base": base}, GENERATE) for _ in range(2)]
    for run in runs:
        if problem := run.get("stopped") or run.get("error"):
            return {}, str(problem)
    if runs[0] != runs[1]:
        return {}, "make_data.py gives other rows when it is run again: iterate over sorted things, never over sets"
    rows: Rows = runs[0]["rows"]
    return rows, ""


def synthesise(
    files: Mapping[str, str], count: int, seed: int, tell: Tell | None = None
) -> tuple[list[str], dict[str, int]]:
    """Certified tasks as lines of tasks.jsonl, and why chains gave none."""
    message = ask("synth", files, {"count": count, "seed": seed}, SYNTH, tell)
    if "stopped" in message:
        return [], {str(message["stopped"]): 1}
    return [str(line) for line in message["tasks"]], {str(why): int(n) for why, n in message["rejected"].items()}


def ask(
    what: str, files: Mapping[str, str], arguments: Mapping[str, Any], limits: Limits, tell: Tell | None = None
) -> dict[str, Any]:
    """The last message of a function of `inside`; `stopped` with the reason where the sandbox was stopped."""
    with folder_of(files) as folder:
        try:
            with Sandbox(f"envfactory_gym.author.inside:{what}", folder, arguments=arguments, limits=limits) as sandbox:
                while True:
                    message = sandbox.receive(PATIENCE)
                    if "what" not in message:
                        return message
                    if tell is not None:
                        tell(str(message["what"])[:80], int(message["done"]), int(message["total"]))
        except SandboxStopped as end:
            return {"stopped": f"{end.reason}\n{end.output[-2000:]}".strip()}
        except PackageError as error:
            return {"stopped": str(error)}


@dataclass(frozen=True)
class Executed:
    """A package, executed as a whole.

    Attributes:
        report: The report; None where there is none.
        findings: Checks and rows of certificates.
        protection: What held the code.
        rejected: Why chains gave no tasks, where tasks were drawn.
    """

    report: Report | None
    findings: tuple[Finding, ...]
    protection: str
    rejected: Mapping[str, int] = field(default_factory=dict)

    @property
    def passed(self) -> bool:
        """Whether everything passed."""
        return self.report is not None and self.report.passed

    @property
    def failures(self) -> tuple[Finding, ...]:
        """What did not pass."""
        return tuple(one for one in self.findings if not one.passed)

    @property
    def share(self) -> float:
        """Share of the planted faults that were noticed; 0 where that was not measured."""
        mutation = self.report.mutation if self.report is not None else "not measured"
        return 0.0 if isinstance(mutation, str) else mutation.share

    @property
    def tasks(self) -> int:
        """Certified tasks."""
        return len(self.report.certified) if self.report is not None else 0

    @property
    def held(self) -> frozenset[str]:
        """Names of the checks that passed."""
        return frozenset(one.check for one in self.findings if one.passed)

    @property
    def key(self) -> tuple[int, int, float, int]:
        """What is better is greater: checks that pass, less evidence against, faults noticed, certified tasks."""
        checks = self.report.checks if self.report is not None else ()
        against = sum(len(one.evidence) or 1 for one in self.failures)
        return sum(one.passed for one in checks), -against, round(self.share, 4), self.tasks

    def measured_as(self, other: Executed) -> Executed:
        """This execution with what another one found about planted faults, if this one passed."""
        if self.report is None or other.report is None or not self.passed:
            return self
        found = tuple(one for one in other.report.checks if one.check == "mutation")
        report = self.report.model_copy(
            update={"mutation": other.report.mutation, "checks": (*self.report.checks, *found)}
        )
        return replace(self, report=report, findings=(*self.findings, *found))

    def summary(self) -> str:
        """The figures in a line."""
        checks = self.report.checks if self.report is not None else ()
        measured = f"{self.share:.1%} of the planted faults noticed" if self.share else "planted faults not measured"
        passing = sum(one.passed for one in checks)
        return f"{passing} of {len(checks)} checks pass, {measured}, {self.tasks} certified tasks"


def execute(
    files: Mapping[str, str], *, jobs: int = 1, measured: Executed | None = None, tell: Tell | None = None
) -> Executed:
    """The whole of `verify`, in a sandbox.

    Args:
        files: The package.
        jobs: Processes.
        measured: An execution of the same server, rows and examples: its planted faults need not be run again.
        tell: Told how it goes.
    """
    with folder_of(files) as folder:
        try:
            found = verify_sandboxed(folder, jobs=jobs, mutate=None if measured is None else False, progress=tell)
        except PackageError as error:
            return Executed(None, (finding("package", [str(error)]),), "")
        findings = tuple(
            one.model_copy(update={"evidence": tuple(line.replace(f"{folder}/", "") for line in one.evidence)})
            for one in found.findings
        )
        executed = Executed(found.report, findings, found.protection.summary())
        return executed if measured is None else executed.measured_as(measured)


def only_tasks(lines: str, wanted: Collection[str]) -> str:
    """The lines of tasks.jsonl whose tasks are wanted, and whose twins are too."""
    tasks = [(json.loads(line), line) for line in lines.splitlines(keepends=True) if line.strip()]
    return "".join(line for task, line in tasks if task["id"] in wanted and task.get("twin", task["id"]) in wanted)


def rows_of(files: Mapping[str, str]) -> Rows:
    """The rows of the base world, as the files hold them."""
    return {
        name.removeprefix("data/").removesuffix(".jsonl"): [
            json.loads(line) for line in text.splitlines() if line.strip()
        ]
        for name, text in sorted(files.items())
        if name.startswith("data/") and name.endswith(".jsonl")
    }


def lines_of(rows: Rows) -> Files:
    """Rows as the files of a package; NULLs are left out."""
    return {
        f"data/{table}.jsonl": "".join(
            json.dumps({column: value for column, value in row.items() if value is not None}, ensure_ascii=False) + "\n"
            for row in rows[table]
        )
        for table in sorted(rows)
    }
