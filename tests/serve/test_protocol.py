"""What a client sees of a session, in both eras of the protocol, through the official client."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from envfactory_gym import Package
from envfactory_gym.episode import Episode
from envfactory_gym.serve import Session, open_session
from tests.support import copy_of_lending, lending

pytest.importorskip("mcp", reason="serving needs the serve extra")
from mcp import Client, MCPError

from envfactory_gym.serve.protocol import build_server

ERAS = pytest.mark.parametrize(("mode", "revision"), [("auto", "2026-07-28"), ("legacy", "2025-11-25")])
TASK = "due-drill-then-extend"
USER_TOOL = (
    "server.py",
    'if __name__ == "__main__":',
    '@env.user_tool()\ndef press_bell(world: World) -> Items:\n    """Ring the bell."""\n    return {"items": []}\n\n\n'
    '@env.tool()\ndef count_items(world: World) -> int:\n    """Count the things."""\n'
    '    return world.value("SELECT count(*) FROM items")\n\n\nif __name__ == "__main__":',
)


@contextmanager
def session_of(package: Package, task: str | None = None, **options: Any) -> Iterator[Session]:
    session = open_session(package, task, **options)
    try:
        yield session
    finally:
        session.close()


@ERAS
async def test_tools_are_listed_in_order_with_the_schemas_of_the_environment(mode: str, revision: str) -> None:
    package = lending()
    with session_of(package, TASK) as session:
        async with Client(build_server(session), mode=mode) as client:
            assert client.protocol_version == revision
            listed = (await client.list_tools()).tools
    assert [tool.name for tool in listed] == [*package.tools, "decline_request", "answer"]
    for shown in listed[: len(package.tools)]:
        tool = package.tools[shown.name]
        assert shown.input_schema == tool.input_schema
        assert shown.output_schema == tool.output_schema
        assert (shown.title, shown.description) == (tool.title, tool.description)


@ERAS
async def test_annotations_are_honest(mode: str, revision: str) -> None:
    with session_of(lending(), TASK) as session:
        async with Client(build_server(session), mode=mode) as client:
            hints = {tool.name: tool.annotations for tool in (await client.list_tools()).tools}
    shown = {
        name: (hint.read_only_hint, hint.destructive_hint, hint.idempotent_hint, hint.open_world_hint)
        for name, hint in hints.items()
        if hint is not None
    }
    assert shown["search_items"] == (True, False, True, False)
    assert shown["borrow_item"] == (False, False, False, False)
    assert shown["return_item"] == (False, True, False, False)
    assert shown["answer"] == (False, False, False, False)


async def test_tools_of_the_user_are_not_offered(tmp_path: Path) -> None:
    package = Package.load(copy_of_lending(tmp_path, USER_TOOL), trusted=True)
    assert "press_bell" in package.tools
    with session_of(package) as session:
        async with Client(build_server(session)) as client:
            assert "press_bell" not in [tool.name for tool in (await client.list_tools()).tools]
            with pytest.raises(MCPError, match="Unknown tool: press_bell") as refused:
                await client.call_tool("press_bell", {})
    assert refused.value.error.code == -32602


@ERAS
async def test_a_result_that_is_no_object_goes_out_as_text_alone(tmp_path: Path, mode: str, revision: str) -> None:
    package = Package.load(copy_of_lending(tmp_path, USER_TOOL), trusted=True)
    with session_of(package) as session:
        async with Client(build_server(session), mode=mode) as client:
            (shown,) = [tool for tool in (await client.list_tools()).tools if tool.name == "count_items"]
            result = await client.call_tool("count_items", {})
    assert shown.output_schema is None
    assert result.structured_content is None
    assert not result.is_error
    assert int(result.content[0].text) == len(package.rows("items"))


@ERAS
async def test_results_are_the_bytes_of_an_episode(mode: str, revision: str) -> None:
    package = lending()
    calls = [
        ("list_loans", {"member_id": "M-101"}),
        ("extend_loan", {"loan_id": "QF7KD"}),
        ("extend_loan", {"loan_id": "QF7KD"}),
        ("search_items", {"category": "spaceships"}),
        ("search_items", {"colour": "red"}),
        ("borrow_item", {"member_id": "M-104", "item_id": 9}),
        ("decline_request", {"rule": "no-such-rule"}),
        ("answer", {"values": ["2026-03-14"]}),
    ]
    episode = Episode(package, TASK, user="solo", answer="tool")
    episode.reset()
    expected = [
        episode.step({"tool_calls": [{"name": name, "arguments": arguments}]}).messages[0]["content"]
        for name, arguments in calls
    ]
    with session_of(package, TASK) as session:
        async with Client(build_server(session), mode=mode) as client:
            results = [await client.call_tool(name, arguments) for name, arguments in calls]
        assert session.state().digest == episode.world.digest()
    episode.close()
    assert [[block.text for block in result.content] for result in results] == [[text] for text in expected]
    for result, text in zip(results, expected, strict=True):
        refused = "error" in json.loads(text)
        assert result.is_error == refused
        assert result.structured_content == (None if refused else json.loads(text))


@ERAS
async def test_server_says_who_it_is_and_what_to_do(mode: str, revision: str) -> None:
    package = lending()
    with session_of(package, TASK) as session:
        async with Client(build_server(session), mode=mode) as client:
            info, instructions = client.server_info, client.instructions
    assert info is not None
    assert (info.name, info.title, info.version) == ("lending", "Harbour Street Lending Desk", "0.1.0")
    assert instructions == Episode(package, TASK, user="solo", answer="tool").prompt


@ERAS
async def test_policy_schema_clock_and_guide_can_be_read(mode: str, revision: str) -> None:
    package = lending()
    with session_of(package, TASK) as session:
        async with Client(build_server(session), mode=mode) as client:
            uris = [resource.uri for resource in (await client.list_resources()).resources]
            texts = {uri: (await client.read_resource(uri)).contents[0].text for uri in uris}
            with pytest.raises(MCPError, match="Unknown resource"):
                await client.read_resource("env://lending/gold")
    assert uris == [f"env://lending/{name}" for name in ("policy", "schema.sql", "clock", "tools.md")]
    assert texts["env://lending/policy"] == package.policy.text.strip()
    assert texts["env://lending/schema.sql"] == (package.path / "schema.sql").read_text()
    assert texts["env://lending/clock"] == "2026-03-10T09:00:00Z"
    assert all(f"## {name}\n" in texts["env://lending/tools.md"] for name in session.tools)


@ERAS
async def test_the_ticket_is_a_prompt(mode: str, revision: str) -> None:
    with session_of(lending(), TASK) as session:
        async with Client(build_server(session), mode=mode) as client:
            assert [prompt.name for prompt in (await client.list_prompts()).prompts] == ["task"]
            (message,) = (await client.get_prompt("task")).messages
            with pytest.raises(MCPError, match="Unknown prompt"):
                await client.get_prompt("gold")
    assert message.role == "user"
    assert message.content.text == session.ticket
    assert "Too soon for me. Please extend it." in message.content.text


@ERAS
async def test_a_free_world_has_no_task_and_no_episode_tools(mode: str, revision: str) -> None:
    package = lending()
    with session_of(package) as session:
        async with Client(build_server(session), mode=mode) as client:
            assert client.server_capabilities.prompts is None
            assert [tool.name for tool in (await client.list_tools()).tools] == list(package.tools)
            assert "decline_request" not in (client.instructions or "")
            assert package.policy.text.strip() in (client.instructions or "")
            lent = await client.call_tool("borrow_item", {"member_id": "M-104", "item_id": 9})
            loans = await client.call_tool("list_loans", {"member_id": "M-104"})
        run = session.finish()
    assert lent.structured_content in loans.structured_content["loans"]
    assert run.outcome is None
    assert [(call.tool, call.result) for call in run.calls] == [
        ("borrow_item", lent.content[0].text),
        ("list_loans", loans.content[0].text),
    ]
    assert [message["role"] for message in run.messages] == ["system", "assistant", "tool", "assistant", "tool"]


@ERAS
async def test_every_list_is_one_page(mode: str, revision: str) -> None:
    with session_of(lending(), TASK) as session:
        async with Client(build_server(session), mode=mode) as client:
            assert (await client.list_tools()).next_cursor is None
            assert (await client.list_resource_templates()).resource_templates == []
            for listing in (client.list_tools, client.list_resources, client.list_prompts):
                with pytest.raises(MCPError, match="Unknown cursor: 2"):
                    await listing(cursor="2")


BROKEN = ("server.py", "    item = world.one(", "    {}[item_id]\n    item = world.one(")
BREAKING = ("borrow_item", {"member_id": "M-104", "item_id": 9})


@ERAS
async def test_a_fault_of_the_environment_ends_the_episode_without_a_valid_reward(
    tmp_path: Path, mode: str, revision: str
) -> None:
    package = Package.load(copy_of_lending(tmp_path, BROKEN), trusted=True)
    with session_of(package, TASK) as session:
        async with Client(build_server(session), mode=mode) as client:
            for _ in range(2):
                with pytest.raises(MCPError, match="the episode is over and its reward is not valid") as fault:
                    await client.call_tool(*BREAKING)
                assert fault.value.error.code == -32603
        outcome = session.finish().outcome
    assert outcome is not None
    assert (outcome.kind, outcome.reward_valid) == ("infra", False)


async def test_a_fault_in_a_free_world_leaves_no_trace(tmp_path: Path) -> None:
    package = Package.load(copy_of_lending(tmp_path, BROKEN), trusted=True)
    with session_of(package) as session:
        before = session.state()
        async with Client(build_server(session)) as client:
            with pytest.raises(MCPError, match="the call left no trace"):
                await client.call_tool(*BREAKING)
            assert session.state() == before
            assert not (await client.call_tool("list_loans", {"member_id": "M-101"})).is_error


async def test_an_episode_that_is_out_of_steps_says_so() -> None:
    with session_of(lending(), TASK, max_steps=2) as session:
        async with Client(build_server(session)) as client:
            for _ in range(2):
                assert not (await client.call_tool("search_items", {})).is_error
            late = await client.call_tool("search_items", {})
        outcome = session.finish().outcome
    assert late.is_error
    assert json.loads(late.content[0].text)["error"]["code"] == "limit"
    assert outcome is not None
    assert outcome.kind == "out_of_steps"


async def test_no_name_of_the_machinery_is_a_tool() -> None:
    for task in (None, TASK):
        with session_of(lending(), task) as session:
            internals = {"reset", "step", "state", "record", "finish", "close", "score", "task", "seed", "outcome"}
            assert internals.isdisjoint(session.tools)
