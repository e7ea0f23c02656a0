"""The file of a run: one line per episode, added as episodes end, and gone on with where it stopped.

One command at a time writes a run. Beside RUN.jsonl lie two more files. RUN.settings.json says how it
was played, so that going on with other settings is refused. RUN.exchanges.jsonl is the cassette:
every request and answer, exactly, so that an episode cut short does not pay again for what it had.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from ..environment import PackageError
from ..episode import RunRecord, read_run
from .plan import Item, key_of


def settings_path(run: Path) -> Path:
    """Where the settings of a run lie."""
    return run.with_suffix(".settings.json")


def exchanges_path(run: Path) -> Path:
    """Where the exchanges of a run lie."""
    return run.with_suffix(".exchanges.jsonl")


class RunFile:
    """A run being written. Episodes that the harness spoilt are taken out when it goes on, and played again.

    Args:
        path: RUN.jsonl; it goes on if it exists.
        settings: What decides outcomes: has to be the same from beginning to end.

    Attributes:
        records: The episodes so far.

    Raises:
        PackageError: The file is another run's, or no run at all, or another command is writing it.
    """

    def __init__(self, path: Path, settings: Mapping[str, Any]) -> None:
        if path.is_dir():
            raise PackageError("this is a folder", file=path, remedy="name a file with --out, such as RUN.jsonl")
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = _held(path)
        try:
            self.records: list[RunRecord] = []
            if path.stat().st_size:
                _same_settings(path, settings)
                self.records = _taken_up(path)
                if not _is(self._file, path):  # something was taken out, which left another file in its place
                    before, self._file = self._file, _held(path)
                    before.close()
            told = json.dumps(dict(settings), indent=2, sort_keys=True, ensure_ascii=False)
            settings_path(path).write_text(told + "\n", encoding="utf-8")
        except BaseException:
            self._file.close()
            raise
        self._done = {key_of(record) for record in self.records}

    def done(self, item: Item, agent: str) -> bool:
        """Whether an agent has played an episode already."""
        return (*item.key, agent) in self._done

    def check(self, plan: Iterable[Item]) -> None:
        """Make sure that what was played is what would be played now.

        Raises:
            PackageError: An environment has changed since the run began.
        """
        now = {(item.package.id, item.task.id): (item.package.world_hash, item.package.rules_hash) for item in plan}
        changed = {
            record.environment
            for record in self.records
            if now.get((record.environment, record.task), (record.world_hash, record.rules_hash))
            != (record.world_hash, record.rules_hash)
        }
        if changed:
            raise PackageError(
                f"{', '.join(sorted(changed))} changed since this run began; one run has episodes of one version",
                file=self.path,
                remedy="name another --out",
            )

    def add(self, *records: RunRecord) -> None:
        """Add the episodes of one item; they are in the file when this returns."""
        self._file.write("".join(record.line() for record in records))
        self._file.flush()
        self.records += records
        self._done |= {key_of(record) for record in records}

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> RunFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _held(path: Path) -> IO[str]:
    """A file to add to, held for this command alone."""
    while True:
        file = path.open("a", encoding="utf-8")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise PackageError(
                "another command is writing this file", file=path, remedy="wait for it, or name another --out"
            ) from None
        if _is(file, path):
            return file
        file.close()  # somebody put another file in its place in between


def _is(file: IO[str], path: Path) -> bool:
    return os.path.samestat(os.fstat(file.fileno()), path.stat())


def _same_settings(path: Path, settings: Mapping[str, Any]) -> None:
    """Refuse to go on with other settings than a run began with."""
    try:
        before = json.loads(settings_path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise PackageError(
            "this file exists and was not written by `envfactory eval`", file=path, remedy="name another with --out"
        ) from None
    except ValueError as error:
        raise PackageError(
            f"this is no JSON ({error})", file=settings_path(path), remedy="name another --out"
        ) from None
    told = json.loads(json.dumps(dict(settings)))
    names = sorted(set(before) | set(told))
    if other := [name for name in names if before.get(name) != told.get(name)]:
        changes = "; ".join(f"{name} was {before.get(name)!r} and is {told.get(name)!r}" for name in other)
        raise PackageError(
            f"this run began with other settings: {changes}",
            file=path,
            remedy="go on as it began, or name another --out",
        )


def _taken_up(path: Path) -> list[RunRecord]:
    """The episodes of a file that hold; what a crash cut off, and what the harness spoilt, is taken out of it."""
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if whole != data:
        _replace(path, whole)
    records = list(read_run(path))
    kept = [record for record in records if record.outcome is None or record.outcome.reward_valid]
    if len(kept) < len(records):
        _replace(path, "".join(record.line() for record in kept).encode())
    return kept


def _replace(path: Path, data: bytes) -> None:
    """Put other bytes into a file, all of them or none."""
    draft = path.with_name(path.name + ".draft")
    draft.write_bytes(data)
    draft.replace(path)
