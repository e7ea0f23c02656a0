"""From paths to resource families: `/pets` and `/pets/{id}` are one table and five tools.

A family is a place in the paths where rows live: a collection, its items, or one thing below an
item that has no key of its own. Nesting of paths gives parents; everything that belongs to no
family is left out with its reason.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from ..model import LeftOut
from ..naming import plural, singular, snake
from .document import Document, Operation, Shape
from .envelopes import list_items, unwrap
from .paths import Key, Path, parameter_of

_PARTIAL = re.compile(
    r"\bpartial(?:ly)?\b|\bonly (?:the )?[\w ]{0,30}(?:provided|given|specified|supplied|sent|passed)\b|"
    r"\bunchanged\b|\bpatch semantics\b",
    re.I,
)
_CREATES = re.compile(r"\bcreat(?:e|es|ing)\b|\badd(?:s|ing)?\b|\bupsert|\bregister(?:s)?\b|\bput(?:s)?\b", re.I)
_SEARCHES = ("search", "query", "_search", "filter", "find", "list", "lookup")

_ROLE = re.compile(r"^(?:get|list|create|update|describe|put)_|_(?:response|request|output|result|dto|resource)$")
"""What a schema's name says about where it is used, and not about what it describes."""


@dataclass
class Family:
    """Operations of one resource, as found in the paths.

    Attributes:
        path: Path of the collection, or of the single thing.
        parameter: Name of the item's path parameter; empty where items have no path of their own.
        kind: `collection`, or `single` for the one thing of its kind below an item.
        operations: `list`, `create`, `get`, `replace`, `update`, `delete` → operation.
        actions: Word → operation, for paths below the item.
        puts: Whether the replacing operation creates a row that is not there yet.
    """

    path: Path
    parameter: str = ""
    kind: Literal["collection", "single"] = "collection"
    operations: dict[str, Operation] = field(default_factory=dict)
    actions: dict[str, Operation] = field(default_factory=dict)
    parent: Family | None = None
    table: str = ""
    one: str = ""
    schema: str = ""
    puts: bool = False

    @property
    def key(self) -> Key:
        """Where its items are: the collection's place and one parameter."""
        return (*self.path.key, "{}") if self.kind == "collection" else self.path.key

    @property
    def depth(self) -> int:
        """How many families it is nested under."""
        return 0 if self.parent is None else 1 + self.parent.depth

    @property
    def root(self) -> Family:
        """The outermost family it is nested under; itself where it is not nested."""
        return self if self.parent is None else self.parent.root

    def every(self) -> list[Operation]:
        """All its operations, each once."""
        return list({id(one): one for one in [*self.operations.values(), *self.actions.values()]}.values())


def find_families(document: Document) -> tuple[list[Family], list[LeftOut]]:
    """Group a document's operations into families.

    Returns:
        Families in the document's order, parents before children, and the operations that
        belong to none.
    """
    operations = [(operation, Path.of(operation.path)) for operation in document.operations()]
    families = _collections(document, operations)
    left_out: list[LeftOut] = []
    for operation, path in operations:
        if reason := _place(document, operation, path, families):
            left_out.append(LeftOut(operation.name, reason))
    kept = []
    for family in families.values():
        if family.operations:
            kept.append(family)
        else:
            left_out += [LeftOut(one.name, "no resource stands behind this path") for one in family.actions.values()]
    items = {family.key: family for family in kept if family.kind == "collection"}
    for family in kept:
        family.parent = _parent(family, items)
        family.puts = _puts(document, family)
    for family in [one for one in kept if one.kind == "single" and one.parent is None]:
        kept.remove(family)
        left_out += [LeftOut(one.name, "there is only one of it, and no row to belong to") for one in family.every()]
    kept.sort(key=lambda family: family.depth)
    _name(document, kept)
    return kept, _told_apart(document, kept, left_out, [one for one, _ in operations])


_LISTS = "reads a list that no operation of this document changes"


