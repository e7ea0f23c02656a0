"""Check `static`: what can be said about a package without running it.

The allow-list of imports is a promise about shape, not a sandbox: code that passes runs with the
rights of whoever imports it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from ...environment import EnvFactoryError, Package
from ...environment.files import read_text
from ..finding import Finding, finding
from ..reach import problems


def check(package: Package) -> Finding:
    """Parse every file and read server.py's syntax tree."""
    evidence: list[str] = []
    parts: dict[str, Callable[[], object]] = {
        "schema": lambda: package.schema,
        "invariants": lambda: package.invariants,
        "data": lambda: package.data,
        "policy": lambda: package.policy,
        "language": lambda: package.language,
        "behaviours": lambda: package.behaviours,
        "tasks": lambda: package.tasks,
    }
    for read in parts.values():
        try:
            read()
        except EnvFactoryError as error:
            if str(error) not in evidence:  # a part that needs a broken one is broken in its words
                evidence.append(str(error))
    try:
        found = sorted(set(problems(ast.parse(package.server_source, filename="server.py"))))
    except SyntaxError as error:
        evidence.append(f"server.py:{error.lineno}: {error.msg}")
    except (ValueError, RecursionError, MemoryError, EnvFactoryError) as error:
        evidence.append(f"server.py: {error}")  # no Python, NUL bytes, or nested beyond measure
    else:
        evidence += [f"server.py:{line}: {problem}" for line, problem in found]
    if not evidence:
        evidence += _loose_ends(package)
    return finding(
        "static",
        evidence,
        figures={"files": len(parts) + 1},
        remedy="fix the file at the place named; nothing was run yet",
    )


def _loose_ends(package: Package) -> list[str]:
    """References between files that lead nowhere."""
    evidence = [
        f"schema.sql: the table {table.name} is not STRICT, so that its columns take values of any type"
        for table in package.schema.tables.values()
        if not table.strict
    ]
    tools = {
        node.name
        for node in ast.parse(package.server_source).body
        if isinstance(node, ast.FunctionDef) and node.decorator_list
    }
    for name in package.language.tools:
        if name not in tools:
            evidence.append(f"language.yaml: tools.{name} is no tool of server.py")
    for name in package.language.rows:
        if name not in package.schema.tables:
            evidence.append(f"language.yaml: rows.{name} is no table of schema.sql")
    for behaviour in package.behaviours:
        for call in behaviour.calls:
            if call.tool not in tools:
                evidence.append(f"behaviours.yaml: {behaviour.name!r} calls the unknown tool {call.tool!r}")
        if behaviour.origin.kind == "policy" and behaviour.origin.ref not in package.policy.rules:
            evidence.append(f"behaviours.yaml: {behaviour.name!r} names the unknown rule {behaviour.origin.ref!r}")
    evidence += _unquoted(package)
    for task in package.tasks:
        for turn in task.turns:
            unknown = {call.tool for call in turn.goal.calls} - tools
            if unknown:
                evidence.append(f"tasks.jsonl: task {task.id!r} calls the unknown tool {sorted(unknown)[0]!r}")
            if turn.goal.decline and turn.goal.decline not in package.policy.rules:
                evidence.append(f"tasks.jsonl: task {task.id!r} declines by the unknown rule {turn.goal.decline!r}")
    return evidence


def _unquoted(package: Package) -> list[str]:
    """Marks such as `S3`, of rules and examples, that name no passage of sources.md; where there is such a file."""
    path = package.path / "sources.md"
    if not path.exists():
        return []
    known = set(re.findall(r"^\[(S\d+)\]", read_text(path), re.MULTILINE))
    evidence = [
        f"policy.md: [{rule}] comes from ({mark}), which is no passage of sources.md"
        for rule, text in package.policy.rules.items()
        for mark in re.findall(r"\((S\d+)\)", text)
        if mark not in known
    ]
    return evidence + [
        f"behaviours.yaml: {behaviour.name!r} comes from {behaviour.origin.ref}, which is no passage of sources.md"
        for behaviour in package.behaviours
        if behaviour.origin.kind == "source"
        and re.fullmatch(r"S\d+", behaviour.origin.ref)
        and behaviour.origin.ref not in known
    ]
