"""The fleet: one ASGI application for all environments, episodes, and the control plane.

It finds its way with a few dictionary lookups. Every request passes the same gate first (host,
origin, credentials, size), so nothing behind it has to think of that again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from mcp.server.lowlevel import Server

from ...environment import Bundle, EnvFactoryError, Package, UntrustedPackageError
from ...environment.bundle import NAME as MULTI
from ..session import ServeError
from . import fastpath
from .face import MAX_KEY, VISIT, Face, Seat, Visit
from .gate import Gate
from .http import (
    JSON,
    Disconnected,
    Receive,
    Refused,
    Scope,
    Send,
    Watched,
    only,
    read_body,
    replayed,
    respond,
    until_gone,
)
from .metrics import CONTENT_TYPE, Metrics
from .mount import Mount
from .play import Play
from .settings import Settings, bracketed
from .shelf import EPISODE, Loader, NotServed, Shelf, loaders
from .store import Store

if TYPE_CHECKING:
    from fastapi import FastAPI

logger = logging.getLogger("envfactory.fleet")

THREADS = 8
"""Threads for slow tools and for opening environments."""

SWEEP_EVERY = 2.0
"""Seconds between two looks at what has expired."""

OPEN_PAGES = frozenset({"/docs", "/openapi.json", "/healthz", "/readyz"})
"""Pages that hold nothing of anybody's, so that nobody is asked who they are."""


