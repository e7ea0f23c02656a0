"""Pronouns: "that stay" is the stay that a reader met last, or the stay is named again."""

from __future__ import annotations

from itertools import islice

import pytest

from envfactory_gym.environment import Package, load_package
from envfactory_gym.environment.task import Derived, Result
from envfactory_gym.synthesize.maker import TaskMaker
from envfactory_gym.synthesize.mentions import Mentions
from envfactory_gym.synthesize.pipeline import Recipe, chains_of
from envfactory_gym.synthesize.turns import Rejected
from envfactory_gym.synthesize.wording.wish import Ask, Wish

ROWS = {"stay_id": "stays"}


def first(key: str, words: str) -> Wish:
    return Wish("action", "cancel", {"stay_id": words}, (), ROWS, named={"stay_id": (key, words)})


def again(key: str, words: str, **changed: object) -> Wish:
    return Wish("action", "cancel", {}, ("stay_id",), ROWS, named={"stay_id": (key, words)}, **changed)  # type: ignore[arg-type]


def test_what_was_named_last_is_pointed_at() -> None:
    mentions = Mentions()
    mentions.told(first("A", "my stay in Oslo"))
    assert mentions.told(again("A", "my stay in Oslo")).again == ("stay_id",)
    assert mentions.told(again("A", "my stay in Oslo")).it


def test_what_was_named_before_another_is_named_again() -> None:
    mentions = Mentions()
    mentions.told(first("A", "my stay in Oslo"))
    mentions.told(first("B", "my stay in Rome"))
    told = mentions.told(again("A", "my stay in Oslo"))
    assert (told.again, told.words) == ((), {"stay_id": "my stay in Oslo"})
    assert mentions.told(again("A", "my stay in Oslo")).again == ("stay_id",)


@pytest.mark.parametrize(
    "between",
    [
        Wish("action", "room", {"room": "the same room as my last stay"}, besides=("stays",)),
        Wish("action", "x", {}, (), {"a": "stays", "b": "stays"}, named={"a": ("B", "one"), "b": ("C", "other")}),
        Wish("action", "x", {}, otherwise=first("B", "my stay in Rome")),
    ],
    ids=["compared with another", "several at once", "named as what is wanted otherwise"],
)
def test_nothing_points_past_other_rows(between: Wish) -> None:
    mentions = Mentions()
    mentions.told(first("A", "my stay in Oslo"))
    mentions.told(between)
    assert mentions.told(again("A", "my stay in Oslo")).again == ()


def test_a_question_about_a_row_named_before_another_names_it() -> None:
    mentions = Mentions()
    mentions.told(first("A", "my stay in Oslo"))
    mentions.told(first("B", "my stay in Rome"))
    ask = Ask("total", "money", "total_cents", about="again")
    named = {"stay_id": ("A", "my stay in Oslo")}
    asked = mentions.told(Wish("question", "get", {}, ("stay_id",), ROWS, (ask,), named=named))
    assert (asked.asks[0].row, asked.asks[0].about, asked.words) == ("my stay in Oslo", "told", {})


def test_it_is_said_only_where_nothing_else_was_named() -> None:
    mentions = Mentions()
    mentions.told(
        Wish("action", "use_card", {}, (), {"stay_id": "stays", "card_id": "cards"},
             named={"stay_id": ("A", "my stay"), "card_id": ("C", "my card")})
    )  # fmt: skip
    told = mentions.told(again("A", "my stay"))
    assert (told.again, told.it) == (("stay_id",), False)


@pytest.fixture(scope="module")
def package() -> Package:
    return load_package("hotel", trusted=True)


def test_no_argument_is_taken_in_silence_from_another_row(package: Package) -> None:
    """A result that nobody's words point at is about a row that the same call names, or about the asker."""
    maker = TaskMaker(package, seed=3, preset="hard")
    seen = 0
    for number, chain in enumerate(islice(chains_of(package, Recipe(("hotel",), 3, "hard")), 40)):
        try:
            task = maker.make(chain, number).task
        except Rejected:
            continue
        for turn in task.turns:
            calls = {call.id: call for other in task.turns for call in other.goal.calls}
            for call in turn.goal.calls:
                for source in call.arguments.values():
                    if not isinstance(source, Result) or not call.wish:
                        continue
                    seen += 1
                    told = list(calls[source.call].arguments.values())
                    assert all(one in call.arguments.values() or not _points(one) for one in told), call
    assert seen > 5


def _points(source: object) -> bool:
    return isinstance(source, Derived)
