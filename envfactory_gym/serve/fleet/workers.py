"""Several processes, each a fleet of its own with a port of its own, and one front that spreads episodes over them.

An episode belongs to one process and says where: its addresses are that process's, so calls go there
directly and nothing has to be sticky. The front creates episodes where there is room and leads
control requests to the owner, which stands in the episode's id. A process that dies is started again on
the same port; with a folder for journals its episodes are there again too.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import multiprocessing
import re
import socket
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from typing import Any
from urllib.parse import parse_qs

import httpx2

from ..session import ServeError
from .gate import Gate
from .http import (
    JSON,
    Disconnected,
    Receive,
    Refused,
    Scope,
    Send,
    Watched,
    read_body,
    respond,
)
from .keeping import tell_of_others
from .models import PAGE
from .settings import Settings, bracketed
from .store import MOST_KEYS

logger = logging.getLogger("envfactory.fleet")

LOOK_EVERY = 0.25
"""Seconds between two looks at whether all processes are alive."""

LAST_PORT = 65_535

TOO_OFTEN = 5
"""Deaths of a process within a minute after which it is not started again."""

_PASSED_ON = frozenset({b"authorization", b"content-type", b"accept", b"idempotency-key"})


def work(names: Sequence[str], settings: Settings, sock: socket.socket) -> None:
    """The life of one process: a fleet on a socket that listens already."""
    from .app import Fleet
    from .running import run
    from .shelf import loaders

    # Without its front nobody would ever stop it.
    front = multiprocessing.parent_process()
    fleet = Fleet(loaders(names), settings)

    def until(stop: Callable[[], None]) -> None:
        if front is not None:
            wait([front.sentinel])
            stop()

    run(fleet, sock=sock, beside=lambda stop: threading.Thread(target=until, args=[stop], daemon=True).start())


class Worker:
    """One process and its port.

    Args:
        number: Begins the ids of its episodes.
        names: Environments, by name or folder.
        settings: As for a single fleet; the front's.
        sock: Listens on its port for as long as the front lives.
    """

    def __init__(self, number: int, names: Sequence[str], settings: Settings, sock: socket.socket) -> None:
        self.number, self._names, self._sock = number, list(names), sock
        host, port = settings.host, sock.getsockname()[1]
        shown = settings.public_url.replace("{worker}", str(number)) if settings.public_url is not None else None
        self.settings = replace(settings, worker=number, port=port, public_url=shown)
        # The front reaches it on this machine, whatever clients call it.
        self.inside = f"http://{bracketed('127.0.0.1' if host in ('0.0.0.0', '::') else host)}:{port}"
        self.url = shown or self.inside
        self._process: BaseProcess | None = None
        self._deaths: list[float] = []

    def start(self) -> None:
        """Start the process."""
        context = multiprocessing.get_context("spawn")
        self._process = context.Process(target=work, args=(self._names, self.settings, self._sock), daemon=False)
        self._process.start()

    def look(self) -> None:
        """Start it again if it has died.

        Raises:
            ServeError: It dies whenever it is started.
        """
        if self._process is None or self._process.is_alive():
            return
        now = time.monotonic()
        self._deaths = [moment for moment in self._deaths if now - moment < 60] + [now]
        logger.error("a worker died", extra={"worker": self.number, "exit": self._process.exitcode})
        if len(self._deaths) >= TOO_OFTEN:
            raise ServeError(f"worker {self.number} has died {TOO_OFTEN} times within a minute; the log says why")
        self.start()

    def stop(self) -> None:
        """Tell it to end."""
        if self._process is not None and self._process.is_alive():
            self._process.terminate()

    def join(self, seconds: float) -> None:
        """Wait for its end; no longer than so many seconds."""
        if self._process is not None:
            self._process.join(seconds)
            if self._process.is_alive():
                self._process.kill()
                self._process.join()


class Front:
    """The address that clients are given: spreads episodes, and leads control requests to their owners.

    Args:
        settings: As for a single fleet.
        workers: The processes.
    """

    def __init__(self, settings: Settings, workers: Sequence[Worker]) -> None:
        self.settings, self.workers = settings, list(workers)
        self.gate = Gate(settings)
        self.base_url = ""
        self.failure: Exception | None = None
        self._http: httpx2.AsyncClient | None = None
        self._next = 0
        self._keys: OrderedDict[bytes, int] = OrderedDict()
        self._draining = asyncio.Event()
        self._stop: Callable[[], None] | None = None

    def stops_with(self, stop: Callable[[], None]) -> None:
        """What ends the server when a process cannot be kept alive: whoever runs it may then start it anew."""
        self._stop = stop

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, as ASGI wants it."""
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http":
            watched = Watched(send)
            try:
                await self._request(scope, {name: value.strip() for name, value in scope["headers"]}, receive, watched)
            except Refused as refused:
                await respond(watched, refused.status, refused.body(), [JSON, *refused.headers])
            except httpx2.TransportError:
                body = Refused(503, "not_ready", "the process that this is for is not up; come again").body()
                await respond(watched, 503, body, [JSON, (b"retry-after", b"1")])
            except Disconnected:
                return

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        self._http = httpx2.AsyncClient(timeout=60, limits=httpx2.Limits(max_connections=None))
        for worker in self.workers:
            worker.start()
        if self.settings.hibernate is not None:
            tell_of_others(self.settings.hibernate, len(self.workers))
        watching = asyncio.create_task(self._watch())
        await send({"type": "lifespan.startup.complete"})
        await receive()
        self.drain()
        await watching
        await self._http.aclose()
        for worker in self.workers:
            await asyncio.to_thread(worker.join, self.settings.drain + 5)
        await send({"type": "lifespan.shutdown.complete"})

    async def _watch(self) -> None:
        """Keep all processes alive until the end."""
        while not self._draining.is_set():
            try:
                for worker in self.workers:
                    worker.look()
            except ServeError as error:
                self.failure = error
                logger.error("giving up", extra={"reason": str(error)})
                if self._stop is not None:
                    self._stop()
                return
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._draining.wait(), LOOK_EVERY)

    def drain(self) -> None:
        """Tell all processes to end."""
        if not self._draining.is_set():
            self._draining.set()
            for worker in self.workers:
                worker.stop()

    # ------------------------------------------------------------ requests

    async def _request(self, scope: Scope, headers: Mapping[bytes, bytes], receive: Receive, send: Watched) -> None:
        path: str = scope["path"]
        if path == "/healthz":
            await respond(send, 200, b'{"ok":true}')
            return
        if path == "/readyz":
            await self._readiness(send)
            return
        self.gate.check_sender(headers)
        if path.startswith("/e/"):
            raise Refused(404, "elsewhere", "an episode is played at the address that its creation answered")
        if path not in ("/docs", "/openapi.json"):
            self.gate.check_master(headers)
        if path in ("/metrics", "/v1/workers") or not path.startswith(("/v1/", "/docs", "/openapi.json")):
            await self._own_page(path, send)
            return
        body = await read_body(receive, self.settings.max_body, headers.get(b"content-length"))
        await self._lead(scope, headers, body, send)

    async def _readiness(self, send: Send) -> None:
        async def ready(worker: Worker) -> bool:
            try:
                return (await self._client.get(f"{worker.inside}/readyz", timeout=5)).is_success
            except httpx2.TransportError:
                return False

        if all(await asyncio.gather(*map(ready, self.workers))):
            await respond(send, 200, b'{"ok":true}')
        else:
            await respond(send, 503, Refused(503, "not_ready", "not all processes are up").body())

    async def _own_page(self, path: str, send: Send) -> None:
        urls = [worker.url for worker in self.workers]
        if path == "/v1/workers":
            await respond(send, 200, json.dumps([{"worker": n, "url": url} for n, url in enumerate(urls)]).encode())
            return
        raise Refused(404, "elsewhere", f"metrics and shared addresses are those of each process: {', '.join(urls)}")

    async def _lead(self, scope: Scope, headers: Mapping[bytes, bytes], body: bytes, send: Send) -> None:
        parts = scope["path"].split("/")
        if parts[1:3] == ["v1", "episodes"]:
            if len(parts) == 3:
                if scope["method"] == "POST":
                    await self._create(scope, headers, body, send)
                    return
                if scope["method"] == "GET":
                    await self._list(scope, headers, send)
                    return
            else:
                await self._pass(self._owner(parts[3]), scope, headers, body, send)
                return
        await self._pass(self._any(), scope, headers, body, send)

    def _owner(self, identifier: str) -> Worker:
        number = identifier.partition("-")[0]
        for worker in self.workers:
            if f"{worker.number:x}" == number:
                return worker
        raise Refused(404, "unknown_episode", f"there is no episode {identifier!r}: it was deleted, or expired")

    def _any(self) -> Worker:
        self._next = (self._next + 1) % len(self.workers)
        return self.workers[self._next]

    async def _create(self, scope: Scope, headers: Mapping[bytes, bytes], body: bytes, send: Send) -> None:
        """Where it is whose turn it is, or where there is room; a key goes where it went before."""
        key = headers.get(b"idempotency-key")
        first = self._keys.get(key) if key is not None else None
        if first is None:
            first = self._any().number
        order = self.workers[first:] + self.workers[:first]
        for worker in order:
            if key is not None:
                self._keys[key] = worker.number
                while len(self._keys) > MOST_KEYS:
                    self._keys.popitem(last=False)
            answer = await self._ask(worker, scope, headers, body)
            if answer.status_code != 429 or worker is order[-1]:
                await _give(answer, send)
                return

    async def _list(self, scope: Scope, headers: Mapping[bytes, bytes], send: Send) -> None:
        """The episodes of all processes, one process after the other."""
        query = parse_qs(scope["query_string"].decode("latin-1"))
        try:
            skip, room = int(query.get("offset", ["0"])[0]), int(query.get("limit", ["100"])[0])
            if skip < 0 or not 1 <= room <= PAGE:
                raise ValueError
        except ValueError:
            raise Refused(422, "invalid", f"offset is at least 0, limit from 1 to {PAGE}") from None
        found: list[Any] = []
        total = 0
        for worker in self.workers:
            scope["query_string"] = f"offset={skip}&limit={max(1, room - len(found))}".encode()
            answer = await self._ask(worker, scope, headers, b"")
            if not answer.is_success:
                await _give(answer, send)
                return
            page = answer.json()
            found += page["episodes"][: room - len(found)]
            total += page["total"]
            skip = max(0, skip - page["total"])
        await respond(send, 200, json.dumps({"episodes": found, "total": total}).encode())

    async def _pass(
        self, worker: Worker, scope: Scope, headers: Mapping[bytes, bytes], body: bytes, send: Send
    ) -> None:
        await _give(await self._ask(worker, scope, headers, body), send)

    async def _ask(self, worker: Worker, scope: Scope, headers: Mapping[bytes, bytes], body: bytes) -> httpx2.Response:
        query = scope["query_string"].decode("latin-1")
        path = scope.get("raw_path", scope["path"].encode()).decode("latin-1").partition("?")[0]
        url = f"{worker.inside}{path}{'?' + query if query else ''}"
        passed = [(name, value) for name, value in headers.items() if name in _PASSED_ON]
        return await self._client.request(scope["method"], url, content=body, headers=passed)

    @property
    def _client(self) -> httpx2.AsyncClient:
        assert self._http is not None  # there is one from startup on
        return self._http


