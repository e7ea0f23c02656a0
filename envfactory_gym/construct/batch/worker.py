"""The process that takes one document from its text to a verified package, and says how far it is.

It writes one JSON object a line: `{"stage": ...}` whenever a stage is reached, and whatever the
record shall hold besides. A document can exhaust time or memory only here.
"""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ...environment import EnvFactoryError, Package
from ..build import build
from ..proving import Proof, prove

Say = Callable[..., None]

_AFTER = {"model": "read", "data": "modelled"}
"""Stage of the build that begins → stage of the record that is thereby reached."""


def work(source: Path, out: Path, name: str, *, seed: int, verify: bool, say: Say) -> None:
    """Build a document, load the package, prove it; `say` is told each stage.

    Raises:
        EnvFactoryError: The document got no further.
    """

    def tell(stage: str) -> None:
        if stage in _AFTER:
            say(stage=_AFTER[stage])

    coverage = build(source, out, name=name, seed=seed, force=True, progress=tell)
    say(stage="emitted", operations=coverage.operations, tools=len(coverage.tools))
    package = Package(out, trusted=True)
    package.environment  # noqa: B018 - imports server.py, and says where it fails
    say(stage="loads", tools=len(package.tools), tasks=len(package.tasks))
    if verify:
        _verified(prove(out), say)


def _verified(proof: Proof, say: Say) -> None:
    report = proof.report
    figures: dict[str, Any] = {"tier": report.tier, "tasks": len(report.certified), "dropped": proof.dropped}
    if not isinstance(report.mutation, str):
        figures["mutation"] = round(report.mutation.share, 3)
    if report.tier != "draft":
        say(stage="verified", **figures)
        return
    failing = [f"{check.check}: {(check.evidence or ('',))[0]}" for check in report.checks if not check.passed]
    failing += [f"task {task}: {why}" for task, why in proof.dropped.items() if not report.passed]
    short = f"{len(report.certified)} certified tasks"
    if not isinstance(report.mutation, str):
        short += f", {report.mutation.share:.0%} of planted faults noticed"
    say(reason=(failing or [f"too little for the tier: {short}"])[0], **figures)


def main() -> None:
    """Read one job from standard input, do it, and write what happens to standard output."""
    job = json.load(sys.stdin)
    limit = int(job["memory"]) * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    out = sys.stdout
    sys.stdout = sys.stderr  # what a package prints is nobody's record

    def say(**said: Any) -> None:
        out.write(json.dumps(said) + "\n")
        out.flush()

    say(stage="found")
    try:
        work(Path(job["source"]), Path(job["out"]), job["name"], seed=job["seed"], verify=job["verify"], say=say)
    except EnvFactoryError as error:
        say(reason=" ".join(str(error).split()))
    except MemoryError:
        say(reason=f"it needs more than {job['memory']} MB of memory")
    finally:
        say(cpu=round(_cpu(), 1))


def _cpu() -> float:
    """Seconds of processor time of this process and of those it waited for."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


if __name__ == "__main__":
    main()
