"""The inside of remote tools: the package's functions run here, and their world is elsewhere.

Each statement, draw and look at the clock goes out as a message and is answered by the world of the
caller's process, under its guard and its budget. So the state of an episode, and what is graded,
never lie in a process in which the package's code runs.
"""

from __future__ import annotations

import base64
import traceback
from collections.abc import Sequence
from typing import Any, NoReturn

from ..environment.environment import Environment
from ..environment.errors import ToolError
from ..environment.tool import Tool
from .channel import Channel

SERVER = "server.py"


class Elsewhere(Exception):
    """What the world raised, on the other side; the caller there knows it."""


class RemoteWorld:
    """A world as a tool sees it; every method is that of `World`."""

    def __init__(self, channel: Channel, now: str) -> None:
        self._channel = channel
        self.now = now
        self.today = now[:10]

    def one(self, sql: str, /, *params: Any, **named: Any) -> Any:
        """The only row of a query, or None."""
        return self._ask("one", sql, params, named)

    def all(self, sql: str, /, *params: Any, **named: Any) -> Any:
        """All rows of a query."""
        return self._ask("all", sql, params, named)

    def value(self, sql: str, /, *params: Any, **named: Any) -> Any:
        """The first column of the only row of a query."""
        return self._ask("value", sql, params, named)

    def run(self, sql: str, /, *params: Any, **named: Any) -> Any:
        """Run a statement; how many rows it changed."""
        return self._ask("run", sql, params, named)

    def new_code(self, kind: str, *how: Any, **named: Any) -> Any:
        """A new code."""
        return self._ask("new_code", kind, how, named)

    def new_number(self, kind: str, low: int, high: int) -> Any:
        """A new number."""
        return self._ask("new_number", kind, (low, high), {})

    def chance(self, kind: str) -> Any:
        """A number at least 0 and less than 1."""
        return self._ask("chance", kind, (), {})

    def pick(self, kind: str, sequence: Sequence[Any]) -> Any:
        """An item of a sequence."""
        return sequence[self._ask("pick", kind, (len(sequence),), {})]

    def _ask(self, method: str, first: Any, params: Sequence[Any], named: dict[str, Any]) -> Any:
        values = [packed(value) for value in params]
        self._channel.send(
            {"ask": method, "first": first, "params": values, "named": {name: packed(named[name]) for name in named}}
        )
        answer = self._channel.receive()
        if answer is None:
            raise SystemExit
        if "raised" in answer:
            raise Elsewhere(answer["raised"])
        return unpacked(answer["value"])

    def __reduce__(self) -> NoReturn:
        raise TypeError("a world does not pickle")


def serve(channel: Channel, environment: Environment) -> None:
    """Describe the tools, then call them as asked, until nobody asks any more."""
    channel.send({"tools": [described(tool) for tool in environment.tools.values()]})
    while (request := channel.receive()) is not None:
        tool = environment.tools[request["call"]]
        channel.send(_called(tool, request, RemoteWorld(channel, request["now"])))


def _called(tool: Tool, request: dict[str, Any], world: RemoteWorld) -> dict[str, Any]:
    """One call: its result as JSON text, or what came instead."""
    try:
        return {"result": tool.encode(tool.function(world, **tool.validate(request["text"])))}
    except ToolError as error:
        parts = {"code": error.code, "message": error.message, "field": error.field, "reason": error.reason}
        return {"refused": parts}
    except Elsewhere as error:
        return {"elsewhere": _place(error)}
    except Exception as error:  # noqa: BLE001 - said on the other side, in the words of a tool's fault
        text = "".join(traceback.format_exception_only(error)).strip()
        return {"raised": f"{text}{_place(error)}"}


def _place(error: BaseException) -> str:
    """Where in the package's code an error was raised, where it was there: ` (server.py:63)`."""
    frames = traceback.walk_tb(error.__traceback__)
    lines = [line for frame, line in frames if frame.f_code.co_filename.rpartition("/")[2] == SERVER]
    return f" ({SERVER}:{lines[-1]})" if lines else ""


def described(tool: Tool) -> dict[str, Any]:
    """A tool without its function."""
    return {
        "name": tool.name,
        "description": tool.description,
        "input_schema": tool.input_schema,
        "output_schema": tool.output_schema,
        "parameters": [
            {
                "name": one.name,
                "required": one.required,
                "default": one.default,
                "schema": dict(one.schema),
                "description": one.description,
                "ref": one.ref,
            }
            for one in tool.parameters
        ],
        "writes": tool.writes,
        "destructive": tool.destructive,
        "idempotent": tool.idempotent,
        "candidates": tool.candidates,
        "refused": dict(tool.refused),
        "actor": tool.actor,
        "confirm": tool.confirm,
        "outputs": dict(tool.outputs),
    }


def packed(value: Any) -> Any:
    """A value of a column as JSON; bytes, which JSON has not, as an object."""
    return {"bytes": base64.b64encode(value).decode()} if isinstance(value, bytes | bytearray | memoryview) else value


def unpacked(value: Any) -> Any:
    """What `packed` stood for, in rows too."""
    if isinstance(value, list):
        return [unpacked(item) for item in value]
    if isinstance(value, dict):
        if value.keys() == {"bytes"} and isinstance(value["bytes"], str):
            return base64.b64decode(value["bytes"])
        return {name: unpacked(item) for name, item in value.items()}
    return value
