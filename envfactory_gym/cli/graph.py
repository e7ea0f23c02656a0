"""`envfactory graph`: which tool's result another tool can take, drawn, saved or audited."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from .output import JSON_OPTION, MISTAKE, console, emit_json, say, table

if TYPE_CHECKING:
    from envfactory_gym.synthesize.graph import ToolGraph

FORMS = (".html", ".svg", ".json", ".dot")
"""What `--out` can be, by its ending."""


def graph(
    environments: list[str] = typer.Argument(help="Environments: registered names, or package folders."),
    out: Path | None = typer.Option(None, help="File to write, by its ending: .html, .svg, .json or .dot."),
    similarity: str = typer.Option("lexical", help="How names are compared: lexical, minilm or openai."),
    execute: bool = typer.Option(True, help="Confirm links by calling the tools; --no-execute believes names."),
    audit: bool = typer.Option(False, "--audit", help="List what nothing can fill, reach or use."),
    compare_samplers: int | None = typer.Option(
        None, min=1, help="Draw so many chains from each sampler and compare them on this graph."
    ),
    seed: int = typer.Option(0, help="Seed of what is executed and sampled."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Build the tool graph of an environment, or of several that meet."""
    from envfactory_gym.synthesize.graph import ToolGraph
    from envfactory_gym.synthesize.graph.audit import audit as look
    from envfactory_gym.synthesize.pipeline import load

    if out is not None and out.suffix not in FORMS:
        typer.secho(f"error: {out} has none of the endings {', '.join(FORMS)}", err=True, fg=typer.colors.RED)
        raise typer.Exit(MISTAKE)
    built = ToolGraph.build(load(environments), similarity=similarity, execute=execute, seed=seed)
    if out is not None:
        write(built, out)
    lacks = look(built)
    compared = []
    if compare_samplers is not None:
        from envfactory_gym.synthesize.sampling.compare import compare

        compared = [one.as_dict() for one in compare(built, compare_samplers, seed=seed)]
    if as_json:
        emit_json({**summary(built), "audit": lacks.as_dict(), "samplers": compared, "out": str(out) if out else None})
        return
    screen = console()
    screen.print(table(["", "count"], [(key, value) for key, value in summary(built).items() if key != "environments"],
                       right=["count"]))  # fmt: skip
    if audit:
        for title, found in lacks.as_dict().items():
            screen.print(table([f"{title} ({len(found)})"], [(one,) for one in found]))
    elif lacks.unfillable:
        say(screen, f"{len(lacks.unfillable)} required inputs can be filled by nothing; --audit lists them")
    if compared:
        names = [str(one["sampler"]) for one in compared]
        rows = [(key, *(one[key] for one in compared)) for key in compared[0] if key != "sampler"]
        screen.print(table(["", *names], rows, right=names))
    if out is not None:
        say(screen, f"the graph is in {out}")


def summary(built: ToolGraph) -> dict[str, Any]:
    """Counts of a graph."""
    usable = [link for link in built.links if link.usable]
    return {
        "environments": list(built.servers),
        "tools": len(built.tools),
        "inputs": len(built.inputs),
        "outputs": len(built.outputs),
        "links": len(built.links),
        "usable links": len(usable),
        "declared": sum(link.declared for link in usable),
        "similar": sum(link.similar is not None for link in usable),
        "executed": sum("executed" in link.evidence for link in usable),
        "cures": len(built.cures),
    }


def write(built: ToolGraph, out: Path) -> None:
    """Write a graph in the form that the file's ending names."""
    from envfactory_gym.synthesize.graph import drawing

    out.parent.mkdir(parents=True, exist_ok=True)
    if out.suffix == ".json":
        built.save(out)
        return
    draw = {".html": drawing.page, ".svg": drawing.svg, ".dot": drawing.dot}[out.suffix]
    out.write_text(draw(built), encoding="utf-8")
