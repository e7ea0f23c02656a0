"""What a similarity backend is given, and what it has to answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, order=True)
class Text:
    """A result or an input, as a backend sees it.

    Attributes:
        name: Its path, such as `reservations[].reservation_id`.
        type: Its type.
        description: What it means; may be empty.
        subject: What its tool is about, which tells what a bare `id` is of.
    """

    name: str
    type: str
    description: str = ""
    subject: str = ""

    @property
    def sentence(self) -> str:
        """`name (type): description`, the text that the paper embeds."""
        return f"{self.name} ({self.type}): {self.description}" if self.description else f"{self.name} ({self.type})"


class Similarity(Protocol):
    """A backend.

    Attributes:
        name: What it is called in saved graphs.
        threshold: Scores above it make a link.
    """

    name: str
    threshold: float

    def scores(self, outputs: Sequence[Text], inputs: Sequence[Text]) -> list[list[float]]:
        """The score of each output (row) with each input (column), in [0, 1]."""
        ...
