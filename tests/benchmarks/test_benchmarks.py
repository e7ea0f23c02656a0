"""The benchmarks run, measure what they say, and own up to what they could not measure."""

from __future__ import annotations

import hashlib
import io
import json
import mmap
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from benchmarks import __main__ as command
from benchmarks import clock, process_memory, processes, schedule, shop_package, shop_play, shop_rows, tables
from benchmarks.parts import memory
from envfactory_gym.world import Template


@pytest.fixture(scope="module")
def quick(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a quick run of two parts writes."""
    file = tmp_path_factory.mktemp("figures") / "figures.json"
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--quick", "--only", "reset,compare", "--json", str(file)],
        capture_output=True, text=True, cwd=checkout, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "world.reset()" in done.stdout
    assert "compare()" in done.stdout
    assert "One call" not in done.stdout
    return json.loads(file.read_text(encoding="utf-8"))


def test_a_quick_run_gives_the_parts_asked_for(quick: dict[str, Any]) -> None:
    assert list(quick["parts"]) == ["reset", "compare"]
    assert quick["failed"] == {}
    assert quick["quick"] is True
    assert set(quick["machine"]) >= {"machine", "python", "sqlite", "date"}


def test_every_figure_is_a_sane_summary(quick: dict[str, Any]) -> None:
    found = list(_figures(quick["parts"]))
    assert len(found) == 2 * 3 + 3 * 3  # forms by what is undone; rows by kind
    for figures in found:
        assert 0 < figures["min"] <= figures["p50"] <= figures["p95"]
        assert figures["min"] <= figures["mean"]
        assert figures["n"] >= 5


def _figures(node: Any) -> Any:
    if isinstance(node, dict):
        if "p50" in node:
            yield node
        else:
            for child in node.values():
                yield from _figures(child)


def test_an_unknown_part_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        command.main(["--only", "reset,rest"])
    assert end.value.code == 2
    assert "there is no part 'rest'" in capsys.readouterr().err


def test_what_could_not_be_measured_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(part: str, options: dict[str, Any], *, cache: Path) -> dict[str, Any]:
        if part == "image":
            return {}
        raise processes.PartFailed(f"{part}: out of luck")

    monkeypatch.setattr(processes, "run", fail)
    out = io.StringIO()
    result = command.measure(tmp_path, ("compare",), quick=True, console=Console(file=out, width=200))
    assert result["failed"] == {"compare, 500 KB": "compare: out of luck"}
    assert result["parts"] == {}
    assert "not measured: compare: out of luck" in out.getvalue()


def test_a_part_that_raises_gives_its_last_words(tmp_path: Path) -> None:
    with pytest.raises(processes.PartFailed, match=r"environment\.yaml"):
        processes.run("image", {"folder": str(tmp_path)}, cache=tmp_path)


def test_every_part_has_jobs_and_a_table() -> None:
    for quick in (False, True):
        assert {job.part for job in schedule.jobs(quick)} == set(schedule.PARTS) == set(tables._TABLES)
    wanted = [job.options["worlds"] for job in schedule.jobs(False) if job.name.endswith("shared")]
    assert wanted == [[1, 1_000, 10_000]] * 4


def test_summaries_are_right() -> None:
    figures = clock.summary([1_000.0 * n for n in range(1, 102)])
    assert figures == {"mean": 51.0, "p50": 51.0, "p95": 96.0, "min": 1.0, "n": 101.0}


def test_timing_counts_only_the_work() -> None:
    seen: list[str] = []
    figures = clock.timed(
        lambda: seen.append("work"), before=lambda: seen.append("before"), samples=3, repeat=2, warm=1
    )
    assert seen == ["before", "work", "work"] * 4
    assert figures["n"] == 3


def test_memory_of_this_process_grows_with_what_it_holds() -> None:
    before = process_memory.read()
    with mmap.mmap(-1, 20_480_000, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as held:
        held.write(b"\x01" * len(held))
        grown = process_memory.per(before, process_memory.read(), 20)
    assert 900_000 < grown["anonymous"] < 2_200_000  # the bytes that were written from may still be there


def test_more_worlds_than_memory_are_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    gigabyte = 10**9
    base, now = {"pss": 0, "anonymous": 0}, {"pss": gigabyte // 2, "anonymous": gigabyte // 2}
    monkeypatch.setattr(process_memory, "of_machine", lambda: (8 * gigabyte, 7 * gigabyte))
    assert memory._too_many(now, base, 1_000, 7_000) is None
    assert memory._too_many(now, base, 1_000, 9_000) == "they would take some 4.5 GB more; 7.0 of 8.0 GB are free"
    monkeypatch.setattr(process_memory, "of_machine", lambda: (8 * gigabyte, 3 * gigabyte))
    assert memory._too_many(now, base, 1_000, 7_000) is not None


def test_the_shop_is_the_same_everywhere() -> None:
    text = json.dumps(shop_rows.rows(60), sort_keys=True)
    assert hashlib.blake2b(text.encode(), digest_size=8).hexdigest() == "b05f0f18b2668ca4"
    assert {table: len(rows) for table, rows in shop_rows.rows(60).items()} == shop_rows.counts(60)


def test_images_are_as_large_as_they_are_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVFACTORY_CACHE", str(tmp_path / "cache"))
    for image, size in (("100 KB", 100_000), ("500 KB", 500_000)):
        package = shop_package.load(shop_package.write(tmp_path / image, image))
        template = Template.of(package)
        assert 0.9 * size < template.size < 1.1 * size
        template.close()


def test_an_episode_is_24_calls_at_every_size() -> None:
    for orders in shop_package.ORDERS.values():
        assert len(shop_play.calls(orders)) == 24
        assert len(shop_play.task(orders).turns[0].goal.calls) == 24 - shop_play.REFUSED
        assert len({call[1]["order_id"] for call in shop_play.spread_writes(orders)}) == 16
    assert len(shop_play.setup().rows) == 20
