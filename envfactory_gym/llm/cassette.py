"""A cassette: every answer that was paid for, kept in a file, and given again to the same request.

A request is known by its tag and its bytes, and by how often the same one came before under that tag: with
a temperature, asking twice is asking for two answers. Tags keep what overlaps apart, so replaying is
deterministic however requests interleave. One line per exchange, written as soon as it is there; a
half line at the end, which a crash may leave, is cut off when the file is opened.

Conversations repeat themselves: request n holds all messages of request n-1. A line therefore
stores only what is new since the tag's last one, and the whole request can be had back exactly.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Literal

from pydantic_core import from_json

from .errors import CassetteMiss, ModelError
from .exchange import Exchange

Mode = Literal["record", "replay"]


def key_of(body: bytes) -> str:
    """What a request is known by: a digest of the bytes that are sent."""
    return blake2b(body, digest_size=16).hexdigest()


class Cassette:
    """A file of exchanges.

    Args:
        path: A JSONL file.
        mode: `record` answers what it knows and keeps what is new; `replay` refuses what it does not know.

    Raises:
        ModelError: A line of the file is no exchange.
        CassetteMiss: There is no file to replay.
    """

    def __init__(self, path: str | Path, mode: Mode = "record") -> None:
        self.path, self.mode = Path(path), mode
        self._known: dict[tuple[str, str, int], dict[str, Any]] = {}
        self._asked: dict[tuple[str, str], int] = {}
        self._last: dict[str, tuple[str, int, dict[str, Any]]] = {}
        self._file: IO[str] | None = None
        if self.path.exists():
            for line in _lines(self.path, mend=mode == "record"):
                self._known[line["tag"], line["key"], line["n"]] = line
        elif mode == "replay":
            raise CassetteMiss(f"there is no cassette {self.path} to replay; record one first")

    def __len__(self) -> int:
        return len(self._known)

    def find(self, tag: str, key: str, request: dict[str, Any]) -> Exchange | None:
        """The answer to a request, if it is known; asking counts.

        Raises:
            CassetteMiss: It is not, and this cassette only replays.
        """
        number = self._asked.get((tag, key), 0)
        line = self._known.get((tag, key, number))
        if line is None:
            if self.mode == "replay":
                raise CassetteMiss(
                    f"{self.path} does not hold answer {number + 1} to this request of {tag or 'nobody'}"
                )
            return None
        self._asked[tag, key] = number + 1
        self._last[tag] = (key, number, request)
        return Exchange(request, line["response"], tag, 0, line["seconds"], line["cost"], replayed=True)

    def keep(self, key: str, exchange: Exchange) -> None:
        """Keep an exchange; it is in the file when this returns."""
        if self._file is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("a", encoding="utf-8")
        tag, request = exchange.tag, exchange.request
        number = self._asked.get((tag, key), 0)
        line = {
            "tag": tag,
            "key": key,
            "n": number,
            "request": _shortened(request, self._last.get(tag)),
            "response": exchange.response,
            "seconds": round(exchange.seconds, 6),
            "cost": exchange.cost,
        }
        self._file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")
        self._file.flush()
        self._asked[tag, key] = number + 1
        self._last[tag] = (key, number, request)

    def rewind(self, tag: str) -> None:
        """Begin a tag anew: its next requests are answered from its beginning."""
        for known in [known for known in self._asked if known[0] == tag]:
            del self._asked[known]

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self) -> Cassette:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read_cassette(path: str | Path) -> Iterator[Exchange]:
    """The exchanges of a cassette in the order in which they were made, requests whole.

    Raises:
        ModelError: A line is no exchange.
    """
    whole: dict[tuple[str, str, int], dict[str, Any]] = {}
    for line in _lines(Path(path), mend=False):
        tag, stored = line["tag"], line["request"]
        if "after" in stored:
            key, number = stored["after"]
            before = whole[tag, key, number]
            stored = {**before, "messages": before["messages"] + stored["messages"]}
        whole[tag, line["key"], line["n"]] = stored
        yield Exchange(stored, line["response"], tag, 1, line["seconds"], line["cost"])


def _shortened(request: dict[str, Any], last: tuple[str, int, dict[str, Any]] | None) -> dict[str, Any]:
    """A request without what stood in the tag's last one, if it goes on from there."""
    if last is None or not isinstance(request.get("messages"), list):
        return request
    key, number, before = last
    told = len(before.get("messages", ()))
    rest = {name: value for name, value in request.items() if name != "messages"}
    same = {name: value for name, value in before.items() if name != "messages"}
    if rest != same or request["messages"][:told] != before["messages"]:
        return request
    return {"after": [key, number], "messages": request["messages"][told:]}


def _lines(path: Path, *, mend: bool) -> Iterator[dict[str, Any]]:
    """The lines of a cassette; a half one at the end is left out, and cut off where `mend` is set."""
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    if mend and whole < len(data):
        with path.open("r+b") as file:
            file.truncate(whole)
    for number, line in enumerate(data[:whole].splitlines(), start=1):
        try:
            found = from_json(line)
            if not isinstance(found, dict) or not {"tag", "key", "n", "request", "response"} <= found.keys():
                raise ValueError("it lacks a part of an exchange")
        except ValueError as error:
            raise ModelError(f"{path}:{number}: this line is no exchange of a cassette ({error})") from error
        yield found
