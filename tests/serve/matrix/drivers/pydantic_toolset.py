"""Pydantic AI, whose toolset is built on FastMCP; what a tool refuses is a retry for its model."""

from typing import Any

from fastmcp.client import Client
from fastmcp.client.transports import StreamableHttpTransport
from pydantic_ai.exceptions import ModelRetry
from pydantic_ai.mcp import MCPToolset
from script import Seen, play, run, value_of


async def main(url: str, headers: dict[str, str], pause: bool) -> dict[str, Any]:
    async with MCPToolset(Client(StreamableHttpTransport(url, headers=headers))) as toolset:

        async def call(name: str, arguments: dict[str, Any]) -> Seen:
            try:
                return Seen(await toolset.direct_call_tool(name, arguments), False)
            except ModelRetry as retry:
                return Seen(value_of(retry.message), True)

        return await play([tool.name for tool in await toolset.list_tools()], call, pause)


run(main)
