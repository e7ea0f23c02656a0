"""Whole runs: killed at every stage and gone on with, replayed byte by byte, verified by whoever does not believe it.

Slow, so not among the tests of every change: `make test-authors`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from envfactory_gym.environment import Package
from envfactory_gym.llm.loopback import Heard, Loopback
from envfactory_gym.verify import verify

from .conftest import play
from .playing import Author, rooms, sources_of

AT_REQUEST = ("propose/1", "state/1", "words/1")
"""Killed while a model is being asked."""

ONCE_ANSWERED = ("tools", "data", "behaviours")
"""Killed while an answer that was paid for is executed."""

DURING = ("execute", "revise")
"""Killed while the whole is executed, or tasks are made."""


@dataclass
class Killer:
    """Plays the author, and kills the process that asks, once at each of its occasions."""

    folder: Path
    author: Author = field(default_factory=lambda: Author(rooms()))
    left: list[str] = field(default_factory=lambda: [*AT_REQUEST, *ONCE_ANSWERED, *DURING])
    killed: list[str] = field(default_factory=list)
    process: subprocess.Popen[str] | None = None

    def __call__(self, heard: Heard) -> dict[str, Any]:
        """Answer, and kill whoever asked if that is due."""
        said = self.author(heard)
        step = heard.session.partition("/")[2]
        if step in self.left:
            self.kill(step)
        return said

    def kill(self, occasion: str) -> None:
        """End the process without a word."""
        assert self.process is not None
        self.left.remove(occasion)
        self.killed.append(occasion)
        self.process.kill()

    def run(self, url: str) -> str:
        """Start the run again and again until it is done; what it says then."""
        for _ in range(20):
            command = [sys.executable, "-m", "tests.author.child", str(self.folder), url]
            root = Path(__file__).resolve().parents[2]
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=root,
                env={**os.environ, "PYTHONPATH": str(root)},
            )  # fmt: skip
            while self.process.poll() is None:
                self.look()
                time.sleep(0.02)
            said, error = self.process.communicate()
            if self.process.returncode == 0:
                return said.strip()
            assert self.process.returncode == -9, error
        raise AssertionError(f"it is never done; killed at {self.killed}")

    def look(self) -> None:
        """Kill if one of the occasions without a request has come."""
        stage = self.stage()
        if stage in ONCE_ANSWERED and stage in self.left and f'"rooms/{stage}/1"' in self.cassette():
            time.sleep(0.3)  # the answer is being executed
            if self.stage() == stage:
                self.kill(stage)
        elif stage in DURING and stage in self.left:
            time.sleep(0.3)
            if self.stage() == stage:
                self.kill(stage)

    def stage(self) -> str:
        """The stage that the checkpoint names."""
        try:
            return str(json.loads((self.folder / "run" / "rooms" / "checkpoint.json").read_text())["stage"])
        except FileNotFoundError:
            return "propose"

    def cassette(self) -> str:
        """What was answered so far."""
        path = self.folder / "run" / "cassette.jsonl"
        return path.read_text(encoding="utf-8") if path.exists() else ""


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Killer:
    """A run that was killed at every stage, and is done."""
    folder = tmp_path_factory.mktemp("killed")
    sources_of(folder, rooms())
    (folder / "run").mkdir()
    (folder / "run" / "run.json").write_text(json.dumps({"model": "scripted"}))
    killer = Killer(folder)
    with Loopback(killer) as server:
        assert killer.run(server.url) == "verified"
    return killer


def test_a_run_that_is_killed_at_every_stage_gets_there(killed: Killer) -> None:
    assert sorted(killed.killed) == sorted([*AT_REQUEST, *ONCE_ANSWERED, *DURING])
    assert (killed.folder / "killed-at-report").exists()
    package = Package(killed.folder / "out")
    assert package.report is not None and package.report["tier"] == "verified"


def test_nothing_that_was_answered_is_asked_for_again(killed: Killer) -> None:
    asked = {tag.partition("/")[2]: count for tag, count in killed.author.asked.items()}
    assert asked == {
        **dict.fromkeys(AT_REQUEST, 2),  # killed before the answer arrived
        **{f"{stage}/1": 1 for stage in ONCE_ANSWERED},
    }


def test_who_does_not_believe_the_sandbox_verifies_again(killed: Killer) -> None:
    report = verify(Package(killed.folder / "out", trusted=True))
    assert report.tier == "verified" and len(report.certified) >= 10
    assert report.content() == Package(killed.folder / "out").report


def test_two_runs_of_one_cassette_are_the_same_bytes(killed: Killer, tmp_path: Path) -> None:
    author = Author(rooms())
    cassette = killed.folder / "run" / "cassette.jsonl"
    found = play(tmp_path, author, cassette=cassette, replay=True, tasks=12)
    assert found.outcome.tier == "verified" and not author.asked
    assert tree(tmp_path / "out") == tree(killed.folder / "out")


def test_every_prompt_and_answer_can_be_read(killed: Killer) -> None:
    folder = killed.folder / "run" / "rooms"
    text = (folder / "answers" / "tools-1.md").read_text()
    assert "---- user ----" in text and "def book_room(" in text
    report = (folder / "report.md").read_text()
    assert report.startswith("# rooms: verified") and "confirm: made up by the author" in report
    assert "Executed in a sandbox: " in report
    assert "def rows(random, base)" in (folder / "make_data.py").read_text()


def tree(folder: Path) -> dict[str, bytes]:
    """All files of a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }
