"""The canonical form of messages: one shape for every exporter, from which nothing is lost.

A tool call's arguments are an object wherever the text the model wrote is one that JSON gives back
unchanged in meaning; otherwise (broken JSON, a repeated key, a number no float holds, half a
character) they stay the text it was. Chat templates take both, and so does `as_text`, which OpenAI's
own API wants.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Message = dict[str, Any]


class _Inexact(ValueError):
    """JSON text that an object cannot stand for."""


def canonical(messages: Iterable[Mapping[str, Any]]) -> list[Message]:
    """Messages of a transcript in canonical form: known keys only, in one order, arguments as objects.

    Args:
        messages: System, user, assistant and tool messages as an episode keeps them.

    Raises:
        ValueError: A message has a role that no transcript has.
    """
    return [_canonical(message) for message in messages]


def _canonical(message: Mapping[str, Any]) -> Message:
    role, content = message["role"], message.get("content") or ""
    match role:
        case "system" | "user":
            return {"role": role, "content": content}
        case "assistant":
            calls = [_call(call) for call in message.get("tool_calls") or ()]
            return {"role": role, "content": content, **({"tool_calls": calls} if calls else {})}
        case "tool":
            return {
                "role": role,
                "tool_call_id": message.get("tool_call_id", ""),
                "name": message.get("name", ""),
                "content": content,
            }
    raise ValueError(f"a transcript has system, user, assistant and tool messages, not {role!r}")


def _call(call: Mapping[str, Any]) -> Message:
    function = call.get("function", call)
    given = function.get("arguments", {})
    arguments = read_arguments(given) if isinstance(given, str) else given
    return {
        "id": call.get("id", ""),
        "type": "function",
        "function": {"name": function["name"], "arguments": arguments},
    }


def read_arguments(text: str) -> Any:
    """The object that JSON text stands for; the text itself where an object would not say the same."""
    try:
        value = json.loads(text, object_pairs_hook=_distinct, parse_float=_finite, parse_constant=_refuse)
        if "\\u" in text:
            dump(value).encode()  # half of a surrogate pair is no character that a file can hold
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, dict) else text


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Inexact("a key stands twice")
    return found


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise _Inexact(text)
    return value


def _refuse(text: str) -> float:
    raise _Inexact(text)


def dump(value: Any) -> str:
    """JSON text as all rows are written: compact, in the given order, characters as they are."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def as_text(messages: Sequence[Message]) -> list[Message]:
    """Canonical messages with arguments as JSON text, as OpenAI's API wants them."""
    return [
        {**message, "tool_calls": [_call_as_text(call) for call in message["tool_calls"]]}
        if "tool_calls" in message
        else dict(message)
        for message in messages
    ]


def _call_as_text(call: Message) -> Message:
    arguments = call["function"]["arguments"]
    text = arguments if isinstance(arguments, str) else dump(arguments)
    return {**call, "function": {**call["function"], "arguments": text}}
