"""Spaces for text agents: assistant messages as actions, lists of messages as observations.

Both compare by content, pickle, and draw samples that reach real code: `AgentMessages.sample()`
gives a schema-valid call with values that occur in the environment's base data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium as gym

from ..environment.jsonschema import number_bounds, size_bounds
from ..episode.actions import InvalidAction, read_action

Message = dict[str, Any]


class AgentMessages(gym.Space[Message]):
    """Assistant messages in OpenAI form, or the short form `{"tool_calls": [...]}`.

    Args:
        tools: Tools in OpenAI form.
        examples: Tool → argument → values that occur in the base data.
        seed: Seed of `sample()`.
    """

    def __init__(
        self,
        tools: Sequence[Mapping[str, Any]],
        examples: Mapping[str, Mapping[str, Sequence[Any]]] | None = None,
        seed: int | None = None,
    ) -> None:
        self.tools = [dict(tool["function"]) for tool in tools]
        self.examples = {name: dict(values) for name, values in (examples or {}).items()}
        super().__init__(shape=None, dtype=None, seed=seed)

    @property
    def is_np_flattenable(self) -> bool:
        """Text does not flatten into an array."""
        return False

    def contains(self, x: Any) -> bool:
        """Whether `x` is a message that `step` accepts."""
        try:
            read_action(x, 0)
        except InvalidAction:
            return False
        return True

    def sample(self, mask: Any = None, probability: Any = None) -> Message:
        """A message with one schema-valid call, or now and then plain text; masks are not supported."""
        if mask is not None or probability is not None:
            raise ValueError("AgentMessages.sample takes no mask and no probability")
        if not self.tools or self.np_random.random() < 0.05:
            return {"role": "assistant", "content": "Done."}
        tool = self.tools[int(self.np_random.integers(len(self.tools)))]
        schema, examples = tool["parameters"], self.examples.get(tool["name"], {})
        required = set(schema.get("required", ()))
        arguments = {
            name: self._argument(child, examples.get(name, ()))
            for name, child in schema.get("properties", {}).items()
            if name in required or self.np_random.random() < 0.3
        }
        return {"role": "assistant", "content": "", "tool_calls": [{"name": tool["name"], "arguments": arguments}]}

    def _argument(self, schema: Mapping[str, Any], examples: Sequence[Any]) -> Any:
        if examples and self.np_random.random() < 0.9:
            return examples[int(self.np_random.integers(len(examples)))]
        return self._value(schema)

    def _value(self, schema: Mapping[str, Any]) -> Any:
        if "enum" in schema:
            return schema["enum"][int(self.np_random.integers(len(schema["enum"])))]
        if "anyOf" in schema:
            return self._value(schema["anyOf"][int(self.np_random.integers(len(schema["anyOf"])))])
        match schema.get("type"):
            case "integer":
                low, high = number_bounds(schema, 0, 10)
                return int(self.np_random.integers(int(low), int(high), endpoint=True))
            case "number":
                low, high = number_bounds(schema, 0, 100)
                return min(high, max(low, round(low + float(self.np_random.random()) * (high - low), 2)))
            case "boolean":
                return bool(self.np_random.integers(2))
            case "array":
                size = int(self.np_random.integers(*size_bounds(schema, "Items", 0, 3), endpoint=True))
                return [self._value(schema.get("items", {})) for _ in range(size)]
            case "object":
                return {name: self._value(child) for name, child in schema.get("properties", {}).items()}
            case "null":
                return None
            case _:
                return self._text(schema)

    def _text(self, schema: Mapping[str, Any]) -> str:
        day = f"2026-{self.np_random.integers(1, 13):02}-{self.np_random.integers(1, 29):02}"
        if schema.get("format") == "date":
            return day
        if schema.get("format") == "date-time":
            return f"{day}T{self.np_random.integers(24):02}:00:00Z"
        low, high = size_bounds(schema, "Length", 1, 7)
        size = int(self.np_random.integers(low, min(high, max(low, 12)), endpoint=True))
        return "".join(chr(97 + int(letter)) for letter in self.np_random.integers(26, size=size))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AgentMessages) and (self.tools, self.examples) == (other.tools, other.examples)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"AgentMessages({[tool['name'] for tool in self.tools]})"


class Messages(gym.Space[tuple[Message, ...]]):
    """New messages since the agent last spoke: system, user and tool messages in OpenAI form."""

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(shape=None, dtype=None, seed=seed)

    @property
    def is_np_flattenable(self) -> bool:
        """Text does not flatten into an array."""
        return False

    def contains(self, x: Any) -> bool:
        """Whether `x` is a tuple of messages."""
        return isinstance(x, tuple) and all(
            isinstance(message, dict)
            and isinstance(message.get("role"), str)
            and isinstance(message.get("content"), str)
            for message in x
        )

    def sample(self, mask: Any = None, probability: Any = None) -> tuple[Message, ...]:
        """One user message of a few letters; masks are not supported."""
        if mask is not None or probability is not None:
            raise ValueError("Messages.sample takes no mask and no probability")
        letters = self.np_random.integers(26, size=int(self.np_random.integers(1, 12)))
        return ({"role": "user", "content": "".join(chr(97 + int(letter)) for letter in letters)},)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Messages)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return "Messages()"
