"""Tasks of compiled packages say what a person knows, and hide what has to be found."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from envfactory_gym import Package
from envfactory_gym.agents import GoldAgent, play
from envfactory_gym.episode import Episode


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
