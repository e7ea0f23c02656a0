"""The audit finds each kind of leak, and the card tells what is there."""

import json

import pytest
import yaml
from typer.testing import CliRunner

from envfactory_gym import load_package
from envfactory_gym.cli import app
from envfactory_gym.export import audit, export, gold_samples, prompts, sample_of

from .trajectories import trajectory


@pytest.fixture(scope="module")
def airline():
    return load_package("airline")


@pytest.fixture(scope="module")
def gold(airline):
    return list(gold_samples(airline, airline.tasks))


def kinds(leaks):
    return {leak.kind for leak in leaks}


def test_the_shipped_environments_do_not_leak(airline, gold):
    crm = load_package("crm")
    rows = [*gold, *gold_samples(crm), *prompts(airline, airline.tasks), *prompts(crm, crm.tasks)]
    assert [leak for leak in audit(rows, {airline.id: airline, crm.id: crm}) if leak.serious] == []


def test_each_kind_of_leak_is_found(airline, gold):
    known = {airline.id: airline}
    first = gold[0]
    other = "dev" if first.split != "dev" else "test"
    assert kinds(audit([first, first.model_copy(update={"split": other})], known)) == {"task", "conversation"}
    renamed = first.model_copy(update={"split": other, "task": "another"})
    assert kinds(audit([first, renamed], known)) == {"request", "conversation"}
    twin = next(task for task in airline.tasks if task.twin)
    pair = {sample.task: sample for sample in gold if sample.task in (twin.id, twin.twin)}
    moved = pair[twin.id].model_copy(update={"split": "moved"})
    assert "twin" in kinds(audit([moved, pair[twin.twin]], known))
    words = " ".join(f"word{n}" for n in range(40))
    said = [
        first.model_copy(update={"split": split, "task": split, "messages": [{"role": "user", "content": text}]})
        for split, text in (("train", words), ("test", words + " more"))
    ]
    (near,) = audit(said, known)
    assert (near.kind, near.serious) == ("near-duplicate", False)


def test_a_leak_makes_the_command_fail_and_stands_in_the_card(tmp_path):
    run = trajectory(1)
    file = tmp_path / "RUN.jsonl"
    file.write_text(run.line() + run.model_copy(update={"split": "test" if run.split != "test" else "dev"}).line())
    done = CliRunner().invoke(app, ["export", str(file), "--keep", "all", "--out", str(tmp_path / "x"), "--no-plots"])
    assert done.exit_code == 1 and "conversation" in done.output
    assert "serious" in (tmp_path / "x" / "README.md").read_text()
    assert json.loads((tmp_path / "x" / "audit.json").read_text())[0]["serious"] is True


def test_the_card_names_every_file_and_draws_the_same_bytes_twice(airline, gold, tmp_path):
    for name in ("one", "two"):
        made = export(gold[:20], tmp_path / name, "chat", packages=[airline])
    text = (tmp_path / "one" / "README.md").read_text()
    head = yaml.safe_load(text.split("---")[1])
    assert {file["path"] for part in head["configs"] for file in part["data_files"]} == set(made.rows)
    assert all(source.licence in text for source in airline.manifest.sources)
    files = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*") if path.is_file())
    assert {"turns.png", "steps.png", "tools.png", "domains.png"} <= {path.name for path in files}
    for path in files:
        assert (tmp_path / "one" / path).read_bytes() == (tmp_path / "two" / path).read_bytes(), path


def test_the_command_exports_gold_and_tasks_of_a_split(tmp_path):
    out = tmp_path / "x"
    command = ["export", "--gold", "crm", "--rl", "crm", "--split", "train", "--to", "trl", "--out", str(out), "--json"]
    done = CliRunner().invoke(app, [*command, "--no-plots"])
    assert done.exit_code == 0, done.output
    assert set(json.loads(done.stdout)["rows"]) == {"sft/train.jsonl", "rl/train.jsonl"}
    rows = [json.loads(line) for line in (out / "sft" / "train.jsonl").read_text().splitlines()]
    assert rows and all(row["success"] and row["tools"] and "loss" not in row for row in rows)


def test_only_successes_are_kept_where_nothing_else_is_said(tmp_path):
    runs = [trajectory(seed) for seed in range(40)]
    file = tmp_path / "RUN.jsonl"
    file.write_text("".join(run.line() for run in runs))
    for keep, wanted in (("success", sum(run.outcome.success for run in runs)), ("all", 40)):
        done = CliRunner().invoke(
            app, ["export", str(file), "--keep", keep, "--out", str(tmp_path / keep), "--json", "--no-plots"]
        )
        assert sum(json.loads(done.stdout)["rows"].values()) == wanted
    assert sample_of(runs[0]).id != sample_of(runs[1]).id


def test_naming_nothing_says_what_to_name(tmp_path):
    done = CliRunner().invoke(app, ["export", "--out", str(tmp_path / "x")])
    assert done.exit_code == 2 and "--gold" in done.output
