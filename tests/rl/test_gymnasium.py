"""The Gymnasium face: registration, spaces, seeds, limits, pickling, rendering."""

import json
import os
import pickle
import subprocess
import sys
import warnings

import gymnasium as gym
import pytest
from gymnasium.utils.env_checker import check_env
from hypothesis import given, settings
from hypothesis import strategies as st

import envfactory_gym
from envfactory_gym.environment import TaskError
from envfactory_gym.episode import EpisodeOver, InvalidAction
from envfactory_gym.rl.env import EnvFactoryEnv
from envfactory_gym.rl.spaces import AgentMessages
from tests.support import LENDING


def made(**options):
    return EnvFactoryEnv(str(LENDING), trusted=True, **options)


DONE = {"role": "assistant", "content": "Done."}


@pytest.fixture(scope="module")
def ids():
    return envfactory_gym.register()


def test_every_registered_environment_passes_gymnasiums_checker_without_a_warning(ids):
    assert ids
    for identifier in ids:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            check_env(gym.make(identifier, render_mode="ansi").unwrapped)


@pytest.mark.parametrize("user", ["scripted", "solo"])
@pytest.mark.parametrize("answer", ["text", "tool"])
def test_every_form_passes_gymnasiums_checker_without_a_warning(user, answer):
    name = f"EnvFactoryTest/Lending{user}{answer}-v0"
    options = {"environment": str(LENDING), "trusted": True, "user": user, "answer": answer}
    gym.register(name, entry_point="envfactory_gym.rl.env:EnvFactoryEnv", kwargs=options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gym.make(name, render_mode="ansi").unwrapped)


def test_the_module_prefix_imports_the_library_by_itself(ids):
    code = (
        "import gymnasium as gym; "
        f"env = gym.make('envfactory_gym:{ids[0]}'); obs, info = env.reset(seed=1); print(info['task_id'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ, check=False)
    assert done.returncode == 0 and done.stdout.strip(), done.stderr


def test_a_seed_chooses_the_task_and_nothing_else_does():
    env = made()
    first = [env.reset(seed=seed)[1]["task_id"] for seed in range(12)]
    assert first == [env.reset(seed=seed)[1]["task_id"] for seed in range(12)]
    assert len(set(first)) > 1
    env.reset(seed=3)
    then = [env.reset()[1]["task_id"] for _ in range(5)]
    env.reset(seed=3)
    assert then == [env.reset()[1]["task_id"] for _ in range(5)]


def test_the_same_seed_and_actions_give_the_same_episode():
    def run():
        env = made()
        env.action_space.seed(5)
        heard = [env.reset(seed=5)]
        for _ in range(10):
            heard.append(env.step(env.action_space.sample()))
            if heard[-1][2] or heard[-1][3]:
                break
        return json.dumps(heard)

    assert run() == run()


def test_options_name_the_task_and_reject_what_they_do_not_know():
    env = made()
    assert env.reset(options={"task": "extend-tent-once"})[1]["task_id"] == "extend-tent-once"
    with pytest.raises(TaskError, match="did you mean"):
        env.reset(options={"task": "extend-tent-onc"})
    with pytest.raises(ValueError, match="unknown: tsak"):
        env.reset(options={"tsak": "x"})


def test_splits_are_kept_apart():
    for split in ("train", "dev", "test"):
        env = made(split=split)
        assert {task.split for task in env.tasks} == {split}
        with pytest.raises(TaskError, match="not among"):
            other = {"train": "extend-tent-once", "dev": "return-sander", "test": "return-sander"}[split]
            env.reset(options={"task": other})
    with pytest.raises(ValueError, match="split"):
        made(split="validation")


def test_info_carries_tools_policy_and_prompt_and_at_the_end_the_outcome():
    env = made(task="return-sander")
    observation, info = env.reset()
    assert [message["role"] for message in observation] == ["system", "user"]
    names = [tool["function"]["name"] for tool in info["tools"]]
    assert names[-1] == "decline_request"
    assert "return_item" in names
    assert info["policy"].startswith("# Rules")
    assert info["prompt"] == observation[0]["content"]
    info["tools"].clear()
    assert env.reset()[1]["tools"]
    *_, terminated, truncated, last = env.step(DONE)
    assert (terminated, truncated, last["reward_valid"], last["outcome"]["kind"]) == (True, False, True, "failure")
    json.dumps(last)


def test_nothing_graded_is_visible_from_outside():
    env = made(task="return-sander")
    observation, info = env.reset()
    shown = json.dumps([observation, dict(info.items())])
    assert "H2MZP" not in shown
    assert "gold" not in shown


def test_the_limit_truncates_inside_with_the_outcome_filled():
    env = made(task="return-sander", max_steps=2)
    env.reset()
    read = {"tool_calls": [{"name": "search_items", "arguments": {}}]}
    assert env.step(read)[2:4] == (False, False)
    _, reward, terminated, truncated, info = env.step(read)
    assert (reward, terminated, truncated, info["outcome"]["kind"]) == (0.0, False, True, "out_of_steps")


def test_mistakes_of_the_program_raise():
    env = made()
    with pytest.raises(EpisodeOver):
        env.step(DONE)
    env.reset()
    with pytest.raises(InvalidAction):
        env.step("Done.")
    with pytest.raises(ValueError, match="render_mode"):
        made(render_mode="human")
    for option in ({"user": "model"}, {"answer": "json"}, {"reward": "dense"}, {"max_steps": 0}):
        with pytest.raises(ValueError, match=next(iter(option))):
            made(**option)


def test_a_malformed_action_is_refused_and_the_episode_goes_on(monkeypatch):
    monkeypatch.setenv("ENVFACTORY_PATH", str(LENDING.parent))
    assert "EnvFactory/lending-v0" in envfactory_gym.register()
    env = gym.make("EnvFactory/lending-v0", trusted=True)
    env.reset(seed=0)
    for _ in range(2):
        with pytest.raises(InvalidAction):
            env.step("Done.")
    assert env.step({"tool_calls": [{"name": "no_such_tool", "arguments": {}}]})[2:4] == (False, False)


def test_a_task_and_a_split_that_is_not_its_own_are_refused():
    assert made(task="return-sander", split="train").tasks[0].id == "return-sander"
    with pytest.raises(TaskError, match="'train', not in 'test'"):
        made(task="return-sander", split="test")


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=60)
def test_samples_are_in_the_space_and_reach_the_tools(seed):
    env = SHARED
    env.action_space.seed(seed)
    action = env.action_space.sample()
    assert env.action_space.contains(action)
    env.reset(seed=1)
    observation, *_ = env.step(action)
    assert env.observation_space.contains(observation)
    for _call in action.get("tool_calls", ()):
        assert "has no argument" not in observation[0]["content"]
        assert "no tool" not in observation[0]["content"]


