"""Drawing a tool graph: one self-contained page, a picture, or text for Graphviz.

Tools stand in layers, producers above those that use what they return (Sugiyama et al. 1981: layers by
the longest way over the condensation of cycles, order within a layer by the barycentre of neighbours). The page
highlights what a tool takes from and gives to others, and says on what evidence.
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from .network import tools_only
from .toolgraph import ToolGraph

WIDTH, HEIGHT, ACROSS, DOWN = 190, 40, 24, 92
"""Size of a tool's box, and the space between boxes, in pixels."""

PER_ROW = 7
"""Boxes in one row; a wider layer takes several rows."""


@dataclass(frozen=True)
class Placed:
    """A tool's place.

    Attributes:
        x, y: Left upper corner.
    """

    x: float
    y: float


def layout(graph: ToolGraph) -> tuple[dict[str, Placed], float, float]:
    """Places of all tools, and the size of the picture."""
    import networkx

    network = tools_only(graph)
    condensed = networkx.condensation(network)
    depth: dict[int, int] = {}
    for group in networkx.topological_sort(condensed):
        depth[group] = 1 + max((depth[above] for above in condensed.predecessors(group)), default=-1)
    layers: dict[int, list[str]] = defaultdict(list)
    for group in condensed.nodes:
        layers[depth[group]] += sorted(condensed.nodes[group]["members"])
    rows: list[list[str]] = []
    for level in sorted(layers):
        names = sorted(layers[level])
        rows += [names[start : start + PER_ROW] for start in range(0, len(names), PER_ROW)]
    place: dict[str, float] = {name: at for row in rows for at, name in enumerate(row)}
    for _ in range(8):
        for row in rows:
            near = {name: [*network.predecessors(name), *network.successors(name)] or [name] for name in row}
            centres = {name: sum(place[one] for one in near[name]) / len(near[name]) for name in row}
            row.sort(key=lambda name, centres=centres: (centres[name], name))  # type: ignore[misc]
            place |= {name: at + (PER_ROW - len(row)) / 2 for at, name in enumerate(row)}
    found = {
        name: Placed(ACROSS + place[name] * (WIDTH + ACROSS), ACROSS + level * DOWN)
        for level, row in enumerate(rows)
        for name in row
    }
    width = max((one.x for one in found.values()), default=0) + WIDTH + ACROSS
    height = max((one.y for one in found.values()), default=0) + HEIGHT + ACROSS
    return found, width, height


