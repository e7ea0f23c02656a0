"""What is answered the moment it is there goes over the wire like everything else, whatever the packets are."""

from __future__ import annotations

import contextlib
import json
import re
import socket
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="serving over HTTP needs the serve extra")

from envfactory_gym.serve.client import FleetClient, RemoteEpisode
from envfactory_gym.serve.fleet import fastpath, pace
from envfactory_gym.serve.fleet.app import Fleet
from envfactory_gym.serve.fleet.running import running
from tests.serve.fleet import EXTEND, TASK, TOKEN, body, headers, make


class Wire:
    """A connection to an episode's address, in bytes."""

    def __init__(self, episode: RemoteEpisode) -> None:
        self.host, _, path = episode.url.removeprefix("http://").partition("/")
        self.path, self.token = f"/{path}", episode.token
        name, _, port = self.host.partition(":")
        self.socket = socket.create_connection((name, int(port)), timeout=20)
        self._rest = b""

    def request(self, tool: str, arguments: dict[str, Any], *, version: str = "1.1", **more: str) -> bytes:
        """A call in bytes; what is `None` in further headers is left out."""
        content = json.dumps(body(tool, arguments)).encode()
        sent = {
            "Host": self.host,
            "Authorization": f"Bearer {self.token}",
            "Content-Type": "application/json",
            "Content-Length": str(len(content)),
            **headers(tool),
            **{name.replace("_", "-"): value for name, value in more.items()},
        }
        lines = [f"POST {self.path} HTTP/{version}", *(f"{name}: {value}" for name, value in sent.items())]
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + content

    def send(self, *pieces: bytes) -> None:
        """Send pieces, each in a packet of its own."""
        for piece in pieces:
            self.socket.sendall(piece)
            time.sleep(0.02)

    def answer(self) -> tuple[bytes, bytes]:
        """The next response: head and body."""
        while b"\r\n\r\n" not in self._rest:
            self._more()
        head, _, self._rest = self._rest.partition(b"\r\n\r\n")
        length = int(re.search(rb"content-length: (\d+)", head)[1])  # type: ignore[index]
        while len(self._rest) < length:
            self._more()
        content, self._rest = self._rest[:length], self._rest[length:]
        return head, content

    def _more(self) -> None:
        more = self.socket.recv(65536)
        assert more, "the server has hung up"
        self._rest += more

    @property
    def is_closed(self) -> bool:
        """Whether the server hangs up now."""
        return self.socket.recv(1) == b""


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each request that was offered was answered at once."""
    found: list[bool] = []
    at_once = fastpath.at_once

    def watched(*arguments: Any) -> Any:
        answer = at_once(*arguments)
        found.append(answer is not None)
        return answer

    monkeypatch.setattr(fastpath, "at_once", watched)
    monkeypatch.setattr(pace, "QUICK", 60.0)  # on a busy machine every tool seems slow now and then
    return found


Connect = Callable[[RemoteEpisode], Wire]


@pytest.fixture
def connect() -> Iterator[Connect]:
    """Connects to an episode's address; hangs up at the end."""
    with contextlib.ExitStack() as stack:

        def opened(episode: RemoteEpisode) -> Wire:
            wire = Wire(episode)
            stack.callback(wire.socket.close)
            return wire

        yield opened


@contextlib.contextmanager
def serving(**options: Any) -> Iterator[tuple[Fleet, RemoteEpisode]]:
    """A fleet with an episode whose tools are known to be quick."""
    fleet = make(**options)
    with running(fleet) as url, FleetClient(url, token=TOKEN) as client:
        episode = client.create("lending", task=TASK)
        for _ in range(3):
            episode.call("search_items", {})
            episode.call(EXTEND[0], {"loan_id": "?"})
        yield fleet, episode


def without_date(head: bytes) -> list[bytes]:
    """The lines of a head that are the same at every time."""
    return [line for line in head.split(b"\r\n") if not line.startswith(b"date:")]


def test_an_answer_looks_the_same_at_once_and_not(taken: list[bool], connect: Connect) -> None:
    answers = []
    for fast in (True, False):
        with serving(fast=fast) as (_, episode):
            wire = connect(episode)
            for _ in range(2):
                wire.send(wire.request("search_items", {}))
                head, content = wire.answer()
                answers.append((without_date(head), content))
    assert taken[-2:] == [True, True]
    heads, contents = zip(*answers, strict=True)
    assert len({json.dumps(json.loads(content), sort_keys=True) for content in contents}) == 1
    names = [{line.partition(b":")[0] for line in head} for head in heads]
    assert names[0] == names[-1]


def test_packets_may_be_cut_anywhere(taken: list[bool], connect: Connect) -> None:
    with serving() as (_, episode):
        wire = connect(episode)
        whole = wire.request("search_items", {})
        middle = whole.index(b"\r\n\r\n") + 4
        for cuts in ([], [middle], [middle + 10], [5], [middle - 2, middle + 1], [40, middle, middle + 20]):
            ends = [0, *cuts, len(whole)]
            before = len(taken)
            wire.send(*(whole[start:end] for start, end in pairwise(ends)))
            head, content = wire.answer()
            assert head.startswith(b"HTTP/1.1 200 ")
            assert b"isError" in content
            assert taken[before:] == [True]


