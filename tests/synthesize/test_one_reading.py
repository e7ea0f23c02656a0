"""A request has one reading: rows are pointed at, answers do not hang on when they are looked up, beliefs name their row."""

from __future__ import annotations

import json
from contextlib import suppress
from itertools import islice
from random import Random

from envfactory_gym.environment import TaskPrivate, load_package
from envfactory_gym.environment.task import Derived, Result, Source
from envfactory_gym.synthesize.maker import TaskMaker
from envfactory_gym.synthesize.pipeline import Recipe, chains_of, maker_of
from envfactory_gym.synthesize.turns import BELIEFS, Grounder, Rejected, creates
from envfactory_gym.world import Template


def made(name: str, preset: str, seed: int, chains: int) -> list[TaskPrivate]:
    recipe = Recipe((name,), seed, preset)  # type: ignore[arg-type]
    maker = maker_of(load_package(name), recipe)
    found = []
    for number, chain in enumerate(islice(chains_of(maker.package, recipe), chains)):
        with suppress(Rejected):
            found.append(maker.make(chain, number).task)
    return found


def call_of(source: Source) -> str:
    while isinstance(source, Derived):
        source = source.sources[0]
    assert isinstance(source, Result)
    return source.call


def test_answers_asked_for_after_a_change_are_the_same_before_and_after_it() -> None:
    """Gold looks up first, and most agents in the order of the words: both have to be right."""
    package = load_package("airline")
    maker = TaskMaker(package, seed=1, preset="easy")
    tools = ["cancel_reservation", "get_reservation"]
    owners = [one for one in maker.owners([tools], "train") if one is not None]
    template, compared = Template.of(package), 0
    for number, owner in enumerate(owners[:12]):
        random = Random(number)
        world = template.acquire(seed=number)
        try:
            draft, router = maker.draft(world, owner, "train", random), maker.router(random)
            with suppress(Rejected):
                Grounder(maker.landscape, router, random, maker.mix).turn(draft, tools)
                for answer in draft.answers:
                    call = call_of(answer.source)
                    if not call.startswith("get_reservation"):
                        continue
                    before = router.value(draft, answer.source)
                    draft.results[call] = json.loads(world.call("get_reservation", draft.told[call]))
                    assert router.value(draft, answer.source) == before
                    compared += 1
        finally:
            template.release(world)
    assert compared


def test_what_was_spoken_of_before_is_pointed_at_by_tools_whose_phrases_name_no_row() -> None:
    for task in made("issues", "hard", 4, 25):
        for turn in task.turns:
            text = turn.request.lower()
            assert not any(f"{verb} the comment{end}" in text for verb in ("delete", "remove") for end in ".,?!"), text
            assert not any(f"create a comment{end}" in text for end in ".,?!"), text


def test_nobody_empties_a_field_by_its_name() -> None:
    requests = [turn.request for task in made("issues", "hard", 4, 25) for turn in task.turns]
    assert requests
    assert not any("the clear" in request for request in requests)


def test_beliefs_say_of_which_row_they_are() -> None:
    believed = [
        turn.request[turn.request.index(belief) :]
        for task in made("airline", "hard", 1234, 30)
        for turn in task.turns
        for belief in BELIEFS
        if f"{belief} the " in turn.request
    ]
    assert believed
    assert all(" of my " in one or " of the " in one for one in believed)


def test_tools_that_make_rows_are_told_from_tools_that_change_them() -> None:
    tools = load_package("airline").tools
    assert creates(tools["book_reservation"]) == {"reservations"}
    assert creates(tools["issue_certificate"]) == {"certificates"}
    assert not creates(tools["add_bags"]) | creates(tools["cancel_reservation"]) | creates(tools["change_flight"])
