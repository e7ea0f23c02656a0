"""Sources as passages that can be quoted: a sentence, a document, a folder of them; with search over them.

A passage is a paragraph, an item of a list or a table of a document, word for word, with the place where it
stands. Whoever proposes a rule names the passage it comes from or repeats its words, and `Sources.find`
says whether they really stand there. Search ranks passages by BM25 (Robertson and Zaragoza, 2009), with the
usual parameters: a folder of documents is all the web an author needs.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from ..environment.files import read_text
from .markup import text_of_html
from .problem import AuthorError

NOT_STATED = "not stated"
"""The licence of a source that says nothing about it."""

KINDS = {".md": "text", ".markdown": "text", ".txt": "text", ".rst": "text", ".html": "html", ".htm": "html"}
"""File endings of documents, and how they are read."""

LONGEST = 1_200
"""Characters of a passage, after which it is split at the end of a sentence."""

SOURCES = "sources.md"
"""The file of a package that holds its passages."""

LARGEST = 2_000_000
"""Bytes of one document that are read."""

Line = tuple[int, str]
"""A line of a document: its number in the file, and its words."""

WebSearch = Callable[[str], Sequence["Document"]]
"""A search of the user's own: from a few words to documents, as `Document(title, text)`."""


@dataclass(frozen=True)
class Document:
    """A source.

    Attributes:
        title: Its title: the first heading, or the file's name.
        text: Its words, line by line as in the file; markup is gone.
        file: Where it was read; None for words that were given directly, or come from the web.
        url: Where it can be found, where that is known.
        licence: Under which it came.
        starts: For each line of the text, the line of the file it stands on; counted from 1 if left out.
    """

    title: str
    text: str
    file: str | None = None
    url: str | None = None
    licence: str = NOT_STATED
    starts: tuple[int, ...] = ()

    @property
    def lines(self) -> list[Line]:
        """The lines of its text, with their numbers in the file."""
        texts = self.text.split("\n")
        return list(zip(self.starts or range(1, len(texts) + 1), texts, strict=False))


@dataclass(frozen=True)
class Passage:
    """A piece of a document, word for word.

    Attributes:
        id: `S1`, `S2`, ... over all documents.
        document: Where it stands.
        place: File and line, such as `rules.md:12`; the title where there is no file.
        heading: The headings above it, outermost first, joined by ` > `.
        text: Its words.
    """

    id: str
    document: Document
    place: str
    heading: str
    text: str


@dataclass(frozen=True)
class Sources:
    """The documents that an environment is made from.

    Attributes:
        documents: What was read.
        first: Number of the first passage; more than 1 where others come before.
    """

    documents: tuple[Document, ...]
    first: int = 1

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        """All passages, in the order of the documents."""
        pieces = [(document, *piece) for document in self.documents for piece in _pieces(document)]
        return tuple(
            Passage(f"S{number}", document, _place(document, line), heading, text)
            for number, (document, line, heading, text) in enumerate(pieces, start=self.first)
        )

    def with_documents(self, more: Iterable[Document]) -> Sources:
        """The same sources and further ones, behind them, so that passages keep their ids."""
        known = {document.text for document in self.documents}
        return Sources((*self.documents, *(document for document in more if document.text not in known)), self.first)

    def find(self, reference: str) -> Passage | None:
        """The passage that a reference is to: its id, or a quotation of at least three words that stands in it.

        White space, case and the kind of quotation marks and dashes do not matter; every other sign does.
        """
        named = re.fullmatch(r"\[?(S\d+)\]?", reference.strip())
        if named:
            return next((passage for passage in self.passages if passage.id == named[1]), None)
        wanted = plain(reference)
        if len(wanted.split()) < 3:
            return None
        for passage in self.passages:
            if wanted in plain(passage.text):
                return passage
        headed = ((passage, plain(f"{passage.heading} {passage.text}")) for passage in self.passages)
        return next((passage for passage, words in headed if wanted in words), None)

    def search(self, words: str, most: int = 8) -> list[Passage]:
        """The passages that some words are most about, best first; none that share no word with them."""
        asked = set(_terms(words))
        scores = self._index
        ranked = [(sum(scores[at].get(term, 0.0) for term in asked), -at) for at in range(len(self.passages))]
        return [self.passages[-at] for score, at in sorted(ranked, reverse=True)[:most] if score > 0.0]

    @cached_property
    def _index(self) -> list[dict[str, float]]:
        """Per passage, what each of its terms weighs (BM25 with k1 = 1.2, b = 0.75)."""
        counts = [Counter(_terms(f"{passage.heading} {passage.text}")) for passage in self.passages]
        within = Counter(term for count in counts for term in count)
        sizes = [count.total() for count in counts]
        mean = sum(sizes) / max(1, len(sizes)) or 1.0
        weights = {term: math.log(1 + (len(counts) - n + 0.5) / (n + 0.5)) for term, n in within.items()}
        return [
            {
                term: weights[term] * n * 2.2 / (n + 1.2 * (0.25 + 0.75 * size / mean))
                for term, n in sorted(count.items())
            }
            for count, size in zip(counts, sizes, strict=True)
        ]


def plain(words: str) -> str:
    """Words without what differs between copies: case, white space, kinds of quotation marks and dashes, emphasis."""
    text = words.casefold().translate(_SIGNS)
    return " ".join(re.sub(r"[*_`]+", "", text).split())


_SIGNS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u00a0": " ", "…": "..."})


