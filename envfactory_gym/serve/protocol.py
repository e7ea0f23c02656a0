"""The MCP face of an environment: which request gets which answer. Knows no transport.

A result goes out as one text block with the very text the world produced, and as structured
content of the same value. What a tool refuses is a result with `isError`; an unknown tool is a
protocol error, and so is a fault of the environment.

Whose world a request is for, a `Host` says: on standard input and output there is one session, over
HTTP the address tells.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import mcp_types as types
from mcp import MCPError
from mcp.server.caching import CacheHint
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from pydantic_core import from_json

from ..environment import Package, Tool
from .catalogue import TASK_PROMPT, View, describe_tool, documents, is_structured, prompts
from .session import Reply, Session, SessionFault

Context = ServerRequestContext[Any, Any]

LISTS_KEEP_MS = 3_600_000
"""How long a client may keep a list, in milliseconds: lists do not change while a server runs."""


class Host(Protocol):
    """Finds what a request is for."""

    async def view(self, ctx: Context) -> View:
        """What is to be shown."""

    async def listing(self, ctx: Context) -> types.ListToolsResult:
        """The tools that may be called, as they are listed."""

    async def call(self, ctx: Context, name: str, arguments: Mapping[str, Any]) -> tuple[Tool, Reply]:
        """Call a tool.

        Raises:
            MCPError: There is no such tool, or no world to call it in.
            SessionFault: The environment failed.
        """


class OneSession:
    """The host that has one session, for everyone who asks."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._listing = list_of(session.tools)

    async def view(self, ctx: Context) -> View:
        """The session."""
        return self._session

    async def listing(self, ctx: Context) -> types.ListToolsResult:
        """Its tools."""
        return self._listing

    async def call(self, ctx: Context, name: str, arguments: Mapping[str, Any]) -> tuple[Tool, Reply]:
        """Call one of its tools."""
        # No await in here: calls run one after the other, in the order in which they came.
        tool = self._session.tools.get(name)
        if tool is None:
            raise unknown_tool(name)
        if self._session.client is None:
            self._session.client = client_name(ctx)
        return tool, self._session.call(name, arguments)


def list_of(tools: Mapping[str, Tool]) -> types.ListToolsResult:
    """Tools as they are listed."""
    return types.ListToolsResult(tools=[describe_tool(tool) for tool in tools.values()])


def unknown_tool(name: str) -> MCPError:
    """What a call of a tool that is not listed gets."""
    return MCPError(code=types.INVALID_PARAMS, message=f"Unknown tool: {name}")


def client_name(ctx: Context) -> str | None:
    """Which program is calling, for the run record; None where it did not introduce itself."""
    params = ctx.session.client_params
    return None if params is None else params.client_info.name


def build_server(session: Session) -> Server[Any]:
    """An MCP server for one session, for the protocol revisions of both eras."""
    return face(
        session.package, OneSession(session), instructions=session.instructions, asks=session.ticket is not None
    )


def face(package: Package, host: Host, *, instructions: str | None = None, asks: bool = True) -> Server[Any]:
    """An MCP server for an environment.

    Args:
        package: The environment.
        host: Finds the world that a request is for.
        instructions: What the agent is told, where it is the same for everybody; else the host's view says it.
        asks: Whether there can be a task, and so a prompt.
    """
    manifest = package.manifest

    async def list_tools(ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        _one_page(params)
        return await host.listing(ctx)

    async def call_tool(ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        try:
            tool, reply = await host.call(ctx, params.name, params.arguments or {})
        except SessionFault as fault:
            raise MCPError(code=types.INTERNAL_ERROR, message=str(fault)) from fault
        content: list[types.ContentBlock] = [types.TextContent(type="text", text=reply.text)]
        if reply.refused:
            return types.CallToolResult(content=content, is_error=True)
        if not is_structured(tool):
            return types.CallToolResult(content=content)
        return types.CallToolResult(content=content, structured_content=from_json(reply.text))

    async def list_resources(ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        _one_page(params)
        found = documents(await host.view(ctx))
        return types.ListResourcesResult(resources=[document.resource for document in found.values()])

    async def list_templates(
        ctx: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        _one_page(params)
        return types.ListResourceTemplatesResult(resource_templates=[])

    async def read_resource(ctx: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        document = documents(await host.view(ctx)).get(params.uri)
        if document is None:
            raise MCPError(
                code=types.INVALID_PARAMS, message=f"Unknown resource: {params.uri}", data={"uri": params.uri}
            )
        contents = types.TextResourceContents(uri=params.uri, mime_type=document.resource.mime_type, text=document.text)
        return types.ReadResourceResult(contents=[contents])

    async def list_prompts(ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        _one_page(params)
        return types.ListPromptsResult(prompts=prompts(await host.view(ctx)))

    async def get_prompt(ctx: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        view = await host.view(ctx)
        if params.name != TASK_PROMPT or view.ticket is None:
            raise MCPError(code=types.INVALID_PARAMS, message=f"Unknown prompt: {params.name}")
        message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=view.ticket))
        return types.GetPromptResult(description=prompts(view)[0].description, messages=[message])

    keep = CacheHint(ttl_ms=LISTS_KEEP_MS, scope="private")
    server: Server[Any] = Server(
        package.name,
        version=manifest.version,
        title=manifest.title,
        description=manifest.summary,
        instructions=instructions,
        cache_hints={
            "tools/list": keep,
            "resources/list": keep,
            "resources/templates/list": keep,
            "prompts/list": keep,
        },
        # No tool takes an argument from a header, so there is no schema to look through.
        get_tool_input_schema=lambda name: None,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
        on_list_prompts=list_prompts if asks else None,
        on_get_prompt=get_prompt if asks else None,
    )
    # Its telemetry costs a tenth of a call even where nobody collects any.
    server.middleware.clear()
    if instructions is None:
        server.middleware.append(_Instructing(host))
    return server


class _Instructing:
    """Puts into a greeting what the agent of this very request is to be told."""

    def __init__(self, host: Host) -> None:
        self._host = host

    async def __call__(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        result = await call_next(ctx)
        if ctx.method in ("initialize", "server/discover") and isinstance(result, dict):
            return {**result, "instructions": (await self._host.view(ctx)).instructions}
        return result


def _one_page(params: types.PaginatedRequestParams | None) -> None:
    """Every list fits one page, so a cursor is none of ours."""
    if params is not None and params.cursor is not None:
        raise MCPError(code=types.INVALID_PARAMS, message=f"Unknown cursor: {params.cursor}")
