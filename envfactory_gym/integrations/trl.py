"""TRL: an environment as `environment_factory` of GRPOTrainer.

TRL reads tools off the methods of the environment's class, calls them, and ends a rollout at the first
message without a call. So the class is made per environment, one method per tool; the message that
ended the rollout is played by `episode_reward`, which also pays. Episodes are in solo form.

    factory = environment_factory("airline")
    trainer = GRPOTrainer(..., environment_factory={"airline": factory}, reward_funcs=episode_reward)
    show_exact_schemas(trainer)
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from ..environment import EnvFactoryError, Package, load_package
from ..episode import AnswerForm, Episode, Outcome, RewardForm
from ..episode.episode_tools import listed_tools
from .schemas import method_of

RESERVED = frozenset({"reset", "get_reward"})
"""Names of methods that TRL calls itself."""


class TRLEnvironment:
    """One rollout at a time; TRL makes as many instances as it needs and resets them.

    Public methods would become tools, so everything but `reset` and the tools begins with `_`. Subclasses
    made by `trl_class` have the tools.
    """

    _package: Package
    _options: dict[str, Any]
    _schemas: list[dict[str, Any]]
    _episode: Episode | None = None

    def reset(self, task: str, **row: Any) -> None:
        """Begin the task of a row; the prompt of the row is what the episode begins with.

        Args:
            task: Id of the task.
            **row: Every other column of the data set; not needed.
        """
        if self._episode is not None:
            self._episode.close()
        self._episode = Episode(self._package, task, **self._options)
        self._episode.reset()

    def _call(self, tool: str, arguments: dict[str, Any]) -> str:
        episode = self._episode
        if episode is None:
            raise EnvFactoryError("a tool was called before reset()")
        if episode.over:
            raise EnvFactoryError("The episode is over.")  # TRL hands this to the model as an error
        step = episode.step({"tool_calls": [{"name": tool, "arguments": arguments}]})
        return str(step.messages[0]["content"])

    def _finish(self, text: str) -> Outcome:
        """The outcome after the last message; asked again, the same."""
        episode = self._episode
        if episode is None:
            raise EnvFactoryError("a rollout was scored before reset()")
        if episode.outcome is None:
            episode.step({"role": "assistant", "content": text})
        if episode.outcome is None:
            raise EnvFactoryError(f"the episode of {episode.task.id} goes on after its last message")
        return episode.outcome


@functools.cache
def trl_class(
    environment: str,
    *,
    tools: tuple[str, ...] | None = None,
    answer: AnswerForm = "text",
    reward: RewardForm = "success",
    max_steps: int = 30,
    trusted: bool = False,
) -> type[TRLEnvironment]:
    """The class of an environment, with a method for each tool.

    Args:
        environment: Name, id or folder.
        tools: Names of the tools to show; all by default. Fewer make an easier problem: say so where you report it.
        answer: Whether facts are told in text or with the `answer` tool.
        reward: As in `Episode`.
        max_steps: Agent messages per episode.
        trusted: As in `load_package`, for a folder of your own.

    Raises:
        EnvFactoryError: A tool has a name that TRL reserves or Python refuses, or `tools` names an unknown one.
    """
    package = load_package(environment, trusted=trusted)
    shown = tool_schemas(environment, tools=tools, answer=answer, trusted=trusted)
    names = [tool["function"]["name"] for tool in shown]
    if clash := sorted(RESERVED & set(names)):
        raise EnvFactoryError(f"TRL keeps the names {', '.join(clash)} for itself\n  -> rename the tool in server.py")
    body: dict[str, Any] = {
        tool["function"]["name"]: method_of(tool, lambda self, name, given: self._call(name, given)) for tool in shown
    }
    body |= {
        "__module__": __name__,
        "__doc__": f"{package.manifest.title} for TRL.",
        "_package": package,
        "_options": {"user": "solo", "answer": answer, "reward": reward, "max_steps": max_steps},
        "_schemas": shown,
    }
    return type(f"{package.name.title()}Environment", (TRLEnvironment,), body)


def make_environment(environment: str, **options: Any) -> TRLEnvironment:
    """An environment for TRL; `functools.partial` of this function is a factory that pickles."""
    return trl_class(environment, **options)()


def environment_factory(environment: str, **options: Any) -> Callable[[], TRLEnvironment]:
    """A factory that pickles: the options of `trl_class`, to be given to `GRPOTrainer(environment_factory=...)`."""
    return functools.partial(make_environment, environment, **options)


def tool_schemas(
    environment: str, *, tools: Sequence[str] | None = None, answer: AnswerForm = "text", trusted: bool = False
) -> list[dict[str, Any]]:
    """The exact tools, in OpenAI form, that a model is to see in SFT and in RL alike.

    Raises:
        EnvFactoryError: `tools` names one that there is not.
    """
    listed = listed_tools(load_package(environment, trusted=trusted), answer)
    if tools is None:
        return listed
    known = [tool["function"]["name"] for tool in listed]
    if unknown := sorted(set(tools) - set(known)):
        raise EnvFactoryError(f"{environment} has no tool {unknown[0]!r}; it has {', '.join(known)}")
    # In listed order, however they were named: prompts of SFT and RL must be the same bytes.
    return [tool for tool in listed if tool["function"]["name"] in tools]


def show_exact_schemas(trainer: Any) -> None:
    """Make a trainer show the exact schemas instead of those it derives from signatures, which lose bounds and unions.

    A model that was tuned on one form of the schemas calls nothing when it is shown the other.

    Raises:
        EnvFactoryError: This version of TRL keeps its tools elsewhere.
    """
    pool, shown = getattr(trainer, "_environment_pool", None), getattr(trainer, "_env_tools", None)
    if not isinstance(pool, dict) or not isinstance(shown, dict):
        raise EnvFactoryError("this TRL keeps its tools elsewhere\n  -> use trl>=1.16,<2, or train on derived schemas")
    for name, instances in pool.items():
        shown[name] = instances[0]._schemas


def episode_reward(completions: Sequence[Any], environments: Sequence[TRLEnvironment], **_: Any) -> list[float | None]:
    """The reward function: play the message that ended each rollout, and give what the episode paid.

    Returns:
        Rewards in [0, 1]; None (left out by TRL) where the harness failed and not the agent.
    """
    found: list[float | None] = []
    for completion, environment in zip(completions, environments, strict=True):
        outcome = environment._finish(_last_text(completion))
        found.append(outcome.reward if outcome.reward_valid else None)
    return found


def _last_text(completion: Any) -> str:
    """The text after the last call; empty where the rollout ended in the middle of one."""
    last = completion[-1] if completion else {}
    if not isinstance(last, dict) or last.get("role") != "assistant" or last.get("tool_calls"):
        return ""
    return str(last.get("content") or "")