def _told_apart(
    document: Document, families: list[Family], left_out: list[LeftOut], operations: list[Operation]
) -> list[LeftOut]:
    """The same omissions, where a list of something that has a table is told as such."""
    tables = {family.schema: family.table for family in families if family.schema}
    by_name = {one.name: one for one in operations}

    def reason(one: LeftOut) -> str:
        if one.reason != _LISTS:
            return one.reason
        operation = by_name[one.operation]
        items = list_items(document, document.response(operation), operation_word(operation)) or {}
        table = tables.get(str(items.get("x-name") or ""))
        return "lists rows of another table, narrowed by the path" if table else one.reason

    return [LeftOut(one.operation, reason(one)) for one in left_out]


def _collections(document: Document, operations: list[tuple[Operation, Path]]) -> dict[Key, Family]:
    """A family for every item path, every collection that lists and creates, every single thing below an item."""
    families: dict[Key, Family] = {}
    methods: dict[Key, dict[str, tuple[Operation, Path]]] = {}
    for operation, path in operations:
        if path.verb:
            continue
        methods.setdefault(path.key, {}).setdefault(operation.method, (operation, path))
        if len(path.segments) > 1 and path.parameter:
            families.setdefault(path.key, Family(Path(path.segments[:-1]), path.parameter))
    for key, found in methods.items():
        if key in families or (*key, "{}") in families or not key or "get" not in found:
            continue
        get, path = found["get"]
        lists = list_items(document, document.response(get), path.segments[-1]) is not None
        if lists and "post" in found and (document.body(found["post"][0]) or {}).get("properties"):
            families[*key, "{}"] = Family(path)
        elif not lists and key[:-1] in families and ("put" in found or "patch" in found):
            families[key] = Family(path, kind="single")
    return families


def _place(document: Document, operation: Operation, path: Path, families: dict[Key, Family]) -> str | None:
    """File one operation under its family; the reason where it belongs to none."""
    method, key = operation.method, path.key
    if path.verb:
        return _act(operation, path.verb, families.get(key), families.get((*key, "{}")))
    if family := families.get(key):
        return _place_item(document, operation, family)
    if family := families.get((*key, "{}")):
        return _place_collection(document, operation, family)
    if key and (above := families.get(key[:-1])) and method != "get" and method != "delete":
        return _act(operation, path.segments[-1], above, None)
    if method == "get":
        last = path.segments[-1] if path.segments else ""
        if list_items(document, document.response(operation), last) is not None:
            return _LISTS
        return "reads something the service computes, with no resource behind it"
    if key and families.get((*key[:-1], "{}")) and path.segments[-1].lower() in _SEARCHES:
        return "searches, as the list of the resource does"
    return "no resource stands behind this path"


def _act(operation: Operation, word: str, item: Family | None, collection: Family | None) -> str | None:
    """File an action; the reason where it acts on no single row."""
    if item is not None and item.kind == "collection":
        if operation.method in ("post", "put", "patch"):
            if word in item.actions:
                return "another operation of this path already does it"
            item.actions[word] = operation
            return None
        return "reads something the service computes, with no resource behind it"
    if collection is not None:
        searches = word.lower().startswith(_SEARCHES)
        return "searches, as the list of the resource does" if searches else "acts on many rows at once"
    return "no resource stands behind this path"


def _place_item(document: Document, operation: Operation, family: Family) -> str | None:
    verb = {"get": "get", "put": "replace", "patch": "update", "post": "update", "delete": "delete"}[operation.method]
    if verb == "replace" and _PARTIAL.search(operation.text) and "update" not in family.operations:
        verb = "update"
    if family.kind == "single" and operation.method == "post":
        return "the document does not say what this action changes"
    if verb in family.operations:
        return "another operation of this path already does it"
    family.operations[verb] = operation
    return None


def _place_collection(document: Document, operation: Operation, family: Family) -> str | None:
    method = operation.method
    if method == "get":
        if list_items(document, document.response(operation), operation_word(operation)) is None:
            return "returns no list of the resource"
        if "list" in family.operations:
            return "another operation of this path already does it"
        family.operations["list"] = operation
        return None
    if method == "post":
        if not body_shape(document, operation).get("properties") and not _key_parameter(operation, family):
            return "its request body does not describe the resource"
        if "create" in family.operations:
            return "another operation of this path already does it"
        family.operations["create"] = operation
        return None
    return "changes many rows at once"


