"""`python -m benchmarks.serving`: measure, print tables, say which targets are met; exit code 1 where one is not."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console

from .. import machine, tables
from . import beside_slow, creating, ending, per_call, place, process_per_episode, starting, table, targets

PARTS: dict[str, Callable[..., dict[str, Any]]] = {
    "per_call": per_call.measure,
    "process_per_episode": process_per_episode.measure,
    "starting": starting.measure,
    "creating": creating.measure,
    "beside_slow": beside_slow.measure,
    "ending": ending.measure,
}


def main(arguments: list[str] | None = None) -> int:
    """Run the measurements; the exit code is 1 where a target was missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.serving", description="What serving over HTTP costs.")
    parser.add_argument("--quick", action="store_true", help="few rounds; about a minute")
    parser.add_argument("--only", metavar="PART", help=f"some parts, by commas: {', '.join(PARTS)}")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write all figures to this file")
    given = parser.parse_args(arguments)
    wanted = given.only.split(",") if given.only else list(PARTS)
    if unknown := sorted(set(wanted) - set(PARTS)):
        parser.error(f"there is no part {unknown[0]!r}; the parts are {', '.join(PARTS)}")
    console = Console()
    result: dict[str, Any] = {"machine": machine.describe(), "quick": given.quick, "parts": {}}
    tables.show_machine(console, result)
    with tempfile.TemporaryDirectory(prefix="envfactory-serving-") as folder:
        where = place.prepare(Path(folder) / "place")
        for name in wanted:
            with console.status(f"measuring {name.replace('_', ' ')}"):
                result["parts"][name] = PARTS[name](where, quick=given.quick)
    table.show(console, result["parts"])
    if given.json is not None:
        given.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    return 0 if all(kept for _, _, kept in targets.judged(result["parts"])) else 1


if __name__ == "__main__":
    sys.exit(main())
