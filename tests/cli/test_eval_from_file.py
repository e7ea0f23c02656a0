"""Tasks out of a file are played and graded again like those of a package: gold k times, pass@1 and pass^k stored."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from envfactory_gym.cli.app import app
from envfactory_gym.episode import read_run


def test_synthesised_tasks_are_evaluated_k_times_and_rescored(tmp_path: Path) -> None:
    tasks, run = tmp_path / "tasks.jsonl", tmp_path / "RUN.jsonl"
    made = CliRunner().invoke(app, ["synth", "crm", "--easy", "--count", "3", "--jobs", "1", "--out", str(tasks)])
    assert made.exit_code == 0, made.output
    ids = {json.loads(line)["id"] for line in tasks.read_text().splitlines()}
    played = CliRunner().invoke(
        app, ["eval", "--from", str(tasks), "--agent", "gold", "--k", "2", "--out", str(run), "--json"]
    )
    assert played.exit_code == 0, played.output
    records = list(read_run(run))
    assert {record.task for record in records} == ids
    assert len(records) == 2 * len(ids)
    assert all(record.outcome is not None and record.outcome.success for record in records)
    again = CliRunner().invoke(app, ["rescore", str(run), "--from", str(tasks), "--json"])
    assert again.exit_code == 0, again.output


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["eval", "--from", str(tmp_path / "no.jsonl"), "--agent", "gold"])
    assert done.exit_code == 2
    assert "no such file" in done.output
