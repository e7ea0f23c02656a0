"""Swagger 2 as OpenAPI 3: body and form parameters become request bodies, response schemas become content.

Schemas stay where they are: `#/definitions/Pet` is a reference like any other, and nothing above asks
where a schema stood. So the work is one pass over the operations, whatever the size of the document.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..openapi.pointer import follow

_METHODS = ("get", "put", "post", "delete", "options", "head", "patch")
_OUTER = frozenset({"name", "in", "description", "required", "collectionFormat", "allowEmptyValue"})
"""Keys of a parameter that say something about it, not about its value."""
_MOVED = frozenset({"swagger", "paths", "parameters", "responses", "consumes", "produces"})


def upgrade(raw: Mapping[str, Any], file: str) -> dict[str, Any]:
    """The same document in OpenAPI 3's structures; malformed parts are kept and judged by who reads them.

    Args:
        raw: A parsed Swagger 2 document.
        file: Name used in error messages.

    Raises:
        BuildError: A parameter or response is a reference that leads nowhere.
    """
    paths = raw.get("paths")
    done = {key: value for key, value in raw.items() if key not in _MOVED}
    done["openapi"] = "3.0.3"
    done["paths"] = (
        {path: _item(raw, item, file) for path, item in paths.items()} if isinstance(paths, Mapping) else paths
    )
    return done


def _item(raw: Mapping[str, Any], item: Any, file: str) -> Any:
    item = follow(raw, item, file)
    if not isinstance(item, Mapping):
        return item
    shared = [follow(raw, one, file) for one in _list(item.get("parameters"))]
    done = {key: value for key, value in item.items() if key != "parameters" and key not in _METHODS}
    for method in _METHODS:
        if isinstance(item.get(method), Mapping):
            done[method] = _operation(raw, item[method], shared, file)
    return done


def _operation(raw: Mapping[str, Any], operation: Mapping[str, Any], shared: list[Any], file: str) -> dict[str, Any]:
    own = [follow(raw, one, file) for one in _list(operation.get("parameters"))]
    found: dict[tuple[str, str], Mapping[str, Any]] = {}
    for one in [*shared, *own]:
        if isinstance(one, Mapping) and isinstance(one.get("name"), str):
            found[one["name"], str(one.get("in"))] = one
    done = {key: value for key, value in operation.items() if key not in ("parameters", "responses")}
    done["parameters"] = [_parameter(one) for one in found.values() if one.get("in") not in ("body", "formData")]
    if body := _body(list(found.values())):
        done["requestBody"] = body
    responses = operation.get("responses")
    if isinstance(responses, Mapping):
        done["responses"] = {code: _response(follow(raw, one, file)) for code, one in responses.items()}
    return done


def _parameter(one: Mapping[str, Any]) -> dict[str, Any]:
    schema = {key: value for key, value in one.items() if key not in _OUTER and not key.startswith("x-ms-")}
    return {key: one[key] for key in ("name", "in", "description", "required") if key in one} | {"schema": schema}


def _body(parameters: list[Mapping[str, Any]]) -> dict[str, Any] | None:
    for one in parameters:
        if one.get("in") == "body" and "schema" in one:
            content = {"application/json": {"schema": one["schema"]}}
            return {"content": content, "required": bool(one.get("required")), "description": one.get("description")}
    form = [one for one in parameters if one.get("in") == "formData"]
    if not form:
        return None
    members = {one["name"]: {**_parameter(one)["schema"], **_said(one)} for one in form}
    needed = [one["name"] for one in form if one.get("required") is True]
    schema = {"type": "object", "properties": members, "required": needed}
    return {"content": {"application/x-www-form-urlencoded": {"schema": schema}}}


def _said(one: Mapping[str, Any]) -> dict[str, Any]:
    return {"description": one["description"]} if "description" in one else {}


def _response(one: Any) -> Any:
    if not isinstance(one, Mapping) or "schema" not in one:
        return one
    done = {key: value for key, value in one.items() if key not in ("schema", "examples")}
    return {**done, "content": {"application/json": {"schema": one["schema"]}}}


def _list(node: Any) -> list[Any]:
    return node if isinstance(node, list) else []
