"""An OpenAPI document as plain data in which references and unions are already resolved.

Everything above asks `Document` for *shapes*: schemas with `$ref` followed, `allOf` merged,
`oneOf`/`anyOf` folded, and the four spellings of nullable made one key, `nullable`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from ..naming import one_line
from ..problem import BuildError

METHODS = ("get", "post", "put", "patch", "delete")
"""The HTTP methods that can become tools, in the order tools are listed."""

Shape = dict[str, Any]
"""A schema as `Document.shape` returns it."""


@dataclass(frozen=True)
class Operation:
    """One method of one path, with the parameters of both.

    Attributes:
        parameters: Resolved parameters; an operation's own replace its path's.
        raw: The operation object of the document.
    """

    method: str
    path: str
    parameters: tuple[Mapping[str, Any], ...]
    raw: Mapping[str, Any]

    @property
    def name(self) -> str:
        """How people find it in the document: `GET /pets`."""
        return one_line(f"{self.method.upper()} {self.path}")

    @property
    def text(self) -> str:
        """Summary and description together."""
        return " ".join(str(self.raw[key]) for key in ("summary", "description") if self.raw.get(key))


class Document:
    """A parsed OpenAPI 3 document.

    Args:
        raw: The document as parsed from JSON or YAML.
        file: Name used in error messages.

    Raises:
        BuildError: It is not OpenAPI 3, or has no paths.
    """

    def __init__(self, raw: Any, file: str = "document") -> None:
        self.raw, self.file = raw, file
        if not isinstance(raw, Mapping):
            raise BuildError("this is not an API document but " + type(raw).__name__, file=file)
        if "swagger" in raw:
            raise BuildError(
                f"this is Swagger {raw['swagger']}, and only OpenAPI 3 is read",
                file=file,
                remedy="convert it, for instance with `swagger2openapi`",
            )
        if raw.get("kind") == "discovery#restDescription":
            raise BuildError("this is a Google discovery document, and only OpenAPI 3 is read", file=file)
        if not str(raw.get("openapi", "")).startswith("3."):
            raise BuildError(
                "this is not an OpenAPI 3 document", file=file, key="openapi", remedy="expected openapi: 3.x at the top"
            )
        if not isinstance(raw.get("paths"), Mapping) or not raw["paths"]:
            raise BuildError("this document has no paths, so there is nothing to build", file=file, key="paths")

    @classmethod
    def load(cls, source: str | Path) -> Document:
        """Read a JSON or YAML file.

        Raises:
            BuildError: The file is missing, is not UTF-8, does not parse, or is not OpenAPI 3.
        """
        path = Path(source)
        try:
            text = path.read_text(encoding="utf-8-sig")
        except FileNotFoundError:
            raise BuildError("there is no such file", file=path) from None
        except (OSError, UnicodeDecodeError) as error:
            raise BuildError(f"this file cannot be read: {error}", file=path) from error
        return cls(_parse(text, path), path.name)

    @property
    def info(self) -> Mapping[str, Any]:
        """The `info` object; empty where there is none."""
        info = self.raw.get("info")
        return info if isinstance(info, Mapping) else {}

    def resolve(self, node: Any) -> Any:
        """Follow `$ref` until something that is not a reference.

        Raises:
            BuildError: The reference leaves the document, leads nowhere, or runs in a circle.
        """
        seen: list[str] = []
        while isinstance(node, Mapping) and isinstance(node.get("$ref"), str):
            ref = node["$ref"]
            if ref in seen:
                raise BuildError(f"the reference {ref} leads back to itself", file=self.file)
            seen.append(ref)
            node = self._at(ref)
        return node

    def _at(self, ref: str) -> Any:
        if not ref.startswith("#/"):
            raise BuildError(
                f"the reference {ref} leaves this document",
                file=self.file,
                remedy="bundle the document into one file first",
            )
        node: Any = self.raw
        for part in ref[2:].split("/"):
            key = part.replace("~1", "/").replace("~0", "~").replace("%7B", "{").replace("%7D", "}")
            if isinstance(node, Mapping) and key in node:
                node = node[key]
            elif isinstance(node, list) and key.isdigit() and int(key) < len(node):
                node = node[int(key)]
            else:
                raise BuildError(f"the reference {ref} leads nowhere", file=self.file)
        return node

    def operations(self) -> Iterator[Operation]:
        """Every operation, in the document's order of paths."""
        for path, item in self.raw["paths"].items():
            item = self.resolve(item)
            if not isinstance(item, Mapping) or not str(path).startswith("/"):
                continue
            for method in METHODS:
                raw = item.get(method)
                if isinstance(raw, Mapping):
                    yield Operation(method, str(path), self._parameters(item, raw), raw)

    def _parameters(self, item: Mapping[str, Any], raw: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
        found: dict[tuple[str, str], Mapping[str, Any]] = {}
        for node in [*_list(item.get("parameters")), *_list(raw.get("parameters"))]:
            parameter = self.resolve(node)
            if isinstance(parameter, Mapping) and "name" in parameter:
                found[str(parameter["name"]), str(parameter.get("in"))] = parameter
        return tuple(found.values())

    def body(self, operation: Operation) -> Shape | None:
        """Shape of the JSON request body; None where the operation takes none."""
        return self._content(self.resolve(operation.raw.get("requestBody")))

    def response(self, operation: Operation) -> Shape | None:
        """Shape of the first successful JSON response; None where it returns nothing."""
        responses = operation.raw.get("responses")
        responses = responses if isinstance(responses, Mapping) else {}
        for code in sorted(map(str, responses)):
            if code.startswith("2") and (
                shape := self._content(self.resolve(responses.get(code, responses.get(_number(code)))))
            ):
                return shape
        return None

    def conflict(self, operation: Operation) -> str:
        """What the document says about status 409 of an operation; empty where it says nothing."""
        responses = operation.raw.get("responses")
        inside = self.resolve(responses.get("409", responses.get(409))) if isinstance(responses, Mapping) else None
        return str(inside.get("description") or "") if isinstance(inside, Mapping) else ""

    def _content(self, holder: Any) -> Shape | None:
        content = holder.get("content") if isinstance(holder, Mapping) else None
        for media, inside in content.items() if isinstance(content, Mapping) else ():
            resolved = self.resolve(inside)
            if ("json" in str(media) or str(media) == "*/*") and isinstance(resolved, Mapping):
                schema = resolved.get("schema")
                return self.shape(schema) if schema is not None else None
        return None

    def shape(self, schema: Any, _open: tuple[str, ...] = ()) -> Shape:
        """A schema with references, unions and nullability resolved at its own level.

        Properties and items are left as they are: ask again for each.
        """
        ref = schema.get("$ref") if isinstance(schema, Mapping) else None
        ref = ref if isinstance(ref, str) else None
        if ref in _open:
            return {}
        opened = (*_open, ref) if ref else _open
        node = self.resolve(schema)
        if not isinstance(node, Mapping):
            return {}
        shape: Shape = {key: value for key, value in node.items() if key not in ("allOf", "oneOf", "anyOf", "$ref")}
        if ref and "#/components/schemas/" in ref:
            shape.setdefault("x-name", ref.rsplit("/", 1)[-1])
        if isinstance(schema, Mapping) and ref:  # siblings of a $ref are allowed since 3.1 and common before
            shape.update({key: schema[key] for key in ("description", "readOnly", "nullable") if key in schema})
        for part in _list(node.get("allOf")):
            _merge(shape, self.shape(part, opened), all_hold=True)
        for union in ("oneOf", "anyOf"):
            parts = [self.shape(part, opened) for part in _list(node.get(union))]
            solid = [part for part in parts if part.get("type") != "null"]
            if len(solid) < len(parts):
                shape["nullable"] = True
            for part in solid:
                _merge(shape, part, all_hold=len(solid) == 1)
        _tidy(shape)
        return shape


def _list(node: Any) -> list[Any]:
    return node if isinstance(node, list) else []


def _number(code: str) -> Any:
    return int(code) if code.isdigit() else code


def _parse(text: str, path: Path) -> Any:
    if text.lstrip().startswith(("{", "[")):
        try:
            return json.loads(text)
        except json.JSONDecodeError as error:
            raise BuildError(f"this is not valid JSON: {error.msg}", file=path, line=error.lineno) from error
        except RecursionError:
            raise BuildError("this document is nested too deeply to be read", file=path) from None
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise BuildError(
            f"this is neither JSON nor valid YAML: {getattr(error, 'problem', None) or error}",
            file=path,
            line=mark.line + 1 if mark else None,
        ) from error


def _merge(shape: Shape, part: Shape, *, all_hold: bool) -> None:
    """Fold one member of a union into a shape; `all_hold` where the member applies for certain."""
    if part.get("properties"):
        own = shape.get("properties")
        shape["properties"] = {**part["properties"], **(own if isinstance(own, Mapping) else {})}
    if all_hold and part.get("required"):
        shape["required"] = [*_list(shape.get("required")), *part["required"]]
    for key, value in part.items():
        if key not in ("properties", "required"):
            shape.setdefault(key, value)


_FORMS: dict[str, type | tuple[type, ...]] = {
    "properties": Mapping, "required": list, "enum": list, "type": (str, list), "items": Mapping, "description": str,
    "format": str, "title": str,
}  # fmt: skip


def _tidy(shape: Shape) -> None:
    for key, form in _FORMS.items():  # what is malformed says nothing
        if key in shape and not isinstance(shape[key], form):
            del shape[key]
    if "required" in shape:
        shape["required"] = [name for name in shape["required"] if isinstance(name, str)]
    kinds = shape.get("type")
    if isinstance(kinds, list):
        solid = [kind for kind in kinds if kind != "null"]
        if len(solid) < len(kinds):
            shape["nullable"] = True
        shape["type"] = solid[0] if solid else "string"
    if "const" in shape:
        shape["enum"] = [shape["const"]]
    values = shape.get("enum")
    if isinstance(values, list) and None in values:
        shape["enum"], shape["nullable"] = [value for value in values if value is not None], True
    if shape.get("x-nullable"):
        shape["nullable"] = True
    if "type" not in shape:
        if isinstance(shape.get("properties"), Mapping):
            shape["type"] = "object"
        elif "items" in shape:
            shape["type"] = "array"
