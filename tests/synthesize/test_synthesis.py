"""Synthesis as a whole: what comes out is certified, the same every time, kept apart by splits, and says what it should."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from itertools import islice
from pathlib import Path

import pytest
from typer.testing import CliRunner

from envfactory_gym.agents import GoldAgent, NoOpAgent, play
from envfactory_gym.cli.app import app
from envfactory_gym.environment import Package, TaskPrivate, load_bundle, load_package
from envfactory_gym.environment.task import Said
from envfactory_gym.episode import Episode, read_run
from envfactory_gym.llm import Client
from envfactory_gym.llm.loopback import Loopback
from envfactory_gym.synthesize.difficulty import parts
from envfactory_gym.synthesize.maker import TaskMaker
from envfactory_gym.synthesize.pipeline import Recipe, Yield, certified, chains_of, maker_of, synthesise
from envfactory_gym.synthesize.reworded import literals, reword
from envfactory_gym.synthesize.trajectories import trajectories
from envfactory_gym.synthesize.turns import BELIEFS, Rejected
from envfactory_gym.verify.certificate import certify
from envfactory_gym.verify.replay import forms

RECIPE = Recipe(("airline",), 3, "hard")
OTHERWISE = ("If that is not possible,", "If that doesn't work,", "Failing that,", "Otherwise,")
MEDIUM = Recipe(("airline",), 3, "medium")


@pytest.fixture(scope="module")
def package() -> Package:
    return load_package("airline")


@pytest.fixture(scope="module")
def made(package: Package) -> tuple[list[TaskPrivate], Yield]:
    figures = Yield()
    return list(synthesise(package, chains_of(package, MEDIUM), MEDIUM, 14, figures=figures)), figures


def test_every_task_that_comes_out_carries_a_certificate_that_holds_again(
    package: Package, made: tuple[list[TaskPrivate], Yield]
) -> None:
    for task in made[0][:6]:
        assert task.certificate is not None
        assert set(task.certificate) == set(forms(task))
        assert all(certify(package, task, form).passed for form in forms(task))


@pytest.mark.parametrize("name", ["airline", "crm"])
def test_nothing_is_met_in_two_splits_and_levels_are_those_aimed_at(name: str) -> None:
    recipe, figures = Recipe((name,), 9, "hard"), Yield()
    package = load_package(name)
    tasks = list(synthesise(package, chains_of(package, recipe), recipe, 25, figures=figures))
    assert figures.leaks == []
    assert len({task.split for task in tasks}) > 1
    assert sum(task.difficulty == "easy" for task in tasks) <= 2  # a twin comes with the other, whatever its level


def test_people_believe_wrong_things_and_say_what_to_do_otherwise(package: Package) -> None:
    """Both are worded by the script alone: what is graded does not know of them."""
    recipe = Recipe(("crm",), 3, "hard")
    crm = load_package("crm")
    requests = [
        turn.request
        for source, recipe in ((crm, recipe), (package, Recipe(("airline",), 9, "hard")))
        for task in synthesise(source, chains_of(source, recipe), recipe, 20)
        for turn in task.turns
    ]
    assert any(belief in request for belief in BELIEFS for request in requests)
    assert any(otherwise in request for otherwise in OTHERWISE for request in requests)


def test_no_row_is_to_be_given_a_value_that_it_has() -> None:
    recipe, crm = Recipe(("crm",), 3, "medium"), load_package("crm")
    maker = maker_of(crm, recipe)
    for number, chain in enumerate(islice(chains_of(crm, recipe), 30)):
        with suppress(Rejected):
            task = maker.make(chain, number).task
            for call in (call for turn in task.turns for step in turn.gold for call in step.calls):
                tool = crm.tools[call.tool]
                if call.tool.startswith("update_"):
                    table, (key, *_) = tool.writes[0], call.arguments.values()
                    row = next(row for row in crm.rows(table) if row["id"] == key)
                    changed = {name: value for name, value in list(call.arguments.items())[1:] if name in row}
                    assert all(row[name] != value for name, value in changed.items()), task.id


def test_a_tool_that_needs_a_list_gets_that_of_a_row_that_has_one() -> None:
    recipe, crm = Recipe(("crm",), 0, "medium"), load_package("crm")
    maker = maker_of(crm, recipe)
    asking = [chain for chain in islice(chains_of(crm, recipe), 60) if "create_user" in chain.tools]
    made = []
    for number, chain in enumerate(asking):
        with suppress(Rejected):
            made.append(maker.make(chain, number).task)
    calls = [call for task in made for turn in task.turns for step in turn.gold for call in step.calls]
    assert any(call.tool == "create_user" and call.arguments["emails"] for call in calls)


def test_most_chains_become_tasks(made: tuple[list[TaskPrivate], Yield]) -> None:
    figures = made[1]
    assert figures.became / figures.chains >= 0.7


def test_gold_wins_within_the_default_limit_of_steps_and_doing_nothing_does_not(
    package: Package, made: tuple[list[TaskPrivate], Yield]
) -> None:
    for task in made[0]:
        for agent, wins in ((GoldAgent, True), (lambda _: NoOpAgent(), False)):
            with Episode(package, task) as episode:
                outcome = play(episode, agent(episode)).outcome
                assert outcome is not None and outcome.success is wins, (task.id, outcome)


def test_what_a_source_quotes_stands_in_the_request(made: tuple[list[TaskPrivate], Yield]) -> None:
    for task in made[0]:
        for turn in task.turns:
            for source in (one for call in turn.goal.calls for one in call.arguments.values()):
                for part in parts(source):
                    if isinstance(part, Said):
                        assert part.span in task.turns[part.turn].request


def test_requests_name_no_tool_and_no_column(package: Package, made: tuple[list[TaskPrivate], Yield]) -> None:
    columns = {name for table in package.schema.tables.values() for name in table.names if "_" in name}
    for task in made[0]:
        for turn in task.turns:
            assert not [name for name in (*package.tools, *columns) if "_" in name and name in turn.request]


def test_twins_share_words_and_split_and_differ_in_what_is_right(package: Package) -> None:
    maker = TaskMaker(package, seed=1)
    twins = maker.twins(maker.boundaries.rules(), 0, 0)
    assert twins is not None and twins.twin is not None
    declined, done = twins.task, twins.twin.task
    assert [turn.request for turn in declined.turns] == [turn.request for turn in done.turns]
    assert (declined.twin, done.twin, declined.split) == (done.id, declined.id, done.split)
    assert declined.turns[0].goal.decline and not done.turns[0].goal.decline
    assert declined.setup != done.setup
    assert certified(maker, twins)[1] == []


def test_no_person_and_no_row_is_met_in_two_splits(package: Package) -> None:
    maker = maker_of(package, RECIPE)
    met: dict[str, set[str]] = {}
    for number, chain in enumerate(islice(chains_of(package, RECIPE), 40)):
        try:
            task = maker.make(chain, number).task
        except Rejected:
            continue
        for slot in task.user.slots:
            met.setdefault(f"{slot.name} {slot.value}", set()).add(task.split)
    assert len(met) > 20
    assert [who for who, splits in met.items() if len(splits) > 1] == []


def test_the_same_seed_gives_the_same_bytes_with_any_number_of_processes(tmp_path: Path) -> None:
    texts = []
    for jobs in ("1", "2"):
        out = tmp_path / f"{jobs}.jsonl"
        done = run("synth", "airline", "--count", "6", "--hard", "--seed", "5", "--jobs", jobs, "--out", str(out))
        assert done.returncode == 0, done.stderr
        texts.append(out.read_bytes())
    assert texts[0] == texts[1]


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "envfactory_gym.cli", *arguments],
        capture_output=True, text=True, check=False, timeout=240,
        env={**os.environ, "PYTHONHASHSEED": "7", **environment},
    )  # fmt: skip


def test_an_interrupted_synthesis_goes_on_where_it_was(tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    command = ["synth", "airline", "--count", "8", "--seed", "2", "--jobs", "1", "--out"]
    assert run(*command, str(whole)).returncode == 0
    begun = subprocess.Popen(
        [sys.executable, "-m", "envfactory_gym.cli", *command, str(cut)], stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )  # fmt: skip
    part = tmp_path / "cut.jsonl.airline.part"
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and (not part.exists() or len(part.read_text().splitlines()) < 3):
        time.sleep(0.05)
    begun.send_signal(signal.SIGINT)
    assert begun.wait(timeout=60) != 0
    kept = part.read_text().splitlines()
    assert len(kept) >= 3 and not cut.exists()
    done = run(*command, str(cut))
    assert done.returncode == 0, done.stderr
    assert cut.read_bytes() == whole.read_bytes()
    assert not part.exists()


def test_tasks_can_span_environments() -> None:
    recipe = Recipe(("airline", "crm"), 1, "medium")
    bundle = load_bundle(["airline", "crm"])
    tasks = list(synthesise(bundle, chains_of(bundle, recipe), recipe, 2))
    for task in tasks:
        tools = {call.tool.partition("__")[0] for turn in task.turns for call in turn.goal.calls}
        assert tools == {"airline", "crm"}
        assert task.environments == ("EnvFactory/airline-v0", "EnvFactory/crm-v0")


# ---------------------------------------------------------------- trajectories


@pytest.mark.parametrize("recovery", [0.0, 1.0])
def test_trajectories_succeed_with_and_without_a_slip(
    recovery: float, package: Package, made: tuple[list[TaskPrivate], Yield]
) -> None:
    records = list(trajectories(package, made[0], recovery=recovery))
    assert len(records) == len(made[0])
    assert all(record.outcome is not None and record.outcome.success for record in records)
    slips = [record for record in records if any(call.error for call in record.calls)]
    assert bool(slips) == bool(recovery)


def test_the_command_writes_trajectories_that_can_be_read(tmp_path: Path) -> None:
    out, gold = tmp_path / "t.jsonl", tmp_path / "gold" / "RUN.jsonl"
    arguments = ["synth", "crm", "--easy", "--count", "4", "--jobs", "1", "--json", "--out", str(out)]
    done = CliRunner().invoke(app, [*arguments, "--trajectories", str(gold)])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["tasks"] == len(out.read_text().splitlines()) == len(list(read_run(gold)))
    assert told["tables"] and told["links"] is not None and told["splits"]


# ---------------------------------------------------------------- a model's words


async def reworded(package: Package, tasks: list[TaskPrivate], say: object) -> tuple[list[TaskPrivate], Counter[str]]:
    outcomes: Counter[str] = Counter()
    async with Loopback(say) as server, Client(server.url) as client:  # type: ignore[arg-type]
        candidates = TaskMaker(package).candidates
        return await reword(package, tasks, client, "m", candidates, outcomes), outcomes


def asked(heard: object) -> str:
    return str(heard.request["messages"][-1]["content"])  # type: ignore[attr-defined]


async def test_good_words_of_a_model_are_kept_and_certified(
    package: Package, made: tuple[list[TaskPrivate], Yield]
) -> None:
    tasks = [task for task in made[0] if task.twin is None][:2]
    kept, outcomes = await reworded(package, tasks, lambda heard: {"content": f"{asked(heard)} many thanks to you"})
    assert outcomes["reworded"] == len(tasks), outcomes
    assert all(task.wording == "model" and "many thanks to you" in task.turns[0].request for task in kept)
    assert all(certify(package, task, form).passed for task in kept for form in forms(task))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text, spans: text.replace(spans[0], "something") if spans else "",
        lambda text, spans: f"{text} That makes 4711 in all.",
        lambda text, spans: f"{text} Use cancel_reservation.",
        lambda text, spans: "I'm sorry, but I can't help with that.",
        lambda text, spans: "",
    ],
    ids=["a span dropped", "a number added", "a tool named", "refused", "empty"],
)
async def test_bad_words_of_a_model_leave_the_script_s(
    spoil: object, package: Package, made: tuple[list[TaskPrivate], Yield]
) -> None:
    task = next(task for task in made[0] if task.twin is None and literals(task, 0))
    spans = literals(task, 0)
    kept, outcomes = await reworded(package, [task], lambda heard: {"content": spoil(asked(heard), spans)})  # type: ignore[operator]
    assert kept == [task]
    assert not outcomes["reworded"] and sum(outcomes.values()) >= 1


# ---------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["synth", "airline", "--easy", "--hard", "--out", "x.jsonl"], "choose one"),
        (["synth", "airline", "--across", "--out", "x.jsonl"], "at least two"),
        (["synth", "nowhere", "--out", "x.jsonl"], "nowhere"),
    ],
)
def test_a_mistake_is_told(arguments: list[str], says: str) -> None:
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 2
    assert says in done.output
