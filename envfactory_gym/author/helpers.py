"""What `server.py` may use of this library, read from its own text: no brief speaks of what is not there."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

from .. import fields
from ..environment.files import read_text


@dataclass(frozen=True)
class Helper:
    """A name that tools may import.

    Attributes:
        name: The name.
        call: How it is written: with its arguments where it is a function.
        about: What it is, in a sentence.
    """

    name: str
    call: str
    about: str


def helpers() -> list[Helper]:
    """Everything that `envfactory_gym.fields` offers, in the order of that module."""
    tree = ast.parse(read_text(Path(fields.__file__)))
    found = []
    for node, after in zip(tree.body, [*tree.body[1:], None], strict=True):
        match node:
            case ast.FunctionDef(name=name) if name in fields.__all__:
                found.append(Helper(name, f"{name}({ast.unparse(node.args)})", _first(ast.get_docstring(node))))
            case ast.ClassDef(name=name) if name in fields.__all__:
                found.append(Helper(name, name, _first(ast.get_docstring(node))))
            case ast.Assign(targets=[ast.Name(id=name)]) if name in fields.__all__:
                found.append(Helper(name, name, _first(_text(after))))
    return found


def _text(node: ast.stmt | None) -> str | None:
    match node:
        case ast.Expr(value=ast.Constant(value=str(text))):
            return text
    return None


def _first(text: str | None) -> str:
    return " ".join((text or "").split("\n\n")[0].split())
