"""Remembering what was read in a text, without keeping the long ones.

Requests and closing messages are read several times in an episode and again by every episode of a
group, so what was found in them is remembered. A message may also be a megabyte of quoted tables;
of those only the last two are kept, else the memory of a process would grow with what agents say.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, TypeVar

LONG = 4096
"""Characters from which a text is long."""

Reader = TypeVar("Reader", bound=Callable[..., Any])


def remembered(size: int) -> Callable[[Reader], Reader]:
    """Remember the results of a function of a text (its first argument) for so many short texts."""

    def around(function: Reader) -> Reader:
        short, long = lru_cache(size)(function), lru_cache(2)(function)

        @wraps(function)
        def read(text: str, *rest: Any) -> Any:
            return (short if len(text) < LONG else long)(text, *rest)

        return read  # type: ignore[return-value]

    return around
