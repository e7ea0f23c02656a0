"""The client of a fleet, for trainers: create episodes, play them, grade them. Loads no MCP.

What is asked and how an answer is read is written once (`_Ask`); the two clients differ only in
whether they wait. `FleetClient` blocks, `AsyncFleetClient` is awaited.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

import httpx2
from pydantic import BaseModel, TypeAdapter

from ..environment import EnvFactoryError, TaskPublic
from ..episode import Outcome, RunRecord
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
    TaskPage,
    UserReply,
)

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
M = TypeVar("M", bound=BaseModel)

REVISION = "2026-07-28"
ATTEMPTS = 3
"""How often a call with a key is sent while connections are lost."""

_ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "envfactory", "version": "1"},
}


class FleetError(EnvFactoryError):
    """The fleet refused a request, or could not be reached.

    Attributes:
        status: HTTP status; 0 where there was no answer.
        code: A short code, such as `unknown_episode`.
        message: What was wrong and what to do.
    """

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(f"{message} ({code}, {status})")
        self.status, self.code, self.message = status, code, message


class CallResult(NamedTuple):
    """What a tool gave back.

    Attributes:
        text: The result as compact JSON text, or the refusal.
        refused: Whether the tool refused.
        structured: The result as a value; None where it refused or its type is no object.
    """

    text: str
    refused: bool
    structured: Any


@dataclass(frozen=True)
class _Ask(Generic[T_co]):
    """A request and how its answer is read."""

    method: str
    url: str
    read: Callable[[bytes], T_co]
    body: Any = None
    headers: Mapping[str, str] | None = None
    again: bool = False


def _model(kind: type[M]) -> Callable[[bytes], M]:
    return kind.model_validate_json


def _keyed(key: str | None) -> dict[str, str]:
    return {} if key is None else {"Idempotency-Key": key}


def _nothing(content: bytes) -> None:
    return None


_environments = TypeAdapter(list[EnvironmentInfo])


def _create(environment: str | Sequence[str], key: str | None, **options: Any) -> _Ask[EpisodeInfo]:
    named = {"environment": environment} if isinstance(environment, str) else {"environments": list(environment)}
    body = {**named, **{name: value for name, value in options.items() if value is not None}}
    key = key or uuid.uuid4().hex
    return _Ask("POST", "/v1/episodes", _model(EpisodeInfo), body, _keyed(key), again=True)


def _call(
    url: str, headers: Mapping[str, str], tool: str, arguments: Mapping[str, Any], key: str | None
) -> _Ask[CallResult]:
    body = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": tool, "arguments": dict(arguments), "_meta": _ENVELOPE},
    }
    sent = {
        **headers,
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": REVISION,
        "Mcp-Method": "tools/call",
        "Mcp-Name": tool,
        **_keyed(key or uuid.uuid4().hex),
    }
    return _Ask("POST", url, _read_call, body, sent, again=True)


def _read_call(content: bytes) -> CallResult:
    answer = json.loads(content)
    if "error" in answer:
        raise FleetError(200, str(answer["error"]["code"]), answer["error"]["message"])
    result = answer["result"]
    text = "".join(block["text"] for block in result["content"] if block["type"] == "text")
    return CallResult(text, bool(result.get("isError")), result.get("structuredContent"))


def _content(ask: _Ask[T], response: httpx2.Response) -> T:
    """The answer of a request.

    Raises:
        FleetError: It was refused.
    """
    if response.is_success:
        return ask.read(response.content)
    try:
        problem = response.json()["error"]
        raise FleetError(response.status_code, str(problem["code"]), problem["message"])
    except (ValueError, KeyError, TypeError):
        raise FleetError(response.status_code, "unexpected", response.text[:500] or "no answer") from None


def _unreachable(error: httpx2.HTTPError, url: str) -> FleetError:
    return FleetError(0, "unreachable", f"the fleet at {url} does not answer: {error!r}")


class _Handle:
    """What both kinds of remote episodes know about theirs."""

    def __init__(self, info: EpisodeInfo | EpisodeStatus) -> None:
        self.info = info
        self.id = info.id

    def _told(self, name: str) -> Any:
        if not isinstance(self.info, EpisodeInfo):
            raise FleetError(0, "not_told", f"only who creates an episode is told its {name}")
        return getattr(self.info, name)

    @property
    def url(self) -> str:
        """MCP address with all its tools."""
        found: str = self._told("url")
        return found

    @property
    def urls(self) -> dict[str, str]:
        """Every MCP address, by environment."""
        found: dict[str, str] = self._told("urls")
        return found

    @property
    def token(self) -> str | None:
        """Bearer token of these addresses; None where none is needed."""
        found: str | None = self._told("token")
        return found

    @property
    def headers(self) -> dict[str, str]:
        """What an MCP client has to send."""
        return {} if self.token is None else {"Authorization": f"Bearer {self.token}"}

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The first messages: the system prompt, and the request of a task."""
        found: list[dict[str, Any]] = self._told("messages")
        return found

    @property
    def tools(self) -> list[dict[str, Any]]:
        """The agent's tools in OpenAI form."""
        found: list[dict[str, Any]] = self._told("tools")
        return found

    def _at(self, path: str) -> str:
        # Workers own their episodes, and say where they are reached.
        base = self.url.partition("/e/")[0] if isinstance(self.info, EpisodeInfo) else ""
        return f"{base}/v1/episodes/{self.id}{path}"

    def _post(self, path: str, read: Callable[[bytes], T], body: Any = None, key: str | None = None) -> _Ask[T]:
        return _Ask("POST", self._at(path), read, body, _keyed(key), again=key is not None)

    def _get(self, path: str, read: Callable[[bytes], T]) -> _Ask[T]:
        return _Ask("GET", self._at(path), read, again=True)


