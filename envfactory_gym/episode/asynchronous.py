"""An episode for programs that live in an event loop: the same verbs, prefixed with `a`.

A step takes well under a millisecond, so it runs where it is called. What may take long, the first
episode of an environment in a process, whose template is built then, goes to a thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from types import TracebackType
from typing import Any

from .episode import Episode, Step
from .outcome import Outcome
from .user import Reply


class AsyncEpisode:
    """The async face of an episode; everything else is on `episode`.

    ```python
    async with AsyncEpisode(Episode(package, task)) as playing:
        messages = await playing.areset()
        step = await playing.astep({"role": "assistant", "content": "Done."})
        outcome = await playing.score()
    ```

    Args:
        episode: The episode; closed with this.
    """

    def __init__(self, episode: Episode) -> None:
        self.episode = episode
        self._begun = False

    async def areset(self) -> list[dict[str, Any]]:
        """Begin (again); see `Episode.reset`."""
        if self._begun:
            return self.episode.reset()
        messages = await asyncio.to_thread(self.episode.reset)
        self._begun = True
        return messages

    async def astep(self, action: Mapping[str, Any], *, reply: Reply | None = None) -> Step:
        """Play one agent message; see `Episode.step`."""
        return self.episode.step(action, reply=reply)

    async def score(self) -> Outcome:
        """How it ended, or how it would if the agent stopped here; see `Episode.score`."""
        return self.episode.score()

    async def aclose(self) -> None:
        """Give the world back."""
        self.episode.close()

    async def __aenter__(self) -> AsyncEpisode:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()
