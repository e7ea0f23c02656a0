"""A build is all or nothing, repeats to the byte, and never takes what it did not make."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import envfactory_gym
from envfactory_gym import Package
from envfactory_gym.construct import BuildError, build, bundled_source

LIBRARY = Path(envfactory_gym.__file__).parents[1]
SOURCE = bundled_source("powerdns")

DIGEST = """
import hashlib, pathlib, sys, tempfile
from envfactory_gym.construct import build
out = pathlib.Path(tempfile.mkdtemp()) / "dns"
build(sys.argv[1], out, seed=7)
files = sorted(path for path in out.rglob("*") if path.is_file())
whole = b"".join(str(path.relative_to(out)).encode() + path.read_bytes() for path in files)
print(hashlib.sha256(whole).hexdigest())
"""


def digest(python: str, hash_seed: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(LIBRARY)}
    return subprocess.run(
        [python, "-c", DIGEST, str(SOURCE)], env=environment, capture_output=True, text=True, check=False, timeout=120
    )


def files_of(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_the_same_source_and_seed_give_the_same_bytes_in_any_process() -> None:
    first, second = digest(sys.executable, "1"), digest(sys.executable, "2")
    assert first.returncode == second.returncode == 0, first.stderr + second.stderr
    assert first.stdout == second.stdout


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_every_python_writes_the_same_bytes(version: str) -> None:
    python = shutil.which(f"python{version}")
    needs = "import gymnasium, jinja2, pydantic, yaml"
    if python is None or subprocess.run([python, "-c", needs], capture_output=True, check=False).returncode:
        pytest.skip(f"no Python {version} here that has what the library needs")
    theirs = digest(python, "0")
    assert theirs.stdout == digest(sys.executable, "0").stdout, theirs.stderr


def test_another_seed_gives_another_world_for_the_same_tools(tmp_path: Path) -> None:
    build(SOURCE, tmp_path / "one", name="dns", seed=1)
    build(SOURCE, tmp_path / "two", name="dns", seed=2)
    one, two = files_of(tmp_path / "one"), files_of(tmp_path / "two")
    assert one["data/zones.jsonl"] != two["data/zones.jsonl"]
    assert one["schema.sql"] == two["schema.sql"]


def test_stages_are_told_and_the_account_is_for_people(tmp_path: Path) -> None:
    stages: list[str] = []
    account = build(SOURCE, tmp_path / "dns", progress=stages.append)
    assert stages == ["read", "model", "data", "write"]
    lines = account.text().splitlines()
    assert lines[0].startswith("32 operations in powerdns.json: 22 tools, 10 left out;")
    assert "      PATCH /servers/{server_id}/zones/{zone_id}" in lines


def test_a_build_may_be_repeated_over_itself(tmp_path: Path) -> None:
    build(SOURCE, tmp_path / "dns")
    before = files_of(tmp_path / "dns")
    build(SOURCE, tmp_path / "dns")
    assert files_of(tmp_path / "dns") == before
    assert [path.name for path in tmp_path.iterdir()] == ["dns"]


def test_a_folder_of_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    with pytest.raises(BuildError, match="no build made"):
        build(SOURCE, tmp_path / "mine")
    assert files_of(tmp_path / "mine").keys() == {"thesis.txt"}
    build(SOURCE, tmp_path / "mine", force=True)
    assert Package.load(tmp_path / "mine").name == "mine"


def test_a_file_edited_since_its_build_is_left_alone(tmp_path: Path) -> None:
    build(SOURCE, tmp_path / "dns")
    (tmp_path / "dns" / "server.py").write_text("# my own\n")
    with pytest.raises(BuildError, match=r"server\.py: this file was changed"):
        build(SOURCE, tmp_path / "dns")
    assert (tmp_path / "dns" / "server.py").read_text() == "# my own\n"


def test_certificates_in_the_tasks_do_not_stop_a_rebuild(tmp_path: Path) -> None:
    build(SOURCE, tmp_path / "dns")
    tasks = tmp_path / "dns" / "tasks.jsonl"
    tasks.write_text(tasks.read_text().replace('"wording"', '"world_hash": "x", "wording"'))
    build(SOURCE, tmp_path / "dns")
    assert "world_hash" not in tasks.read_text()


def test_a_failed_write_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build(SOURCE, tmp_path / "dns")
    before = files_of(tmp_path / "dns")
    written = Path.write_text

    def full(path: Path, *arguments: object, **options: object) -> int:
        if path.name == "zones.jsonl":
            raise OSError("no space left on device")
        return written(path, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="no space"):
        build(SOURCE, tmp_path / "dns", seed=3)
    assert files_of(tmp_path / "dns") == before
    assert [path.name for path in tmp_path.iterdir()] == ["dns"]


def test_a_file_in_the_way_and_names_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(BuildError, match="file of that name"):
        build(SOURCE, tmp_path / "taken")
    build(SOURCE, tmp_path / "My Own-API", seed=0)
    assert Package.load(tmp_path / "My Own-API").name == "my_own_api"


def test_an_unknown_bundled_document_is_refused() -> None:
    with pytest.raises(BuildError, match="comes with the library"):
        bundled_source("nobody")


def test_the_account_says_how_the_folder_came_to_be(tmp_path: Path) -> None:
    build(SOURCE, tmp_path / "dns")
    account = json.loads((tmp_path / "dns" / "coverage.json").read_text())
    assert account["generator"] == "envfactory build"
    assert "tasks.jsonl" not in account["files"]
