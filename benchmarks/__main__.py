"""The command: measure, print tables, and write JSON where asked to."""

from __future__ import annotations

import argparse
import inspect
import json
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

from rich.console import Console

from . import machine, processes, schedule, shop_package, tables
from .processes import PartFailed
from .schedule import Job


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmarks; the exit code is 1 where a measurement failed."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="What resets, steps, comparisons, episodes and live worlds cost here."
    )
    parser.add_argument("--quick", action="store_true", help="few samples, one image; under a minute")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write all figures to this file")
    parser.add_argument("--only", metavar="NAME", help=f"some parts, by commas: {', '.join(schedule.PARTS)}")
    given = parser.parse_args(arguments)
    wanted = tuple(given.only.split(",")) if given.only else schedule.PARTS
    if unknown := sorted(set(wanted) - set(schedule.PARTS)):
        parser.error(f"there is no part {unknown[0]!r}; the parts are {', '.join(schedule.PARTS)}")
    console = Console()
    with tempfile.TemporaryDirectory(prefix="envfactory-bench-") as folder:
        result = measure(Path(folder), wanted, quick=given.quick, console=console)
    tables.show_budgets(console, result)
    if given.json is not None:
        given.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    return 1 if result["failed"] else 0


def measure(folder: Path, wanted: tuple[str, ...], *, quick: bool, console: Console) -> dict[str, Any]:
    """Measure part after part, printing each as soon as it is there.

    Args:
        folder: For packages and images; may be deleted afterwards.
        wanted: Names of parts.
        quick: Whether to be quick.
        console: Where tables go.

    Returns:
        `machine`, `quick`, `parts` (part → name → figures) and `failed` ("part, name" → why).
    """
    result: dict[str, Any] = {"machine": machine.describe(), "quick": quick, "parts": {}, "failed": {}}
    tables.show_machine(console, result)
    jobs = [job for job in schedule.jobs(quick) if job.part in wanted]
    packages = {job.image for job in jobs if job.image is not None}
    for image in sorted(packages):
        shop_package.write(_package(folder, image), image)
        # Whoever comes first would build the image; here that is nobody who is being measured.
        processes.run("image", {"folder": str(_package(folder, image))}, cache=folder / "cache")
    for part in (name for name in schedule.PARTS if name in wanted):
        mine = [job for job in jobs if job.part == part]
        with ThreadPoolExecutor(1 if mine[0].timed else 2) as pool:
            outcomes = list(pool.map(lambda job: _outcome(folder, job), mine))
        for job, outcome in zip(mine, outcomes, strict=True):
            if isinstance(outcome, PartFailed):
                result["failed"][f"{job.part}, {job.name}"] = str(outcome)
                console.print(f"[red]{job.part}, {job.name}: not measured: {outcome}[/red]")
            else:
                result["parts"].setdefault(part, {})[job.name] = outcome
        if part in result["parts"]:
            tables.show(console, part, result["parts"][part])
    return result


def _package(folder: Path, image: str) -> Path:
    return folder / image.replace(" ", "-").lower()


def _outcome(folder: Path, job: Job) -> dict[str, Any] | PartFailed:
    """What a job measured, or why it could not."""
    options = dict(job.options)
    takes = inspect.signature(import_module(f"benchmarks.parts.{job.part}").measure).parameters
    if job.image is not None:
        options["folder"] = str(_package(folder, job.image))
        if "orders" in takes:
            options["orders"] = shop_package.ORDERS[job.image]
    try:
        return processes.run(job.part, options, cache=folder / "cache")
    except PartFailed as failure:
        return failure


if __name__ == "__main__":
    sys.exit(main())
