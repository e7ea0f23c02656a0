"""Where tools stand in a picture: columns from left to right, producers before those that need them.

Only the backbone decides: for each input that nothing but a call can fill, its best link, and the cures.
Everything else would pull each tool towards every other. Columns are the longest way over the backbone, order
in a column is by barycentres (Sugiyama et al. 1981). Tools that the backbone does not join stand apart, packed
where there is room, and each environment has a part of its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from .records import Link
from .toolgraph import ToolGraph
from .words import subject, words

if TYPE_CHECKING:
    import networkx

WIDTH, HEIGHT = 196, 32
"""Size of a tool's box, in pixels."""

BETWEEN, BELOW, MARGIN, HEADING = 84, 14, 20, 26
"""Space between columns, between boxes, around all, and for an environment's name."""

LANES = 5
"""Columns side by side; longer chains take as many as they need."""

SWEEPS = 12


@dataclass(frozen=True)
class Placed:
    """A tool's place.

    Attributes:
        x, y: Left upper corner.
    """

    x: float
    y: float


@dataclass(frozen=True)
class Plan:
    """A whole picture.

    Attributes:
        places: Tool → its place.
        headings: Environment → where its name stands; none where there is only one environment.
        bends: Pair of tools → where its line passes through the columns between them.
        width, height: Size of all.
    """

    places: dict[str, Placed]
    headings: dict[str, Placed]
    bends: dict[tuple[str, str], list[Placed]]
    width: float
    height: float


def backbone(graph: ToolGraph) -> set[tuple[str, str]]:
    """Pairs of tools that show how each tool is best reached.

    The best producer of each required input that only calls fill, each cure, and for a tool that neither joins to
    another its best link.
    """
    found = {(cure.writer, cure.tool) for cure in graph.cures}
    for node in graph.inputs.values():
        links = graph.links_into.get(node.key, ())
        if node.required and node.source == "call" and links:
            best = max(links, key=lambda link: (_worth(graph, link), link.key))
            found.add((best.producer, best.consumer))
    usable = [link for links in graph.links_into.values() for link in links]
    joined = {name for pair in found for name in pair}
    for name in sorted(graph.tools.keys() - joined):
        ends = [link for link in usable if name in (link.producer, link.consumer)]
        if ends:
            best = max(ends, key=lambda link: (_kin(graph, link), _worth(graph, link), link.key))
            found.add((best.producer, best.consumer))
    return {pair for pair in found if not _longer_way(pair, found)}


def _kin(graph: ToolGraph, link: Link) -> tuple[bool, bool]:
    """Whether two tools are about the same thing, by their names, and whether the second one only reads."""
    same = bool(set(subject(link.producer)) & set(subject(link.consumer)))
    return same, not graph.tools[link.consumer].writes


def _longer_way(pair: tuple[str, str], among: set[tuple[str, str]]) -> bool:
    """Whether other pairs lead from the first tool to the second too, so that drawing this one says nothing more."""
    start, end = pair
    reached, ahead = {start}, [start]
    while ahead:
        at = ahead.pop()
        for before, after in among:
            if before == at and (before, after) != pair and after not in reached:
                reached.add(after)
                ahead.append(after)
    return end in reached


def _worth(graph: ToolGraph, link: Link) -> tuple[bool, bool, bool, float, int]:
    """Lookups first, those about the same things, those that are about what is wanted, then what is confirmed most."""
    needed = [node for node in graph.inputs_of[link.producer] if node.required]
    wanted = graph.inputs[link.consumer, link.input]
    others = {node.ref for node in graph.inputs_of[link.consumer] if node.ref and node.key != wanted.key}
    return (
        not graph.tools[link.producer].writes,
        any(node.ref in others for node in needed),
        bool(set(subject(link.producer)) & set(words((wanted.ref or "").partition(".")[0].rpartition("__")[2]))),
        round(link.strength, 1),
        -sum(node.source == "call" for node in needed),
    )


def plan(graph: ToolGraph) -> Plan:
    """Places of all tools."""
    import networkx

    strong = backbone(graph)
    places: dict[str, Placed] = {}
    headings: dict[str, Placed] = {}
    bends: dict[tuple[str, str], list[Placed]] = defaultdict(list)
    top = float(MARGIN)
    for server in graph.servers:
        names = [name for name, tool in graph.tools.items() if tool.server == server]
        network: networkx.DiGraph[str] = networkx.DiGraph()
        network.add_nodes_from(sorted(names))
        network.add_edges_from(sorted(pair for pair in strong if {*pair} <= {*names}))
        if len(graph.servers) > 1:
            headings[server] = Placed(MARGIN, top + HEADING / 2)
            top += HEADING
        block = {key: Placed(MARGIN + one.x, top + one.y) for key, one in _packed(network).items()}
        places |= {name: block[name] for name in names}
        for key in sorted((key for key in block if isinstance(key, _Bend)), key=lambda key: key.column):
            bends[key.start, key.end].append(block[key])
        top = max((one.y for one in block.values()), default=top) + HEIGHT + 2 * MARGIN
    # Lines between tools of one column bend out to the right of it.
    width = max((one.x for one in places.values()), default=0.0) + WIDTH + BETWEEN
    return Plan(places, headings, dict(bends), width, top - MARGIN)


