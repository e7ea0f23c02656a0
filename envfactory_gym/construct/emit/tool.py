"""One tool: its decorator, signature, docstring and statements."""

from __future__ import annotations

from ..model import Model, Resource, ToolPlan
from .hints import candidates, refused
from .ownership import owned
from .parts import Build
from .reading_tools import build_get, build_list
from .render import WIDTH, bracket, documented, sql
from .trial import Trial
from .types import Types
from .writing_tools import build_action, build_create, build_delete, build_update

_BUILDERS: dict[str, Build] = {
    "list": build_list,
    "get": build_get,
    "create": build_create,
    "update": build_update,
    "replace": build_update,
    "delete": build_delete,
    "action": build_action,
}


def emit_tool(model: Model, types: Types, resource: Resource, tool: ToolPlan, world: Trial) -> str:
    """The function of one tool, with its decorator; `world` tells which hints have rows."""
    arguments, summary, returned, body = _BUILDERS[tool.verb](model, types, resource, tool)
    signature = bracket(
        f"def {tool.name}(", ["world: World", *(f"{name}: {kind}" for name, kind, _ in arguments)], f") -> {returned}:"
    )
    doc = documented(summary, [(name, about) for name, _, about in arguments])
    lines = "\n".join(f"    {statement}" for statement in body)
    return f"# Plays {tool.operation}\n{_decorator(model, resource, tool, world)}\n{signature}\n{doc}\n{lines}"


def _decorator(model: Model, resource: Resource, tool: ToolPlan, world: Trial) -> str:
    parts: list[str] = []
    writes = _writes(model, resource, tool)
    if writes:
        parts.append(bracket("writes=[", [f'"{table}"' for table in writes], "]", 4))
    if tool.verb in ("update", "replace", "delete", "action"):
        parts.append("destructive=True")
    if tool.verb in ("update", "replace"):
        parts.append("idempotent=True")
    if tool.verb == "delete":
        parts.append(f'confirm=["{resource.key_argument}"]')
    lines = candidates(model, resource, tool)
    if lines and world.gives_rows(lines):
        parts.append("candidates=" + sql(lines, 4, WIDTH - 4 - len("candidates=,")))
    hints = refused(model, resource, tool)
    if found := {reason: query for reason, query in hints.items() if world.gives_rows(query)}:
        items = [f'"{reason}": ' + sql(query, 8, WIDTH - 8 - len(f'"{reason}": ,')) for reason, query in found.items()]
        parts.append(bracket("refused={", items, "}", 4))
    return bracket("@env.tool(", parts, ")")


def _writes(model: Model, resource: Resource, tool: ToolPlan) -> list[str]:
    if tool.verb in ("list", "get"):
        return []
    tables = [resource.table]
    if tool.verb == "delete":
        tables += [one.resource.table for one in owned(model, resource) if one.resource.table not in tables]
    return tables
