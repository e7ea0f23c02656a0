"""Episodes that span environments, over HTTP: every address shows its part, and it is one episode with one grade."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="serving over HTTP needs the serve extra")

import httpx2

from envfactory_gym.agents import gold_messages
from envfactory_gym.environment import load_package
from envfactory_gym.episode import Episode
from envfactory_gym.serve.client import FleetClient, FleetError, RemoteEpisode
from tests.serve.fleet import mcp_client, served

TASK = "sander-here-trimmer-there"


@pytest.fixture
def fleet(installed: Path, tmp_path: Path) -> Iterator[FleetClient]:
    with served(environments=["lending", "workshop", "multi"], hibernate=tmp_path / "kept", max_live=2) as (_, client):
        yield client


async def listed(episode: RemoteEpisode, part: str) -> list[str]:
    async with mcp_client(episode.urls[part], episode.headers) as client:
        return [tool.name for tool in (await client.list_tools()).tools]


@pytest.mark.parametrize("named", [["workshop", "lending"], "multi"])
@pytest.mark.parametrize("whole", [True, False])
async def test_a_task_that_spans_environments_is_graded_however_it_is_reached(
    fleet: FleetClient, installed: Path, named: list[str] | str, whole: bool
) -> None:
    episode = fleet.create(named, task=TASK)
    assert list(episode.urls) == ["multi", "lending", "workshop", "episode"]
    assert episode.url == episode.urls["multi"]
    assert episode.info.environments == ["lending", "workshop"]  # type: ignore[union-attr]
    parts = [await listed(episode, part) for part in ("lending", "workshop", "episode")]
    shown = [name for part in parts for name in part]
    assert shown == [tool["function"]["name"] for tool in episode.tools] == await listed(episode, "multi")
    assert [{name.partition("__")[0] for name in part} for part in parts[:2]] == [{"lending"}, {"workshop"}]
    assert parts[2] == ["decline_request", "answer"]
    with Episode(load_package(installed), TASK, user="solo", answer="tool") as expected:
        expected.reset()
        for message in gold_messages(expected):
            expected.step(message)
        for call in expected.calls:
            prefix = call.tool.partition("__")[0]
            part = "multi" if whole else prefix if prefix in episode.urls else "episode"
            async with mcp_client(episode.urls[part], episode.headers) as client:
                result = await client.call_tool(call.tool, call.arguments)
            assert result.content[0].text == call.result
        assert episode.digest() == expected.world.digest()
    assert {row.table.partition("__")[0] for row in episode.diff()} == {"lending", "workshop"}
    fork = episode.fork()
    assert (fork.score().success, episode.score().success) == (True, True)


def test_only_the_environments_of_the_task_are_there(fleet: FleetClient) -> None:
    episode = fleet.create("multi", task="just-there")
    assert list(episode.urls) == ["multi", "workshop", "episode"]
    for part in ("lending", "nothing"):
        answer = httpx2.post(episode.url.replace("/multi/", f"/{part}/"), headers=episode.headers, json={})
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "unknown_environment")


def test_a_base_world_of_several_sleeps_and_wakes(fleet: FleetClient) -> None:
    episode = fleet.create(["lending", "workshop"])
    assert not episode.call("workshop__extend_loan", {"loan_id": "H2MZP"}).refused
    digest = episode.digest()
    for _ in range(3):
        fleet.create("lending")
    assert episode.digest() == digest
    assert len(episode.diff()) == 1


def test_a_name_that_stands_for_several_is_not_mixed_with_others(fleet: FleetClient) -> None:
    with pytest.raises(FleetError, match="stands for several") as refused:
        fleet.create(["multi", "lending"])
    assert refused.value.status == 404
