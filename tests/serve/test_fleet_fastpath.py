"""The short way for well-formed calls answers what the SDK's way answers, and takes only what it understands."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytest.importorskip("fastapi", reason="serving over HTTP needs the serve extra")
import httpx2

from envfactory_gym.serve.client import FleetClient, RemoteEpisode
from envfactory_gym.serve.fleet import fastpath, pace
from envfactory_gym.serve.fleet.app import Fleet
from envfactory_gym.serve.fleet.running import running
from tests.serve.fleet import ENVELOPE, REVISION, TASK, TOKEN, make, mcp_client

KEY = "io.envfactory/idempotency-key"


def _read(answer: httpx2.Response, kind: str | None) -> Any:
    return answer.json() if kind == "application/json" and answer.content else answer.text


class Ways:
    """Three fleets: what they can they answer at once, in its turn, or as the SDK does; the same episode on each."""

    def __init__(self, *clients: FleetClient) -> None:
        self.clients = clients
        self.http = httpx2.Client(timeout=20)
        self.renew()

    def renew(self) -> None:
        """New episodes."""
        self.episodes: list[RemoteEpisode] = [client.create("lending", task=TASK) for client in self.clients]

    def ask(self, body: bytes, headers: dict[str, str]) -> tuple[int, str | None, Any]:
        """The same request on all ways: status, content type and content, which are the same."""
        answers = [
            self.http.post(episode.url, content=body, headers={**headers, **episode.headers})
            for episode in self.episodes
        ]
        fast, turn, plain = (
            (answer.status_code, kind := answer.headers.get("content-type"), _read(answer, kind)) for answer in answers
        )
        assert fast == plain
        assert turn == plain
        return plain


@pytest.fixture(scope="module")
def taken() -> list[str]:
    """Which way each request took that got as far as that: two of three fleets ask."""
    return []


@pytest.fixture(scope="module")
def ways(taken: list[str]) -> Iterator[Ways]:
    at_once, answered = fastpath.at_once, fastpath.answered
    fleets = [make(), make(), make(fast=False)]

    def first(fleet: Fleet, *arguments: Any) -> Any:
        answer = at_once(fleet, *arguments) if fleet is not fleets[1] else None
        if answer is not None:
            taken.append("at once")
        return answer

    async def second(*arguments: Any) -> Any:
        answer = await answered(*arguments)
        taken.append("left" if answer is None else "in turn")
        return answer

    with pytest.MonkeyPatch.context() as patch, contextlib.ExitStack() as stack:
        patch.setattr(pace, "QUICK", 60.0)  # on a busy machine every tool seems slow now and then
        patch.setattr(fastpath, "at_once", first)
        patch.setattr(fastpath, "answered", second)
        urls = [stack.enter_context(running(fleet)) for fleet in fleets]
        ways = Ways(*(stack.enter_context(FleetClient(url, token=TOKEN)) for url in urls))
        stack.enter_context(ways.http)
        for tool, arguments in CALLS * 3:  # until they are known to be quick
            message, headers = request(tool, arguments)
            ways.ask(json.dumps(message).encode(), headers)
        yield ways


def request(tool: str, arguments: Any, **changes: Any) -> tuple[dict[str, Any], dict[str, str]]:
    """A well-formed request."""
    params = {"name": tool, "arguments": arguments, "_meta": dict(ENVELOPE)}
    message = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params, **changes}
    return message, {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": REVISION,
        "Mcp-Method": "tools/call",
        "Mcp-Name": tool,
    }


CALLS = [
    ("list_loans", {"member_id": "M-101"}),
    ("extend_loan", {"loan_id": "QF7KD"}),
    ("extend_loan", {"loan_id": "QF7KD"}),
    ("search_items", {}),
    ("search_items", {"category": "spaceships"}),
    ("search_items", {"colour": "red"}),
    ("borrow_item", {"member_id": "M-104", "item_id": 9}),
    ("borrow_item", {"member_id": "M-104", "item_id": "9"}),
    ("decline_request", {"rule": "no-such-rule"}),
    ("answer", {"values": ["Übermut \ud83d\ude00 \u2028", 1.5, 3]}),
    ("answer", {"values": ["\ud800"]}),
]


def test_well_formed_calls_take_the_short_way_and_get_the_same_answers(ways: Ways, taken: list[str]) -> None:
    ways.renew()
    for identifier in (1, "one", -5, ""):
        for tool, arguments in CALLS:
            message, headers = request(tool, arguments, id=identifier)
            message["params"]["_meta"]["io.modelcontextprotocol/clientInfo"] = {"name": "test", "version": "1"}
            before = len(taken)
            ways.ask(json.dumps(message).encode(), headers)
            # Half a character cannot be read the short way; and where an address leads is known after its first use.
            fits = "\\ud800" not in json.dumps(arguments)
            first = (identifier, tool) == (1, "list_loans")
            assert taken[before:] == (["in turn" if first else "at once", "in turn"] if fits else ["left", "left"])
    assert len({episode.digest() for episode in ways.episodes}) == 1
    assert len({episode.record().model_copy(update={"seconds": None}).line() for episode in ways.episodes}) == 1


def test_keys_and_faults_are_the_same_on_all_ways(ways: Ways) -> None:
    ways.renew()
    for arguments, key in (({"loan_id": "QF7KD"}, "k"), ({"loan_id": "QF7KD"}, "k"), ({"loan_id": "X"}, "k"), ({}, 5)):
        message, headers = request("extend_loan", arguments)
        message["params"]["_meta"][KEY] = key
        ways.ask(json.dumps(message).encode(), headers)
    for key in ("h", "h"):
        message, headers = request("search_items", {})
        ways.ask(json.dumps(message).encode(), {**headers, "Idempotency-Key": key})
    assert [episode.status().calls for episode in ways.episodes] == [2, 2, 2]


def test_the_short_way_serves_the_official_client(ways: Ways, taken: list[str]) -> None:
    import asyncio

    async def play() -> Any:
        async with mcp_client(ways.episodes[0].url, ways.episodes[0].headers) as client:
            return await client.call_tool("search_items", {})

    before = len(taken)
    assert not asyncio.run(play()).is_error
    assert len(taken[before:]) - taken[before:].count("left") == 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(1 << 70), 1 << 70) | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
ARGUMENTS = st.one_of(
    st.fixed_dictionaries({}, optional={"loan_id": JSON, "member_id": JSON, "item_id": JSON, "category": JSON}), JSON
)
META = st.fixed_dictionaries(
    {},
    optional={
        "io.modelcontextprotocol/protocolVersion": st.sampled_from([REVISION, "2025-11-25", "", 5, None]),
        "io.modelcontextprotocol/clientCapabilities": st.sampled_from([{}, {"sampling": {}}, {"roots": 5}, [], None]),
        "io.modelcontextprotocol/clientInfo": st.sampled_from(
            [{"name": "n", "version": "1"}, {"name": 5, "version": "1"}, {"name": "n"}, {}, "n", None]
        ),
        KEY: st.sampled_from(["a", "", 5, None, "x" * 300]),
        "progressToken": st.sampled_from([1, "p", 1.5, {}]),
        "own": JSON,
    },
)
HEADERS = st.fixed_dictionaries(
    {},
    optional={
        "MCP-Protocol-Version": st.sampled_from([REVISION, "2025-11-25", "2024-11-05", "1999-01-01", ""]),
        "Mcp-Method": st.sampled_from(["tools/call", "tools/list", ""]),
        "Mcp-Name": st.sampled_from(["search_items", "extend_loan", "sell_item", "=?base64?c2VhcmNo?=", ""]),
        "Accept": st.sampled_from(["application/json", "*/*", "text/html", "application/*, text/*", ""]),
        "Content-Type": st.sampled_from(["application/json; charset=utf-8", "text/plain", "APPLICATION/JSON", ""]),
        "Mcp-Session-Id": st.just("abc"),
    },
)
CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "id": st.one_of(
            st.integers(-(1 << 70), 1 << 70), st.text(max_size=4), st.sampled_from([None, 1.5, True, [], {}])
        ),
        "jsonrpc": st.sampled_from(["2.0", "1.0", 2.0, None]),
        "method": st.sampled_from(["tools/call", "tools/list", "ping", "server/discover", "nothing", 5]),
        "extra": JSON,
    },
)
TOOLS = st.sampled_from(
    ["search_items", "extend_loan", "list_loans", "borrow_item", "sell_item", "answer", "", 5, None]
)


@settings(
    max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_whatever_comes_gets_the_answer_of_the_sdk(ways: Ways, data: st.DataObject) -> None:
    tool = data.draw(TOOLS)
    message, headers = request(str(tool), data.draw(ARGUMENTS))
    message["params"]["name"] = tool
    message |= data.draw(CHANGES)
    if data.draw(st.booleans()):
        message["params"]["_meta"] |= data.draw(META)
    if data.draw(st.integers(0, 9)) == 0:
        message["params"]["_meta"] = data.draw(META)
    if data.draw(st.integers(0, 9)) == 0:
        del message[data.draw(st.sampled_from(sorted(message)))]
    if data.draw(st.booleans()):
        headers |= data.draw(HEADERS)
    if data.draw(st.integers(0, 9)) == 0:
        del headers[data.draw(st.sampled_from(sorted(headers)))]
    body = json.dumps(message).encode()
    if data.draw(st.integers(0, 9)) == 0:
        body = data.draw(
            st.sampled_from(
                [body[:-1], b"", b"[" + body + b"]", body + b" ", b"\xef\xbb\xbf" + body, body.replace(b'"id"', b'"id": 1, "id"'),
                 body.decode().encode("utf-16"), b"[" * 100_000, b"null", body.replace(b"2.0", b"\xff")]
            )
        )  # fmt: skip
    assert ways.ask(body, headers)[0] < 500


def test_a_header_that_comes_twice_is_left_to_the_sdk(ways: Ways, taken: list[str]) -> None:
    message, headers = request("search_items", {})
    answers = []
    for episode in ways.episodes:
        doubled = [*headers.items(), *episode.headers.items(), ("Mcp-Name", "search_items")]
        before = len(taken)
        answer = ways.http.post(episode.url, content=json.dumps(message).encode(), headers=doubled)
        answers.append((answer.status_code, answer.json()))
        assert set(taken[before:]) <= {"left"}
    assert answers[0] == answers[1] == answers[2]
    assert answers[0][0] == 400
