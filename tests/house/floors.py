"""The floors of the house, bottom up, and how to read which room a file enters."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

FLOORS: tuple[frozenset[str], ...] = (
    frozenset({"environment", "llm"}),
    frozenset({"sandbox", "world"}),
    frozenset({"episode"}),
    frozenset({"agents"}),
    frozenset({"verify"}),
    frozenset({"construct", "synthesize", "rl", "export", "evaluate"}),
    frozenset({"author"}),
    frozenset({"serve"}),
    frozenset({"integrations", "viewer"}),
    frozenset({"cli"}),
)
FLOOR_OF = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}

ALLOWED_CLIMBS = frozenset({("environment", "serve")})
"""`env.serve()` in a package's server.py enters `serve` when, and only when, it is called."""


def imports(source: str, package: str) -> Iterator[tuple[str, bool, int]]:
    """Every module that source code imports: its absolute name, whether only inside a function, its line.

    Args:
        source: Python source text.
        package: Absolute name of the package the source belongs to, for relative imports.
    """
    tree = ast.parse(source)
    inside = {id(node) for function in ast.walk(tree) if _is_function(function) for node in ast.walk(function)}
    hidden = {id(node) for block in ast.walk(tree) if _is_type_checking(block) for node in ast.walk(block)}
    for node in ast.walk(tree):
        if id(node) in hidden:
            continue
        lazy = id(node) in inside
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, lazy, node.lineno
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, package)
            for alias in node.names:
                yield f"{base}.{alias.name}", lazy, node.lineno
        elif isinstance(node, ast.Call) and _is_import_call(node) and isinstance(node.args[0], ast.Constant):
            yield str(node.args[0].value), lazy, node.lineno


def room_of(module: str) -> str | None:
    """The room a module name of this package lies in; None outside it or at its face."""
    parts = module.split(".")
    return parts[1] if parts[0] == "envfactory_gym" and len(parts) > 1 and parts[1] in FLOOR_OF else None


def climbs(source: str, package: str) -> list[tuple[str, str, bool, int]]:
    """Imports of a higher room, or of another room on the same floor: (from, to, lazy, line)."""
    here = room_of(package)
    if here is None:
        return []
    found = []
    for module, lazy, line in imports(source, package):
        there = room_of(module)
        if there is not None and there != here and FLOOR_OF[there] >= FLOOR_OF[here]:
            found.append((here, there, lazy, line))
    return found


def package_of(file: Path, root: Path) -> str:
    """Absolute name of the package that holds a file: `envfactory_gym.world`."""
    return ".".join(file.relative_to(root).parent.parts)


def _absolute(node: ast.ImportFrom, package: str) -> str:
    if not node.level:
        return node.module or ""
    parents = package.split(".")[: len(package.split(".")) - node.level + 1]
    return ".".join([*parents, *([node.module] if node.module else [])])


def _is_function(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


def _is_type_checking(node: ast.AST) -> bool:
    """Type hints may name anything: they are not imported when the program runs."""
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def _is_import_call(node: ast.Call) -> bool:
    name = ast.unparse(node.func)
    return bool(node.args) and name in {"import_module", "importlib.import_module", "__import__"}
