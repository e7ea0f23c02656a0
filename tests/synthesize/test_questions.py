"""What is asked has to be looked up: it is neither what the request says itself nor what everybody would guess."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import islice

import pytest

from envfactory_gym.environment import TaskPrivate, load_package
from envfactory_gym.environment.task import Result
from envfactory_gym.synthesize.grounding.questions import answer_kind
from envfactory_gym.synthesize.pipeline import Recipe, chains_of, maker_of
from envfactory_gym.synthesize.trajectories import trajectories
from envfactory_gym.synthesize.turns import Rejected


@pytest.fixture(scope="module")
def tasks() -> list[TaskPrivate]:
    recipe = Recipe(("airline",), 1234, "medium")
    maker = maker_of(load_package("airline"), recipe)
    found = []
    for number, chain in enumerate(islice(chains_of(maker.package, recipe), 50)):
        with suppress(Rejected):
            found.append(maker.make(chain, number).task)
    return found


def test_nobody_asks_for_what_the_request_just_said(tasks: list[TaskPrivate]) -> None:
    asked = 0
    for turn in (turn for task in tasks for turn in task.turns):
        calls = {call.id: call for call in turn.goal.calls}
        for answer in turn.goal.answers:
            if isinstance(answer.source, Result) and answer.source.call in calls:
                asked += 1
                assert answer.source.path not in calls[answer.source.call].arguments, turn.request
    assert asked > 10


def test_nobody_asks_for_what_comes_to_nothing(tasks: list[TaskPrivate]) -> None:
    package = load_package("airline")
    told = [task for task in tasks if any(turn.goal.answers for turn in task.turns)]
    closings = [
        str(message["content"])
        for record in trajectories(package, told, recovery=0, seed=0)
        for message in record.messages
        if message["role"] == "assistant" and message.get("content")
    ]
    assert any("$" in text for text in closings)
    assert not any(re.search(r"\$0(?![.\d])", text) for text in closings)


def test_kinds_of_answers_are_read_off_names_and_values() -> None:
    assert answer_kind("paid_cents", 12, {}) == "money"
    assert answer_kind("departs_at", "2026-05-14T09:30:00Z", {}) == "time"
    assert answer_kind("active", True, {}) is None