async def _give(answer: httpx2.Response, send: Send) -> None:
    """Pass an answer on."""
    kept = ("content-type", "retry-after", "allow")
    headers = [(name.encode(), answer.headers[name].encode()) for name in kept if name in answer.headers]
    await respond(send, answer.status_code, answer.content, headers)


def run_workers(
    names: Sequence[str], settings: Settings, count: int, *, started: Callable[[Front], None] | None = None
) -> None:
    """Serve with several processes until SIGTERM or SIGINT.

    Args:
        names: Environments, by name or folder.
        settings: As for a single fleet. The processes take the ports after `port`, or any where that is 0. A
            `public_url` holds `{worker}`, since each process has its own.
        count: How many processes.
        started: Called with the front once its address is known.

    Raises:
        ServeError: An address cannot be had, or a process dies again and again.
    """
    from .running import listen, run

    if settings.public_url is not None and "{worker}" not in settings.public_url:
        raise ServeError("with several workers each has its own address: put {worker} into --public-url")
    if settings.public_url is not None and re.search(r"[{}]", settings.public_url.replace("{worker}", "")):
        raise ServeError(f"--public-url takes {{worker}} and nothing else in braces, unlike {settings.public_url!r}")
    if settings.port + count > LAST_PORT:
        raise ServeError(f"{count} workers take the ports after --port {settings.port}, and {LAST_PORT} is the last")
    socks = [listen(settings.host, settings.port + n if settings.port else 0) for n in range(count + 1)]
    workers = [Worker(n, names, settings, sock) for n, sock in enumerate(socks[1:])]
    front = Front(replace(settings, public_url=None), workers)
    try:
        told = None if started is None else lambda: started(front)
        run(front, sock=socks[0], started=told, beside=front.stops_with)
    finally:
        for worker in workers:
            worker.stop()
        for sock in socks:
            sock.close()
    if front.failure is not None:
        raise front.failure
