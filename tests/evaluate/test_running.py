"""A run goes on where it stopped: nothing is played twice, nothing paid twice, and what broke is no zero."""

from __future__ import annotations

import asyncio
import itertools
from pathlib import Path

import pytest

from envfactory_gym.environment import PackageError, TaskError
from envfactory_gym.episode import read_run
from envfactory_gym.evaluate import Item, RunFile, RunStopped, choose, evaluate, exchanges_path, items, summarise
from envfactory_gym.evaluate.plan import key_of
from envfactory_gym.llm import Budget, RequestRefused, read_cassette
from envfactory_gym.llm.loopback import Faults, Loopback
from tests.evaluate.playing import GOLD, PACKAGE, SETTINGS, moody, plan, run_agents, run_model


async def test_every_episode_is_played_once_and_is_in_the_file(tmp_path: Path) -> None:
    out = tmp_path / "RUN.jsonl"
    told = []
    async with Loopback(moody()) as server:
        records, client = await run_model(server, out, on_record=told.append)
    assert list(read_run(out)) == records == told
    assert {key_of(record) for record in records} == {(*item.key, "m") for item in plan()}
    assert len(records) == len(plan())
    # Every answer of the server is in the cassette, and every one in the cassette in a record.
    assert len(list(read_cassette(exchanges_path(out)))) == server.served.answered == client.spent.calls
    assert sum(record.agent_model.calls for record in records if record.agent_model) == client.spent.calls


async def test_a_run_that_was_stopped_goes_on_and_pays_for_nothing_twice(tmp_path: Path) -> None:
    out = tmp_path / "RUN.jsonl"
    async with Loopback(moody()) as server:
        whole, _ = await run_model(server, tmp_path / "whole.jsonl")
        needed = server.served.answered
    async with Loopback(moody()) as server:
        stops = 0
        while True:
            try:
                records, _ = await run_model(server, out, budget=Budget(calls=7))
                break
            except RunStopped as stopped:
                assert "budget of 7 calls" in str(stopped)
                stops += 1
        assert stops >= 2 and server.served.answered == needed
        again, client = await run_model(server, out)
        assert (client.spent.calls, server.served.answered) == (0, needed)
    assert again == records and {r.digest for r in whole} == {r.digest for r in records}
    assert {key_of(r): r.outcome for r in whole} == {key_of(r): r.outcome for r in records}


async def test_more_trials_can_be_added(tmp_path: Path) -> None:
    out = tmp_path / "RUN.jsonl"
    async with Loopback(moody()) as server:
        first, _ = await run_model(server, out, k=1)
        more, _ = await run_model(server, out, k=3)
    assert more[: len(first)] == first and len(more) == 3 * len(first)


async def test_what_the_harness_spoilt_is_in_no_rate_and_played_again(tmp_path: Path) -> None:
    out = tmp_path / "RUN.jsonl"
    faults = Faults(rate=0.25, seed=4, kinds=("server_error",), most=99)
    async with Loopback(moody(1.0), faults=faults) as server:
        records, _ = await run_model(server, out, attempts=1)
        spoilt = [r for r in records if r.outcome is not None and not r.outcome.reward_valid]
        answered = server.served.answered
    row = summarise(records)[0]
    assert 0 < len(spoilt) < len(records)
    assert row["failures"] == {"infra": len(spoilt)}
    assert (row["pass_1"]["value"], row["valid"]) == (1.0, len(records) - len(spoilt))
    async with Loopback(moody(1.0)) as calm:
        again, client = await run_model(calm, out)
    assert len(again) == len(records) and len(list(read_run(out))) == len(records)
    assert all(record.outcome is not None and record.outcome.success for record in again)
    # What the spoilt episodes had got before they broke was paid for, and came from the cassette.
    assert client.spent.replayed > 0
    assert answered + calm.served.answered == len(list(read_cassette(exchanges_path(out))))


async def test_an_endpoint_that_answers_nobody_stops_the_run(tmp_path: Path) -> None:
    faults = Faults(rate=1.0, kinds=("server_error",), most=10**6)
    async with Loopback(moody(), faults=faults) as server:
        with pytest.raises(RunStopped, match="20 episodes in a row"):
            await run_model(server, tmp_path / "RUN.jsonl", k=40, attempts=1, concurrency=1)


async def test_a_wrong_key_stops_the_run_at_once_and_leaves_no_record(tmp_path: Path) -> None:
    out = tmp_path / "RUN.jsonl"
    async with Loopback(moody(), key="right") as server:
        with pytest.raises(RequestRefused, match="401"):
            await run_model(server, out)
    assert list(read_run(out)) == []


# ---------------------------------------------------------------- the file


