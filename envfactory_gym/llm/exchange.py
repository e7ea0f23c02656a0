"""One request and its answer, exactly as they went over the wire: what token-level training needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .usage import Usage

Message = dict[str, Any]


@dataclass(frozen=True)
class Exchange:
    """A completion.

    Attributes:
        request: The JSON body that was sent.
        response: The JSON body that came back: log-probabilities, token ids, reasoning, whatever was asked for.
        tag: Whose it is, such as `airline/cancel-oslo#0`.
        attempts: Requests it took; 0 where it was replayed.
        seconds: From the first request to the answer.
        cost: What it cost, where the price is known.
        replayed: Whether it comes from a cassette and was paid for before.
    """

    request: dict[str, Any]
    response: dict[str, Any]
    tag: str = ""
    attempts: int = 1
    seconds: float = 0.0
    cost: float | None = None
    replayed: bool = False

    @property
    def message(self) -> Message:
        """The assistant message of the first choice."""
        message: Message = self.response["choices"][0]["message"]
        return message

    @property
    def text(self) -> str:
        """Its words; empty where it has none."""
        return self.message.get("content") or ""

    @property
    def finish_reason(self) -> str | None:
        """Why the model stopped: `stop`, `tool_calls`, `length`, ..."""
        reason: str | None = self.response["choices"][0].get("finish_reason")
        return reason

    @property
    def usage(self) -> Usage:
        """Its tokens."""
        return Usage.of(self.response)


def fault_of(response: Any) -> str | None:
    """What is wrong with the body of an answer; None where it is a completion."""
    if not isinstance(response, dict):
        return "the answer is no JSON object"
    if response.get("error"):
        return f"the answer is an error: {response['error']}"
    choices = response.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        return "the answer has no choices"
    message = choices[0].get("message")
    if not isinstance(message, dict):
        return "the answer has no message"
    if not isinstance(message.get("content"), str | None):
        return "the content of the answer is no text"
    if not isinstance(message.get("tool_calls"), list | None):
        return "the tool calls of the answer are no list"
    return None
