"""From families to the resource model: columns, keys, relations, and one plan for each tool."""

from __future__ import annotations

import re
from dataclasses import replace

from ..model import Field, LeftOut, Listing, Model, Resource, ToolPlan
from ..naming import a, identifier, one_line, sentence, snake, words
from ..problem import BuildError
from .document import Document, Shape
from .families import Family, body_shape, find_families, resource_shape
from .fields import is_change_list, keep_most_telling, read_fields
from .listing import read_listing
from .relations import is_reference_name, refer, target_of
from .settling import in_order, uniquely_named, without_copies, without_deep, without_unused
from .transitions import read_transition

MAX_TOOLS = 40
"""Most tools of one package; further families are left out."""

MAX_TOOL_NAME = 30
"""Longest tool name here: 40 with the prefix `<environment>__` of episodes over several worlds."""

_ONLY_FIELDS = re.compile(
    r"only (?:the )?fields[^:.]*(?:can be|are|may be)[^:.]*(?:modified|changed|updated|editable)[^:]*:\s*([^.]+)\.",
    re.I,
)


def build_model(document: Document, name: str) -> Model:
    """Everything a document says, as a resource model.

    Raises:
        BuildError: No path of the document is a resource that keeps state.
    """
    families, left_out = find_families(document)
    total = sum(1 for _ in document.operations())
    families, dropped = _modelled(document, families)
    left_out += dropped
    tables = {family.one: family.table for family in families}
    resources: list[Resource] = []
    for family in families:
        resource, missing = _resource(document, family, families, tables)
        resources.append(resource)
        left_out += missing
    resources, unreachable = without_deep(resources)
    left_out += unreachable
    resources = uniquely_named(resources)
    resources, unused = without_unused(without_copies(resources))
    left_out += unused
    if not any(tool.verb != "list" and tool.verb != "get" for resource in resources for tool in resource.tools):
        raise BuildError(
            "no resource of this document can be changed, so an environment of it would have no state",
            file=document.file,
            remedy="choose a document with POST, PUT, PATCH or DELETE on resources",
        )
    info = document.info
    title = one_line(str(info.get("title") or name))
    licence = info.get("license") if isinstance(info.get("license"), dict) else {}
    categories = info.get("x-apisguru-categories") or ()
    source = {"title": title, "licence": str((licence or {}).get("name") or "not stated")}
    origin = [one.get("url") for one in info.get("x-origin") or () if isinstance(one, dict) and one.get("url")]
    if origin:
        source["url"] = str(origin[0])
    return Model(
        name=name,
        title=title,
        summary=_summary(str(info.get("description") or "")) or f"{title}, as its API document describes it.",
        domain=str(categories[0]).replace("_", " ") if categories else "general",
        sources=(source,),
        resources=tuple(in_order(resources)),
        left_out=tuple(sorted(left_out, key=lambda one: one.operation.partition(" ")[::-1])),
        operations=total,
        kind=document.kind,
    )


def _modelled(document: Document, families: list[Family]) -> tuple[list[Family], list[LeftOut]]:
    """Families that can be tables, within the limit of tools, parents before children."""
    kept: list[Family] = []
    left_out: list[LeftOut] = []

    def drop(family: Family, reason: str) -> None:
        left_out.extend(LeftOut(one.name, reason) for one in [*family.operations.values(), *family.actions.values()])

    writing = {"create", "update", "replace", "delete"}
    useful = [family for family in families if resource_shape(document, family).get("properties")]
    for family in families:
        if family not in useful:
            drop(family, "the document does not describe what it returns or takes")
    children = {id(family.parent) for family in useful if family.parent is not None}
    full = sorted(
        useful, key=lambda one: (one.parent is not None, -len(writing & set(one.operations)), useful.index(one))
    )
    budget = MAX_TOOLS
    chosen: set[int] = set()
    for family in full:
        chain = [family]
        while chain[-1].parent is not None:
            chain.append(chain[-1].parent)
        readable = "list" in family.operations or "create" in family.operations or id(family) in children
        if not readable:
            drop(family, "rows can neither be listed nor created, so nobody could know their keys")
            continue
        if any(one is not family and id(one) not in chosen for one in chain):
            drop(family, "the resource it is nested under is left out")
            continue
        cost = len(family.operations)
        if cost > budget:
            drop(family, f"beyond the {MAX_TOOLS} tools of one environment")
            continue
        budget -= cost
        chosen.add(id(family))
    kept = [family for family in families if id(family) in chosen]
    return kept, left_out


