"""The episodes of a fleet: found by id, limited in number, put to sleep and forgotten by age.

Both orders are by last use, oldest first, so whatever has to go is found without a search. With a
folder, journals found there at the start are episodes that sleep.
"""

from __future__ import annotations

import logging
import os
import secrets
import time
from collections import OrderedDict
from concurrent.futures import Executor
from pathlib import Path

from ...environment import Package, TaskPrivate
from ...episode import AnswerForm, UserForm
from ..session import MAX_STEPS, ServeError
from ..state import task_hash
from .journal import SUFFIX, Header, Journal, JournalError
from .keeping import Folder, of_worker, tell_of_others
from .lasting import Means
from .metrics import Metrics
from .play import Play
from .settings import Settings
from .shelf import Shelf

logger = logging.getLogger("envfactory.fleet")

MOST_KEYS = 10_000
"""Keys of requests that make episodes; the oldest are forgotten."""


class Full(ServeError):
    """There are as many episodes as are allowed."""


class UnknownEpisode(ServeError):
    """There is no episode of that id (any more)."""


class Store:
    """All episodes.

    Args:
        settings: Limits and the folder.
        shelf: Where environments come from.
        threads: Where slow work is done.
        metrics: Where it is counted.
    """

    def __init__(self, settings: Settings, shelf: Shelf, threads: Executor, metrics: Metrics) -> None:
        self._settings, self._metrics = settings, metrics
        self._means = Means(shelf, threads, metrics, settings.max_calls, self._awake)
        self._plays: OrderedDict[str, Play] = OrderedDict()
        self._live: OrderedDict[str, Play] = OrderedDict()
        self._keys: OrderedDict[str, tuple[str, str]] = OrderedDict()
        self._folder = settings.hibernate
        if self._folder is not None and settings.worker is not None:
            self._folder = of_worker(self._folder, settings.worker)
        self._held = None if self._folder is None else Folder(self._folder)
        metrics.gauge("envfactory_episodes_open", "Episodes there are.", lambda: len(self._plays))
        metrics.gauge("envfactory_episodes_live", "Episodes with a world in memory.", lambda: len(self._live))
        if self._folder is not None:
            self._find(self._folder)
            if settings.worker is None:
                tell_of_others(self._folder, 0)

    def __len__(self) -> int:
        return len(self._plays)

    @property
    def live(self) -> int:
        """How many have a world in memory."""
        return len(self._live)

    def _find(self, folder: Path) -> None:
        """Take up the episodes of a folder."""
        try:
            found = sorted((entry.stat().st_mtime, entry.name) for entry in os.scandir(folder) if entry.is_file())
        except OSError as error:
            raise ServeError(
                f"{folder}: episodes cannot be kept here: {error.strerror}; name another folder"
            ) from error
        for used_at, name in found:
            identifier = name.removesuffix(SUFFIX)
            if not name.endswith(SUFFIX) or name.startswith("."):
                continue
            journal = Journal(file=folder / name)
            try:
                known = journal.header.id
            except JournalError as error:
                logger.warning("a journal is left alone", extra={"reason": str(error)})
                continue
            if known == identifier:
                self._plays[identifier] = Play(identifier, journal, self._means, used_at=used_at)
        if self._plays:
            logger.info("found sleeping episodes", extra={"episodes": len(self._plays)})

    # ------------------------------------------------------------ finding

    def get(self, identifier: str) -> Play | None:
        """An episode that is about to be used."""
        play = self._plays.get(identifier)
        if play is not None:
            play.used_at = time.time()
            self._plays.move_to_end(identifier)
            if identifier in self._live:
                self._live.move_to_end(identifier)
        return play

    def find(self, identifier: str) -> Play:
        """An episode that is about to be used.

        Raises:
            UnknownEpisode: There is none.
        """
        play = self.get(identifier)
        if play is None:
            raise UnknownEpisode(f"there is no episode {identifier!r}: it was deleted, or expired; create another")
        return play

    def all(self) -> list[Play]:
        """All episodes, the longest unused first."""
        return list(self._plays.values())

    # ------------------------------------------------------------ coming and going

    def create(
        self,
        package: Package,
        environments: tuple[str, ...],
        *,
        task: TaskPrivate | None = None,
        seed: int = 0,
        user: UserForm = "solo",
        answer: AnswerForm = "tool",
        max_steps: int = MAX_STEPS,
        shared: bool = False,
    ) -> Play:
        """A new episode, at its very beginning.

        Args:
            package: The environment, open.
            environments: The names under which the shelf has it.
            task: What to play; the base world without.
            seed: As in `CreateEpisode`, like those that follow.
            user: Who asks.
            answer: How facts are told.
            max_steps: When it is out of steps.
            shared: Whether it belongs to a session on a shared address; such an episode ends with the process.

        Raises:
            Full: There are as many as are allowed.
            JournalError: It cannot be written down.
            EnvFactoryError: The task cannot be played.
        """
        self.check_room()
        played = package.narrowed(task) if task is not None else package
        prefix = "" if self._settings.worker is None else f"{self._settings.worker:x}-"
        header = Header(
            id=prefix + secrets.token_hex(16),
            environments=environments,
            world_hash=played.world_hash,
            rules_hash=played.rules_hash,
            task=task.id if task is not None else None,
            task_hash=task_hash(task) if task is not None else None,
            seed=seed,
            user=user,
            answer=answer,
            max_steps=max_steps,
            created_at=time.time(),
            shared=shared,
        )
        play = Play(header.id, Journal(header, file=None if shared else self._file(header.id)), self._means)
        play.begin(package)
        try:
            play.journal.begin()
        except JournalError:
            play.sleep()
            raise
        self._add(play)
        self._awake(play)
        return play

    def fork(self, origin: Play, length: int) -> Play:
        """A new episode that begins with what was put into another, up to a place in its journal."""
        self.check_room()
        prefix = "" if self._settings.worker is None else f"{self._settings.worker:x}-"
        header = origin.header.model_copy(
            update={"id": prefix + secrets.token_hex(16), "created_at": time.time(), "shared": False}
        )
        play = Play(header.id, origin.journal.copy(header, length, self._file(header.id)), self._means)
        play.client = origin.client
        self._add(play)
        return play

    def check_room(self) -> None:
        """Make sure that another episode is allowed.

        Raises:
            Full: It is not.
        """
        if len(self._plays) >= self._settings.max_episodes:
            self._metrics.happened("refused")
            raise Full(
                f"there are {len(self._plays):,} episodes, and no more are allowed here; delete some, or come again "
                "when some have expired"
            )

    def _add(self, play: Play) -> None:
        self._plays[play.id] = play
        self._metrics.happened("created")
        logger.info(
            "episode created",
            extra={"episode": play.id[:8], "environments": play.header.environments, "task": play.header.task},
        )

    def _file(self, identifier: str) -> Path | None:
        return None if self._folder is None else self._folder / f"{identifier}{SUFFIX}"

    async def delete(self, identifier: str) -> None:
        """End an episode for good.

        Raises:
            UnknownEpisode: There is none.
            JournalError: Its journal cannot be removed, so a restart would find it again.
        """
        play = self.find(identifier)
        self._drop(play)
        await play.delete()
        self._metrics.happened("deleted")
        logger.info("episode deleted", extra={"episode": identifier[:8]})

    def _drop(self, play: Play) -> None:
        del self._plays[play.id]
        self._live.pop(play.id, None)

    # ------------------------------------------------------------ sleep and age

    def _awake(self, play: Play) -> None:
        """An episode has a world now; if too many have, the longest unused ones sleep."""
        if play.id not in self._plays:
            return
        self._live[play.id] = play
        self._live.move_to_end(play.id)
        excess = len(self._live) - self._settings.max_live
        if excess > 0:
            for other in list(self._live.values()):
                if other is not play and not other.is_busy:
                    del self._live[other.id]
                    other.sleep()
                    self._metrics.happened("slept")
                    excess -= 1
                    if excess <= 0:
                        break

    async def sweep(self) -> None:
        """Delete what nobody has used for too long, and forget who has fallen asleep by itself."""
        oldest = time.time() - self._settings.ttl
        for play in list(self._plays.values()):
            if play.used_at > oldest:
                break
            if play.is_busy:
                continue
            self._drop(play)
            try:
                await play.delete()
            except JournalError as error:
                logger.error("an expired episode will be found again", extra={"reason": str(error)})
            self._metrics.happened("expired")
            logger.info("episode expired", extra={"episode": play.id[:8]})
        for play in [play for play in self._live.values() if not play.is_live and not play.is_busy]:
            del self._live[play.id]

    def close(self) -> None:
        """Give all worlds back. Journals stay."""
        for play in self._live.values():
            if not play.is_busy:
                play.sleep()
        self._live.clear()
        if self._held is not None:
            self._held.close()

    # ------------------------------------------------------------ once only

    def made_by(self, key: str, asked: str) -> tuple[str, bool] | None:
        """The episode that a key has made before, and whether the request was the same."""
        known = self._keys.get(key)
        return None if known is None else (known[1], known[0] == asked)

    def remember(self, key: str, asked: str, identifier: str) -> None:
        """A key has made an episode."""
        self._keys[key] = asked, identifier
        while len(self._keys) > MOST_KEYS:
            self._keys.popitem(last=False)
