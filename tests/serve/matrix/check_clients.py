"""Every client of the matrix sees the same episode: its tools, results, refusals, and writes that build on each other."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.serving import running
from envfactory_gym.environment import ToolError
from envfactory_gym.serve.client import FleetClient, RemoteEpisode
from envfactory_gym.world import Template
from tests.support import LENDING, lending

from .environments import CLIENTS, Client, Unavailable

TOKEN = "matrix-master-token"
PATIENCE = 90.0
"""Seconds that a client may take, its imports included."""

every_client = pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)


def command_of(client: Client) -> list[str]:
    """How to run it; a client that cannot be had here is skipped with the reason."""
    try:
        return client.command()
    except Unavailable as reason:
        pytest.skip(str(reason))


def start(client: Client, episode: RemoteEpisode, *, pause: bool = False) -> subprocess.Popen[str]:
    """A client at work on an episode."""
    process = subprocess.Popen(
        command_of(client), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps({"url": episode.url, "headers": dict(episode.headers), "pause": pause}) + "\n")
    process.stdin.flush()
    return process


def finish(process: subprocess.Popen[str]) -> dict[str, Any]:
    """What a client saw, once it is through."""
    try:
        output, errors = process.communicate("\n", timeout=PATIENCE)
    finally:
        process.kill()
    assert process.returncode == 0, errors
    seen: dict[str, Any] = json.loads(output.splitlines()[-1])
    return seen


def expected() -> tuple[dict[str, Any], str]:
    """What the world itself says to the same calls, and its digest afterwards."""
    template = Template.of(lending())
    world = template.acquire()
    looked_up = world.call("list_loans", {"member_id": "M-101"})
    with pytest.raises(ToolError) as refused:
        world.call("list_loans", {"member_id": "M-999"})
    borrowed = world.call("borrow_item", {"member_id": "M-104", "item_id": 9})
    extended = world.call("extend_loan", {"loan_id": json.loads(borrowed)["loan_id"]})
    digest = world.digest()
    template.release(world)
    steps = {"looked_up": looked_up, "borrowed": borrowed, "extended": extended}
    seen: dict[str, Any] = {step: [json.loads(text), False] for step, text in steps.items()}
    return {"tools": list(lending().tools), **seen, "refused": [refused.value.payload(), True]}, digest


def check(seen: dict[str, Any], episode: RemoteEpisode) -> None:
    """A client saw what the world says, and left the world as it would be."""
    wanted, digest = expected()
    if isinstance(seen["refused"][0], str):
        # Some clients put words of their own around what the tool said.
        assert wanted["refused"][0]["error"]["message"] in seen["refused"][0]
        seen = {**seen, "refused": wanted["refused"]}
    assert seen == wanted
    assert episode.digest() == digest


@pytest.fixture(scope="module")
def variables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Where the fleet finds the lending desk, and that it may import it."""
    return running.trusting(tmp_path_factory.mktemp("home"), LENDING.parent, [lending()])


@pytest.fixture(scope="module")
def fleet(variables: dict[str, str]) -> Iterator[FleetClient]:
    """A fleet that serves the lending desk to whoever has the token."""
    with (
        running.fleet("lending", "--token", TOKEN, environment=variables) as server,
        FleetClient(server.address, token=TOKEN) as client,
    ):
        yield client


@every_client
def test_a_client_lists_calls_is_refused_and_writes_twice(fleet: FleetClient, client: Client) -> None:
    episode = fleet.create("lending")
    check(finish(start(client, episode)), episode)
    episode.delete()


def test_clients_at_work_at_once_do_not_meet(fleet: FleetClient) -> None:
    episodes = [fleet.create("lending") for _ in CLIENTS]
    at_work = [start(client, episode) for client, episode in zip(CLIENTS, episodes, strict=True)]
    for process, episode in zip(at_work, episodes, strict=True):
        check(finish(process), episode)


@every_client
def test_a_client_goes_on_when_the_server_was_restarted_under_it(
    variables: dict[str, str], tmp_path: Path, client: Client
) -> None:
    options = ("lending", "--token", TOKEN, "--hibernate", str(tmp_path))
    with running.fleet(*options, environment=variables) as server:
        with FleetClient(server.address, token=TOKEN) as control:
            episode = control.create("lending")
        process = start(client, episode, pause=True)
        assert process.stdout is not None
        said = process.stdout.readline()
        assert said.strip() == '"paused"', process.communicate()
        server.stop()
    with (
        running.fleet(*options, environment=variables, port=server.port) as again,
        FleetClient(again.address, token=TOKEN) as control,
    ):
        check(finish(process), control.episode(episode.id))
