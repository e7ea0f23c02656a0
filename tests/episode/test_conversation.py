"""The scripted user tells what it is asked, affirms or corrects, and never betrays the grading."""

import json

import pytest

from envfactory_gym.environment import TaskError, TaskPrivate
from envfactory_gym.episode import Episode, EpisodeJournal, EpisodeOver, InvalidAction, render
from envfactory_gym.episode.record import record
from tests.support import lending

PACKAGE = lending()


def text(content):
    return {"role": "assistant", "content": content}


def call(name, **arguments):
    return {"role": "assistant", "content": "", "tool_calls": [{"name": name, "arguments": arguments}]}


def begun(task="return-sander", **options):
    episode = Episode(PACKAGE, task, **options)
    episode.reset()
    return episode


def reply(episode, content):
    step = episode.step(text(content))
    return step.messages[-1]["content"] if step.messages else None


def test_the_prompt_holds_the_policy_the_time_and_what_to_do():
    episode = Episode(PACKAGE, "return-sander")
    system, user = episode.reset()
    assert system["role"] == "system"
    assert user == {
        "role": "user",
        "content": PACKAGE.task("return-sander").turns[0].request,
    }
    assert "[extend-once] A loan may be extended once" in system["content"]
    assert "Tuesday, 2026-03-10 09:00 UTC" in system["content"]
    assert "decline_request" in system["content"]


def test_slots_are_told_when_asked_and_only_then():
    episode = begun()
    assert "M-101" not in episode.messages[-1]["content"]
    assert reply(episode, "Could you tell me your member number?") == "My member number is M-101."
    assert reply(episode, "Sorry, what was your member number again?") == "My member number is M-101."


def test_the_user_says_when_it_does_not_know():
    task = PACKAGE.task("return-sander")
    nobody = task.model_copy(update={"user": task.user.model_copy(update={"slots": ()})})
    episode = begun(nobody.model_copy(update={"turns": PACKAGE.task("due-drill-then-extend").turns}))
    assert "don't know" in reply(episode, "What is your member number?")


def test_exchanges_are_limited_and_then_a_question_ends_the_turn():
    episode = begun()
    for _ in range(6):
        assert reply(episode, "What is your member number?") is not None
    assert episode.step(text("What is your member number?")).outcome is not None


def test_a_confirmation_with_the_right_details_is_affirmed():
    episode = begun("extend-tent-once")
    assert "go ahead" in reply(episode, "Shall I extend loan T9XWA of the family tent to 19 March 2026?")


def test_a_blanket_confirmation_is_asked_for_details_each_time():
    episode = begun(booking())
    for _ in range(2):
        assert reply(episode, "Shall I go ahead?") == "Please tell me exactly what you would do first."


def booking() -> TaskPrivate:
    """A wish whose facts the user can check: how many days, by which category."""
    task = PACKAGE.task("borrow-cheapest-then-return")
    return task.model_copy(update={"turns": task.turns[:1]})


def test_a_value_that_conflicts_with_the_wish_is_corrected():
    episode = begun(booking())
    corrected = reply(episode, "I would lend you something for the workshop, item 2. Shall I go ahead?")
    assert corrected is not None
    assert "camping gear" in corrected
    assert corrected.startswith("No")
    assert "go ahead" in reply(episode, "So camping gear: the camping stove, item 9. Shall I go ahead?")


def test_the_reply_does_not_depend_on_the_state():
    """A user that saw the state would be a grading oracle."""
    before, after = begun(), begun()
    after.step(call("return_item", loan_id="H2MZP"))
    for said in ("What is your member number?", "Shall I close loan H2MZP of the sander?"):
        assert reply(before, said) == reply(after, said)


def test_solo_is_one_ticket_without_replies():
    episode = Episode(PACKAGE, "due-drill-then-extend", user="solo")
    messages = episode.reset()
    ticket = messages[-1]["content"]
    assert all(turn.request in ticket for turn in PACKAGE.task("due-drill-then-extend").turns)
    assert "My member number is M-101." in ticket
    step = episode.step(text("What is your member number?"))
    assert step.outcome is not None, "nobody answers in a ticket"


def test_a_task_without_solo_form_says_so():
    task = PACKAGE.task("return-sander").model_copy(update={"solo": False})
    with pytest.raises(TaskError, match="no solo form"):
        Episode(PACKAGE, task, user="solo")


