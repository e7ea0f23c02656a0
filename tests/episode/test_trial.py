"""A trial plays a variant inside an episode and leaves no trace of it."""

import pytest

from envfactory_gym.agents import gold_messages
from envfactory_gym.episode import Episode
from tests.support import lending

PACKAGE = lending()
DONE = {"role": "assistant", "content": "Done."}


def state(episode):
    return (
        list(episode.messages), list(episode.calls), list(episode.grades), episode.outcome, episode.steps,
        episode.paid, episode.world.digest(), episode.world.now, episode.journal().messages,
    )  # fmt: skip


@pytest.mark.parametrize("task", [task.id for task in PACKAGE.tasks])
def test_gold_succeeds_between_and_inside_trials(task):
    with Episode(PACKAGE, task, reward="turns") as episode:
        episode.reset()
        messages = gold_messages(episode)
        for index, message in enumerate(messages):
            before = state(episode)
            with episode.trial():
                while not episode.over:
                    episode.step(DONE)
            assert state(episode) == before
            with episode.trial():
                for following in messages[index:]:
                    episode.step(following)
                assert episode.outcome.success
            assert state(episode) == before
            episode.step(message)
        assert episode.outcome.success
        assert episode.outcome.reward == 1.0


def test_trials_nest_and_end_where_a_step_raises():
    with Episode(PACKAGE, "due-drill-then-extend") as episode:
        episode.reset()
        before = state(episode)
        with episode.trial():
            episode.step(gold_messages(episode)[0])
            middle = state(episode)
            with episode.trial():
                episode.step(DONE)
                assert state(episode) != middle
            assert state(episode) == middle
        with pytest.raises(TypeError), episode.trial():
            episode.step("no action")
        assert state(episode) == before
