"""The short way for the commonest request: a well-formed `tools/call` of the 2026-07-28 protocol.

Such a request is answered here, with the status, the headers that matter and the JSON that the SDK
would have answered, for a sixth of its cost. Whatever is not exactly as expected (any error, another
method, another era, a header twice) is left to the SDK, which so keeps deciding what is right.

It begins twice: at once, where nothing has to be waited for (`at_once`), else in its turn (`answered`). All
ways are held against each other by tests; the switch `--no-fast` closes this one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from json.encoder import encode_basestring_ascii as quoted
from typing import TYPE_CHECKING, Any, NamedTuple

import mcp_types as types
from mcp import MCPError
from mcp.shared.inbound import ERROR_CODE_HTTP_STATUS
from mcp_types import CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY, PROTOCOL_VERSION_META_KEY, methods
from pydantic import ValidationError
from pydantic_core import from_json

from ..catalogue import is_structured
from ..session import Reply, SessionFault
from .face import KEY, MAX_KEY, Face, Seat, Visit, called, in_protocol
from .http import Scope
from .lasting import Conflict

if TYPE_CHECKING:
    from ...environment import Tool
    from .app import Fleet

REVISION = "2026-07-28"

_ACCEPTED = frozenset(
    {
        b"application/json, text/event-stream",
        b"application/json,text/event-stream",
        b"text/event-stream, application/json",
        b"application/json",
        b"*/*",
    }
)
"""What clients say they accept; a rarer form goes the long way."""

_ENVELOPE = frozenset({"jsonrpc", "id", "method", "params"})
_PARAMS = frozenset({"name", "arguments", "_meta"})
_META = frozenset({PROTOCOL_VERSION_META_KEY, CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY, KEY})
_LARGEST_ID = 1 << 53

_good_envelopes: list[Mapping[str, Any]] = []
"""Envelopes that the SDK's own validation has passed: a cache, as clients send the same one every time."""

_MOST_ENVELOPES = 16


class Asked(NamedTuple):
    """A call that was understood.

    Attributes:
        id: Of its JSON-RPC request.
        tool: What is to be called.
        arguments: With what.
        key: The idempotency key in its `_meta`.
        client: Which program calls, where it says so.
    """

    id: int | str
    tool: Tool
    arguments: dict[str, Any]
    key: str | None
    client: str | None


Answer = tuple[int, bytes]
"""HTTP status, and JSON."""


def understood(shown: Mapping[str, Tool], headers: Mapping[bytes, bytes], body: bytes | bytearray) -> Asked | None:
    """The call in a request, if it is one of those that are answered here.

    Args:
        shown: The tools that may be called.
        headers: Of the request, none of which came twice.
        body: All of it.
    """
    if (
        headers.get(b"mcp-protocol-version") != b"2026-07-28"
        or headers.get(b"mcp-method") != b"tools/call"
        or headers.get(b"content-type") != b"application/json"
        or headers.get(b"accept") not in _ACCEPTED
    ):
        return None
    try:
        # Whatever this reader refuses and the SDK's takes (a BOM, lone surrogates, deep nesting) goes the long way.
        message = from_json(body)
    except ValueError:
        return None
    if type(message) is not dict or message.keys() != _ENVELOPE:
        return None
    identifier, params = message["id"], message["params"]
    if (
        message["jsonrpc"] != "2.0"
        or message["method"] != "tools/call"
        or not (type(identifier) is str or (type(identifier) is int and abs(identifier) < _LARGEST_ID))
        or type(params) is not dict
        or not params.keys() <= _PARAMS
    ):
        return None
    name, arguments, meta = params.get("name"), params.get("arguments", {}), params.get("_meta")
    if type(name) is not str or type(arguments) is not dict or type(meta) is not dict or not meta.keys() <= _META:
        return None
    tool, key = shown.get(name), meta.get(KEY)
    if tool is None or headers.get(b"mcp-name") != name.encode() or not _is_good(meta):
        return None
    if not (key is None or (type(key) is str and 0 < len(key) <= MAX_KEY)):
        return None
    info = meta.get(CLIENT_INFO_META_KEY)
    return Asked(identifier, tool, arguments, key, None if info is None else info["name"])


