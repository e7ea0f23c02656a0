"""MCP requests that hypothesis breaks: bodies, headers, bytes. Each is answered in time, below 500, and leaves no trace.

The start is a well-formed call of either era. Whatever is done to it, the episode beside it must not notice.
"""

from __future__ import annotations

import http.client
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.serving import running
from benchmarks.serving.messages import LEGACY, MODERN
from envfactory_gym.serve.client import FleetClient
from tests.support import LENDING, lending

EXAMPLES = int(os.environ.get("ENVFACTORY_EXAMPLES", "1500"))
HANGING = 10.0
"""Seconds after which a response that has not come counts as a hang."""

META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "fuzz", "version": "1"},
}
READ = ("list_loans", {"member_id": "M-101"})


@dataclass
class Target:
    """A running fleet, the addresses requests are sent to, and the episode that must not notice."""

    server: running.Server
    control: FleetClient
    paths: tuple[str, ...]
    quiet: Any


@pytest.fixture(scope="module", params=["--fast", "--no-fast"])
def target(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    """A fleet with two episodes: one is attacked, the other watched."""
    variables = running.trusting(tmp_path_factory.mktemp("home"), LENDING.parent, [lending()])
    with (
        running.fleet("lending", request.param, environment=variables) as server,
        FleetClient(server.address) as control,
    ):
        attacked, quiet = control.create("lending"), control.create("lending")
        quiet.call("borrow_item", {"member_id": "M-104", "item_id": 9})
        paths = (attacked.url.removeprefix(server.address), "/lending/mcp", "/e/nobody/lending/mcp")
        yield Target(server, control, paths, quiet)


# ---------------------------------------------------------------- what is sent

scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.integers(min_value=2**63), st.floats(), st.text(max_size=20),
    st.sampled_from(["tools/call", "ping", "2.0", MODERN, LEGACY, "M-101", "\ud800", "\x00", "__proto__", "../../etc"]),
)  # fmt: skip
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)),
    max_leaves=8,
)
METHODS = (
    "tools/call", "tools/list", "initialize", "server/discover", "ping", "resources/list", "resources/read",
    "prompts/get", "completion/complete", "notifications/cancelled", "subscriptions/listen", "logging/setLevel",
    "tasks/get", "",
)  # fmt: skip


def well_formed(method: str, *, modern: bool) -> dict[str, Any]:
    """A request as a client would send it."""
    params: dict[str, Any] = {"name": READ[0], "arguments": dict(READ[1])} if method == "tools/call" else {}
    if modern:
        params["_meta"] = json.loads(json.dumps(META))
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def places(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Paths of everything in a JSON value."""
    yield path
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, child in children:
        yield from places(child, (*path, key))


def changed(node: Any, path: tuple[Any, ...], value: Any) -> Any:
    """A copy in which the value at a path is another."""
    if not path:
        return value
    copied = dict(node) if isinstance(node, dict) else list(node)
    copied[path[0]] = changed(node[path[0]], path[1:], value)
    return copied


def without(node: Any, path: tuple[Any, ...]) -> Any:
    """A copy in which the key at a path is missing."""
    if len(path) == 1:
        return {key: value for key, value in node.items() if key != path[0]}
    return changed(node, path[:1], without(node[path[0]], path[1:]))


@st.composite
def bodies(draw: st.DrawFn) -> tuple[bytes, dict[str, str]]:
    """A body, and the headers that a client would have sent with what it was before it was broken."""
    modern = draw(st.booleans())
    method = draw(st.sampled_from(METHODS))
    message: Any = well_formed(method, modern=modern)
    headers = {"MCP-Protocol-Version": MODERN if modern else LEGACY}
    if modern:
        headers |= {"Mcp-Method": method} | ({"Mcp-Name": READ[0]} if method == "tools/call" else {})
    for _ in range(draw(st.integers(0, 3))):
        where = draw(st.sampled_from(list(places(message))))
        if where and all(isinstance(key, str) for key in where) and draw(st.booleans()):
            message = without(message, where)
        else:
            message = changed(message, where, draw(values))
    body = json.dumps(message).encode()
    match draw(st.sampled_from(("whole", "whole", "whole", "cut", "bytes", "deep", "batch", "twice", "empty"))):
        case "cut":
            body = body[: draw(st.integers(0, len(body)))]
        case "bytes":
            body = draw(st.binary(max_size=200))
        case "deep":
            body = b"[" * draw(st.integers(1, 100_000))
        case "batch":
            body = b"[" + body + b"," + body + b"]"
        case "twice":
            body = body[:-1] + b',"id":2,"id":3}'
        case "empty":
            body = b""
    return body, headers


WEIRD = st.sampled_from(
    [
        "",
        " ",
        "text/html",
        "application/json; charset=utf-16",
        "*/*",
        "text/event-stream",
        "1999-01-01",
        MODERN,
        "é" * 40,
        "x" * 3000,
    ]
)
HEADERS = ("Content-Type", "Accept", "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Session-Id", "Idempotency-Key", "Authorization", "Origin")  # fmt: skip


@st.composite
def requests(draw: st.DrawFn) -> tuple[str, int, bytes, dict[str, str]]:
    """Method, which path, body, headers."""
    body, headers = draw(bodies())
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", **headers}
    for name in draw(st.lists(st.sampled_from(HEADERS), max_size=2)):
        if draw(st.booleans()):
            headers.pop(name, None)
        else:
            headers[name] = draw(WEIRD)
    method = draw(st.sampled_from(("POST",) * 8 + ("PUT", "DELETE", "OPTIONS")))
    return method, draw(st.integers(0, 2)), body, headers


# ---------------------------------------------------------------- what has to hold


def send(target: Target, method: str, path: str, body: bytes, headers: dict[str, str]) -> tuple[int, bytes]:
    """One request on a connection of its own; its status and body."""
    connection = http.client.HTTPConnection("127.0.0.1", target.server.port, timeout=HANGING)
    try:
        encoded = {name: value.encode("utf-8", "replace").decode("latin-1") for name, value in headers.items()}
        connection.request(method, path, body, encoded)
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def test_no_request_is_left_hanging_or_breaks_the_server(target: Target) -> None:
    digest = target.quiet.digest()

    @settings(max_examples=EXAMPLES)
    @given(requests())
    def attack(request: tuple[str, int, bytes, dict[str, str]]) -> None:
        method, path, body, headers = request
        status, answer = send(target, method, target.paths[path], body, headers)
        assert status < 500, (status, answer[:500])

    attack()
    assert target.quiet.digest() == digest
    assert not target.quiet.call(*READ).refused
    assert not target.control.create("lending").call(*READ).refused


def test_what_cannot_be_said_in_http_costs_only_its_connection(target: Target, tmp_path: Path) -> None:
    import socket

    broken = [
        b"POST / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00", b"GET " + b"/" * 100_000 + b" HTTP/1.1\r\n\r\n",
        b"POST /lending/mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n",
        b"POST /lending/mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999999999\r\n\r\n{}",
        b"POST /lending/mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"POST /lending/mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ]  # fmt: skip
    for request in broken:
        with socket.create_connection(("127.0.0.1", target.server.port), timeout=HANGING) as connection:
            connection.sendall(request)
            connection.shutdown(socket.SHUT_WR)
            status = connection.recv(4096)[9:12]
        assert not status.startswith(b"5"), (request[:80], status)
    assert not target.quiet.call(*READ).refused
