"""Check `static`: what can be said about a package without running it.

The allow-list of imports is a promise about shape, not a sandbox: code that passes runs with the
rights of whoever imports it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from ...environment import EnvFactoryError, Package
from ..finding import Finding, finding

PURE = frozenset(
    [
        "__future__",
        "abc",
        "annotated_types",
        "bisect",
        "calendar",
        "collections",
        "copy",
        "dataclasses",
        "datetime",
        "decimal",
        "difflib",
        "enum",
        "envfactory_gym",
        "fractions",
        "functools",
        "heapq",
        "itertools",
        "json",
        "math",
        "operator",
        "pydantic",
        "re",
        "statistics",
        "string",
        "textwrap",
        "types",
        "typing",
        "typing_extensions",
        "unicodedata",
        "zoneinfo",
    ]
)
"""Modules that a server.py may import: pure parts of the standard library, pydantic, and this library."""

FORBIDDEN_NAMES = frozenset(
    {"eval", "exec", "compile", "open", "input", "__import__", "globals", "locals", "vars", "breakpoint", "print"}
)
CLOCKS = frozenset({"now", "utcnow", "today"})


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
        tree = ast.parse(package.server_source, filename="server.py")
    except (SyntaxError, EnvFactoryError) as error:
        evidence.append(f"server.py: {error}")
    else:
        evidence += [f"server.py:{line}: {problem}" for line, problem in sorted(_problems(tree))]
    if not evidence:
        evidence += _loose_ends(package)
    return finding(
        "static",
        evidence,
        figures={"files": len(parts) + 1},
        remedy="fix the file at the place named; nothing was run yet",
    )


def _problems(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                for alias in names:
                    if alias.name.split(".")[0] not in PURE:
                        yield node.lineno, f"import {alias.name}: not among the modules a tool may use"
            case ast.ImportFrom(module=module):
                if node.level or (module or "").split(".")[0] not in PURE:
                    yield node.lineno, f"import from {module or '.'}: not among the modules a tool may use"
            case ast.Name(id=name) if name in FORBIDDEN_NAMES:
                yield node.lineno, f"{name}: a tool may not use it"
            case ast.Attribute(attr=name) if name.startswith("_") and not _is_dunder_main(node):
                yield node.lineno, f".{name}: private names are out of reach for a tool"
            case ast.Call(func=ast.Attribute(attr=name)) if name in CLOCKS:
                yield node.lineno, f"{name}(): the time comes from world.now only"
            case ast.Global() | ast.Nonlocal():
                yield node.lineno, "global or nonlocal: a tool keeps no state outside the world"


def _is_dunder_main(node: ast.Attribute) -> bool:
    return node.attr == "__name__"


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
    for task in package.tasks:
        for turn in task.turns:
            unknown = {call.tool for call in turn.goal.calls} - tools
            if unknown:
                evidence.append(f"tasks.jsonl: task {task.id!r} calls the unknown tool {sorted(unknown)[0]!r}")
            if turn.goal.decline and turn.goal.decline not in package.policy.rules:
                evidence.append(f"tasks.jsonl: task {task.id!r} declines by the unknown rule {turn.goal.decline!r}")
    return evidence
