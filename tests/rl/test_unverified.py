"""Playing a package that nobody verified: the same episodes as in process, and its code never imported."""

from __future__ import annotations

import os
import pickle
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import gymnasium as gym
import pytest

from envfactory_gym.agents import GoldAgent, play
from envfactory_gym.environment import EnvironmentFault, PackageError, UntrustedPackageError, load_package
from envfactory_gym.episode import Episode
from envfactory_gym.rl.env import EnvFactoryEnv
from envfactory_gym.verify.unverified import UnverifiedPackage, open_unverified
from envfactory_gym.world import Template

TASKS = 6


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package like the airline that nobody vouches for."""
    folder = Path(shutil.copytree(load_package("airline").path, tmp_path_factory.mktemp("own") / "airline"))
    (folder / "NOTES.md").write_text("A package that nobody vouched for.\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def held(folder: Path) -> Iterator[UnverifiedPackage]:
    """That package, in its sandbox."""
    package = open_unverified(folder)
    yield package
    package.remote.close()


def test_without_the_option_its_code_is_refused(folder: Path) -> None:
    with pytest.raises(UntrustedPackageError):
        EnvFactoryEnv(str(folder))


def test_its_tools_are_described_as_in_process(held: UnverifiedPackage) -> None:
    here = load_package("airline").tools
    assert [tool.openai() for tool in held.tools.values()] == [tool.openai() for tool in here.values()]
    assert [tool.parameters for tool in held.tools.values()] == [tool.parameters for tool in here.values()]
    assert [tool.outputs for tool in held.tools.values()] == [tool.outputs for tool in here.values()]


def test_a_package_of_the_same_files_that_is_trusted_lends_it_no_tools(held: UnverifiedPackage) -> None:
    here = load_package("airline")
    assert here.world_hash == held.world_hash
    assert Template.of(here).tools["find_customer"] is here.tools["find_customer"]
    assert Template.of(held).tools["find_customer"] is held.tools["find_customer"]


@pytest.mark.parametrize("number", range(TASKS))
def test_messages_rewards_and_states_are_those_of_the_same_episode_in_process(
    held: UnverifiedPackage, number: int
) -> None:
    played = []
    for package in (load_package("airline"), held):
        task = package.tasks[number * (len(package.tasks) // TASKS)]
        with Episode(package, task) as episode:
            play(episode, GoldAgent(episode))
            assert episode.outcome is not None
            played.append((episode.messages, episode.outcome, episode.world.digest()))
    assert played[0] == played[1]
    assert played[1][1].reward == 1.0


WRONG = [
    ("get_reservation", "{"),
    ("get_reservation", "[]"),
    ("get_reservation", "{}"),
    ("get_reservation", '{"reservation_id": 5}'),
    ("get_reservation", '{"reservation_id": "\\ud800"}'),
    ("get_reservation", '{"reservation_id": "nobody", "x": 1}'),
    ("get_reservation", '{"reservation_id": "nobody"}'),
    ("no_such_tool", "{}"),
]


@pytest.mark.parametrize(("tool", "arguments"), WRONG)
def test_what_an_agent_gets_wrong_is_answered_in_the_same_words(
    held: UnverifiedPackage, tool: str, arguments: str
) -> None:
    answers = []
    call = {"id": "c", "type": "function", "function": {"name": tool, "arguments": arguments}}
    for package in (load_package("airline"), held):
        with Episode(package, package.tasks[0]) as episode:
            episode.reset()
            answers.append(episode.step({"role": "assistant", "content": None, "tool_calls": [call]}).messages)
    assert answers[0] == answers[1]


def test_gymnasium_plays_it_and_never_imports_it(folder: Path) -> None:
    environment = gym.make("EnvFactory/airline-v0", environment=str(folder), unverified="subprocess")
    observation, info = environment.reset(seed=1)
    assert observation
    assert info["tools"]
    assert environment.unwrapped.package.protection.active  # type: ignore[attr-defined]
    code = "_envfactory_airline_" + load_package(folder).package_hash[:12]
    assert code not in sys.modules
    environment.close()


def test_a_sandbox_that_is_killed_ends_one_episode_as_infra_and_is_there_for_the_next(folder: Path) -> None:
    package = UnverifiedPackage(folder)
    task = package.tasks[0]
    with Episode(package, task) as episode:
        episode.reset()
        sandbox = package.remote._sandbox
        assert sandbox is not None
        os.kill(sandbox._process.pid, signal.SIGKILL)
        sandbox._process.wait(10)
        play(episode, GoldAgent(episode))
        assert episode.outcome is not None
        assert episode.outcome.kind == "infra"
        assert not episode.outcome.reward_valid
    with Episode(package, task) as episode:
        play(episode, GoldAgent(episode))
        assert episode.outcome is not None
        assert episode.outcome.reward == 1.0
    package.remote.close()


def test_an_environment_with_a_sandbox_pickles(folder: Path) -> None:
    environment = EnvFactoryEnv(str(folder), unverified="subprocess")
    environment.reset(seed=3)
    again = pickle.loads(pickle.dumps(environment))
    assert again.messages == environment.messages
    again.close()
    environment.close()


def test_what_the_static_check_refuses_is_not_imported_even_there(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(load_package("dns").path, tmp_path / "dns"))
    server = folder / "server.py"
    server.write_text("import os\n" + server.read_text("utf-8"), encoding="utf-8")
    with pytest.raises(PackageError, match="not among the modules a tool may use"):
        open_unverified(folder)


MISBEHAVED = """

