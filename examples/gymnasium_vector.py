"""Many episodes in one process, stepped together, for a model that answers in batches.

python examples/gymnasium_vector.py
"""

from __future__ import annotations

import gymnasium as gym
import numpy as np

import envfactory_gym


def answers(talks: list[tuple[dict, ...]], over: np.ndarray) -> list[dict | None]:
    """Your model goes here: the new messages of each episode in, one assistant message for each out."""
    return [None if done else {"role": "assistant", "content": "Done."} for done in over]


def main() -> None:
    """Play 24 episodes, eight at a time."""
    envfactory_gym.register()
    envs = gym.make_vec("EnvFactory/airline-v0", num_envs=8, split="train", reward="turns", max_steps=12)
    talks, _ = envs.reset(seed=0)
    over, total = np.zeros(8, dtype=bool), np.zeros(8)
    finished = 0
    while finished < 24:
        talks, rewards, terminated, truncated, _ = envs.step(answers(talks, over))
        total += rewards
        over = terminated | truncated
        if over.all():  # or sooner: begin whichever are over while the others go on
            finished += int(over.sum())
            talks, _ = envs.reset(options={"reset_mask": over})
            over[:] = False
    envs.close()
    print(f"{finished} episodes, mean reward {total.sum() / finished:.2f}")


if __name__ == "__main__":
    main()
