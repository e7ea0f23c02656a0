"""The scripted user understands what an agent's message asks, from its words alone."""

import time

import pytest

from envfactory_gym.episode.classify import Move, classify
from envfactory_gym.episode.phrase_bank import RULES, SLOTS, accuracy, phrases


def move(text, rules=RULES):
    return classify(text, slots=SLOTS, rules=rules)


def test_the_bank_is_large_and_has_no_sentence_twice():
    assert len([phrase for phrase in phrases() if not phrase.held_out]) >= 160
    assert len([phrase for phrase in phrases() if phrase.held_out]) >= 60
    assert len({phrase.text for phrase in phrases()}) == len(phrases())


@pytest.mark.parametrize("held_out", [False, True])
def test_accuracy_is_at_least_95_percent(held_out):
    figures = accuracy(held_out=held_out)
    assert figures["all"].share >= 0.95
    assert min(figure.share for figure in figures.values()) >= 0.8
    assert figures["all"].total == sum(figure.total for label, figure in figures.items() if label != "all")


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("What is your date of birth?", ("date_of_birth",)),
        ("Please provide:\n1. customer number\n2. email address", ("customer_id", "email")),
        ("- What is your customer number?\n- And what is your phone number?", ("customer_id", "phone")),
        ("Thanks for the customer number. What is the booking reference?", ("reservation",)),
        ("Your customer number is C-1. What would you like to do?", ()),
        ("What is your shoe size?", ()),
    ],
)
def test_slots_are_found_in_what_is_asked_and_not_in_what_is_told(text, slots):
    assert move(text) == Move("asks", slots)


def test_a_fact_is_asked_for_even_with_the_verb_confirm():
    assert move("Please confirm your date of birth.").slots == ("date_of_birth",)
    assert move("Please confirm the cancellation.").kind == "asks_confirmation"


def test_a_fact_asked_for_goes_before_a_confirmation():
    assert move("Shall I cancel it? If so, what is your customer number?") == Move("asks", ("customer_id",))


@pytest.mark.parametrize("text", ["Which flight should I cancel?", "Would you like to cancel or to change it?"])
def test_a_question_that_yes_does_not_answer_is_no_confirmation(text):
    assert move(text) == Move("asks")


def test_the_longest_of_overlapping_phrases_counts():
    slots = {"name": ("name",), "company": ("company name",)}
    assert classify("What is the company name?", slots=slots, rules={}).slots == ("company",)


def test_a_slot_without_phrases_is_asked_for_by_its_name():
    assert classify("What is your loyalty tier?", slots={"loyalty_tier": ()}, rules={}).slots == ("loyalty_tier",)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("By rule one-bag I can't add that for free.", "one-bag"),
        ("I'm sorry, I cannot do that: a basic fare can't be refunded or changed.", "basic-fare"),
        ("I can't do that.", None),
    ],
)
def test_the_rule_of_a_refusal_is_the_one_named_or_resembled(text, rule):
    assert move(text) == Move("declines", rule=rule)


@pytest.mark.parametrize(
    "text", ["", " \n", "👍", "?", "```json\n{}\n```", "a" * 50_000, "?" * 5_000, "please " * 5_000]
)
def test_any_text_is_classified(text):
    assert move(text).kind in ("asks", "asks_confirmation", "declines", "other")


@pytest.mark.parametrize(
    "piece", ["\n", " \n", "\n\n- ", ":\n", "proceed with the ", "shall i ", "1. ", "? ", "policy "]
)
def test_long_messages_are_classified_in_proportion_to_their_length(piece):
    """A model that repeats itself without end must not stop the harness."""
    begin = time.process_time()
    classify("Well" + piece * (60_000 // len(piece)), slots={"customer": ["customer number"]}, rules={"late": "x"})
    assert time.process_time() - begin < 10
