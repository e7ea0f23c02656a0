"""Episodes of a fleet, played over real HTTP: by MCP clients of both eras, and through the control plane."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator

import pytest

pytest.importorskip("fastapi", reason="serving over HTTP needs the serve extra")
import httpx2
from mcp import MCPError

from envfactory_gym.agents import gold_messages
from envfactory_gym.episode import Episode
from envfactory_gym.serve.client import AsyncFleetClient, FleetClient, FleetError
from envfactory_gym.serve.fleet.app import Fleet
from tests.serve.fleet import EXTEND, PACKAGE, TASK, TOKEN, mcp_client, served

ERAS = pytest.mark.parametrize("mode", ["auto", "legacy"])


@pytest.fixture(scope="module")
def both() -> Iterator[tuple[Fleet, FleetClient]]:
    with served() as found:
        yield found


@pytest.fixture
def fleet(both: tuple[Fleet, FleetClient]) -> FleetClient:
    return both[1]


def gold(user: str, answer: str) -> Episode:
    """A task's gold, played in an episode of its own."""
    episode = Episode(PACKAGE, TASK, user=user, answer=answer)  # type: ignore[arg-type]
    episode.reset()
    for message in gold_messages(episode):
        episode.step(message)
    return episode


@ERAS
async def test_a_task_played_over_mcp_is_graded_as_in_an_episode(fleet: FleetClient, mode: str) -> None:
    expected = gold("solo", "tool")
    episode = fleet.create("lending", task=TASK)
    assert episode.tools == expected.tools
    assert episode.messages == expected.messages[:2]
    async with mcp_client(episode.url, episode.headers, mode) as client:
        assert client.instructions == expected.prompt
        assert [tool.name for tool in (await client.list_tools()).tools] == list(expected.tool_names)
        (message,) = (await client.get_prompt("task")).messages
        assert message.content.text == expected.task.turns[0].request
        results = [await client.call_tool(call.tool, call.arguments) for call in expected.calls]
    assert [result.content[0].text for result in results] == [call.result for call in expected.calls]
    assert episode.digest() == expected.world.digest()
    assert episode.score(end=False).success
    outcome = episode.score()
    assert outcome == episode.score()
    assert expected.outcome is not None
    assert outcome.metrics == expected.outcome.metrics
    assert outcome.success
    record = episode.record()
    assert record.outcome == outcome
    assert [call.tool for call in record.calls] == [call.tool for call in expected.calls]
    # Between two handshakes there is nothing to remember a name by, so only the current era tells one.
    assert record.agent == ("mcp:mcp" if mode == "auto" else "mcp")
    expected.close()


def test_a_conversation_is_played_through_the_control_plane(fleet: FleetClient) -> None:
    expected = gold("scripted", "text")
    episode = fleet.create("lending", task=TASK, user="scripted", answer="text")
    said: list[dict[str, object]] = []
    outcome = None
    for message in [message for message in expected.messages if message["role"] == "assistant"]:
        for call in message.get("tool_calls", ()):
            episode.call(call["function"]["name"], call["function"]["arguments"])
        if not message.get("tool_calls"):
            reply = episode.user(message["content"])
            said += reply.messages
            outcome = reply.outcome
    assert said == [message for message in expected.messages[2:] if message["role"] == "user"]
    assert outcome is not None
    assert outcome.success
    assert episode.status().over
    with pytest.raises(FleetError, match="the episode is over") as refused:
        episode.user("And another thing.")
    assert (refused.value.status, refused.value.code) == (409, "conflict")
    assert episode.call(*EXTEND).refused
    expected.close()


@ERAS
async def test_what_a_client_can_read_is_what_stdio_shows(fleet: FleetClient, mode: str) -> None:
    episode = fleet.create("lending")
    async with mcp_client(episode.url, episode.headers, mode) as client:
        uris = [resource.uri for resource in (await client.list_resources()).resources]
        assert uris == [f"env://lending/{name}" for name in ("policy", "schema.sql", "clock", "tools.md")]
        assert (await client.read_resource("env://lending/policy")).contents[0].text == PACKAGE.policy.text.strip()
        assert (await client.list_prompts()).prompts == []
        assert [tool.name for tool in (await client.list_tools()).tools] == list(PACKAGE.tools)
        for name, arguments in (("sell_item", {}), ("decline_request", {"rule": "x"})):
            with pytest.raises(MCPError, match=f"Unknown tool: {name}"):
                await client.call_tool(name, arguments)
        refused = await client.call_tool("list_loans", {})
        assert refused.is_error
        assert refused.structured_content is None
        lent = await client.call_tool("borrow_item", {"member_id": "M-104", "item_id": 9})
        assert lent.structured_content == json.loads(lent.content[0].text)


