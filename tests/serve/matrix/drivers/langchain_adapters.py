"""LangChain's adapters, which open a session for every call: state that hung on a session would be lost here."""

from typing import Any

from langchain_mcp_adapters.client import MultiServerMCPClient
from script import Seen, play, run, value_of


async def main(url: str, headers: dict[str, str], pause: bool) -> dict[str, Any]:
    client = MultiServerMCPClient({"desk": {"transport": "streamable_http", "url": url, "headers": headers}})
    tools = {tool.name: tool for tool in await client.get_tools()}

    async def call(name: str, arguments: dict[str, Any]) -> Seen:
        message = await tools[name].ainvoke({"type": "tool_call", "id": "1", "name": name, "args": arguments})
        (block,) = message.content
        return Seen(value_of(block["text"]), message.status == "error")

    return await play(list(tools), call, pause)


run(main)
