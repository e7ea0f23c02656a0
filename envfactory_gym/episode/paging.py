"""Long results in pages: the agent sees the first, and asks for the others with `read_more`.

Without a limit, one lookup can fill a model's context; cut off, what it needs may be what is
missing. Paged, it costs a step to look further, as it does for people.
"""

from __future__ import annotations

from pydantic_core import to_json

from ..environment import ToolError

LEAST = 200
"""Characters that a page holds at least."""


class Pages:
    """The long results of one episode, by number from 1.

    Args:
        size: Characters of a page; None where results are not paged.
    """

    def __init__(self, size: int | None) -> None:
        if size is not None and size < LEAST:
            raise ValueError(f"max_result is at least {LEAST} characters, not {size}")
        self._size = size
        self._kept: list[str] = []

    def first(self, result: str) -> str:
        """A result as the agent sees it: whole where it is short, else its first page."""
        if self._size is None or len(result) <= self._size:
            return result
        self._kept.append(result)
        return self.page(len(self._kept), 1)

    def page(self, result: int, page: int) -> str:
        """One page of a long result, as JSON.

        Raises:
            ToolError: There is no such result, or no such page.
        """
        if not 1 <= result <= len(self._kept):
            raise ToolError("not_found", f"No long result has the number {result}.", field="result")
        text, size = self._kept[result - 1], self._size or 1
        pages = -(-len(text) // size)
        if not 1 <= page <= pages:
            raise ToolError("not_found", f"Result {result} has {pages} pages.", field="page")
        shown = {"result": result, "page": page, "pages": pages, "text": text[(page - 1) * size : page * size]}
        return to_json(shown).decode()

    def __copy__(self) -> Pages:
        other = Pages(self._size)
        other._kept = list(self._kept)
        return other
