"""The journal of an episode: everything that was put into it, in order, from which it is played again.

An episode is a function of its inputs: the task, the calls, and what was said to the user. So the inputs are
all that is kept while it sleeps, and they are also what a snapshot names (a place among them) and what
a fork copies. Each entry carries a checksum of what came back, which a replay must reach again.

With a folder, each entry is appended to a file before its answer goes out, so that an episode survives
the death of the process. Tokens are not in it, nor goals, nor gold.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from ...episode import AnswerForm, UserForm
from ..session import ServeError

SUFFIX = ".jsonl"


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Header(_Line):
    """What an episode began with.

    Attributes:
        environments: Names of what is played; of several, as one.
        world_hash, rules_hash: The versions.
        task, task_hash: None for a base world.
        shared: Whether it belongs to a session on a shared address.
    """

    op: Literal["begin"] = "begin"
    format: Literal[1] = 1
    id: str
    environments: tuple[str, ...]
    world_hash: str
    rules_hash: str
    task: str | None = None
    task_hash: str | None = None
    seed: int = 0
    user: UserForm = "solo"
    answer: AnswerForm = "tool"
    max_steps: int
    created_at: float
    shared: bool = False


class Called(_Line):
    """A tool was called; `sum` is of the text that came back."""

    op: Literal["call"] = "call"
    tool: str
    arguments: dict[str, Any]
    sum: str
    key: str | None = None


class SaidToUser(_Line):
    """Something was said to the user; `sum` is of what came back."""

    op: Literal["say"] = "say"
    text: str
    sum: str
    key: str | None = None


class Failed(_Line):
    """The environment failed, and that was the end."""

    op: Literal["fail"] = "fail"
    reason: str


class Marked(_Line):
    """A snapshot was taken here."""

    op: Literal["mark"] = "mark"
    name: str


Entry = Annotated[Called | SaidToUser | Failed | Marked, Field(discriminator="op")]
_entry: TypeAdapter[Called | SaidToUser | Failed | Marked] = TypeAdapter(Entry)


class JournalError(ServeError):
    """A journal that cannot be read or written."""


def checksum(text: str) -> str:
    """What a replay compares; short, because it guards against drift and not against forgery."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


class Journal:
    """The entries of one episode, in memory or in a file.

    Args:
        header: What it began with; read from the file where left out.
        file: Where to keep it.
    """

    __slots__ = ("_header", "_lines", "file")

    def __init__(self, header: Header | None = None, *, file: Path | None = None) -> None:
        self._header, self.file = header, file
        self._lines: list[bytes] | None = [] if header is not None else None

    @property
    def header(self) -> Header:
        """What the episode began with.

        Raises:
            JournalError: The file cannot be read.
        """
        if self._header is None:
            assert self.file is not None  # a journal has one or the other
            try:
                with self.file.open("rb") as stream:
                    self._header = Header.model_validate_json(stream.readline())
            except OSError as error:
                raise self._unread(error) from error
            except ValidationError:
                raise JournalError(f"{self.file}: this is not the journal of an episode") from None
        return self._header

    @property
    def lines(self) -> list[bytes]:
        """The entries as they are written, without the header."""
        if self._lines is None:
            assert self.file is not None
            try:
                content = self.file.read_bytes()
            except OSError as error:
                raise self._unread(error) from error
            whole = content.rfind(b"\n") + 1
            if whole < len(content):
                self._mend(whole)
            self._lines = content[:whole].split(b"\n")[1:-1]
        return self._lines

    def _mend(self, length: int) -> None:
        """Cut off what stands behind the last line end, lest the next entry be written onto it.

        It never happened: its answer was cut off with it.
        """
        assert self.file is not None
        try:
            os.truncate(self.file, length)
        except OSError as error:
            raise self._unwritten(error) from error

    def __len__(self) -> int:
        return len(self.lines)

    def entries(self) -> Iterator[Called | SaidToUser | Failed | Marked]:
        """The entries in order.

        Raises:
            JournalError: One is damaged.
        """
        for number, line in enumerate(self.lines, start=1):
            try:
                yield _entry.validate_python(json.loads(line))
            except (ValidationError, ValueError):
                raise JournalError(f"entry {number} of the journal of {self.header.id} is damaged") from None

    def begin(self) -> None:
        """Put a new journal into its file."""
        self._rewrite(self.lines)

    def append(self, op: str, **fields: Any) -> None:
        """Add an entry; when this returns it is in the file."""
        # The standard library's writer keeps what others refuse: lone surrogates and NaN that a client sent.
        line = json.dumps({"op": op, **fields}, separators=(",", ":")).encode()
        self.lines.append(line)
        if self.file is None:
            return
        try:
            handle = os.open(self.file, os.O_WRONLY | os.O_APPEND)
            try:
                _write_whole(handle, line + b"\n")
            finally:
                os.close(handle)
        except OSError as error:
            self.lines.pop()
            raise self._unwritten(error) from error

    def cut(self, length: int) -> None:
        """Forget all entries from a place on."""
        if length < len(self.lines):
            kept = self.lines[:length]
            self._rewrite(kept)
            self._lines = kept

    def sleep(self) -> None:
        """Keep nothing in memory that is in the file."""
        if self.file is not None:
            self._lines = None

    def copy(self, header: Header, length: int, file: Path | None) -> Journal:
        """The journal of another episode that begins with this one's first entries."""
        other = Journal(header, file=file)
        other.lines.extend(self.lines[:length])
        other.begin()
        return other

    def delete(self) -> None:
        """Remove the file."""
        if self.file is not None:
            try:
                self.file.unlink(missing_ok=True)
            except OSError as error:
                raise JournalError(f"{self._named} cannot be removed: {error.strerror}") from error

    @property
    def _named(self) -> str:
        # Who plays the episode may be told this, so once its id is known nothing is said of the folder.
        return str(self.file) if self._header is None else f"the journal of {self._header.id}"

    def _unread(self, error: OSError) -> JournalError:
        return JournalError(f"{self._named} cannot be read: {error.strerror}")

    def _unwritten(self, error: OSError) -> JournalError:
        return JournalError(f"{self._named} cannot be written: {error.strerror}; nothing happened")

    def _rewrite(self, lines: Sequence[bytes]) -> None:
        """The whole file anew: it holds the old entries or the new ones, never half of them."""
        if self.file is None:
            return
        text = b"\n".join([self.header.model_dump_json().encode(), *lines]) + b"\n"
        try:
            handle, temporary = tempfile.mkstemp(dir=self.file.parent, prefix=".")
            try:
                with os.fdopen(handle, "wb") as stream:
                    stream.write(text)
                Path(temporary).replace(self.file)
            except BaseException:
                with contextlib.suppress(FileNotFoundError):
                    Path(temporary).unlink()
                raise
        except OSError as error:
            raise self._unwritten(error) from error


def _write_whole(handle: int, text: bytes) -> None:
    """Append a text, or nothing: a disk that fills up takes the first bytes and says nothing."""
    done = os.write(handle, text)
    if done < len(text):
        os.ftruncate(handle, os.lseek(handle, 0, os.SEEK_END) - done)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
