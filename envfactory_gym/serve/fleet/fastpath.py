"""The short way for the commonest request: a well-formed `tools/call` of the 2026-07-28 protocol.

Such a request is answered here, with the status, the headers that matter and the JSON that the SDK
would have answered, for a sixth of its cost. Whatever is not exactly as expected (any error, another
method, another era, a header twice) is left to the SDK, which so keeps deciding what is right. The two
ways are held against each other by tests; the switch `--no-fast` closes this one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from json.encoder import encode_basestring_ascii as quoted
from typing import Any

import mcp_types as types
from mcp import MCPError
from mcp.shared.inbound import ERROR_CODE_HTTP_STATUS
from mcp_types import CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY, PROTOCOL_VERSION_META_KEY, methods
from pydantic import ValidationError
from pydantic_core import from_json

from ..catalogue import is_structured
from ..session import SessionFault
from .face import KEY, Face, Visit, called, in_protocol, key_in
from .http import Scope, Watched
from .play import KeyReused

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


async def answered(
    face: Face, visit: Visit, scope: Scope, headers: Mapping[bytes, bytes], body: bytes, send: Watched
) -> bool:
    """Answer a request, if it is one of those; else nothing has happened.

    Args:
        face: Where it goes.
        visit: What it is for.
        scope: As ASGI gives it.
        headers: Its headers, values without spaces around them.
        body: All of it.
        send: Where the answer goes.
    """
    if (
        headers.get(b"mcp-protocol-version") != b"2026-07-28"
        or headers.get(b"mcp-method") != b"tools/call"
        or headers.get(b"content-type") != b"application/json"
        or headers.get(b"accept") not in _ACCEPTED
        or len(headers) != len(scope["headers"])
    ):
        return False
    try:
        # Whatever this reader refuses and the SDK's takes (a BOM, lone surrogates, deep nesting) goes the long way.
        message = from_json(body)
    except ValueError:
        return False
    play = visit.play
    if type(message) is not dict or message.keys() != _ENVELOPE or play is None:
        return False
    identifier, params = message["id"], message["params"]
    if (
        message["jsonrpc"] != "2.0"
        or message["method"] != "tools/call"
        or not (type(identifier) is str or (type(identifier) is int and abs(identifier) < _LARGEST_ID))
        or type(params) is not dict
        or not params.keys() <= _PARAMS
    ):
        return False
    name, arguments, meta = params.get("name"), params.get("arguments", {}), params.get("_meta")
    if type(name) is not str or type(arguments) is not dict or type(meta) is not dict or not meta.keys() <= _META:
        return False
    tool = face.shown(play).tools.get(name)
    if tool is None or headers.get(b"mcp-name") != name.encode() or not _is_good(meta):
        return False
    status = 200
    try:
        key = visit.key if visit.key is not None else key_in(meta)
        info = meta.get(CLIENT_INFO_META_KEY)
        if play.client is None and info is not None:
            play.introduce(info["name"])
        try:
            reply = play.call_now(name, arguments, key) or await called(play, name, arguments, key, visit.gone)
        except SessionFault as fault:
            raise MCPError(code=types.INTERNAL_ERROR, message=str(fault)) from fault
    except (MCPError, KeyReused) as error:
        error = in_protocol(error)
        status = ERROR_CODE_HTTP_STATUS.get(error.error.code, 200)
        told = error.error.model_dump(mode="json", by_alias=True, exclude_none=True)
        answer = json.dumps({"jsonrpc": "2.0", "id": identifier, "error": told}).encode()
    else:
        # The text of a result is JSON already, so it goes in as it is.
        label = quoted(identifier) if type(identifier) is str else identifier
        structured = "" if reply.refused or not is_structured(tool) else f',"structuredContent":{reply.text}'
        answer = (
            f'{{"jsonrpc":"2.0","id":{label},"result":{{"content":[{{"type":"text","text":'
            f'{quoted(reply.text)}}}],"isError":{"true" if reply.refused else "false"},"resultType":"complete"'
            f"{structured},{face.stamp}}}}}"
        ).encode()
    await send.whole(status, answer)
    return True


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
