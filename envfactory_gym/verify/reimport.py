"""Executing a changed server.py beside the sound one: the tools of another text of it."""

from __future__ import annotations

import ast
import itertools
import sys
from types import ModuleType
from typing import Any

from ..environment import Environment, Package, Tool

_numbers = itertools.count()


class CannotImport(Exception):
    """A text that is no server: it does not compile, raises when it is imported, or defines other tools."""


def tools_of(package: Package, code: str | ast.Module, given: dict[str, Any] | None = None) -> dict[str, Tool]:
    """The tools that another text of a package's server.py defines.

    The code runs in this process, with your rights; the package and its own tools stay as they are.

    Args:
        package: The environment; its own server is imported already.
        code: The other text, or its syntax tree.
        given: Names that it finds in its module.

    Raises:
        CannotImport: It is no server with the same tools.
    """
    file = str(package.path / "server.py")
    module = ModuleType(f"_envfactory_{package.name}_changed_{next(_numbers)}")
    module.__file__ = file
    module.__dict__.update(given or {})
    sys.modules[module.__name__] = module  # types written as texts are resolved there
    try:
        exec(compile(code, file, "exec", dont_inherit=True), module.__dict__)
    except Exception as error:
        raise CannotImport(f"{type(error).__name__}: {error}") from error
    finally:
        del sys.modules[module.__name__]
    environment = module.__dict__.get("env")
    if not isinstance(environment, Environment) or environment.tools.keys() != package.tools.keys():
        raise CannotImport("it defines other tools")
    return environment.tools
