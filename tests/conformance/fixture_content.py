"""What the official suite asks a server to hold: tools of every kind of content, resources and prompts by fixed names.

An environment's tools return JSON and nothing else, so the suite's own names are answered from here. Only the
answers are fixtures; everything between them and the socket is the code that serves environments.
"""

from __future__ import annotations

import base64
import json
import warnings
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import mcp_types as types
from mcp import MCPError
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPDeprecationWarning

Context = ServerRequestContext[Any, Any]
Answer = types.CallToolResult | types.InputRequiredResult
Handler = Callable[[Context, types.CallToolRequestParams], Awaitable[Answer]]

PNG = base64.b64encode(
    bytes.fromhex(
        "89504e470d0a1a0a0000000d49484452000000010000000108020000009077"
        "53de0000000c4944415408d763f8cfc0000003010100c9fe92ef0000000049454e44ae426082"
    )
).decode()
"""One red pixel."""

WAV = base64.b64encode(
    b"RIFF\x28\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x80\x3e\x00\x00\x02\x00\x10\x00"
    b"data\x04\x00\x00\x00\x00\x00\x00\x00"
).decode()
"""Two samples of silence."""

PAUSE = 0.05
"""Seconds between two notifications: the suite looks whether they arrive one by one."""


def text(words: str) -> types.CallToolResult:
    """A result of one text."""
    return types.CallToolResult(content=[types.TextContent(type="text", text=words)])


def embedded(uri: str, kind: str, words: str) -> types.EmbeddedResource:
    """A resource inside a message."""
    return types.EmbeddedResource(
        type="resource", resource=types.TextResourceContents(uri=uri, mime_type=kind, text=words)
    )


_IMAGE = types.ImageContent(type="image", data=PNG, mime_type="image/png")


async def simple_text(ctx: Context, params: types.CallToolRequestParams) -> Answer:
    return text("This is a simple text response for testing.")


async def image(ctx: Context, params: types.CallToolRequestParams) -> Answer:
    return types.CallToolResult(content=[_IMAGE])


async def audio(ctx: Context, params: types.CallToolRequestParams) -> Answer:
    return types.CallToolResult(content=[types.AudioContent(type="audio", data=WAV, mime_type="audio/wav")])


async def resource(ctx: Context, params: types.CallToolRequestParams) -> Answer:
    return types.CallToolResult(
        content=[embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")]
    )


async def mixed(ctx: Context, params: types.CallToolRequestParams) -> Answer:
    return types.CallToolResult(
        content=[
            types.TextContent(type="text", text="Multiple content types test:"),
            _IMAGE,
            embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
        ]
    )


async def failing(ctx: Context, params: types.CallToolRequestParams) -> Answer:
    words = types.TextContent(type="text", text="This tool intentionally returns an error for testing")
    return types.CallToolResult(content=[words], is_error=True)


async def logging(ctx: Context, params: types.CallToolRequestParams) -> Answer:
    for number, words in enumerate(("Tool execution started", "Tool processing data", "Tool execution completed")):
        if number:
            await anyio.sleep(PAUSE)
        with warnings.catch_warnings():
            # Deprecated since 2026-07-28, and required by the set of 2025-11-25.
            warnings.simplefilter("ignore", MCPDeprecationWarning)
            await ctx.session.send_log_message("info", words, related_request_id=ctx.request_id)
    return text("Logged three messages.")


async def progress(ctx: Context, params: types.CallToolRequestParams) -> Answer:
    for done in (0, 50, 100):
        if done:
            await anyio.sleep(PAUSE)
        await ctx.session.report_progress(done, 100)
    return text("Reported progress three times.")


PLAIN: dict[str, Handler] = {
    "test_simple_text": simple_text,
    "test_image_content": image,
    "test_audio_content": audio,
    "test_embedded_resource": resource,
    "test_multiple_content_types": mixed,
    "test_error_handling": failing,
    "test_tool_with_logging": logging,
    "test_logging_tool": logging,
    "test_tool_with_progress": progress,
}
"""Tools that need nothing of the client."""

RESOURCES = [
    types.Resource(uri="test://static-text", name="text", description="A text.", mime_type="text/plain"),
    types.Resource(uri="test://static-binary", name="binary", description="A picture.", mime_type="image/png"),
    types.Resource(uri="test://watched-resource", name="watched", description="To watch.", mime_type="text/plain"),
]
TEMPLATE = types.ResourceTemplate(
    uri_template="test://template/{id}/data", name="template", description="By id.", mime_type="application/json"
)


def read(uri: str) -> types.ReadResourceResult:
    """A resource by its address.

    Raises:
        MCPError: There is none, said as revision 2026-07-28 wants it.
    """
    middle = uri.removeprefix("test://template/").removesuffix("/data")
    if uri == "test://static-binary":
        binary = types.BlobResourceContents(uri=uri, mime_type="image/png", blob=PNG)
        return types.ReadResourceResult(contents=[binary])
    if uri == f"test://template/{middle}/data":
        data = {"id": middle, "templateTest": True, "data": f"Data for ID: {middle}"}
        kind, words = "application/json", json.dumps(data)
    elif uri == "test://static-text":
        kind, words = "text/plain", "This is the content of the static text resource."
    elif uri == "test://watched-resource":
        kind, words = "text/plain", "Watched."
    else:
        raise MCPError(code=types.INVALID_PARAMS, message=f"Unknown resource: {uri}", data={"uri": uri})
    return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, mime_type=kind, text=words)])


def _argument(name: str) -> types.PromptArgument:
    return types.PromptArgument(name=name, description=f"The {name}.", required=True)


PROMPTS = [
    types.Prompt(name="test_simple_prompt", description="A prompt without arguments."),
    types.Prompt(
        name="test_prompt_with_arguments", description="Two words.", arguments=[_argument("arg1"), _argument("arg2")]
    ),
    types.Prompt(
        name="test_prompt_with_embedded_resource", description="Embeds.", arguments=[_argument("resourceUri")]
    ),
    types.Prompt(name="test_prompt_with_image", description="A picture."),
    types.Prompt(name="test_input_required_result_prompt", description="Asks before it answers."),
]


def prompt(name: str, given: dict[str, str]) -> types.GetPromptResult:
    """A prompt by its name.

    Raises:
        MCPError: There is none.
    """
    contents: list[types.ContentBlock]
    if name == "test_simple_prompt":
        contents = [types.TextContent(type="text", text="This is a simple prompt for testing.")]
    elif name == "test_prompt_with_arguments":
        words = f"Prompt with arguments: arg1='{given.get('arg1')}', arg2='{given.get('arg2')}'"
        contents = [types.TextContent(type="text", text=words)]
    elif name == "test_prompt_with_embedded_resource":
        contents = [
            embedded(given.get("resourceUri", ""), "text/plain", "Embedded resource content for testing."),
            types.TextContent(type="text", text="Please process the embedded resource above."),
        ]
    elif name == "test_prompt_with_image":
        contents = [_IMAGE, types.TextContent(type="text", text="Please analyze the image above.")]
    else:
        raise MCPError(code=types.INVALID_PARAMS, message=f"Unknown prompt: {name}")
    return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=block) for block in contents])
