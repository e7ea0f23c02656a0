"""`Environment`: what server.py creates, and the decorator that makes tools of its functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar

from .errors import PackageError
from .tool import Tool, build_tool

Function = TypeVar("Function", bound=Callable[..., Any])


class Environment:
    """The tools of one package.

    Args:
        file: `__file__` of server.py; the rest of the package is found beside it.
    """

    def __init__(self, file: str | Path) -> None:
        self.path = Path(file).resolve().parent
        self.tools: dict[str, Tool] = {}

    def tool(
        self,
        *,
        writes: Sequence[str] = (),
        destructive: bool = False,
        idempotent: bool = False,
        candidates: str | None = None,
        refused: Mapping[str, str] | None = None,
        confirm: Sequence[str] = (),
    ) -> Callable[[Function], Function]:
        """Make a tool for the agent of a function `f(world, ...)`.

        Args:
            writes: Tables it may change; none for a read-only tool.
            destructive: Whether it may delete or overwrite what existed.
            idempotent: Whether an identical second call changes nothing more.
            candidates: SQL whose rows are arguments (by column name) expected to succeed; `:now` is bound.
            refused: `ToolError.reason` or code → SQL whose rows are arguments expected to be refused so.
            confirm: Key arguments; in a conversation the agent must state them and the user affirm, before the call.
        """
        return self._decorator("agent", writes, destructive, idempotent, candidates, refused, confirm)

    def user_tool(
        self,
        *,
        writes: Sequence[str] = (),
        destructive: bool = False,
        idempotent: bool = False,
        candidates: str | None = None,
        refused: Mapping[str, str] | None = None,
    ) -> Callable[[Function], Function]:
        """Make a tool that only the user can call; the agent may ask the user to."""
        return self._decorator("user", writes, destructive, idempotent, candidates, refused)

    def _decorator(
        self,
        actor: Literal["agent", "user"],
        writes: Sequence[str],
        destructive: bool,
        idempotent: bool,
        candidates: str | None,
        refused: Mapping[str, str] | None,
        confirm: Sequence[str] = (),
    ) -> Callable[[Function], Function]:
        def register(function: Function) -> Function:
            built = build_tool(
                function,
                writes=tuple(writes),
                destructive=destructive,
                idempotent=idempotent,
                candidates=candidates,
                refused=refused,
                actor=actor,
                confirm=tuple(confirm),
            )
            if built.name in self.tools:
                raise PackageError(
                    f"two tools are called {built.name!r}", file=self.path / "server.py", remedy="rename one"
                )
            self.tools[built.name] = built
            return function

        return register

    def serve(self) -> None:
        """Serve this environment over MCP on standard input and output; returns when the client leaves."""
        # The one call upwards that the layering test allows: a server.py must be runnable by itself.
        from envfactory_gym.serve import serve_environment

        serve_environment(self)
