"""`envfactory verify --sandbox`: the report, a line that says what held the code, and no trust."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from envfactory_gym.cli.app import app
from envfactory_gym.environment import load_package
from envfactory_gym.environment.trust import is_trusted


def test_a_pass_says_what_held_the_code_and_trusts_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVFACTORY_HOME", str(tmp_path / "state"))
    folder = Path(shutil.copytree(load_package("dns").path, tmp_path / "dns"))
    (folder / "NOTES.md").write_text("A package that nobody vouched for.\n", encoding="utf-8")
    task = load_package(folder).tasks[0].id
    done = CliRunner().invoke(app, ["verify", str(folder), "--sandbox", "--tasks", "--task", task])
    assert done.exit_code == 0, done.output
    assert "sandbox: snapshot, environment, supervisor" in done.output
    assert "not trusted by this" in done.output
    assert not is_trusted(load_package(folder).package_hash)


def test_a_failure_names_the_folder_that_was_given_and_not_the_copy(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(load_package("dns").path, tmp_path / "dns"))
    server = folder / "server.py"
    server.write_text(server.read_text("utf-8") + "\nraise RuntimeError('at import')\n", encoding="utf-8")
    done = CliRunner().invoke(app, ["verify", str(folder), "--sandbox", "--json"])
    assert done.exit_code == 1
    (found,) = json.loads(done.output)
    (failure,) = found["failures"]
    assert failure["check"] == "import"
    assert str(server) in failure["evidence"][0]
    assert {layer["name"] for layer in found["protection"]} >= {"limits", "audit", "landlock", "namespaces"}


def test_what_writes_does_not_go_with_a_sandbox() -> None:
    done = CliRunner().invoke(app, ["verify", "dns", "--sandbox", "--write"])
    assert done.exit_code != 0


def test_run_plays_what_nobody_verified_in_a_sandbox_and_only_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENVFACTORY_HOME", str(tmp_path / "state"))
    folder = Path(shutil.copytree(load_package("dns").path, tmp_path / "dns"))
    (folder / "NOTES.md").write_text("Another package that nobody vouched for.\n", encoding="utf-8")
    task = load_package(folder).tasks[0].id
    asked = ["run", str(folder), "--agent", "gold", "--task", task, "--json"]
    refused = CliRunner().invoke(app, asked)
    assert refused.exit_code != 0
    done = CliRunner().invoke(app, [*asked, "--unverified", "subprocess"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["agents"][0]["success"] == 1.0
    assert "sandbox: snapshot" in done.stderr
