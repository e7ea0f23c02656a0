"""The quickstart does what it tells: one command, from an API document to two faces that agree."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from envfactory_gym.cli.quickstart import quickstart_document

from .conftest import Terminal


def test_the_document_is_among_the_examples(checkout: Path) -> None:
    assert quickstart_document() == checkout / "examples" / "sources" / quickstart_document().name
    assert quickstart_document().is_file()


def test_quickstart_compiles_proves_plays_and_compares(envfactory: Terminal, checkout: Path, tmp_path: Path) -> None:
    # A process of its own: its MCP client hands its standard error to the server it starts.
    command = [sys.executable, "-m", "envfactory_gym.cli", "quickstart", "--out", str(tmp_path / "crm"), "--json"]
    surroundings = {**os.environ, "PYTHONPATH": str(checkout)}
    done = subprocess.run(command, capture_output=True, text=True, env=surroundings, cwd=tmp_path, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(done.stdout)
    assert told["faces_agree"] is True
    assert told["tools"] >= 20
    assert len(told["gold"]) >= 10
    scenes = ["1. An API document", "2. It is proved", "3. Agents play", "4. The same task through MCP"]
    places = [done.stderr.index(scene) for scene in scenes]
    assert places == sorted(places)
    assert "byte for byte: yes" in done.stderr
    # What it made stays, verified, and can be used like any other environment.
    assert envfactory("run", tmp_path / "crm", "--agent", "gold", "--split", "test").code == 0
