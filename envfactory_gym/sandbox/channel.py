"""JSON lines over pipes: how a sandbox is asked, and how it answers.

JSON and nothing richer: whatever the inside sends, reading it runs no code outside.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any


class Channel:
    """The inside's end: one request at a time.

    Args:
        requests: File descriptor that requests are read from.
        answers: File descriptor that answers are written to.
    """

    def __init__(self, requests: int, answers: int) -> None:
        self._requests = os.fdopen(requests, "rb", closefd=False)
        self._answers = answers

    def receive(self) -> dict[str, Any] | None:
        """The next request; None once nobody will ask again."""
        line = self._requests.readline()
        if not line:
            return None
        request: dict[str, Any] = json.loads(line)
        return request

    def send(self, message: Mapping[str, Any]) -> None:
        """Send one message to the outside."""
        write_all(self._answers, encode(message))


def encode(message: Mapping[str, Any]) -> bytes:
    """A message as one line."""
    return json.dumps(message, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"


def write_all(descriptor: int, data: bytes) -> None:
    """Write all bytes to a pipe."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
