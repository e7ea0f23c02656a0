"""The MCP face of a session: which request gets which answer. Knows no transport.

A result goes out as one text block with the very text the world produced, and as structured
content of the same value. What a tool refuses is a result with `isError`; an unknown tool is a
protocol error, and so is a fault of the environment.
"""

from __future__ import annotations

from typing import Any

import mcp_types as types
from mcp import MCPError
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from pydantic_core import from_json

from .catalogue import TASK_PROMPT, describe_tool, documents, is_structured, prompts
from .session import Session, SessionFault

Context = ServerRequestContext[Any, Any]

LISTS_KEEP_MS = 3_600_000
"""How long a client may keep a list, in milliseconds: lists do not change while a server runs."""


def build_server(session: Session) -> Server[Any]:
    """An MCP server for one session, for the protocol revisions of both eras."""
    manifest = session.package.manifest
    tools = types.ListToolsResult(tools=[describe_tool(tool) for tool in session.tools.values()])
    offered = prompts(session)

    async def list_tools(ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        _one_page(params)
        return tools

    async def call_tool(ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        # No await in here: calls run one after the other, in the order in which they came.
        tool = session.tools.get(params.name)
        if tool is None:
            raise MCPError(code=types.INVALID_PARAMS, message=f"Unknown tool: {params.name}")
        _introduce(session, ctx)
        try:
            reply = session.call(params.name, params.arguments or {})
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
        return types.ListResourcesResult(resources=[document.resource for document in documents(session).values()])

    async def list_templates(
        ctx: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        _one_page(params)
        return types.ListResourceTemplatesResult(resource_templates=[])

    async def read_resource(ctx: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        document = documents(session).get(params.uri)
        if document is None:
            raise MCPError(
                code=types.INVALID_PARAMS, message=f"Unknown resource: {params.uri}", data={"uri": params.uri}
            )
        contents = types.TextResourceContents(uri=params.uri, mime_type=document.resource.mime_type, text=document.text)
        return types.ReadResourceResult(contents=[contents])

    async def list_prompts(ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        _one_page(params)
        return types.ListPromptsResult(prompts=offered)

    async def get_prompt(ctx: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        if params.name != TASK_PROMPT or session.ticket is None:
            raise MCPError(code=types.INVALID_PARAMS, message=f"Unknown prompt: {params.name}")
        message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=session.ticket))
        return types.GetPromptResult(description=offered[0].description, messages=[message])

    keep = CacheHint(ttl_ms=LISTS_KEEP_MS, scope="private")
    return Server(
        session.package.name,
        version=manifest.version,
        title=manifest.title,
        description=manifest.summary,
        instructions=session.instructions,
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
        on_list_prompts=list_prompts if offered else None,
        on_get_prompt=get_prompt if offered else None,
    )


def _one_page(params: types.PaginatedRequestParams | None) -> None:
    """Every list fits one page, so a cursor is none of ours."""
    if params is not None and params.cursor is not None:
        raise MCPError(code=types.INVALID_PARAMS, message=f"Unknown cursor: {params.cursor}")


def _introduce(session: Session, ctx: Context) -> None:
    """Remember which program is calling, for the run record."""
    if session.client is None and (params := ctx.session.client_params) is not None:
        session.client = params.client_info.name
