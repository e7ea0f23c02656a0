"""Ray itself: whole episodes in actors, an actor lost in the middle, and the rate beside one process."""

import os
import signal
import time

import pytest

from envfactory_gym import load_package

pytest.importorskip("ray", reason="needs the extra `ray`: make test-integrations")
os.environ.update(RAY_USAGE_STATS_ENABLED="0", RAY_AUTH_MODE="disabled")

import ray

from envfactory_gym.integrations.ray import EpisodePool, Job, gold_agent, play_jobs

EPISODES = 400
LEAST = 0.8
"""Share of the in-process rate that one actor must reach."""


@pytest.fixture(scope="module", autouse=True)
def cluster():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, _node_ip_address="127.0.0.1")
    yield
    ray.shutdown()


def jobs(count):
    tasks = [task.id for task in load_package("airline").tasks]
    return [Job("airline", tasks[index % len(tasks)], seed=index) for index in range(count)]


def told(records):
    return sorted((record.task, record.seed, record.digest, record.outcome.kind) for record in records)


def test_records_are_those_of_one_process_and_none_is_lost_or_doubled():
    with EpisodePool(gold_agent, actors=2) as pool:
        assert told(pool.play(jobs(150))) == told(play_jobs(gold_agent, jobs(150)))


def test_episodes_of_a_lost_actor_are_played_again_to_the_same_end(capsys):
    wanted = told(play_jobs(gold_agent, jobs(EPISODES)))
    with EpisodePool(gold_agent, actors=2) as pool:
        victim, _ = pool.warm()
        found = []
        for number, record in enumerate(pool.play(jobs(EPISODES), batch=8)):
            found.append(record)
            if number == 40:
                os.kill(victim, signal.SIGKILL)
        assert pool.lost == 1
    assert told(found) == wanted
    with capsys.disabled():
        print(f"\nray: {EPISODES} episodes, one of two actors killed, every final state as in one process")


def test_an_actor_plays_at_least_four_fifths_of_what_one_process_does(capsys):
    """Both on one core, in turns, so that whatever else the machine does hits both."""
    work = jobs(EPISODES)
    play_jobs(gold_agent, work[:100])
    shares = []
    with EpisodePool(gold_agent, actors=1) as pool:
        pool.warm()
        list(pool.play(work[:100]))
        for _ in range(5):
            start = time.perf_counter()
            play_jobs(gold_agent, work)
            middle = time.perf_counter()
            assert len(list(pool.play(work))) == EPISODES
            shares.append((middle - start) / (time.perf_counter() - middle))
            rate = EPISODES / (middle - start)
    middle_share = sorted(shares)[len(shares) // 2]
    with capsys.disabled():
        print(f"\nray: one actor plays {middle_share:.0%} of the in-process rate (about {rate:.0f} episodes/s); runs:",
              ", ".join(f"{share:.0%}" for share in shares))  # fmt: skip
    assert middle_share >= LEAST