def operation_word(operation: Operation) -> str:
    """Last fixed word of an operation's path: what it is about."""
    statics = Path.of(operation.path).statics
    return statics[-1] if statics else ""


def _key_parameter(operation: Operation, family: Family) -> bool:
    return any(one.get("in") == "query" and one.get("name") == family.parameter for one in operation.parameters)


def _parent(family: Family, items: dict[Key, Family]) -> Family | None:
    key = family.path.key if family.kind == "collection" else family.path.key[:-1]
    for end in range(len(key), 0, -1):
        if key[end - 1] == "{}" and (found := items.get(key[:end])) is not None and found is not family:
            return found
    return None


def _puts(document: Document, family: Family) -> bool:
    """Whether replacing also creates: nothing else does, and the document says or implies it."""
    operation = family.operations.get("replace")
    if operation is None or "create" in family.operations:
        return False
    if family.kind == "single":
        return True
    told = operation.text + " " + re.sub(r"(?<=[a-z])(?=[A-Z])|[_.]", " ", str(operation.raw.get("operationId") or ""))
    responses = operation.raw.get("responses")
    created = isinstance(responses, dict) and any(str(code) == "201" for code in responses)
    return created or _CREATES.search(told) is not None


def resource_shape(document: Document, family: Family) -> Shape:
    """The fullest description of one row that the document gives, response first."""
    candidates = []
    if operation := family.operations.get("get"):
        candidates.append(unwrap(document, document.response(operation), operation_word(operation)))
    if operation := family.operations.get("list"):
        candidates.append(list_items(document, document.response(operation), operation_word(operation)) or {})
    for verb in ("create", "replace", "update"):
        if operation := family.operations.get(verb):
            candidates.append(unwrap(document, document.response(operation), operation_word(operation)))
            candidates.append(unwrap(document, document.body(operation), operation_word(operation)))
    described = [shape for shape in candidates if shape.get("properties")]
    return described[0] if described else {}


def body_shape(document: Document, operation: Operation) -> Shape:
    """What a client sends to create or change a row."""
    return unwrap(document, document.body(operation), operation_word(operation))


def _name(document: Document, families: list[Family]) -> None:
    """Give each family a table and a name for one row, unique in the document."""
    taken: set[str] = set()
    for family in families:
        statics = family.path.statics
        last = snake(statics[-1]) if statics else snake(family.parameter)
        family.schema = str(resource_shape(document, family).get("x-name") or "")
        one = singular(last)
        if one == last and family.schema and plural(last) != last:  # `acl` lists rules: the schema knows better
            named = _ROLE.sub("", snake(family.schema))
            one = named if last in named else last
        if snake(family.schema).replace("_", "") == one.replace("_", ""):  # `accesslogs`, and a schema AccessLog
            one = snake(family.schema)
        if family.kind == "single" and family.parent is not None:
            one = last if last.startswith(family.parent.one) else f"{family.parent.one}_{last}"
        one, table = _free(family, one, taken)
        taken.add(table)
        family.table, family.one = table, one


def _free(family: Family, one: str, taken: set[str]) -> tuple[str, str]:
    """Names that no other table has: said with the parent's name, with the path's words, or numbered."""
    outer = [snake(word) for word in family.path.statics[-2::-1] if len(snake(word)) > 2]
    wider = [f"{family.parent.one}_{one}"] if family.parent is not None else []
    wider += [f"{singular(word)}_{one}" for word in outer if word != plural(one)]
    for name in [one, *wider]:
        if plural(name) not in taken:
            return name, plural(name)
    number = 2
    while f"{plural(one)}_{number}" in taken:
        number += 1
    return f"{one}_{number}", f"{plural(one)}_{number}"


def tenant_parameters(families: list[Family]) -> list[str]:
    """Path parameters that no family stands for: one and the same for every row."""
    items = {family.key for family in families}
    found: list[str] = []
    for family in families:
        for end, segment in enumerate(family.path.segments, 1):
            name = parameter_of(segment)
            if name and family.path.key[:end] not in items and name not in found:
                found.append(name)
    return found
