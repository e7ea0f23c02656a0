"""A thousand episodes, their calls dealt like cards, end as each would have ended alone.

Every episode has a seed and a script of its own. The calls of all are shuffled together and sent over HTTP by sixteen
connections at once; the same scripts are then played one world at a time, without a server. Digests must agree.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from benchmarks.serving import messages, running
from benchmarks.serving.load import Connection
from envfactory_gym.environment import ToolError
from envfactory_gym.serve.client import FleetClient
from envfactory_gym.world import Template
from tests.support import LENDING, lending

EPISODES = 1_000
CALLS = 8
CONNECTIONS = 16


class Player:
    """What one episode's agent does next: by dice, and by what it heard, so that later calls depend on earlier ones."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)
        self._loans = ["QF7KD", "H2MZP"]

    def next(self) -> tuple[str, dict[str, Any]]:
        """The next call."""
        kind = self._dice.randrange(5)
        if kind == 0:
            return "list_loans", {"member_id": f"M-{self._dice.randrange(100, 108)}"}
        if kind in (1, 2):
            member, item = self._dice.randrange(101, 106), self._dice.randrange(1, 14)
            return "borrow_item", {"member_id": f"M-{member}", "item_id": item}
        loan = self._dice.choice(self._loans)
        return ("extend_loan" if kind == 3 else "return_item"), {"loan_id": loan}

    def hear(self, text: str) -> None:
        """Remember what was lent."""
        loan = json.loads(text).get("loan_id")
        if loan is not None:
            self._loans.append(loan)


def alone(template: Template, seed: int) -> str:
    """The digest of an episode that nobody else plays beside."""
    player, world = Player(seed), template.acquire(seed=seed)
    for _ in range(CALLS):
        name, arguments = player.next()
        try:
            player.hear(world.call(name, arguments))
        except ToolError as refusal:
            player.hear(json.dumps(refusal.payload()))
    digest = world.digest()
    template.release(world)
    return digest


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[running.Server, FleetClient]]:
    """A fleet in which fewer worlds are live than episodes exist, so that some sleep while others are played."""
    variables = running.trusting(tmp_path_factory.mktemp("home"), LENDING.parent, [lending()])
    options = ("--max-episodes", str(EPISODES + 1), "--max-live", str(EPISODES // 4))
    hibernate = ("--hibernate", str(tmp_path_factory.mktemp("asleep")))
    with (
        running.fleet("lending", *options, *hibernate, environment=variables) as server,
        FleetClient(server.address) as control,
    ):
        yield server, control


async def test_a_thousand_interleaved_episodes_end_as_each_would_alone(
    fleet: tuple[running.Server, FleetClient],
) -> None:
    server, control = fleet
    episodes = [control.create("lending", seed=seed) for seed in range(EPISODES)]
    players = [Player(seed) for seed in range(EPISODES)]
    turns = [number for number in range(EPISODES) for _ in range(CALLS)]
    random.Random(7).shuffle(turns)
    locks = [asyncio.Lock() for _ in range(EPISODES)]
    dealt = iter(turns)

    async def one() -> None:
        connection = await Connection.open(server.port)
        for number in dealt:
            async with locks[number]:
                name, arguments = players[number].next()
                path = episodes[number].url.removeprefix(server.address)
                own = {"Authorization": f"Bearer {episodes[number].token}"} if episodes[number].token else {}
                asked = messages.tool_call(path, server.port, name, arguments, headers=own)
                response = await connection.ask(asked)
                assert response.status == 200, response.body
                players[number].hear(json.loads(response.body)["result"]["content"][0]["text"])
        connection.close()

    await asyncio.gather(*(one() for _ in range(CONNECTIONS)))
    together = [episode.digest() for episode in episodes]
    assert len(set(together)) > EPISODES // 2, "the scripts are too much alike to tell episodes apart"
    template = Template.of(lending())
    assert together == [alone(template, seed) for seed in range(EPISODES)]