@pytest.mark.parametrize(
    "action", [None, 3, "Done.", [], {}, {"role": "user", "content": "x"}, {"content": 3}, {"tool_calls": "x"}, {"tool_calls": [3]}, {"tool_calls": [{"id": "x"}]}, {"tool_calls": [{"name": 3}]}]
)  # fmt: skip
def test_what_is_no_message_raises(action):
    with pytest.raises(InvalidAction):
        begun().step(action)


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("retrun_item", {}, "return_item"),
        ("_loan", {}, "no tool"),
        ("__init__", {}, "no tool"),
        ("", {}, "no tool"),
        ("return_item", "{loan_id: H2MZP}", "not valid JSON"),
        ("return_item", "", "needs the argument"),
        ("return_item", None, "needs the argument"),
        ("return_item", [1], "object"),
        ("return_item", {"loan_id": 5}, "valid string"),
        ("return_item", {"loan_id": "H2MZP", "force": True}, "no argument 'force'"),
        ("return_item", {"loan_id": "\ud800"}, "not valid JSON"),
        ("return_item", {"loan_id": "x' OR '1'='1"}, "no loan"),
        ("return_item", {"loan_id": "H2MZP", "note": "x" * 300}, "at most 200 characters"),
        ("return_item", {"loan_id": "H2MZP", "note": "x" * 300_000}, "longer than"),
        ("return_item", '{"loan_id": "' + "x" * 300_000 + '"}', "longer than"),
        ("list_loans", {"member_id": "M-101\x00"}, "pattern"),
        ("search_items", {"title": "%"}, '"items":[]'),
    ],
)  # fmt: skip
def test_what_a_model_gets_wrong_is_answered_and_uses_a_step(name, arguments, message):
    episode = begun()
    before = episode.world.digest()
    step = episode.step({"role": "assistant", "content": None, "tool_calls": [{"name": name, "arguments": arguments}]})
    assert message in step.messages[0]["content"]
    assert step.messages[0]["role"] == "tool"
    assert step.outcome is None
    assert episode.steps == 1
    assert episode.world.digest() == before


class Opaque:
    """What only a calling program can put into arguments."""

    def __repr__(self):
        return "Opaque"


def nested(depth):
    return {"loan_id": nested(depth - 1)} if depth else {}


@pytest.mark.parametrize(
    "arguments",
    [
        {"loan_id": "\ud800"}, "\ud800", '{"loan_id": "\\ud800"}', {"loan_id": float("nan")}, {"loan_id": float("-inf")},
        {"loan_id": "NaN"}, {"loan_id": b"\xff"}, {"loan_id": Opaque()}, {"loan_id": ("a", 1)}, {1: 2}, {"loan_id": 2**70},
        nested(150), nested(900), [[]], [nested(900)], [Opaque()], b"\xff", 3.5,
    ],
)  # fmt: skip
def test_whatever_a_model_gives_the_transcript_is_json_and_can_be_played_again(arguments):
    episode = begun()
    call = {"id": "c\udfff", "name": "return_item\ud800", "arguments": arguments}
    episode.step({"content": "\udc80", "tool_calls": [call, {**call, "name": "return_item"}]})
    text = json.dumps(episode.messages, ensure_ascii=False, allow_nan=False).encode()
    journal = EpisodeJournal.model_validate_json(episode.journal().model_dump_json())
    again = Episode.replay(journal, package=episode.package)
    assert json.dumps(again.messages, ensure_ascii=False, allow_nan=False).encode() == text
    assert record(episode, "someone").line().encode() == record(again, "someone").line().encode()
    assert render(episode) == render(again)


def test_steps_before_the_beginning_and_after_the_end_raise():
    episode = Episode(PACKAGE, "return-sander")
    with pytest.raises(EpisodeOver, match="reset"):
        episode.step(text("Done."))
    episode.reset()
    assert episode.step(text("Done.")).outcome is not None
    with pytest.raises(EpisodeOver, match="reset"):
        episode.step(text("Done."))
    episode.reset()
    assert episode.outcome is None
    assert episode.steps == 0


def test_an_episode_is_resumed_from_its_journal():
    episode = begun()
    reply(episode, "What is your member number?")
    episode.step(call("return_item", loan_id="H2MZP"))
    journal = EpisodeJournal.model_validate_json(episode.journal().model_dump_json())
    again = Episode.replay(journal, package=PACKAGE)
    assert again.messages == episode.messages
    assert again.world.digest() == episode.world.digest()
    assert again.step(text("Done.")).outcome == episode.step(text("Done.")).outcome


def test_a_journal_of_another_version_is_refused():
    journal = begun().journal().model_copy(update={"world_hash": "0" * 32})
    with pytest.raises(TaskError, match="changed"):
        Episode.replay(journal, package=PACKAGE)


def test_a_task_of_another_version_is_refused():
    task = PACKAGE.task("return-sander").model_copy(update={"world_hash": "0" * 32})
    with pytest.raises(TaskError, match="envfactory verify"):
        Episode(PACKAGE, task)


def test_the_harness_may_end_an_episode_without_blaming_the_agent():
    for kind in ("user_error", "infra"):
        step = begun().abort(kind, "the line was cut")
        assert step.outcome.kind == kind
        assert not step.outcome.reward_valid
        assert (step.reward, step.truncated, step.terminated) == (0.0, True, False)


def test_the_transcript_reads_well():
    episode = begun()
    reply(episode, "What is your member number?")
    episode.step(call("return_item", loan_id="H2MZP"))
    episode.step(text("Done."))
    shown = render(episode)
    assert "My member number is M-101." in shown
    assert "return_item" in shown
    assert "success · reward 1" in shown
    assert max(map(len, shown.splitlines())) <= 96
