"""The tool graph: which tool's result can be another tool's input, decided by execution.

Nodes are tools, inputs and outputs; links carry their evidence (declared, similar, proposed, executed);
cures are writes that lift a refusal. Drawing and auditing it live here too; sampling does not.
"""

from __future__ import annotations

from .execution import Budget
from .records import Cure, InputNode, Link, OutputNode, ToolNode
from .similarity import Similarity
from .toolgraph import ToolGraph

__all__ = ["Budget", "Cure", "InputNode", "Link", "OutputNode", "Similarity", "ToolGraph", "ToolNode"]
