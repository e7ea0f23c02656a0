"""A sweep over a folder: one bad document costs no other, and whatever stops it, the next run goes on from there."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import cast

import pytest
import yaml
from typer.testing import CliRunner

from envfactory_gym.cli.app import app
from envfactory_gym.construct.batch import Limits, Record, Records, Sweep, find_sources
from envfactory_gym.construct.batch.sources import sampled

from .shop import shop

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


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two good documents; among them one that is cut short, one without state, and one that is no API at all."""
    folder = customers(tmp_path / "documents", "bakery", "tailor")
    (folder / "broken.json").write_text('{"openapi": "3.0.0", ', encoding="utf-8")
    raw = shop()
    raw["paths"] = {path: {"get": item["get"]} for path, item in raw["paths"].items() if "get" in item}
    (folder / "reader.yaml").write_text(yaml.safe_dump(raw), encoding="utf-8")
    (folder / "recipe.yaml").write_text("flour: 500 g\nwater: 300 g\n", encoding="utf-8")
    return folder


def swept(folder: Path, out: Path) -> dict[str, Record]:
    """Every record of a sweep that proves nothing, by the environment's name."""
    sweep = Sweep(out, verify=False)
    return {record.name: record for record in sweep.run(sweep.waiting(find_sources(folder)), jobs=2)}


def test_a_bad_document_costs_no_other_and_says_in_a_sentence_what_is_wrong(folder: Path, tmp_path: Path) -> None:
    records = swept(folder, tmp_path / "out")
    assert {name: one.stage for name, one in records.items()} == {
        "bakery": "loads",
        "broken": "found",
        "reader": "read",
        "recipe": "found",
        "tailor": "loads",
    }
    assert "not valid JSON" in records["broken"].reason
    assert "no state" in records["reader"].reason
    assert not any("Traceback" in one.reason for one in records.values())
    assert records["bakery"].tools > 5
    assert records["bakery"].reason == ""
    assert (tmp_path / "out" / "bakery" / "server.py").exists()
    assert not (tmp_path / "out" / "broken").exists()


