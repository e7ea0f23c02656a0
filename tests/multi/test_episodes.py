"""Episodes over two desks: gold and nothing, collateral next door, certificates, words shared by both."""

from __future__ import annotations

from typing import Any

import pytest

from envfactory_gym.agents import gold_messages
from envfactory_gym.environment import Bundle
from envfactory_gym.episode import Episode, EpisodeJournal
from envfactory_gym.episode.user import DONT_KNOW
from envfactory_gym.verify.certificate import certify
from tests.multi import desks

TASKS = [task["id"] for task in desks.TASKS]
DONE = {"role": "assistant", "content": "Done."}


def calls(*made: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    return {"content": "", "tool_calls": [{"name": name, "arguments": arguments} for name, arguments in made]}


def finish(episode: Episode, messages: list[dict[str, Any]]) -> Episode:
    """Play messages, then say that it is done until the episode ends."""
    for message in messages:
        episode.step(message)
    while episode.outcome is None:
        episode.step(DONE)
    return episode


@pytest.mark.parametrize("answer", ["text", "tool"])
@pytest.mark.parametrize("user", ["scripted", "solo"])
@pytest.mark.parametrize("task", TASKS)
def test_gold_pays_and_nothing_does_not(both: Bundle, task: str, user: Any, answer: Any) -> None:
    with Episode(both, task, user=user, answer=answer) as episode:
        episode.reset()
        assert finish(episode, list(gold_messages(episode))).outcome.reward == 1.0  # type: ignore[union-attr]
        episode.reset()
        assert finish(episode, []).outcome.reward == 0.0  # type: ignore[union-attr]


@pytest.mark.parametrize("user", ["scripted", "solo"])
@pytest.mark.parametrize("task", TASKS)
def test_every_row_of_the_certificate_holds(both: Bundle, task: str, user: Any) -> None:
    certificate = certify(both, both.task(task), user)
    assert [(row.check, row.evidence) for row in certificate.findings if not row.passed] == []
    assert len(certificate.findings) > 5


def test_the_same_row_changed_next_door_is_collateral(both: Bundle) -> None:
    """Row H2MZP stands in both databases; returning it at the wrong desk is two faults."""
    with Episode(both, "due-there-return-here") as episode:
        episode.reset()
        gold = list(gold_messages(episode))
        wrong = [
            calls(("workshop__return_item", {"loan_id": "H2MZP"})) if "H2MZP" in str(step) else step for step in gold
        ]
        outcome = finish(episode, wrong).outcome
        assert outcome is not None
        assert [turn.passed for turn in outcome.turns] == [True, False]
        assert outcome.turns[1].collateral == 2
        assert "workshop__loans" in str(outcome.turns[1].reasons)
        assert "missing change" in str(outcome.turns[1].reasons)


@pytest.mark.parametrize("task", [task for task in TASKS if task != "just-there"])
def test_gold_and_a_change_in_the_other_environment_fails(both: Bundle, task: str) -> None:
    with Episode(both, task, user="solo") as episode:
        episode.reset()
        extra = calls(("lending__return_item", {"loan_id": "B4RCE"}), ("workshop__return_item", {"loan_id": "B4RCE"}))
        outcome = finish(episode, [extra, *gold_messages(episode)]).outcome
        assert outcome is not None
        assert outcome.reward == 0.0
        assert outcome.turns[0].collateral == 4


def test_a_tool_of_an_environment_that_the_task_does_not_name_is_unknown(both: Bundle) -> None:
    with Episode(both, "just-there") as episode:
        episode.reset()
        step = episode.step(calls(("lending__list_loans", {"member_id": "M-101"})))
        assert "There is no tool 'lending__list_loans'" in step.messages[0]["content"]


def test_a_rule_is_declined_by_its_prefixed_id_only(both: Bundle) -> None:
    gold = both.task("tent-refused").turns[0].gold
    assert [call.arguments["rule"] for step in gold for call in step.calls if call.tool == "decline_request"] == [
        "workshop/extend-once"
    ]
    with Episode(both, "tent-refused") as episode:
        episode.reset()
        step = episode.step(calls(("decline_request", {"rule": "extend-once"})))
        assert "The policy has no rule 'extend-once'" in step.messages[0]["content"]
        assert "workshop/extend-once" in step.messages[0]["content"]
        episode.step(calls(("decline_request", {"rule": "lending/extend-once"})))
        assert finish(episode, []).outcome.turns[0].decline is False  # type: ignore[union-attr]


def test_the_prompt_says_whose_tools_are_whose(both: Bundle) -> None:
    with Episode(both, "borrow-at-both") as episode:
        prompt = episode.reset()[0]["content"]
    assert "the tools of Mill Lane Workshop begin with workshop__, its rules with workshop/" in prompt
    assert f"({desks.CLOCK})" in prompt
    assert prompt.index("[lending/extend-once]") < prompt.index("[workshop/extend-once]")


@pytest.mark.parametrize(
    ("slots", "reply"),
    [
        (
            [desks.slot("lending", "M-101"), desks.slot("workshop", "M-103")],
            "At Harbour Street my member number is M-101. At Mill Lane my member number is M-103.",
        ),
        ([desks.slot("workshop", "M-103")], "At Mill Lane my member number is M-103."),
        ([], DONT_KNOW),
    ],
)
def test_words_that_both_environments_ask_by_get_all_the_user_knows(
    both: Bundle, slots: list[dict[str, Any]], reply: str
) -> None:
    task = desks.private({**desks.BORROW_TWICE, "user": {"name": "Ada", "slots": slots}})
    with Episode(both, task) as episode:
        episode.reset()
        step = episode.step({"content": "What is your member number?"})
    assert [message["content"] for message in step.messages] == [reply]


def test_phrase_tables_and_policy_values_are_found_by_prefixed_name(both: Bundle) -> None:
    look = {
        "kind": "derived",
        "op": "phrase",
        "sources": [desks.said("camping gear")],
        "options": {"table": "workshop__category"},
    }
    turn = {
        "request": "Which camping gear do you have? Take back H2MZP for me.",
        "goal": {
            "calls": [
                desks.call("look", "workshop__search_items", category=look),
                desks.call("back", "lending__return_item", wish=True, loan_id=desks.said("H2MZP")),
            ]
        },
        "gold": [desks.ends("Done.")],
    }
    task = desks.private({**desks.BORROW_TWICE, "id": "phrases", "turns": [turn]})
    with Episode(both, task) as episode:
        made = episode.plan.turns[0].accepted[0].calls
    assert [call.arguments for call in made] == [{"category": "camping"}, {"loan_id": "H2MZP"}]


def test_never_and_loosened_columns_are_named_with_the_prefix(both: Bundle) -> None:
    task = both.task("sander-here-trimmer-there")
    forbidden = task.model_copy(update={"never": ("workshop__loans",)})
    with Episode(both, forbidden) as episode:
        episode.reset()
        outcome = finish(episode, list(gold_messages(episode))).outcome
    assert outcome is not None
    assert outcome.turns[0].reasons == ("the table workshop__loans must never be touched",)
    policy = "where((SELECT count(*) FROM loans) > 0 AND due_on > '2026-03-20')"
    loose = task.model_copy(update={"loosen": {"workshop__loans.due_on": policy}})
    with Episode(both, loose) as episode:
        episode.reset()
        assert finish(episode, list(gold_messages(episode))).outcome.success  # type: ignore[union-attr]


def test_an_earlier_choice_at_one_desk_is_carried_to_the_other(both: Bundle) -> None:
    """Turn 1 accepts either desk; what turn 2 expects is found on a fork of the agent's own state."""
    either = [
        {"calls": [desks.call("take", f"{desk}__borrow_item", wish=True, member_id=desks.said("M-104"), item_id=row)]}
        for desk in ("lending", "workshop")
        for row in [{"kind": "derived", "op": "number", "sources": [desks.said("7")]}]
    ]
    gold = [desks.does(desks.call("take", "lending__borrow_item", member_id="M-104", item_id=7)), desks.ends("Done.")]
    first = {
        "request": "M-104 wants item 7, from either desk.", "goal": either[0], "alternatives": either[1:], "gold": gold,
    }  # fmt: skip
    second = desks.DUE_THERE_RETURN_HERE["turns"][1]
    task = desks.private({**desks.BORROW_TWICE, "id": "either", "turns": [first, second]})
    with Episode(both, task) as episode:
        episode.reset()
        episode.step(calls(("workshop__borrow_item", {"member_id": "M-104", "item_id": 7})))
        episode.step(DONE)
        episode.step(calls(("lending__return_item", {"loan_id": "H2MZP"})))
        assert finish(episode, []).outcome.success  # type: ignore[union-attr]


@pytest.mark.parametrize("cut", [1, 3, 5])
def test_an_episode_is_resumed_from_its_journal(both: Bundle, cut: int) -> None:
    with Episode(both, "sander-here-trimmer-there") as episode:
        episode.reset()
        gold = list(gold_messages(episode))
        for message in gold[:cut]:
            episode.step(message)
        journal = EpisodeJournal.model_validate_json(episode.journal().model_dump_json())
        assert journal.environment == "EnvFactory/multi-v0"
    with Episode.replay(journal, package=both) as again:
        assert again.messages == episode.messages
        assert finish(again, gold[cut:]).outcome.success  # type: ignore[union-attr]


def test_interleaved_episodes_are_as_if_alone(both: Bundle) -> None:
    def digest(task: str) -> str:
        with Episode(both, task) as episode:
            episode.reset()
            finish(episode, list(gold_messages(episode)))
            return episode.world.digest()

    alone = {task: digest(task) for task in TASKS}
    together = {task: Episode(both, task) for task in TASKS}
    waiting = {}
    for task, episode in together.items():
        episode.reset()
        waiting[task] = list(gold_messages(episode))
    while any(waiting.values()):
        for task, messages in waiting.items():
            if messages:
                together[task].step(messages.pop(0))
    assert {task: episode.world.digest() for task, episode in together.items()} == alone
    assert all(episode.outcome.success for episode in together.values())  # type: ignore[union-attr]
    for episode in together.values():
        episode.close()
