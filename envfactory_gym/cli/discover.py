"""`envfactory discover`: which documents of a folder are worth building next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from .output import JSON_OPTION, console, counted, emit_json, heading, progress, say, table

if TYPE_CHECKING:
    from envfactory_gym.construct.discover import Candidate


def discover(
    folder: Path = typer.Argument(metavar="FOLDER", help="Where the documents lie, at any depth."),
    best: int = typer.Option(20, min=1, help="How many of the ranking to show."),
    propose: int = typer.Option(5, min=1, help="How many to propose for building."),
    permissive: bool = typer.Option(
        False, "--permissive", help="Propose only documents that state a licence such as MIT, Apache-2.0 or CC-BY."
    ),
    jobs: int = typer.Option(1, min=1, help="Processes that read."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Rank the sources in a folder by the state they keep, and propose what to build next.

    Nothing is built: each document is read and modelled. The score is statefulness x coverage x
    fullness x distance from the environments there are.
    """
    from envfactory_gym.construct.batch import find_sources
    from envfactory_gym.construct.discover import propose as proposals
    from envfactory_gym.construct.discover import survey

    sources = find_sources(folder)
    with progress(quiet=as_json) as bar:
        job = bar.add_task(str(folder), total=len(sources))
        ranked = survey(sources, jobs=jobs, progress=lambda done: bar.update(job, completed=done))
    chosen = proposals(ranked, propose, permissive=permissive)
    if as_json:
        emit_json({"ranking": [_record(one) for one in ranked], "proposals": [one.source for one in chosen]})
        return
    _show(ranked, chosen, best, folder)


def _record(one: Candidate) -> dict[str, Any]:
    record = {**asdict(one), "score": round(one.score, 4), "permissive": one.permissive}
    del record["words"]
    return record


def _show(ranked: Sequence[Candidate], chosen: Sequence[Candidate], best: int, folder: Path) -> None:
    screen = console()
    usable = [one for one in ranked if not one.problem]
    rows = [
        (
            f"{one.score:.2f}",
            one.source,
            one.domain,
            one.operations,
            one.tools,
            one.families,
            f"{one.statefulness:.2f}",
            f"{one.coverage:.2f}",
            f"{one.fullness:.2f}",
            f"{one.distance:.2f}",
        )
        for one in usable[:best]
    ]
    columns = (
        "score", "source", "domain", "operations", "tools", "full CRUD", "stateful", "coverage", "fullness", "distance",
    )  # fmt: skip
    screen.print(table(columns, rows, right=(columns[0], *columns[3:])))
    domains = Counter(one.domain for one in usable)
    say(screen, "By domain: " + ", ".join(f"{name} {count}" for name, count in domains.most_common()))
    say(screen, f"{counted(len(ranked), 'document')}, {len(ranked) - len(usable)} of which cannot be built.")
    screen.print(heading("To build next"))
    for one in chosen:
        say(screen, f"  {one.title} ({one.domain}; licence: {one.licence})")
        say(screen, f"    envfactory build {folder / one.source} --out ...", "dim")
