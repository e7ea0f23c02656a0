"""What nothing can fill: required inputs that neither a user, a default, the clock, nor any tool's result supplies."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from .toolgraph import ToolGraph


@dataclass(frozen=True)
class Audit:
    """What a tool graph lacks.

    Attributes:
        unfillable: Required inputs (`tool.input`) that nothing can supply.
        unreachable: Tools that therefore can never be called, or only after such a tool.
        unused: Outputs that name something (`Ref`) and that no other tool takes.
        rejected: Links that names or declarations spoke for and execution against.
    """

    unfillable: tuple[str, ...]
    unreachable: tuple[str, ...]
    unused: tuple[str, ...]
    rejected: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


def audit(graph: ToolGraph) -> Audit:
    """Look through a graph for what cannot be filled, reached or used."""
    callable_tools: set[str] = set()
    while True:
        more = {
            name
            for name in graph.tools
            if name not in callable_tools
            and all(_fillable(graph, node.key, node.source, callable_tools) for node in _needed(graph, name))
        }
        if not more:
            break
        callable_tools |= more
    unfillable = tuple(
        f"{name}.{node.path}"
        for name in sorted(graph.tools)
        for node in _needed(graph, name)
        if node.source == "call" and not graph.links_into.get(node.key)
    )
    used = {(link.producer, link.output) for links in graph.links_into.values() for link in links}
    return Audit(
        unfillable=unfillable,
        unreachable=tuple(sorted(set(graph.tools) - callable_tools)),
        unused=tuple(
            f"{tool}: {path}"
            for (tool, path), node in sorted(graph.outputs.items())
            if node.ref and node.echoes is None and (tool, path) not in used
        ),
        rejected=tuple(
            f"{link.producer}: {link.output} -> {link.consumer}.{link.input}" for link in graph.links if not link.usable
        ),
    )


def _needed(graph: ToolGraph, tool: str) -> list[Any]:
    return [node for node in graph.inputs_of[tool] if node.required]


def _fillable(graph: ToolGraph, key: tuple[str, str], source: str, reached: set[str]) -> bool:
    return source != "call" or any(link.producer in reached for link in graph.links_into.get(key, ()))


__all__ = ["Audit", "audit"]
