"""Many episodes at once, and plain text: the same episodes as one by one, through other doors."""

import json
import subprocess
import sys

import gymnasium as gym
import numpy as np
import pytest

import envfactory_gym
from envfactory_gym.agents import gold_messages
from envfactory_gym.episode import Episode
from envfactory_gym.episode.text_form import write_text
from envfactory_gym.rl.env import EnvFactoryEnv
from envfactory_gym.rl.text import AnyText, TextActions
from envfactory_gym.rl.vector import EnvFactoryVectorEnv
from tests.support import LENDING, lending

DONE = {"role": "assistant", "content": "Done."}


def made(count, **options):
    return EnvFactoryVectorEnv(str(LENDING), num_envs=count, trusted=True, **options)


def test_a_vector_is_what_gymnasium_makes_where_nothing_else_is_asked_for():
    envfactory_gym.register()
    envs = gym.make_vec("EnvFactory/airline-v0", num_envs=3, split="train", max_steps=4)
    assert isinstance(envs.unwrapped, EnvFactoryVectorEnv)
    assert envs.unwrapped.metadata["autoreset_mode"] is gym.vector.AutoresetMode.DISABLED
    observations, infos = envs.reset(seed=5)
    assert len(observations) == 3 and len(infos["task_id"]) == 3
    envs.close()


def test_one_seed_plays_the_same_in_a_vector_in_gymnasiums_own_and_one_by_one():
    options = {"environment": str(LENDING), "trusted": True, "max_steps": 3}
    gym.register("EnvFactoryTest/Vector-v0", entry_point="envfactory_gym.rl.env:EnvFactoryEnv",
                 vector_entry_point="envfactory_gym.rl.vector:EnvFactoryVectorEnv", kwargs=options)  # fmt: skip
    single = [EnvFactoryEnv(**options) for _ in range(4)]
    alone = [env.reset(seed=9 + i)[0] for i, env in enumerate(single)]
    heard = [env.step(DONE) for env in single]
    for mode, more in ((None, {}), ("sync", {}), ("async", {"vector_kwargs": {"shared_memory": False}})):
        envs = gym.make_vec("EnvFactoryTest/Vector-v0", num_envs=4, vectorization_mode=mode, **more)
        observations, _ = envs.reset(seed=9)
        assert json.dumps(observations) == json.dumps(alone), mode
        observations, rewards, terminated, truncated, _ = envs.step((DONE,) * 4)
        assert json.dumps(observations) == json.dumps([one[0] for one in heard]), mode
        assert list(rewards) == [one[1] for one in heard]
        assert list(terminated) == [one[2] for one in heard] and list(truncated) == [one[3] for one in heard]
        envs.close()


def test_shared_memory_is_refused_and_not_silently_wrong():
    code = (
        "import gymnasium as gym, envfactory_gym\n"
        "if __name__ == '__main__':\n"
        "    try:\n"
        "        gym.make_vec('EnvFactory/airline-v0', num_envs=2, vectorization_mode='async')\n"
        "    except (ValueError, TypeError) as error:\n"
        "        print('refused', type(error).__name__)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert "refused" in done.stdout, done.stdout + done.stderr


def test_what_is_over_stays_over_until_the_mask_begins_it_again():
    envs = made(2, task="return-sander")
    envs.reset()
    read = {"tool_calls": [{"name": "search_items", "arguments": {}}]}
    _, _, terminated, _, infos = envs.step((DONE, read))
    assert list(terminated) == [True, False]
    assert infos["outcome"]["kind"][0] == "failure" and list(infos["_outcome"]) == [True, False]
    observations, rewards, terminated, truncated, _ = envs.step((None, read))
    assert list(terminated) == [True, False] and not truncated.any() and not rewards.any()
    assert observations[1][0]["role"] == "tool"
    again, infos = envs.reset(options={"reset_mask": np.array([True, False])})
    assert again[0][0]["role"] == "system" and again[1][0]["role"] == "tool"
    assert list(infos["_task_id"]) == [True, False]
    _, _, terminated, _, _ = envs.step((read, read))
    assert not terminated.any()


def test_episodes_that_run_out_of_steps_are_truncated_and_stay_so():
    envs = made(1, task="return-sander", max_episode_steps=1)
    envs.reset()
    for _ in range(2):
        _, _, terminated, truncated, _ = envs.step(({"tool_calls": []} | DONE | {"tool_calls": [
            {"name": "search_items", "arguments": {}}]},))  # fmt: skip
        assert (bool(terminated[0]), bool(truncated[0])) == (False, True)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: made(0), "at least 1"),
        (lambda: made(2).reset(options={"task": "x"}), "unknown: task"),
        (lambda: made(2).reset(options={"reset_mask": [True]}), "one entry for each"),
        (lambda: made(2).reset(seed=[1]), "1 seeds for 2"),
        (lambda: made(2).step((DONE,)), "1 actions for 2"),
    ],
)
def test_mistakes_of_the_program_raise(wrong, said):
    with pytest.raises(ValueError, match=said):
        wrong()


def test_tasks_can_be_named_one_for_each():
    _, infos = made(2).reset(options={"tasks": ["return-sander", "extend-tent-once"]})
    assert list(infos["task_id"]) == ["return-sander", "extend-tent-once"]


def test_gold_written_as_text_succeeds_for_every_task():
    package = lending()
    for task in package.tasks:
        env = TextActions(EnvFactoryEnv(package, task=task.id))
        first, info = env.reset()
        assert all(tool["function"]["name"] in first for tool in info["tools"])
        with Episode(package, task) as episode:
            script = gold_messages(episode)
        for message in script:
            said, reward, terminated, truncated, info = env.step(write_text(message))
            assert "<tool_response>" in said or not message.get("tool_calls")
        assert (reward, terminated, truncated) == (1.0, True, False), task.id
        env.close()


def test_what_cannot_be_read_is_a_refused_call_and_is_told():
    env = TextActions(EnvFactoryEnv(str(LENDING), trusted=True, task="return-sander"))
    env.reset()
    said, reward, terminated, _, info = env.step('<tool_call>{"name": "search_items", "arguments": {</tool_call>')
    assert "error" in said and info["unreadable"] and not terminated and reward == 0.0
    _, _, _, _, info = env.step("<think>hm</think>Done.")
    assert "unreadable" not in info


def test_spaces_of_the_wrapper_take_any_text():
    env = TextActions(EnvFactoryEnv(str(LENDING), trusted=True))
    observation, _ = env.reset(seed=0)
    assert observation in env.observation_space and "東京" in AnyText() and 5 not in AnyText()
    space = AnyText(seed=3)
    drawn = space.sample()
    space.seed(3)
    assert space.sample() == drawn
    with pytest.raises(ValueError, match="mask"):
        space.sample(mask=1)
