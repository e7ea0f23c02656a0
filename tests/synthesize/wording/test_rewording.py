"""A model's words are taken only if they keep every span and add no fact."""

from __future__ import annotations

import pytest

from envfactory_gym.synthesize.wording.rewording import Message, Rewording, messages, objection

TEXT = "Hi. Could you cancel my trip to Oslo on 21 May? My plans changed. How much of the $210 do I get back?"
SPANS = ("my trip to Oslo on 21 May", "$210")
GOOD = "Hello, I need my trip to Oslo on 21 May to be cancelled. Of the $210, how much comes back to me?"


def test_a_faithful_rewording_is_taken() -> None:
    assert objection(GOOD, TEXT, SPANS) is None


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("", "nothing"),
        (GOOD.replace("21 May", "May 21"), "literal"),
        (GOOD.replace("$210", "amount"), "literal"),
        (GOOD + " I paid 300 in all.", "number"),
        (GOOD + " Booking K7Q2MD it was.", "number"),
        (GOOD + " There were four of us.", "number"),
        (GOOD + " It was to start tomorrow.", "day"),
        (GOOD + " We meet in October.", "day"),
        (GOOD + " Regards, Ingrid", "name"),
        (GOOD + " I go with my friend Otto.", "name"),
        (GOOD + " Use cancel_reservation.", "name of the code"),
        (GOOD + " Thank you very much indeed." * 12, "too long"),
        ("Please cancel my trip to Oslo on 21 May, I paid $210.", "question"),
        (GOOD + " please please.", "badly written"),
    ],
)
def test_faults_are_found(said: str, reason: str) -> None:
    found = objection(said, TEXT, SPANS, {"cancel_reservation"})
    assert found is not None and reason in found


def test_the_scripts_sentence_stays_and_the_reason_is_counted() -> None:
    answers = iter([GOOD, f'Sure, here is another version:\n"{GOOD}"', "Cancel it. Thanks, Otto 99"])

    def complete(chat: list[Message]) -> str:
        assert chat[-1]["content"] == TEXT
        return next(answers)

    rewording = Rewording(complete)
    assert rewording(TEXT, SPANS) == GOOD
    assert rewording(TEXT, SPANS) == GOOD
    assert rewording(TEXT, SPANS) == TEXT
    assert rewording.outcomes == {"reworded": 2, "a literal span is missing": 1}


def test_the_model_is_told_what_to_keep_and_who_writes() -> None:
    rules = messages(TEXT, SPANS, "Writes in a hurry.")[0]["content"]
    assert all(span in rules for span in SPANS) and "Writes in a hurry." in rules
