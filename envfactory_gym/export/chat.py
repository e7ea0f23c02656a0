"""`chat`: canonical chat rows, whole transcripts or one row per step. Every other supervised format starts here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from .masks import Mask, loss_mask, steps
from .messages import as_text
from .sample import Sample

Row = dict[str, Any]
Arguments = Literal["object", "text"]


def chat_rows(sample: Sample, *, per_step: bool, mask: Mask, arguments: Arguments = "object") -> Iterator[Row]:
    """The rows of a sample.

    Args:
        sample: The episode.
        per_step: One row per trained step, `prompt` and `completion`, instead of one with `messages` and `loss`.
        mask: Which assistant messages are trained on.
        arguments: Of tool calls: objects, as chat templates want them, or JSON text, as OpenAI's API does.
    """
    shape = as_text if arguments == "text" else list
    if not per_step:
        yield {
            "messages": shape(sample.messages),
            "tools": sample.tools,
            "loss": loss_mask(sample, mask),
            **sample.about(),
        }
        return
    for step, before, message in steps(sample, mask):
        yield {
            "prompt": shape(before),
            "completion": shape([message]),
            "tools": sample.tools,
            "step": step,
            **sample.about(),
        }
