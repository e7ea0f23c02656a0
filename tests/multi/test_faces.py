"""The faces of the library on a bundle: Gymnasium, MCP over stdio, records, commands. Names are the same on all."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from gymnasium.utils.env_checker import check_env
from typer.testing import CliRunner

from envfactory_gym.agents import gold_messages
from envfactory_gym.cli import app
from envfactory_gym.environment import Bundle, PackageError, load_package
from envfactory_gym.episode import Episode, read_run
from envfactory_gym.rl.env import EnvFactoryEnv
from tests.multi import desks

ID = "EnvFactory/multi-v0"
TASK = "sander-here-trimmer-there"


def make(**options: Any) -> EnvFactoryEnv:
    env = gym.make(ID, **options).unwrapped
    assert isinstance(env, EnvFactoryEnv)
    return env


def names(tools: list[dict[str, Any]]) -> list[str]:
    return [tool["function"]["name"] for tool in tools]


def command(*arguments: str) -> Any:
    return CliRunner().invoke(app, list(arguments))


@pytest.mark.usefixtures("installed")
def test_gymnasium_makes_it_with_all_tasks_or_with_those_of_some_environments() -> None:
    assert len(make().tasks) == len(desks.TASKS)
    assert len(make(environments=["workshop", "EnvFactory/lending-v0"]).tasks) == len(desks.TASKS)
    assert [task.id for task in make(environments=["workshop"]).tasks] == ["just-there"]
    assert [task.id for task in make(split="test").tasks] == ["borrow-at-both"]
    with pytest.raises(PackageError, match="no environment 'lendin'; did you mean lending"):
        make(environments=["lendin", "workshop"])
    with pytest.raises(ValueError, match="goes with EnvFactory/multi-v0"):
        EnvFactoryEnv("lending", environments=["workshop"])


@pytest.mark.usefixtures("installed")
def test_gymnasium_lists_the_tools_of_the_tasks_environments() -> None:
    env = make()
    _, info = env.reset(options={"task": "just-there"})
    assert {name.partition("__")[0] for name in names(info["tools"])} == {"workshop", "decline_request"}
    assert "lending/" not in info["policy"]
    _, info = env.reset(options={"task": TASK})
    assert {name.partition("__")[0] for name in names(info["tools"])} == {"lending", "workshop", "decline_request"}
    assert [tool["name"] for tool in env.action_space.tools] == names(info["tools"])
    env.close()


@pytest.mark.usefixtures("installed")
def test_gymnasiums_checker_finds_nothing_wrong(recwarn: pytest.WarningsRecorder) -> None:
    check_env(make(), skip_render_check=True)
    assert [str(warning.message) for warning in recwarn if "ansi" not in str(warning.message)] == []


@pytest.mark.usefixtures("installed")
def test_samples_use_values_of_the_right_database() -> None:
    env = make()
    assert env.action_space.examples["workshop__extend_loan"]["loan_id"]
    env.reset(options={"task": "borrow-at-both"})
    env.action_space.seed(0)
    called: dict[str, bool] = {}
    for _ in range(25):
        observation, _, _, truncated, info = env.step(env.action_space.sample())
        if info or truncated:
            env.reset(options={"task": "borrow-at-both"})
        for message in observation:
            if message["role"] == "tool":
                called[message["name"]] = called.get(message["name"], False) or "error" not in message["content"]
    assert any(good for name, good in called.items() if name.startswith("workshop__"))
    assert any(good for name, good in called.items() if name.startswith("lending__"))
    env.close()


@pytest.mark.usefixtures("installed")
def test_an_environment_pickles_in_the_middle_of_an_episode() -> None:
    env = make(environments=["lending", "workshop"])
    env.reset(options={"task": TASK})
    assert env.episode is not None
    gold = list(gold_messages(env.episode))
    for message in gold[:3]:
        env.step(message)
    other = pickle.loads(pickle.dumps(env))
    assert other.messages == env.messages
    assert other.action_space == env.action_space
    results = [[one.step(message) for message in gold[3:]][-1] for one in (env, other)]
    assert [reward for _, reward, *_ in results] == [1.0, 1.0]


def test_gold_over_stdio_equals_gold_in_an_episode(installed: Path) -> None:
    pytest.importorskip("mcp", reason="serving needs the serve extra")
    from envfactory_gym.serve.client_stdio import play_over_stdio

    package = load_package(installed)
    assert isinstance(package, Bundle)
    with Episode(package, TASK, user="solo", answer="tool") as episode:
        episode.reset()
        for message in gold_messages(episode):
            episode.step(message)
        results, run = play_over_stdio(package, TASK, [(call.tool, call.arguments) for call in episode.calls])
        assert results == [call.result for call in episode.calls]
        assert run.digest == episode.world.digest()
        assert run.outcome is not None
        assert run.outcome.success
        assert names(run.tools) == names(episode.tools)
        assert (run.environment, run.world_hash) == (ID, package.world_hash)


def test_names_are_the_same_on_every_face(installed: Path) -> None:
    pytest.importorskip("mcp", reason="serving needs the serve extra")
    from envfactory_gym.serve import open_session
    from envfactory_gym.serve.catalogue import describe_tool, documents

    package = load_package(installed)
    session = open_session(package, "just-there")
    shown = [describe_tool(tool).name for tool in session.tools.values()]
    record = session.finish()
    _, info = make(answer="tool", user="solo").reset(options={"task": "just-there"})
    assert shown == names(record.tools) == names(info["tools"])
    texts = {uri: document.text for uri, document in documents(session).items()}
    assert 'CREATE TABLE "workshop__loans"' in texts["env://multi/schema.sql"]
    assert "lending" not in texts["env://multi/policy"]
    session.close()


def test_a_free_session_serves_all_environments_and_resumes(installed: Path, tmp_path: Path) -> None:
    from envfactory_gym.serve import open_session
    from envfactory_gym.serve.state import resume_session, write_state

    package = load_package(installed)
    session = open_session(package)
    assert not session.call("workshop__extend_loan", {"loan_id": "H2MZP"}).refused
    assert session.call("lending__extend_loan", {"loan_id": "W6TGD"}).refused
    state = session.state()
    write_state(tmp_path / "state.json", state)
    session.close()
    again = resume_session(package, tmp_path / "state.json")
    assert again.state() == state
    again.close()


def test_a_graded_session_resumes(installed: Path, tmp_path: Path) -> None:
    from envfactory_gym.serve import open_session
    from envfactory_gym.serve.state import resume_session, write_state

    package = load_package(installed)
    session = open_session(package, "just-there")
    session.call("workshop__return_item", {"loan_id": "W6TGD"})
    write_state(tmp_path / "state.json", session.state())
    session.close()
    again = resume_session(package, tmp_path / "state.json", "just-there")
    record = again.finish()
    assert record.outcome is not None
    assert record.outcome.success
    again.close()


@pytest.mark.usefixtures("installed")
def test_commands_take_it_like_any_environment(tmp_path: Path) -> None:
    shown = command("show", "multi")
    assert shown.exit_code == 0
    assert "Harbour Street Lending Desk and Mill Lane Workshop" in shown.output
    assert "workshop/extend-once" in shown.output
    assert command("show", "multi", "--task", TASK, "--gold").exit_code == 0
    out = tmp_path / "RUN.jsonl"
    played = command("run", "multi", "--agent", "gold", "--agent", "no-op", "--agent", "random", "--out", str(out))
    assert played.exit_code == 0
    rewards: dict[str, list[float]] = {}
    for record in read_run(out):
        assert record.outcome is not None
        rewards.setdefault(record.agent, []).append(record.outcome.reward)
    assert rewards["gold"] == [1.0] * len(desks.TASKS)
    assert rewards["no-op"] == [0.0] * len(desks.TASKS)
    person = CliRunner().invoke(
        app, ["play", "multi", "--task", "just-there"], input="/workshop__return_item loan_id=W6TGD\nIt is back.\n"
    )
    assert "Success: reward 1" in person.output


def test_verify_certifies_its_tasks_and_pins_what_each_was_played_on(installed: Path) -> None:
    answer = command("verify", "multi", "--jobs", "1", "--write", "--json")
    assert answer.exit_code == 0, answer.output
    (report,) = json.loads(answer.stdout)
    assert report["tasks"] == {"certified": len(desks.TASKS), "forms": 2 * len(desks.TASKS), "failed": []}
    assert set(report["checks"]) == {"members", "determinism"}
    package = load_package(installed)
    for task in package.tasks:
        assert task.world_hash == package.narrowed(task).world_hash
        assert set(task.certificate or {}) == {"scripted", "solo"}


def test_verify_says_which_task_is_broken(installed: Path) -> None:
    tasks = [json.loads(line) for line in (installed / "tasks.jsonl").read_text().splitlines()]
    broken = next(task for task in tasks if task["id"] == "just-there")
    broken["environments"] = ["EnvFactory/lending-v0"]
    (installed / "tasks.jsonl").write_text(json.dumps(broken) + "\n")
    answer = command("verify", "multi", "--jobs", "1")
    assert answer.exit_code == 1
    assert "unknown tool 'workshop__list_loans'" in " ".join(answer.output.split())
