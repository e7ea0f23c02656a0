"""Ray: actors that own whole episodes, and play them again where an actor is lost.

A live world does not travel and is cheap to make, so what travels is the task's name and the agent's
recipe; one actor per core plays as many episodes as it is sent. Whatever an actor plays is a function of
its job, so that a job whose actor died is simply sent again, and ends in the same state.

    with EpisodePool(gold_agent, actors=2) as pool:
        for record in pool.play(jobs): ...
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import ray
from ray.exceptions import ActorDiedError, ActorUnavailableError, WorkerCrashedError

from ..agents import Agent, GoldAgent, play
from ..environment import EnvFactoryError, load_package
from ..episode import AnswerForm, Episode, RunRecord, UserForm, record

BATCH = 16
"""Jobs per message to an actor: small ones cost less together, and few are lost with an actor."""


class Job(NamedTuple):
    """An episode to be played, as plain data.

    Attributes:
        environment: Name, id or folder.
        task: Id of the task.
        user, answer, max_steps: As in `Episode`.
        seed: For the agent.
    """

    environment: str
    task: str
    user: UserForm = "scripted"
    answer: AnswerForm = "text"
    max_steps: int = 30
    seed: int = 0


MakeAgent = Callable[[Episode, Job], Agent]
"""Makes the agent of an episode; importable where the actors run, since it travels by name."""


def gold_agent(episode: Episode, job: Job) -> Agent:
    """The reference solution: what a fleet is measured and tested with."""
    return GoldAgent(episode)


def play_jobs(make: MakeAgent, jobs: Iterable[Job]) -> list[RunRecord]:
    """Play jobs one after another in this process; what an actor does, without Ray."""
    found = []
    for job in jobs:
        with Episode(
            load_package(job.environment), job.task, user=job.user, answer=job.answer, max_steps=job.max_steps
        ) as episode:
            agent = make(episode, job)
            play(episode, agent)
            found.append(record(episode, agent.name, seed=job.seed))
    return found


class _Player:
    """The actor. Packages and world templates stay in its process from one batch to the next."""

    def __init__(self, make: MakeAgent) -> None:
        self._make = make

    def play(self, jobs: list[Job]) -> list[str]:
        """Records as lines: text is what crosses processes fastest."""
        return [done.line() for done in play_jobs(self._make, jobs)]

    def warm(self) -> int:
        """The process id, once the actor is up."""
        import os

        return os.getpid()


class EpisodePool:
    """A fixed number of actors, kept busy, replaced when they die.

    Args:
        make: Makes the agent of each episode.
        actors: How many; one per core that episodes may have.
        cpus: What Ray reserves for each.
        retries: How often a batch is sent again before the pool gives up.

    Use Ray as you always do: `ray.init()` on one machine, `ray.init("auto")` in a cluster.
    """

    def __init__(self, make: MakeAgent, *, actors: int = 1, cpus: float = 1.0, retries: int = 3) -> None:
        if actors < 1:
            raise ValueError(f"a pool has at least one actor, not {actors}")
        self._make, self._retries = make, retries
        self._remote = ray.remote(_Player).options(num_cpus=cpus, max_restarts=0)
        self._actors: list[Any] = [self._remote.remote(make) for _ in range(actors)]
        self.lost = 0

    def warm(self) -> list[int]:
        """Wait until every actor is up; their process ids."""
        found: list[int] = ray.get([actor.warm.remote() for actor in self._actors])
        return found

    def play(self, jobs: Iterable[Job], *, batch: int = BATCH) -> Iterator[RunRecord]:
        """Play jobs; records come as they are finished, each job exactly once.

        Raises:
            EnvFactoryError: A batch was lost with its actor more than `retries` times.
        """
        waiting: deque[tuple[list[Job], int]] = deque((part, 0) for part in _batches(jobs, batch))
        running: dict[Any, tuple[int, list[Job], int]] = {}
        # Two batches per actor: one is played while the next is on its way.
        free = deque(index for _ in range(2) for index in range(len(self._actors)))
        while waiting or running:
            while waiting and free:
                part, tries = waiting.popleft()
                index = free.popleft()
                running[self._actors[index].play.remote(part)] = (index, part, tries)
            ready, _ = ray.wait(list(running), num_returns=1)
            for reference in ready:
                index, part, tries = running.pop(reference)
                free.append(index)
                try:
                    lines = ray.get(reference)
                except (ActorDiedError, ActorUnavailableError, WorkerCrashedError) as error:
                    if tries >= self._retries:
                        raise EnvFactoryError(
                            f"an actor died {tries + 1} times playing {part[0].task}: {error}"
                        ) from error
                    self._replace(index)
                    waiting.appendleft((part, tries + 1))
                    continue
                yield from (RunRecord.model_validate_json(line) for line in lines)

    def _replace(self, index: int) -> None:
        """A new actor in place of a dead one; the second batch that died with it finds it in place already."""
        try:
            ray.get(self._actors[index].warm.remote(), timeout=10)
        except (ActorDiedError, ActorUnavailableError, WorkerCrashedError, ray.exceptions.GetTimeoutError):
            self.lost += 1
            self._actors[index] = self._remote.remote(self._make)

    def close(self) -> None:
        """End the actors."""
        for actor in self._actors:
            ray.kill(actor)
        self._actors = []

    def __enter__(self) -> EpisodePool:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def _batches(jobs: Iterable[Job], size: int) -> Iterator[list[Job]]:
    part: list[Job] = []
    for job in jobs:
        part.append(job)
        if len(part) == size:
            yield part
            part = []
    if part:
        yield part
