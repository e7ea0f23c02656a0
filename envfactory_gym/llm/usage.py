"""What a completion used and what that costs: tokens as the endpoint counts them, prices as the user gives them.

There is no built-in price list: prices change, and a wrong one is worse than none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from .errors import ModelError


class Usage(NamedTuple):
    """Tokens of one or more completions.

    Attributes:
        prompt: Tokens read, those from a cache included.
        completion: Tokens written, those of reasoning included.
        cached: Of the prompt, how many came from a cache.
        reasoning: Of the completion, how many were reasoning.
    """

    prompt: int = 0
    completion: int = 0
    cached: int = 0
    reasoning: int = 0

    @property
    def total(self) -> int:
        """Tokens read and written."""
        return self.prompt + self.completion

    def plus(self, other: Usage) -> Usage:
        """Both together."""
        return Usage(*(mine + its for mine, its in zip(self, other, strict=True)))

    @classmethod
    def of(cls, response: Mapping[str, Any]) -> Usage:
        """The usage that a response reports; zeros where it reports none."""
        told = response.get("usage") or {}
        read, written = told.get("prompt_tokens_details") or {}, told.get("completion_tokens_details") or {}
        return cls(
            _count(told.get("prompt_tokens")),
            _count(told.get("completion_tokens")),
            _count(read.get("cached_tokens")),
            _count(written.get("reasoning_tokens")),
        )


def _count(told: Any) -> int:
    return told if isinstance(told, int) and told > 0 else 0


@dataclass(frozen=True)
class Price:
    """Money per million tokens; the currency is the user's.

    Attributes:
        input, output: Per million tokens read and written.
        cached: Per million tokens read from a cache; by default as much as any other.
    """

    input: float
    output: float
    cached: float | None = None

    def of(self, usage: Usage) -> float:
        """What some usage costs."""
        cached = self.input if self.cached is None else self.cached
        fresh = usage.prompt - usage.cached
        return (fresh * self.input + usage.cached * cached + usage.completion * self.output) / 1e6


def read_prices(path: str | Path) -> dict[str, Price]:
    """A price file: model → `input`, `output` and perhaps `cached`, per million tokens, as YAML or JSON.

    Raises:
        ModelError: It is not of that form; the message shows it.
    """
    try:
        told = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
        return {
            str(model): Price(**{name: float(value) for name, value in prices.items()})
            for model, prices in told.items()
        }
    except (yaml.YAMLError, UnicodeDecodeError, AttributeError, TypeError, ValueError) as error:
        raise ModelError(
            f"{path} is not a price file ({error}); each line is such as `my-model: {{input: 0.15, output: 0.60}}`, "
            "per million tokens"
        ) from error
