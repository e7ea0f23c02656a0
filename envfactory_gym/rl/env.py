"""`EnvFactoryEnv`: an episode behind Gymnasium's reset and step.

The environment owns its limits: `max_steps` sets `truncated` inside, with outcome and reward
filled in, so it is registered without Gymnasium's TimeLimit.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import gymnasium as gym

from ..environment import Bundle, Package, TaskError, TaskPrivate, load_bundle, load_package
from ..environment.bundle import NAME as MULTI
from ..environment.task import Split
from ..episode import AnswerForm, Episode, EpisodeJournal, EpisodeOver, RewardForm, Step, UserForm, render
from ..episode.episode_tools import listed_tools
from ..world import Template
from .spaces import AgentMessages, Message, Messages

EXAMPLES = 20
"""Values per argument that the action space samples from."""


class EnvFactoryEnv(gym.Env[tuple[Message, ...], Message]):
    """Multi-turn tool-use episodes with verifiable rewards.

    An action is one assistant message in OpenAI form; an observation is the tuple of new
    messages. What a model can get wrong (unknown tool, bad or unparsable arguments) comes back as
    a tool message with an error and uses a step; what only a programmer can (no message at all,
    a step after the end) raises.

    Args:
        environment: Name, id or folder of a package, or a `Package`.
        environments: For `EnvFactory/multi-v0` only: names, ids or folders of environments; tasks that need any
            other are left out. An episode lists the tools of its task's environments, so with tasks of
            different ones `action_space` samples from all of them.
        split: Which tasks to draw from: `train`, `dev`, `test`; None for all.
        task: Id of the one task to play.
        reward: `success`, `turns`, or a callable that gets the outcome (see `Episode`).
        user: `scripted` or `solo`.
        answer: `text` or `tool`.
        max_steps: Agent messages per episode.
        render_mode: `ansi` for a readable transcript from `render()`.
        trusted: As in `load_package`, for a folder of your own.
        unverified: `subprocess` plays a package that nobody verified: its tools run in a sandbox, and everything
            else (the world, the user, the grade) here. `package.protection` says what holds it.

    `reset(seed=...)` only chooses the task; `reset(options={"task": id})` names it. The `info` of
    reset carries `task_id`, `tools` (OpenAI form), `policy` and `prompt`; that of the last step
    carries `outcome` and `reward_valid`.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self,
        environment: str | Package,
        *,
        environments: Sequence[str] | None = None,
        split: Split | None = None,
        task: str | None = None,
        reward: RewardForm = "success",
        user: UserForm = "scripted",
        answer: AnswerForm = "text",
        max_steps: int = 30,
        render_mode: str | None = None,
        trusted: bool = False,
        unverified: Literal["subprocess"] | None = None,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode is None or 'ansi', not {render_mode!r}")
        if user not in ("scripted", "solo"):
            raise ValueError(
                f"user is 'scripted' or 'solo' here, not {user!r}; agents.rollout plays with a model as user"
            )
        self.package = _package(environment, environments, trusted, unverified)
        self.split, self.task_id, self.reward_form = split, task, reward
        self.user_form, self.answer_form, self.max_steps = user, answer, max_steps
        self.render_mode = render_mode
        self._trusted, self._unverified = trusted, unverified
        self.tasks = _choose(self.package, split, task, user)
        self.episode: Episode | None = None
        self._episode(self.tasks[0])  # options that no episode takes are refused here, not at the first reset
        self.action_space = AgentMessages(listed_tools(self.package, answer), examples(self.package))
        self.observation_space = Messages()

    @property
    def messages(self) -> list[Message]:
        """The whole transcript so far, ready for a chat template."""
        return self._playing.messages

    @property
    def _playing(self) -> Episode:
        if self.episode is None:
            raise EpisodeOver("the environment was not reset yet: call reset() first")
        return self.episode

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[tuple[Message, ...], dict[str, Any]]:
        """Begin an episode.

        Args:
            seed: Chooses the task; the same seed gives the same task.
            options: `{"task": id}` names the task instead.

        Raises:
            TaskError: There is no such task among those of this environment's split.
        """
        super().reset(seed=seed)
        unknown = set(options or {}) - {"task"}
        if unknown:
            raise ValueError(f"reset options are {{'task': id}}; unknown: {', '.join(sorted(unknown))}")
        task = self._pick((options or {}).get("task"))
        if self.episode is not None and self.episode.original is not task:
            self.episode.close()
            self.episode = None
        if self.episode is None:
            self.episode = self._episode(task)
        observation = tuple(self.episode.reset())
        info = {
            "task_id": task.id,
            "tools": self.episode.tools,
            "policy": self.episode.package.policy.text,
            "prompt": self.episode.prompt,
        }
        return observation, info

    def step(self, action: Message) -> tuple[tuple[Message, ...], float, bool, bool, dict[str, Any]]:
        """Play one assistant message; see the class for what an action may be."""
        step: Step = self._playing.step(action)
        info: dict[str, Any] = {}
        if step.outcome is not None:
            info = {"outcome": step.outcome.model_dump(mode="json"), "reward_valid": step.outcome.reward_valid}
        return tuple(step.messages), step.reward, step.terminated, step.truncated, info

    def render(self) -> str | None:
        """The transcript so far, for people, in render mode `ansi`."""
        if self.render_mode != "ansi":
            return None
        return render(self._playing)

    def close(self) -> None:
        """Give the world back; the environment can be reset again."""
        if self.episode is not None:
            self.episode.close()
            self.episode = None

    def _episode(self, task: TaskPrivate) -> Episode:
        return Episode(
            self.package,
            task,
            user=self.user_form,
            answer=self.answer_form,
            reward=self.reward_form,
            max_steps=self.max_steps,
        )

    def _pick(self, task_id: str | None) -> TaskPrivate:
        if task_id is None:
            return self.tasks[int(self.np_random.integers(len(self.tasks)))]
        for task in self.tasks:
            if task.id == task_id:
                return task
        self.package.task(task_id)
        raise TaskError(f"the task {task_id!r} is not among the {len(self.tasks)} this environment was made with")

    # ------------------------------------------------------------ pickling: spec, task and messages, never a connection

    def __getstate__(self) -> dict[str, Any]:
        journal = None
        if self.episode is not None and self.episode.messages:
            journal = self.episode.journal().model_dump(mode="json")
        members = [str(member.path) for member in self.package.packages] if isinstance(self.package, Bundle) else None
        return {
            "environment": str(self.package.path),
            "options": {
                "environments": members,
                "split": self.split,
                "task": self.task_id,
                "reward": self.reward_form,
                "user": self.user_form,
                "answer": self.answer_form,
                "max_steps": self.max_steps,
                "render_mode": self.render_mode,
                "trusted": self._trusted,
                "unverified": self._unverified,
            },
            "random": self._np_random,
            "random_seed": self._np_random_seed,
            "action_space": self.action_space,
            "observation_space": self.observation_space,
            "journal": journal,
            "spec": self.spec,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        EnvFactoryEnv.__init__(self, state["environment"], **state["options"])
        self._np_random, self._np_random_seed = state["random"], state["random_seed"]
        self.action_space, self.observation_space = state["action_space"], state["observation_space"]
        self.spec = state["spec"]
        if state["journal"] is not None:
            journal = EpisodeJournal.model_validate(state["journal"])
            self.episode = Episode.replay(journal, package=self.package, reward=self.reward_form)
            self.episode.original = self.package.task(journal.task.id)


def _package(
    environment: str | Package, environments: Sequence[str] | None, trusted: bool, unverified: str | None
) -> Package:
    if unverified is not None:
        return _unverified(environment, environments, unverified)
    if isinstance(environment, Package):
        if environments is not None:
            raise ValueError("environments=[...] goes with the name 'multi'; a Package says itself what it holds")
        return environment
    if environments is None:
        return load_package(environment, trusted=trusted)
    if environment == MULTI:
        return load_bundle(environments, trusted=trusted)
    if (Path(environment) / "tasks.jsonl").is_file() and not (Path(environment) / "environment.yaml").exists():
        return load_bundle(environments, folder=environment, trusted=trusted)
    raise ValueError(f"environments=[...] goes with EnvFactory/multi-v0, not with {environment!r}")


def _unverified(environment: str | Package, environments: Sequence[str] | None, how: str) -> Package:
    from ..verify.unverified import open_unverified  # loads what only this needs

    if how != "subprocess":
        raise ValueError(f"unverified is None or 'subprocess', not {how!r}")
    if environments is not None:
        raise ValueError("unverified='subprocess' plays one environment; make one for each of several")
    folder = environment.path if isinstance(environment, Package) else load_package(environment).path
    package = open_unverified(folder)
    if not package.protection.walled:
        gym.logger.warn(package.protection.summary())
    return package


def _choose(package: Package, split: str | None, task: str | None, user: UserForm) -> tuple[TaskPrivate, ...]:
    if split not in (None, "train", "dev", "test"):
        raise ValueError(f"split is 'train', 'dev' or 'test', not {split!r}")
    if task is not None:
        found = package.task(task)
        if split not in (None, found.split):
            raise TaskError(
                f"the task {task!r} is in the split {found.split!r}, not in {split!r}; leave one of them out"
            )
        return (found,)
    tasks = tuple(
        candidate
        for candidate in package.tasks
        if (split is None or candidate.split == split) and (user != "solo" or candidate.solo)
    )
    if not tasks:
        where = f" in the split {split!r}" if split else ""
        raise TaskError(f"{package.name} has no tasks{where} that can be played with user={user!r}")
    return tasks


def examples(package: Package) -> dict[str, dict[str, list[Any]]]:
    """Per tool and argument, a few values from the base data: candidates first, else the `Ref` column."""
    world = Template.of(package).acquire()
    try:
        found: dict[str, dict[str, list[Any]]] = {}
        for tool in package.tools.values():
            values: dict[str, list[Any]] = {}
            for parameter in tool.parameters:
                table, _, column = (parameter.ref or "").partition(".")
                if table in package.schema.tables and column in package.schema.tables[table].names:
                    sql = f'SELECT DISTINCT "{column}" FROM "{table}" WHERE "{column}" IS NOT NULL ORDER BY 1'
                    values[parameter.name] = [row[0] for row in world.query(f"{sql} LIMIT {EXAMPLES}")]
            found[tool.name] = values
        return found
    finally:
        world.template.release(world)
