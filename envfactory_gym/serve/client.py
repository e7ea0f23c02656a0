"""The client of a fleet, for trainers: create episodes, play them, grade them. Loads no MCP.

What is asked and how an answer is read is written once (`asking`); the two clients differ only in
whether they wait. `FleetClient` blocks, `AsyncFleetClient` is awaited.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import httpx2

from ..environment import TaskPublic
from ..episode import Outcome, RunRecord
from .asking import (
    ATTEMPTS,
    Ask,
    CallResult,
    FleetError,
    Handle,
    answer_of,
    as_model,
    creation,
    environments,
    fork_body,
    in_path,
    nothing,
    tasks_page,
    tool_call,
    unreachable,
)
from .fleet.models import (
    PAGE,
    Beginning,
    Diff,
    Digest,
    EnvironmentDetail,
    EnvironmentInfo,
    EpisodeInfo,
    EpisodePage,
    EpisodeStatus,
    RowChange,
    Snapshot,
    UserReply,
)

T = TypeVar("T")


class RemoteEpisode(Handle):
    """An episode of a fleet."""

    def __init__(self, fleet: FleetClient, info: EpisodeInfo | EpisodeStatus) -> None:
        super().__init__(info)
        self._fleet = fleet

    def call(self, tool: str, arguments: Mapping[str, Any] | None = None, *, key: str | None = None) -> CallResult:
        """Call a tool; if the connection is lost, again under the same key, so that it happens once."""
        return self._fleet.ask(tool_call(self.url, self.headers, tool, arguments or {}, key))

    def user(self, message: str, *, key: str | None = None) -> UserReply:
        """Say something to the simulated user: an agent message without calls."""
        return self._fleet.ask(self._post("/user", as_model(UserReply), {"message": message}, key or uuid.uuid4().hex))

    def status(self) -> EpisodeStatus:
        """Where it stands."""
        return self._fleet.ask(self._get("", as_model(EpisodeStatus)))

    def reset(self) -> Beginning:
        """Back to right after the setup."""
        return self._fleet.ask(self._post("/reset", as_model(Beginning)))

    def snapshot(self) -> str:
        """A point to come back to."""
        return self._fleet.ask(self._post("/snapshots", as_model(Snapshot))).snapshot

    def restore(self, snapshot: str) -> EpisodeStatus:
        """Back to a snapshot; what came after it is gone."""
        return self._fleet.ask(self._post("/restore", as_model(EpisodeStatus), {"snapshot": snapshot}))

    def fork(self, snapshot: str | None = None) -> RemoteEpisode:
        """Another episode that stands where this one stands, or stood."""
        ask = self._post("/fork", as_model(EpisodeInfo), fork_body(snapshot), uuid.uuid4().hex)
        return RemoteEpisode(self._fleet, self._fleet.ask(ask))

    def digest(self) -> str:
        """Digest of its state."""
        return self._fleet.ask(self._get("/digest", as_model(Digest))).digest

    def diff(self) -> list[RowChange]:
        """Every row that differs from what the setup left."""
        return self._fleet.ask(self._get("/diff", as_model(Diff))).rows

    def score(self, message: str | None = None, *, end: bool = True) -> Outcome:
        """Grade it, which ends it; with `end=False`, say how it would end now."""
        return self._fleet.ask(self._post("/score", as_model(Outcome), {"message": message, "end": end}))

    def record(self) -> RunRecord:
        """Transcript, calls and outcome as far as it has come."""
        return self._fleet.ask(self._get("/record", as_model(RunRecord)))

    def delete(self) -> None:
        """End it for good."""
        self._fleet.ask(Ask("DELETE", self._at(""), nothing))


class FleetClient:
    """A fleet over HTTP.

    Args:
        url: Its address, such as `http://127.0.0.1:8765`.
        token: The master token, if it has one.
        timeout: Seconds to wait for an answer.
        http: A client of your own to send requests with.

    Raises:
        FleetError: From every method: a request was refused, or the fleet does not answer.
    """

    def __init__(
        self, url: str, *, token: str | None = None, timeout: float = 30.0, http: httpx2.Client | None = None
    ) -> None:
        self._url, self._headers = url.rstrip("/"), {} if token is None else {"Authorization": f"Bearer {token}"}
        self._http = http or httpx2.Client(timeout=timeout)

    def __enter__(self) -> FleetClient:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Close its connections; episodes stay."""
        self._http.close()

    def ask(self, ask: Ask[T]) -> T:
        """Send a request and read its answer."""
        url = ask.url if ask.url.startswith("http") else self._url + ask.url
        for attempt in range(ATTEMPTS if ask.again else 1):
            try:
                response = self._http.request(
                    ask.method, url, content=ask.content, headers={**self._headers, **ask.all_headers}
                )
            except httpx2.TransportError as error:
                if not ask.again or attempt + 1 == ATTEMPTS:
                    raise unreachable(error, self._url) from error
            else:
                return answer_of(ask, response)
        raise AssertionError("unreachable")

    def environments(self) -> list[EnvironmentInfo]:
        """The environments that are served."""
        return self.ask(Ask("GET", "/v1/environments", environments.validate_json, again=True))

    def environment(self, name: str) -> EnvironmentDetail:
        """An environment with its tools and its policy."""
        return self.ask(Ask("GET", f"/v1/environments/{in_path(name)}", as_model(EnvironmentDetail), again=True))

    def tasks(self, name: str, *, split: str | None = None) -> list[TaskPublic]:
        """What may be shown of its tasks."""
        found: list[TaskPublic] = []
        while True:
            page = self.ask(tasks_page(name, split, len(found)))
            found += page.tasks
            if len(found) >= page.total or not page.tasks:
                return found

    def create(
        self,
        environment: str | Sequence[str],
        *,
        task: str | None = None,
        split: str | None = None,
        seed: int = 0,
        user: str = "solo",
        answer: str = "tool",
        max_steps: int = 100,
        key: str | None = None,
    ) -> RemoteEpisode:
        """Begin an episode.

        Args:
            environment: Name of what to play, or several.
            task: Id of a task.
            split: Instead of a task: choose one of this split by `seed`.
            seed: Chooses the task; in a base world, seeds ids and chance.
            user: `solo` or `scripted`.
            answer: `tool` or `text`.
            max_steps: Agent messages until a task is out of steps.
            key: Idempotency key; one is made where left out, so that a lost connection makes no second episode.
        """
        ask = creation(
            environment, key, task=task, split=split, seed=seed, user=user, answer=answer, max_steps=max_steps
        )
        return RemoteEpisode(self, self.ask(ask))

    def episode(self, identifier: str) -> RemoteEpisode:
        """An episode that exists already."""
        return RemoteEpisode(self, self.ask(Ask("GET", f"/v1/episodes/{in_path(identifier)}", as_model(EpisodeStatus))))

    def episodes(self) -> list[EpisodeStatus]:
        """All episodes."""
        found: list[EpisodeStatus] = []
        while True:
            page = self.ask(Ask("GET", f"/v1/episodes?offset={len(found)}&limit={PAGE}", as_model(EpisodePage)))
            found += page.episodes
            if len(found) >= page.total or not page.episodes:
                return found


