"""Putting a mutant in the place of the server, and taking it out again.

A fault in a function needs no new import: only the code object of that function is exchanged, in
half a millisecond. A fault in a constant changes what the import makes of it (schemas, defaults),
so there the module is executed anew.
"""

from __future__ import annotations
import __future__

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import CodeType, FunctionType
from typing import Any

from ...environment import Package, Tool
from ..reimport import CannotImport, tools_of
from .mutants import Mutant
from .source import MODULE, ServerText

_ANNOTATIONS = __future__.annotations.compiler_flag


class Patcher:
    """Installs mutants of one package's server in this process.

    Args:
        package: The environment; its server is imported.
    """

    def __init__(self, package: Package) -> None:
        self.package = package
        self.text = ServerText(package.server_source)
        self.file = str(package.path / "server.py")
        tools = package.tools
        self.namespace: dict[str, Any] = next(iter(tools.values())).function.__globals__

    @contextmanager
    def installed(self, mutant: Mutant) -> Iterator[Mapping[str, Tool]]:
        """The tools of the mutant; afterwards the server is as it was.

        Raises:
            CannotImport: It does not compile, or its import fails.
        """
        function = self.namespace.get(mutant.function)
        if mutant.function == MODULE or not isinstance(function, FunctionType):
            yield tools_of(self.package, mutant.apply(self.text.source))
            return
        original = function.__code__
        function.__code__ = self._compiled(mutant, original)
        try:
            yield self.package.tools
        finally:
            function.__code__ = original

    def _compiled(self, mutant: Mutant, original: CodeType) -> CodeType:
        node = self.text.functions[mutant.function]
        start, end = self.text.span(node)
        source = self.text.source
        body = source[start : mutant.start] + mutant.replacement + source[mutant.end : end]
        try:
            module = compile("\n" * (node.lineno - 1) + body, self.file, "exec", _ANNOTATIONS, dont_inherit=True)
        except (SyntaxError, ValueError) as error:
            raise CannotImport(str(error)) from error
        codes = [code for code in module.co_consts if isinstance(code, CodeType) and code.co_name == mutant.function]
        if len(codes) != 1 or codes[0].co_freevars != original.co_freevars:
            raise CannotImport("it is no longer one function")
        return codes[0]
