"""`envfactory build --batch`: every document of a folder, and a table of how far each got."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from .output import FAILED, console, counted, emit_json, progress, say, table

if TYPE_CHECKING:
    from envfactory_gym.construct.batch import Record

SHOWN_REASON = 110
"""Characters of a reason that the table shows; `--json` and the records hold all of it."""


def build_batch(
    folder: Path,
    out: Path,
    *,
    jobs: int,
    seed: int,
    sample: int | None,
    prove: bool,
    seconds: float,
    megabytes: int,
    as_json: bool,
) -> None:
    """Build and prove the documents of a folder; what was done before is not repeated.

    Args:
        folder: Where the documents lie, at any depth.
        out: Folder of the packages, and of the records that a later run goes on from.
        jobs: Documents at a time.
        seed: Chooses among equally plausible data, tasks and samples.
        sample: Only so many documents, chosen by the seed.
        prove: Whether to execute the proofs of what was built.
        seconds: Wall-clock limit of one document.
        megabytes: Memory limit of one process.
        as_json: Write the records as JSON.
    """
    from envfactory_gym.construct.batch import STAGES, Limits, Sweep, find_sources
    from envfactory_gym.construct.batch.sources import sampled

    sources = find_sources(folder)
    chosen = sources if sample is None else sampled(sources, sample, seed)
    sweep = Sweep(out, seed=seed, verify=prove, limits=Limits(seconds, megabytes))
    left = sweep.waiting(chosen)
    try:
        with progress(quiet=as_json) as bar:
            job = bar.add_task(str(folder), total=len(chosen), completed=len(chosen) - len(left))
            for record in sweep.run(left, jobs=jobs):
                bar.update(job, advance=1, description=f"{record.name}: {record.stage}")
    except KeyboardInterrupt:
        say(console(stderr=True), f"Stopped. The same command goes on from {sweep.records.file}.")
        raise
    wanted = {one.relative for one in chosen}
    records = [record for record in sweep.records if record.source in wanted]
    records.sort(key=lambda record: record.source)
    if as_json:
        emit_json([asdict(record) for record in records])
    else:
        _show(records, already=len(chosen) - len(left), file=sweep.records.file)
    goal = STAGES.index("verified" if prove else "loads")
    if not all(STAGES.index(record.stage) >= goal for record in records):
        raise typer.Exit(FAILED)


def _show(records: Sequence[Record], *, already: int, file: Path) -> None:
    """The table of documents, then how many reached each stage."""
    from envfactory_gym.construct.batch import STAGES

    screen = console()
    rows = [
        (
            one.name,
            one.stage,
            one.tier or None,
            one.tools,
            one.tasks,
            None if one.mutation is None else f"{one.mutation:.0%}",
            f"{one.seconds:.1f}",
            f"{one.cpu:.1f}",
            one.reason if len(one.reason) <= SHOWN_REASON else f"{one.reason[: SHOWN_REASON - 3]}...",
        )
        for one in records
    ]
    columns = ("document", "reached", "tier", "tools", "tasks", "faults noticed", "seconds", "CPU", "why no further")
    screen.print(table(columns, rows, right=("tools", "tasks", "faults noticed", "seconds", "CPU")))
    counts = Counter(one.stage for one in records)
    reached = [(stage, sum(counts[later] for later in STAGES[place:])) for place, stage in enumerate(STAGES)]
    say(screen, " -> ".join(f"{stage} {count}" for stage, count in reached))
    done = (
        f"{counted(len(records), 'document')}, {already} of them done before"
        if already
        else counted(len(records), "document")
    )
    say(screen, f"{done}; records in {file}")
