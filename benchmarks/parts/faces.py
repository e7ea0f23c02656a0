"""The same episode through what users call: `Episode`, and the Gymnasium environment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from envfactory_gym.episode import Episode
from envfactory_gym.rl.env import EnvFactoryEnv

from .. import shop_package, shop_play
from ..clock import timed
from ..playing import arguments_as_text

DONE = {"role": "assistant", "content": "Done."}


def measure(folder: Path, orders: int, samples: int) -> dict[str, Any]:
    """Figures of an episode of 24 messages with one call each, and a closing one."""
    package = shop_package.load(folder)
    messages: list[dict[str, Any]] = [
        {"role": "assistant", "content": "", "tool_calls": [{"name": name, "arguments": text}]}
        for name, text in arguments_as_text(shop_play.calls(orders))
    ]
    messages.append(DONE)
    episode = Episode(package, shop_play.TASK)
    env = EnvFactoryEnv(package, task=shop_play.TASK)

    def by_episode() -> None:
        episode.reset()
        for message in messages:
            step = episode.step(message)
        assert step.reward == 1.0, step.outcome

    def by_gymnasium() -> None:
        env.reset(seed=0)
        for message in messages:
            _, reward, terminated, _, info = env.step(message)
        assert terminated, "the episode goes on"
        assert reward == 1.0, info

    found = {
        "Episode": timed(by_episode, samples=samples, warm=5),
        "Episode, reset alone": timed(episode.reset, samples=samples, warm=5),
        "EnvFactoryEnv": timed(by_gymnasium, samples=samples, warm=5),
        "EnvFactoryEnv, reset alone": timed(lambda: env.reset(seed=0), samples=samples, warm=5),
    }
    episode.close()
    env.close()
    return found
