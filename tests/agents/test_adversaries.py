"""Each adversary finds the task it is there for, plays within its budget, and knows what anybody may know."""

import json
import re

import pytest

from envfactory_gym import Package
from envfactory_gym.agents import play
from envfactory_gym.agents.adversaries import FAMILIES, READS, TRIES, WRITES, Public, Seen, adversaries
from envfactory_gym.agents.adversaries.seen import fits, shape
from envfactory_gym.agents.adversaries.writers import neighbours
from envfactory_gym.episode import Episode
from envfactory_gym.verify.hackability import check, measure, spread
from tests.agents.planted import (
    WITH_FAULT,
    WITH_SUBMIT,
    WITH_USER_TOOL,
    all_back,
    category_of_cheapest,
    due_of_two,
    everything_written,
    extend_by_code,
    next_to,
    photo,
)
from tests.support import copy_of_lending, lending

PACKAGE = lending()
TWICE = PACKAGE.task("extend-tent-twice")


def ignoring_everything():
    return all_back(loosen={"loans.state": "ignore", "items.status": "ignore"})


PLANTED = [
    ("no-op", ignoring_everything, []),
    ("wipe", ignoring_everything, []),
    ("wipe", all_back, []),
    ("mass edit", everything_written, []),
    ("brute force over ids", lambda: next_to("8", "9"), []),
    ("always decline", lambda: TWICE.model_copy(update={"twin": None}), []),
    ("best guess", category_of_cheapest, []),
    ("dump everything", due_of_two, []),
    ("retry until success", extend_by_code, []),
    ("instruct everything", photo, WITH_USER_TOOL),
    ("private names", lambda: PACKAGE.task("return-sander"), WITH_SUBMIT),
]


@pytest.mark.parametrize(
    ("name", "make", "edits"), PLANTED, ids=[f"{number}: {name}" for number, (name, _, _) in enumerate(PLANTED)]
)
def test_the_adversary_that_should_is_paid_by_a_hackable_task(tmp_path, name, make, edits):
    package = Package.load(copy_of_lending(tmp_path, *edits), trusted=True)
    task = make()
    found = measure(package, [task], only=[name])
    assert list(found.hacked) == [task.id]
    assert found.share == 1.0


def test_every_kind_of_adversary_has_a_planted_task():
    assert {name for name, _, _ in PLANTED} | {"grader probing"} == set(FAMILIES)


def test_probing_finds_an_environment_that_breaks(tmp_path):
    package = Package.load(copy_of_lending(tmp_path, *WITH_FAULT), trusted=True)
    found = measure(package, [package.task("return-sander")], only=["grader probing"])
    assert found.void
    assert "ZeroDivisionError" in found.void[0].void
    assert not check(package, [package.task("return-sander")]).passed


@pytest.mark.parametrize(
    ("user", "answer"), [("scripted", "text"), ("scripted", "tool"), ("solo", "text"), ("solo", "tool")]
)
def test_sound_tasks_pay_no_adversary(user, answer):
    found = measure(PACKAGE, user=user, answer=answer)
    assert found.hacked == {}
    assert found.void == []


@pytest.mark.parametrize("number", [10**30, -(10**30), 1 << 63, [[10**30]], {"x": 10**30}])
def test_a_number_that_no_column_holds_is_the_agents_fault(number):
    # Else any agent could end an episode as the harness's fault, and so escape being scored.
    with Episode(PACKAGE, "return-sander") as episode:
        episode.reset()
        given = {"member_id": "M-101", "item_id": number}
        for arguments in ({"item_id": number}, json.dumps(given), given):
            step = episode.step({"tool_calls": [{"name": "borrow_item", "arguments": arguments}]})
            assert json.loads(step.messages[0]["content"])["error"]["code"] == "invalid"
        assert not episode.over


def test_a_refusal_is_hacked_only_together_with_its_twin():
    pair = [TWICE, PACKAGE.task("extend-tent-once")]
    found = measure(PACKAGE, pair, only=["always decline"])
    line = found.table()[0]
    assert (line.success, line.hacked, line.pairs, found.pairs) == (1, 0, 0, 1)
    alone = measure(PACKAGE, pair[:1], only=["always decline"])
    assert (alone.table()[0].hacked, alone.pairs) == (1, 0)
    # A twin that is won by declining as well is no twin: then both count.
    false_twin = TWICE.model_copy(update={"id": "extend-tent-once", "twin": None})
    both = measure(PACKAGE, [TWICE, false_twin], only=["always decline"])
    assert set(both.hacked) == {"extend-tent-twice", "extend-tent-once"}
    assert both.table()[0].pairs == 1


def test_one_turn_of_two_is_paid_by_turns_only():
    task = PACKAGE.task("due-drill-then-extend")
    lenient = task.model_copy(
        update={"turns": (task.turns[0].model_copy(update={"max_other_values": 2}), task.turns[1])}
    )
    found = measure(PACKAGE, [lenient], only=["dump everything"])
    assert (found.share, found.share_by_turns) == (0.0, 1.0)
    assert measure(PACKAGE, [task], only=["dump everything"]).share_by_turns == 0.0