def _resource(
    document: Document, family: Family, families: list[Family], tables: dict[str, str]
) -> tuple[Resource, list[LeftOut]]:
    left_out: list[LeftOut] = []
    shape = resource_shape(document, family)
    reading = read_fields(document, shape)
    out = list(reading.left_out)
    fields = list(reading.fields)
    creates = "create" in family.operations

    body: Shape = body_shape(document, family.operations["create"]) if creates else {}
    demanded = {identifier(str(one)) for one in body.get("required") or ()}
    sendable = {one.name: one for one in read_fields(document, body).fields}
    if sendable:
        known = {one.name for one in fields}
        fields = [
            replace(
                one,
                required=one.name in demanded or sendable[one.name].required,
                server=one.server or sendable[one.name].server,
            )
            if one.name in sendable
            else replace(one, server=True, required=False)
            for one in fields
        ] + [one for name, one in sendable.items() if name not in known and name in demanded]

    key, minted = _key(family, fields)
    key_target = _key_target(family, families)
    parent = family.parent
    if key_target is not None:
        minted = False
    key_field = next((one for one in fields if one.name == key), None) or Field(
        key, key, "text", f"Identifier of the {words(family.one)}."
    )
    key_field = replace(
        key_field,
        role="key",
        server=minted,
        required=not minted,
        enum=(),
        references=key_target,
        kind="integer" if key_field.kind == "integer" else "text",
        long=False,
        description=key_field.description or f"Identifier of the {words(family.one)}.",
    )
    scoped = parent is not None and not minted and key_target is None
    fields = [one for one in fields if one.name != key]

    parent_field = None
    if parent is not None:
        column = f"{parent.one}_id"
        fields = [one for one in fields if one.name != column]
        parent_field = Field(
            column, "(path)", "text", f"The {words(parent.one)} it belongs to.",
            required=True, role="parent", references=parent.table, fixed=True,
        )  # fmt: skip

    kept: list[Field] = []
    for one in fields:
        target = target_of(one, family.one, tables) if one.role == "plain" else None
        if one.secret and not one.required:
            out.append((one.source, "is a secret that is only sent, never read"))
        elif one.name in ("deleted", "is_deleted"):
            out.append((one.source, "is told by the row's absence"))
        elif one.name == family.one and one.kind == "text" and not one.required:
            out.append((one.source, "holds the whole row in another format"))
        elif target == family.table and one.name == f"{family.one}_id":
            out.append((one.source, "repeats the row's own key"))
        elif one.server and one.role == "plain" and creates:
            out.append((one.source, "is set by the service in ways the document does not say"))
        elif target is not None:
            kept.append(refer(one, target))
        elif one.role == "plain" and is_reference_name(one):
            out.append((one.source, "refers to something that this environment does not hold"))
        elif key_target is not None and one.server:
            out.append((one.source, f"repeats what {key_target} holds"))
        else:
            kept.append(one)
    changes = [verb for verb in ("create", "update", "replace") if verb in family.operations]
    for verb in changes:
        if found := is_change_list(document, body_shape(document, family.operations[verb])):
            kept = [one for one in kept if one.source != found]
            if (found, "is a list of changes, not a field") not in out:
                out.append((found, "is a list of changes, not a field"))
    kept = _unique(document, family, kept)
    taken = _argument_of(family, key, key_target)
    if any(one.name == taken for one in kept):
        kept = [one for one in kept if one.name != taken]
        out.append((taken, "has the name of the row's own key argument"))
    assumptions = []
    if creates and not any(one.required for one in kept) and (minted or key_target):
        essential = _essential(kept)
        kept = [replace(one, required=True) if one in essential else one for one in kept]
        if essential:
            named = " and ".join(f"`{one.name}`" for one in essential)
            assumptions.append(f"Creating {a(words(family.one))} needs {named}: the document requires nothing.")
    kept, beyond = keep_most_telling(kept)
    out += beyond
    ordered = [key_field, *([parent_field] if parent_field else []), *_ordered(kept)]
    resource = Resource(
        table=family.table,
        one=family.one,
        description=sentence(str(shape.get("description") or "")) or f"{words(family.table).capitalize()}.",
        fields=tuple(ordered),
        key=key,
        minted=minted,
        parent=parent.table if parent else None,
        scoped=scoped,
        left_out=tuple(out),
        assumptions=tuple(assumptions),
    )
    return _with_tools(document, family, resource, left_out), left_out


def _key(family: Family, fields: list[Field]) -> tuple[str, bool]:
    """The column that the item's path parameter names, and whether the server makes its values."""
    by_name = {one.name: one for one in fields if one.kind in ("text", "integer")}
    parameter = snake(family.parameter)
    stems = {family.one, snake(family.schema) if family.schema else family.one, family.one.rpartition("_")[2]}
    stripped = [parameter.removeprefix(f"{stem}_") for stem in sorted(stems)]
    named = [one for one in stripped if one != parameter and one != "id"]
    for candidate in [parameter, *stripped, "id", f"{family.one}_id", parameter.rpartition("_")[2], "name", "key"]:
        if candidate == "id" and candidate not in by_name and named:
            return named[0], False
        if candidate in by_name:
            one = by_name[candidate]
            natural = not (candidate == "id" or candidate.endswith("_id") or candidate == "uuid")
            return candidate, (one.server or not natural) and not (one.required and not one.server)
        if candidate in ("id", parameter) and f"{candidate}_" in by_name:
            return f"{candidate}_", True
    return "id", True


