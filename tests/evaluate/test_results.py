"""What a run says: why episodes failed, the same again without the model, and how two runs differ."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from envfactory_gym import Episode
from envfactory_gym.agents import StatedAgent, gold_messages, play
from envfactory_gym.agents.rollout import UserModel, rollout
from envfactory_gym.environment import Package, TaskError
from envfactory_gym.episode import ModelUse, RunRecord, record
from envfactory_gym.evaluate import FAILURES, compare, failure_of, rescore, summarise
from envfactory_gym.llm import Client
from envfactory_gym.llm.loopback import Loopback
from tests.agents.test_rollout import agreeable
from tests.evaluate.playing import GOLD, NOTHING, PACKAGE, moody, run_agents, run_model
from tests.support import copy_of_lending

Message = dict[str, Any]
DONE: Message = {"role": "assistant", "content": "Done."}


def played(task: str, change: Callable[[list[Message]], list[Message]], **options: Any) -> RunRecord:
    """The record of gold with a change."""
    with Episode(PACKAGE, task, **options) as episode:
        episode.reset()
        for message in change(gold_messages(episode)):
            if episode.step(message).outcome is not None:
                break
        else:
            while episode.step(DONE).outcome is None:
                pass
        return record(episode, "a")


def calling(messages: list[Message], tool: str, **arguments: Any) -> list[Message]:
    """Gold with another value in the calls of a tool."""
    changed = []
    for message in messages:
        calls = [
            {**call, "arguments": {**call["arguments"], **arguments}} if call["name"] == tool else call
            for call in message.get("tool_calls", ())
        ]
        changed.append({**message, **({"tool_calls": calls} if calls else {})})
    return changed


def without(messages: list[Message], tool: str) -> list[Message]:
    """Gold without the messages that call a tool."""
    return [m for m in messages if tool not in [call["name"] for call in m.get("tool_calls", ())]]


def test_failures_are_named_by_what_is_wrong() -> None:
    returning, asking, refusing = "return-sander", "due-drill-then-extend", "extend-tent-twice"
    found = {
        "success": failure_of(played(returning, lambda gold: gold)),
        "gave up": failure_of(played(returning, lambda gold: [DONE])),
        "missing write": failure_of(played(returning, lambda gold: without(gold, "return_item"))),
        "missing answer": failure_of(played(asking, lambda gold: [{**m, "content": "I looked."} if not m.get("tool_calls")
                                     and "?" not in m["content"] else m for m in gold])),
        "policy": failure_of(played(refusing, lambda gold: without(gold, "decline_request"))),
        "out of steps": failure_of(played(returning, lambda gold: gold, max_steps=1)),
    }  # fmt: skip
    assert found == {"success": None, **{name: name for name in found if name != "success"}}
    assert set(found) - {"success"} <= set(FAILURES)


def test_other_rows_and_more_than_was_wanted_are_told_apart() -> None:
    with Episode(PACKAGE, "return-sander") as episode:
        episode.reset()
        calls = [call for message in gold_messages(episode) for call in message.get("tool_calls", ())]
        ((name, key),) = next(call["arguments"] for call in calls if call["name"] == "return_item").items()
        others = [row["loan_id"] for row in episode.world.rows("SELECT loan_id FROM loans") if row["loan_id"] != key]
        other = next(each for each in others if _succeeds(episode, "return_item", {name: each}))
    also = {"tool_calls": [{"name": "return_item", "arguments": {name: other}}]}
    elsewhere = played("return-sander", lambda gold: calling(gold, "return_item", **{name: other}))
    more = played("return-sander", lambda gold: [*gold[:-1], also, gold[-1]])
    assert (failure_of(elsewhere), failure_of(more)) == ("wrong row", "collateral")


def _succeeds(episode: Episode, tool: str, arguments: dict[str, Any]) -> bool:
    with episode.trial():
        return (
            "error" not in episode.step({"tool_calls": [{"name": tool, "arguments": arguments}]}).messages[0]["content"]
        )


def test_what_is_missing_after_broken_messages_is_a_matter_of_format() -> None:
    lazy = played("return-sander", lambda gold: [DONE])
    broken = lazy.model_copy(update={"agent_model": ModelUse(model="m", problems={"cut_off": 1})})
    fine = lazy.model_copy(update={"agent_model": ModelUse(model="m", problems={})})
    assert (failure_of(broken), failure_of(fine)) == ("format", "gave up")


def test_what_the_harness_did_is_not_the_agents_failure() -> None:
    for kind, word in (("infra", "infra"), ("user_error", "user")):
        with Episode(PACKAGE, "return-sander") as episode:
            episode.reset()
            episode.abort(kind, "it broke")  # type: ignore[arg-type]
            row = record(episode, "a")
        assert failure_of(row) == word
        assert summarise([row])[0]["pass_1"]["value"] is None


async def test_a_summary_breaks_a_run_down_and_counts_what_was_used(tmp_path: Path) -> None:
    async with Loopback(moody()) as server:
        records, _ = await run_model(server, tmp_path / "RUN.jsonl", k=4)
    row = summarise(records, pairs={"extend-tent-twice": "extend-tent-once"})[0]
    passed = sum(r.outcome.success for r in records if r.outcome)
    assert (row["tasks"], row["episodes"], row["valid"]) == (5, 20, 20)
    assert row["pass_1"]["value"] == pytest.approx(passed / 20) == row["pass_k"]["1"]["value"]
    rates = [row["pass_k"][str(k)]["value"] for k in range(1, 5)]
    assert rates == sorted(rates, reverse=True) and rates[0] > rates[3]
    assert sum(row["failures"].values()) == 20 - passed
    assert sum(group["episodes"] for group in row["by"]["turns"].values()) == 20
    assert set(row["by"]["environment"]) == {"lending-v0"}
    assert 0.0 <= row["pairs"] <= 1.0
    assert row["usage"]["calls"] == sum(r.agent_model.calls for r in records if r.agent_model)


def test_an_agent_that_uses_stated_arguments_only_solves_what_needs_no_lookup() -> None:
    kinds = {}
    for task in PACKAGE.tasks:
        with Episode(PACKAGE, task) as episode:
            play(episode, StatedAgent(episode))
            kinds[task.id] = episode.outcome.kind if episode.outcome else None
            made = {call.tool for call in episode.calls if call.error is None}
            assert not made & {"return_item"}  # which loan it is stands in a result
    assert kinds["return-sander"] == "failure" and kinds["extend-tent-twice"] == "success"


# ---------------------------------------------------------------- again, without the model


async def test_a_run_is_rescored_without_the_model(tmp_path: Path) -> None:
    async with Loopback(moody()) as server:
        records, _ = await run_model(server, tmp_path / "RUN.jsonl")
    found = list(rescore(iter(records), lambda name: PACKAGE))
    assert [one.record for one in found] == records
    assert all(one.same for one in found) and {one.renewed.agent for one in found} == {"m"}


async def test_a_record_that_was_changed_is_found(tmp_path: Path) -> None:
    good, bad = await run_agents(tmp_path / "RUN.jsonl", GOLD), await run_agents(tmp_path / "B.jsonl", NOTHING)
    by_task = {row.task: row for row in bad}
    lied = [row.model_copy(update={"outcome": row.outcome, "messages": by_task[row.task].messages}) for row in good]
    for one in rescore(iter(lied), lambda name: PACKAGE):
        assert not one.same and one.outcome is not None and not one.outcome.success
        assert one.renewed.outcome == one.outcome


async def test_replies_of_a_user_that_was_a_model_are_replayed() -> None:
    async with Loopback(agreeable) as users, Client(users.url) as client, Loopback(moody(1.0)) as server:
        for task in PACKAGE.tasks:
            async with Client(server.url) as own:
                result = await rollout(task, "m", client=own, package=PACKAGE, user=UserModel(client, "u"))
            (again,) = rescore(iter([result.record]), lambda name: PACKAGE)
            assert again.same and result.outcome.success


def test_episodes_that_somebody_ended_end_the_same_way() -> None:
    rows = []
    for kind in ("infra", "user_error", "stop"):
        with Episode(PACKAGE, "return-sander", max_result=300) as episode:
            episode.reset()
            episode.step({"tool_calls": [{"name": "list_loans", "arguments": {"member_id": "M-101"}}]})
            episode.stop("full") if kind == "stop" else episode.abort(kind, "broke")  # type: ignore[arg-type]
            rows.append(record(episode, "a"))
    assert all(one.same for one in rescore(iter(rows), lambda name: PACKAGE))


def test_an_environment_that_changed_is_told(tmp_path: Path) -> None:
    row = played("return-sander", lambda gold: gold)
    folder = copy_of_lending(tmp_path, ("policy.md", "#", "# New:"))
    (found,) = rescore(iter([row]), lambda name: Package.load(folder, trusted=True))
    assert found.outcome is None and not found.same and "changed" in (found.problem or "")
    assert found.renewed == row


# ---------------------------------------------------------------- two runs


async def test_two_runs_are_compared_on_the_tasks_they_share(tmp_path: Path) -> None:
    good, bad = await run_agents(tmp_path / "A.jsonl", GOLD), await run_agents(tmp_path / "B.jsonl", NOTHING)
    found = compare(bad, good[1:])
    assert (found.tasks, found.left_out, found.first.value, found.second.value) == (4, 1, 0.0, 1.0)
    assert (found.difference.value, found.difference.p) == (1.0, 2 / 2**4)
    assert len(found.gained) == 4 and not found.lost and found.test.startswith("McNemar")
    assert found.settings == ()
    with pytest.raises(TaskError, match="no task in common"):
        compare(good[:1], bad[1:])


async def test_runs_that_were_not_played_alike_are_told(tmp_path: Path) -> None:
    one = played("return-sander", lambda gold: gold)
    other = played("return-sander", lambda gold: gold, max_steps=9)
    old = other.model_copy(update={"world_hash": "x"})
    assert compare([one], [other]).settings == ("max_steps: 30 / 9",)
    assert "EnvFactory/lending-v0 was another version" in compare([one], [old]).settings
