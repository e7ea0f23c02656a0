"""What the code of a server.py can get hold of, read from its syntax tree without running it.

Imports of pure modules are not enough: `enum.sys` is the system too, `__builtins__` holds `open`,
a generator has a frame, a text given as a type is evaluated, and one that is a format asks for any
attribute. Names are therefore followed from their import through their attributes, and read in the
scope they stand in: an argument called `open` is no file. This finds mistakes and plain tricks; it
is no sandbox (docs/sandbox.md is).
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from .. import fields

PURE = frozenset(
    """__future__ abc annotated_types bisect calendar collections copy dataclasses datetime decimal difflib enum
    envfactory_gym fractions functools heapq itertools json math operator pydantic re statistics string textwrap types
    typing typing_extensions unicodedata zoneinfo""".split()
)
"""Modules that a server.py may import: pure parts of the standard library, pydantic, and this library."""

OWN = "envfactory_gym"
OFFERED = frozenset({"Environment", "Ref", "ToolError", "World"})
"""What this library offers to the code of a package, besides all of `FIELDS`."""

FIELDS = "envfactory_gym.fields"

FORBIDDEN_NAMES = frozenset(
    """eval exec compile open input __import__ globals locals vars breakpoint print getattr setattr delattr help exit
    quit""".split()
)
FORBIDDEN_PARTS = frozenset(
    """attrgetter methodcaller ImportString TypeAdapter create_model CodeType FunctionType LambdaType get_type_hints
    ForwardRef gi_frame gi_code cr_frame cr_code ag_frame ag_code f_back f_globals f_builtins f_locals tb_frame
    tb_next""".split()
)
"""Attributes, of whatever, that reach any other, evaluate text, or lead to frames and code."""

UNSTABLE = frozenset({"hash", "id"})
"""Functions whose values differ from process to process."""

CLOCKS = frozenset({"now", "utcnow", "today"})
_PRIVATE_FIELD = re.compile(r"\{[^{}]*[.\[]\s*_")
_OWN_DUNDERS = frozenset({"__file__", "__name__"})

Problem = tuple[int, str]


def problems(tree: ast.Module) -> Iterator[Problem]:
    """Lines of a server.py that reach for what a tool may not have, each with what is wrong."""
    imported: dict[str, Any] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                for alias in names:
                    root = alias.name.split(".")[0]
                    if not _importable(alias.name) or (root == OWN and alias.name != OWN):
                        yield node.lineno, f"import {alias.name}: not among the modules a tool may use"
                    else:
                        imported[alias.asname or root] = _module(alias.name if alias.asname else root)
            case ast.ImportFrom(module=module, level=level, names=names):
                source = "." * level + (module or "")
                if level or not _importable(source):
                    yield node.lineno, f"import from {source}: not among the modules a tool may use"
                    continue
                for alias in names:
                    if alias.name == "*" or alias.name.startswith("_"):
                        yield node.lineno, f"import of {alias.name}: import public names, one by one"
                        continue
                    found = None
                    if source.split(".")[0] != OWN:
                        found = getattr(_module(source), alias.name, None) or _module(f"{source}.{alias.name}")
                    imported[alias.asname or alias.name] = found
                    if (why := _out_of_reach(found, alias.name, source)) is not None:
                        yield node.lineno, f"import of {alias.name} from {source}: {why}"
    yield from _Reader(imported).read(tree, frozenset())


def _importable(module: str) -> bool:
    """Whether a module is on the allow-list, and none of its private parts."""
    root, *parts = module.split(".")
    return root in PURE and not any(part.startswith("_") for part in parts)


def _module(name: str) -> Any:
    """A module of the allow-list, which importing does no harm; None where there is none of that name."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _out_of_reach(found: Any, name: str, module: str) -> str | None:
    """Why something that an allowed module holds is out of reach; None where it is not."""
    if module.split(".")[0] == OWN and not _offered(module, name):
        return f"of this library, tools use {', '.join(sorted(OFFERED))}, and what {FIELDS} offers"
    if name in FORBIDDEN_PARTS:
        return "a tool may not use it"
    if isinstance(found, ModuleType) and found.__name__.split(".")[0] not in PURE:
        return f"{found.__name__} is not among the modules a tool may use"
    return None


def _offered(module: str, name: str) -> bool:
    """Whether this library offers a name to the code of a package."""
    return name in OFFERED if module == OWN else module == FIELDS and name in fields.__all__


