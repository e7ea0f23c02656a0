"""Requests as bytes, made once and sent often: a load generator that builds them anew would measure itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

MODERN = "2026-07-28"
LEGACY = "2025-11-25"
_CLIENT = {"name": "bench", "version": "1"}
_META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": _CLIENT,
}


def http(method: str, path: str, port: int, body: Any = None, headers: Mapping[str, str] | None = None) -> bytes:
    """One request of HTTP/1.1, to be sent over a connection that is kept."""
    content = b"" if body is None else json.dumps(body).encode()
    lines = [
        f"{method} {path} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Content-Type: application/json",
        "Accept: application/json, text/event-stream",
        f"Content-Length: {len(content)}",
        *(f"{name}: {value}" for name, value in (headers or {}).items()),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + content


def tool_call(
    path: str,
    port: int,
    tool: str,
    arguments: Mapping[str, Any],
    *,
    number: int = 1,
    headers: Mapping[str, str] | None = None,
) -> bytes:
    """A `tools/call` of the current revision: self-contained, one POST."""
    params = {"name": tool, "arguments": arguments, "_meta": _META}
    body = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
    named = {"MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call", "Mcp-Name": tool}
    return http("POST", path, port, body, {**named, **(headers or {})})


def legacy_call(
    path: str, port: int, tool: str, arguments: Mapping[str, Any], *, headers: Mapping[str, str] | None = None
) -> bytes:
    """A `tools/call` of the revision before, to a server that keeps no sessions."""
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    return http("POST", path, port, body, {"MCP-Protocol-Version": LEGACY, **(headers or {})})


def initialize(path: str, port: int) -> bytes:
    """The handshake of the revision before: opens a session."""
    params = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": _CLIENT}
    return http("POST", path, port, {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})


def initialized(path: str, port: int, session: str) -> bytes:
    """The end of the handshake."""
    headers = {"MCP-Protocol-Version": LEGACY, "Mcp-Session-Id": session}
    return http("POST", path, port, {"jsonrpc": "2.0", "method": "notifications/initialized"}, headers)


def open_stream(path: str, port: int, session: str) -> bytes:
    """The request whose response stays open for what the server may want to say."""
    return http("GET", path, port, None, {"MCP-Protocol-Version": LEGACY, "Mcp-Session-Id": session})
