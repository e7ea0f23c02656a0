"""From paths to resource families: `/pets` and `/pets/{id}` are one table and five tools.

A family is an item path (ending in a parameter) with its collection path. Nesting of paths gives
parents; everything that belongs to no family is left out with its reason.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from ..model import LeftOut
from ..naming import plural, singular, snake
from .document import Document, Operation, Shape

_PARAMETER = re.compile(r"^\{([^}]+)\}$")
_WRAPPERS = ("data", "items", "results", "values", "result", "records", "entries", "content", "list", "value")


@dataclass
class Family:
    """Operations of one resource, as found in the paths.

    Attributes:
        collection: Path of the collection.
        parameter: Name of the item's path parameter.
        operations: `list`, `create`, `get`, `replace`, `update`, `delete` → operation.
        actions: Word → operation, for paths below the item.
    """

    collection: str
    parameter: str
    operations: dict[str, Operation] = field(default_factory=dict)
    actions: dict[str, Operation] = field(default_factory=dict)
    parent: Family | None = None
    table: str = ""
    one: str = ""
    schema: str = ""

    @property
    def item(self) -> str:
        """Path of one item."""
        return f"{self.collection}/{{{self.parameter}}}"


def find_families(document: Document) -> tuple[list[Family], list[LeftOut]]:
    """Group a document's operations into families.

    Returns:
        Families in the document's order, parents before children, and the operations that
        belong to none.
    """
    operations = list(document.operations())
    paths = list(dict.fromkeys(operation.path for operation in operations))
    families = {
        path: Family(*_split(path))
        for path in paths
        if len(_segments(path)) > 1 and _PARAMETER.match(_segments(path)[-1])
    }
    by_collection = {family.collection: family for family in families.values()}
    left_out: list[LeftOut] = []
    for operation in operations:
        reason = _place(document, operation, families, by_collection)
        if reason:
            left_out.append(LeftOut(operation.name, reason))
    kept = []
    for family in families.values():
        if not family.operations:
            left_out += [
                LeftOut(action.name, "no resource stands behind this path") for action in family.actions.values()
            ]
            continue
        kept.append(family)
    for family in kept:
        family.parent = _parent(family, {one.item: one for one in kept})
    kept.sort(key=lambda family: _depth(family))
    _name(document, kept)
    return kept, left_out


def _segments(path: str) -> list[str]:
    return [part for part in path.split("/") if part]


def _split(path: str) -> tuple[str, str]:
    head, _, last = path.rstrip("/").rpartition("/")
    match = _PARAMETER.match(last)
    assert match is not None
    return head, match.group(1)


def _place(
    document: Document, operation: Operation, families: dict[str, Family], by_collection: dict[str, Family]
) -> str | None:
    """File one operation under its family; the reason where it belongs to none."""
    path, method = operation.path, operation.method
    if family := families.get(path):
        verb = {"get": "get", "put": "replace", "patch": "update", "post": "update", "delete": "delete"}[method]
        if verb == "get" and (document.response(operation) or {}).get("type") == "array":
            return "returns a list that belongs to no collection path"
        if verb in family.operations:
            return "another operation of this path already updates the row"
        family.operations[verb] = operation
        return None
    if family := by_collection.get(path.rstrip("/")):
        if method == "get":
            if list_items(document, operation) is None:
                return "returns no list of the resource"
            family.operations["list"] = operation
            return None
        if method == "post":
            if not (document.body(operation) or {}).get("properties"):
                return "its request body does not describe the resource"
            family.operations["create"] = operation
            return None
        return "changes many rows at once"
    head, _, word = path.rstrip("/").rpartition("/")
    if (family := families.get(head)) and method in ("post", "put", "patch") and not _PARAMETER.match(word):
        family.actions[word] = operation
        return None
    if method == "get":
        return "reads something the service computes, with no resource behind it"
    return "no resource stands behind this path"


def _parent(family: Family, items: dict[str, Family]) -> Family | None:
    segments = _segments(family.collection)
    for end in range(len(segments), 0, -1):
        if _PARAMETER.match(segments[end - 1]):
            found = items.get("/" + "/".join(segments[:end]))
            if found is not None and found is not family:
                return found
    return None


def _depth(family: Family) -> int:
    depth, current = 0, family.parent
    while current is not None:
        depth, current = depth + 1, current.parent
    return depth


def list_items(document: Document, operation: Operation) -> Shape | None:
    """Shape of one item of a list response; None where the response is no list of objects."""
    shape = document.response(operation)
    if not shape:
        return None
    if shape.get("type") == "array":
        return _object(document, shape.get("items"))
    lists = {
        name: inside
        for name, raw in (shape.get("properties") or {}).items()
        if (inside := document.shape(raw)).get("type") == "array" and _object(document, inside.get("items"))
    }
    last = snake(_segments(operation.path)[-1])
    for name in [*_WRAPPERS, *(key for key in lists if snake(key) in (last, plural(last)))]:
        if name in lists:
            return _object(document, lists[name].get("items"))
    if len(lists) == 1:
        return _object(document, next(iter(lists.values())).get("items"))
    return None


def _object(document: Document, schema: Any) -> Shape | None:
    shape = document.shape(schema) if schema is not None else {}
    return shape if shape.get("properties") else None


def unwrap(document: Document, shape: Shape | None) -> Shape:
    """The resource inside a response or body such as `{"status": 200, "data": {...}}`."""
    properties = (shape or {}).get("properties") or {}
    if "data" in properties and (inside := _object(document, properties["data"])):
        return inside
    if len(properties) == 1:
        only = _object(document, next(iter(properties.values())))
        if only:
            return only
    return shape or {}


def resource_shape(document: Document, family: Family) -> Shape:
    """The fullest description of one row that the document gives, response first."""
    candidates = []
    if operation := family.operations.get("get"):
        candidates.append(unwrap(document, document.response(operation)))
    if operation := family.operations.get("list"):
        candidates.append(list_items(document, operation) or {})
    for verb in ("create", "replace", "update"):
        if operation := family.operations.get(verb):
            candidates.append(unwrap(document, document.response(operation)))
            candidates.append(unwrap(document, document.body(operation)))
    described = [shape for shape in candidates if shape.get("properties")]
    return described[0] if described else {}


def body_shape(document: Document, operation: Operation) -> Shape:
    """What a client sends to create or change a row."""
    return unwrap(document, document.body(operation))


def _name(document: Document, families: list[Family]) -> None:
    """Give each family a table and a name for one row, unique in the document."""
    taken: set[str] = set()
    for family in families:
        statics = [part for part in _segments(family.collection) if not _PARAMETER.match(part)]
        last = snake(statics[-1]) if statics else snake(family.parameter)
        family.schema = str(resource_shape(document, family).get("x-name") or "")
        one = singular(last)
        if one == last and family.schema and plural(last) != last:  # `acl` lists rules: the schema knows better
            named = snake(family.schema)
            one = named if last in named else last
        table = plural(one)
        if table in taken and family.parent is not None:
            one, table = f"{family.parent.one}_{one}", f"{family.parent.one}_{table}"
        number = 2
        while table in taken:
            table, number = f"{plural(one)}_{number}", number + 1
            one = f"{one}_{number - 1}"
        taken.add(table)
        family.table, family.one = table, one