def read_sources(given: Iterable[str | Path], *, licence: str | None = None) -> Sources:
    """Read what an environment is to be made from.

    Args:
        given: Each a sentence, a document (`.md`, `.html`, `.txt`), or a folder of documents.
        licence: Under which they came.

    Raises:
        AuthorError: There is nothing to read, or something cannot be read as text.
    """
    documents: list[Document] = []
    for one in given:
        documents += [replace(document, licence=licence or NOT_STATED) for document in _read(one)]
    if not documents:
        raise AuthorError("there is no source", remedy="give a sentence, a document or a folder of documents")
    return Sources(tuple(documents))


def last_number(text: str) -> int:
    """The number of the last passage that a `sources.md` holds; 0 where there is none."""
    return max(map(int, re.findall(r"^\[S(\d+)\]", text, re.MULTILINE)), default=0)


def is_sentence(source: str | Path) -> bool:
    """Whether a source is words rather than a path: it names nothing that exists and does not look like a path."""
    text = str(source)
    if not text.strip():
        return True
    if len(text) < 255 and Path(text).exists():
        return False
    return " " in text.strip() or not re.search(r"[/\\]|\.\w{1,5}$", text)


def _read(source: str | Path) -> Iterator[Document]:
    if is_sentence(source):
        text = str(source).strip()
        if not text:
            raise AuthorError("the source is empty", remedy="describe the environment in a sentence")
        yield Document("What was asked for", text)
        return
    path = Path(source)
    if not path.exists():
        raise AuthorError("there is no such file or folder", file=path, remedy="give a path that exists, or a sentence")
    if path.is_dir():
        files = [file for file in sorted(path.rglob("*")) if file.is_file() and _is_document(file, path)]
        if not files:
            raise AuthorError(
                "this folder holds no document", file=path, remedy=f"documents end in {', '.join(sorted(KINDS))}"
            )
        for file in files:
            yield _document(file, file.relative_to(path).as_posix())
        return
    if path.suffix.lower() not in KINDS:
        raise AuthorError(
            "this is no document of words", file=path,
            remedy=f"documents end in {', '.join(sorted(KINDS))}; an API document or a database is compiled: "
            f"`envfactory build {path} --out DIR`",
        )  # fmt: skip
    yield _document(path, path.name)


def _is_document(file: Path, root: Path) -> bool:
    hidden = any(part.startswith(".") for part in file.relative_to(root).parts)
    return file.suffix.lower() in KINDS and not hidden


def _document(path: Path, shown: str) -> Document:
    if path.stat().st_size > LARGEST:
        raise AuthorError(
            f"this document is larger than {LARGEST:,} bytes", file=path, remedy="give the part that matters"
        )
    text = read_text(path)
    if KINDS[path.suffix.lower()] == "html":
        title, lines = text_of_html(text)
    else:
        title, lines = None, list(enumerate(text.split("\n"), start=1))
    heading = next((match[2] for _, line in lines if (match := _HEADING.match(line))), None)
    return Document(
        title or heading or path.stem, "\n".join(line for _, line in lines), shown,
        starts=tuple(number for number, _ in lines),
    )  # fmt: skip


# ---------------------------------------------------------------- documents into passages

_HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$")
_ITEM = re.compile(r"^(?:[-*+•]|\d{1,3}[.)])\s")


def _pieces(document: Document) -> Iterator[tuple[int, str, str]]:
    """The line, the headings above and the words of each passage."""
    above: list[str] = []
    block: list[Line] = []

    def done() -> Iterator[tuple[int, str, str]]:
        if block:
            heading = " > ".join(one for one in above if one)
            yield from ((line, heading, text) for line, text in _split(block))
            block.clear()

    for number, line in document.lines:
        if match := _HEADING.match(line):
            yield from done()
            level = len(match[1])
            above[level - 1 :] = [""] * (level - 1 - len(above)) + [match[2]]
        elif line.strip():
            if _ITEM.match(line):
                yield from done()
            block.append((number, line.rstrip()))
        else:
            yield from done()
    yield from done()


def _split(block: Sequence[Line]) -> Iterator[Line]:
    """A block as one passage, or as several where it is long: at lines first, then at the ends of sentences."""
    part: list[Line] = []
    for number, line in block:
        if part and sum(len(text) + 1 for _, text in part) + len(line) > LONGEST:
            yield part[0][0], "\n".join(text for _, text in part)
            part = []
        while len(line) > LONGEST:
            ends = [match.end() for match in re.finditer(r"[.!?;]\s", line[:LONGEST])]
            cut = ends[-1] if ends else line.rfind(" ", 0, LONGEST) + 1 or LONGEST
            yield number, line[:cut].rstrip()
            line = line[cut:]
        part.append((number, line))
    if part and any(text.strip() for _, text in part):
        yield part[0][0], "\n".join(text for _, text in part)


def _place(document: Document, line: int) -> str:
    return f"{document.file}:{line}" if document.file else document.url or document.title


_COMMON = frozenset(
    "a an and are as at be by can do for from has have if in is it its may must no not of on or so that the their then "
    "there these they this to up was we what when which who will with you your".split()
)


def _terms(text: str) -> list[str]:
    """Words as search compares them: lower case, without the common ones and the plainest endings."""
    words = re.findall(r"[^\W_]+", text.casefold())
    return [re.sub(r"(?<=[a-z]{3})(ies|es|s|ing|ed)$", "", word) for word in words if word not in _COMMON]
