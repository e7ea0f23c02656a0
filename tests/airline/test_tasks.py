"""The airline's tasks: written by their script, solvable as their gold says, and not solvable by doing nothing."""

from __future__ import annotations

import pytest

from envfactory_gym.agents import GoldAgent, NoOpAgent, play
from envfactory_gym.environment import Package
from envfactory_gym.environment.task import Turn
from envfactory_gym.environment.tool import EPISODE_TOOLS
from envfactory_gym.episode import Episode
from envfactory_gym.world import LiveWorld, Template
from generated_servers.airline.authoring import splits, tasks

IDS = [
    line.split('"', 4)[3]
    for line in (tasks.AIRLINE / "tasks.jsonl").read_text(encoding="utf-8").splitlines()
    if line.startswith('{"id":"')
]


def follow_gold(airline: Package, world: LiveWorld, turn: Turn) -> None:
    """Make the calls of a turn's gold, the user's included."""
    for call in (call for step in turn.gold for call in step.effects):
        if call.tool not in EPISODE_TOOLS:
            world.call(call.tool, call.arguments, actor=airline.tools[call.tool].actor)


def test_the_script_writes_the_tasks_of_the_package(airline: Package) -> None:
    """Certification may add hashes and certificates; nothing else differs."""
    drop = {"world_hash": None, "rules_hash": None, "certificate": None}
    assert [task.model_copy(update=drop) for task in airline.tasks] == tasks.written()


def test_there_are_enough_of_each_kind(airline: Package) -> None:
    kinds = [kind for task in airline.tasks for kind in task.kinds]
    assert len(airline.tasks) == len(IDS) >= 80
    assert {task.split for task in airline.tasks} == {"train", "dev", "test"}
    assert {len(task.turns) for task in airline.tasks} == {1, 2, 3, 4, 5}
    counts = {kind: kinds.count(kind) for kind in set(kinds)}
    assert counts["action"] >= 40
    assert counts["question"] >= 20
    assert counts["refusal"] >= 10
    assert {"implicit", "change of mind", "user tool", "false premise"} <= set(counts)
    assert min(sum(task.split == split for task in airline.tasks) for split in ("train", "dev", "test")) >= 14


def test_no_customer_row_or_twin_stands_in_two_splits(airline: Package) -> None:
    """What is learnt about a row in one split cannot help in another."""
    where: dict[str, set[str]] = {}
    for task in airline.tasks:
        world = Template.of(airline).acquire(task.setup, seed=task.seed)
        for turn in task.turns:
            follow_gold(airline, world, turn)
        touched = splits.footprint(task, task.turns, world)
        assert len(touched) >= 2, task.id
        for name in touched:
            where.setdefault(name, set()).add(task.split)
        world.template.release(world)
    assert {name: found for name, found in where.items() if len(found) > 1} == {}


def test_every_writing_tool_and_every_user_tool_is_needed_by_some_task(airline: Package) -> None:
    called = {call.tool for task in airline.tasks for turn in task.turns for step in turn.gold for call in step.effects}
    assert {tool.name for tool in airline.tools.values()} - called == set()


def test_twins_share_words_user_and_split(airline: Package) -> None:
    paired = [task for task in airline.tasks if task.twin]
    assert {task.twin for task in paired} == {task.id for task in paired}
    for task in paired:
        assert task.twin
        twin = airline.task(task.twin)
        assert (twin.twin, twin.split, twin.user) == (task.id, task.split, task.user)
        assert [turn.request for turn in twin.turns] == [turn.request for turn in task.turns]
        assert bool(task.turns[0].goal.decline) != bool(twin.turns[0].goal.decline)


def test_every_refusal_has_a_twin(airline: Package) -> None:
    assert [task.id for task in airline.tasks if any(turn.goal.decline for turn in task.turns) and not task.twin] == []


@pytest.mark.parametrize("task_id", IDS)
def test_gold_succeeds_and_doing_nothing_does_not(airline: Package, task_id: str) -> None:
    episode = Episode(airline, airline.task(task_id))
    gold = play(episode, GoldAgent(episode))
    assert gold.outcome is not None
    assert gold.outcome.success, gold.outcome
    nothing = play(episode, NoOpAgent())
    assert nothing.outcome is not None
    assert not nothing.outcome.success
    episode.close()


@pytest.mark.parametrize("task_id", IDS)
def test_every_phrase_refers_to_one_row(airline: Package, task_id: str) -> None:
    task = airline.task(task_id)
    world = Template.of(airline).acquire(task.setup, seed=task.seed)
    for turn in task.turns:
        for referent in turn.goal.referents:
            assert referent.phrase in turn.request
            assert len(world.query(referent.sql)) == 1, referent
        follow_gold(airline, world, turn)
    world.template.release(world)


def test_the_tasks_that_ask_for_a_number_do_not_give_it_away(airline: Package) -> None:
    for task in airline.tasks:
        for turn in task.turns:
            for step in turn.gold:
                for slot in step.slots:
                    value = next(known.value for known in task.user.slots if known.name == slot)
                    assert all(value not in other.request for other in task.turns)