class Fleet:
    """Environments and episodes behind one address.

    Args:
        environments: Names, or name → what gives the package. Nothing is opened before it is asked for.
        settings: Limits and security.
        servers: Further MCP servers by name, at `/{name}/mcp`, with sessions; they pass the same gate.
        stateless: Names of those among them that are served as episodes are: without sessions, in JSON.
    """

    def __init__(
        self,
        environments: Iterable[str] | Mapping[str, Loader],
        settings: Settings | None = None,
        *,
        servers: Mapping[str, Callable[[], Server[Any]]] | None = None,
        stateless: Collection[str] = (),
    ) -> None:
        self.settings = settings or Settings()
        self.metrics = Metrics()
        self.gate = Gate(self.settings)
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="envfactory")
        named = environments if isinstance(environments, Mapping) else loaders(environments)
        self.shelf = Shelf(named, self._threads)
        self.store = Store(self.settings, self.shelf, self._threads, self.metrics)
        self.base_url = self.settings.public_url or f"http://{bracketed(self.settings.host)}:{self.settings.port}"
        self.started_at = time.time()
        self.expected: set[str] = set()
        self._faces: dict[tuple[Package, str | None], tuple[Face, Mount]] = {}
        self._shared: dict[str, tuple[Face | None, Mount]] = {}
        self._servers, self._stateless = dict(servers or {}), frozenset(stateless)
        self._sessions: dict[tuple[str, str], str] = {}
        self._control: FastAPI | None = None
        self.failure: Exception | None = None
        self._draining = False
        self._ready = False
        self._stop = asyncio.Event()
        self._tasks: set[asyncio.Task[Any]] = set()

    # ------------------------------------------------------------ beginning and end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, as ASGI wants it."""
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._lifespan(receive, send)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        self._task(self._sweep())
        # Loading the control plane takes longer than everything else; it must not hold up who only looks in.
        self._task(self._warm())
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.close()
        await send({"type": "lifespan.shutdown.complete"})

    def _task(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _warm(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            self._control = await loop.run_in_executor(self._threads, self._make_control)
        except Exception as error:
            self.failure = error
            logger.exception("the control plane cannot be loaded")
            raise
        self._ready = True

    def _make_control(self) -> FastAPI:
        from .control import control_plane

        return control_plane(self)

    async def _sweep(self) -> None:
        while not self._stop.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), SWEEP_EVERY)
            await self.store.sweep()
            for name, session in list(self._sessions):
                if session not in self._shared[name][1].open_sessions:
                    await self._end_session(name, session)

    def drain(self) -> None:
        """Take no more requests, and end open streams; those in progress are finished. May be called twice."""
        if not self._draining:
            self._draining = True
            self._stop.set()
            for _, mount in [*self._shared.values(), *self._faces.values()]:
                if mount.sessions:
                    self._task(mount.stop())

    async def close(self) -> None:
        """Stop everything."""
        self.drain()
        for _, mount in [*self._shared.values(), *self._faces.values()]:
            await mount.stop()
        if self._tasks:
            await asyncio.wait(self._tasks)
        self.store.close()
        self._threads.shutdown(wait=True, cancel_futures=True)

    @property
    def ready(self) -> bool:
        """Whether everything is loaded and nothing is ending."""
        return self._ready and not self._draining

    # ------------------------------------------------------------ the way of a request

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        watched = Watched(send)
        path: str = scope["path"]
        route = "other"
        try:
            # A header value ends before its trailing spaces (RFC 9110, 5.5), which one of the parsers leaves there.
            headers = {name: value.strip(b" \t") for name, value in scope["headers"]}
            if path.startswith("/e/"):
                route = "episode"
                self._check_sender(headers)
                await self._episode(scope, headers, receive, watched)
            else:
                route = self._route(path)
                await self._elsewhere(route, scope, headers, receive, watched)
        except Refused as refused:
            if watched.status is None:
                await respond(watched, refused.status, refused.body(), [JSON, *refused.headers])
        except Disconnected:
            return
        finally:
            if self._draining:
                await watched.finish()
            self.metrics.answered(route, watched.status or 0)

    def _check_sender(self, headers: Mapping[bytes, bytes]) -> None:
        """Refuse what comes from the wrong place, or too late."""
        self.gate.check_sender(headers)
        if self._draining:
            raise Refused(503, "going_down", "the server is going down; come again", headers=[(b"retry-after", b"2")])

    def _route(self, path: str) -> str:
        if path == "/v1" or path.startswith("/v1/"):
            return "control"
        if path in ("/docs", "/openapi.json", "/docs/oauth2-redirect"):
            return "control"
        return {"/healthz": "health", "/readyz": "health", "/metrics": "metrics"}.get(path, "shared")

    async def _elsewhere(
        self, route: str, scope: Scope, headers: Mapping[bytes, bytes], receive: Receive, send: Watched
    ) -> None:
        path, method = scope["path"], scope["method"]
        if route == "health":
            # Probes address the machine by whatever number it has, and learn nothing but that it is up.
            only(method, "GET", "HEAD")
            await self._health(path, send)
            return
        self._check_sender(headers)
        if path not in OPEN_PAGES:
            self.gate.check_master(headers)
        if route == "metrics":
            only(method, "GET", "HEAD")
            await respond(send, 200, self.metrics.text(), [(b"content-type", CONTENT_TYPE.encode())])
        elif route == "control":
            await self._control_plane(scope, headers, receive, send)
        else:
            await self._shared_address(scope, headers, receive, send)

    async def _health(self, path: str, send: Send) -> None:
        if path == "/healthz" or self.ready:
            await respond(send, 200, b'{"ok":true}')
        else:
            await respond(send, 503, Refused(503, "not_ready", "not yet up, or going down").body())

    async def _control_plane(self, scope: Scope, headers: Mapping[bytes, bytes], receive: Receive, send: Send) -> None:
        while (control := self._control) is None:
            if self._draining or self.failure is not None:
                raise Refused(503, "not_ready", "the control plane is not up; the log says why")
            await asyncio.sleep(0.005)
        body = await read_body(receive, self.settings.max_body, headers.get(b"content-length"))
        await control(scope, replayed(body, receive), send)

    # ------------------------------------------------------------ episodes

    async def _episode(self, scope: Scope, headers: dict[bytes, bytes], receive: Receive, send: Watched) -> None:
        parts = scope["path"].split("/")
        if len(parts) != 5 or parts[4] != "mcp":
            raise Refused(404, "not_found", "an episode's address is /e/{id}/{environment}/mcp")
        identifier, name = parts[2], parts[3]
        self.gate.check_player(headers, identifier)
        play = self.store.get(identifier)
        if play is None:
            raise Refused(404, "unknown_episode", "there is no such episode: it was deleted, or expired")
        seat = play.seats.get(name) or self._seat(play, name) or await self._opened_seat(play, name)
        only(scope["method"], "POST")
        body = await read_body(receive, self.settings.max_body, headers.get(b"content-length"))
        visit = Visit(play, _key(headers), partial(until_gone, receive))
        if self.settings.fast and (answer := await fastpath.answered(seat, visit, scope, headers, body)) is not None:
            await respond(send, *answer)
            return
        scope[VISIT] = visit
        _strip(scope)
        await seat.mount.handle(scope, replayed(body, receive), send)

    def admits(self, headers: Mapping[bytes, bytes], episode: str) -> bool:
        """Whether a request for an episode is in order beyond doubt, and none came before it that is yet to begin."""
        return not self._draining and episode not in self.expected and self.gate.plainly_admits(headers, episode)

    def _seat(self, play: Play, name: str) -> Seat | None:
        """Where an address of an episode leads; None where its environment is not open yet."""
        header = play.header
        package = self.shelf.opened(header.environments)
        if package is None:
            return None
        if isinstance(package, Bundle) and header.task is not None:
            package = package.narrowed(package.task(header.task))
        part = None if name == package.name else name
        found = self._faces.get((package, part))
        if found is None:
            found = self._faces[package, part] = self._face(package, part, header.environments)
        face, mount = found
        seat = play.seats[name] = Seat(face, mount, face.shown(play).tools)
        return seat

    def _face(self, package: Package, part: str | None, environments: tuple[str, ...]) -> tuple[Face, Mount]:
        if part is not None and not (isinstance(package, Bundle) and (part == EPISODE or part in package.names)):
            raise Refused(404, "unknown_environment", f"this episode plays {package.name}, not {part}")
        face = Face(package, part, environments)
        return face, Mount(lambda: face.server, sessions=False, max_body=self.settings.max_body)

    async def _opened_seat(self, play: Play, name: str) -> Seat:
        try:
            await self.shelf.open(play.header.environments)
            found = self._seat(play, name)
        except EnvFactoryError as error:
            raise unusable(error) from error
        assert found is not None  # it is open now
        return found

    def urls(self, play: Play, package: Package) -> dict[str, str]:
        """Every MCP address of an episode, the one with all its tools first."""
        names = [package.name]
        if isinstance(package, Bundle):
            names += [*package.names, EPISODE]
        return {name: f"{self.base_url}/e/{play.id}/{quote(name)}/mcp" for name in names}

    # ------------------------------------------------------------ shared addresses

    async def _shared_address(
        self, scope: Scope, headers: Mapping[bytes, bytes], receive: Receive, send: Watched
    ) -> None:
        parts = scope["path"].split("/")
        if len(parts) != 3 or parts[2] != "mcp":
            raise Refused(404, "not_found", "there is nothing here; /docs shows what there is")
        name, method = parts[1], scope["method"]
        if name not in self._servers and name not in self.shelf:
            raise Refused(404, "unknown_environment", f"no environment {name!r} is served here")
        only(method, "GET", "POST", "DELETE")
        mount = (self._shared.get(name) or await self._shared_mount(name))[1]
        if method == "POST":
            body = await read_body(receive, self.settings.max_body, headers.get(b"content-length"))
            receive = replayed(body, receive)
        session = headers.get(b"mcp-session-id", b"").decode("latin-1") or None
        _strip(scope)
        scope[VISIT] = Visit(key=_key(headers), session=session)
        await mount.handle(scope, receive, send)
        if method == "DELETE" and session is not None and send.status is not None and send.status < 300:
            await self._end_session(name, session)

    async def _shared_mount(self, name: str) -> tuple[Face | None, Mount]:
        make = self._servers.get(name)
        face = None
        if make is None:
            try:
                face = Face(await self.shelf.open((name,)), None, (name,), shared=self._session_play)
            except EnvFactoryError as error:
                raise unusable(error) from error
            server = face.server
            make = lambda: server  # noqa: E731 - a factory, like the others
        mount = Mount(make, sessions=name not in self._stateless, max_body=self.settings.max_body)
        return self._shared.setdefault(name, (face, mount))

    async def _session_play(self, face: Face, session: str) -> Play:
        """The episode of a session; it begins with the first call."""
        (name,) = face.names
        identifier = self._sessions.get((name, session))
        if identifier is None:
            play = self.store.create(face.package, face.names, shared=True)
            self._sessions[name, session] = play.id
            return play
        known = self.store.get(identifier)
        if known is None:
            raise ServeError("the world of this session was not used for too long and is gone; open a new session")
        return known

    async def _end_session(self, name: str, session: str) -> None:
        identifier = self._sessions.pop((name, session), None)
        if identifier is not None and self.store.get(identifier) is not None:
            await self.store.delete(identifier)

    # ------------------------------------------------------------ for the control plane

    def server_count(self) -> int:
        """How many MCP servers have been made."""
        return len(self._faces) + len(self._shared)

    def session_count(self) -> int:
        """How many MCP sessions are open."""
        return sum(len(mount.open_sessions) for _, mount in self._shared.values())


def _strip(scope: Scope) -> None:
    """Let the SDK see header values without the spaces around them."""
    scope["headers"] = [(name, value.strip(b" \t")) for name, value in scope["headers"]]


def _key(headers: Mapping[bytes, bytes]) -> str | None:
    key = headers.get(b"idempotency-key")
    if key is None:
        return None
    if not 0 < len(key) <= MAX_KEY:
        raise Refused(400, "bad_key", f"an Idempotency-Key has 1 to {MAX_KEY} characters")
    return key.decode("latin-1")


def unusable(error: EnvFactoryError) -> Refused:
    """What an environment that cannot be opened answers."""
    if isinstance(error, NotServed):
        return Refused(404, "unknown_environment", str(error))
    if isinstance(error, UntrustedPackageError):
        return Refused(409, "not_verified", str(error))
    logger.error("an environment cannot be opened", extra={"reason": str(error)})
    return Refused(409, "unusable", str(error))


__all__ = ["MULTI", "Fleet", "unusable"]
