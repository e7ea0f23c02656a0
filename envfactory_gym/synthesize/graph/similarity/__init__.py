"""How alike a result and an input are, by name, type and description: one backend a file.

`lexical` needs nothing and is the default. All give a score in [0, 1] and have their own threshold.
"""

from __future__ import annotations

from .base import Similarity, Text
from .lexical import Lexical

__all__ = ["Lexical", "Similarity", "Text", "similarity"]


def similarity(name: str, **options: object) -> Similarity:
    """A backend by name: `lexical`, with its own options.

    Raises:
        PackageError: There is none of that name.
    """
    from ....environment import PackageError

    if name == "lexical":
        return Lexical(**options)  # type: ignore[arg-type]
    raise PackageError(f"there is no similarity {name!r}", remedy="choose lexical, or give a backend of your own")
