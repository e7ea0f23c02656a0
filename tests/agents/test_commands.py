"""Adversaries from the command line: `verify --adversaries`, and `run --agent` by name."""

import json

import pytest
from typer.testing import CliRunner

from envfactory_gym.agents.adversaries import FAMILIES
from envfactory_gym.cli import app
from envfactory_gym.cli.run import BASELINES, AgentName
from envfactory_gym.environment import Package
from envfactory_gym.environment.trust import trust
from tests.agents.planted import all_back
from tests.support import LENDING, copy_of_lending


@pytest.fixture
def envfactory(tmp_path, monkeypatch):
    monkeypatch.setenv("ENVFACTORY_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("COLUMNS", "160")

    def run(*arguments):
        return CliRunner().invoke(app, [str(part) for part in arguments], catch_exceptions=False)

    return run


def test_every_kind_of_adversary_can_be_run_by_name():
    named = {agent.value.replace("-", " ") for agent in AgentName if agent not in BASELINES}
    assert named == set(FAMILIES) - {"no-op"} | {"alternative", "stated arguments only"}


def test_verify_says_how_hackable_an_environment_is(envfactory):
    told = envfactory("verify", LENDING, "--task", "return-sander", "--adversaries", "--json")
    assert told.exit_code == 0
    found = json.loads(told.stdout)[0]["checks"]["adversaries"]
    assert (found["hackability"], found["false_negatives"], found["tasks"]) == (0.0, 0, 1)
    assert set(found["by_adversary"]) == set(FAMILIES)
    assert found["by_adversary"]["wipe"] == {
        "tasks": 1,
        "success": 0,
        "paid_by_turns": 0,
        "hacked": 0,
        "pairs": 0,
        "void": 0,
    }


def test_verify_fails_where_an_adversary_is_paid(envfactory, tmp_path):
    folder = copy_of_lending(tmp_path)
    line = all_back().model_dump_json(exclude={"world_hash", "rules_hash"})
    with (folder / "tasks.jsonl").open("a") as file:
        file.write(line + "\n")
    told = envfactory("verify", folder, "--task", "all-back", "--adversaries")
    assert told.exit_code == 1
    assert "FAILED adversaries" in told.stdout
    assert "all-back pays" in told.stdout
    assert "brute force over ids" in told.stdout


def test_run_plays_agents_by_name(envfactory):
    package = Package(LENDING)
    trust(package.package_hash, package.name)
    told = envfactory(
        "run", LENDING, "--agent", "alternative", "--agent", "wipe", "--agent", "always-decline", "--json"
    )
    assert told.exit_code == 0, told.output
    rows = {row["agent"]: row for row in json.loads(told.stdout)["agents"]}
    assert rows["alternative: joining calls"]["success"] == 1
    assert rows["wipe"]["success"] == 0
    assert rows["always-decline: extend-once"]["success"] == 0.2
    assert rows["always-decline: extend-once"]["pair_accuracy"] == 0
    assert rows["alternative: joining calls"]["pair_accuracy"] == 1