def _fork_body(snapshot: str | None) -> dict[str, Any]:
    return {} if snapshot is None else {"snapshot": snapshot}


class RemoteEpisode(_Handle):
    """An episode of a fleet."""

    def __init__(self, fleet: FleetClient, info: EpisodeInfo | EpisodeStatus) -> None:
        super().__init__(info)
        self._fleet = fleet

    def call(self, tool: str, arguments: Mapping[str, Any] | None = None, *, key: str | None = None) -> CallResult:
        """Call a tool; if the connection is lost, again under the same key, so that it happens once."""
        return self._fleet.ask(_call(self.url, self.headers, tool, arguments or {}, key))

    def user(self, message: str, *, key: str | None = None) -> UserReply:
        """Say something to the simulated user: an agent message without calls."""
        return self._fleet.ask(self._post("/user", _model(UserReply), {"message": message}, key or uuid.uuid4().hex))

    def status(self) -> EpisodeStatus:
        """Where it stands."""
        return self._fleet.ask(self._get("", _model(EpisodeStatus)))

    def reset(self) -> Beginning:
        """Back to right after the setup."""
        return self._fleet.ask(self._post("/reset", _model(Beginning)))

    def snapshot(self) -> str:
        """A point to come back to."""
        return self._fleet.ask(self._post("/snapshots", _model(Snapshot))).snapshot

    def restore(self, snapshot: str) -> EpisodeStatus:
        """Back to a snapshot; what came after it is gone."""
        return self._fleet.ask(self._post("/restore", _model(EpisodeStatus), {"snapshot": snapshot}))

    def fork(self, snapshot: str | None = None) -> RemoteEpisode:
        """Another episode that stands where this one stands, or stood."""
        ask = self._post("/fork", _model(EpisodeInfo), _fork_body(snapshot), uuid.uuid4().hex)
        return RemoteEpisode(self._fleet, self._fleet.ask(ask))

    def digest(self) -> str:
        """Digest of its state."""
        return self._fleet.ask(self._get("/digest", _model(Digest))).digest

    def diff(self) -> list[RowChange]:
        """Every row that differs from what the setup left."""
        return self._fleet.ask(self._get("/diff", _model(Diff))).rows

    def score(self, message: str | None = None, *, end: bool = True) -> Outcome:
        """Grade it, which ends it; with `end=False`, say how it would end now."""
        return self._fleet.ask(self._post("/score", _model(Outcome), {"message": message, "end": end}))

    def record(self) -> RunRecord:
        """Transcript, calls and outcome as far as it has come."""
        return self._fleet.ask(self._get("/record", _model(RunRecord)))

    def delete(self) -> None:
        """End it for good."""
        self._fleet.ask(_Ask("DELETE", self._at(""), _nothing))


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

    def ask(self, ask: _Ask[T]) -> T:
        """Send a request and read its answer."""
        url = ask.url if ask.url.startswith("http") else self._url + ask.url
        for attempt in range(ATTEMPTS if ask.again else 1):
            try:
                response = self._http.request(
                    ask.method, url, json=ask.body, headers={**self._headers, **(ask.headers or {})}
                )
            except httpx2.TransportError as error:
                if not ask.again or attempt + 1 == ATTEMPTS:
                    raise _unreachable(error, self._url) from error
            else:
                return _content(ask, response)
        raise AssertionError("unreachable")

    def environments(self) -> list[EnvironmentInfo]:
        """The environments that are served."""
        return self.ask(_Ask("GET", "/v1/environments", _environments.validate_json, again=True))

    def environment(self, name: str) -> EnvironmentDetail:
        """An environment with its tools and its policy."""
        return self.ask(_Ask("GET", f"/v1/environments/{name}", _model(EnvironmentDetail), again=True))

    def tasks(self, name: str, *, split: str | None = None) -> list[TaskPublic]:
        """What may be shown of its tasks."""
        found: list[TaskPublic] = []
        while True:
            page = self.ask(_tasks(name, split, len(found)))
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
        ask = _create(
            environment, key, task=task, split=split, seed=seed, user=user, answer=answer, max_steps=max_steps
        )
        return RemoteEpisode(self, self.ask(ask))

    def episode(self, identifier: str) -> RemoteEpisode:
        """An episode that exists already."""
        return RemoteEpisode(self, self.ask(_Ask("GET", f"/v1/episodes/{identifier}", _model(EpisodeStatus))))

    def episodes(self) -> list[EpisodeStatus]:
        """All episodes."""
        found: list[EpisodeStatus] = []
        while True:
            page = self.ask(_Ask("GET", f"/v1/episodes?offset={len(found)}&limit={PAGE}", _model(EpisodePage)))
            found += page.episodes
            if len(found) >= page.total or not page.episodes:
                return found


