"""The operators on the syntax tree of a function, or on a constant of the module.

Prose is left alone: what an error says in words is for people, and no expectation states it. Keys
of what is returned are left alone too: the result's type states them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise

from . import sql_operators
from .source import Edit, FunctionNode, ServerText, body_of, walk_code
from .sql_text import looks_like_sql, tokens
from .vocabulary import Vocabulary

_OPERATORS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Lt: ("<", ">"),
    ast.LtE: ("<=", ">="),
    ast.Gt: (">", "<"),
    ast.GtE: (">=", "<="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}
_INEQUALITIES = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_QUERIES = frozenset({"one", "all", "value", "run"})
_DRAWS = frozenset({"new_code", "new_number", "chance", "pick"})
_COMMUTATIVE = frozenset({"max", "min", "set", "ToolError", "zip", "isinstance"})


class PythonOperators:
    """Every mutant of one function's body, or of one constant.

    Args:
        text: The server.
        vocabulary: What may stand instead.
    """

    def __init__(self, text: ServerText, vocabulary: Vocabulary) -> None:
        self.text, self.vocabulary = text, vocabulary

    def of_function(self, function: FunctionNode) -> Iterator[Edit]:
        """Mutants of the statements; signature, decorators and docstring stay."""
        nodes = [node for statement in body_of(function) for node in walk_code(statement)]
        skipped = _prose(nodes)
        keys = _keys(nodes)
        for node in nodes:
            if id(node) not in skipped:
                yield from self._node(node, nodes, skipped, keys)

    def of_constant(self, value: ast.expr) -> Iterator[Edit]:
        """Mutants of a value that the module names."""
        nodes = list(walk_code(value))
        skipped = _prose(nodes)
        for node in nodes:
            if id(node) not in skipped and isinstance(node, (ast.Constant, ast.JoinedStr)):
                yield from self._constant(node, nodes, skipped)

    def _node(
        self, node: ast.AST, nodes: list[ast.AST], skipped: set[int], keys: dict[str, list[str]]
    ) -> Iterator[Edit]:
        match node:
            case ast.Compare():
                yield from self._compare(node, nodes)
            case ast.If() | ast.While() | ast.IfExp():
                if isinstance(node, ast.If) and _is_check(node):
                    yield Edit("removed-check", *self.text.span(node.test), "False")
                yield self._negated(node.test)
            case ast.comprehension(ifs=conditions):
                for condition in conditions:
                    yield self._negated(condition)
            case ast.BoolOp():
                yield from self._operands(node)
            case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Delete():
                yield Edit("dropped-statement", *self.text.span(node), "pass")
            case ast.Assign(targets=[ast.Subscript() | ast.Attribute()]):
                yield Edit("dropped-statement", *self.text.span(node), "pass")
            case ast.Call():
                yield from self._arguments(node)
            case ast.BinOp(op=ast.Sub() | ast.FloorDiv() | ast.Div() | ast.Mod(), left=left, right=right):
                yield self._exchanged(left, right)
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(key))):
                alike = keys[name]
                if len(alike) > 1:
                    other = alike[(alike.index(key) + 1) % len(alike)]
                    yield Edit("swapped", *self.text.span(node.slice), f'"{other}"')
            case ast.Constant() | ast.JoinedStr():
                yield from self._constant(node, nodes, skipped)

    # ------------------------------------------------------------ conditions

    def _compare(self, node: ast.Compare, nodes: list[ast.AST]) -> Iterator[Edit]:
        """Another operator; where the whole condition is an equality, negating it says the same."""
        decides = any(isinstance(other, (ast.If, ast.While, ast.IfExp)) and other.test is node for other in nodes)
        sides = [node.left, *node.comparators]
        for operator, left, right in zip(node.ops, sides, sides[1:], strict=False):
            written, other = _OPERATORS[type(operator)]
            gap = self.text.span(left)[1]
            pattern = r"\s+".join(map(re.escape, written.split()))
            found = re.compile(pattern).search(self.text.source, gap, self.text.span(right)[0])
            if found is None:
                continue
            if isinstance(operator, _INEQUALITIES):
                yield Edit("comparison", found.start(), found.end(), other)
                boundary = written + "=" if len(written) == 1 else written[0]
                yield Edit("boundary", found.start(), found.end(), boundary)
            elif not (decides and len(node.ops) == 1):
                yield Edit("comparison", found.start(), found.end(), other)

    def _negated(self, test: ast.expr) -> Edit:
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return Edit("negated-condition", *self.text.span(test), self.text.segment(test.operand))
        return Edit("negated-condition", *self.text.span(test), f"not ({self.text.segment(test)})")

    def _operands(self, node: ast.BoolOp) -> Iterator[Edit]:
        link = " and " if isinstance(node.op, ast.And) else " or "
        for dropped in node.values:
            kept = [f"({self.text.segment(value)})" for value in node.values if value is not dropped]
            yield Edit("dropped-conjunct", *self.text.span(node), link.join(kept))

    # ------------------------------------------------------------ arguments and constants

    def _arguments(self, node: ast.Call) -> Iterator[Edit]:
        """Neighbouring arguments exchanged, by position and by name."""
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in _COMMUTATIVE or name in _DRAWS:
            return
        plain = [item for item in node.args if not isinstance(item, ast.Starred) and not self._is_fixed(item)]
        named = [item.value for item in node.keywords if item.arg is not None]
        for values in (plain, named):
            for left, right in pairwise(values):
                if self.text.segment(left) != self.text.segment(right):
                    yield self._exchanged(left, right)

    def _is_fixed(self, item: ast.expr) -> bool:
        """The world, and SQL: no argument to exchange with another."""
        if isinstance(item, ast.Name):
            return item.id == "world"
        return isinstance(item, (ast.Constant, ast.JoinedStr)) and self._is_sql(item)

    def _exchanged(self, left: ast.expr, right: ast.expr) -> Edit:
        (start, middle), (after, end) = self.text.span(left), self.text.span(right)
        between = self.text.source[middle:after]
        return Edit("swapped", start, end, f"{self.text.segment(right)}{between}{self.text.segment(left)}")

    def _is_sql(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Constant):
            return isinstance(node.value, str) and looks_like_sql(node.value)
        if isinstance(node, ast.JoinedStr):
            return looks_like_sql("".join(_spoken(part) for part in node.values))
        return False

    def _is_prose(self, value: str) -> bool:
        """A sentence for people: three words or more that no column holds."""
        return len(value.split()) > 2 and self.vocabulary.other_text(value) == value + "_"

    def _constant(self, node: ast.Constant | ast.JoinedStr, nodes: list[ast.AST], skipped: set[int]) -> Iterator[Edit]:
        start, end = self.text.span(node)
        if self._is_sql(node) or any(node is query for query in _queries(nodes)):
            yield from sql_operators.edits(tokens(self.text.source, start, end), self.vocabulary)
            return
        if isinstance(node, ast.JoinedStr):
            return
        value, other = node.value, ""
        if isinstance(value, bool):
            other = str(not value)
        elif isinstance(value, (int, float)):
            if not any(_bounds(outer, node) for outer in nodes):
                other = str(value + 1)
        elif isinstance(value, str) and value.strip() and not self._is_prose(value):
            code = any(node is given for given in _codes(nodes))
            other = repr(self.vocabulary.other_code(value) if code else self.vocabulary.other_text(value))
        if other:
            yield Edit("constant", start, end, other)


def _spoken(part: ast.expr) -> str:
    return part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else "x"


def _name_called(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _queries(nodes: list[ast.AST]) -> Iterator[ast.expr]:
    """First arguments of `world.one`, `all`, `value`, `run`."""
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _QUERIES:
            yield from node.args[:1]


def _codes(nodes: list[ast.AST]) -> Iterator[ast.expr]:
    """First arguments of ToolError."""
    for node in nodes:
        if isinstance(node, ast.Call) and _name_called(node) == "ToolError":
            yield from node.args[:1]


def _prose(nodes: list[ast.AST]) -> set[int]:
    """Nodes that no operator touches: messages, keys, the parts of f-strings, and how ids and chance are drawn."""
    found: set[int] = set()
    for node in nodes:
        match node:
            case ast.Call() if _name_called(node) == "ToolError":
                messages = node.args[1:2] + [item.value for item in node.keywords if item.arg == "message"]
                found.update(id(part) for message in messages for part in ast.walk(message))
            case ast.Call(args=given) if _name_called(node) in _DRAWS:
                found.update(id(part) for part in given if isinstance(part, ast.Constant))
            case ast.Dict(keys=keys):
                found.update(id(key) for key in keys if key is not None)
            case ast.Subscript(slice=ast.Constant(value=str()) as key):
                found.add(id(key))
            case ast.JoinedStr(values=values):
                found.update(id(part) for value in values for part in ast.walk(value))
            case ast.Expr(value=ast.Constant() as text):
                found.add(id(text))
    return found


def _keys(nodes: list[ast.AST]) -> dict[str, list[str]]:
    """The text keys with which each name is looked into."""
    found: dict[str, set[str]] = {}
    for node in nodes:
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(key))):
                found.setdefault(name, set()).add(key)
    return {name: sorted(keys) for name, keys in found.items()}


def _is_check(node: ast.If) -> bool:
    """`if ...: raise ToolError(...)`."""
    last = node.body[-1]
    return not node.orelse and isinstance(last, ast.Raise) and last.exc is not None and _name_called(last.exc) != ""


def _bounds(outer: ast.AST, node: ast.Constant) -> bool:
    """Whether the number is a side of an inequality, where the boundary operator moves it."""
    if not isinstance(outer, ast.Compare):
        return False
    return node in (outer.left, *outer.comparators) and all(isinstance(op, _INEQUALITIES) for op in outer.ops)
