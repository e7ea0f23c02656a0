"""Loss masks: which assistant messages of a sample are trained on.

A mask is a name for a choice of messages; it becomes a list of 0 and 1 beside the messages, or,
in the per-step form, the choice of steps that get a row of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from .messages import Message
from .sample import Sample


class Mask(StrEnum):
    """Which assistant messages count.

    `all` does; `clean` leaves out messages with a call that was refused (they stay as context, so that a
    model learns to recover and not to err); `calls` and `text` choose by what a message is; `last` is the
    final message alone.
    """

    ALL = "all"
    CLEAN = "clean"
    CALLS = "calls"
    TEXT = "text"
    LAST = "last"


def loss_mask(sample: Sample, mask: Mask) -> list[int]:
    """Per message 1 where it is trained on, else 0; only assistant messages ever are."""
    spoken = [index for index, message in enumerate(sample.messages) if message["role"] == "assistant"]
    chosen = {index for index in spoken if _counts(sample, index, mask, spoken[-1])}
    return [int(index in chosen) for index in range(len(sample.messages))]


def _counts(sample: Sample, index: int, mask: Mask, last: int) -> bool:
    match mask:
        case Mask.ALL:
            return True
        case Mask.CLEAN:
            return not sample.errors[index]
        case Mask.CALLS:
            return "tool_calls" in sample.messages[index]
        case Mask.TEXT:
            return "tool_calls" not in sample.messages[index]
        case Mask.LAST:
            return index == last


def steps(sample: Sample, mask: Mask) -> Iterator[tuple[int, list[Message], Message]]:
    """Every step of a sample that is trained on: its number, the messages before it, and the message."""
    for step, index in enumerate(i for i, wanted in enumerate(loss_mask(sample, mask)) if wanted):
        yield step, sample.messages[:index], sample.messages[index]
