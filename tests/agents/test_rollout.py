"""Rollouts over real HTTP: outcomes are typed, faults of the harness are no zeros, and nothing is played twice."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from envfactory_gym import Episode, load_package
from envfactory_gym.agents.rollout import Rollout, UserModel, rollout
from envfactory_gym.agents.scripted import GoldScript
from envfactory_gym.environment import TaskError
from envfactory_gym.episode import read_run
from envfactory_gym.episode.classify import classify
from envfactory_gym.llm import Budget, BudgetSpent, Cassette, Client, Retries, read_cassette
from envfactory_gym.llm.loopback import MODEL_FAULTS, Faults, Heard, Loopback
from tests.support import lending

QUICK = Retries(attempts=4, first=0.01)
PACKAGE = lending()


def names(result: Rollout) -> list[str]:
    return [call.tool for call in result.record.calls if call.actor == "agent"]


def scripted(*said: dict[str, Any]) -> Callable[[Heard], dict[str, Any]]:
    """A model that says one thing after another; the last one again and again."""

    def respond(heard: Heard) -> dict[str, Any]:
        spoken = sum(message["role"] == "assistant" for message in heard.request["messages"])
        return said[min(spoken, len(said) - 1)]

    return respond


async def one(responder: Any, task: str, *, faults: Faults | None = None, **options: Any) -> Rollout:
    async with Loopback(responder, faults=faults) as server, Client(server.url, timeout=0.5, retries=QUICK) as client:
        return await rollout(task, "m", client=client, package=PACKAGE, **options)


@pytest.mark.parametrize("form", ["native", "text"])
@pytest.mark.parametrize("user", ["scripted", "solo"])
async def test_gold_is_paid_for_every_task_in_every_form(form: Any, user: Any) -> None:
    tasks = [task for task in PACKAGE.tasks if user == "scripted" or task.solo]
    async with Loopback(GoldScript([PACKAGE])) as server, Client(server.url) as client:
        found = await asyncio.gather(
            *(rollout(task, "m", client=client, package=PACKAGE, form=form, user=user) for task in tasks)
        )
    assert [result.outcome.kind for result in found] == ["success"] * len(tasks)
    for result in found:
        assert result.record.agent_model is not None and result.record.agent_model.form == form
        assert result.record.agent_model.calls == len(result.exchanges) == result.outcome.steps
        assert not result.problems and result.reward_valid and result.reward == 1.0


async def test_a_task_is_named_by_its_environment_or_given_as_an_episode() -> None:
    package = load_package("airline")
    async with Loopback(GoldScript([package])) as server:
        by_name = await rollout("airline/cancel-cheaper-london", "m", server.url)
        with Episode(package, "cancel-cheaper-london", user="solo", max_steps=9) as episode:
            given = await rollout(episode, "m", server.url)
            assert episode.outcome == given.outcome
    assert by_name.outcome.success and given.outcome.success
    assert (by_name.record.user, given.record.user, given.record.max_steps) == ("scripted", "solo", 9)
    with pytest.raises(TaskError, match="airline/cancel-cheaper-london"):
        await rollout("cancel-cheaper-london", "m", "http://127.0.0.1:9/v1")
    with pytest.raises(ValueError, match="and not both"):
        await rollout("airline/cancel-cheaper-london", "m")


async def test_every_request_begins_with_the_bytes_of_the_one_before() -> None:
    for form in ("native", "text"):
        result = await one(GoldScript([PACKAGE]), PACKAGE.tasks[0].id, form=form)
        wires = [exchange.request["messages"] for exchange in result.exchanges]
        assert len(wires) > 2
        for before, after in pairwise(wires):
            assert json.dumps(after).startswith(json.dumps(before)[:-1])
        assert all("tools" not in exchange.request for exchange in result.exchanges) == (form == "text")


async def test_what_goes_over_the_wire_is_what_every_endpoint_takes() -> None:
    result = await one(GoldScript([PACKAGE]), PACKAGE.tasks[0].id, sampling={"temperature": 0.3, "logprobs": True})
    request = result.exchanges[-1].request
    assert (request["temperature"], request["logprobs"], request["tools"]) == (0.3, True, result.tools)
    for message in request["messages"]:
        if message["role"] == "tool":
            assert set(message) == {"role", "tool_call_id", "content"}
        for call in message.get("tool_calls", ()):
            assert isinstance(json.loads(call["function"]["arguments"]), dict)


# ---------------------------------------------------------------- faults


async def test_nothing_is_lost_or_doubled_at_five_percent_faults() -> None:
    tasks = [task for task in PACKAGE.tasks for _ in range(12)]
    faults = Faults(rate=0.05, seed=2, hang=0.2)
    script = GoldScript([PACKAGE], user=["scripted"])
    async with (
        Loopback(script, faults=faults) as server,
        Client(server.url, timeout=5.0, retries=Retries(attempts=6, first=0.01)) as client,
    ):
        found = await asyncio.gather(
            *(rollout(task, "m", client=client, package=PACKAGE, trial=n) for n, task in enumerate(tasks))
        )
    async with Loopback(script) as calm, Client(calm.url) as client:
        expected = {task.id: await rollout(task, "m", client=client, package=PACKAGE) for task in PACKAGE.tasks}
    assert server.served.faults.total() > 10
    for task, result in zip(tasks, found, strict=True):
        wanted = expected[task.id]
        assert result.outcome == wanted.outcome and result.record.digest == wanted.record.digest
        assert names(result) == names(wanted)
    answered = sum(len(result.exchanges) for result in found)
    assert server.served.answered == client.spent.calls + answered - sum(len(r.exchanges) for r in expected.values())
    assert sum(result.record.agent_model.retries for result in found if result.record.agent_model) == (
        server.served.faults.total()
    )


@pytest.mark.parametrize("kind", ["server_error", "drop", "bad_json", "hang", "rate_limit"])
async def test_an_endpoint_that_stays_broken_is_no_zero(kind: str) -> None:
    faults = Faults(rate=1.0, kinds=(kind,), most=99, hang=2.0)
    async with (
        Loopback(GoldScript([PACKAGE]), faults=faults) as server,
        Client(server.url, timeout=0.05, retries=Retries(attempts=2, first=0.01)) as client,
    ):
        result = await rollout(PACKAGE.tasks[0], "m", client=client, package=PACKAGE)
    assert (result.outcome.kind, result.reward_valid, result.reward) == ("infra", False, 0.0)
    assert result.error is not None and "failed 2 times" in result.outcome.reason


@pytest.mark.parametrize("kind", MODEL_FAULTS)
@pytest.mark.parametrize("form", ["native", "text"])
async def test_whatever_a_model_writes_is_played_once_and_counted(kind: str, form: Any) -> None:
    faults = Faults(rate=0.6, seed=1, kinds=(kind,), most=1)
    for task in PACKAGE.tasks[:4]:
        result = await one(GoldScript([PACKAGE]), task.id, faults=faults, form=form)
        assert result.reward_valid and result.outcome.kind in ("success", "failure", "out_of_steps")
        for exchange in result.exchanges:
            ids = [call["id"] for m in exchange.request["messages"] for call in m.get("tool_calls", ())]
            assert len(ids) == len(set(ids)) and all(ids)
            answered = [m["tool_call_id"] for m in exchange.request["messages"] if m["role"] == "tool"]
            assert answered == ids[: len(answered)]
    if kind in ("cut_off", "empty"):
        assert kind in result.problems or not faults._seen


async def test_calls_that_cannot_be_read_are_told_so_and_counted() -> None:
    spoilt = {"tool_calls": [{"name": "find_member", "arguments": '{"card": '}]}
    result = await one(scripted(spoilt, {"content": "Done."}), PACKAGE.tasks[0].id)
    assert result.problems == {"unparsable": 1}
    assert "error" in json.loads(next(m["content"] for m in result.messages if m["role"] == "tool"))
    tags = {"content": '<tool_call>{"name": "find_member"</tool_call>'}
    native = await one(scripted(tags, {"content": "Done."}), PACKAGE.tasks[0].id)
    assert native.problems["tags_in_text"] >= 1
    text = await one(scripted(tags, {"content": "Done."}), PACKAGE.tasks[0].id, form="text")
    assert text.problems == {"unparsable": 1} and text.record.calls[0].tool == "find_member"


async def test_a_conversation_that_outgrows_the_context_is_the_agents_doing() -> None:
    class Small(Loopback):
        async def _answer(self, *given: Any) -> bool:
            self.served.requests += 1
            if self.served.requests > 2:
                from envfactory_gym.llm.loopback.server import _error, _send

                return await _send(given[-1], 400, _error("maximum context length is 4096 tokens", "bad"))
            return await super()._answer(*given)

    looking = scripted({"tool_calls": [{"name": "list_items", "arguments": {}}]})
    async with Small(looking) as server, Client(server.url) as client:
        result = await rollout(PACKAGE.tasks[0], "m", client=client, package=PACKAGE)
    assert (result.outcome.kind, result.reward_valid) == ("out_of_steps", True)
    assert "maximum context length" in result.outcome.reason


async def test_a_wrong_key_is_the_harness_and_named() -> None:
    async with Loopback(scripted({"content": "Done."}), key="right") as server, Client(server.url) as client:
        result = await rollout(PACKAGE.tasks[0], "m", client=client, package=PACKAGE)
    assert (result.outcome.kind, result.reward_valid) == ("infra", False)
    assert "API key" in result.outcome.reason


async def test_steps_and_tokens_are_limited() -> None:
    again = scripted({"tool_calls": [{"name": "nothing", "arguments": {}}]})
    steps = await one(again, PACKAGE.tasks[0].id, max_steps=3)
    tokens = await one(again, PACKAGE.tasks[0].id, token_limit=1)
    assert (steps.outcome.kind, steps.outcome.steps) == ("out_of_steps", 3)
    assert (tokens.outcome.kind, tokens.outcome.steps) == ("out_of_steps", 1)
    assert "tokens were used" in tokens.outcome.reason


async def test_a_spent_budget_stops_the_rollout_and_what_was_paid_for_is_not_paid_again(tmp_path: Path) -> None:
    tape, task = tmp_path / "tape.jsonl", PACKAGE.tasks[0]
    async with Loopback(GoldScript([PACKAGE])) as server:
        with Cassette(tape) as cassette:
            async with Client(server.url, cassette=cassette, budget=Budget(calls=2)) as client:
                with pytest.raises(BudgetSpent):
                    await rollout(task, "m", client=client, package=PACKAGE)
        with Cassette(tape) as cassette:
            async with Client(server.url, cassette=cassette) as client:
                result = await rollout(task, "m", client=client, package=PACKAGE)
                assert client.spent.replayed == 2
        assert result.outcome.success and server.served.answered == len(result.exchanges)
    assert [exchange.request for exchange in read_cassette(tape)] == [e.request for e in result.exchanges]


async def test_a_rollout_that_is_cancelled_gives_its_world_back() -> None:
    async with Loopback(scripted({"content": "Done."}), delay=30.0) as server, Client(server.url) as client:
        with Episode(PACKAGE, PACKAGE.tasks[0]) as episode:
            playing = asyncio.create_task(rollout(episode, "m", client=client))
            await asyncio.sleep(0.05)
            playing.cancel()
            with pytest.raises(asyncio.CancelledError):
                await playing
            assert not episode.over and episode.steps == 0
            assert episode.reset()


async def test_records_are_lines_of_the_run_format(tmp_path: Path) -> None:
    result = await one(GoldScript([PACKAGE]), PACKAGE.tasks[0].id, trial=3)
    file = tmp_path / "RUN.jsonl"
    file.write_text(result.record.line())
    assert list(read_run(file)) == [result.record]
    assert (result.record.trial, result.record.agent, result.record.max_steps) == (3, "m", 30)


# ---------------------------------------------------------------- a model as user


def agreeable(heard: Heard) -> dict[str, Any]:
    """A user that follows its brief: reads facts and wish from it, and judges by words alone."""
    system, *talk = heard.request["messages"]
    facts = [line.removeprefix("You know: ") for line in system["content"].splitlines() if line.startswith("You know:")]
    asked = [word for fact in facts for word in fact.lower().split() if len(word) > 3]
    slots = {str(n): tuple(w for w in fact.lower().split() if len(w) > 3) for n, fact in enumerate(facts)}
    move = classify(talk[-1]["content"], slots=slots, rules={})
    if move.kind == "asks":
        words = " ".join(facts[int(name)] for name in move.slots) or "I don't know that."
        return {"content": json.dumps({"finished": False, "agrees": False, "says": words})}
    if move.kind == "asks_confirmation":
        return {
            "content": "```json\n" + json.dumps({"finished": False, "agrees": True, "says": "Yes, please."}) + "```"
        }
    return {"content": json.dumps({"finished": True, "agrees": False, "says": ""}), "asked": asked}


async def with_user(user: Any, agent: Any, task: str) -> Rollout:
    async with (
        Loopback(user) as users,
        Loopback(agent) as agents,
        Client(users.url) as own,
        Client(agents.url) as client,
    ):
        return await rollout(task, "m", client=client, package=PACKAGE, user=UserModel(own, "u"))


async def test_gold_is_paid_with_a_model_as_user_and_its_replies_are_kept() -> None:
    kinds = {}
    for task in PACKAGE.tasks:
        result = await with_user(agreeable, GoldScript([PACKAGE]), task.id)
        kinds[task.id] = result.outcome.kind
        assert result.record.user == "model" and len(result.record.replies) == result.outcome.steps
        assert result.record.user_model is not None
        assert result.record.user_model.calls == len(result.user_exchanges)
    assert set(kinds.values()) == {"success"}, kinds


async def test_a_user_is_shown_its_own_side_only() -> None:
    task = PACKAGE.tasks[0]
    result = await with_user(agreeable, GoldScript([PACKAGE]), task.id)
    shown = json.dumps([exchange.request for exchange in result.user_exchanges])
    assert result.user_exchanges and task.turns[0].request in result.user_exchanges[0].request["messages"][0]["content"]
    results = [m["content"] for m in result.messages if m["role"] == "tool"]
    assert results and not any(json.dumps(text)[1:-1] in shown for text in results)
    assert "tool_calls" not in shown and PACKAGE.policy.text.strip()[:40] not in shown


@pytest.mark.parametrize(
    ("says", "why"),
    [
        ("I am not sure what you mean", "no JSON object"),
        ('{"finished": false, "agrees": false, "says": ""}', "says nothing"),
        ('{"finished": false, "agrees": false, "says": "It is Z-99812."}', "does not know Z-99812"),
        ('{"finished": false, "says": 5}', "no JSON object"),
    ],
)
async def test_a_user_that_cannot_be_used_is_a_user_error_and_no_zero(says: str, why: str) -> None:
    ask = scripted({"content": "Could you tell me your name?"})
    result = await with_user(lambda heard: {"content": says}, ask, PACKAGE.tasks[0].id)
    assert (result.outcome.kind, result.reward_valid) == ("user_error", False)
    assert why in result.outcome.reason and "failed 2 times" in result.outcome.reason
    assert len(result.user_exchanges) == 2


async def test_a_user_may_name_what_it_knows_and_what_the_agent_said() -> None:
    says = "My order is 5? No, ABC-1."
    user = scripted({"content": json.dumps({"finished": False, "agrees": False, "says": says})})
    ask = scripted({"content": "Is it ABC-1 or number 5?"}, {"tool_calls": [{"name": "x", "arguments": {}}]})
    result = await with_user(user, ask, PACKAGE.tasks[0].id)
    assert result.messages[3] == {"role": "user", "content": says}


async def test_user_and_form_go_together() -> None:
    async with Client("http://127.0.0.1:9/v1") as client:
        with pytest.raises(ValueError, match="needs a UserModel"):
            await rollout(PACKAGE.tasks[0], "m", client=client, package=PACKAGE, user="model")