class _Reader:
    """Reads a module; a scope is the names that the functions around a node bind."""

    def __init__(self, imported: dict[str, Any]) -> None:
        self._imported = imported

    def read(self, node: ast.AST, scope: frozenset[str]) -> Iterator[Problem]:
        """Every problem in a node and below it."""
        yield from self._look(node, scope)
        inner, around = scope, ()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            inner = scope | _bound(node)
            around = (node.args, getattr(node, "returns", None), *getattr(node, "decorator_list", ()))
        for child in ast.iter_child_nodes(node):
            if not (isinstance(node, ast.Call) and child is node.func and _spells_out(node)):
                yield from self.read(child, scope if child in around else inner)

    def _look(self, node: ast.AST, scope: frozenset[str]) -> Iterator[Problem]:
        match node:
            case ast.Name(id=name, ctx=ast.Load()) if name in FORBIDDEN_NAMES and name not in scope:
                yield node.lineno, f"{name}: a tool may not use it"
            case ast.Name(id=name) if name.startswith("__") and name not in _OWN_DUNDERS | FORBIDDEN_NAMES:
                yield node.lineno, f"{name}: private names are out of reach for a tool"
            case ast.Attribute(attr="format", value=ast.Constant(value=str(text))):
                if _PRIVATE_FIELD.search(text):
                    yield node.lineno, f"a format that reaches for private names: {text[:40]!r}"
            case ast.Attribute(attr="format" | "format_map" | "vformat" as name):
                yield node.lineno, f".{name} of a text that is made elsewhere reaches any attribute; write an f-string"
            case ast.Attribute(attr=name):
                yield from self._attribute(node, name, scope)
            case ast.Call(func=ast.Name(id=name)) if name in UNSTABLE and name not in scope:
                yield node.lineno, f"{name}(): its value differs from process to process"
            case ast.Call(func=ast.Attribute(attr=name)) if name in CLOCKS:
                yield node.lineno, f"{name}(): the time comes from world.now only"
            case ast.MatchClass(kwd_attrs=names):
                for name in (name for name in names if name.startswith("_") or name in FORBIDDEN_PARTS):
                    yield node.lineno, f".{name}: private names are out of reach for a tool"
            case ast.Global() | ast.Nonlocal():
                yield node.lineno, "global or nonlocal: a tool keeps no state outside the world"
            case ast.arg(annotation=ast.expr() as kind) | ast.AnnAssign(annotation=kind):
                yield from _quoted(kind)
            case ast.FunctionDef(returns=ast.expr() as kind):
                yield from _quoted(kind)

    def _attribute(self, node: ast.Attribute, name: str, scope: frozenset[str]) -> Iterator[Problem]:
        holder = self._value(node.value, scope)
        if name.startswith("_"):
            yield node.lineno, f".{name}: private names are out of reach for a tool"
        elif name in FORBIDDEN_PARTS:
            yield node.lineno, f".{name}: a tool may not use it"
        elif name in CLOCKS and isinstance(holder, type):
            yield node.lineno, f"{name}(): the time comes from world.now only"
        elif isinstance(holder, ModuleType):
            why = _out_of_reach(getattr(holder, name, None), name, holder.__name__)
            if why is not None:
                yield node.lineno, f".{name}: {why}"
        if holder is not None and isinstance(node.ctx, (ast.Store, ast.Del)):
            yield node.lineno, f".{name}: what was imported is not changed"

    def _value(self, node: ast.AST, scope: frozenset[str]) -> Any:
        """What an expression of names and dots denotes, as far as imports tell; else None."""
        match node:
            case ast.Name(id=name) if name not in scope:
                return self._imported.get(name)
            case ast.Attribute(value=value, attr=name):
                return getattr(self._value(value, scope), name, None)
        return None


def _spells_out(call: ast.Call) -> bool:
    """Whether a call is `getattr(..., "name")` with a name that could as well stand behind a dot."""
    match call:
        case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value=str(name)), *_]):
            return not name.startswith("_") and name not in FORBIDDEN_PARTS
    return False


def _bound(scope: ast.AST) -> frozenset[str]:
    """Names that a function binds itself; functions within it have their own."""
    names: set[str] = set()
    open_nodes = list(ast.iter_child_nodes(scope))
    while open_nodes:
        node = open_nodes.pop()
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
                names.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
                continue
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.ExceptHandler(name=str(name)):
                names.add(name)
            case ast.Lambda():
                continue
        open_nodes.extend(ast.iter_child_nodes(node))
    return frozenset(names)


def _quoted(kind: ast.expr) -> Iterator[Problem]:
    """Texts that stand for types: whoever reads the types evaluates them."""
    match kind:
        case ast.Constant(value=str()):
            yield kind.lineno, "a type in quotes is evaluated; write it without"
        case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name), slice=inside):
            if name == "Annotated" and isinstance(inside, ast.Tuple):
                yield from _quoted(inside.elts[0])
            elif name != "Literal":
                yield from _quoted(inside)
        case ast.BinOp(left=left, right=right):
            yield from _quoted(left)
            yield from _quoted(right)
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            for element in elements:
                yield from _quoted(element)