def test_nothing_of_the_control_plane_is_a_tool_and_nothing_graded_is_told(fleet: FleetClient) -> None:
    episode = fleet.create("lending", task=TASK)
    names = {tool["function"]["name"] for tool in episode.tools}
    assert names.isdisjoint({"reset", "score", "snapshot", "restore", "fork", "delete", "user", "digest", "diff"})
    told = fleet.tasks("lending")
    assert [task.id for task in told] == [task.id for task in PACKAGE.tasks]
    assert [task.id for task in fleet.tasks("lending", split="test")] == [
        task.id for task in PACKAGE.tasks if task.split == "test"
    ]
    for text in (str([task.model_dump() for task in told]), episode.info.model_dump_json()):
        assert {"gold", "goal", "certificate"}.isdisjoint(text.replace('"', " ").replace("'", " ").split())


@pytest.mark.parametrize("task", [task.id for task in PACKAGE.tasks if task.solo])
@pytest.mark.parametrize("steps", [1, 100])
def test_an_agent_is_never_told_what_it_should_have_done(fleet: FleetClient, task: str, steps: int) -> None:
    episode = fleet.create("lending", task=task, max_steps=steps)
    episode.call("search_items")
    outcome = episode.score()
    answer = episode.call(*EXTEND)
    spent = ": it is out of steps" if steps == 1 else ""
    assert answer.refused
    assert json.loads(answer.text)["error"]["message"] == f"The episode is over{spent}."
    for told in (outcome.reason, *(reason for turn in outcome.turns for reason in turn.reasons)):
        assert told not in answer.text or told in ("", "out of steps")


def test_snapshots_forks_and_reset_go_where_they_say(fleet: FleetClient) -> None:
    episode = fleet.create("lending", task=TASK)
    beginning = episode.digest()
    here = episode.snapshot()
    episode.call(*EXTEND)
    extended = episode.digest()
    assert [(row.table, row.before is None) for row in episode.diff()] == [("loans", False)]
    there, fork = episode.fork(here), episode.fork()
    assert (there.digest(), fork.digest()) == (beginning, extended)
    fork.call("return_item", {"loan_id": "QF7KD"})
    assert episode.digest() == extended
    later = episode.snapshot()
    assert episode.status().snapshots == [here, later]
    assert episode.restore(here).snapshots == [here]
    assert (episode.digest(), episode.diff()) == (beginning, [])
    with pytest.raises(FleetError, match="no snapshot 's2'") as refused:
        episode.restore(later)
    assert refused.value.code == "unknown_snapshot"
    assert not episode.call(*EXTEND).refused
    assert episode.digest() == extended
    assert episode.reset().messages == episode.messages
    assert (episode.digest(), episode.status().calls, episode.status().snapshots) == (beginning, 0, [])


def test_a_split_and_a_seed_choose_a_task_and_the_same_one_again(fleet: FleetClient) -> None:
    chosen = [fleet.create("lending", split="train", seed=seed).info.task for seed in (1, 1, *range(12))]
    assert chosen[0] == chosen[1]
    assert len(set(chosen)) > 1
    assert {task.id for task in PACKAGE.tasks if task.split == "train"} >= set(chosen)


def test_the_same_key_gets_the_same_answer_and_nothing_happens_again(fleet: FleetClient) -> None:
    episode = fleet.create("lending", task=TASK, key="one")
    assert fleet.create("lending", task=TASK, key="one").id == episode.id
    with pytest.raises(FleetError, match="another request") as refused:
        fleet.create("lending", key="one")
    assert refused.value.status == 409
    first = episode.call(*EXTEND, key="k1")
    assert not first.refused
    assert episode.call(*EXTEND, key="k1") == first
    assert episode.status().calls == 1
    with pytest.raises(FleetError, match="another request"):
        episode.call("extend_loan", {"loan_id": "OTHER"}, key="k1")
    assert episode.call(*EXTEND, key="k2").refused  # a new request, which the desk does not allow twice
    scripted = fleet.create("lending", task=TASK, user="scripted", answer="text")
    assert scripted.user("Hello.", key="u1") == scripted.user("Hello.", key="u1")
    assert scripted.status().steps == 1


@ERAS
async def test_a_key_may_stand_in_the_meta_of_a_call(fleet: FleetClient, mode: str) -> None:
    episode = fleet.create("lending")
    async with mcp_client(episode.url, episode.headers, mode) as client:
        meta = {"io.envfactory/idempotency-key": "again"}
        first = await client.call_tool(*EXTEND, meta=meta)
        second = await client.call_tool(*EXTEND, meta=meta)
    assert not first.is_error
    assert first.content == second.content
    assert episode.status().calls == 1


async def test_calls_that_come_at_once_happen_one_after_the_other(fleet: FleetClient) -> None:
    episode = fleet.create("lending")
    async with AsyncFleetClient(episode.url.partition("/e/")[0], token=TOKEN) as client:
        other = await client.create("lending")
        results = await asyncio.gather(
            *(other.call("borrow_item", {"member_id": "M-104", "item_id": 9}) for _ in range(30)),
            *(other.status() for _ in range(10)),
        )
        lent = [result for result in results[:30] if not result.refused]  # type: ignore[union-attr]
        assert len(lent) == 1
        assert [(row.table, row.before is None) for row in await other.diff()] == [("items", False), ("loans", True)]


