"""Gold over HTTP: the scripted server solves every task it is asked, native and as text, faults or not."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

from envfactory_gym import Episode, load_package
from envfactory_gym.agents.scripted import GoldScript
from envfactory_gym.episode.prompt import with_tools
from envfactory_gym.episode.text_form import read_text, results_text, write_text
from envfactory_gym.llm.loopback import Faults, Heard, Loopback
from tests.support import lending

CALL_FAULTS = ("malformed_call", "unknown_tool", "duplicate_ids", "missing_ids")


def play_natively(client: httpx2.Client, episode: Episode, session: str = "") -> str:
    episode.reset()
    while episode.outcome is None:
        body = {"model": "gold", "messages": episode.messages, "tools": episode.tools}
        answer = client.post("/chat/completions", json=body, headers={"x-session-id": session}).json()
        episode.step(answer["choices"][0]["message"])
    return episode.outcome.kind


@pytest.mark.parametrize("user", ["scripted", "solo"])
def test_gold_is_paid_for_every_task_of_a_package(user: Any) -> None:
    package = lending()
    with Loopback(GoldScript([package])) as server, httpx2.Client(base_url=server.url) as client:
        for task in package.tasks:
            if user != "solo" or task.solo:
                with Episode(package, task, user=user) as episode:
                    assert play_natively(client, episode) == "success", task.id


def test_tasks_with_the_same_words_are_told_apart_by_the_session() -> None:
    package = load_package("airline")
    with Loopback(GoldScript([package], user=["scripted"])) as server, httpx2.Client(base_url=server.url) as client:
        for name in ("phone-stolen", "phone-stolen-but-verified"):
            with Episode(package, name) as episode:
                assert play_natively(client, episode, f"airline/{name}#0") == "success"


def test_gold_goes_on_after_calls_that_were_spoilt() -> None:
    package = lending()
    faults = Faults(rate=0.5, seed=1, kinds=CALL_FAULTS, most=1)
    script = GoldScript([package], user=["scripted"])
    with Loopback(script, faults=faults) as server, httpx2.Client(base_url=server.url) as client:
        kinds = []
        for task in package.tasks:
            with Episode(package, task, max_steps=60) as episode:
                kinds.append(play_natively(client, episode))
    assert set(kinds) == {"success"}
    assert server.served.faults.total() > 3


def test_the_text_form_is_played_between_tags() -> None:
    package = lending()
    script = GoldScript([package], user=["scripted"])
    for task in package.tasks:
        with Episode(package, task) as episode:
            system, request = episode.reset()
            wire = [{**system, "content": with_tools(system["content"], episode.tools)}, request]
            while episode.outcome is None:
                text = script(Heard({"messages": wire}, ""))["content"]
                step = episode.step(read_text(text).message)
                results = [message for message in step.messages if message["role"] == "tool"]
                rest = [message for message in step.messages if message["role"] == "user"]
                wire.append({"role": "assistant", "content": text})
                wire += [{"role": "user", "content": results_text(results)}] if results else []
                wire += rest
            assert episode.outcome.kind == "success", task.id


def test_words_of_no_known_task_are_a_bad_request() -> None:
    with Loopback(GoldScript([lending()])) as server:
        body = {"messages": [{"role": "user", "content": "Who are you?"}], "tools": []}
        answer = httpx2.post(f"{server.url}/chat/completions", json=body)
    assert answer.status_code == 400
    assert "no task begins with these words" in answer.json()["error"]["message"]


def test_what_is_written_as_text_is_read_back() -> None:
    message = {
        "role": "assistant",
        "content": "Let me look.",
        "tool_calls": [{"name": "look", "arguments": {"at": "</tool_call> ü", "n": [1, {"x": None}]}}],
    }
    # A value that holds the closing tag cannot be told from the tag: it is unreadable, not misread.
    assert read_text(write_text(message)).problems
    message["tool_calls"][0]["arguments"]["at"] = "ü <b>"  # type: ignore[index]
    assert read_text(write_text(message)) == (message, ())
