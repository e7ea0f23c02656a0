"""A world outside, with something to steal, something to break, and somebody to hurt."""

from __future__ import annotations

import os
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

SECRET = "the-secret-of-the-house"


class Outside:
    """What must not be reached, and whether it was."""

    def __init__(self, folder: Path, port: int, victim: subprocess.Popen[bytes]) -> None:
        self.folder = folder
        self.victim = victim
        (folder / "secret.txt").write_text(SECRET, encoding="utf-8")
        (folder / "prey.txt").write_text("stays", encoding="utf-8")
        base = sqlite3.connect(folder / "base.db")
        base.execute("CREATE TABLE t AS SELECT ? AS a", (SECRET,))
        base.commit()
        base.close()
        self.given: dict[str, Any] = {
            "secret": str(folder / "secret.txt"),
            "target": str(folder / "target"),
            "prey": str(folder / "prey.txt"),
            "database": str(folder / "base.db"),
            "unix": str(folder / "socket"),
            "victim": victim.pid,
            "warden": os.getpid(),
            "port": port,
            "got_nothing": None,
        }

    def harm(self) -> str:
        """What was done outside; empty where nothing was, and made good for the next attempt."""
        found = []
        target, prey = self.folder / "target", self.folder / "prey.txt"
        if target.exists():
            found.append("the target was made")
            target.rmdir() if target.is_dir() else target.unlink()
        if not prey.exists() or prey.read_text("utf-8") != "stays":
            found.append("the prey was harmed")
            prey.write_text("stays", encoding="utf-8")
        if self.victim.poll() is not None:
            found.append("the victim was killed")
            self.victim = _victim()
            self.given["victim"] = self.victim.pid
        return ", ".join(found)


def _victim() -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder to copy into a sandbox."""
    folder = tmp_path / "package"
    folder.mkdir()
    (folder / "server.py").write_text("", encoding="utf-8")
    return folder


@pytest.fixture
def outside(tmp_path: Path) -> Iterator[Outside]:
    """Files, a process, and two listening sockets outside of every sandbox."""
    folder = tmp_path / "outside"
    folder.mkdir()
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as unix:
        unix.bind(str(folder / "socket"))
        unix.listen()
        found = Outside(folder, tcp.getsockname()[1], _victim())
        yield found
        found.victim.kill()
        found.victim.wait()
