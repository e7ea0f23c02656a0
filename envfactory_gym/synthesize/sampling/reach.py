"""Which tools can be called at all, and with how many tools before them: known before anything is sampled."""

from __future__ import annotations

from ..graph import ToolGraph

NEVER = 10_000
"""Cost of a tool that nothing can supply."""


def costs(graph: ToolGraph) -> dict[str, int]:
    """Tool → about how many tools a chain needs for it, itself included; `NEVER` where its inputs cannot be had.

    Each required input that only a call can supply costs its cheapest producer. Two inputs may share one, so this
    is an upper bound of the least, found by repeating until nothing changes.
    """
    cost = dict.fromkeys(graph.tools, NEVER)
    changed = True
    while changed:
        changed = False
        for tool in graph.tools:
            needed = 1
            seen: set[str] = set()
            for node in graph.inputs_of[tool]:
                if not node.required or node.source != "call":
                    continue
                links = graph.links_into.get(node.key, ())
                best = min(((cost[link.producer], link.producer) for link in links), default=(NEVER, ""))
                if best[1] not in seen:
                    needed += best[0]
                    seen.add(best[1])
            if needed < cost[tool]:
                cost[tool] = needed
                changed = True
    return {tool: min(found, NEVER) for tool, found in cost.items()}
