"""How alike a result and an input are, by name, type and description: one backend a file.

`lexical` needs nothing and is the default; `minilm` runs a small embedding model in numpy; `openai` asks
any endpoint that speaks OpenAI's embeddings API. All give a score in [0, 1] and have their own threshold.
"""

from __future__ import annotations

from typing import Any

from ....environment import PackageError
from .base import Similarity, Text
from .lexical import Lexical

__all__ = ["Lexical", "Similarity", "Text", "similarity"]


def similarity(name: str, **options: Any) -> Similarity:
    """A backend by name: `lexical`, `minilm` or `openai`, with its own options.

    Raises:
        PackageError: There is none of that name, or what it needs is not installed.
    """
    if name == "lexical":
        return Lexical(**options)
    if name == "minilm":
        from .minilm import MiniLM

        return MiniLM(**options)
    if name == "openai":
        from .endpoint import Endpoint

        return Endpoint(**options)
    raise PackageError(f"there is no similarity {name!r}", remedy="choose lexical, minilm or openai")