class _Bend(NamedTuple):
    """A place in a column that a line passes through."""

    start: str
    end: str
    column: int


_Spot = str | _Bend


def _packed(network: networkx.DiGraph[str]) -> dict[_Spot, Placed]:
    """Places of one environment's tools and bends: each connected part where it fits highest, large ones first."""
    import networkx

    parts = [network.subgraph(names) for names in networkx.weakly_connected_components(network)]
    laid = sorted(((_columns(part), part) for part in parts), key=lambda one: (-len(one[0]), -len(one[1]), min(one[1])))
    lanes = [0.0] * max([LANES, *(len(columns) for columns, _ in laid)])
    found: dict[_Spot, Placed] = {}
    for tools, part in laid:
        columns, near = _with_bends(tools, part)
        rows = _heights(columns, near)
        least, most = min(rows.values()), max(rows.values())
        width = len(columns)
        first = min(range(len(lanes) - width + 1), key=lambda at: (max(lanes[at : at + width]), at))
        top = max(lanes[first : first + width])
        for at, column in enumerate(columns):
            for name in column:
                y = (rows[name] - least) * (HEIGHT + BELOW)
                found[name] = Placed((first + at) * (WIDTH + BETWEEN), top + y)
        bottom = top + (most - least + 1) * (HEIGHT + BELOW)
        lanes[first : first + width] = [bottom + (BELOW if len(part) > 1 else 0)] * width
    return found


def _columns(network: networkx.DiGraph[str]) -> list[list[str]]:
    """Tools by column: the longest way to them over the condensation of cycles."""
    import networkx

    condensed = networkx.condensation(network)
    depth: dict[int, int] = {}
    for group in networkx.topological_sort(condensed):
        depth[group] = 1 + max((depth[before] for before in condensed.predecessors(group)), default=-1)
    found: dict[int, list[str]] = defaultdict(list)
    for group in condensed.nodes:
        found[depth[group]] += sorted(condensed.nodes[group]["members"])
    return [sorted(found[level]) for level in sorted(found)]


def _with_bends(
    tools: Sequence[list[str]], network: networkx.DiGraph[str]
) -> tuple[list[list[_Spot]], dict[_Spot, list[_Spot]]]:
    """Columns with a place for each line that passes through them, and what each thing stands next to."""
    columns: list[list[_Spot]] = [list(column) for column in tools]
    at = {name: number for number, column in enumerate(tools) for name in column}
    near: dict[_Spot, list[_Spot]] = {name: [] for name in network}
    for start, end in sorted(network.edges):
        way: list[_Spot] = [start, *(_Bend(start, end, column) for column in range(at[start] + 1, at[end])), end]
        for spot in way[1:-1]:
            columns[spot.column].append(spot)  # type: ignore[union-attr]
        for before, after in pairwise(way):
            near.setdefault(before, []).append(after)
            near.setdefault(after, []).append(before)
    return columns, near


def _heights(columns: Sequence[list[_Spot]], near: Mapping[_Spot, list[_Spot]]) -> dict[_Spot, float]:
    """The height of each tool, in boxes: near its neighbours' middle, with room between, in a settled order."""
    tallest = max((len(column) for column in columns), default=0)
    height = {name: at + (tallest - len(column)) / 2 for column in columns for at, name in enumerate(column)}
    for sweep in range(SWEEPS):
        for column in columns if sweep % 2 == 0 else reversed(columns):
            wanted = {name: _middle(height, near[name], height[name]) for name in column}
            column.sort(key=lambda name, wanted=wanted: (wanted[name], str(name)))  # type: ignore[misc]
            height |= _apart(column, wanted)
    return height


def _middle(height: Mapping[_Spot, float], names: Sequence[_Spot], alone: float) -> float:
    return sum(height[name] for name in names) / len(names) if names else alone


def _apart(column: Sequence[_Spot], wanted: Mapping[_Spot, float]) -> dict[_Spot, float]:
    """Heights as wanted, pushed apart until no two are closer than a box: blocks that touch move as one."""
    blocks: list[tuple[float, list[_Spot]]] = []
    for name in column:
        start, members = wanted[name], [name]
        while blocks and blocks[-1][0] + len(blocks[-1][1]) > start:
            above_start, above = blocks.pop()
            total = above_start * len(above) + (start - len(above)) * len(members)
            members = above + members
            start = total / len(members)
        blocks.append((start, members))
    return {name: start + at for start, members in blocks for at, name in enumerate(members)}
