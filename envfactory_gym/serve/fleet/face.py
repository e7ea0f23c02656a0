"""What a fleet shows over MCP at one kind of address: an environment, or a part of one that spans several.

A face has one MCP server for all episodes that are reached through it. Which episode a request is
for stands in the request itself, where the dispatcher has put it (`Visit`).
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import mcp_types as types
from mcp import MCPError
from mcp_types import SERVER_INFO_META_KEY
from pydantic_core import to_json

from ...environment import Bundle, EnvFactoryError, Package, Tool, ToolError
from ...episode import AnswerForm
from ...episode.episode_tools import episode_tools
from ...episode.prompt import introduction
from ..catalogue import View
from ..protocol import Context, client_name, face, list_of, unknown_tool
from ..session import Reply, SessionFault, agent_tools
from .lasting import Conflict
from .leaving import ClientLeft, Gone
from .mount import Mount
from .play import Play
from .shelf import EPISODE

VISIT = "envfactory.visit"
"""Where in a request's scope the dispatcher has put what it is for."""

KEY = "io.envfactory/idempotency-key"
"""Where in `params._meta` a client may put an idempotency key."""

SESSIONLESS = "2026-07-28"
"""The first revision of the protocol that has no sessions."""

MAX_KEY = 200
"""Longest idempotency key, in characters."""


@dataclass(slots=True)
class Visit:
    """What one request is for.

    Attributes:
        play: The episode; None at a shared address.
        key: The idempotency key of its header.
        gone: Tells when the client has left.
        session: The MCP session of its header.
    """

    play: Play | None = None
    key: str | None = None
    gone: Gone | None = None
    session: str | None = None


class Shown(NamedTuple):
    """Tools by name, and as they are listed."""

    tools: Mapping[str, Tool]
    listing: types.ListToolsResult


class Seat(NamedTuple):
    """Where an address of an episode leads: its face, the mount behind it, and the tools shown there."""

    face: Face
    mount: Mount
    tools: Mapping[str, Tool]


class Lobby:
    """An environment in which nobody plays yet: what can be read without a world."""

    ticket = None

    def __init__(self, package: Package) -> None:
        self.package = package
        self.tools: Mapping[str, Tool] = agent_tools(package)

    @property
    def now(self) -> str:
        """The time at which the base world begins."""
        return self.package.manifest.clock

    @property
    def instructions(self) -> str:
        """The rules and the time."""
        return introduction(self.package, now=self.now)


SharedPlay = Callable[["Face", str], Awaitable[Play]]
"""The episode that belongs to a session on a shared address."""


class Face:
    """One kind of address.

    Args:
        package: The environment, or several as one.
        part: Of several, the one whose tools are shown, or `episode`; None for all tools.
        names: The names under which the shelf has it.
        shared: Gives the episodes of a shared address.
    """

    def __init__(
        self, package: Package, part: str | None, names: tuple[str, ...], *, shared: SharedPlay | None = None
    ) -> None:
        self.package, self.part, self.names = package, part, names
        self._shared = shared
        self._shown: dict[AnswerForm | None, Shown] = {}
        self._lobby = Lobby(package)
        shown = package
        if part is not None and part != EPISODE and isinstance(package, Bundle):
            shown = package.names[part].package
        self.server = face(shown, self)
        self.stamp = f'"_meta":{json.dumps({SERVER_INFO_META_KEY: self.server.server_info_stamp})}'

    def shown(self, play: Play | None) -> Shown:
        """The tools that are shown to those who play an episode."""
        header = play.header if play is not None else None
        form = header.answer if header is not None and header.task is not None else None
        found = self._shown.get(form)
        if found is None:
            own = agent_tools(self.package)
            acting = episode_tools(self.package, form) if form is not None else {}
            if self.part == EPISODE:
                own = {}
            elif self.part is not None:
                prefix = f"{self.part}__"
                own, acting = {name: tool for name, tool in own.items() if tool.prefix == prefix}, {}
            tools = {**own, **acting}
            found = self._shown[form] = Shown(tools, list_of(tools))
        return found

    # ------------------------------------------------------------ what the MCP server asks

    async def view(self, ctx: Context) -> View:
        """The session of the request; at a shared address, the environment."""
        play = _visit(ctx).play
        if play is None:
            return self._lobby
        try:
            return await play.session()
        except (SessionFault, Conflict) as error:
            raise MCPError(code=types.INTERNAL_ERROR, message=str(error)) from error

    async def listing(self, ctx: Context) -> types.ListToolsResult:
        """The tools of the request's episode."""
        return self.shown(_visit(ctx).play).listing

    async def call(self, ctx: Context, name: str, arguments: Mapping[str, Any]) -> tuple[Tool, Reply]:
        """Call a tool in the request's episode."""
        visit = _visit(ctx)
        play = visit.play
        tool = self.shown(play).tools.get(name)
        if tool is None:
            raise unknown_tool(name)
        if play is None:
            # A header alone makes no session: where the protocol has none, nobody has ever opened it.
            identifier = visit.session if ctx.protocol_version < SESSIONLESS else None
            if self._shared is None or identifier is None:
                return tool, self._no_world()
            try:
                play = await self._shared(self, identifier)
            except EnvFactoryError as error:
                return tool, _refusal("limit", str(error))
        if play.client is None and (client := client_name(ctx)) is not None:
            play.introduce(client)
        key = visit.key if visit.key is not None else key_in(ctx.meta)
        return tool, await called(play, name, arguments, key, visit.gone)

    def _no_world(self) -> Reply:
        name = self.package.name
        return _refusal(
            "conflict",
            f"This address has no world of its own. Create an episode (POST /v1/episodes with "
            f'{{"environment": "{name}"}}) and connect to the url that it answers, /e/<id>/{name}/mcp; or connect '
            "with a client that opens a session (protocol 2025-11-25 or earlier).",
        )


async def called(play: Play, name: str, arguments: Mapping[str, Any], key: str | None, gone: Gone | None) -> Reply:
    """Call a tool; what only the protocol can say becomes an error of the protocol."""
    try:
        return await play.call(name, arguments, key=key, gone=gone)
    except Conflict as error:
        raise in_protocol(error) from error
    except ClientLeft:
        raise MCPError(code=types.INTERNAL_ERROR, message="cancelled; nothing happened") from None


def in_protocol(error: MCPError | Conflict) -> MCPError:
    """An error as the protocol says it."""
    return error if isinstance(error, MCPError) else MCPError(code=types.INVALID_PARAMS, message=str(error))


def key_in(meta: Mapping[str, Any] | None) -> str | None:
    """The idempotency key in a request's `_meta`.

    Raises:
        MCPError: It is no key.
    """
    key = meta.get(KEY) if meta is not None else None
    if key is None:
        return None
    if not isinstance(key, str) or not 0 < len(key) <= MAX_KEY:
        raise MCPError(code=types.INVALID_PARAMS, message=f"{KEY} is a text of 1 to {MAX_KEY} characters")
    return key


def _refusal(code: Any, message: str) -> Reply:
    return Reply(to_json(ToolError(code, message).payload()).decode(), refused=True)


def _visit(ctx: Context) -> Visit:
    assert ctx.request is not None  # over HTTP every message comes with its request
    visit: Visit = ctx.request.scope[VISIT]
    return visit