def _argument_of(family: Family, key: str, key_target: str | None) -> str:
    """How tools will call the key; no other argument may have that name."""
    field = Field(key, key, "text", role="key", references=key_target)
    return Resource(family.table, family.one, "", (field,), key, minted=True).key_argument


def _key_target(family: Family, families: list[Family]) -> str | None:
    """The table whose rows share their key with this one: its item parameter is another's."""
    for other in families:
        if other is not family and other.parameter == family.parameter and snake(family.parameter) != "id":
            stem = snake(family.parameter).removesuffix("_id")
            if stem == other.one and stem != family.one and other.parent is None:
                return other.table
    return None


def _essential(fields: list[Field]) -> list[Field]:
    """What a row cannot do without where the document requires nothing: its label, or its enums."""
    open_ = [one for one in fields if one.role == "plain" and not one.server and not one.references]
    labels = [one for one in open_ if one.label and one.kind == "text"][:1]
    return (
        labels
        or [one for one in open_ if one.enum][:2]
        or [one for one in open_ if one.kind == "text" and not one.long][:1]
    )


def _unique(document: Document, family: Family, fields: list[Field]) -> list[Field]:
    """Mark what a documented conflict names: "A key with this name already exists"."""
    operation = family.operations.get("create")
    text = document.conflict(operation).lower() if operation else ""
    if "exist" not in text:
        return fields
    named = [
        one
        for one in fields
        if re.search(rf"\b(?:this|same|that|given|the) {re.escape(words(one.name).lower())}\b", text)
    ]
    return [replace(one, unique=one in named and one.kind == "text") for one in fields]


def _ordered(fields: list[Field]) -> list[Field]:
    """As a careful person lists columns: what is required, names, relations, values, lists, timestamps."""

    def place(one: Field) -> int:
        if one.role in ("created", "updated"):
            return 9 if one.role == "created" else 10
        if one.label:
            return 0
        if one.required:
            return 1
        if one.references:
            return 2
        if one.enum:
            return 3
        return {"json": 7}.get(one.kind, 6 if one.long else 5)

    return sorted(fields, key=place)


def _with_tools(document: Document, family: Family, resource: Resource, left_out: list[LeftOut]) -> Resource:
    settable = tuple(one for one in resource.fields if not one.server and one.role != "parent")
    tools: list[ToolPlan] = []
    listing = Listing()
    for verb in ("list", "get", "create", "update", "replace", "delete"):
        operation = family.operations.get(verb)
        if operation is None:
            continue
        noun = resource.table if verb == "list" else resource.one
        arguments: tuple[Field, ...] = ()
        if verb == "list":
            listing = read_listing(document, operation, {one.name: one for one in resource.fields}, resource.one)
        elif verb == "create":
            arguments = settable
            if not arguments:
                left_out.append(LeftOut(operation.name, "no field of the row could be given to it"))
                continue
        elif verb in ("update", "replace"):
            body = body_shape(document, operation)
            if found := is_change_list(document, body) if verb == "update" else None:
                left_out.append(
                    LeftOut(
                        operation.name,
                        f"its body lists changes (`{found}`), whose effects the document does not define",
                    )
                )
                continue
            sendable = {one.name for one in read_fields(document, body).fields}
            arguments = tuple(
                one
                for one in settable
                if one.role != "key" and not one.fixed and (not sendable or one.name in sendable)
            )
            if match := _ONLY_FIELDS.search(operation.text):
                named = {identifier(part) for part in re.split(r",\s*(?:and\s+)?|\s+and\s+", match.group(1))}
                arguments = tuple(one for one in arguments if one.name in named) or arguments
            if not arguments:
                left_out.append(LeftOut(operation.name, "no field of the row could be changed by it"))
                continue
        tools.append(ToolPlan(verb, _tool_name(verb, noun), operation.name, sentence(operation.text), arguments))
    for word, operation in family.actions.items():
        transition = read_transition(word, resource.fields)
        if transition is None:
            left_out.append(LeftOut(operation.name, "the document does not say what this action changes"))
            continue
        name = _tool_name(snake(word), resource.one)
        if name not in {tool.name for tool in tools}:
            tools.append(ToolPlan("action", name, operation.name, sentence(operation.text), transition=transition))
    return resource.with_(listing=listing, tools=tuple(tools))


def _tool_name(verb: str, noun: str) -> str:
    """`list_companies`; a noun that is too long loses its first words."""
    name = f"{verb}_{noun}"
    while len(name) > MAX_TOOL_NAME and "_" in noun:
        noun = noun.partition("_")[2]
        name = f"{verb}_{noun}"
    return name[:40].rstrip("_")


def _summary(description: str) -> str:
    text = re.sub(r"^\W*(?:#.*\n|welcome[^.\n]*[.\n])\s*", "", description, flags=re.I)
    return sentence(re.split(r"\n\s*\n|\n#|\s##\s", text)[0])
