"""An OpenAPI document as plain data in which references and unions are already resolved.

Everything above asks `Document` for *shapes*: schemas with `$ref` followed, `allOf` merged,
`oneOf`/`anyOf` folded, and the four spellings of nullable made one key, `nullable`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from ..naming import one_line
from ..problem import BuildError, not_an_object
from .pointer import follow

METHODS = ("get", "post", "put", "patch", "delete")
"""The HTTP methods that can become tools, in the order tools are listed."""

_SCHEMAS = ("#/components/schemas/", "#/definitions/")
"""Where schemas with names stand, in OpenAPI 3 and in Swagger 2."""

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
        kind: What the source was before it was brought to this form; told from `raw` if left out.

    Raises:
        BuildError: It is not OpenAPI 3, or has no paths.
    """

    def __init__(self, raw: Any, file: str = "document", kind: str = "") -> None:
        if not isinstance(raw, Mapping):
            raise BuildError(not_an_object(raw), file=file)
        self.raw, self.file = raw, file
        self.kind = kind or f"OpenAPI {raw.get('openapi')}"
        self._shapes: dict[str, Shape] = {}
        if not str(raw.get("openapi", "")).startswith("3."):
            raise BuildError(
                "this is no API document of a kind that is read",
                file=file,
                key="openapi",
                remedy="expected OpenAPI 3.x, Swagger 2, or a Google discovery document",
            )
        if not isinstance(raw.get("paths"), Mapping) or not raw["paths"]:
            raise BuildError("this document has no paths, so there is nothing to build", file=file, key="paths")

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
        return follow(self.raw, node, self.file)

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
        """Shape of what a body or response holds: JSON, else a form, else whatever has a schema."""
        content = holder.get("content") if isinstance(holder, Mapping) else None
        found: list[tuple[int, Any]] = []
        for media, inside in content.items() if isinstance(content, Mapping) else ():
            resolved = self.resolve(inside)
            if isinstance(resolved, Mapping) and resolved.get("schema") is not None:
                found.append((_rank(str(media)), resolved["schema"]))
        return self.shape(min(found, key=lambda one: one[0])[1]) if found else None

    def shape(self, schema: Any, _open: tuple[str, ...] = ()) -> Shape:
        """A schema with references, unions and nullability resolved at its own level.

        Properties and items are left as they are: ask again for each.
        """
        ref = schema.get("$ref") if isinstance(schema, Mapping) else None
        ref = ref if isinstance(ref, str) else None
        if ref in _open:
            return {}
        plain = ref is not None and len(schema) == 1 and not _open
        if plain and ref in self._shapes:
            return dict(self._shapes[ref])
        shape = self._shape(schema, ref, _open)
        if plain and ref is not None:
            self._shapes[ref] = shape
        return dict(shape)

    def _shape(self, schema: Any, ref: str | None, _open: tuple[str, ...]) -> Shape:
        opened = (*_open, ref) if ref else _open
        node = self.resolve(schema)
        if not isinstance(node, Mapping):
            return {}
        shape: Shape = {key: value for key, value in node.items() if key not in ("allOf", "oneOf", "anyOf", "$ref")}
        if ref and ref.startswith(_SCHEMAS):
            shape.setdefault("x-name", unquote(ref.rsplit("/", 1)[-1]))
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


def _rank(media: str) -> int:
    """How well a media type is understood; the lowest is best."""
    for number, part in enumerate(("json", "*/*", "form", "xml", "yaml")):
        if part in media:
            return number
    return 9


def _number(code: str) -> Any:
    return int(code) if code.isdigit() else code


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
