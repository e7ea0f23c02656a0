"""The text of a server.py and its anatomy: which functions the tools reach, and where each node stands.

Mutants are edits of text, so that a survivor can be shown as the change a person would have made.
Places are counted in characters from the start of the text.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

MODULE = "<module>"
"""Stands for a function where a mutant changes a constant of the module."""

FunctionNode = ast.FunctionDef


@dataclass(frozen=True, slots=True)
class Edit:
    """One small change of the text: what operator makes it, where, and what stands there afterwards."""

    operator: str
    start: int
    end: int
    replacement: str


class ServerText:
    """A server.py as text and as syntax tree.

    Args:
        source: The whole text.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        self.tree = ast.parse(source)
        self._lines = source.split("\n")
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line) + 1)

    # ------------------------------------------------------------ places

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """Where a node begins and ends."""
        return self._offset(node.lineno, node.col_offset), self._offset(node.end_lineno or 0, node.end_col_offset or 0)

    def segment(self, node: ast.expr | ast.stmt) -> str:
        """The text of a node."""
        start, end = self.span(node)
        return self.source[start:end]

    def line_of(self, offset: int) -> int:
        """The line, counted from 1, that holds a character."""
        return self.source.count("\n", 0, offset) + 1

    def _offset(self, line: int, column: int) -> int:
        """Python counts columns in bytes."""
        text = self._lines[line - 1]
        if not text.isascii():
            column = len(text.encode()[:column].decode())
        return self._starts[line - 1] + column

    # ------------------------------------------------------------ anatomy

    @cached_property
    def functions(self) -> dict[str, FunctionNode]:
        """The functions of the module by name."""
        return {node.name: node for node in self.tree.body if isinstance(node, ast.FunctionDef)}

    @cached_property
    def tools(self) -> tuple[str, ...]:
        """Names of the functions that a decorator makes tools, in order."""
        return tuple(name for name, node in self.functions.items() if any(map(_is_tool, node.decorator_list)))

    @cached_property
    def constants(self) -> dict[str, ast.expr]:
        """Values that the module names: numbers, texts, and collections of them; no types."""
        found: dict[str, ast.expr] = {}
        for node in self.tree.body:
            if isinstance(node, ast.Assign) and len(node.targets) == 1:
                target, value = node.targets[0], node.value
            elif isinstance(node, ast.AnnAssign) and node.value is not None:
                target, value = node.target, node.value
            else:
                continue
            if isinstance(target, ast.Name) and _is_data(value):
                found[target.id] = value
        return found

    def names_used(self, name: str) -> set[str]:
        """Names that the body of a function mentions (not its signature, nor its decorators)."""
        return {node.id for part in self.functions[name].body for node in ast.walk(part) if isinstance(node, ast.Name)}

    def reached_by(self, tool: str) -> tuple[str, ...]:
        """The tool's own function and every function of the module that it calls, directly or not."""
        found, waiting = {tool: None}, [tool]
        while waiting:
            used = self.names_used(waiting.pop(0))
            for name in self.functions:
                if name in used and name not in found:
                    found[name] = None
                    waiting.append(name)
        return tuple(found)

    def users_of(self, constant: str) -> tuple[str, ...]:
        """The functions that use a constant, through other constants too."""
        names = {constant}
        for _ in self.constants:
            more = {
                other
                for other, value in self.constants.items()
                if any(isinstance(node, ast.Name) and node.id in names for node in ast.walk(value))
            }
            if more <= names:
                break
            names |= more
        return tuple(name for name in self.functions if names & self.names_used(name))


def _is_tool(decorator: ast.expr) -> bool:
    function = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(function, ast.Attribute) and function.attr in ("tool", "user_tool")


def _is_data(value: ast.expr) -> bool:
    match value:
        case ast.Constant(value=content):
            return isinstance(content, (int, float, str))
        case ast.JoinedStr() | ast.BinOp() | ast.UnaryOp():
            return True
        case ast.Dict(values=values):
            return all(map(_is_data, values))
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            return bool(items) and all(map(_is_data, items))
        case _:
            return False


def body_of(function: FunctionNode) -> list[ast.stmt]:
    """The statements of a function without its docstring."""
    first = function.body[0]
    documented = (
        isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    )
    return function.body[1:] if documented else function.body


def walk_code(node: ast.AST) -> Iterator[ast.AST]:
    """A node and its descendants, annotations left out."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from walk_code(child)
