"""What tests of evaluation share: a small plan, and models that are good at some tasks only."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any

from envfactory_gym.agents import GoldAgent, NoOpAgent
from envfactory_gym.agents.scripted import GoldScript
from envfactory_gym.episode import RunRecord
from envfactory_gym.evaluate import AgentPlayer, Item, ModelPlayer, Player, Rules, RunFile, choose, evaluate, items
from envfactory_gym.llm import Budget, Cassette, Client, Retries
from envfactory_gym.llm.loopback import Heard, Loopback
from tests.support import lending

PACKAGE = lending()
SETTINGS: dict[str, Any] = {"user": "scripted"}


def plan(k: int = 2) -> list[Item]:
    """Every task of the lending package, k times."""
    return list(items(choose([PACKAGE]), k))


def moody(skill: float = 0.5) -> Callable[[Heard], dict[str, Any]]:
    """A model that plays gold in some episodes and says "Done." in the others, always the same."""
    gold = GoldScript([PACKAGE])

    def respond(heard: Heard) -> dict[str, Any]:
        draw = int.from_bytes(blake2b(heard.session.encode(), digest_size=4).digest()) / 2**32
        return gold(heard) if draw < skill else {"content": "Done."}

    return respond


async def run_model(
    server: Loopback,
    out: Path,
    *,
    k: int = 2,
    settings: dict[str, Any] | None = None,
    attempts: int = 3,
    budget: Budget | None = None,
    concurrency: int = 4,
    on_record: Callable[[RunRecord], None] | None = None,
) -> tuple[list[RunRecord], Client]:
    """Evaluate the model of a server, or go on with it."""
    retries = Retries(attempts=attempts, first=0.005)
    with RunFile(out, settings or SETTINGS) as file, Cassette(out.with_suffix(".exchanges.jsonl")) as tape:
        async with Client(server.url, timeout=2.0, retries=retries, cassette=tape, budget=budget) as client:
            players: list[Player] = [ModelPlayer(client, "m")]
            await evaluate(plan(k), players, file, concurrency=concurrency, on_record=on_record)
            return file.records, client


async def run_agents(out: Path, *players: Player, k: int = 1) -> list[RunRecord]:
    """Evaluate agents that need no model."""
    with RunFile(out, SETTINGS) as file:
        await evaluate(plan(k), players or (GOLD, NOTHING), file)
        return file.records


GOLD = AgentPlayer("gold", lambda episode, trial: {"gold": GoldAgent(episode)})
NOTHING = AgentPlayer("no-op", lambda episode, trial: {"no-op": NoOpAgent()}, Rules())
