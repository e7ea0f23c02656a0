"""The official client of the SDK's second generation; the era is its argument: `auto` or `legacy`."""

import sys
from typing import Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from script import Seen, play, run, value_of


async def main(url: str, headers: dict[str, str], pause: bool) -> dict[str, Any]:
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30) as http,
        Client(streamable_http_client(url, http_client=http), mode=sys.argv[1]) as client,
    ):

        async def call(name: str, arguments: dict[str, Any]) -> Seen:
            result = await client.call_tool(name, arguments)
            (block,) = result.content
            if not result.is_error:
                assert result.structured_content == value_of(block.text)
            return Seen(value_of(block.text), bool(result.is_error))

        return await play([tool.name for tool in (await client.list_tools()).tools], call, pause)


run(main)