class AsyncRemoteEpisode(Handle):
    """An episode of a fleet, awaited; see `RemoteEpisode`."""

    def __init__(self, fleet: AsyncFleetClient, info: EpisodeInfo | EpisodeStatus) -> None:
        super().__init__(info)
        self._fleet = fleet

    async def call(
        self, tool: str, arguments: Mapping[str, Any] | None = None, *, key: str | None = None
    ) -> CallResult:
        """Call a tool; if the connection is lost, again under the same key, so that it happens once."""
        return await self._fleet.ask(tool_call(self.url, self.headers, tool, arguments or {}, key))

    async def user(self, message: str, *, key: str | None = None) -> UserReply:
        """Say something to the simulated user: an agent message without calls."""
        ask = self._post("/user", as_model(UserReply), {"message": message}, key or uuid.uuid4().hex)
        return await self._fleet.ask(ask)

    async def status(self) -> EpisodeStatus:
        """Where it stands."""
        return await self._fleet.ask(self._get("", as_model(EpisodeStatus)))

    async def reset(self) -> Beginning:
        """Back to right after the setup."""
        return await self._fleet.ask(self._post("/reset", as_model(Beginning)))

    async def snapshot(self) -> str:
        """A point to come back to."""
        return (await self._fleet.ask(self._post("/snapshots", as_model(Snapshot)))).snapshot

    async def restore(self, snapshot: str) -> EpisodeStatus:
        """Back to a snapshot; what came after it is gone."""
        return await self._fleet.ask(self._post("/restore", as_model(EpisodeStatus), {"snapshot": snapshot}))

    async def fork(self, snapshot: str | None = None) -> AsyncRemoteEpisode:
        """Another episode that stands where this one stands, or stood."""
        ask = self._post("/fork", as_model(EpisodeInfo), fork_body(snapshot), uuid.uuid4().hex)
        return AsyncRemoteEpisode(self._fleet, await self._fleet.ask(ask))

    async def digest(self) -> str:
        """Digest of its state."""
        return (await self._fleet.ask(self._get("/digest", as_model(Digest)))).digest

    async def diff(self) -> list[RowChange]:
        """Every row that differs from what the setup left."""
        return (await self._fleet.ask(self._get("/diff", as_model(Diff)))).rows

    async def score(self, message: str | None = None, *, end: bool = True) -> Outcome:
        """Grade it, which ends it; with `end=False`, say how it would end now."""
        return await self._fleet.ask(self._post("/score", as_model(Outcome), {"message": message, "end": end}))

    async def record(self) -> RunRecord:
        """Transcript, calls and outcome as far as it has come."""
        return await self._fleet.ask(self._get("/record", as_model(RunRecord)))

    async def delete(self) -> None:
        """End it for good."""
        await self._fleet.ask(Ask("DELETE", self._at(""), nothing))