@env.tool()
def spin(world: World) -> int:
    \"\"\"Never end.\"\"\"
    while True:
        pass


@env.tool()
def ask(world: World) -> int:
    \"\"\"Ask the world for ever.\"\"\"
    while True:
        world.one("SELECT 1 AS a")


@env.tool()
def hog(world: World) -> int:
    \"\"\"Take all memory.\"\"\"
    return len([bytes(1 << 20) for _ in range(1 << 20)])


@env.tool()
def flood(world: World) -> str:
    \"\"\"Answer without end.\"\"\"
    return "x" * 20_000_000


@env.tool()
def forbidden(world: World) -> int:
    \"\"\"Run what no tool may.\"\"\"
    return world.run("ATTACH 'elsewhere.db' AS elsewhere")


@env.tool()
def fine(world: World) -> int:
    \"\"\"Count.\"\"\"
    return world.value("SELECT count(*) FROM zones")
"""
SAID = {
    "spin": "more than two seconds",
    "ask": "more than two seconds",
    "hog": "MemoryError",
    "flood": "an answer of more than",
    "forbidden": "ATTACH is not allowed",
}


@pytest.fixture(scope="module")
def misbehaved(tmp_path_factory: pytest.TempPathFactory) -> Iterator[UnverifiedPackage]:
    """A package whose tools do what none should."""
    folder = Path(shutil.copytree(load_package("dns").path, tmp_path_factory.mktemp("own") / "dns"))
    server = folder / "server.py"
    source = server.read_text("utf-8").partition('if __name__ == "__main__"')[0]
    server.write_text(source + MISBEHAVED, encoding="utf-8")
    package = open_unverified(folder)
    yield package
    package.remote.close()


@pytest.mark.parametrize("tool", SAID)
def test_a_tool_that_misbehaves_is_a_fault_with_its_reason_and_the_next_call_is_made(
    misbehaved: UnverifiedPackage, tool: str
) -> None:
    template = Template.of(misbehaved)
    world = template.acquire()
    before = world.digest()
    with pytest.raises(EnvironmentFault, match=SAID[tool]):
        world.call(tool, "{}")
    assert world.digest() == before
    assert int(world.call("fine", "{}")) > 0
    template.release(world)
