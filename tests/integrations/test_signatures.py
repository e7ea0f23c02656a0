"""What trainers read off the methods of an environment, looked at as they do, without any of them installed."""

import inspect
import json
import pickle
from typing import Literal, get_args, get_origin

import pytest

from envfactory_gym import load_package
from envfactory_gym.agents import gold_messages
from envfactory_gym.environment import EnvFactoryError
from envfactory_gym.episode import Episode
from envfactory_gym.export import gold_samples
from envfactory_gym.integrations import trl
from envfactory_gym.integrations.schemas import method_of

NAMES = ("airline", "crm", "multi")


def shown(environment):
    """Tools as TRL finds them: functions on the class that are public and not its own two."""
    found = inspect.getmembers(type(environment), inspect.isfunction)
    return {name: function for name, function in found if name not in trl.RESERVED and not name.startswith("_")}


def ended(environment, messages):
    """Play messages as TRL's loop would, and pay."""
    completion = []
    for message in messages:
        completion.append({"role": "assistant", **message})
        for call in message.get("tool_calls", ()):
            result = getattr(environment, call["name"])(**call["arguments"])
            completion.append({"role": "tool", "content": result})
    return trl.episode_reward([completion], [environment])[0]


@pytest.mark.parametrize("name", NAMES)
def test_every_tool_of_every_environment_is_a_method_with_types_and_a_docstring(name):
    environment = trl.make_environment(name)
    exact = {tool["function"]["name"]: tool["function"] for tool in trl.tool_schemas(name)}
    methods = shown(environment)
    assert set(methods) == set(exact)
    for tool, method in methods.items():
        schema = exact[tool]["parameters"]
        signature = inspect.signature(method)
        assert set(signature.parameters) - {"self"} == set(schema.get("properties", {}))
        required = {key for key, p in signature.parameters.items() if p.default is p.empty} - {"self"}
        assert required == set(schema.get("required", ()))
        assert all(f"    {key}: " in method.__doc__ for key in schema.get("properties", {}))
        assert set(method.__annotations__) == {*schema.get("properties", {}), "return"}


def test_enums_become_literals_and_optional_ones_stay_optional():
    tool = {
        "function": {
            "name": "f",
            "description": "F.",
            "parameters": {
                "properties": {
                    "a": {"type": "string", "enum": ["x", "y"]},
                    "b": {
                        "anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}],
                        "default": None,
                    },
                },
                "required": ["a"],
            },
        }
    }
    hints = method_of(tool, lambda self, name, given: "").__annotations__
    assert get_origin(hints["a"]) is Literal and get_args(hints["a"]) == ("x", "y")
    assert list[int] in get_args(hints["b"]) and type(None) in get_args(hints["b"])


def test_gold_is_paid_and_saying_nothing_is_not():
    package = load_package("airline")
    environment = trl.make_environment("airline")
    for task in [task for task in package.tasks if task.solo][:12]:
        environment.reset(task=task.id, prompt=[], split="train")
        with Episode(package, task, user="solo") as episode:
            gold = gold_messages(episode)
        assert ended(environment, gold) == 1.0, task.id
        environment.reset(task=task.id)
        assert ended(environment, [{"content": "Done."}]) == 0.0, task.id


def test_a_rollout_without_any_message_or_cut_off_in_a_call_is_paid_nothing_and_not_left_out():
    environment = trl.make_environment("crm")
    for completion in (
        [],
        [{"role": "assistant", "content": "", "tool_calls": [{}]}],
        [{"role": "tool", "content": ""}],
    ):
        environment.reset(task="create-notes")
        assert trl.episode_reward([completion], [environment]) == [0.0]


def test_a_refused_call_comes_back_as_text_and_one_after_the_end_raises():
    environment = trl.make_environment("crm", max_steps=2)
    environment.reset(task="create-notes")
    assert "error" in json.loads(environment.create_note(title=5))
    environment.list_notes()
    with pytest.raises(EnvFactoryError, match="over"):
        environment.list_notes()


def test_factories_pickle_and_share_one_class():
    factory = trl.environment_factory("airline", tools=("find_customer", "get_wallet"), answer="tool")
    again = pickle.loads(pickle.dumps(factory))
    assert type(again()) is type(factory())
    assert set(shown(again())) == {"find_customer", "get_wallet"}
    assert pickle.loads(pickle.dumps(trl.episode_reward)) is trl.episode_reward


def test_names_that_cannot_be_methods_are_refused():
    tool = {"function": {"name": "a.b", "description": "", "parameters": {}}}
    with pytest.raises(EnvFactoryError, match="no Python name"):
        method_of(tool, lambda self, name, given: "")
    with pytest.raises(EnvFactoryError, match="has no tool 'nothing'"):
        trl.make_environment("airline", tools=("nothing",))


def test_a_trainer_that_keeps_its_tools_elsewhere_is_told_so():
    with pytest.raises(EnvFactoryError, match="elsewhere"):
        trl.show_exact_schemas(object())


def test_a_trainer_is_made_to_show_the_exact_schemas():
    class Trainer:
        _environment_pool = {"crm": [trl.make_environment("crm")]}  # noqa: RUF012
        _env_tools = {"crm": []}  # noqa: RUF012

    trl.show_exact_schemas(Trainer)
    assert Trainer._env_tools["crm"] == trl.tool_schemas("crm")


def test_a_subset_is_listed_in_one_order_however_it_is_named():
    """Prompts of SFT and RL are the same bytes only if their tools stand in the same order."""
    names = ("get_wallet", "find_customer")
    assert trl.tool_schemas("airline", tools=names) == trl.tool_schemas("airline", tools=names[::-1])
    (sample,) = gold_samples(load_package("airline"), load_package("airline").tasks[:1])
    assert sample.showing(names).tools == trl.tool_schemas("airline", tools=names)