def test_only_what_may_come_out_otherwise_is_done_again(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    swept(folder, out)
    sources = find_sources(folder)
    assert Sweep(out, verify=False).waiting(sources) == []
    with (folder / "bakery.yaml").open("a", encoding="utf-8") as file:
        file.write("# another edition\n")
    assert [one.name for one in Sweep(out, verify=False).waiting(sources)] == ["bakery"]
    others: list[Sweep] = [
        Sweep(out, verify=True),
        Sweep(out, verify=False, seed=1),
        Sweep(out, verify=False, limits=Limits(seconds=9)),
    ]
    for other in others:
        assert other.waiting(sources) == sources


def test_a_sweep_that_is_left_early_keeps_what_was_done(folder: Path, tmp_path: Path) -> None:
    sweep = Sweep(tmp_path / "out", verify=False)
    sources = find_sources(folder)
    run = cast("Generator[Record, None, None]", sweep.run(sources, jobs=1))
    first = next(run)
    run.close()
    assert list(Sweep(tmp_path / "out").records) == [first]
    assert [one.name for one in Sweep(tmp_path / "out", verify=False).waiting(sources)] == [
        one.name for one in sources if one.name != first.name
    ]


def test_a_record_that_was_cut_short_counts_for_nothing_and_spoils_no_other(tmp_path: Path) -> None:
    records = Records(tmp_path / "batch.jsonl")
    first, second = Record("a.json", "a", "k1", "read"), Record("b.json", "b", "k2", "loads", tools=4)
    records.add(first)
    records.file.write_text(records.file.read_text() + second.line()[:30], encoding="utf-8")
    assert list(records) == [first]
    records.add(second)
    assert list(records) == [first, second]
    again = Record("a.json", "a", "k3", "verified")
    records.add(again)
    assert records.latest() == {"a.json": again, "b.json": second}


def test_a_document_that_takes_too_long_is_ended_and_the_next_has_its_turn(tmp_path: Path) -> None:
    folder = customers(tmp_path / "documents", "bakery", "tailor")
    sweep = Sweep(tmp_path / "out", limits=Limits(seconds=0.1))
    records = list(sweep.run(find_sources(folder)))
    assert [one.name for one in records] == ["bakery", "tailor"]
    assert {one.reason for one in records} == {"it was not done after 0.1 s"}


def test_a_document_that_takes_too_much_memory_is_ended_with_a_reason(tmp_path: Path) -> None:
    folder = customers(tmp_path / "documents", "bakery")
    (record,) = Sweep(tmp_path / "out", verify=False, limits=Limits(megabytes=16)).run(find_sources(folder))
    assert record.stage != "verified"
    assert "memory" in record.reason.lower()


def test_names_are_told_apart_and_do_not_depend_on_the_order_of_a_disk(tmp_path: Path) -> None:
    for name in ("a/v1", "b/v1", "stripe"):
        customers(tmp_path / name, "openapi")
    sources = find_sources(tmp_path)
    assert [one.relative for one in sources] == ["a/v1/openapi.yaml", "b/v1/openapi.yaml", "stripe/openapi.yaml"]
    assert len({one.name for one in sources}) == 3
    assert all(one.name.isidentifier() and len(one.name) <= 20 for one in sources)
    assert sources == find_sources(tmp_path)
    assert sampled(sources, 2, seed=4) == sampled(sources, 2, seed=4)
    assert sampled(sources, 9, seed=0) == sources


def test_the_command_shows_a_table_and_writes_json(folder: Path, tmp_path: Path) -> None:
    batch = ["build", "--batch", str(folder), "--out", str(tmp_path / "out"), "--no-verify"]
    shown = CliRunner().invoke(app, batch, env={"COLUMNS": "200"})
    assert shown.exit_code == 1, shown.output  # two good documents of five
    assert "found 5 -> read 3 -> modelled 2 -> emitted 2 -> loads 2 -> verified 0" in shown.output
    assert "5 documents; records in" in " ".join(shown.output.split())
    written = CliRunner().invoke(app, [*batch, "--json"])
    records = json.loads(written.stdout)
    assert [one["source"] for one in records] == [
        "bakery.yaml",
        "broken.json",
        "reader.yaml",
        "recipe.yaml",
        "tailor.yaml",
    ]
    assert {"name", "stage", "tier", "tools", "tasks", "seconds", "reason"} <= records[0].keys()
    kept = [json.loads(line) for line in (tmp_path / "out" / "batch.jsonl").read_text(encoding="utf-8").splitlines()]
    assert sorted(kept, key=lambda one: one["source"]) == records


def test_documents_that_all_go_as_far_as_was_asked_are_a_success(tmp_path: Path) -> None:
    folder = customers(tmp_path / "documents", "bakery")
    batch = ["build", "--batch", str(folder), "--out", str(tmp_path / "out"), "--no-verify"]
    assert CliRunner().invoke(app, batch).exit_code == 0


def test_options_for_one_source_are_refused_for_many(folder: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["build", "--batch", str(folder), "--out", str(tmp_path), "--name", "x"])
    assert result.exit_code == 2
    assert "are for one source" in " ".join(result.output.split())


def test_a_document_goes_the_whole_way_to_its_tier(tmp_path: Path) -> None:
    folder = customers(tmp_path / "documents", "bakery")
    (record,) = Sweep(tmp_path / "out").run(find_sources(folder))
    assert record.verified, record.reason
    assert record.tier == "verified"
    assert record.tasks >= 10
    assert record.mutation is not None
    assert record.mutation >= 0.7


# ---------------------------------------------------------------- stopped from outside


def started(folder: Path, out: Path, home: Path) -> subprocess.Popen[str]:
    """The command in a process of its own, proving what it builds, so that there is time to stop it."""
    return subprocess.Popen(
        [sys.executable, "-m", "envfactory_gym.cli", "build", "--batch", str(folder), "--out", str(out)],
        env={**os.environ, "ENVFACTORY_HOME": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def children(parent: int) -> list[int]:
    """The processes that a process started."""
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    pairs = [tuple(map(int, line.split())) for line in listed.splitlines()]
    return [pid for pid, ppid in pairs if ppid == parent]


def alive(pid: int) -> bool:
    """Whether a process still does something; one that nobody has waited for yet does not."""
    listed = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return bool(listed.strip()) and not listed.strip().startswith("Z")


def until(happened: Callable[[], bool]) -> None:
    """Wait for something; fail where it does not happen."""
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGKILL], ids=["Ctrl-C", "killed"])
def test_a_sweep_that_is_stopped_goes_on_where_it_was(tmp_path: Path, kind: signal.Signals) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "a.json").write_text("{", encoding="utf-8")
    (folder / "b.yaml").write_text(yaml.safe_dump(shop()), encoding="utf-8")
    records = tmp_path / "out" / "batch.jsonl"

    process = started(folder, tmp_path / "out", tmp_path / "home")
    try:
        until(lambda: records.exists() and records.read_text(encoding="utf-8").endswith("\n"))
        until(lambda: bool(children(process.pid)))
        workers = children(process.pid)
        process.send_signal(kind)
        _, said = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    done = records.read_text(encoding="utf-8")
    assert [json.loads(line)["name"] for line in done.splitlines()] == ["a"]
    if kind == signal.SIGINT:
        assert process.returncode == 130
        assert "The same command goes on from" in said
        assert "Traceback" not in said
        until(lambda: not any(map(alive, workers)))
    else:
        # Nobody can clean up after being killed: its workers end by themselves, or here.
        for pid in workers:
            if alive(pid):
                os.kill(pid, signal.SIGKILL)

    sweep = Sweep(tmp_path / "out")
    assert [one.name for one in sweep.waiting(find_sources(folder))] == ["b"]
