"""An MCP server at an address: the SDK's session manager, started when the first request comes.

Episode addresses are stateless and answer JSON: whatever must last is in the episode. Shared
addresses hold sessions for clients that open some, and answer with streams.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from .http import Receive, Scope, Send

MAX_SESSIONS = 2_000
"""Sessions of one shared address."""

IDLE = 1_800.0
"""Seconds after which a session without requests ends."""


class Mount:
    """One server and its manager.

    Args:
        make: Gives the server.
        sessions: Whether clients may open sessions.
        max_body: Most bytes of a request.
    """

    def __init__(self, make: Callable[[], Server[Any]], *, sessions: bool, max_body: int) -> None:
        self.sessions = sessions
        self._make, self._max_body = make, max_body
        self._manager: StreamableHTTPSessionManager | None = None
        self._starting: asyncio.Future[StreamableHTTPSessionManager] | None = None
        self._task: asyncio.Task[None] | None = None
        self._stop = asyncio.Event()

    @property
    def open_sessions(self) -> frozenset[str]:
        """Ids of the sessions that are open; only the manager knows, and has no public way of saying."""
        return frozenset(self._manager._server_instances) if self._manager is not None else frozenset()

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        manager = self._manager
        if manager is None:
            manager = await self._started()
        await manager.handle_request(scope, receive, send)

    async def _started(self) -> StreamableHTTPSessionManager:
        if self._starting is None:
            self._starting = asyncio.get_running_loop().create_future()
            self._task = asyncio.create_task(self._run(self._starting))
        return await asyncio.shield(self._starting)

    async def _run(self, started: asyncio.Future[StreamableHTTPSessionManager]) -> None:
        """The manager's whole life, in one task, as its task group wants it."""
        # Host, origin and credentials were looked at before: the dispatcher does that for every address.
        manager = StreamableHTTPSessionManager(
            self._make(),
            json_response=not self.sessions,
            stateless=not self.sessions,
            session_idle_timeout=IDLE if self.sessions else None,
            max_sessions=MAX_SESSIONS,
            max_request_body_size=self._max_body,
        )
        async with manager.run():
            self._manager = manager
            started.set_result(manager)
            await self._stop.wait()
            self._manager = None

    async def stop(self) -> None:
        """End all sessions and their streams."""
        self._stop.set()
        if self._task is not None:
            await asyncio.wait([self._task])
