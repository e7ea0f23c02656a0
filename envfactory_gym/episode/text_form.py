"""The text form of tool use, for models without native calls: `<tool_call>` tags, as Hermes and Qwen write them.

Reading never fails. What cannot be read becomes a call whose arguments are the text as it stands, so
that the tool's own validation tells the model what is wrong, in the transcript, as it would natively;
`problems` says what it was, for those who count.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from pydantic_core import from_json

Message = dict[str, Any]

_CALL = re.compile(r"<tool_call>(.*?)(</tool_call>|(?=<tool_call>)|\Z)", re.DOTALL)
_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
_ENDED_THOUGHT = re.compile(r"\A(?:(?!<think>).)*?</think>", re.DOTALL)
_NAME = re.compile(r'"name"\s*:\s*"([^"\\]{1,80})"')

_BETWEEN = "\n</tool_response>\n<tool_response>\n"

UNREADABLE = "unreadable_call"
"""The tool that a call is said to be for where not even a name can be made out."""


class ReadText(NamedTuple):
    """A model's text, read.

    Attributes:
        message: The assistant message: content without tags and thoughts, and calls.
        problems: What could not be read, one word each: `unclosed` tag, `unparsable` JSON, `no name`.
    """

    message: Message
    problems: tuple[str, ...]


def read_text(text: str) -> ReadText:
    """Read what a model wrote.

    Args:
        text: Its whole output. Thoughts (`<think>`) are left out, one that never ends too.
    """
    seen = _ENDED_THOUGHT.sub("", _THOUGHT.sub("", text), count=1)
    problems: list[str] = []
    calls = []
    for found in _CALL.finditer(seen):
        if not found[2]:
            problems.append("unclosed")
        calls.append(_call(found[1].strip(), problems))
    message: Message = {"role": "assistant", "content": _CALL.sub("", seen).strip()}
    if calls:
        message["tool_calls"] = calls
    return ReadText(message, tuple(problems))


def _call(body: str, problems: list[str]) -> dict[str, Any]:
    try:
        data = from_json(body)
    except ValueError:
        problems.append("unparsable")
        named = _NAME.search(body)
        return {"name": named[1] if named else UNREADABLE, "arguments": body}
    if not isinstance(data, dict) or not isinstance(data.get("name"), str):
        problems.append("no name")
        return {"name": UNREADABLE, "arguments": body}
    arguments = data.get("arguments", data.get("parameters", {}))
    if not isinstance(arguments, dict | str):
        arguments = {} if arguments is None else json.dumps(arguments, ensure_ascii=False)
    return {"name": data["name"], "arguments": arguments}


def write_text(message: Mapping[str, Any]) -> str:
    """An assistant message as a model in the text form writes it; `read_text` gives it back."""
    parts = [message["content"]] if message.get("content") else []
    for call in message.get("tool_calls") or ():
        body = call.get("function", call)
        arguments = body.get("arguments", {})
        if isinstance(arguments, str):
            with suppress(ValueError):  # what the model wrote is no JSON, and stays the text that it is
                arguments = from_json(arguments)
        written = json.dumps({"name": body["name"], "arguments": arguments}, ensure_ascii=False)
        parts.append(f"<tool_call>\n{written}\n</tool_call>")
    return "\n".join(parts)


def results_text(results: Sequence[Mapping[str, Any]]) -> str:
    """Tool messages as the one user message in which the text form carries them."""
    return f"<tool_response>\n{_BETWEEN.join(result['content'] for result in results)}\n</tool_response>"


def read_results(text: str) -> list[str]:
    """The results in a user message of the text form; none where it is the user who speaks."""
    if not text.startswith("<tool_response>\n"):
        return []
    return text.removeprefix("<tool_response>\n").removesuffix("\n</tool_response>").split(_BETWEEN)
