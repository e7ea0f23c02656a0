"""Writes `tasks.jsonl`: the airline's hand-written tasks.

Run from the root of the checkout: `python -m generated_servers.airline.authoring.tasks`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from envfactory_gym.environment import Package, TaskPrivate

from . import booking, cancelling, changing, contact, fares, journeys, questions, refusals, troubles, wallets
from .author import Author

AIRLINE = Path(__file__).resolve().parents[1]


def written() -> list[TaskPrivate]:
    """The tasks, in the order in which they are written."""
    author = Author(Package.load(AIRLINE, trusted=True))
    for part in (questions, cancelling, changing, booking, refusals, wallets, fares, troubles, contact, journeys):
        part.write(author)
    return author.finished()


def text() -> str:
    """The file's content, one task a line."""
    rows = (_without_empty(task.model_dump(mode="json")) for task in written())
    return "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)


def _without_empty(value: Any) -> Any:
    """The same data without what is empty or null: the defaults of a task say the same."""
    if isinstance(value, dict):
        kept = {key: _without_empty(child) for key, child in value.items()}
        return {key: child for key, child in kept.items() if child not in (None, "", [], {})}
    return [_without_empty(child) for child in value] if isinstance(value, list) else value


if __name__ == "__main__":
    (AIRLINE / "tasks.jsonl").write_text(text(), encoding="utf-8", newline="\n")
