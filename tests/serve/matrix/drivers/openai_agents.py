"""The OpenAI Agents SDK: tools are turned into its strict function tools, then called as its runner calls them."""

from typing import Any

from agents.mcp import MCPServerStreamableHttp, MCPUtil
from script import Seen, play, run, value_of


async def main(url: str, headers: dict[str, str], pause: bool) -> dict[str, Any]:
    async with MCPServerStreamableHttp(params={"url": url, "headers": headers}, cache_tools_list=True) as server:
        tools = await server.list_tools()
        strict = [MCPUtil.to_function_tool(tool, server, True) for tool in tools]
        assert all(tool.strict_json_schema for tool in strict), "a schema cannot be made strict"

        async def call(name: str, arguments: dict[str, Any]) -> Seen:
            result = await server.call_tool(name, arguments)
            (block,) = result.content
            # One attribute or the other, by the generation of the SDK that it was installed with.
            refused = getattr(result, "is_error", None) or getattr(result, "isError", None)
            return Seen(value_of(block.text), bool(refused))

        return await play([tool.name for tool in tools], call, pause)


run(main)
