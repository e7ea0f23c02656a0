"""A tool graph as a networkx graph, for drawing and for questions that networkx answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...environment import EnvFactoryError

if TYPE_CHECKING:
    import networkx

    from .toolgraph import ToolGraph


def _networkx() -> Any:
    try:
        import networkx
    except ImportError as error:
        raise EnvFactoryError(
            "the graph is handed out as a networkx graph, and networkx is not installed\n"
            "  -> pip install 'envfactory-gym[synth]'"
        ) from error
    return networkx


def network(graph: ToolGraph) -> networkx.DiGraph[Any]:
    """All nodes and edges.

    Nodes are ("tool", name), ("input", tool, path) and ("output", tool, path), each with its record as `record`.
    Edges have a `kind`: `takes` (input → tool, with `required`), `returns` (tool → output), `link` (output →
    input, with its record) and `cure` (tool → tool, with the records as `records`).
    """
    found: networkx.DiGraph[Any] = _networkx().DiGraph()
    for tool in graph.tools.values():
        found.add_node(("tool", tool.name), record=tool)
    for wanted in graph.inputs.values():
        found.add_node(("input", *wanted.key), record=wanted)
        found.add_edge(("input", *wanted.key), ("tool", wanted.tool), kind="takes", required=wanted.required)
    for output in graph.outputs.values():
        found.add_node(("output", *output.key), record=output)
        found.add_edge(("tool", output.tool), ("output", *output.key), kind="returns")
    for link in graph.links:
        found.add_edge(
            ("output", link.producer, link.output), ("input", link.consumer, link.input), kind="link", record=link
        )
    for cure in graph.cures:
        ends = ("tool", cure.writer), ("tool", cure.tool)
        records = found.edges[ends]["records"] if found.has_edge(*ends) else ()
        found.add_edge(*ends, kind="cure", records=(*records, cure))
    return found


def tools_only(graph: ToolGraph) -> networkx.DiGraph[str]:
    """Tools alone: an edge where one can use what another returns, or is cured by it. `links` and `cures` say why."""
    found: networkx.DiGraph[str] = _networkx().DiGraph()
    found.add_nodes_from(graph.tools)
    for links in graph.links_into.values():
        for link in links:
            if not found.has_edge(link.producer, link.consumer):
                found.add_edge(link.producer, link.consumer, links=[], cures=[])
            found.edges[link.producer, link.consumer]["links"].append(link)
    for cure in graph.cures:
        if not found.has_edge(cure.writer, cure.tool):
            found.add_edge(cure.writer, cure.tool, links=[], cures=[])
        found.edges[cure.writer, cure.tool]["cures"].append(cure)
    return found
