"""The fixture server: the suite's tools, resources and prompts as one lowlevel server, to be put behind the fleet.

Environments cannot hold what the suite asks for, so this server stands where an environment's would: the
dispatcher, the session managers, the checks of headers, hosts and tokens in front of it are the fleet's own.
"""

from __future__ import annotations

import warnings
from typing import Any

import mcp_types as types
from mcp import MCPError
from mcp.server.caching import CacheHint
from mcp.server.lowlevel import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.shared.exceptions import MCPDeprecationWarning

from . import fixture_content as content
from .fixture_asking import ASKING, accepted, ask_form
from .fixture_content import PLAIN, Answer, Context

NAME = "conformance"
_HANDLERS = {**PLAIN, **ASKING}
_NEEDS = {"test_elicitation": "message", "test_sampling": "prompt"}
_CONTEXT = {"type": "object", "properties": {"context": {"type": "string"}}, "required": ["context"]}

JSON_SCHEMA_TOOL = types.Tool(
    name="json_schema_2020_12_tool",
    description="Carries keywords of JSON Schema 2020-12, which have to arrive as they are.",
    input_schema={
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": {"$anchor": "addressDef", "type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
        "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}, "contactMethod": {"type": "string", "enum": ["phone", "email"]}, "phone": {"type": "string"}, "email": {"type": "string"}},
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": False,
    },
)  # fmt: skip


def _tool(name: str) -> types.Tool:
    needs = _NEEDS.get(name)
    schema: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
    if needs is not None:
        schema |= {"properties": {needs: {"type": "string", "description": "Text."}}, "required": [needs]}
    return types.Tool(name=name, description=f"Answers {name} of the conformance suite.", input_schema=schema)


def build() -> Server[Any]:
    """The server, new each time."""
    tools = types.ListToolsResult(tools=[*map(_tool, _HANDLERS), JSON_SCHEMA_TOOL])

    async def list_tools(ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return tools

    async def call_tool(ctx: Context, params: types.CallToolRequestParams) -> Answer:
        if params.name not in _HANDLERS:
            raise MCPError(code=types.INVALID_PARAMS, message=f"Unknown tool: {params.name}")
        return await _HANDLERS[params.name](ctx, params)

    async def list_resources(ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=content.RESOURCES)

    async def list_templates(
        ctx: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=[content.TEMPLATE])

    async def read_resource(ctx: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        return content.read(str(params.uri))

    async def list_prompts(ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=content.PROMPTS)

    async def get_prompt(
        ctx: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult | types.InputRequiredResult:
        if params.name != "test_input_required_result_prompt":
            return content.prompt(params.name, params.arguments or {})
        if (found := accepted(params, "user_context", "context")) is None:
            form = ask_form("What context should the prompt use?", _CONTEXT)
            return types.InputRequiredResult(input_requests={"user_context": form})
        words = types.TextContent(type="text", text=f"In the context of {found}.")
        return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=words)])

    async def done(ctx: Context, params: Any) -> types.EmptyResult:
        return types.EmptyResult()

    async def complete(ctx: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        words = [word for word in ("paris", "park", "party") if word.startswith(params.argument.value)]
        return types.CompleteResult(completion=types.Completion(values=words, total=len(words), has_more=False))

    keep = CacheHint(ttl_ms=60_000, scope="public")
    cached = ("tools/list", "resources/list", "resources/templates/list", "resources/read", "prompts/list")
    with warnings.catch_warnings():
        # Setting the log level is deprecated since 2026-07-28, and required by the set of 2025-11-25.
        warnings.simplefilter("ignore", MCPDeprecationWarning)
        server: Server[Any] = Server(
            NAME,
            version="1.0.0",
            title="Conformance fixtures",
            instructions="Fixtures of the official conformance suite.",
            cache_hints=dict.fromkeys(cached, keep),  # type: ignore[arg-type]
            on_list_tools=list_tools,
            on_call_tool=call_tool,
            on_list_resources=list_resources,
            on_list_resource_templates=list_templates,
            on_read_resource=read_resource,
            on_subscribe_resource=done,
            on_unsubscribe_resource=done,
            on_list_prompts=list_prompts,
            on_get_prompt=get_prompt,
            on_completion=complete,
            on_set_logging_level=done,
        )
    server.middleware.append(RequestStateBoundary(RequestStateSecurity.ephemeral(), default_audience=NAME))
    return server
