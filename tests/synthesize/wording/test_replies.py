"""The agent's messages in gold are understood by a scripted user."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from envfactory_gym.environment import Bundle, Package
from envfactory_gym.environment.task import GoldCall
from envfactory_gym.episode.classify import classify
from envfactory_gym.episode.constraints import confirmed
from envfactory_gym.episode.instructions import read_instruction
from envfactory_gym.synthesize.wording import replies


@pytest.fixture(scope="module")
def airline(checkout: Path) -> Package:
    return Package(checkout / "generated_servers" / "airline", trusted=True)


def asked_by(package: Package) -> dict[str, tuple[str, ...]]:
    return {name: slot.asked or (name,) for name, slot in package.language.slots.items()}


@pytest.mark.parametrize("seed", range(12))
def test_questions_ask_for_the_slots_and_no_others(airline: Package, seed: int) -> None:
    slots = asked_by(airline)
    for wanted in (["customer_id"], ["email"], ["customer_id", "email"], ["new_phone"], ["travel_date"]):
        text = replies.question_of_agent(wanted, airline.language, Random(seed))
        move = classify(text, slots=slots, rules={})
        assert move.kind == "asks" and set(move.slots) == set(wanted), text


def gold_writes(package: Package) -> list[GoldCall]:
    return [
        call
        for task in package.tasks
        for turn in task.turns
        for step in turn.gold
        for call in step.calls
        if call.tool in package.tools and package.tools[call.tool].confirm
    ]


@pytest.mark.parametrize("seed", range(3))
def test_confirmations_state_every_key_argument_and_ask_leave(airline: Package, seed: int) -> None:
    calls = gold_writes(airline)
    assert len(calls) > 20
    for call in calls:
        text = replies.confirmation([call], airline.tools, airline.language, Random(seed))
        assert classify(text, slots=asked_by(airline), rules={}).kind == "asks_confirmation", text
        assert confirmed(airline.tools[call.tool], call.arguments, (text,), airline.language), text
        assert "{" not in text and "_" not in text.replace(str(call.arguments), ""), text


@pytest.mark.parametrize("seed", range(6))
def test_amounts_are_confirmed_as_money(checkout: Path, seed: int) -> None:
    banking = Package(checkout / "generated_servers" / "banking", trusted=True)
    given = {"account_id": "20417733", "payee_id": "7QK2MD", "amount_cents": 9650, "send_on": "2026-06-02"}
    call = GoldCall(id="pay", tool="send_money", arguments=given)
    text = replies.confirmation([call], banking.tools, banking.language, Random(seed))
    assert "$96.50" in text and "9650" not in text
    assert confirmed(banking.tools["send_money"], given, (text,), banking.language), text


def test_two_writes_are_confirmed_together(airline: Package) -> None:
    calls = gold_writes(airline)[:2]
    text = replies.confirmation(calls, airline.tools, airline.language, Random(1))
    assert all(confirmed(airline.tools[call.tool], call.arguments, (text,), airline.language) for call in calls)


@pytest.mark.parametrize("seed", range(8))
def test_instructions_are_followed(airline: Package, seed: int) -> None:
    tool = next(tool for tool in airline.tools.values() if tool.actor == "user")
    text = replies.instruction(tool, airline.language, Random(seed))
    told = read_instruction(text, airline, {"customer_id": "E104822"}, "2026-05-14T09:00:00Z")
    assert told is not None and told.tool.name == tool.name


@pytest.mark.parametrize("seed", range(8))
def test_the_last_message_tells_every_answer_and_asks_nothing_of_the_user(airline: Package, seed: int) -> None:
    writes = [tool for tool in airline.tools.values() if not tool.read_only][: seed % 3]
    subjects = ["refund", "valid until", "points", "paid too"][: 1 + seed % 4]
    text = replies.closing(subjects, writes, Random(seed))
    assert all(text.count(f"{{{subject}}}") == 1 for subject in subjects), text
    move = classify(text.format_map(dict.fromkeys(subjects, "$3")), slots=asked_by(airline), rules={})
    assert move.kind == "other", text


def test_replies_vary_by_seed(airline: Package) -> None:
    texts = {replies.question_of_agent(["customer_id"], airline.language, Random(seed)) for seed in range(40)}
    assert len(texts) >= 10


def test_the_one_who_asks_is_not_stated_where_several_environments_meet(checkout: Path) -> None:
    bundle = Bundle([Package(checkout / "generated_servers" / name, trusted=True) for name in ("airline", "crm")])
    tool = bundle.tools["airline__book_reservation"]
    arguments = {"customer_id": "E104822", "fare": "flex", "flight_id": "EF118-2026-05-20"}
    for seed in range(6):
        call = GoldCall(id="book", tool=tool.name, arguments=arguments)
        text = replies.confirmation([call], bundle.tools, bundle.language, Random(seed))
        assert "E104822" not in text and "__" not in text
        assert confirmed(tool, arguments, (text,), bundle.language)


def test_several_are_spoken_of_in_the_plural() -> None:
    texts = " ".join(replies.closing(["points", "number of employees"], [], Random(seed)) for seed in range(20))
    assert "The points is" not in texts and "the number of employees are" not in texts.lower()