async def test_half_a_line_is_cut_off_and_its_episode_played_again(tmp_path: Path) -> None:
    out = tmp_path / "RUN.jsonl"
    records = await run_agents(out)
    out.write_bytes(out.read_bytes()[:-30])
    again = await run_agents(out)
    assert [key_of(record) for record in again] == [key_of(record) for record in records]
    assert len(list(read_run(out))) == len(records)


async def test_other_settings_are_refused_and_named(tmp_path: Path) -> None:
    out = tmp_path / "RUN.jsonl"
    await run_agents(out)
    with pytest.raises(PackageError, match="user was 'scripted' and is 'solo'"):
        RunFile(out, {"user": "solo"})
    with pytest.raises(PackageError, match="temperature was None and is 1"):
        RunFile(out, {**SETTINGS, "temperature": 1})


def test_a_file_of_something_else_is_left_alone(tmp_path: Path) -> None:
    out = tmp_path / "RUN.jsonl"
    out.write_text("my thesis\n")
    with pytest.raises(PackageError, match="was not written by `envfactory eval`"):
        RunFile(out, SETTINGS)
    assert out.read_text() == "my thesis\n"


async def test_a_run_is_written_by_one_command_at_a_time(tmp_path: Path) -> None:
    out = tmp_path / "RUN.jsonl"
    records = await run_agents(out)
    assert records[0].outcome is not None
    broken = records[0].outcome.model_copy(update={"kind": "infra", "reward_valid": False})
    spoilt = records[0].model_copy(update={"outcome": broken})
    out.write_text("".join(record.line() for record in (spoilt, *records[1:])))
    with RunFile(out, SETTINGS) as first:  # a spoilt episode is taken out: another file in its place
        assert len(first.records) == len(records) - 1
        for _ in range(2):
            with pytest.raises(PackageError, match="another command is writing this file"):
                RunFile(out, SETTINGS)
        first.add(records[0])
    with RunFile(out, SETTINGS) as second:
        assert len(second.records) == len(records)


async def test_episodes_of_another_version_are_not_gone_on_with(tmp_path: Path) -> None:
    out = tmp_path / "RUN.jsonl"
    records = await run_agents(out)
    out.write_text("".join(record.model_copy(update={"rules_hash": "0" * 32}).line() for record in records))
    with pytest.raises(PackageError, match=r"EnvFactory/lending-v0 changed since this run began"):
        await run_agents(out)


async def test_a_task_that_cannot_be_played_stops_the_run_and_is_named(tmp_path: Path) -> None:
    task = PACKAGE.task("return-sander").model_copy(update={"world_hash": "0" * 32})
    with RunFile(tmp_path / "RUN.jsonl", SETTINGS) as file, pytest.raises(TaskError, match="return-sander"):
        await evaluate([Item(PACKAGE, task, 0)], [GOLD], file)


def test_a_folder_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(PackageError, match="this is a folder"):
        RunFile(tmp_path, SETTINGS)


# ---------------------------------------------------------------- the plan


def test_a_larger_draw_contains_every_smaller_one() -> None:
    drawn = [[task.id for _, task in choose([PACKAGE], tasks=n, seed=3)] for n in range(1, 6)]
    assert all(after[: len(before)] == before for before, after in itertools.pairwise(drawn))
    assert {tuple(task.id for _, task in choose([PACKAGE], seed=seed)) for seed in range(9)} != {tuple(drawn[-1])}


def test_a_plan_sees_every_task_before_it_sees_one_twice() -> None:
    order = [item.task.id for item in items(choose([PACKAGE]), 2)]
    assert len(set(order[:5])) == 5 and order[:5] == order[5:]


def test_tasks_are_chosen_by_split_and_name_and_what_does_not_fit_is_told() -> None:
    assert {task.split for _, task in choose([PACKAGE], split="dev")} == {"dev"}
    assert [task.id for _, task in choose([PACKAGE], names=["return-sander"])] == ["return-sander"]
    with pytest.raises(TaskError, match="no task 'nothing'"):
        choose([PACKAGE], names=["nothing"])
    with pytest.raises(TaskError, match="no task of the split test"):
        choose([PACKAGE], split="test", names=["return-sander"])


async def test_an_answer_on_its_way_is_kept_when_a_run_is_interrupted(tmp_path: Path) -> None:
    out = tmp_path / "RUN.jsonl"
    async with Loopback(moody(), delay=0.05) as server:
        running = asyncio.create_task(run_model(server, out))
        while server.served.answered < 5:
            await asyncio.sleep(0.01)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        kept = len(list(read_cassette(exchanges_path(out))))
        assert kept == server.served.answered > 4
        records, client = await run_model(server, out)
    assert client.spent.calls + kept == server.served.answered
    assert len(records) == len(plan())
