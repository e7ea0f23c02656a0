"""Reading an agent's message: what a model may get wrong becomes data, what a programmer may not raises."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pydantic_core import PydanticSerializationError, from_json, to_json

from ..environment import EnvFactoryError

MAX_ARGUMENTS = 1 << 18
"""Longest arguments of one call, in characters of JSON text."""

_OBJECT = (dict, Mapping)
_LIST = (list, tuple, Sequence)
"""What passes for an object and for a list: usual types first, since asking an abstract class takes long."""


class InvalidAction(EnvFactoryError, TypeError):
    """The action is not an assistant message: a mistake in the calling program, not in the model."""


class ToolCall(NamedTuple):
    """One call of a message.

    Attributes:
        id: Names the call in the transcript.
        name: The tool.
        arguments: JSON text or an object, as the model gave them.
        text: The arguments as JSON text.
    """

    id: str
    name: str
    arguments: str | dict[str, Any]
    text: str | bytes


class AgentMessage(NamedTuple):
    """One step of the agent: text, calls, or both."""

    content: str
    calls: tuple[ToolCall, ...]

    def as_openai(self) -> dict[str, Any]:
        """The message as it stands in a transcript (arguments as the model gave them)."""
        message: dict[str, Any] = {"role": "assistant", "content": self.content}
        if self.calls:
            message["tool_calls"] = [
                {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
                for call in self.calls
            ]
        return message


def read_action(action: Any, step: int) -> AgentMessage:
    """An action as a message.

    Args:
        action: A message in OpenAI form, or the short form
            `{"tool_calls": [{"name": ..., "arguments": ...}]}`.
        step: Number of the step, for ids of calls that carry none.

    Raises:
        InvalidAction: It is neither.
    """
    if not isinstance(action, _OBJECT):
        raise InvalidAction(
            f"an action is a dict such as {{'role': 'assistant', 'content': 'Done.'}}, not {type(action).__name__}"
        )
    if action.get("role", "assistant") != "assistant":
        raise InvalidAction(f"an action has the role 'assistant', not {action['role']!r}")
    content, calls = action.get("content"), action.get("tool_calls")
    if content is None:
        content = ""
    if not isinstance(content, str):
        raise InvalidAction(f"the content of an action is text or None, not {type(content).__name__}")
    if calls is None:
        calls = ()
    if not isinstance(calls, _LIST) or isinstance(calls, (str, bytes)):
        raise InvalidAction(f"tool_calls is a list, not {type(calls).__name__}")
    if "content" not in action and "tool_calls" not in action:
        raise InvalidAction("an action has 'content', 'tool_calls' or both")
    return AgentMessage(clean(content), tuple([_call(call, step, n) for n, call in enumerate(calls)]))


def _call(call: Any, step: int, number: int) -> ToolCall:
    if not isinstance(call, _OBJECT):
        raise InvalidAction(f"a tool call is a dict, not {type(call).__name__}")
    body = call.get("function", call)
    if not isinstance(body, _OBJECT) or not isinstance(body.get("name"), str):
        raise InvalidAction("a tool call needs a 'name', directly or under 'function'")
    arguments = body.get("arguments")
    identifier = call.get("id")
    if not identifier or not isinstance(identifier, str):
        identifier = f"call_{step}_{number}"
    return ToolCall(clean(identifier), clean(body["name"]), *_arguments(arguments))


def _arguments(arguments: Any) -> tuple[str | dict[str, Any], str | bytes]:
    """Arguments as a transcript can keep them, and as JSON text.

    What JSON cannot carry (NaN, lone surrogates, endless nesting, objects of the caller's language), and
    what is no object, becomes text: the tool's own validation will say what is wrong with it.
    """
    if arguments is None:
        return {}, "{}"
    if isinstance(arguments, str):
        arguments = clean(arguments)
        return arguments, arguments
    if isinstance(arguments, _OBJECT):
        given = arguments if isinstance(arguments, dict) else dict(arguments)
        try:
            encoded = to_json(given)
            if b"NaN" in encoded or b"Infinity" in encoded:  # as numbers or in a text: only reading it tells
                from_json(encoded, allow_inf_nan=False)
            return given, encoded
        except (PydanticSerializationError, ValueError, TypeError):
            pass  # it is written as text below
    try:
        text = json.dumps(arguments, default=repr)
    except (TypeError, ValueError, RecursionError):
        text = f"<{type(arguments).__name__}>"
    return text, text


def clean(text: str) -> str:
    """Text without lone surrogates, which no JSON encoder takes."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
