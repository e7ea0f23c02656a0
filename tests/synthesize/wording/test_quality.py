"""Every kind of slip that a template can make is found."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from envfactory_gym.environment import Language
from envfactory_gym.synthesize.wording.quality import problems

GOOD = 'Hi there! Could you cancel my trip to Oslo? I found a note called "Plan b" (an old one).'


def test_a_good_sentence_has_no_problem() -> None:
    assert problems(GOOD, ["my trip to Oslo"], {"trips", "trip_id"}) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Please cancel my my trip.", "stands twice"),
        ("Please book a apple.", "wrong article"),
        ("Please book an user.", "wrong article"),
        ("Please cancel {trip}.", "left of a template"),
        ("Please cancel it[, Oslo.", "left of a template"),
        ("Please cancel ~ to Oslo.", "left of a template"),
        ("Add 2 bag(s).", "left of a template"),
        ("Please cancel it , thanks.", "no punctuation"),
        ("Please cancel it..", "no punctuation"),
        ("Please cancel it.Thanks.", "no punctuation"),
        ('The note "Plan is wrong.', "not closed"),
        ("Cancel it (please.", "not closed"),
        ("Change the trip_id of it.", "the name"),
        ("please cancel it.", "small letter"),
        ("Please cancel it. thank you.", "small letter"),
        ("", "empty"),
    ],
)
def test_slips_are_found(text: str, problem: str) -> None:
    assert any(problem in one for one in problems(text, (), {"trip_id"}))


def test_a_lost_span_is_found() -> None:
    assert any("missing" in one for one in problems("Please cancel it.", ["my trip"]))


def test_what_stands_in_a_span_is_the_users_business() -> None:
    assert problems("Set the title to the the trip_x, please.", ["the the trip_x"], set()) == []


def test_those_who_type_in_lower_case_may() -> None:
    assert problems("hi. pls cancel it", (), (), lower=True) == []


def test_the_documented_file_is_one(checkout: Path) -> None:
    block = re.search(r"```yaml\n(.*?)```", (checkout / "docs" / "language.md").read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    language = Language.model_validate(yaml.safe_load(block[1]))
    assert all(getattr(language, part) for part in ("slots", "phrases", "tools", "nouns", "asks"))