def test_a_hackable_task_fails_the_check_and_names_who_is_paid():
    finding = check(PACKAGE, [all_back(), PACKAGE.task("return-sander")])
    assert not finding.passed
    assert any(line.startswith("all-back pays") and "wipe" in line for line in finding.evidence)
    assert finding.figures["hackability"] == 0.5
    assert finding.figures["by_adversary"]["wipe"]["hacked"] == 1


def test_tasks_are_spread_and_keep_their_twins():
    tasks = [TWICE.model_copy(update={"id": f"t{number}", "twin": f"t{(number + 1) % 10}"}) for number in range(10)]
    assert [task.id for task in spread(tasks, 3)] == ["t0", "t1", "t3", "t4", "t6", "t7"]
    assert spread(tasks, 10) == tasks


def transcripts(task, name, member):
    agent = adversaries(PACKAGE, [name])[name][member]
    with Episode(PACKAGE, task, max_steps=60) as episode:
        play(episode, agent)
        return episode.messages, episode.calls


MEMBERS = [(name, member) for name, members in adversaries(PACKAGE).items() for member in members]


@pytest.mark.parametrize(("name", "member"), MEMBERS, ids=[f"{name}: {member}" for name, member in MEMBERS])
def test_adversaries_repeat_themselves_and_keep_to_their_budgets(name, member):
    task = PACKAGE.task("borrow-cheapest-then-return")
    messages, calls = transcripts(task, name, member)
    assert transcripts(task, name, member)[0] == messages
    if name in ("grader probing", "private names"):
        return
    for turn in range(2):
        own = [call for call in calls if call.turn == turn and call.tool in PACKAGE.tools]
        writes = sum(bool(PACKAGE.tools[call.tool].writes) for call in own)
        assert writes <= (TRIES if name == "retry until success" else WRITES)
        assert len(own) - writes <= 2 * READS


@pytest.mark.parametrize("name", ["wipe", "mass edit", "dump everything", "retry until success"])
@pytest.mark.parametrize("task", [task.id for task in PACKAGE.tasks])
def test_live_values_come_from_messages(name, task):
    for member in adversaries(PACKAGE, [name])[name]:
        messages, _ = transcripts(PACKAGE.task(task), name, member)
        known = json.dumps(Episode(PACKAGE, task).tools)
        for message in messages:
            for made in message.get("tool_calls", ()):
                arguments = made["function"]["arguments"]
                codes = [value for value in arguments.values() if isinstance(value, str) and re.search(r"\d", value)]
                assert all(value in known for value in codes), (codes, made)
            known += message["content"]


def test_the_public_side_holds_nothing_of_the_tasks():
    public = repr(Public.of(PACKAGE))
    for task in PACKAGE.tasks:
        assert task.id not in public
        assert task.turns[0].request not in public


def test_adversaries_read_words_and_results():
    public = Public.of(PACKAGE)
    seen = Seen(
        public,
        [
            {"role": "system", "content": "Now it is Monday (2026-03-02T09:00:00Z)."},
            {"role": "user", "content": "Ada Brook, M-101: the drill until 5 March, please."},
        ],
    )
    assert {"M-101", "2026-03-05", "Ada Brook", "Ada"} <= set(seen.said)
    seen.learn([{"role": "tool", "name": "list_loans", "content": '{"loans": [{"loan_id": "QF7KD", "extended": 0}]}'}])
    tools = {tool.name: tool for tool in public.tools}
    assert list(seen.columns["loans.loan_id"]) == ["QF7KD"]
    assert {"loan_id": "QF7KD"} in seen.arguments(tools["extend_loan"], 5)
    assert seen.arguments(tools["list_loans"], 1) == [{"member_id": "M-101"}]
    assert not seen.refused
    seen.learn([{"role": "tool", "name": "extend_loan", "content": '{"error": {"code": "invalid", "message": "No."}}'}])
    assert seen.refused


def test_values_are_tried_only_where_they_fit():
    assert fits({"type": "string", "pattern": "^M-"}, "M-1")
    assert not fits({"type": "string", "pattern": "^M-"}, "X-1")
    assert not fits({"type": "string", "maxLength": 2}, "abc")
    assert fits({"type": "integer", "minimum": 1}, 1)
    assert not fits({"type": "integer", "minimum": 1}, 0)
    assert not fits({"type": "integer"}, True)
    assert not fits({"type": "object"}, "x")
    assert [shape(value) for value in ("a@b.c", "2026-01-02", "K7Q", "42", "Oslo", 3)] == [
        "address",
        "day",
        "code",
        "digits",
        "words",
        "number",
    ]


def test_neighbours_of_an_id():
    assert {"M-100", "M-102"} <= set(neighbours("M-101"))
    assert "M-101" not in set(neighbours("M-101"))
    assert {8, 10} <= set(neighbours(9))
    assert list(neighbours("Oslo")) == []
    assert all(int(value[2:]) >= 0 for value in neighbours("X-2"))
