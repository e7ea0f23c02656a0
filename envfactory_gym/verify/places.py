"""Where what failed stands: file and line of a tool, a behaviour, an invariant, for evidence that leads to it."""

from __future__ import annotations

import re

import yaml

from ..environment import Behaviour, Package, Tool
from ..environment.files import read_text


def of_tool(tool: Tool) -> str:
    """Where a tool is defined: `server.py:63 renew_loan`."""
    return f"server.py:{tool.function.__code__.co_firstlineno} {tool.name}"


def of_behaviour(package: Package, behaviour: Behaviour) -> str:
    """Where a behaviour stands: `behaviours.yaml:12 an overdue loan is not renewed`."""
    number = package.behaviours.index(behaviour)
    node = yaml.compose(read_text(package.path / "behaviours.yaml"), Loader=yaml.SafeLoader)
    line = node.value[number].start_mark.line + 1 if isinstance(node, yaml.SequenceNode) else 1
    return f"behaviours.yaml:{line} {behaviour.name}"


def of_invariant(package: Package, name: str) -> str:
    """Where an invariant stands: `invariants.sql:4 one-open-loan-per-copy`."""
    text = read_text(package.path / "invariants.sql")
    found = re.search(rf"^--\s*name:\s*{re.escape(name)}\s*$", text, re.MULTILINE)
    return f"invariants.sql:{text.count(chr(10), 0, found.start()) + 1 if found else 1} {name}"
