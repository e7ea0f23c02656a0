"""Running a fleet: the event loop, the web server, signals, memory; in front, or beside a program's own work."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import gc
import logging
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Protocol

import uvicorn

from ..session import ServeError
from .app import Fleet
from .at_once import AtOnce
from .http import Receive, Scope, Send
from .logs import configure
from .settings import Settings, bracketed

logger = logging.getLogger("envfactory.fleet")

KEEP_ALIVE = 75
"""Seconds that an idle connection is kept: clients keep theirs for a minute, and a reset costs them a call."""

BACKLOG = 4096

ENDINGS = (signal.SIGTERM, signal.SIGINT)
"""Signals that end a server."""

SWITCH = 0.001
"""Seconds after which a thread gives way to another: slow tools must not hold up the loop."""


class Application(Protocol):
    """A fleet, or the front of several processes."""

    settings: Settings
    base_url: str

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, as ASGI wants it."""

    def drain(self) -> None:
        """Take no more requests, and end open streams."""


class Server(uvicorn.Server):
    """Lets a fleet end its streams as soon as it is told to stop; else they would be waited for."""

    def __init__(self, config: uvicorn.Config, fleet: Application) -> None:
        super().__init__(config)
        self._fleet = fleet
        self._loop: asyncio.AbstractEventLoop | None = None

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until told to stop."""
        self._loop = asyncio.get_running_loop()
        await super().serve(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End well on a signal, and at once on a second one; the process then leaves with 0."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        loop = asyncio.get_running_loop()
        endings: tuple[signal.Signals, ...] = ENDINGS
        if self._fleet.settings.worker is not None:
            # Ctrl-C reaches all processes of a terminal; workers are told by their front.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            endings = ENDINGS[:1]
        for ending in endings:
            loop.add_signal_handler(ending, self._signalled)
        try:
            yield
        finally:
            for ending in endings:
                loop.remove_signal_handler(ending)

    def _signalled(self) -> None:
        self.force_exit = self.should_exit
        self.stop()

    def stop(self) -> None:
        """Stop; from any thread."""
        self.should_exit = True
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # it has ended already
                self._loop.call_soon_threadsafe(self._fleet.drain)


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; the port is in use, or cannot be had, before anything else begins.

    Raises:
        ServeError: It cannot.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host.strip("[]"), port))
    except socket.gaierror as error:
        found.close()
        raise ServeError(f"cannot listen on {host}: {error.strerror}; give this machine's name or number") from error
    except OSError as error:
        found.close()
        raise ServeError(
            f"cannot listen on {bracketed(host)}:{port}: {error.strerror}; choose another with --port"
        ) from error
    found.listen(BACKLOG)
    return found


def server_for(fleet: Application) -> Server:
    """The web server of a fleet, with the options it is always run with."""
    config = uvicorn.Config(
        fleet,
        http=AtOnce,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=max(1, round(fleet.settings.drain)),
        backlog=BACKLOG,
        ws="none",
        proxy_headers=False,
    )
    return Server(config, fleet)


def run(
    fleet: Application,
    *,
    sock: socket.socket | None = None,
    started: Callable[[], None] | None = None,
    beside: Callable[[Callable[[], None]], None] | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT.

    Args:
        fleet: What to serve.
        sock: Where to listen, if it listens already; else as the settings say.
        started: Called once the address is known (`fleet.base_url`), before the first request.
        beside: Called with what stops the server, from any thread.

    Raises:
        ServeError: The address cannot be had.
    """
    configure(fleet.settings.log_format, fleet.settings.log_level)
    sock = sock or listen(fleet.settings.host, fleet.settings.port)
    _named(fleet, sock)
    tune()
    if started is not None:
        started()
    server = server_for(fleet)
    if beside is not None:
        beside(server.stop)
    server.run([sock])
    logger.info("ended")


def _named(fleet: Application, sock: socket.socket) -> None:
    """Tell a fleet the port it got."""
    if fleet.settings.public_url is None:
        host = fleet.settings.host
        shown = "127.0.0.1" if host == "0.0.0.0" else "[::1]" if host == "::" else bracketed(host)
        fleet.base_url = f"http://{shown}:{sock.getsockname()[1]}"
    else:
        fleet.base_url = fleet.settings.public_url.rstrip("/")


def tune() -> None:
    """Keep garbage collection, the allocator and the switching of threads from adding to what calls take."""
    gc.collect()
    # With a thousand connections the collector would spend more time than the calls.
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    sys.setswitchinterval(SWITCH)
    _return_freed_memory()


def _return_freed_memory() -> None:
    """Let glibc give the memory of databases back to the system when they go (M_MMAP_THRESHOLD at 128 KiB)."""
    with contextlib.suppress(OSError, AttributeError):  # another C library
        ctypes.CDLL(None).mallopt(-3, 131_072)


@contextlib.contextmanager
def running(fleet: Fleet) -> Iterator[str]:
    """Serve a fleet on a thread beside the program; gives its address.

    Raises:
        ServeError: The address cannot be had, or it does not start.
    """
    sock = listen(fleet.settings.host, fleet.settings.port)
    _named(fleet, sock)
    server = server_for(fleet)
    thread = threading.Thread(target=lambda: server.run([sock]), name="envfactory-fleet", daemon=True)
    thread.start()
    try:
        waited = threading.Event()
        while not (server.started and fleet.ready):
            if not thread.is_alive() or fleet.failure is not None:
                raise ServeError(f"the fleet did not start: {fleet.failure}") from fleet.failure
            waited.wait(0.005)
        yield fleet.base_url
    finally:
        server.stop()
        thread.join(30)


__all__ = ["Server", "listen", "run", "running", "server_for", "tune"]
