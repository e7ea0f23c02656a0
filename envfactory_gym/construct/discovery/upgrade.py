"""A Google discovery document as OpenAPI 3: methods become operations of paths, schemas become components.

Three spellings differ: references name a schema (`{"$ref": "Event"}`), numbers stand in text
(`"default": "250"`), and a path parameter may hold slashes (`v1/{+name}`), for which `flatPath`
tells the real segments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..problem import BuildError

_PLAIN = frozenset(
    {"type", "format", "enum", "pattern", "description", "readOnly", "deprecated", "default", "minimum", "maximum"}
)
_VARIABLE = re.compile(r"\{\+?([^}*]+)\*?\}")
_CREATES = (".insert", ".create", ".add")


def upgrade(raw: Mapping[str, Any], file: str) -> dict[str, Any]:
    """The same service in OpenAPI 3's structures.

    Args:
        raw: A parsed discovery document.
        file: Name used in error messages.

    Raises:
        BuildError: It describes no method.
    """
    paths: dict[str, dict[str, Any]] = {}
    for method in _methods(raw):
        path, operation = _operation(method)
        paths.setdefault(path, {}).setdefault(str(method.get("httpMethod") or "GET").lower(), operation)
    if not paths:
        raise BuildError("this discovery document has no methods, so there is nothing to build", file=file)
    schemas = raw.get("schemas")
    return {
        "openapi": "3.0.3",
        "info": {
            "title": str(raw.get("title") or raw.get("name") or "").strip(),
            "description": raw.get("description") or "",
            "version": str(raw.get("version") or ""),
            "x-origin": [{"url": raw.get("documentationLink")}],
            "x-service": raw.get("name") or "",
        },
        "paths": paths,
        "components": {
            "schemas": {str(name): _schema(one) for name, one in schemas.items()}
            if isinstance(schemas, Mapping)
            else {}
        },
    }


def _methods(node: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    methods, resources = node.get("methods"), node.get("resources")
    for one in methods.values() if isinstance(methods, Mapping) else ():
        if isinstance(one, Mapping) and isinstance(one.get("path"), str):
            yield one
    for inside in resources.values() if isinstance(resources, Mapping) else ():
        if isinstance(inside, Mapping):
            yield from _methods(inside)


def _operation(method: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Path and operation of a method; the path's segments come from `flatPath` where a variable spans several."""
    spans = "{+" in method["path"] and isinstance(method.get("flatPath"), str)
    path = "/" + _VARIABLE.sub(r"{\1}", method["flatPath"] if spans else method["path"]).strip("/")
    given = method.get("parameters")
    given = given if isinstance(given, Mapping) else {}
    parameters = [
        _parameter(str(name), one)
        for name, one in given.items()
        if isinstance(one, Mapping) and (one.get("location") != "path" or f"{{{name}}}" in path)
    ]
    told = {one["name"] for one in parameters}
    for name in _VARIABLE.findall(path):
        if name not in told:
            parameters.append({"name": name, "in": "path", "required": True, "schema": {"type": "string"}})
    operation: dict[str, Any] = {
        "operationId": method.get("id"),
        "description": str(method.get("description") or ""),
        "parameters": parameters,
        "responses": {"200": {"description": "ok", **_content(method.get("response"))}},
    }
    if request := _content(method.get("request")):
        operation["requestBody"] = request
    if method.get("deprecated"):
        operation["deprecated"] = True
    return path, operation


def _content(node: Any) -> dict[str, Any]:
    if not isinstance(node, Mapping) or not isinstance(node.get("$ref"), str):
        return {}
    return {"content": {"application/json": {"schema": _schema(node)}}}


def _parameter(name: str, one: Mapping[str, Any]) -> dict[str, Any]:
    schema = _schema(one)
    text = schema.pop("description", "")
    if one.get("repeated"):
        schema = {"type": "array", "items": schema}
    where = "path" if one.get("location") == "path" else "query"
    return {
        "name": name,
        "in": where,
        "required": bool(one.get("required")),
        "description": text,
        "schema": schema,
    }


def _schema(node: Any) -> dict[str, Any]:
    """A schema of discovery's dialect as one of OpenAPI's."""
    if not isinstance(node, Mapping):
        return {}
    done: dict[str, Any] = {key: node[key] for key in node if key in _PLAIN}
    if isinstance(node.get("$ref"), str):
        return {**done, "$ref": f"#/components/schemas/{node['$ref']}"}
    if done.get("type") == "any":
        del done["type"]
    for key in ("default", "minimum", "maximum"):
        if isinstance(done.get(key), str):
            done[key] = _value(done[key], done.get("type"), done.get("format"))
    if done.get("minimum") is None:
        done.pop("minimum", None)
    if done.get("maximum") is None:
        done.pop("maximum", None)
    if str(done.get("format", "")).startswith("google-datetime"):
        done["format"] = "date-time"
    properties = node.get("properties")
    if isinstance(properties, Mapping):
        done["properties"] = {str(name): _schema(one) for name, one in properties.items()}
        done["required"] = [str(name) for name, one in properties.items() if _needed(one)]
    for key in ("items", "additionalProperties"):
        if isinstance(node.get(key), Mapping):
            done[key] = _schema(node[key])
    return done


def _needed(node: Any) -> bool:
    """Whether the annotations of a property say that creating needs it."""
    annotations = node.get("annotations") if isinstance(node, Mapping) else None
    methods = annotations.get("required") if isinstance(annotations, Mapping) else None
    return isinstance(methods, list) and any(str(one).endswith(_CREATES) for one in methods)


def _value(text: str, kind: Any, form: Any) -> Any:
    """A value that stands in text, as its kind writes it; None where it is no such value."""
    if kind == "boolean":
        return text == "true"
    if kind in ("integer", "number") or form in ("int64", "uint64"):
        try:
            return int(text) if re.fullmatch(r"[+-]?\d+", text) else float(text)
        except ValueError:
            return None
    return text
