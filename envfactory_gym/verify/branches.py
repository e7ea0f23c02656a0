"""Which branches of server.py were taken: every condition with both its sides.

The syntax tree is instrumented instead of the interpreter: each condition goes through a function
that notes its truth and returns it. That says the same on every version of Python, also where two
branches share a line.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any

from ..environment import Package, Tool
from .mutation.source import ServerText
from .reimport import tools_of

_TOOK, _ENTERED = "_envfactory_took", "_envfactory_entered"


@dataclass(frozen=True, slots=True)
class Branch:
    """One side of one condition: where, and which."""

    line: int
    function: str
    side: str

    def __str__(self) -> str:
        return f"server.py:{self.line} ({self.function}): {self.side}"


@dataclass
class Branches:
    """The branches of everything that the tools reach, and those that were taken."""

    known: dict[tuple[int, bool], Branch] = field(default_factory=dict)
    taken: set[tuple[int, bool]] = field(default_factory=set)

    @property
    def missed(self) -> list[Branch]:
        """The branches never taken, in the order of the text."""
        left = [branch for key, branch in self.known.items() if key not in self.taken]
        return sorted(left, key=lambda branch: (branch.line, branch.side))

    @property
    def share(self) -> float:
        """Branches taken, of all; 1 where there is none."""
        return len(self.taken) / len(self.known) if self.known else 1.0

    def took(self, number: int, value: Any) -> Any:
        """Note which way a condition goes; its value is handed on."""
        self.taken.add((number, bool(value)))
        return value

    def entered(self, number: int) -> None:
        """Note that a block is entered."""
        self.taken.add((number, True))


def instrumented(package: Package) -> tuple[dict[str, Tool], Branches]:
    """A package's tools with every branch noted as it is taken.

    Raises:
        CannotImport: The instrumented server does not import.
    """
    text = ServerText(package.server_source)
    branches = Branches()
    reached = {name for tool in text.tools for name in text.reached_by(tool)}
    for name, function in text.functions.items():
        if name in reached:
            function.body = [_Instrument(branches, name).visit(statement) for statement in function.body]
    tree = ast.fix_missing_locations(text.tree)
    return tools_of(package, tree, {_TOOK: branches.took, _ENTERED: branches.entered}), branches


class _Instrument(ast.NodeTransformer):
    """Rewrites the statements of one function."""

    def __init__(self, branches: Branches, function: str) -> None:
        self.branches, self.function = branches, function

    def _number(self, node: Any, sides: dict[bool, str]) -> int:
        number = len(self.branches.known)
        for value, side in sides.items():
            self.branches.known[number, value] = Branch(node.lineno, self.function, side)
        return number

    def _condition(self, test: ast.expr, what: str) -> ast.expr:
        number = self._number(test, {True: f"{what} holds", False: f"{what} does not hold"})
        call = ast.Call(ast.Name(_TOOK, ast.Load()), [ast.Constant(number), test], [])
        return ast.copy_location(call, test)

    def _probe(self, node: Any, what: str) -> ast.stmt:
        number = self._number(node, {True: what})
        call = ast.Expr(ast.Call(ast.Name(_ENTERED, ast.Load()), [ast.Constant(number)], []))
        return ast.copy_location(call, node)

    def visit_If(self, node: ast.If) -> ast.AST:
        """`if` and `elif`."""
        self.generic_visit(node)
        node.test = self._condition(node.test, "the condition")
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        """`while`."""
        self.generic_visit(node)
        node.test = self._condition(node.test, "the condition of the loop")
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        """`a if b else c`."""
        self.generic_visit(node)
        node.test = self._condition(node.test, "the condition")
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        """The conditions of a comprehension."""
        self.generic_visit(node)
        node.ifs = [self._condition(test, "the filter") for test in node.ifs]
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        """The body of a loop; that it ends is no branch."""
        self.generic_visit(node)
        node.body.insert(0, self._probe(node, "the loop is entered"))
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        """A handler."""
        self.generic_visit(node)
        node.body.insert(0, self._probe(node, "the handler is entered"))
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        """A case of a match."""
        self.generic_visit(node)
        node.body.insert(0, self._probe(node.pattern, "the case is entered"))
        return node