def test_several_requests_in_a_packet_are_answered_in_order(taken: list[bool], connect: Connect) -> None:
    with serving() as (_, episode):
        wire = connect(episode)
        calls = [("search_items", {}), EXTEND, ("list_loans", {"member_id": "M-101"}), EXTEND, ("search_items", {})]
        requests = [wire.request(tool, arguments) for tool, arguments in calls]
        wire.send(b"".join(requests) + requests[0][:50], requests[0][50:])
        contents = [wire.answer()[1] for _ in range(6)]
        texts = [json.loads(content)["result"]["content"][0]["text"] for content in contents]
        assert texts[0] == texts[4] == texts[5]
        assert json.loads(contents[1])["result"]["isError"] is False
        assert json.loads(contents[3])["result"]["isError"] is True  # it was extended before
        names = [call.tool for call in episode.record().calls[-6:]]
        assert names == [tool for tool, _ in [*calls, calls[0]]]


@pytest.mark.parametrize(("version", "more"), [("1.0", {}), ("1.1", {"Connection": "close"})])
def test_who_wants_to_be_hung_up_on_is(taken: list[bool], connect: Connect, version: str, more: dict[str, str]) -> None:
    with serving() as (_, episode):
        wire = connect(episode)
        wire.send(wire.request("search_items", {}, version=version, **more))
        head, _ = wire.answer()
        assert b"connection: close" in head
        assert wire.is_closed


def test_who_asks_whether_to_go_on_is_told(taken: list[bool], connect: Connect) -> None:
    with serving() as (_, episode):
        wire = connect(episode)
        whole = wire.request("search_items", {}, Expect="100-continue")
        middle = whole.index(b"\r\n\r\n") + 4
        wire.send(whole[:middle])
        assert wire.socket.recv(100).startswith(b"HTTP/1.1 100 ")
        wire.send(whole[middle:])
        assert wire.answer()[0].startswith(b"HTTP/1.1 200 ")


def test_whoever_is_not_plainly_let_in_is_judged_by_the_gate(taken: list[bool], connect: Connect) -> None:
    with serving() as (_, episode):
        for more, status in (
            ({"Authorization": "Bearer ef-0-00000000000000000000000000000000"}, 401),
            ({"Authorization": "Basic x"}, 401),
            ({"Authorization": f"Bearer {TOKEN}"}, 200),
            ({"Origin": "https://elsewhere.example"}, 403),
            ({"Host": "elsewhere.example"}, 421),
            ({"Idempotency_Key": "x" * 300}, 400),
            ({"Idempotency_Key": "fine"}, 200),
            ({"Content_Length": "2000000"}, 413),
        ):
            wire = connect(episode)
            wire.send(wire.request("search_items", {}, **more))
            assert int(wire.answer()[0][9:12]) == status, more


def test_an_episode_that_sleeps_is_woken_and_one_that_is_gone_is_not_found(taken: list[bool], connect: Connect) -> None:
    with serving() as (fleet, episode):
        play = fleet.store.find(episode.id)
        wire = connect(episode)
        play.sleep()
        wire.send(wire.request("search_items", {}))
        assert wire.answer()[0].startswith(b"HTTP/1.1 200 ")
        assert play.is_live
        episode.delete()
        wire.send(wire.request("search_items", {}))
        assert wire.answer()[0].startswith(b"HTTP/1.1 404 ")


def test_who_leaves_before_the_body_is_there_leaves_no_trace(taken: list[bool], connect: Connect) -> None:
    with serving() as (_, episode):
        calls = episode.status().calls
        for cut in (-1, -100):
            wire = connect(episode)
            wire.send(wire.request(*EXTEND)[:cut])
            wire.socket.close()
        assert episode.status().calls == calls
        wire = connect(episode)
        wire.send(wire.request("search_items", {}))
        assert wire.answer()[0].startswith(b"HTTP/1.1 200 ")


def test_a_failure_of_the_server_itself_is_said_and_costs_one_connection(
    monkeypatch: pytest.MonkeyPatch, connect: Connect
) -> None:
    def broken(*arguments: Any) -> Any:
        raise RuntimeError("on purpose")

    with serving() as (_, episode):
        wire = connect(episode)
        with monkeypatch.context() as patch:
            patch.setattr(fastpath, "at_once", broken)
            wire.send(wire.request("search_items", {}))
            assert wire.answer()[0].startswith(b"HTTP/1.1 500 ")
            assert wire.is_closed
        wire = connect(episode)
        wire.send(wire.request("search_items", {}))
        assert wire.answer()[0].startswith(b"HTTP/1.1 200 ")


def test_nobody_is_overtaken_by_who_can_be_answered_at_once(
    taken: list[bool], connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving() as (fleet, episode):
        slow, quick, other = connect(episode), connect(episode), connect(episode)

        def dawdling() -> bytes:
            time.sleep(0.3)
            return b""

        monkeypatch.setattr(fleet.metrics, "text", dawdling)
        for _ in range(3):
            # While the server is held up both requests come; it then meets them in one round of its loop.
            other.send(f"GET /metrics HTTP/1.1\r\nHost: {other.host}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n".encode())
            slow.send(slow.request("list_loans", {"member_id": "M-101"}))
            quick.send(quick.request("search_items", {}))
            assert slow.answer()[0].startswith(b"HTTP/1.1 200 ")
            assert quick.answer()[0].startswith(b"HTTP/1.1 200 ")
            other.answer()
        names = [call.tool for call in episode.record().calls[-6:]]
        assert names == ["list_loans", "search_items"] * 3
        assert taken[-6:] == [False, False] * 3


def test_who_comes_when_the_server_goes_down_is_told_to_come_again(taken: list[bool], connect: Connect) -> None:
    with serving() as (fleet, episode):
        wire = connect(episode)
        fleet.drain()
        wire.send(wire.request("search_items", {}))
        assert wire.answer()[0].startswith(b"HTTP/1.1 503 ")
