"""What a fleet writes about itself: one line per event, for people or as JSON.

Nothing that a request carries is written (no header, no body, no token), and of an episode's id only the
beginning, since without tokens the whole of it opens the episode.
"""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import TextIO

_OWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message", "taskName"}


def _extras(record: logging.LogRecord) -> dict[str, object]:
    return {name: value for name, value in vars(record).items() if name not in _OWN}


class JsonLines(logging.Formatter):
    """One JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
            **_extras(record),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str, ensure_ascii=False)


class Plain(logging.Formatter):
    """A line for people."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        extras = "".join(f" {name}={value}" for name, value in _extras(record).items() if value is not None)
        moment = datetime.fromtimestamp(record.created).strftime("%H:%M:%S")
        text = f"{moment} {record.levelname.lower():7} {record.getMessage()}{extras}"
        return f"{text}\n{self.formatException(record.exc_info)}" if record.exc_info else text


def configure(form: str, level: str, stream: TextIO | None = None) -> None:
    """Send the log lines of the fleet, of the web server and of the SDK to one place.

    Args:
        form: `json` or `text`.
        level: The least important lines to write.
        stream: Where to; standard error by default.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else Plain())
    for name, least in (("envfactory", level.upper()), ("uvicorn", "WARNING"), ("mcp", "ERROR")):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.setLevel(least)
        logger.propagate = False
