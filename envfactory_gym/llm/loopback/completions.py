"""From what a script says to the JSON of a chat completion, spoilt where a fault of the model is asked for."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

Message = dict[str, Any]


class Heard(NamedTuple):
    """One request as the server heard it.

    Attributes:
        request: The JSON body.
        session: The header `x-session-id`; empty without one.
    """

    request: dict[str, Any]
    session: str


Responder = Callable[[Heard], Message]
"""Answers a request with an assistant message; calls in short (`name`, `arguments`) or OpenAI form.

A message may carry `finish_reason` and `usage` of its own; both are taken out of it.
"""

CREATED = 1_700_000_000
"""The time stamp of every completion: answers repeat."""


def completion(heard: Heard, said: Mapping[str, Any], number: int, fault: str | None = None) -> dict[str, Any]:
    """The body of a chat completion.

    Args:
        heard: The request.
        said: The assistant message of the script.
        number: Which request this is, for ids.
        fault: One of `MODEL_FAULTS`, or None.
    """
    message = {"role": "assistant", "content": said.get("content") or None}
    calls = [_call(call, f"call_{number}_{position}") for position, call in enumerate(said.get("tool_calls") or ())]
    if calls:
        message["tool_calls"] = calls
    reason = said.get("finish_reason") or ("tool_calls" if calls else "stop")
    if fault is not None:
        message, reason = _spoilt(message, reason, fault)
    usage = said.get("usage") or _usage(heard.request, message)
    return {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": CREATED,
        "model": heard.request.get("model", "scripted"),
        "choices": [{"index": 0, "message": message, "finish_reason": reason, "logprobs": None}],
        "usage": usage,
    }


def chunks(whole: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A completion as the chunks of a stream: all of it, then the reason why it ended."""
    choice = whole["choices"][0]
    delta = dict(choice["message"])
    if delta.get("tool_calls"):
        delta["tool_calls"] = [{**call, "index": index} for index, call in enumerate(delta["tool_calls"])]
    base = {**whole, "object": "chat.completion.chunk"}
    return [
        {**base, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
        {**base, "choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]},
    ]


def _call(call: Mapping[str, Any], fallback: str) -> dict[str, Any]:
    body = call.get("function", call)
    arguments = body.get("arguments", {})
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return {"id": fallback, "type": "function", "function": {"name": body["name"], "arguments": text}}


def _spoilt(message: Message, reason: str, fault: str) -> tuple[Message, str]:
    calls = message.get("tool_calls") or []
    content = message["content"] or ""
    if fault == "empty":
        return {"role": "assistant", "content": None}, "stop"
    if fault == "cut_off" or (fault == "malformed_call" and not calls):
        if calls:
            last = calls[-1]["function"]
            last["arguments"] = last["arguments"][: len(last["arguments"]) // 2]
        return {**message, "content": content[: len(content) // 2] or None}, "length"
    for call in calls:
        if fault == "malformed_call":
            call["function"]["arguments"] = call["function"]["arguments"][:-1] + ", oops"
        elif fault == "unknown_tool":
            call["function"]["name"] = "no_such_tool"
        elif fault == "duplicate_ids":
            call["id"] = "call_again"
        elif fault == "missing_ids":
            call["id"] = ""
    return message, reason


def _usage(request: Mapping[str, Any], message: Message) -> dict[str, int]:
    """Tokens by a rule of thumb, four characters each: a stand-in, the same every time."""
    prompt = sum(len(str(part.get("content") or "")) + len(part.get("tool_calls") or "") * 40
                 for part in request.get("messages", ()))  # fmt: skip
    written = len(message["content"] or "") + sum(
        len(call["function"]["arguments"]) for call in message.get("tool_calls", ())
    )
    prompt, written = prompt // 4 + 1, written // 4 + 1
    return {"prompt_tokens": prompt, "completion_tokens": written, "total_tokens": prompt + written}