def _tasks(name: str, split: str | None, offset: int) -> _Ask[TaskPage]:
    chosen = "" if split is None else f"&split={split}"
    return _Ask(
        "GET", f"/v1/environments/{name}/tasks?offset={offset}&limit={PAGE}{chosen}", _model(TaskPage), again=True
    )


class AsyncRemoteEpisode(_Handle):
    """An episode of a fleet, awaited; see `RemoteEpisode`."""

    def __init__(self, fleet: AsyncFleetClient, info: EpisodeInfo | EpisodeStatus) -> None:
        super().__init__(info)
        self._fleet = fleet

    async def call(
        self, tool: str, arguments: Mapping[str, Any] | None = None, *, key: str | None = None
    ) -> CallResult:
        """Call a tool; if the connection is lost, again under the same key, so that it happens once."""
        return await self._fleet.ask(_call(self.url, self.headers, tool, arguments or {}, key))

    async def user(self, message: str, *, key: str | None = None) -> UserReply:
        """Say something to the simulated user: an agent message without calls."""
        ask = self._post("/user", _model(UserReply), {"message": message}, key or uuid.uuid4().hex)
        return await self._fleet.ask(ask)

    async def status(self) -> EpisodeStatus:
        """Where it stands."""
        return await self._fleet.ask(self._get("", _model(EpisodeStatus)))

    async def reset(self) -> Beginning:
        """Back to right after the setup."""
        return await self._fleet.ask(self._post("/reset", _model(Beginning)))

    async def snapshot(self) -> str:
        """A point to come back to."""
        return (await self._fleet.ask(self._post("/snapshots", _model(Snapshot)))).snapshot

    async def restore(self, snapshot: str) -> EpisodeStatus:
        """Back to a snapshot; what came after it is gone."""
        return await self._fleet.ask(self._post("/restore", _model(EpisodeStatus), {"snapshot": snapshot}))

    async def fork(self, snapshot: str | None = None) -> AsyncRemoteEpisode:
        """Another episode that stands where this one stands, or stood."""
        ask = self._post("/fork", _model(EpisodeInfo), _fork_body(snapshot), uuid.uuid4().hex)
        return AsyncRemoteEpisode(self._fleet, await self._fleet.ask(ask))

    async def digest(self) -> str:
        """Digest of its state."""
        return (await self._fleet.ask(self._get("/digest", _model(Digest)))).digest

    async def diff(self) -> list[RowChange]:
        """Every row that differs from what the setup left."""
        return (await self._fleet.ask(self._get("/diff", _model(Diff)))).rows

    async def score(self, message: str | None = None, *, end: bool = True) -> Outcome:
        """Grade it, which ends it; with `end=False`, say how it would end now."""
        return await self._fleet.ask(self._post("/score", _model(Outcome), {"message": message, "end": end}))

    async def record(self) -> RunRecord:
        """Transcript, calls and outcome as far as it has come."""
        return await self._fleet.ask(self._get("/record", _model(RunRecord)))

    async def delete(self) -> None:
        """End it for good."""
        await self._fleet.ask(_Ask("DELETE", self._at(""), _nothing))


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

    async def ask(self, ask: _Ask[T]) -> T:
        """Send a request and read its answer."""
        url = ask.url if ask.url.startswith("http") else self._url + ask.url
        for attempt in range(ATTEMPTS if ask.again else 1):
            try:
                response = await self._http.request(
                    ask.method, url, json=ask.body, headers={**self._headers, **(ask.headers or {})}
                )
            except httpx2.TransportError as error:
                if not ask.again or attempt + 1 == ATTEMPTS:
                    raise _unreachable(error, self._url) from error
            else:
                return _content(ask, response)
        raise AssertionError("unreachable")

    async def environments(self) -> list[EnvironmentInfo]:
        """The environments that are served."""
        return await self.ask(_Ask("GET", "/v1/environments", _environments.validate_json, again=True))

    async def environment(self, name: str) -> EnvironmentDetail:
        """An environment with its tools and its policy."""
        return await self.ask(_Ask("GET", f"/v1/environments/{name}", _model(EnvironmentDetail), again=True))

    async def tasks(self, name: str, *, split: str | None = None) -> list[TaskPublic]:
        """What may be shown of its tasks."""
        found: list[TaskPublic] = []
        while True:
            page = await self.ask(_tasks(name, split, len(found)))
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
        ask = _create(
            environment, key, task=task, split=split, seed=seed, user=user, answer=answer, max_steps=max_steps
        )
        return AsyncRemoteEpisode(self, await self.ask(ask))

    async def episode(self, identifier: str) -> AsyncRemoteEpisode:
        """An episode that exists already."""
        ask = _Ask("GET", f"/v1/episodes/{identifier}", _model(EpisodeStatus))
        return AsyncRemoteEpisode(self, await self.ask(ask))

    async def episodes(self) -> list[EpisodeStatus]:
        """All episodes."""
        found: list[EpisodeStatus] = []
        while True:
            page = await self.ask(_Ask("GET", f"/v1/episodes?offset={len(found)}&limit={PAGE}", _model(EpisodePage)))
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
