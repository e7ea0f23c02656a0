"""Servers that stand beside the fleet, each a process: `python -m benchmarks.serving.subjects KIND [--package FOLDER]`.

`echo` is the yardstick: a Starlette route that reads JSON and writes JSON. `plain` is what the SDK's own guide builds:
one `MCPServer` with the environment's tools over one world that everybody shares. Both run under the same uvicorn as
the fleet, on a free port that is the first line of their output.
"""

from __future__ import annotations

import argparse
import inspect
import json
import socket
import typing
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import uvicorn

from envfactory_gym.environment import Package, Tool, ToolError
from envfactory_gym.world import Template

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from envfactory_gym.world import LiveWorld


def echo() -> ASGIApp:
    """JSON in, the same JSON out."""
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import JSONResponse
    from starlette.routing import Route

    async def answer(request: Request) -> JSONResponse:
        return JSONResponse(await request.json())

    return Starlette(routes=[Route("/mcp", answer, methods=["POST"])])


def plain(package: Package) -> ASGIApp:
    """The environment's tools on an `MCPServer`, answering JSON."""
    from mcp.server import MCPServer

    server = MCPServer(package.name, log_level="WARNING")
    world = Template.of(package).acquire()
    for tool in package.tools.values():
        server.add_tool(as_function(tool, world))
    return server.streamable_http_app(json_response=True)


def as_function(tool: Tool, world: LiveWorld) -> Callable[..., Any]:
    """The tool as a function without its world, as someone would have written it for `MCPServer`.

    It is `async` so that it runs on the loop: a thread per call would cost more than the call.
    """
    from mcp.server.mcpserver.exceptions import ToolError as Refusal

    async def function(**arguments: Any) -> Any:
        try:
            return json.loads(world.call(tool.name, arguments))
        except ToolError as error:
            raise Refusal(error.message) from error

    hints = typing.get_type_hints(tool.function, include_extras=True)
    signature = inspect.signature(tool.function)
    _, *parameters = signature.parameters.values()
    function.__name__, function.__doc__ = tool.name, tool.function.__doc__
    kept = [parameter.replace(annotation=hints[parameter.name]) for parameter in parameters]
    function.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=kept, return_annotation=hints["return"]
    )
    function.__annotations__ = {parameter.name: parameter.annotation for parameter in kept}
    function.__annotations__["return"] = hints["return"]
    return function


def main() -> None:
    """Serve until a signal comes."""
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=("echo", "plain"))
    parser.add_argument("--package", type=Path)
    given = parser.parse_args()
    app = echo() if given.kind == "echo" else plain(Package(given.package, trusted=True))
    listening = socket.create_server(("127.0.0.1", 0))
    print(listening.getsockname()[1], flush=True)
    config = uvicorn.Config(app, log_level="warning", access_log=False, timeout_keep_alive=75)
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
