"""What must hold of every chain, checked from the graph alone and independently of how the chain was made."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ..chain import Chain, ChainStep, Supply
from ..graph import InputNode, ToolGraph
from .limits import Limits


@dataclass(frozen=True)
class Problem:
    """Something a chain violates.

    Attributes:
        kind: `unsatisfied`, `supply`, `duplicate`, `nodes`, `servers`, `turn`, `turns`, `actor` or `unknown`.
        says: What and where.
    """

    kind: str
    says: str


def problems(chain: Chain, graph: ToolGraph, limits: Limits) -> list[Problem]:
    """Everything that a chain violates; none for a good one."""
    found = [Problem("duplicate", f"{tool} stands {n} times") for tool, n in Counter(chain.tools).items() if n > 1]
    if unknown := sorted(set(chain.tools) - set(graph.tools)):
        return [*found, *(Problem("unknown", f"the graph has no tool {tool}") for tool in unknown)]
    if len(chain.steps) > limits.max_nodes:
        found.append(Problem("nodes", f"{len(chain.steps)} tools, and at most {limits.max_nodes} are allowed"))
    servers = {graph.tools[tool].server for tool in chain.tools}
    if len(servers) > limits.max_servers:
        found.append(Problem("servers", f"{len(servers)} environments, and at most {limits.max_servers} are allowed"))
    sizes = Counter(step.turn for step in chain.steps)
    for turn, size in sorted(sizes.items()):
        if size > limits.max_turn:
            found.append(Problem("turn", f"turn {turn} holds {size} tools, and at most {limits.max_turn} are allowed"))
    if len(sizes) > limits.max_turns or sorted(sizes) != list(range(len(sizes))):
        found.append(Problem("turns", f"its turns are {sorted(sizes)}, and at most {limits.max_turns} are allowed"))
    for at, step in enumerate(chain.steps):
        for node in graph.inputs_of[step.tool]:
            found.extend(_of_input(chain, at, step, node, graph))
    sinks = [chain.steps[at].tool for at in chain.sinks]
    found.extend(
        Problem("actor", f"{tool} is the user's, and nothing needs what it tells")
        for tool in sinks
        if graph.tools[tool].actor == "user"
    )
    return found


def _of_input(chain: Chain, at: int, step: ChainStep, node: InputNode, graph: ToolGraph) -> list[Problem]:
    supply = step.supplies.get(node.path)
    if supply is None:
        missing = Problem("unsatisfied", f"step {at}: nothing supplies {step.tool}.{node.path}")
        return [missing] if node.required else []
    if supplied(chain, at, node, supply, graph):
        return []
    return [Problem("supply", f"step {at}: {step.tool}.{node.path} cannot come from {supply.kind} {supply.path}")]


def supplied(chain: Chain, at: int, node: InputNode, supply: Supply, graph: ToolGraph) -> bool:
    """Whether a supply can really fill an input at a position of a chain."""
    if supply.kind != "call":
        return node.source == supply.kind
    if supply.step is None or not 0 <= supply.step < at:
        return False
    producer = chain.steps[supply.step].tool
    return any(link.producer == producer and link.output == supply.path for link in graph.links_into.get(node.key, ()))


def could_be_supplied(tools_before: set[str], node: InputNode, graph: ToolGraph) -> bool:
    """Whether an input can be had at all after some tools: from the user, the schema, the clock or one of them."""
    if node.source != "call":
        return True
    return any(link.producer in tools_before for link in graph.links_into.get(node.key, ()))
