"""Tasks of compiled packages say what a person knows, and hide what has to be found."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from envfactory_gym import Package
from envfactory_gym.agents import GoldAgent, play
from envfactory_gym.construct.rows.dice import Dice
from envfactory_gym.construct.tasks.changing import _from_the_start
from envfactory_gym.construct.tasks.wording import confirm_removal, extreme_question
from envfactory_gym.episode import Episode

from .shop import built, model_of, shop


def spans(node: Any) -> Iterator[tuple[int, str]]:
    """Every span that sources quote, with its turn."""
    if isinstance(node, dict):
        if node.get("kind") == "said":
            yield node["turn"], node["span"]
        for child in node.values():
            yield from spans(child)
    elif isinstance(node, list):
        for child in node:
            yield from spans(child)


def raw_tasks(package: Package) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (package.path / "tasks.jsonl").read_text().splitlines()]


def test_there_are_enough_tasks_of_several_kinds_in_every_split(example: Package) -> None:
    assert len(example.tasks) >= 10
    assert {task.split for task in example.tasks} == {"train", "dev", "test"}
    kinds = Counter(task.id.split("-")[0] for task in example.tasks)
    assert {"update", "question", "create", "delete"} <= set(kinds)


def test_quoted_words_stand_in_the_request(example: Package) -> None:
    missing = [
        (task["id"], span)
        for task in raw_tasks(example)
        for turn in task["turns"]
        for number, span in spans(turn["goal"])
        if span not in task["turns"][number]["request"]
    ]
    assert missing == []


def test_a_request_names_no_identifier_that_could_be_looked_up(example: Package) -> None:
    minted = {
        str(row[table.key[0]])
        for table in example.schema.tables.values()
        for row in example.rows(table.name)
        if table.column(table.key[0]).policy.kind == "generated" and table.name != "servers"
    }
    named = [
        (task.id, word)
        for task in example.tasks
        for turn in task.turns
        for word in turn.request.replace("?", " ").replace(".", " ").split()
        if word in minted and not word.isdigit()
    ]
    assert named == []


def test_gold_succeeds_on_every_task(shop_package: Package) -> None:
    scores = {}
    for task in shop_package.tasks:
        episode = Episode(shop_package, task)
        try:
            scores[task.id] = play(episode, GoldAgent(episode)).reward
        finally:
            episode.close()
    assert scores == dict.fromkeys(scores, 1.0)
    assert len(scores) >= 10


def test_tasks_ask_for_nothing_that_can_be_guessed(example: Package) -> None:
    for task in example.tasks:
        for turn in task.turns:
            for answer in turn.goal.answers:
                assert answer.column is not None
                table, _, column = answer.column.partition(".")
                values = Counter(row[column] for row in example.rows(table) if row[column] is not None)
                common = max(values.values())
                assert common == 1 or common / values.total() <= 0.05, (task.id, answer.subject, common)


def test_every_reason_of_a_refusal_by_rule_stands_in_the_policy(shop_package: Package) -> None:
    rules = set(shop_package.policy.rules)
    used = {
        call.expect.error.reason
        for one in shop_package.behaviours
        for call in one.calls
        if call.expect.error is not None and call.expect.error.reason is not None
    }
    assert {reason for reason in used if "-" in reason} == rules & used
    assert {"keep-used-customers", "unique-customer-email", "final-cancel-order", "dates-orders"} <= used


def test_what_a_rule_forbids_is_asked_for_twice_in_the_same_words(shop_package: Package) -> None:
    tasks = {task.id: task for task in shop_package.tasks}
    refusals = [task for task in tasks.values() if task.turns[0].goal.decline]
    assert {task.turns[0].goal.decline for task in refusals} == {
        "keep-used-customers", "unique-customer-email", "final-cancel-order", "dates-orders",
    }  # fmt: skip
    for task in refusals:
        twin = tasks[str(task.twin)]
        assert (twin.turns[0].request, twin.split, twin.twin) == (task.turns[0].request, task.split, task.id)
        assert twin.setup.rows and not task.setup.rows
        assert [call.tool for call in twin.turns[0].goal.calls if call.wish]


def test_deletions_are_confirmed_with_the_identifier_first(shop_package: Package) -> None:
    for task in shop_package.tasks:
        for turn in task.turns:
            steps = list(turn.gold)
            for number, step in enumerate(steps):
                for call in step.calls:
                    if call.tool.startswith("delete_"):
                        before = steps[number - 1]
                        assert before.expect == "affirms"
                        key = shop_package.tools[call.tool].confirm[0]
                        assert str(call.arguments[key]) in str(before.say)


def test_no_two_tasks_ask_in_the_same_words_but_twins(example: Package) -> None:
    words = Counter(
        tuple(turn.request for turn in task.turns) for task in example.tasks if task.turns[0].goal.decline is None
    )
    assert [request for request, count in words.items() if count > 1] == []


def test_nobody_asks_for_a_new_person_who_left_already_or_has_two_names(tmp_path: Path) -> None:
    raw = shop()
    people = raw["components"]["schemas"]["Customer"]["allOf"][1]["properties"]
    people |= {"first_name": {"type": "string"}, "leaving_reason": {"type": "string"}, "deceased": {"type": "string"}}
    built_from = model_of(raw).resource("customers")
    ended = {one.name for one in built_from.fields if not _from_the_start(one, built_from) and not one.required}
    assert {"first_name", "leaving_reason", "deceased"} <= ended
    for task in raw_tasks(built(raw, tmp_path)):
        if task["id"].startswith("create-customers"):
            assert "with first name" not in task["turns"][0]["request"]


@pytest.mark.parametrize(
    ("row", "key", "named"),
    [
        ('the role "Viewer"', "Viewer", False),
        ("the order 17", 17, False),
        ('the order "Tea 17"', 1, True),
        ("the zone of a-17.example", 17, True),
        ('the zone "x.example."', "GZBG28", True),
    ],
)
def test_the_identifier_is_said_once_before_a_deletion(row: str, key: object, named: bool) -> None:
    asked = confirm_removal(row, "key", key, [])
    assert (f"(key {key})" in asked) is named
    assert str(key) in asked


def test_what_belongs_to_a_row_of_that_name_is_of_it() -> None:
    for number in range(9):
        asked = extreme_question(
            Dice(number), "leads", "the company Acme", "company", "name", "amount", "highest", same=True
        )
        assert "leads of the company Acme" in asked