class AsyncFleetClient:
    """A fleet over HTTP, awaited; see `FleetClient`."""

    def __init__(
        self, url: str, *, token: str | None = None, timeout: float = 30.0, http: httpx2.AsyncClient | None = None
    ) -> None:
        self._url, self._headers = url.rstrip("/"), {} if token is None else {"Authorization": f"Bearer {token}"}
        self._http = http or httpx2.AsyncClient(timeout=timeout)

    async def __aenter__(self) -> AsyncFleetClient:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close its connections; episodes stay."""
        await self._http.aclose()

    async def ask(self, ask: Ask[T]) -> T:
        """Send a request and read its answer."""
        url = ask.url if ask.url.startswith("http") else self._url + ask.url
        for attempt in range(ATTEMPTS if ask.again else 1):
            try:
                response = await self._http.request(
                    ask.method, url, content=ask.content, headers={**self._headers, **ask.all_headers}
                )
            except httpx2.TransportError as error:
                if not ask.again or attempt + 1 == ATTEMPTS:
                    raise unreachable(error, self._url) from error
            else:
                return answer_of(ask, response)
        raise AssertionError("unreachable")

    async def environments(self) -> list[EnvironmentInfo]:
        """The environments that are served."""
        return await self.ask(Ask("GET", "/v1/environments", environments.validate_json, again=True))

    async def environment(self, name: str) -> EnvironmentDetail:
        """An environment with its tools and its policy."""
        return await self.ask(Ask("GET", f"/v1/environments/{in_path(name)}", as_model(EnvironmentDetail), again=True))

    async def tasks(self, name: str, *, split: str | None = None) -> list[TaskPublic]:
        """What may be shown of its tasks."""
        found: list[TaskPublic] = []
        while True:
            page = await self.ask(tasks_page(name, split, len(found)))
            found += page.tasks
            if len(found) >= page.total or not page.tasks:
                return found

    async def create(
        self,
        environment: str | Sequence[str],
        *,
        task: str | None = None,
        split: str | None = None,
        seed: int = 0,
        user: str = "solo",
        answer: str = "tool",
        max_steps: int = 100,
        key: str | None = None,
    ) -> AsyncRemoteEpisode:
        """Begin an episode; as `FleetClient.create`."""
        ask = creation(
            environment, key, task=task, split=split, seed=seed, user=user, answer=answer, max_steps=max_steps
        )
        return AsyncRemoteEpisode(self, await self.ask(ask))

    async def episode(self, identifier: str) -> AsyncRemoteEpisode:
        """An episode that exists already."""
        ask = Ask("GET", f"/v1/episodes/{in_path(identifier)}", as_model(EpisodeStatus))
        return AsyncRemoteEpisode(self, await self.ask(ask))

    async def episodes(self) -> list[EpisodeStatus]:
        """All episodes."""
        found: list[EpisodeStatus] = []
        while True:
            page = await self.ask(Ask("GET", f"/v1/episodes?offset={len(found)}&limit={PAGE}", as_model(EpisodePage)))
            found += page.episodes
            if len(found) >= page.total or not page.episodes:
                return found


__all__ = [
    "AsyncFleetClient",
    "AsyncRemoteEpisode",
    "CallResult",
    "FleetClient",
    "FleetError",
    "RemoteEpisode",
]
