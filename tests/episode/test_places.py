"""Places in an episode: checkpoints, forks, scores so far, pages of long results, and the async face."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from envfactory_gym import Episode, load_package
from envfactory_gym.agents import gold_messages
from envfactory_gym.environment import EnvironmentFault
from envfactory_gym.episode import AsyncEpisode, EpisodeOver, Reply, Step
from tests.support import lending

DONE = {"role": "assistant", "content": "Done."}


def looking(name: str, **arguments: Any) -> dict[str, Any]:
    return {"tool_calls": [{"name": name, "arguments": arguments}]}


@pytest.fixture
def playing() -> Iterator[Episode]:
    with Episode(load_package("airline"), "cancel-cheaper-london") as episode:
        episode.reset()
        yield episode


def finish(episode: Episode, messages: list[dict[str, Any]]) -> Step:
    step = None
    for message in messages:
        step = episode.step(message)
    assert step is not None
    return step


def test_from_a_checkpoint_an_episode_can_be_played_any_number_of_times(playing: Episode) -> None:
    gold = gold_messages(playing)
    finish(playing, gold[:2])
    seen, digest = list(playing.messages), playing.world.digest()
    point = playing.checkpoint()
    outcomes = []
    for ending in (gold[2:], [DONE], gold[2:]):
        step = finish(playing, ending)
        assert step.outcome is not None
        outcomes.append(step.outcome)
        playing.restore(point)
        assert (playing.messages, playing.world.digest(), playing.over) == (seen, digest, False)
    assert [outcome.success for outcome in outcomes] == [True, False, True]
    assert outcomes[0] == outcomes[2]


def test_checkpoints_nest_and_end_with_a_reset(playing: Episode) -> None:
    gold = gold_messages(playing)
    outer = playing.checkpoint()
    finish(playing, gold[:2])
    inner = playing.checkpoint()
    finish(playing, gold[2:])
    playing.restore(outer)
    assert playing.steps == 0
    with pytest.raises(EnvironmentFault, match="gone"):
        playing.restore(inner)
    playing.reset()
    with pytest.raises(EnvironmentFault, match="gone"):
        playing.restore(outer)


def test_a_fork_goes_on_without_its_origin(playing: Episode) -> None:
    gold = gold_messages(playing)
    finish(playing, gold[:2])
    with playing.fork() as other:
        assert other.messages == playing.messages
        step = finish(other, gold[2:])
        assert step.outcome is not None and step.outcome.success
        assert not playing.over and len(playing.messages) < len(other.messages)
        assert playing.world.digest() != other.world.digest()
    step = finish(playing, gold[2:])
    assert step.outcome is not None and step.outcome.success


def test_every_task_can_be_forked_in_the_middle_of_gold() -> None:
    package = lending()
    for task in package.tasks:
        with Episode(package, task) as episode:
            episode.reset()
            gold = gold_messages(episode)
            finish(episode, gold[: len(gold) // 2] or [looking("nothing")])
            with episode.fork() as other:
                assert (other.messages, other.world.digest()) == (episode.messages, episode.world.digest())


def test_a_score_so_far_is_what_stopping_here_would_give(playing: Episode) -> None:
    gold = gold_messages(playing)
    assert playing.score().kind == "failure"
    finish(playing, gold[:-1])
    before = list(playing.messages)
    assert playing.score().kind == "failure"  # the refund was not told yet
    assert playing.messages == before and not playing.over
    step = finish(playing, gold[-1:])
    assert playing.score() == step.outcome


@pytest.mark.parametrize("ask", [Episode.score, Episode.checkpoint, lambda episode: episode.step(DONE)])
def test_before_a_reset_there_is_no_place_to_look_at(ask: Any) -> None:
    with Episode(lending(), "return-sander") as episode, pytest.raises(EpisodeOver, match=r"call reset\(\) first"):
        ask(episode)


def test_an_agent_that_cannot_go_on_is_out_of_steps_and_accountable(playing: Episode) -> None:
    step = playing.stop("its context is full")
    assert step.outcome is not None and step.truncated
    assert (step.outcome.kind, step.outcome.reward_valid, step.outcome.reason) == (
        "out_of_steps", True, "its context is full",
    )  # fmt: skip
    with pytest.raises(EpisodeOver):
        playing.stop("again")


# ---------------------------------------------------------------- pages


def test_long_results_come_in_pages_and_nothing_is_lost() -> None:
    package = load_package("airline")
    whole = Episode(package, "cancel-cheaper-london")
    paged = Episode(package, "cancel-cheaper-london", max_result=300)
    call = looking("list_reservations", customer_id="E339408")
    with whole, paged:
        whole.reset()
        paged.reset()
        assert "read_more" in paged.tool_names and "read_more" not in whole.tool_names
        assert "read_more" in {tool["function"]["name"] for tool in paged.tools}
        expected = whole.step(call).messages[0]["content"]
        first = json.loads(paged.step(call).messages[0]["content"])
        assert (first["page"], len(first["text"])) == (1, 300)
        texts = [first["text"]]
        for number in range(2, first["pages"] + 1):
            page = paged.step(looking("read_more", result=first["result"], page=number)).messages[0]["content"]
            texts.append(json.loads(page)["text"])
        assert "".join(texts) == expected
        refused = [(1, 99), (7, 1), (0, 1)]
        for result, page in refused:
            assert "error" in paged.step(looking("read_more", result=result, page=page)).messages[0]["content"]


def test_pages_are_played_again_and_undone_with_the_rest() -> None:
    call = looking("list_reservations", customer_id="E339408")
    with Episode(load_package("airline"), "cancel-cheaper-london", max_result=300) as episode:
        episode.reset()
        point = episode.checkpoint()
        episode.step(call)
        with episode.fork() as other:
            more = looking("read_more", result=1, page=2)
            assert other.step(more).messages == episode.step(more).messages
        episode.restore(point)
        assert "No long result" in episode.step(looking("read_more", result=1, page=1)).messages[0]["content"]


def test_a_page_cannot_be_tiny() -> None:
    with pytest.raises(ValueError, match="max_result is at least"):
        Episode(lending(), lending().tasks[0], max_result=10)


# ---------------------------------------------------------------- a user whose words come from outside


def test_a_user_outside_says_what_the_script_would_and_the_reward_is_the_same() -> None:
    package = lending()
    for task in package.tasks:
        with Episode(package, task) as scripted, Episode(package, task, user="model") as outside:
            assert scripted.reset() == outside.reset()
            for message in gold_messages(scripted):
                turns = len(scripted.grades)
                step = scripted.step(message)
                reply = None
                if outside.awaits_reply(message):
                    ended = len(scripted.grades) > turns
                    said = None if ended else step.messages[-1]["content"]
                    reply = None if said is None else Reply(said, affirms=said.startswith("Yes"))
                assert outside.step(message, reply=reply).messages == step.messages
            assert outside.outcome == scripted.outcome and scripted.over
            with Episode.replay(outside.journal(), package=package) as again:
                assert (again.messages, again.outcome) == (outside.messages, outside.outcome)


def test_replies_belong_to_the_form_in_which_they_are_asked_for(playing: Episode) -> None:
    assert not playing.awaits_reply(DONE)
    with pytest.raises(ValueError, match="user='model'"):
        playing.step(DONE, reply=Reply("No."))
    assert playing.steps == 0


def test_the_last_exchange_is_the_last() -> None:
    package = load_package("airline")
    ask = {"role": "assistant", "content": "Could you tell me your name?"}
    with Episode(package, "cancel-cheaper-london", user="model") as episode:
        episode.reset()
        for _ in range(episode.task.max_exchanges):
            assert episode.awaits_reply(ask)
            episode.step(ask, reply=Reply("I would rather not say."))
        assert not episode.awaits_reply(ask)
        assert episode.step(ask).outcome is not None


# ---------------------------------------------------------------- the async face


async def test_the_async_face_plays_the_same_episode() -> None:
    package = load_package("airline")
    async with AsyncEpisode(Episode(package, "cancel-cheaper-london")) as playing:
        for _ in range(2):
            messages = await playing.areset()
            assert messages[1]["role"] == "user"
            for message in gold_messages(playing.episode):
                step = await playing.astep(message)
            assert step.outcome is not None and step.outcome.success
            assert await playing.score() == step.outcome
