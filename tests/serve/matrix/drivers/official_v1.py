"""The official client of the SDK's first generation, which many agents are still built on."""

from typing import Any

import httpx
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from script import Seen, play, run, value_of


async def main(url: str, headers: dict[str, str], pause: bool) -> dict[str, Any]:
    async with (
        httpx.AsyncClient(headers=headers, timeout=30) as http,
        streamable_http_client(url, http_client=http) as (read, write, _),
        ClientSession(read, write) as session,
    ):
        await session.initialize()

        async def call(name: str, arguments: dict[str, Any]) -> Seen:
            result = await session.call_tool(name, arguments)
            (block,) = result.content
            return Seen(value_of(block.text), result.isError)

        return await play([tool.name for tool in (await session.list_tools()).tools], call, pause)


run(main)
