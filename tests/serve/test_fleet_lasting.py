"""Episodes that outlast what happens to them: sleep, restarts, clients that leave, slow tools."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="serving over HTTP needs the serve extra")
import httpx2

from envfactory_gym import Package
from envfactory_gym.serve.client import AsyncFleetClient, FleetClient, FleetError
from envfactory_gym.serve.fleet.journal import Header, Journal, JournalError
from envfactory_gym.serve.fleet.running import running
from tests.serve.fleet import EXTEND, TASK, TOKEN, body, headers, make, mcp_client, served
from tests.support import copy_of_lending

SLOW = (
    "server.py",
    'if __name__ == "__main__":',
    '@env.tool(writes=["items"], destructive=True)\ndef stocktake(world: World, rounds: int) -> Items:\n'
    '    """Count for long, then write."""\n'
    '    world.run("UPDATE items SET fee_cents = fee_cents + 1 WHERE item_id = 9")\n'
    "    for _ in range(rounds):\n"
    '        world.value("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 30000) '
    'SELECT count(*) FROM n")\n'
    '    return {"items": []}\n\n\nif __name__ == "__main__":',
)


@pytest.mark.parametrize("task", [None, TASK])
def test_episodes_sleep_and_wake_where_they_were(task: str | None) -> None:
    with served(max_live=1) as (fleet, client):
        first = client.create("lending", task=task)
        assert not first.call(*EXTEND, key="once").refused
        here = first.snapshot()
        digest = first.digest()
        others = [client.create("lending", task=task) for _ in range(3)]
        assert fleet.store.live == 1
        assert {status.state for status in client.episodes()} == {"hibernated", "live"}
        assert [other.diff() for other in others] == [[], [], []]
        assert first.digest() == digest
        assert not first.call(*EXTEND, key="once").refused  # what was answered before, not a second try
        assert first.call(*EXTEND).refused
        assert first.status().snapshots == [here]
        if task is not None:
            assert [call.tool for call in first.record().calls] == ["extend_loan", "extend_loan"]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_connected_client_goes_on_after_a_restart(tmp_path: Path, mode: str) -> None:
    with running(fleet := make(hibernate=tmp_path)) as url, FleetClient(url, token=TOKEN) as client:
        episode = client.create("lending", task=TASK)
    port = int(url.rpartition(":")[2])
    async with contextlib.AsyncExitStack() as stack:
        connected = None
        for round_ in range(3):
            with running(make(hibernate=tmp_path, port=port)) as again, FleetClient(again, token=TOKEN) as client:
                if connected is None:
                    connected = await stack.enter_async_context(mcp_client(episode.url, episode.headers, mode))
                result = await connected.call_tool(*EXTEND)
                assert bool(result.is_error) == (round_ > 0)
                assert client.episode(episode.id).status().calls == round_ + 1
        del fleet


def test_what_was_answered_survives_the_death_of_the_process(tmp_path: Path) -> None:
    with served(hibernate=tmp_path) as (_, client):
        episode = client.create("lending", task=TASK)
        episode.call(*EXTEND, key="once")
        digest = episode.digest()
        (file,) = tmp_path.glob("*.jsonl")
        content = file.read_bytes()
        assert TOKEN.encode() not in content
        assert b"gold" not in content
    # The process died while it wrote a line, so that call was never answered.
    file.write_bytes(content + b'{"op":"call","tool":"return_item","argum')
    with served(hibernate=tmp_path) as (_, client):
        again = client.episode(episode.id)
        assert (again.digest(), again.status().calls) == (digest, 1)
        again.delete()
    assert list(tmp_path.iterdir()) == []


def test_an_episode_that_no_longer_leads_there_is_the_environments_fault(tmp_path: Path) -> None:
    with served(hibernate=tmp_path) as (_, client):
        episode = client.create("lending", task=TASK)
        episode.call(*EXTEND)
    (file,) = tmp_path.glob("*.jsonl")
    file.write_text(file.read_text().replace('"sum":"', '"sum":"f'))
    with served(hibernate=tmp_path) as (_, client):
        with pytest.raises(FleetError, match="leads elsewhere"):
            client.episode(episode.id)
        forked = httpx2.post(
            f"{client._url}/v1/episodes/{episode.id}/fork", headers={"Authorization": f"Bearer {TOKEN}"}
        )
        assert (forked.status_code, forked.json()["error"]["code"]) == (409, "broken")
        (status,) = client.episodes()
        assert status.state == "broken"
        outcome = httpx2.post(
            f"{client._url}/v1/episodes/{episode.id}/score", headers={"Authorization": f"Bearer {TOKEN}"}
        ).json()
        assert (outcome["kind"], outcome["reward_valid"]) == ("infra", False)


def test_a_journal_says_what_is_wrong_with_it(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text("nonsense\n")
    with pytest.raises(JournalError, match="not the journal of an episode"):
        _ = Journal(file=file).header
    header = Header(id="x", environments=("lending",), world_hash="", rules_hash="", max_steps=1, created_at=0.0)
    journal = Journal(header, file=file)
    journal.begin()
    journal.append("mark", name="s1")
    file.write_bytes(file.read_bytes() + b'{"op":"cake"}\n')
    with pytest.raises(JournalError, match="entry 2 of the journal of x is damaged"):
        list(Journal(file=file).entries())
    odd = {"text": "\ud800", "number": float("nan"), "large": 1 << 70}
    journal.append("call", tool="t", arguments=odd, sum="s")
    (call,) = [json.loads(line) for line in journal.lines if b'"call"' in line]
    assert call["arguments"]["text"] == "\ud800"


def test_unused_episodes_expire() -> None:
    with served(ttl=0.05) as (fleet, client):
        client.create("lending")
        deadline = time.monotonic() + 10
        while len(fleet.store) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert (len(fleet.store), fleet.store.live) == (0, 0)


async def test_the_world_of_a_session_lasts_as_long_as_the_session() -> None:
    with served() as (fleet, _):
        url, sent = f"{fleet.base_url}/lending/mcp", {"Authorization": f"Bearer {TOKEN}"}
        async with mcp_client(url, sent, "legacy") as one, mcp_client(url, sent, "legacy") as other:
            assert not (await one.call_tool(*EXTEND)).is_error
            assert (await one.call_tool(*EXTEND)).is_error
            assert not (await other.call_tool(*EXTEND)).is_error
            assert (len(fleet.store), fleet.session_count()) == (2, 2)
        assert (len(fleet.store), fleet.session_count()) == (0, 0)


async def test_a_session_is_told_when_its_world_is_gone() -> None:
    with served(ttl=0.05) as (fleet, _):
        sent = {"Authorization": f"Bearer {TOKEN}"}
        async with mcp_client(f"{fleet.base_url}/lending/mcp", sent, "legacy") as client:
            assert not (await client.call_tool(*EXTEND)).is_error
            while len(fleet.store):
                await asyncio.sleep(0.05)
            late = await client.call_tool(*EXTEND)
        assert late.is_error
        assert "open a new session" in late.content[0].text


async def test_where_there_is_no_session_a_shared_address_says_what_to_do() -> None:
    with served() as (fleet, _):
        url, sent = f"{fleet.base_url}/lending/mcp", {"Authorization": f"Bearer {TOKEN}"}
        async with mcp_client(url, sent) as client:
            assert len((await client.list_tools()).tools) > 3
            assert (await client.read_resource("env://lending/clock")).contents[0].text == "2026-03-10T09:00:00Z"
            result = await client.call_tool(*EXTEND)
        assert result.is_error
        assert "POST /v1/episodes" in result.content[0].text
        assert len(fleet.store) == 0
        # A session that somebody only names is none.
        named = {**headers(EXTEND[0]), **sent, "Mcp-Session-Id": "made up"}
        answer = httpx2.post(url, json=body(*EXTEND), headers=named).json()["result"]
        assert answer["isError"]
        assert "POST /v1/episodes" in answer["content"][0]["text"]
        assert len(fleet.store) == 0


@pytest.fixture
def slow(tmp_path: Path) -> Package:
    return Package.load(copy_of_lending(tmp_path, SLOW), trusted=True)


async def test_light_calls_do_not_wait_for_a_slow_tool(slow: Package) -> None:
    with served(environments={"lending": lambda: slow}) as (fleet, _):
        async with AsyncFleetClient(fleet.base_url, token=TOKEN) as client:
            heavy, light = await client.create("lending"), await client.create("lending")
            for _ in range(5):
                await light.call("search_items")
            working = asyncio.create_task(heavy.call("stocktake", {"rounds": 20}))
            await asyncio.sleep(0.01)
            count = 0
            while not working.done():
                await light.call("search_items")
                count += 1
            assert not (await working).refused
            assert count > 4


async def test_a_call_whose_client_leaves_never_happened(slow: Package) -> None:
    with served(environments={"lending": lambda: slow}) as (fleet, _):
        async with AsyncFleetClient(fleet.base_url, token=TOKEN) as client:
            episode = await client.create("lending")
            await episode.call(*EXTEND)
            digest = await episode.digest()
            async with httpx2.AsyncClient() as leaving:
                with pytest.raises(httpx2.ReadTimeout):
                    await leaving.post(
                        episode.url,
                        json=body("stocktake", {"rounds": 80}),
                        headers={**headers("stocktake"), **episode.headers},
                        timeout=0.1,
                    )
            assert await episode.digest() == digest
            assert (await episode.status()).calls == 1
            assert not (await episode.call("stocktake", {"rounds": 1})).refused


async def test_a_tool_beyond_its_budget_is_the_environments_fault(slow: Package) -> None:
    with served(environments={"lending": lambda: slow}) as (fleet, _):
        async with AsyncFleetClient(fleet.base_url, token=TOKEN) as client:
            graded = await client.create("lending", task=TASK)
            with pytest.raises(FleetError, match="not valid"):
                await graded.call("stocktake", {"rounds": 10_000})
            outcome = await graded.score()
            assert (outcome.kind, outcome.reward_valid) == ("infra", False)
