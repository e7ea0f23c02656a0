"""How an episode travels to a model and back: natively, with tools beside the messages, or as text, with tags.

Both forms only ever add to what was sent before, so that each request begins with the bytes of the
last one: what servers cache, and what token-level training needs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol

from pydantic_core import from_json

from ...episode.prompt import with_tools
from ...episode.text_form import UNREADABLE, read_text, results_text
from ...llm import Exchange

Message = dict[str, Any]
FormName = Literal["native", "text"]

PROBLEMS = ("cut_off", "empty", "unparsable", "tags_in_text")
"""What can be wrong with a model's message.

`cut_off` it ran into the limit of tokens · `empty` neither words nor calls · `unparsable` a call whose name or
arguments cannot be read · `tags_in_text` calls written as text though tools are called natively.
"""


class Heard(NamedTuple):
    """A model's message, read.

    Attributes:
        action: What the episode is given.
        problems: Words of `PROBLEMS`.
    """

    action: Message
    problems: tuple[str, ...]


class Wire(Protocol):
    """One episode as one model sees it."""

    name: FormName

    def request(self) -> Message:
        """The parts of the next request that depend on the episode; its list of messages is a fresh one."""

    def hear(self, exchange: Exchange) -> Heard:
        """Read an answer."""

    def said(self, action: Message, exchange: Exchange, new: Sequence[Message]) -> None:
        """Add what the model said, as the episode keeps it, and the messages that it led to."""


def wire_of(form: FormName, messages: Sequence[Message], tools: Sequence[Message], *, reasoning: bool = False) -> Wire:
    """The wire of an episode that begins.

    Args:
        form: Which.
        messages: The first messages: the system prompt and the request.
        tools: In OpenAI form.
        reasoning: Whether the model's reasoning is sent back with its earlier messages.

    Raises:
        ValueError: There is no such form.
    """
    if form not in ("native", "text"):
        raise ValueError(f"form is 'native' or 'text', not {form!r}")
    return (NativeWire if form == "native" else TextWire)(messages, tools, reasoning=reasoning)


class NativeWire:
    """Tools beside the messages; calls and results as messages of their own."""

    name: FormName = "native"

    def __init__(self, messages: Sequence[Message], tools: Sequence[Message], *, reasoning: bool = False) -> None:
        self._messages = [dict(message) for message in messages]
        self._tools, self._reasoning = list(tools), reasoning
        self._ids: set[str] = set()

    def request(self) -> Message:
        """Messages and tools."""
        return {"messages": list(self._messages), **({"tools": self._tools} if self._tools else {})}

    def hear(self, exchange: Exchange) -> Heard:
        """Read an answer; calls without an id of their own get one, since results are matched by it."""
        content = exchange.message.get("content") or ""
        problems = []
        calls = []
        for number, given in enumerate(exchange.message.get("tool_calls") or ()):
            call, readable = _call(given)
            if not readable:
                problems.append("unparsable")
            if not call["id"] or call["id"] in self._ids:
                call["id"] = self._fresh(number)
            self._ids.add(call["id"])
            calls.append(call)
        if "<tool_call>" in content:
            problems.append("tags_in_text")
        action: Message = {"role": "assistant", "content": content}
        if calls:
            action["tool_calls"] = calls
        return Heard(action, (*problems, *_limits(exchange, action)))

    def _fresh(self, number: int) -> str:
        step = len(self._messages)
        while (name := f"call_{step}_{number}") in self._ids:
            number += 1
        return name

    def said(self, action: Message, exchange: Exchange, new: Sequence[Message]) -> None:
        """Add an assistant message and what follows it."""
        message: Message = {"role": "assistant", "content": action["content"]}
        if action.get("tool_calls"):
            message["content"] = action["content"] or None
            message["tool_calls"] = [_with_text(call) for call in action["tool_calls"]]
        if self._reasoning:
            for name in ("reasoning_content", "reasoning"):
                if exchange.message.get(name):
                    message[name] = exchange.message[name]
        self._messages.append(message)
        self._messages += [
            {"role": "tool", "tool_call_id": told["tool_call_id"], "content": told["content"]}
            if told["role"] == "tool"
            else told
            for told in new
        ]


class TextWire:
    """Everything as text: tools in the system prompt, calls and results between tags."""

    name: FormName = "text"

    def __init__(self, messages: Sequence[Message], tools: Sequence[Message], *, reasoning: bool = False) -> None:
        system, *rest = messages
        self._messages = [{**system, "content": with_tools(system["content"], tools)}, *rest]
        self._reasoning = reasoning

    def request(self) -> Message:
        """Messages alone."""
        return {"messages": list(self._messages)}

    def hear(self, exchange: Exchange) -> Heard:
        """Read the tags of an answer."""
        action, wrong = read_text(exchange.text)
        return Heard(action, (*("unparsable" for _ in wrong), *_limits(exchange, action)))

    def said(self, action: Message, exchange: Exchange, new: Sequence[Message]) -> None:
        """Add the text as it was written, and what follows it."""
        text = exchange.text
        if not self._reasoning and "</think>" in text:
            text = text.rpartition("</think>")[2].lstrip()
        self._messages.append({"role": "assistant", "content": text})
        results = [told for told in new if told["role"] == "tool"]
        if results:
            self._messages.append({"role": "user", "content": results_text(results)})
        self._messages += [told for told in new if told["role"] != "tool"]


def _limits(exchange: Exchange, action: Mapping[str, Any]) -> list[str]:
    found = ["cut_off"] if exchange.finish_reason == "length" else []
    return found if action["content"].strip() or action.get("tool_calls") else [*found, "empty"]


def _call(given: Any) -> tuple[Message, bool]:
    """A call of an answer, and whether it can be read: endpoints pass on what models write."""
    body = given.get("function") if isinstance(given, dict) else None
    name = body.get("name") if isinstance(body, dict) else None
    if not isinstance(body, dict) or not isinstance(name, str) or not name:
        text = json.dumps(given, ensure_ascii=False)
        return {"id": "", "type": "function", "function": {"name": UNREADABLE, "arguments": text}}, False
    identifier, arguments = given.get("id"), body.get("arguments")
    call = {
        "id": identifier if isinstance(identifier, str) else "",
        "type": "function",
        "function": {"name": name, "arguments": "{}" if arguments in (None, "") else arguments},
    }
    if not isinstance(arguments, str) or not arguments:
        return call, isinstance(arguments, dict | str | None)
    try:
        return call, isinstance(from_json(arguments), dict)
    except ValueError:
        return call, False


def _with_text(call: Mapping[str, Any]) -> Message:
    """A call with its arguments as JSON text, the only form that every endpoint takes."""
    body = call["function"]
    arguments = body["arguments"]
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return {"id": call["id"], "type": "function", "function": {"name": body["name"], "arguments": text}}
