"""Whose fault a failed call is, and how it is said.

A `ToolError` is the agent's and passes as it is. Whatever else a tool raises is the environment's,
also when the tool caught it and went on. Ctrl-C and its like belong to the caller and pass.
"""

from __future__ import annotations

import difflib
import traceback
from collections.abc import Mapping

from ..environment.errors import BudgetExceeded, EnvironmentFault, ToolError
from ..environment.tool import Tool
from .budget import Expired
from .connection import Connection

SERVER = "server.py"
"""The file of a package that holds its tools."""


def reason(core: Connection, name: str, error: BaseException | None, *, lost: bool) -> BaseException:
    """What a failed call raises.

    Args:
        core: The connection it ran on, which knows what was denied and spent; a denial is forgotten.
        name: The tool.
        error: What the tool raised; None where it hid what went wrong.
        lost: Whether the call ended the episode's transaction.
    """
    denied, core.guard.denied = core.guard.denied, None
    if error is not None and not isinstance(error, (Exception, SystemExit, Expired)):
        return error
    if core.budget.expired or isinstance(error, Expired):
        return BudgetExceeded(f"{name} ran for more than two seconds and was stopped", tool=name)
    if core.budget.spent:
        return BudgetExceeded(f"{name} used up its budget of SQL steps; add an index or a LIMIT", tool=name)
    if denied is not None:
        return EnvironmentFault(f"{name}: {denied}", tool=name)
    if error is None or (lost and isinstance(error, ToolError)):
        return EnvironmentFault(f"{name} ended the episode's transaction (OR ROLLBACK); use OR ABORT", tool=name)
    if isinstance(error, ToolError):
        return error
    if isinstance(error, EnvironmentFault):
        kind = BudgetExceeded if isinstance(error, BudgetExceeded) else EnvironmentFault
        return kind(f"{name}: {error}", tool=name) if error.tool is None else error
    text = "".join(traceback.format_exception_only(error)).strip()  # an error's own __str__ may be broken
    return EnvironmentFault(f"{name} raised {text}{_place(error)}", tool=name)


def _place(error: BaseException) -> str:
    """Where in the package's code an error was raised, where it was there: ` (server.py:63)`."""
    lines = [line for frame, line in traceback.walk_tb(error.__traceback__) if _is_server(frame.f_code.co_filename)]
    return f" ({SERVER}:{lines[-1]})" if lines else ""


def _is_server(file: str) -> bool:
    return file.rpartition("/")[2] == SERVER


def unknown(tools: Mapping[str, Tool], name: str, actor: str) -> ToolError:
    """The refusal of a tool that is not there, or not for this actor."""
    offered = [tool.name for tool in tools.values() if tool.actor == "agent" or actor != "agent"]
    close = difflib.get_close_matches(str(name), offered, n=3, cutoff=0.4)
    hint = f"did you mean {' or '.join(close)}?" if close else f"the tools are: {', '.join(sorted(offered))}."
    return ToolError("not_found", f"There is no tool {str(name)[:80]!r}; {hint}")
