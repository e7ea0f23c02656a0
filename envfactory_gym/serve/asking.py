"""What the clients of a fleet ask, and how they read the answers: the same for those that block and those that wait."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar
from urllib.parse import quote

import httpx2
from pydantic import BaseModel, TypeAdapter

from ..environment import EnvFactoryError
from .fleet.models import PAGE, EnvironmentInfo, EpisodeInfo, EpisodeStatus, TaskPage

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
class Ask(Generic[T_co]):
    """A request and how its answer is read."""

    method: str
    url: str
    read: Callable[[bytes], T_co]
    body: Any = None
    headers: Mapping[str, str] | None = None
    again: bool = False

    @property
    def content(self) -> bytes | None:
        """The body as it goes out. What models write (half a character, a NaN) goes too: refusing it is the fleet's."""
        return None if self.body is None else json.dumps(self.body).encode()

    @property
    def all_headers(self) -> dict[str, str]:
        """Its headers, with that of the body."""
        return {**(self.headers or {}), **({} if self.body is None else {"Content-Type": "application/json"})}


def as_model(kind: type[M]) -> Callable[[bytes], M]:
    """Reads an answer as a type of the control plane."""
    return kind.model_validate_json


def keyed(key: str | None) -> dict[str, str]:
    """The header of an idempotency key."""
    return {} if key is None else {"Idempotency-Key": key}


def nothing(content: bytes) -> None:
    """Reads an answer that has no content."""
    return


environments = TypeAdapter(list[EnvironmentInfo])


def creation(environment: str | Sequence[str], key: str | None, **options: Any) -> Ask[EpisodeInfo]:
    """A new episode, which a lost connection must not make twice."""
    named = {"environment": environment} if isinstance(environment, str) else {"environments": list(environment)}
    body = {**named, **{name: value for name, value in options.items() if value is not None}}
    key = key or uuid.uuid4().hex
    return Ask("POST", "/v1/episodes", as_model(EpisodeInfo), body, keyed(key), again=True)


def tool_call(
    url: str, headers: Mapping[str, str], tool: str, arguments: Mapping[str, Any], key: str | None
) -> Ask[CallResult]:
    """A tool call, as one request of the 2026-07-28 protocol."""
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
        **keyed(key or uuid.uuid4().hex),
    }
    return Ask("POST", url, _read_call, body, sent, again=True)


def _read_call(content: bytes) -> CallResult:
    answer = json.loads(content)
    if "error" in answer:
        raise FleetError(200, str(answer["error"]["code"]), answer["error"]["message"])
    result = answer["result"]
    text = "".join(block["text"] for block in result["content"] if block["type"] == "text")
    return CallResult(text, bool(result.get("isError")), result.get("structuredContent"))


def answer_of(ask: Ask[T], response: httpx2.Response) -> T:
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


def unreachable(error: httpx2.HTTPError, url: str) -> FleetError:
    """What a fleet that does not answer is told as."""
    return FleetError(0, "unreachable", f"the fleet at {url} does not answer: {error!r}")


class Handle:
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

    def _post(self, path: str, read: Callable[[bytes], T], body: Any = None, key: str | None = None) -> Ask[T]:
        return Ask("POST", self._at(path), read, body, keyed(key), again=key is not None)

    def _get(self, path: str, read: Callable[[bytes], T]) -> Ask[T]:
        return Ask("GET", self._at(path), read, again=True)


def in_path(name: str) -> str:
    """A name as one part of an address, whatever is in it."""
    return quote(name, safe="")


def fork_body(snapshot: str | None) -> dict[str, Any]:
    """Where a fork is to stand."""
    return {} if snapshot is None else {"snapshot": snapshot}


def tasks_page(name: str, split: str | None, offset: int) -> Ask[TaskPage]:
    """Some of the tasks of an environment, from a place on."""
    chosen = "" if split is None else f"&split={in_path(split)}"
    return Ask(
        "GET",
        f"/v1/environments/{in_path(name)}/tasks?offset={offset}&limit={PAGE}{chosen}",
        as_model(TaskPage),
        again=True,
    )
