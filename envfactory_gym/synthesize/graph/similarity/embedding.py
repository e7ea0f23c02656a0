"""What embedding backends share: the paper's text, its threshold, and cosines that are the same everywhere."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .base import Text

PAPER_THRESHOLD = 0.85
"""The reference links a result and an input whose `name (type): description` have a cosine above it."""


@dataclass
class Embedding:
    """A backend over vectors of texts.

    Attributes:
        name: What it is called in saved graphs.
        threshold: Scores above it make a link.
    """

    name: str = "embedding"
    threshold: float = PAPER_THRESHOLD

    def vectors(self, sentences: Sequence[str]) -> Sequence[Sequence[float]]:
        """One vector per sentence, all of one length."""
        raise NotImplementedError

    def scores(self, outputs: Sequence[Text], inputs: Sequence[Text]) -> list[list[float]]:
        """Cosines of the texts, cut off at zero and rounded, so that the last bits of a machine do not show."""
        sentences = sorted({text.sentence for text in (*outputs, *inputs)})
        if not sentences:
            return []
        vectors = self._directions(self.vectors(sentences))
        at = {sentence: number for number, sentence in enumerate(sentences)}
        rows = vectors[[at[text.sentence] for text in outputs]]
        columns = vectors[[at[text.sentence] for text in inputs]]
        cosines: list[list[float]] = (rows @ columns.T).clip(0.0, 1.0).round(4).tolist()
        return cosines

    def _directions(self, vectors: Sequence[Sequence[float]]) -> Any:
        import numpy

        found = numpy.asarray(vectors, dtype=numpy.float64)
        lengths = numpy.linalg.norm(found, axis=1, keepdims=True)
        return found / numpy.maximum(lengths, math.ulp(1.0))
