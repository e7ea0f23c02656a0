"""Drawing a tool graph: one self-contained page, a picture, or text for Graphviz.

The picture shows the backbone (`layout`): how each tool is best reached. Every other link is there too,
faint in a picture, and on the page when one chooses a tool or asks for all.
"""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Any

from .layout import HEIGHT, WIDTH, Plan, backbone, plan
from .toolgraph import ToolGraph


def edges(graph: ToolGraph) -> list[dict[str, Any]]:
    """Pairs of tools, with what links them and on what evidence: declared, similar, proposed or executed."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for links in graph.links_into.values():
        for link in links:
            entry = found.setdefault(
                (link.producer, link.consumer), {"from": link.producer, "to": link.consumer, "links": [], "cures": []}
            )
            entry["links"].append(
                {
                    "output": link.output,
                    "input": link.input,
                    "evidence": list(link.evidence),
                    "similar": link.similar,
                    "tried": link.tried,
                    "accepted": link.accepted,
                }
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
    drawn = plan(graph)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {drawn.width:g} {drawn.height:g}" '
        f'width="{drawn.width:g}" height="{drawn.height:g}" font-family="system-ui, sans-serif" font-size="12">',
        f"<style>{_STYLE}</style>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto">'
        '<path d="M0 0 8 4 0 8z" class="tip"/></marker></defs>',
    ]
    for server, at in drawn.headings.items():
        lines.append(f'<text class="server" x="{at.x:g}" y="{at.y:g}">{escape(server)}</text>')
    strong = backbone(graph)
    for edge in sorted(edges(graph), key=lambda edge: (edge["from"], edge["to"]) in strong):
        ends = edge["from"], edge["to"]
        lines.append(
            f'<path class="edge {_looks(edge, ends in strong)}" data-from="{escape(ends[0])}" '
            f'data-to="{escape(ends[1])}" d="{_line(drawn, *ends)}" '
            f'marker-end="url(#tip)"><title>{escape(_told(edge))}</title></path>'
        )
    for name in sorted(drawn.places):
        at, tool = drawn.places[name], graph.tools[name]
        plain = name.removeprefix(f"{tool.server}__")
        lines.append(
            f'<g class="tool {kind(graph, name)}" data-tool="{escape(name)}" transform="translate({at.x:g} {at.y:g})">'
            f"<title>{escape(tool.description.split(chr(10))[0])}</title>"
            f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8"/>'
            f'<text x="{WIDTH / 2:g}" y="{HEIGHT / 2 + 4:g}" text-anchor="middle">{escape(_short(plain))}</text></g>'
        )
    return "\n".join([*lines, "</svg>"]) + "\n"


def _looks(edge: dict[str, Any], strong: bool) -> str:
    """The classes of an edge: its best evidence, and whether it belongs to the backbone."""
    evidence = {one for link in edge["links"] for one in link["evidence"]}
    best = next((one for one in ("executed", "declared", "similar", "proposed") if one in evidence), "cure")
    return f"{best} {'strong' if strong else 'more'}"


def _told(edge: dict[str, Any]) -> str:
    """What an edge says when one points at it: one line for each link and cure."""
    lines = [f"{edge['from']} → {edge['to']}"]
    for link in edge["links"]:
        seen = f" {link['accepted']} of {link['tried']}" if link["tried"] else ""
        lines.append(f"{link['output']} → {link['input']} ({', '.join(link['evidence'])}{seen})")
    lines += [f"cures the refusal {reason}" for reason in edge["cures"]]
    return "\n".join(lines)


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


def _line(drawn: Plan, start: str, end: str) -> str:
    """From the right side of a box to the left of another; backwards the other way; in one column around the right."""
    first, last = drawn.places[start], drawn.places[end]
    x, y = first.x + WIDTH, first.y + HEIGHT / 2
    path = f"M{x:g} {y:g}"
    far, low = last.x + WIDTH, last.y + HEIGHT / 2
    if far < first.x:
        half = (first.x - far) / 2
        return f"M{first.x:g} {y:g}C{first.x - half:g} {y:g} {far + half:g} {low:g} {far:g} {low:g}"
    if last.x <= first.x:
        bend = min(26 + abs(y - low) / 10, 72)
        return f"{path}C{x + bend:g} {y:g} {far + bend:g} {low:g} {far:g} {low:g}"
    for at in [*drawn.bends.get((start, end), ()), last]:
        to = at.y + HEIGHT / 2
        half = (at.x - x) / 2
        path += f"C{x + half:g} {y:g} {at.x - half:g} {to:g} {at.x:g} {to:g}"
        if at is not last:
            path += f"h{WIDTH}"
        x, y = at.x + WIDTH, to
    return path


def _short(name: str) -> str:
    return name if len(name) <= 28 else name[:27] + "…"


_STYLE = (
    ".edge{fill:none;stroke:var(--edge,#64748b);stroke-width:1.3}.edge.more{opacity:.08}"
    ".edge.declared{stroke-dasharray:7 3}.edge.similar,.edge.proposed{stroke-dasharray:2 3}"
    ".edge.cure{stroke:var(--cure,#9333ea);stroke-dasharray:5 4}.tip{fill:var(--edge,#64748b)}"
    ".tool rect{stroke:var(--line,#475569);stroke-width:1}.reads rect{fill:var(--reads,#dbeafe)}"
    ".writes rect{fill:var(--writes,#fde68a)}.user rect{fill:var(--user,#e9d5ff)}.tool text{fill:var(--ink,#0f172a)}"
    ".server{fill:var(--dim,#64748b);font-size:14px;font-weight:600}"
)
