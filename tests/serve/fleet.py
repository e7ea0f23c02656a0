"""A fleet to test: real HTTP on a free port, the lending package, a token."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from envfactory_gym.serve.client import FleetClient, RemoteEpisode
from envfactory_gym.serve.fleet import Settings
from envfactory_gym.serve.fleet.app import Fleet
from envfactory_gym.serve.fleet.running import running
from tests.support import lending

TOKEN = "a-master-token"
TASK = "due-drill-then-extend"
PACKAGE = lending()
EXTEND = ("extend_loan", {"loan_id": "QF7KD"})
REVISION = "2026-07-28"
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientCapabilities": {},
}


def make(**options: Any) -> Fleet:
    """A fleet of the lending desk; options as in `Settings`."""
    environments = options.pop("environments", {"lending": lambda: PACKAGE})
    servers = options.pop("servers", None)
    return Fleet(environments, Settings(**{"port": 0, "token": TOKEN, **options}), servers=servers)


@contextlib.contextmanager
def served(**options: Any) -> Iterator[tuple[Fleet, FleetClient]]:
    """A running fleet and a client that may do everything."""
    fleet = make(**options)
    with running(fleet) as url, FleetClient(url, token=fleet.settings.token) as client:
        yield fleet, client


@contextlib.asynccontextmanager
async def mcp_client(url: str, headers: dict[str, str], mode: str = "auto") -> AsyncIterator[Client]:
    """The official client at an address."""
    async with (
        httpx2.AsyncClient(headers=headers, timeout=20) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode) as client,
    ):
        yield client


def body(tool: str, arguments: dict[str, Any], **meta: Any) -> dict[str, Any]:
    """A call as the current protocol wants it."""
    params = {"name": tool, "arguments": arguments, "_meta": {**ENVELOPE, **meta}}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


def headers(tool: str, **more: str) -> dict[str, str]:
    """The headers that go with it."""
    return {
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": REVISION,
        "Mcp-Method": "tools/call",
        "Mcp-Name": tool,
        **more,
    }


def raw_call(episode: RemoteEpisode, tool: str, arguments: dict[str, Any], **more: str) -> httpx2.Response:
    """A call without a client that would mend it."""
    return httpx2.post(
        episode.url, json=body(tool, arguments), headers={**headers(tool), **episode.headers, **more}, timeout=20
    )
