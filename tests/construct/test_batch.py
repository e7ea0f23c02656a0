"""A batch gets every document as far as it goes, remembers how far, and goes on where it stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

import envfactory_gym
from envfactory_gym import Package
from envfactory_gym.cli.app import app
from envfactory_gym.construct.batch import Limits, Record, Records, Sweep, find_sources
from envfactory_gym.construct.batch.sources import sampled
from envfactory_gym.construct.proving import prove

from .shop import built, shop

LIBRARY = Path(envfactory_gym.__file__).parents[1]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two shops, a document that is broken, and one without state."""
    documents = tmp_path / "documents"
    (documents / "nested.example").mkdir(parents=True)
    (documents / "shop.yaml").write_text(yaml.safe_dump(shop()), encoding="utf-8")
    (documents / "nested.example" / "shop.yaml").write_text(yaml.safe_dump(shop()), encoding="utf-8")
    (documents / "broken.json").write_text("{", encoding="utf-8")
    reader = {"openapi": "3.0.0", "info": {"title": "R"}, "paths": {"/x": {"get": {"responses": {}}}}}
    (documents / "reader.json").write_text(json.dumps(reader), encoding="utf-8")
    return documents


def swept(folder: Path, out: Path, **options: object) -> dict[str, Record]:
    """The records of a sweep that proves nothing."""
    sweep = Sweep(out, verify=False, **options)  # type: ignore[arg-type]
    list(sweep.run(sweep.waiting(find_sources(folder)), jobs=2))
    return sweep.records.latest()


def test_every_document_gets_a_record_and_a_broken_one_stops_no_other(folder: Path, tmp_path: Path) -> None:
    records = swept(folder, tmp_path / "out")
    assert {source: record.stage for source, record in records.items()} == {
        "shop.yaml": "loads", "nested.example/shop.yaml": "loads", "broken.json": "found", "reader.json": "read",
    }  # fmt: skip
    assert (records["shop.yaml"].tools, records["shop.yaml"].operations, records["shop.yaml"].reason) == (16, 18, "")
    assert records["shop.yaml"].cpu > 0
    assert "not valid" in records["broken.json"].reason or "parsed" in records["broken.json"].reason
    assert "no state" in records["reader.json"].reason
    assert Package(tmp_path / "out" / records["shop.yaml"].name, trusted=True).name == records["shop.yaml"].name


def test_names_are_unique_and_do_not_depend_on_which_documents_are_chosen(folder: Path) -> None:
    sources = find_sources(folder)
    names = {source.relative: source.name for source in sources}
    assert len(set(names.values())) == 4
    assert all(len(name) <= 20 for name in names.values())
    few = sampled(sources, 2, seed=7)
    assert [names[one.relative] for one in few] == [one.name for one in few]
    assert sampled(sources, 2, seed=7) == few


def test_what_is_done_is_not_repeated_until_it_would_come_out_differently(folder: Path, tmp_path: Path) -> None:
    swept(folder, tmp_path / "out")
    sources = find_sources(folder)
    assert Sweep(tmp_path / "out", verify=False).waiting(sources) == []
    assert len(Sweep(tmp_path / "out", verify=False, seed=1).waiting(sources)) == 4
    (folder / "broken.json").write_text("{}", encoding="utf-8")
    assert [one.relative for one in Sweep(tmp_path / "out", verify=False).waiting(sources)] == ["broken.json"]


def test_a_document_that_takes_too_long_is_killed_with_the_reason(folder: Path, tmp_path: Path) -> None:
    records = swept(folder, tmp_path / "out", limits=Limits(seconds=0.05))
    assert {record.reason for record in records.values()} == {"it was not done after 0.05 s"}


def test_a_document_that_needs_too_much_memory_says_so_or_ends(folder: Path, tmp_path: Path) -> None:
    record = swept(folder, tmp_path / "out", limits=Limits(megabytes=40))["shop.yaml"]
    assert record.reason
    assert record.stage != "loads"


def test_a_half_written_line_is_no_record_and_spoils_no_other(tmp_path: Path) -> None:
    records = Records(tmp_path / "batch.jsonl")
    first, second = (Record(source=name, name=name, key="k", stage="read") for name in ("one", "two"))
    records.add(first)
    with records.file.open("a", encoding="utf-8") as file:
        file.write('{"source": "three", "na')
    records.add(second)
    assert list(records) == [first, second]


def test_interrupted_it_leaves_no_process_and_goes_on_where_it_was(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    for number in range(20):
        (folder / f"shop{number}.yaml").write_text((folder / "shop.yaml").read_text(), encoding="utf-8")
    command = [sys.executable, "-m", "envfactory_gym.cli", "build", "--no-verify"]
    command += ["--batch", str(folder), "--out", str(out)]
    environment = {**os.environ, "PYTHONPATH": str(LIBRARY), "ENVFACTORY_HOME": str(tmp_path / "home")}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not (out / "batch.jsonl").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, trouble = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "goes on from" in trouble
    known = Records(out / "batch.jsonl").latest()
    assert 1 <= len(known) < 24
    left = Sweep(out, verify=False).waiting(find_sources(folder))
    assert {one.relative for one in left} == {one.relative for one in find_sources(folder)} - set(known)
    assert not [path for path in Path("/proc").glob("[0-9]*/environ") if _of(path, str(tmp_path / "home"))]


def _of(path: Path, mark: str) -> bool:
    """Whether a process carries a mark in its environment."""
    try:
        return mark.encode() in path.read_bytes()
    except OSError:
        return False


def test_the_command_shows_a_table_and_writes_json(folder: Path, tmp_path: Path) -> None:
    (folder / "nested.example" / "shop.yaml").unlink()
    common = ["build", "--batch", str(folder), "--out", str(tmp_path / "out"), "--no-verify"]
    shown = CliRunner().invoke(app, common)
    assert shown.exit_code == 1
    assert "found 3 -> read 2 -> modelled 1 -> emitted 1 -> loads 1 -> verified 0" in shown.output
    written = json.loads(CliRunner().invoke(app, [*common, "--json"]).stdout)
    assert [one["source"] for one in written] == ["broken.json", "reader.json", "shop.yaml"]
    assert CliRunner().invoke(app, [*common, "--name", "x"]).exit_code == 2
    assert CliRunner().invoke(app, ["build", "--out", str(tmp_path / "x")]).exit_code == 2


def test_tasks_that_do_not_certify_are_taken_out_with_their_twins(tmp_path: Path) -> None:
    raw = shop()
    raw["paths"] = {path: item for path, item in raw["paths"].items() if "orders" in path}
    package = built(raw, tmp_path)
    tasks = [json.loads(line) for line in (package.path / "tasks.jsonl").read_text().splitlines()]
    refusal = next(task for task in tasks if task.get("twin") and "setup" not in task)
    refusal["turns"][0]["gold"] = [{"say": "I did nothing.", "expect": "ends"}]
    kept = [task for task in tasks if task in (tasks[0], refusal) or task["id"] == refusal["twin"]]
    (package.path / "tasks.jsonl").write_text("".join(json.dumps(task) + "\n" for task in kept))
    proof = prove(package.path)
    assert set(proof.dropped) == {refusal["id"], refusal["twin"]}
    assert proof.report.passed
    assert [task.id for task in Package(package.path, trusted=True).tasks] == [tasks[0]["id"]]
