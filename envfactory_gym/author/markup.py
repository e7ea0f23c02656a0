"""The words of an HTML page, line by line, with headings as Markdown: what a reader of the page would quote."""

from __future__ import annotations

import re
from html.parser import HTMLParser

_SILENT = frozenset({"script", "style", "head", "nav", "footer", "noscript", "template", "svg", "form", "iframe"})
"""Elements whose words are not the page's own."""

_BLOCKS = frozenset(
    "address article aside blockquote body br dd div dl dt fieldset figcaption figure h1 h2 h3 h4 h5 h6 header hr li "
    "main ol p pre section table tbody thead tr ul".split()
)
"""Elements that begin a new line."""

_PARAGRAPHS = frozenset("article blockquote dl h1 h2 h3 h4 h5 h6 hr main ol p pre section table ul".split())
"""Elements that begin a new paragraph."""


def text_of_html(page: str) -> tuple[str | None, list[tuple[int, str]]]:
    """The title of a page, and its words as lines with their numbers in the file; empty lines part paragraphs."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    reader.end_line()
    return reader.title, reader.lines


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[tuple[int, str]] = []
        self.title: str | None = None
        self._words: list[str] = []
        self._began = 1
        self._silent = 0
        self._in_title = False
        self._mark = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element."""
        if tag == "body":
            self._silent = 0  # a head that was never closed ends here
        if tag == "title":
            self._in_title = True
        if tag in _SILENT:
            self._silent += 1
        if tag in _BLOCKS:
            self.end_line(paragraph=tag in _PARAGRAPHS)
            self._mark = "#" * int(tag[1]) + " " if re.fullmatch(r"h[1-6]", tag) else "- " if tag == "li" else ""
        elif tag in ("td", "th") and self._words:
            self._words.append(" | ")

    def handle_endtag(self, tag: str) -> None:
        """Close an element."""
        if tag == "title":
            self._in_title = False
        if tag in _SILENT:
            self._silent = max(0, self._silent - 1)
        if tag in _BLOCKS:
            self.end_line(paragraph=tag in _PARAGRAPHS)

    def handle_data(self, data: str) -> None:
        """Take in words."""
        if self._in_title and self.title is None and data.strip():
            self.title = " ".join(data.split())
        if self._silent or self._in_title:
            return
        if data.strip() and not self._words:
            leading = data[: len(data) - len(data.lstrip())]
            self._began = self.getpos()[0] + leading.count("\n")
        self._words.append(data)

    def end_line(self, *, paragraph: bool = False) -> None:
        """End the line that is being read."""
        words = " ".join("".join(self._words).split())
        self._words = []
        if words:
            self.lines.append((self._began, self._mark + words))
            self._mark = ""
        if paragraph and self.lines and self.lines[-1][1]:
            self.lines.append((self.getpos()[0], ""))
