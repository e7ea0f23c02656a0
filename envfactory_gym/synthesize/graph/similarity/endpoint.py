"""Similarity by embeddings of any endpoint that speaks OpenAI's API."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ....environment import EnvFactoryError
from .embedding import Embedding

BATCH = 64
"""Texts in one request, as the reference asks."""


@dataclass
class Endpoint(Embedding):
    """Cosine of an endpoint's vectors.

    Attributes:
        model: The embedding model's name.
        base_url: The endpoint; by default what OPENAI_BASE_URL says.
        client: A client that is used instead of one made here, with `embeddings.create`.
    """

    name: str = "openai"
    model: str = "text-embedding-3-small"
    base_url: str | None = None
    client: Any = field(default=None, repr=False)

    def vectors(self, sentences: Sequence[str]) -> Sequence[Sequence[float]]:
        """The endpoint's vectors, asked for in batches.

        Raises:
            EnvFactoryError: The client is not installed, or the endpoint does not answer with a vector per text.
        """
        client = self.client or self._connected()
        found: list[list[float]] = []
        for start in range(0, len(sentences), BATCH):
            batch = list(sentences[start : start + BATCH])
            answer = client.embeddings.create(model=self.model, input=batch)
            rows = sorted(answer.data, key=lambda row: int(row.index))
            if len(rows) != len(batch):
                raise EnvFactoryError(f"{self.model} answered with {len(rows)} vectors to {len(batch)} texts")
            found.extend(list(row.embedding) for row in rows)
        return found

    def _connected(self) -> Any:
        try:
            import openai
        except ImportError as error:
            raise EnvFactoryError(
                "the similarity `openai` needs the package openai, which is not installed\n"
                "  -> pip install 'envfactory-gym[llm]', or use the similarity `lexical`"
            ) from error
        try:
            self.client = openai.OpenAI(base_url=self.base_url)
        except openai.OpenAIError as error:
            raise EnvFactoryError(f"the embeddings endpoint cannot be used: {error}") from error
        return self.client