def at_once(fleet: Fleet, scope: Scope, body: bytes | bytearray) -> Answer | None:
    """Answer a request without waiting for anything; None where that is not possible, and then nothing has happened.

    Args:
        fleet: Where it came to.
        scope: As ASGI gives it.
        body: All of it.
    """
    headers = dict(scope["headers"])
    parts = scope["path"].split("/")
    key = headers.get(b"idempotency-key")
    if (
        len(parts) != 5
        or parts[1] != "e"
        or parts[4] != "mcp"
        or scope["method"] != "POST"
        or len(headers) != len(scope["headers"])
        or not (key is None or (0 < len(key) <= MAX_KEY and key == key.strip(b" \t")))
        or len(body) > fleet.settings.max_body
        or not fleet.admits(headers, parts[2])
    ):
        return None
    play = fleet.store.get(parts[2])
    seat = play.seats.get(parts[3]) if play is not None else None
    if play is None or seat is None:
        return None
    asked = understood(seat.tools, headers, body)
    if asked is None:
        return None
    if play.client is None and asked.client is not None:
        play.introduce(asked.client)
    try:
        reply = play.call_now(asked.tool.name, asked.arguments, asked.key if key is None else key.decode("latin-1"))
    except (Conflict, SessionFault) as error:
        answer = failed(asked, error)
    else:
        if reply is None:
            return None
        answer = 200, told(seat.face, asked, reply)
    fleet.metrics.answered("episode", answer[0])
    return answer


async def answered(
    seat: Seat, visit: Visit, scope: Scope, headers: Mapping[bytes, bytes], body: bytes
) -> Answer | None:
    """Answer a request, if it is one of those; else nothing has happened.

    Args:
        seat: Where it goes.
        visit: What it is for.
        scope: As ASGI gives it.
        headers: Its headers, values without spaces around them.
        body: All of it.
    """
    play = visit.play
    if play is None or len(headers) != len(scope["headers"]):
        return None
    asked = understood(seat.tools, headers, body)
    if asked is None:
        return None
    if play.client is None and asked.client is not None:
        play.introduce(asked.client)
    key = asked.key if visit.key is None else visit.key
    try:
        reply = await called(play, asked.tool.name, asked.arguments, key, visit.gone)
    except (MCPError, SessionFault) as error:
        return failed(asked, error)
    return 200, told(seat.face, asked, reply)


def told(face: Face, asked: Asked, reply: Reply) -> bytes:
    """What a call gave back."""
    # The text of a result is JSON already, so it goes in as it is.
    label = quoted(asked.id) if type(asked.id) is str else asked.id
    structured = "" if reply.refused or not is_structured(asked.tool) else f',"structuredContent":{reply.text}'
    return (
        f'{{"jsonrpc":"2.0","id":{label},"result":{{"content":[{{"type":"text","text":'
        f'{quoted(reply.text)}}}],"isError":{"true" if reply.refused else "false"},"resultType":"complete"'
        f"{structured},{face.stamp}}}}}"
    ).encode()


def failed(asked: Asked, error: MCPError | Conflict | SessionFault) -> Answer:
    """What a call came to that only the protocol can say."""
    if isinstance(error, SessionFault):
        error = MCPError(code=types.INTERNAL_ERROR, message=str(error))
    error = in_protocol(error)
    told = error.error.model_dump(mode="json", by_alias=True, exclude_none=True)
    content = json.dumps({"jsonrpc": "2.0", "id": asked.id, "error": told}).encode()
    return ERROR_CODE_HTTP_STATUS.get(error.error.code, 200), content


def _is_good(meta: Mapping[str, Any]) -> bool:
    """Whether the SDK takes this envelope."""
    version = meta.get(PROTOCOL_VERSION_META_KEY)
    if version != REVISION:
        return False
    if KEY in meta:
        meta = {name: value for name, value in meta.items() if name != KEY}
    if meta in _good_envelopes:
        return True
    try:
        methods.validate_client_request("tools/call", REVISION, {"name": "any", "arguments": {}, "_meta": dict(meta)})
        types.ClientCapabilities.model_validate(meta[CLIENT_CAPABILITIES_META_KEY], by_name=False)
        if CLIENT_INFO_META_KEY in meta:
            types.Implementation.model_validate(meta[CLIENT_INFO_META_KEY], by_name=False)
    except (KeyError, ValidationError):
        return False
    # Python takes 1 and True for equal; texts are equal to texts only.
    if len(_good_envelopes) < _MOST_ENVELOPES and _is_text(meta):
        _good_envelopes.append(meta)
    return True


def _is_text(value: Any) -> bool:
    """Whether there is nothing in a value but objects and texts."""
    return type(value) is str or (type(value) is dict and all(map(_is_text, value.values())))
