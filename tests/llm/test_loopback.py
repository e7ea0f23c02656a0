"""The scripted server: it answers over real HTTP, and fails as asked, the same way for the same seed."""

from __future__ import annotations

import json
import socket
from collections import Counter
from contextlib import suppress
from typing import Any

import httpx2
import pytest

from envfactory_gym.llm.loopback import MODEL_FAULTS, TRANSPORT_FAULTS, Faults, Heard, Loopback


def echo(heard: Heard) -> dict[str, Any]:
    """Calls a tool if there is one; says the last words back otherwise."""
    if heard.request.get("tools"):
        return {
            "tool_calls": [{"name": "look", "arguments": {"at": "it"}}, {"name": "look", "arguments": {"at": "me"}}]
        }
    return {"content": heard.request["messages"][-1]["content"]}


def ask(url: str, words: str = "Hello", **more: Any) -> dict[str, Any]:
    body = {"model": "m", "messages": [{"role": "user", "content": words}], **more}
    answer: dict[str, Any] = httpx2.post(f"{url}/chat/completions", json=body, timeout=5).json()
    return answer


TOOLS = [{"type": "function", "function": {"name": "look", "parameters": {}}}]


def test_it_answers_in_the_form_of_chat_completions() -> None:
    with Loopback(echo) as server:
        said = ask(server.url, "Grüße")
        called = ask(server.url, tools=TOOLS)
    assert said["choices"][0]["message"] == {"role": "assistant", "content": "Grüße"}
    assert said["choices"][0]["finish_reason"] == "stop"
    assert said["usage"]["total_tokens"] == said["usage"]["prompt_tokens"] + said["usage"]["completion_tokens"]
    calls = called["choices"][0]["message"]["tool_calls"]
    assert [json.loads(call["function"]["arguments"]) for call in calls] == [{"at": "it"}, {"at": "me"}]
    assert len({call["id"] for call in calls}) == 2
    assert called["choices"][0]["finish_reason"] == "tool_calls"


def test_one_connection_serves_many_requests_and_streams() -> None:
    with Loopback(echo, record=True) as server, httpx2.Client(base_url=server.url) as client:
        body = {"model": "m", "messages": [{"role": "user", "content": "Hi"}], "stream": True}
        for _ in range(3):
            lines = client.post("/chat/completions", json=body).text.split("\n\n")
        assert client.get("/models").json()["data"][0]["id"] == "scripted"
        assert client.get("/nothing").status_code == 404
    assert lines[2] == "data: [DONE]"
    assert json.loads(lines[0].removeprefix("data: "))["choices"][0]["delta"]["content"] == "Hi"
    assert (server.served.answered, len(server.heard)) == (3, 3)


def test_a_key_can_be_asked_for() -> None:
    with Loopback(echo, key="secret") as server:
        assert ask(server.url)["error"]["code"] == "invalid_api_key"


@pytest.mark.parametrize("kind", TRANSPORT_FAULTS)
def test_every_fault_of_an_endpoint_passes(kind: str) -> None:
    faults = Faults(rate=1.0, kinds=(kind,), most=1, hang=0.01)
    with Loopback(echo, faults=faults) as server:
        try:
            answer = httpx2.post(f"{server.url}/chat/completions", json={"messages": [{"content": "x"}]}, timeout=5)
            failed = answer.status_code >= 400 or not _parses(answer.content)
        except httpx2.TransportError:
            failed = True
        assert failed
        assert ask(server.url)["error"]["code"] if kind in ("rate_limit", "server_error", "unavailable") else True
        body = {"messages": [{"content": "x"}]}
        again = httpx2.post(f"{server.url}/chat/completions", json=body, timeout=5)
        assert again.json()["choices"][0]["message"]["content"] == "x"
    assert server.served.faults[kind] >= 1


def _parses(body: bytes) -> bool:
    try:
        json.loads(body)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("kind", MODEL_FAULTS)
def test_every_fault_of_a_model_comes_as_a_good_answer(kind: str) -> None:
    with Loopback(echo, faults=Faults(rate=1.0, kinds=(kind,), most=1)) as server:
        choice = ask(server.url, tools=TOOLS)["choices"][0]
        good = ask(server.url, tools=TOOLS)["choices"][0]
    calls = choice["message"].get("tool_calls", [])
    spoilt = {
        "malformed_call": lambda: not _parses(calls[0]["function"]["arguments"].encode()),
        "unknown_tool": lambda: calls[0]["function"]["name"] == "no_such_tool",
        "duplicate_ids": lambda: len({call["id"] for call in calls}) == 1 < len(calls),
        "missing_ids": lambda: not any(call["id"] for call in calls),
        "cut_off": lambda: choice["finish_reason"] == "length",
        "empty": lambda: not calls and not choice["message"]["content"],
    }
    assert spoilt[kind]()
    assert good["finish_reason"] == "tool_calls" and len(good["message"]["tool_calls"]) == 2


def test_faults_do_not_depend_on_the_order_of_arrival() -> None:
    requests = [(f"s{number % 7}", b"body %d" % number) for number in range(400)]
    one, other = Faults(rate=0.2, seed=3), Faults(rate=0.2, seed=3)
    forward = {request: one.of(*request) for request in requests}
    backward = {request: other.of(*request) for request in reversed(requests)}
    assert forward == backward
    counted = Counter(forward.values())
    assert 50 < 400 - counted[None] < 110
    assert set(counted) - {None} == set(TRANSPORT_FAULTS)
    assert forward != {request: Faults(rate=0.2, seed=4).of(*request) for request in requests}


def test_whoever_tries_often_enough_gets_through() -> None:
    faults = Faults(rate=1.0, most=2)
    assert [faults.of("s", b"x") is not None for _ in range(3)] == [True, True, False]


def test_a_script_that_fails_is_a_bad_request_and_the_server_lives_on() -> None:
    with Loopback(lambda heard: {"content": heard.request["nothing"]}) as server:
        assert ask(server.url)["error"]["code"] == "bad_request"
        assert ask(server.url)["error"]["code"] == "bad_request"


def test_it_listens_on_this_machine_only_and_stops() -> None:
    with Loopback(echo) as server:
        assert server.url.startswith("http://127.0.0.1:")
        port = int(server.url.split(":")[2].removesuffix("/v1"))
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=1)


def test_unknown_faults_and_impossible_rates_are_refused() -> None:
    with pytest.raises(ValueError, match="no fault 'rain'"):
        Faults(kinds=("rain",))
    with pytest.raises(ValueError, match="rate is a share"):
        Faults(rate=5)


@pytest.mark.parametrize("kind", ["idle", "hang"])
def test_it_stops_quietly_whatever_clients_are_doing(kind: str, caplog: pytest.LogCaptureFixture) -> None:
    faults = Faults(rate=1.0, kinds=("hang",), hang=60.0) if kind == "hang" else None
    client = httpx2.Client(timeout=0.2)
    with Loopback(echo, faults=faults) as server, suppress(httpx2.TransportError):
        client.post(f"{server.url}/chat/completions", json={"messages": [{"content": "x"}]})
    client.close()
    assert caplog.records == []