SHARED = made()


def test_spaces_compare_and_pickle_by_content():
    one, other = made(), made()
    assert one.action_space == other.action_space
    assert one.observation_space == other.observation_space
    assert pickle.loads(pickle.dumps(one.action_space)) == one.action_space
    assert one.action_space != made(answer="tool").action_space


def test_an_environment_pickles_in_the_middle_of_an_episode():
    env = made(task="return-sander")
    env.reset(seed=4)
    env.step({"tool_calls": [{"name": "return_item", "arguments": {"loan_id": "H2MZP"}}]})
    again = pickle.loads(pickle.dumps(env))
    assert again.messages == env.messages
    assert again.step(DONE)[:4] == env.step(DONE)[:4]
    assert again.reset()[1]["task_id"] == env.reset()[1]["task_id"]


def test_vector_environments_play_side_by_side():
    vector = gym.vector.SyncVectorEnv(
        [lambda: made(task="return-sander")] * 3, autoreset_mode=gym.vector.AutoresetMode.DISABLED
    )
    observations, infos = vector.reset(seed=[1, 2, 3])
    assert len(observations) == 3
    assert list(infos["task_id"]) == ["return-sander"] * 3
    act = {"tool_calls": [{"name": "return_item", "arguments": {"loan_id": "H2MZP"}}]}
    look = {"tool_calls": [{"name": "search_items", "arguments": {}}]}
    vector.step((act, look, act))
    _, rewards, terminated, _, _ = vector.step((DONE, DONE, DONE))
    assert list(rewards) == [1.0, 0.0, 1.0]
    assert list(terminated) == [True] * 3
    vector.close()


def test_render_gives_a_transcript_in_ansi_mode_only():
    env = made(task="return-sander", render_mode="ansi")
    env.reset()
    assert "bringing back the sander" in env.render()
    plain = made(task="return-sander")
    plain.reset()
    assert plain.render() is None


def test_a_closed_environment_can_be_reset_again():
    env = made(task="return-sander")
    env.reset()
    env.close()
    env.close()
    assert env.reset()[1]["task_id"] == "return-sander"


def test_registering_twice_changes_nothing(ids):
    before = {identifier: gym.spec(identifier) for identifier in ids}
    assert envfactory_gym.register() == ids
    assert before == {identifier: gym.spec(identifier) for identifier in ids}


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "integer", "maximum": -5}, {"type": "integer", "minimum": 10, "maximum": 1}, {"type": "string", "minLength": 30},
        {"type": "integer", "exclusiveMaximum": 0}, {"type": "number", "minimum": 500, "maximum": 500.001},
        {"type": "array", "minItems": 5, "items": {"type": "null"}}, {"type": "string", "minLength": 5, "maxLength": 2},
    ],
)  # fmt: skip
def test_actions_are_sampled_within_any_bounds_that_a_tool_may_set(schema):
    tool = {
        "type": "function",
        "function": {"name": "t", "parameters": {"properties": {"x": schema}, "required": ["x"]}},
    }
    space = AgentMessages([tool], {}, seed=0)
    values = [call["arguments"]["x"] for _ in range(30) for call in space.sample().get("tool_calls", ())]
    assert values
    for value in values:
        assert value >= schema["minimum"] if "minimum" in schema else True
        assert value < 0 if schema["type"] == "integer" and "minimum" not in schema else True
        assert len(value) >= schema.get("minLength", schema.get("minItems")) if hasattr(value, "__len__") else True
