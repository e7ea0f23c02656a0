"""Serving one session on standard input and output, from the first byte to a graded end.

The session ends when the client closes the input, stops reading, or the process gets SIGTERM,
SIGINT or SIGHUP. Whatever the reason, it then ends the same way: state saved, outcome recorded.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import importlib.util
import logging
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..environment import Package
from .pipes import claimed_streams
from .session import MAX_STEPS, ServeError, Session, open_session
from .state import resume_session, write_state

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

ENDINGS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name))
"""Signals that end a session as if the client had left."""

logger = logging.getLogger(__name__)


def serve_stdio(
    package: Package,
    *,
    task: str | None = None,
    record: str | Path | None = None,
    state: str | Path | None = None,
    max_steps: int = MAX_STEPS,
) -> None:
    """Serve an environment over MCP on standard input and output; returns when the client has left.

    Args:
        package: The environment.
        task: Id of a task, played in its solo form with answers through the `answer` tool; without
            one the base world is served and nothing is graded.
        record: File to which one line, the run record, is appended at the end.
        state: File to resume from, if it exists, and to save to after every change and at the end. The
            saved session is not closed, so it goes on even if an earlier end of it was recorded.
        max_steps: Calls after which a task's episode is out of steps.

    Raises:
        ServeError: The `serve` extra is missing, or a file cannot be used.
        EnvFactoryError: The package, its code or the task cannot be used.
    """
    if importlib.util.find_spec("mcp") is None or importlib.util.find_spec("mcp_types") is None:
        raise ServeError("serving needs mcp 2.3 or later: pip install 'envfactory-gym[serve]'")
    logging.getLogger("mcp").setLevel(logging.ERROR)
    record_file = Path(record) if record is not None else None
    state_file = Path(state) if state is not None else None
    with claimed_streams() as (source, target):
        with _collector_resting():
            from .protocol import build_server

            if record_file is not None:
                _append(record_file, "")
            session = _open(package, task, state_file, max_steps)
            server = build_server(session)
        began = time.monotonic()

        def end() -> None:
            try:
                if state_file is not None:
                    write_state(state_file, session.state())
            finally:
                if record_file is not None:
                    _append(record_file, session.finish(time.monotonic() - began).line())

        try:
            asyncio.run(_serve(server, source, target, end))
        finally:
            session.close()


@contextlib.contextmanager
def _collector_resting() -> Iterator[None]:
    """Start without garbage collection, and never look through what the start made: a tenth of its time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        if was_on:
            gc.enable()


def _open(package: Package, task: str | None, state_file: Path | None, max_steps: int) -> Session:
    """The session, saved at once, so that a file which cannot be written is known before the first call."""
    if state_file is None:
        return open_session(package, task, max_steps=max_steps)
    session = resume_session(package, state_file, task, max_steps=max_steps)
    write_state(state_file, session.state())

    def save(changed: Session) -> None:
        try:
            write_state(state_file, changed.state())
        except ServeError as error:
            # The call has happened, so its result must go out; the next change and the end try again.
            logger.error("%s", error)

    session.after_change = save
    return session


def _append(file: Path, text: str) -> None:
    try:
        with file.open("a", encoding="utf-8") as stream:
            stream.write(text)
    except OSError as error:
        raise ServeError(f"{file}: the run record cannot be written: {error.strerror}") from error


async def _serve(server: Server[Any], source: int, target: int, end: Callable[[], None]) -> None:
    """Run the protocol until the client leaves or a signal arrives; then `end`, which signals cannot cut short."""
    import anyio

    from .wire import wire

    scope = anyio.CancelScope()
    with _on_signals(scope.cancel):
        with scope:
            async with wire(source, target, on_broken=scope.cancel) as (read, write):
                await server.run(read, write, server.create_initialization_options())
        end()


@contextlib.contextmanager
def _on_signals(stop: Callable[[], None]) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    for ending in ENDINGS:
        loop.add_signal_handler(ending, stop)
    try:
        yield
    finally:
        for ending in ENDINGS:
            loop.remove_signal_handler(ending)
