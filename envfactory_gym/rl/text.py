"""`TextActions`: a wrapper for agents that speak and hear plain text.

The model's answer is read as Hermes and Qwen write it, with `<tool_call>` tags; tools stand in the system prompt, and
what comes back is the text of the new messages. Reading and writing are the episode's own text form,
which the rollouts use as well.
"""

from __future__ import annotations

from typing import Any

import gymnasium as gym

from ..episode.prompt import with_tools
from ..episode.text_form import read_text, results_text
from .spaces import Message


class AnyText(gym.Space[str]):
    """Any string, unlike Gymnasium's `Text`, which has to list every character.

    Args:
        seed: Seed of `sample()`.
    """

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(shape=None, dtype=None, seed=seed)

    @property
    def is_np_flattenable(self) -> bool:
        """Text does not flatten into an array."""
        return False

    def contains(self, x: Any) -> bool:
        """Whether `x` is a string."""
        return isinstance(x, str)

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """A few letters; masks are not supported."""
        if mask is not None or probability is not None:
            raise ValueError("AnyText.sample takes no mask and no probability")
        letters = self.np_random.integers(26, size=int(self.np_random.integers(1, 12)))
        return "".join(chr(97 + int(letter)) for letter in letters)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AnyText)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return "AnyText()"


class TextActions(gym.Wrapper[str, str, tuple[Message, ...], Message]):
    """An `EnvFactoryEnv` whose actions and observations are strings.

    The observation of `reset` is the system prompt, with the tools in it, and the request; that of a step holds
    the results of calls between `<tool_response>` tags, or what the user says. A call that cannot be read is a
    call that is refused, and uses a step.

    Args:
        env: An `EnvFactoryEnv`, wrapped or not.
    """

    def __init__(self, env: gym.Env[tuple[Message, ...], Message]) -> None:
        super().__init__(env)  # type: ignore[arg-type] # mypy mixes up the four type parameters
        self._inner = env
        self.action_space = AnyText()
        self.observation_space = AnyText()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Begin an episode; as `EnvFactoryEnv.reset`."""
        (system, *rest), info = self._inner.reset(seed=seed, options=options)
        return _joined([with_tools(system["content"], info["tools"]), *(message["content"] for message in rest)]), info

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Play the text of a model; `info["unreadable"]` says what of it could not be read, where anything."""
        message, wrong = read_text(action)
        said, reward, terminated, truncated, info = self._inner.step(message)
        results = [one for one in said if one["role"] == "tool"]
        texts = [results_text(results)] if results else []
        texts += [one["content"] for one in said if one["role"] != "tool"]
        if wrong:
            info = {**info, "unreadable": list(wrong)}
        return _joined(texts), float(reward), terminated, truncated, info


def _joined(texts: list[str]) -> str:
    return "\n\n".join(texts)
