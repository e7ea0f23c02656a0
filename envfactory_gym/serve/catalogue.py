"""What a client can list: tools, resources and prompts, in the types of MCP."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import mcp_types as types

from ..environment import Package, Tool

TASK_PROMPT = "task"
"""Name of the prompt that holds the ticket."""


class View(Protocol):
    """What there is to show: a session, or an environment in which nobody plays yet."""

    @property
    def package(self) -> Package:
        """The environment."""

    @property
    def tools(self) -> Mapping[str, Tool]:
        """The tools that may be called, by name."""

    @property
    def instructions(self) -> str:
        """What the agent is told before it begins."""

    @property
    def ticket(self) -> str | None:
        """The request to work on, where there is one."""

    @property
    def now(self) -> str:
        """The time in the world."""


def describe_tool(tool: Tool) -> types.Tool:
    """A tool as clients see it; schemas go out exactly as the environment has them."""
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema if is_structured(tool) else None,
        annotations=types.ToolAnnotations(
            read_only_hint=tool.read_only and tool.actor != "episode",
            destructive_hint=tool.destructive,
            idempotent_hint=tool.idempotent or (tool.read_only and tool.actor != "episode"),
            open_world_hint=False,
        ),
    )


def is_structured(tool: Tool) -> bool:
    """Whether results go out as structured content too: revisions before 2026-07-28 know only objects."""
    return tool.output_schema.get("type") == "object"


@dataclass(frozen=True)
class Document:
    """Something a client can read."""

    resource: types.Resource
    text: str


def documents(view: View) -> dict[str, Document]:
    """The resources by address; the clock is read anew each time."""
    package = view.package
    found = [
        _document(package, "policy", "Policy", "The rules the agent has to follow.", "text/markdown", _policy(package)),
        _document(
            package, "schema.sql", "Database schema", "The tables behind the tools.", "application/sql",
            package.schema.ddl,
        ),
        _document(package, "clock", "Clock", "The time in the world, ISO 8601.", "text/plain", view.now),
        _document(
            package, "tools.md", "Tool guide", "Every tool with its arguments.", "text/markdown", tool_guide(view)
        ),
    ]  # fmt: skip
    return {document.resource.uri: document for document in found if document.text}


def _document(package: Package, name: str, title: str, about: str, kind: str, text: str) -> Document:
    uri = f"env://{package.name}/{name}"
    return Document(types.Resource(uri=uri, name=name, title=title, description=about, mime_type=kind), text)


def _policy(package: Package) -> str:
    return package.policy.text.strip()


def tool_guide(view: View) -> str:
    """All tools on one page, for people and for hosts that show resources but no schemas."""
    parts = [f"# Tools of {view.package.manifest.title}"]
    for tool in view.tools.values():
        effect = "reads only" if tool.read_only else "changes " + ", ".join(tool.writes)
        lines = [f"## {tool.name}", "" if tool.actor == "episode" else f"*{effect.capitalize()}.*\n", tool.description]
        lines += [
            f"- `{argument.name}`{'' if argument.required else ' (optional)'}: {argument.description}".rstrip(": ")
            for argument in tool.parameters
        ]
        parts.append("\n".join(line for line in lines if line))
    return "\n\n".join(parts) + "\n"


def prompts(view: View) -> list[types.Prompt]:
    """The one prompt, where there is a task."""
    if view.ticket is None:
        return []
    return [types.Prompt(name=TASK_PROMPT, title="Task", description="The ticket to work on, as the user wrote it.")]
