"""The short way for well-formed calls answers what the SDK's way answers, and takes only what it understands."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytest.importorskip("fastapi", reason="serving over HTTP needs the serve extra")
import httpx2

from envfactory_gym.serve.client import FleetClient, RemoteEpisode
from envfactory_gym.serve.fleet import fastpath
from envfactory_gym.serve.fleet.running import running
from tests.serve.fleet import ENVELOPE, REVISION, TASK, TOKEN, make, mcp_client

KEY = "io.envfactory/idempotency-key"


def _read(answer: httpx2.Response, kind: str | None) -> Any:
    return answer.json() if kind == "application/json" and answer.content else answer.text


class Pair:
    """Two fleets, one with the short way and one without, and the same episode on both."""

    def __init__(self, fast: FleetClient, plain: FleetClient) -> None:
        self.clients = (fast, plain)
        self.http = httpx2.Client(timeout=20)
        self.renew()

    def renew(self) -> None:
        """New episodes."""
        self.episodes: list[RemoteEpisode] = [client.create("lending", task=TASK) for client in self.clients]

    def ask(self, body: bytes, headers: dict[str, str]) -> list[tuple[int, str | None, Any]]:
        """The same request on both ways: status, content type and content of each."""
        answers = [
            self.http.post(episode.url, content=body, headers={**headers, **episode.headers})
            for episode in self.episodes
        ]
        return [
            (answer.status_code, kind := answer.headers.get("content-type"), _read(answer, kind)) for answer in answers
        ]


@pytest.fixture(scope="module")
def taken() -> list[bool]:
    """Whether each request was taken by the short way."""
    return []


@pytest.fixture(scope="module")
def pair(taken: list[bool]) -> Iterator[Pair]:
    true_answered = fastpath.answered

    async def watched(*arguments: Any) -> bool:
        result = await true_answered(*arguments)
        taken.append(result)
        return result

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fastpath, "answered", watched)
        with (
            running(make()) as one,
            running(make(fast=False)) as other,
            FleetClient(one, token=TOKEN) as fast,
            FleetClient(other, token=TOKEN) as plain,
        ):
            pair = Pair(fast, plain)
            with pair.http:
                yield pair


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


def test_well_formed_calls_take_the_short_way_and_get_the_same_answers(pair: Pair, taken: list[bool]) -> None:
    pair.renew()
    for identifier in (1, "one", -5, ""):
        for tool, arguments in CALLS:
            message, headers = request(tool, arguments, id=identifier)
            message["params"]["_meta"]["io.modelcontextprotocol/clientInfo"] = {"name": "test", "version": "1"}
            before = len(taken)
            fast, plain = pair.ask(json.dumps(message).encode(), headers)
            assert fast == plain
            # Half a character cannot be read the short way.
            assert taken[before:] == ["\\ud800" not in json.dumps(arguments)]
    assert pair.episodes[0].digest() == pair.episodes[1].digest()
    assert len({episode.record().model_copy(update={"seconds": None}).line() for episode in pair.episodes}) == 1


def test_keys_and_faults_are_the_same_on_both_ways(pair: Pair) -> None:
    pair.renew()
    for arguments, key in (({"loan_id": "QF7KD"}, "k"), ({"loan_id": "QF7KD"}, "k"), ({"loan_id": "X"}, "k"), ({}, 5)):
        message, headers = request("extend_loan", arguments)
        message["params"]["_meta"][KEY] = key
        fast, plain = pair.ask(json.dumps(message).encode(), headers)
        assert fast == plain
    for key in ("h", "h"):
        message, headers = request("search_items", {})
        fast, plain = pair.ask(json.dumps(message).encode(), {**headers, "Idempotency-Key": key})
        assert fast == plain
    assert [episode.status().calls for episode in pair.episodes] == [2, 2]


def test_the_short_way_serves_the_official_client(pair: Pair, taken: list[bool]) -> None:
    import asyncio

    async def play() -> Any:
        async with mcp_client(pair.episodes[0].url, pair.episodes[0].headers) as client:
            return await client.call_tool("search_items", {})

    before = len(taken)
    assert not asyncio.run(play()).is_error
    assert taken[before:].count(True) == 1


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
def test_whatever_comes_gets_the_answer_of_the_sdk(pair: Pair, data: st.DataObject) -> None:
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
    fast, plain = pair.ask(body, headers)
    assert fast == plain
    assert fast[0] < 500


def test_a_header_that_comes_twice_is_left_to_the_sdk(pair: Pair, taken: list[bool]) -> None:
    message, headers = request("search_items", {})
    answers = []
    for episode in pair.episodes:
        doubled = [*headers.items(), *episode.headers.items(), ("Mcp-Name", "search_items")]
        before = len(taken)
        answer = pair.http.post(episode.url, content=json.dumps(message).encode(), headers=doubled)
        answers.append((answer.status_code, answer.json()))
        assert True not in taken[before:]
    assert answers[0] == answers[1]
    assert answers[0][0] == 400
