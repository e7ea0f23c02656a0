"""`EnvFactoryVectorEnv`: many episodes in one process, stepped together.

What `gym.make_vec("EnvFactory/...")` gives where no other vectorization is asked for. Nothing resets by
itself: a rollout of a language model wants the end of an episode, not the beginning of the next one in
its place. `reset(options={"reset_mask": mask})` begins those that are over.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from ..environment import Package
from .env import EnvFactoryEnv
from .spaces import Message

Observation = tuple[Message, ...]


class EnvFactoryVectorEnv(gym.vector.VectorEnv[tuple[Observation, ...], Sequence[Message], Any]):
    """Several `EnvFactoryEnv` with the same options.

    Args:
        environment: As in `EnvFactoryEnv`.
        num_envs: How many.
        max_episode_steps: Gymnasium's name for `max_steps`, which it takes the place of.
        **options: All other options of `EnvFactoryEnv`.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.DISABLED, "render_modes": ["ansi"]}  # noqa: RUF012

    def __init__(
        self, environment: str | Package, *, num_envs: int = 1, max_episode_steps: int | None = None, **options: Any
    ) -> None:
        if num_envs < 1:
            raise ValueError(f"num_envs is at least 1, not {num_envs}")
        if max_episode_steps is not None:
            options["max_steps"] = max_episode_steps
        self.num_envs = num_envs
        self.envs = [EnvFactoryEnv(environment, **options) for _ in range(num_envs)]
        self.render_mode = options.get("render_mode")
        self.single_action_space = self.envs[0].action_space
        self.single_observation_space = self.envs[0].observation_space
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._said: list[Observation] = [()] * num_envs
        self._over = np.ones(num_envs, dtype=np.bool_)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[tuple[Observation, ...], dict[str, Any]]:
        """Begin episodes.

        Args:
            seed: One for each, or a number that the i-th adds i to.
            options: `reset_mask`, an array of booleans: begin only these; the others stay where they are and
                give their last observation. `tasks`, a list of ids: which task each begins.
        """
        options = dict(options or {})
        mask = np.asarray(options.pop("reset_mask", np.ones(self.num_envs, dtype=np.bool_)), dtype=np.bool_)
        tasks = options.pop("tasks", None)
        if options:
            raise ValueError(f"reset options are reset_mask and tasks; unknown: {', '.join(sorted(options))}")
        if mask.shape != (self.num_envs,) or (tasks is not None and len(tasks) != self.num_envs):
            raise ValueError(f"reset_mask and tasks have one entry for each of {self.num_envs} environments")
        seeds = [seed + i for i in range(self.num_envs)] if isinstance(seed, int) else list(seed or ())
        if seeds and len(seeds) != self.num_envs:
            raise ValueError(f"{len(seeds)} seeds for {self.num_envs} environments")
        infos: dict[str, Any] = {}
        for index in np.flatnonzero(mask):
            chosen = {"task": tasks[index]} if tasks is not None else None
            said, info = self.envs[index].reset(seed=seeds[index] if seeds else None, options=chosen)
            self._said[index], self._over[index] = said, False
            infos = self._add_info(infos, info, int(index))
        return tuple(self._said), infos

    def step(
        self, actions: Sequence[Message]
    ) -> tuple[tuple[Observation, ...], np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play one assistant message in each; those that are over take none, and repeat their end without reward.

        Args:
            actions: One message for each; None, or anything, for those that are over.
        """
        if len(actions) != self.num_envs:
            raise ValueError(f"{len(actions)} actions for {self.num_envs} environments")
        rewards = np.zeros(self.num_envs, dtype=np.float64)
        terminated = np.zeros(self.num_envs, dtype=np.bool_)
        truncated = np.zeros(self.num_envs, dtype=np.bool_)
        infos: dict[str, Any] = {}
        for index, environment in enumerate(self.envs):
            if self._over[index]:
                episode = environment.episode
                ended = episode is not None and episode.outcome is not None
                done = ended and episode.outcome.kind in ("success", "failure")  # type: ignore[union-attr]
                terminated[index], truncated[index] = done, not done
                continue
            said, rewards[index], terminated[index], truncated[index], info = environment.step(actions[index])
            self._said[index], self._over[index] = said, terminated[index] or truncated[index]
            infos = self._add_info(infos, info, index)
        return tuple(self._said), rewards, terminated, truncated, infos

    def render(self) -> tuple[str | None, ...]:  # type: ignore[override]
        """The transcripts so far, in render mode `ansi`."""
        return tuple(environment.render() for environment in self.envs)

    def close_extras(self, **kwargs: Any) -> None:
        """Give the worlds back."""
        for environment in self.envs:
            environment.close()
