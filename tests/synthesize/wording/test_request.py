"""Requests hold what they must, say nothing they may not, and read as if many people had written them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from envfactory_gym.environment import Language, Package
from envfactory_gym.environment.columns import read_schema
from envfactory_gym.environment.tool import Parameter, Tool
from envfactory_gym.synthesize.duplicates import jaccard, trigrams
from envfactory_gym.synthesize.wording.person import Person, person, styles
from envfactory_gym.synthesize.wording.quality import problems
from envfactory_gym.synthesize.wording.request import Speech, request
from envfactory_gym.synthesize.wording.sample import requests
from envfactory_gym.synthesize.wording.wish import Ask, Wish

LANGUAGE = Language.model_validate(
    {
        "slots": {"member_id": {"say": "My member number is {value}."}},
        "phrases": {"cancel_reason": {"illness": ["I'm ill", "in hospital"], "plans": ["my plans changed"]}},
        "tools": {
            "cancel_trip": ["cancel {trip}, {reason}", "call off {trip}, {reason}"],
            "add_bags": ["add {bags} checked bag(s) to {trip}[ for {who}]"],
            "raise_fare": ["put {trip} on the {fare} fare"],
        },
        "nouns": {"trips": {"one": ["trip"], "many": ["trips"], "mine": True}},
        "asks": {
            "cancel_trip.refund_cents": ["how much do I get back"],
            "trips.paid_cents": ["what did {row} cost me"],
        },
    }
)
SCHEMA = read_schema("CREATE TABLE trips (trip_id TEXT NOT NULL PRIMARY KEY, paid_cents INTEGER NOT NULL) STRICT;")


def a_tool(name: str, *arguments: str, writes: bool = True) -> Tool:
    parameters = tuple(
        Parameter(one, True, None, {"type": "string"}, "", "trips.trip_id" if one == "trip_id" else None)
        for one in arguments
    )
    return Tool(name, lambda: None, "", {}, {}, parameters, writes=("trips",) if writes else ())


TOOLS = {
    tool.name: tool
    for tool in (
        a_tool("cancel_trip", "trip_id", "reason"), a_tool("add_bags", "trip_id", "bags", "who"),
        a_tool("raise_fare", "trip_id", "fare"), a_tool("update_trip", "trip_id", "start_date", "priority"),
        a_tool("create_note", "title", "trip_id"), a_tool("get_trip", "trip_id", writes=False),
    )
}  # fmt: skip
SPEECH = Speech(LANGUAGE, TOOLS, SCHEMA)


def written(*wishes: Wish, turn: int = 0, name: str = "Ada Berg") -> list[str]:
    """The requests of everybody, three times each."""
    return [
        request(wishes, speech=SPEECH, person=Person(style, name), random=Random(seed), turn=turn).text
        for style in styles()
        for seed in range(3)
    ]


CANCEL = Wish("action", "cancel_trip", {"trip_id": "my trip to Oslo", "reason": "my plans changed"})


def test_every_span_stands_whoever_writes() -> None:
    told = Wish("action", "cancel_trip", CANCEL.words, told={"member_id": "M123"})
    for text in written(told, Wish("action", "add_bags", {"trip_id": "my next trip", "bags": "two"})):
        for span in ("my trip to Oslo", "my plans changed", "M123", "my next trip", "two"):
            assert span in text, text


def test_a_row_spoken_of_before_is_a_pronoun() -> None:
    for text in written(Wish("action", "cancel_trip", {"reason": "I'm ill"}, again=("trip_id",)), turn=1):
        assert any(word in text.lower().split() for word in ("it", "it,", "it.", "it?", "it!")) or any(
            said in text.lower() for said in ("that trip", "the same trip")
        ), text


def test_what_an_action_gives_is_asked_for_along_with_it() -> None:
    wish = Wish("action", "cancel_trip", CANCEL.words, asks=(Ask("refund", "money", "refund_cents", about="result"),))
    assert all("how much do i get back" in text.lower() for text in written(wish))


def test_questions_name_their_row() -> None:
    ask = Ask("paid", "money", "paid_cents", "trips", row="my trip to Oslo")
    assert all("hat did my trip to Oslo cost me" in text for text in written(Wish("question", "get_trip", asks=(ask,))))


def test_a_question_without_phrases_is_asked_in_words() -> None:
    ask = Ask("start", "date", "start_date", "trips", row="my trip to Oslo")
    texts = written(Wish("question", "get_trip", asks=(ask,)))
    assert all("start date of my trip to Oslo" in text and "start_date" not in text for text in texts)


def test_what_is_taken_back_is_said_first() -> None:
    wish = Wish("action", "raise_fare", {"trip_id": "my next trip", "fare": "flex"}, instead_of={"fare": "basic"})
    for text in written(wish):
        assert "flex" in text and text.index("basic") < text.index("flex"), text


def test_conditions_and_ways_out_are_told() -> None:
    wish = Wish(
        "action", "raise_fare", {"trip_id": "my next trip", "fare": "flex"}, condition="it costs no more than $50",
        otherwise=Wish("action", "add_bags", {"trip_id": "my trip to Rome", "bags": "one"}),
    )  # fmt: skip
    for text in written(wish):
        assert "only if it costs no more than $50" in text and "my trip to Rome" in text
        assert text.index("only if") < text.index("my trip to Rome")


def test_tools_without_phrases_are_asked_for_by_their_names_words() -> None:
    wish = Wish("action", "update_trip", {"trip_id": "my trip to Oslo", "start_date": "21 May"})
    for text in written(wish):
        assert "my trip to Oslo" in text and "start date" in text.lower() and "update_trip" not in text
    new = written(Wish("action", "create_note", {"title": "Packing", "trip_id": "my trip to Oslo"}))
    assert all('new note called "Packing" for my trip to Oslo' in text for text in new)


def test_nouns_agree_with_numbers() -> None:
    one = written(Wish("action", "add_bags", {"trip_id": "my next trip", "bags": "one"}))
    two = written(Wish("action", "add_bags", {"trip_id": "my next trip", "bags": "2", "who": "Ada"}))
    assert all("one checked bag to" in text for text in one)
    assert all("2 checked bags to my next trip for Ada" in text for text in two)


def test_the_same_as_another_needs_no_second_noun() -> None:
    wish = Wish("action", "raise_fare", {"trip_id": "my next trip", "fare": "the same fare as my trip to Oslo"})
    assert all("my next trip on the same fare as my trip to Oslo" in text for text in written(wish))
    assert not any("Oslo fare" in text for text in written(wish))


def test_a_person_without_a_name_signs_nothing() -> None:
    assert not any("{" in text for text in written(CANCEL, name=""))


def test_a_dozen_people_write() -> None:
    assert len({style.name for style in styles()}) >= 10
    assert len(set(written(CANCEL))) > 0.9 * len(written(CANCEL))


@pytest.mark.parametrize("style", styles(), ids=lambda style: style.name)
def test_small_talk_is_harmless(style: Any) -> None:
    """No number, no capitalised fact, no gap but those that are filled."""
    sentences = [*style.openers, *style.again, *style.chatter, *style.closers]
    assert not any(any(sign.isdigit() for sign in one) for one in sentences)
    assert all(one.count("{do}") == 1 for one in style.frames)
    assert all(one.count("{ask}") == 1 for one in style.wonder) and all(one.count("{why}") == 1 for one in style.whys)


def test_the_same_seed_gives_the_same_bytes_in_another_process() -> None:
    program = (
        "from random import Random; from pathlib import Path; from envfactory_gym.environment import Package\n"
        "from envfactory_gym.synthesize.wording.sample import requests\n"
        "package = Package(Path('generated_servers/crm'), trusted=True)\n"
        "print([texts for _, texts, _ in requests(package, 25, 3)])"
    )
    root = Path(__file__).resolve().parents[3]
    printed = [
        subprocess.run(
            [sys.executable, "-c", program], cwd=root, env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    ]  # fmt: skip
    assert printed[0] == printed[1] and "['" in printed[0]


# ------------------------------------------------------------ on the shipped environments


@pytest.fixture(scope="module", params=["airline", "crm"])
def package(request: pytest.FixtureRequest, checkout: Path) -> Package:
    return Package(checkout / "generated_servers" / request.param, trusted=True)


def test_nothing_is_wrong_with_hundreds_of_requests(package: Package) -> None:
    names = {*package.tools, *package.schema.tables}
    names |= {column for table in package.schema.tables.values() for column in table.names}
    names |= {parameter.name for tool in package.tools.values() for parameter in tool.parameters}
    texts = []
    for style, conversation, literal in requests(package, 250, 1):
        for text in conversation:
            assert problems(text, [span for span in literal if span in text], names, lower=style == "phone") == [], text
            assert "I am talking about" not in text, f"a template said less than it was given: {text}"
        whole = " ".join(conversation)
        assert all(span in whole for span in literal)
        texts.append(trigrams(whole))
    near = sum(any(jaccard(one, other) >= 0.8 for other in texts[:place]) for place, one in enumerate(texts))
    assert near <= 0.02 * len(texts)


def test_people_are_drawn_by_seed() -> None:
    assert person(Random(4), "Ada Berg") == person(Random(4), "Ada Berg")
    assert len({person(Random(seed)).style.name for seed in range(200)}) == len(styles())


def test_nobody_takes_a_reason_back() -> None:
    wish = Wish("action", "cancel_trip", CANCEL.words, instead_of={"reason": "I'm ill"})
    assert not any("I'm ill" in text for text in written(wish))