def edges(graph: ToolGraph) -> list[dict[str, Any]]:
    """Pairs of tools, with what links them and on what evidence: declared, similar, proposed or executed."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for links in graph.links_into.values():
        for link in links:
            entry = found.setdefault(
                (link.producer, link.consumer), {"from": link.producer, "to": link.consumer, "links": [], "cures": []}
            )
            entry["links"].append(
                {"output": link.output, "input": link.input, "evidence": list(link.evidence), "similar": link.similar}
            )
    for cure in graph.cures:
        entry = found.setdefault(
            (cure.writer, cure.tool), {"from": cure.writer, "to": cure.tool, "links": [], "cures": []}
        )
        entry["cures"].append(cure.reason)
    return [found[key] for key in sorted(found)]


def kind(graph: ToolGraph, name: str) -> str:
    """How a tool is coloured: `reads`, `writes`, or `user` for one that only the user can call."""
    tool = graph.tools[name]
    return "user" if tool.actor == "user" else "writes" if tool.writes else "reads"


def svg(graph: ToolGraph) -> str:
    """The picture as SVG text; tools are groups with their name, edges carry the names of both ends."""
    places, width, height = layout(graph)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" font-family="system-ui, sans-serif" font-size="12">',
        f"<style>{_STYLE}</style>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0 8 4 0 8z" class="tip"/></marker></defs>',
    ]
    for edge in edges(graph):
        cured = " cure" if edge["cures"] and not edge["links"] else ""
        executed = " executed" if any("executed" in one["evidence"] for one in edge["links"]) else ""
        lines.append(
            f'<path class="edge{cured}{executed}" data-from="{escape(edge["from"])}" data-to="{escape(edge["to"])}" '
            f'd="{_curve(places[edge["from"]], places[edge["to"]])}" marker-end="url(#tip)"/>'
        )
    for name in sorted(places):
        at, tool = places[name], graph.tools[name]
        lines.append(
            f'<g class="tool {kind(graph, name)}" data-tool="{escape(name)}" transform="translate({at.x:g} {at.y:g})">'
            f"<title>{escape(tool.description.split(chr(10))[0])}</title>"
            f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8"/>'
            f'<text x="{WIDTH / 2:g}" y="{HEIGHT / 2 + 4:g}" text-anchor="middle">{escape(_short(name))}</text></g>'
        )
    return "\n".join([*lines, "</svg>"]) + "\n"


def dot(graph: ToolGraph) -> str:
    """The graph for Graphviz."""
    colours = {"reads": "#dbeafe", "writes": "#fde68a", "user": "#e9d5ff"}
    lines = ["digraph tools {", '  node [shape=box, style="rounded,filled", fontname="sans-serif"];']
    for name in sorted(graph.tools):
        lines.append(f'  "{name}" [fillcolor="{colours[kind(graph, name)]}"];')
    for edge in edges(graph):
        label = ", ".join(dict.fromkeys(one["input"] for one in edge["links"])) or ", ".join(edge["cures"])
        style = ", style=dashed" if not edge["links"] else ""
        lines.append(f'  "{edge["from"]}" -> "{edge["to"]}" [label="{label}"{style}];')
    return "\n".join([*lines, "}"]) + "\n"


def page(graph: ToolGraph) -> str:
    """One HTML page with the picture and everything that is known of each tool; it loads nothing."""
    from jinja2 import Environment, FileSystemLoader, select_autoescape

    facts = {
        name: {
            "server": tool.server,
            "kind": kind(graph, name),
            "description": tool.description,
            "writes": list(tool.writes),
            "inputs": [
                {
                    "path": node.path,
                    "type": node.type,
                    "required": node.required,
                    "source": node.source,
                    "why": node.why,
                }
                for node in graph.inputs_of[name]
            ],
        }
        for name, tool in sorted(graph.tools.items())
    }
    templates = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")), autoescape=select_autoescape(["html", "j2"])
    )
    data = json.dumps({"tools": facts, "edges": edges(graph)}, sort_keys=True).replace("<", "\\u003c")
    title = " + ".join(graph.servers)
    return templates.get_template("page.html.j2").render(title=title, svg=svg(graph), data=data, graph=graph)


def _curve(start: Placed, end: Placed) -> str:
    x1, y1, x2, y2 = start.x + WIDTH / 2, start.y + HEIGHT, end.x + WIDTH / 2, end.y
    if end.y <= start.y:  # upwards or in one row: around the side
        x1, y1, x2, y2 = start.x + WIDTH, start.y + HEIGHT / 2, end.x + WIDTH, end.y + HEIGHT / 2
        bend = 30 + abs(y1 - y2) / 6
        return f"M{x1:g} {y1:g}C{x1 + bend:g} {y1:g} {x2 + bend:g} {y2:g} {x2:g} {y2:g}"
    middle = (y2 - y1) / 2
    return f"M{x1:g} {y1:g}C{x1:g} {y1 + middle:g} {x2:g} {y2 - middle:g} {x2:g} {y2:g}"


def _short(name: str) -> str:
    return name if len(name) <= 28 else name[:27] + "…"


_STYLE = (
    ".edge{fill:none;stroke:#94a3b8;stroke-width:1.2;opacity:.55}.edge.executed{stroke:#475569}"
    ".edge.cure{stroke:#a855f7;stroke-dasharray:5 4}.tip{fill:#64748b}"
    ".tool rect{stroke:#334155;stroke-width:1}.reads rect{fill:#dbeafe}.writes rect{fill:#fde68a}"
    ".user rect{fill:#e9d5ff}.tool text{fill:#0f172a}"
)
