"""How far one document got, and the file that remembers it: JSON lines, appended, the last one counts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

STAGES = ("found", "read", "modelled", "emitted", "loads", "verified")
"""What a document reaches, in order; `verified` means the tier, with all that it demands."""


@dataclass(frozen=True)
class Record:
    """What became of one document.

    Attributes:
        source: Its path below the folder that was swept.
        name: The environment's name, and its folder below `--out`.
        key: Hash of what decides the outcome: the document's bytes, the options, the compiler.
        stage: The last of `STAGES` it reached.
        tier: Of the report; empty where there is none.
        tools, tasks: Tools of the package, and tasks that hold a certificate.
        operations: Operations in the document.
        mutation: Share of planted faults that the behaviours notice; None where not measured.
        seconds: Wall-clock seconds it took.
        cpu: Seconds of processor time, of its process and those it started; 0 where it was killed.
        reason: Why it got no further; empty where it is verified.
        dropped: Tasks that the compiler proposed and that do not certify, with the reason.
    """

    source: str
    name: str
    key: str
    stage: str
    tier: str = ""
    tools: int = 0
    tasks: int = 0
    operations: int = 0
    mutation: float | None = None
    seconds: float = 0.0
    cpu: float = 0.0
    reason: str = ""
    dropped: dict[str, str] = field(default_factory=dict)

    @property
    def verified(self) -> bool:
        """Whether it went the whole way."""
        return self.stage == STAGES[-1]

    def line(self) -> str:
        """As one line of the file."""
        return json.dumps(asdict(self), ensure_ascii=False) + "\n"


class Records:
    """The file of records of one sweep.

    Args:
        file: Where it is kept; made when the first record is added.
    """

    def __init__(self, file: Path) -> None:
        self.file = file

    def __iter__(self) -> Iterator[Record]:
        return iter(self.latest().values())

    def latest(self) -> dict[str, Record]:
        """Source → its last record. A line that a stopped sweep left half written counts for nothing."""
        if not self.file.exists():
            return {}
        found: dict[str, Record] = {}
        for line in self.file.read_text(encoding="utf-8").splitlines():
            if (record := _read(line)) is not None:
                found[record.source] = record
        return found

    def add(self, record: Record) -> None:
        """Append a record, on a line of its own whatever was written before."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self.file.open("a+", encoding="utf-8") as file:
            if file.tell() and not self.file.read_bytes().endswith(b"\n"):
                file.write("\n")
            file.write(record.line())


def _read(line: str) -> Record | None:
    try:
        raw: dict[str, Any] = json.loads(line)
        return Record(**{one.name: raw[one.name] for one in fields(Record) if one.name in raw})
    except (ValueError, TypeError, AttributeError):
        return None
