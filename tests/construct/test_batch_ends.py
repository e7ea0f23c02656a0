"""How a sweep ends: early, killed, or with every document as far as was asked; nothing that was done is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import suppress
from pathlib import Path
from typing import cast

import yaml
from typer.testing import CliRunner

import envfactory_gym
from envfactory_gym.cli.app import app
from envfactory_gym.construct.batch import Record, Records, Sweep, find_sources

from .shop import shop

LIBRARY = Path(envfactory_gym.__file__).parents[1]

PATIENCE = 60.0
"""Seconds after which a sweep that is watched from outside has surely done what is waited for."""


def customers(folder: Path, *names: str) -> Path:
    """A folder of small documents that differ by their titles."""
    folder.mkdir(parents=True, exist_ok=True)
    raw = shop()
    raw["paths"] = {path: item for path, item in raw["paths"].items() if path.startswith("/v1/customers")}
    for name in names:
        raw["info"]["title"] = f"Customers of {name}"
        (folder / f"{name}.yaml").write_text(yaml.safe_dump(raw), encoding="utf-8")
    return folder


def test_documents_that_all_go_as_far_as_was_asked_are_a_success(tmp_path: Path) -> None:
    folder = customers(tmp_path / "documents", "bakery")
    batch = ["build", "--batch", str(folder), "--out", str(tmp_path / "out"), "--no-verify"]
    assert CliRunner().invoke(app, batch).exit_code == 0


def test_a_document_goes_the_whole_way_to_its_tier(tmp_path: Path) -> None:
    folder = customers(tmp_path / "documents", "bakery")
    (record,) = Sweep(tmp_path / "out").run(find_sources(folder))
    assert record.verified, record.reason
    assert record.tier == "verified"
    assert record.tasks >= 10
    assert record.mutation is not None
    assert record.mutation >= 0.7


def test_a_sweep_that_is_left_early_keeps_what_was_done(tmp_path: Path) -> None:
    folder = customers(tmp_path / "documents", "bakery", "tailor")
    sweep = Sweep(tmp_path / "out", verify=False)
    sources = find_sources(folder)
    run = cast("Generator[Record, None, None]", sweep.run(sources, jobs=1))
    first = next(run)
    run.close()
    assert list(Sweep(tmp_path / "out").records) == [first]
    assert [one.name for one in Sweep(tmp_path / "out", verify=False).waiting(sources)] == [
        one.name for one in sources if one.name != first.name
    ]


def children(parent: int) -> list[int]:
    """The processes that a process started."""
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    pairs = [tuple(map(int, line.split())) for line in listed.splitlines()]
    return [pid for pid, ppid in pairs if ppid == parent]


def until(happened: Callable[[], bool]) -> None:
    """Wait for something; fail where it does not happen."""
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)


def test_a_sweep_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "a.json").write_text("{", encoding="utf-8")
    (folder / "b.yaml").write_text(yaml.safe_dump(shop()), encoding="utf-8")
    records = tmp_path / "out" / "batch.jsonl"
    # Proving takes a while, so the second document is still being worked on when the first has its record.
    process = subprocess.Popen(
        [sys.executable, "-m", "envfactory_gym.cli", "build", "--batch", str(folder), "--out", str(tmp_path / "out")],
        env={**os.environ, "PYTHONPATH": str(LIBRARY), "ENVFACTORY_HOME": str(tmp_path / "home")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    workers: list[int] = []
    try:
        until(lambda: records.exists() and records.read_text(encoding="utf-8").endswith("\n"))
        until(lambda: bool(children(process.pid)))
        workers = children(process.pid)
    finally:
        process.kill()
        process.wait(PATIENCE)
        for pid in workers:  # nobody cleans up after being killed
            with suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)
    assert [record.name for record in Records(records)] == ["a"]
    assert [one.name for one in Sweep(tmp_path / "out").waiting(find_sources(folder))] == ["b"]
