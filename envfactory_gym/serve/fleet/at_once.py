"""Requests that can be answered the moment they are there: no task, no waiting, one packet back.

The web server starts a task for each request, which reads the body in one message and answers in two, each
written by itself. A short call takes less time than that. So a request that has come whole is first offered to
the short way (`fastpath.at_once`); what it does not take goes the usual way, as if nothing had been.
"""

from __future__ import annotations

from typing import Any, cast

from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from . import fastpath
from .app import Fleet
from .http import Receive, Scope, Send


class AtOnce(HttpToolsProtocol):
    """The web server's protocol for one connection."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        app = self.config.loaded_app
        self._fleet = app if isinstance(app, Fleet) and app.settings.fast else None
        self._reading = False
        self._begun: RequestResponseCycle | None = None

    def data_received(self, data: bytes) -> None:
        """Bytes have come."""
        self._reading = self._fleet is not None
        super().data_received(data)
        self._reading = False
        cycle = self._begun
        if cycle is None or (cycle.more_body and self._is_coming(cycle)):
            return
        self._begun = None
        if not self._answered(cycle):
            self._start_asgi_task(cycle, self.app)

    def _is_coming(self, cycle: RequestResponseCycle) -> bool:
        """Whether the rest of a request is worth waiting for: many clients send head and body one after the other."""
        length = next((value for name, value in cycle.scope["headers"] if name == b"content-length"), b"")
        return (
            cycle.scope["path"].startswith("/e/")
            and length.isdigit()
            and int(length[:20]) <= HIGH_WATER_LIMIT  # beyond it the web server reads on for a task only
            and not cycle.waiting_for_100_continue
            and not self.transport.is_closing()
        )

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        if self._reading:
            self._begun = cycle
            return
        super()._start_asgi_task(cycle, app)
        if self._fleet is not None and cycle.scope["path"].startswith("/e/"):
            # The task begins when the loop comes round. Until then nobody may overtake it.
            episode = cycle.scope["path"].split("/")[2]
            self._fleet.expected.add(episode)
            self.loop.call_soon(self._fleet.expected.discard, episode)

    def _answered(self, cycle: RequestResponseCycle) -> bool:
        """Answer a request, if that can be done now."""
        if (
            cycle.more_body
            or not cycle.keep_alive
            or cycle.waiting_for_100_continue
            or self.flow.write_paused
            or self.transport.is_closing()
        ):
            return False
        assert self._fleet is not None  # else nothing would have been held
        try:
            answer = fastpath.at_once(self._fleet, cast(Scope, cycle.scope), cycle.body)
        except Exception as error:  # noqa: BLE001 - the web server says what becomes of an application that fails
            super()._start_asgi_task(cycle, _failing(error))
            return True
        if answer is None:
            return False
        status, content = answer
        lines = [b"%b: %b\r\n" % header for header in cycle.default_headers]
        head = b"content-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(content)
        cycle.response_started = cycle.response_complete = True
        self.transport.write(b"".join((STATUS_LINE[status], *lines, head, content)))
        self.on_response_complete()
        return True


def _failing(error: Exception) -> Any:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        raise error

    return app
