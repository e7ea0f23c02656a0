"""The client: it asks again as long as that may help, never twice for one answer, and counts what it pays."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest

from envfactory_gym.llm import (
    Budget,
    BudgetSpent,
    Cassette,
    CassetteMiss,
    Client,
    EndpointFailed,
    ModelError,
    Price,
    RequestRefused,
    Retries,
    Usage,
    read_cassette,
    read_prices,
)
from envfactory_gym.llm.loopback import TRANSPORT_FAULTS, Faults, Heard, Loopback
from envfactory_gym.llm.pace import Pace
from envfactory_gym.llm.retries import retry_after

QUICK = Retries(attempts=4, first=0.01)


def request(words: str = "Hello", **more: Any) -> dict[str, Any]:
    return {"model": "m", "messages": [{"role": "user", "content": words}], **more}


def echo(heard: Heard) -> dict[str, Any]:
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 4}}
    return {"content": heard.request["messages"][-1]["content"], "usage": usage}


async def test_an_exchange_holds_request_and_answer_as_they_went_over_the_wire() -> None:
    async with Loopback(echo, record=True) as server, Client(server.url) as client:
        exchange = await client.complete(request("Grüße", temperature=0.5), tag="a/b#0")
    assert exchange.request == server.heard[0].request == request("Grüße", temperature=0.5)
    assert server.heard[0].session == "a/b#0"
    assert exchange.text == "Grüße" and exchange.finish_reason == "stop"
    assert exchange.response["object"] == "chat.completion"
    assert exchange.usage == Usage(10, 5, 4, 0)


@pytest.mark.parametrize("kind", TRANSPORT_FAULTS)
async def test_a_fault_that_passes_is_passed(kind: str) -> None:
    faults = Faults(rate=1.0, kinds=(kind,), most=2, hang=5.0)
    async with Loopback(echo, faults=faults) as server, Client(server.url, timeout=0.1, retries=QUICK) as client:
        exchange = await client.complete(request())
    assert (exchange.text, exchange.attempts) == ("Hello", 3)
    assert client.spent.retried.total() == 2 and client.spent.calls == 1


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("rate_limit", "rate_limit"), ("server_error", "server_error"), ("unavailable", "server_error"),
        ("hang", "timeout"), ("drop", "connection"), ("cut", "connection"), ("bad_json", "bad_answer"),
    ],
)  # fmt: skip
async def test_a_fault_that_stays_is_told_by_its_kind(kind: str, expected: str) -> None:
    faults = Faults(rate=1.0, kinds=(kind,), most=99, hang=5.0)
    async with Loopback(echo, faults=faults) as server, Client(server.url, timeout=0.1, retries=QUICK) as client:
        with pytest.raises(EndpointFailed, match="failed 4 times") as failed:
            await client.complete(request())
    assert (failed.value.kind, failed.value.attempts) == (expected, 4)
    assert client.spent.calls == 0 and server.served.requests == 4


async def test_nobody_listening_is_told_with_what_to_do() -> None:
    async with Client("http://127.0.0.1:9/v1", retries=Retries(attempts=2, first=0.01)) as client:
        with pytest.raises(EndpointFailed, match="is the server running"):
            await client.complete(request())


async def test_a_refusal_is_not_tried_again() -> None:
    async with Loopback(echo, key="right") as server, Client(server.url, api_key="wrong", retries=QUICK) as client:
        with pytest.raises(RequestRefused, match=r"401.*API key") as refused:
            await client.complete(request())
    assert refused.value.status == 401 and not refused.value.too_long


@pytest.mark.parametrize(
    "said",
    [
        "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens",
        "the request exceeds the available context size (4096 tokens), try increasing it",
        "prompt is too long: 210000 tokens > 200000 maximum",
        "context_length_exceeded",
    ],
)
def test_a_conversation_that_is_too_long_is_known_by_the_words_of_many_servers(said: str) -> None:
    assert RequestRefused(400, said, url="u").too_long
    assert not RequestRefused(400, "unknown field 'foo'", url="u").too_long


async def test_nothing_is_lost_or_doubled_under_random_faults() -> None:
    faults = Faults(rate=0.3, seed=5, hang=0.05)
    async with Loopback(echo, faults=faults) as server, Client(server.url, timeout=2.0, retries=QUICK) as client:
        answers = await asyncio.gather(*(client.complete(request(f"word {n}")) for n in range(200)))
    assert [answer.text for answer in answers] == [f"word {n}" for n in range(200)]
    assert server.served.faults.total() > 30
    # The server counts those it answered whole: each is one exchange, none was asked for again.
    assert server.served.answered == client.spent.calls == 200
    assert client.spent.retried.total() == server.served.faults.total()


async def test_retry_after_holds_all_requests_back() -> None:
    faults = Faults(rate=1.0, kinds=("rate_limit",), most=1, retry_after=0.2)
    async with Loopback(echo, faults=faults) as server, Client(server.url, retries=QUICK) as client:
        started = time.monotonic()
        await asyncio.gather(client.complete(request("a")), client.complete(request("b")))
    assert time.monotonic() - started >= 0.2


def test_retry_after_is_a_number_or_a_date() -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    date = format_datetime(now + timedelta(seconds=30), usegmt=True)
    told = [{"retry-after": "7"}, {"retry-after-ms": "250"}, {"retry-after": date}, {"retry-after": "soon"}, {}]
    assert [retry_after(headers, now) for headers in told] == [7.0, 0.25, 30.0, None, None]


def test_waiting_doubles_and_is_scattered_and_bounded() -> None:
    chance = Random(1)
    waits = [Retries(first=1.0, longest=20.0).wait(attempt, chance) for attempt in range(1, 8)]
    assert all(0.5 * 2**n <= wait <= min(20.0, 1.5 * 2**n) for n, wait in enumerate(waits[:4]))
    assert waits[-1] == 20.0
    assert Retries(longest=20.0).wait(1, chance, asked=3600.0) == 20.0


async def test_no_more_than_so_many_requests_are_in_flight() -> None:
    seen: list[int] = []
    flying = Counter[str]()

    class Watching(Loopback):
        async def _pause(self, seconds: float) -> None:
            flying["now"] += 1
            seen.append(flying["now"])
            await super()._pause(seconds)
            flying["now"] -= 1

    async with Watching(echo, delay=0.01) as server, Client(server.url, concurrency=3) as client:
        await asyncio.gather(*(client.complete(request(str(n))) for n in range(20)))
    assert max(seen) == 3


async def test_connections_are_kept_and_opened_only_when_needed() -> None:
    opened: list[object] = []

    class Counting(Loopback):
        async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            opened.append(writer)
            await super()._serve(reader, writer)

    async with Counting(echo, delay=0.002) as server, Client(server.url, concurrency=40) as client:
        for number in range(5):
            await client.complete(request(str(number)))
        assert len(opened) == 1
        found = await asyncio.gather(*(client.complete(request(str(number))) for number in range(200)))
    assert [exchange.text for exchange in found] == [str(number) for number in range(200)]
    assert len(opened) <= 40


def test_a_pace_is_kept_on_average_and_debts_are_paid() -> None:
    now = [100.0]
    pace = Pace(60.0, burst=2.0, clock=lambda: now[0])
    pace.take()
    pace.take()
    assert pace.wait() == 0.0
    pace.take(5)
    assert pace.wait() == pytest.approx(5.0)
    now[0] += 5.0
    assert pace.wait() == pytest.approx(0.0)
    assert Pace(None).wait() == 0.0


async def test_a_budget_of_calls_is_kept_exactly() -> None:
    async with Loopback(echo) as server, Client(server.url, budget=Budget(calls=5)) as client:
        found = await asyncio.gather(*(client.complete(request(str(n))) for n in range(9)), return_exceptions=True)
    assert sum(isinstance(answer, BudgetSpent) for answer in found) == 4
    assert server.served.answered == client.spent.calls == 5


async def test_tokens_and_money_are_counted_and_limited() -> None:
    prices = {"m": Price(input=1.0, output=2.0, cached=0.5)}
    async with Loopback(echo) as server, Client(server.url, prices=prices, budget=Budget(cost=3e-5)) as client:
        exchange = await client.complete(request("a"))
        assert exchange.cost == pytest.approx((6 * 1.0 + 4 * 0.5 + 5 * 2.0) / 1e6)
        await client.complete(request("b"))
        with pytest.raises(BudgetSpent, match="cost"):
            await client.complete(request("c"))
    assert client.spent.usage == Usage(20, 10, 8, 0)


async def test_a_budget_of_money_needs_prices() -> None:
    async with Loopback(echo) as server, Client(server.url, budget=Budget(cost=1.0)) as client:
        with pytest.raises(ModelError, match="needs the price of 'm'"):
            await client.complete(request())


def test_price_files_are_read_and_explained(tmp_path: Path) -> None:
    file = tmp_path / "prices.yaml"
    file.write_text("m: {input: 0.15, output: 0.6}\n")
    assert read_prices(file) == {"m": Price(0.15, 0.6)}
    file.write_text("m: {inputs: 1}\n")
    with pytest.raises(ModelError, match="is not a price file"):
        read_prices(file)


@pytest.mark.parametrize("url", ["127.0.0.1:8000", "ftp://x/v1", "http:///v1"])
def test_a_base_url_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(ModelError, match="a base URL is such as"):
        Client(url)


# ---------------------------------------------------------------- cassettes


def counting() -> tuple[Counter[str], Any]:
    """A responder that gives another answer each time it is asked the same."""
    asked: Counter[str] = Counter()

    def respond(heard: Heard) -> dict[str, Any]:
        words = heard.request["messages"][-1]["content"]
        asked[words] += 1
        return {"content": f"{words} {asked[words]}"}

    return asked, respond


async def test_what_was_paid_for_is_replayed_and_only_the_rest_is_asked(tmp_path: Path) -> None:
    asked, respond = counting()
    file = tmp_path / "tape.jsonl"
    async with Loopback(respond) as server:
        with Cassette(file) as tape:
            async with Client(server.url, cassette=tape) as client:
                first = [(await client.complete(request("a"), tag="t")).text for _ in range(2)]
        with Cassette(file) as tape:
            async with Client(server.url, cassette=tape) as client:
                again = [(await client.complete(request("a"), tag="t")).text for _ in range(3)]
                other = (await client.complete(request("a"), tag="u")).text
                assert (client.spent.replayed, client.spent.calls) == (2, 2)
    assert first == ["a 1", "a 2"]
    assert again == ["a 1", "a 2", "a 3"] and other == "a 4"
    assert asked["a"] == 4


async def test_replaying_alone_needs_no_server_and_asks_nobody(tmp_path: Path) -> None:
    file = tmp_path / "tape.jsonl"
    async with Loopback(echo) as server:
        with Cassette(file) as tape:
            async with Client(server.url, cassette=tape) as client:
                await client.complete(request("a"))
        url = server.url
    with Cassette(file, "replay") as tape:
        async with Client(url, cassette=tape) as client:
            assert (await client.complete(request("a"))).replayed
            with pytest.raises(CassetteMiss, match="answer 2"):
                await client.complete(request("a"))
            tape.rewind("")
            assert (await client.complete(request("a"))).text == "a"
    with pytest.raises(CassetteMiss, match="record one first"):
        Cassette(tmp_path / "none.jsonl", "replay")


async def test_whole_requests_come_back_from_a_cassette_that_stores_only_what_is_new(tmp_path: Path) -> None:
    file = tmp_path / "tape.jsonl"
    tools = [{"type": "function", "function": {"name": "look", "description": "x" * 3_000}}]
    wire: list[dict[str, Any]] = []
    sent = []
    async with Loopback(lambda heard: {"content": "Go on."}) as server:
        for half in range(2):  # stopped in the middle, and gone on with
            with Cassette(file) as tape:
                async with Client(server.url, cassette=tape) as client:
                    wire, sent = [], []
                    for n in range(4 + 4 * half):
                        wire.append({"role": "user", "content": f"step {n}"})
                        sent.append(request(messages=list(wire), tools=tools))
                        wire.append((await client.complete(sent[-1], tag="t")).message)
    assert [exchange.request for exchange in read_cassette(file)] == sent
    assert file.stat().st_size < 3_000 + len(sent) * 700


async def test_a_crash_leaves_half_a_line_that_is_cut_off(tmp_path: Path) -> None:
    file = tmp_path / "tape.jsonl"
    async with Loopback(echo) as server:
        with Cassette(file) as tape:
            async with Client(server.url, cassette=tape) as client:
                await client.complete(request("a"))
                await client.complete(request("b"))
        whole = file.read_bytes()
        file.write_bytes(whole[:-20])
        with Cassette(file) as tape:
            assert len(tape) == 1
            async with Client(server.url, cassette=tape) as client:
                await client.complete(request("a"))
                await client.complete(request("b"))
    assert len(list(read_cassette(file))) == 2


def test_a_file_that_is_no_cassette_is_told_by_its_line(tmp_path: Path) -> None:
    file = tmp_path / "tape.jsonl"
    file.write_text('{"tag": ""}\n')
    with pytest.raises(ModelError, match=r"tape\.jsonl:1: this line is no exchange"):
        Cassette(file)