async def test_episodes_do_not_see_each_other(fleet: FleetClient) -> None:
    one, other = fleet.create("lending"), fleet.create("lending")
    one.call(*EXTEND)
    assert other.diff() == []
    assert not other.call(*EXTEND).refused
    assert one.digest() == other.digest()


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 422, "invalid"),
        ({"environment": "lending", "environments": ["lending"]}, 422, "invalid"),
        ({"environment": "lending", "task": TASK, "split": "train"}, 422, "invalid"),
        ({"environment": "lending", "seed": -1}, 422, "invalid"),
        ({"environment": "lending", "colour": "red"}, 422, "invalid"),
        ({"environment": "lendin"}, 404, "unknown_environment"),
        ({"environment": "lending", "task": "no-such-task"}, 404, "unknown_task"),
    ],
)
def test_what_cannot_be_created_says_why(fleet: FleetClient, body: dict[str, object], status: int, code: str) -> None:
    url = fleet.create("lending").url.partition("/e/")[0]
    answer = httpx2.post(f"{url}/v1/episodes", json=body, headers={"Authorization": f"Bearer {TOKEN}"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert len(answer.json()["error"]["message"]) > 10


ODD = [b"", b"{", b"null", b"[]", b'"x"', b"\xff\xfe", b"[" * 100_000, b'{"message": 5}', b'{"message": "\\ud800"}', b'{"snapshot": "\\ud800"}',
       b'{"task": "\\ud800", "environment": "lending"}', b'{"environment": "\\ud800"}', b'{"seed": 1e999, "environment": "lending"}']  # fmt: skip


@pytest.mark.parametrize(
    "path", ["", "/{id}/user", "/{id}/restore", "/{id}/fork", "/{id}/score", "/{id}/reset", "/{id}/snapshots"]
)
def test_nonsense_is_refused_and_never_an_error_of_the_server(fleet: FleetClient, path: str) -> None:
    episode = fleet.create("lending", task=TASK, user="scripted", answer="text")
    url = f"{episode.url.partition('/e/')[0]}/v1/episodes{path.format(id=episode.id)}"
    for odd in ODD:
        answer = httpx2.post(
            url, content=odd, headers={"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
        )
        assert answer.status_code < 500, odd
        if not answer.is_success:
            assert set(answer.json()["error"]) == {"code", "message"}, odd


def test_a_base_world_has_no_user_and_no_grade(fleet: FleetClient) -> None:
    episode = fleet.create("lending")
    for attempt in (lambda: episode.user("Hello."), episode.score, episode.record):
        with pytest.raises(FleetError, match="without a task") as refused:
            attempt()
        assert refused.value.status == 409


def test_the_client_lists_what_there_is(fleet: FleetClient) -> None:
    (environment,) = fleet.environments()
    assert (environment.name, environment.title) == ("lending", PACKAGE.manifest.title)
    detail = fleet.environment("lending")
    assert [tool["function"]["name"] for tool in detail.tools] == list(PACKAGE.tools)
    assert detail.policy == PACKAGE.policy.text
    episode = fleet.create("lending")
    assert episode.id in [status.id for status in fleet.episodes()]
    assert fleet.episode(episode.id).digest() == episode.digest()
    episode.delete()
    with pytest.raises(FleetError, match="there is no episode") as refused:
        episode.status()
    assert refused.value.status == 404


@pytest.mark.parametrize("value", ["\ud800", float("nan"), float("-inf"), 1 << 80, "\x00", "\u2028"])
async def test_the_client_sends_whatever_a_model_writes(fleet: FleetClient, value: object) -> None:
    async with AsyncFleetClient(fleet._url, token=TOKEN) as waiting:
        for task in (None, TASK):
            episode = fleet.create("lending", task=task, user="scripted", answer="text")
            assert episode.call("extend_loan", {"loan_id": value}).refused
            assert (await (await waiting.create("lending", task=task)).call("extend_loan", {"loan_id": value})).refused
    if isinstance(value, str) and value != "\ud800":
        assert episode.user(value).messages
    elif isinstance(value, str):
        with pytest.raises(FleetError, match="valid string"):
            episode.user(value)


@pytest.mark.parametrize("name", ["a/../lending", "lending?x=1", "lending#", "../episodes", "%2e%2e", "å"])
def test_the_client_asks_for_what_is_named_and_nothing_else(fleet: FleetClient, name: str) -> None:
    for ask in (fleet.environment, fleet.tasks, fleet.episode):
        with pytest.raises(FleetError) as caught:
            ask(name)
        assert caught.value.status == 404
    with pytest.raises(FleetError, match="'train', 'dev' or 'test'"):
        fleet.tasks("lending", split="train&limit=1")
