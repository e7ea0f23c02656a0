"""One family as one table: its columns, who sets them, and which of the document's fields are none."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..model import Field, LeftOut, Resource
from ..naming import a, identifier, words
from .document import Document, Shape
from .families import Family, body_shape, resource_shape
from .fields import is_change_list, keep_most_telling, read_fields
from .keys import choose_key, key_argument, lent_by
from .plans import plan_tools
from .relations import is_reference_name, refer, target_of
from .scalars import said
from .settling import same_key
from .transitions import moved_columns

LeftField = tuple[str, str]
"""A property of the document, and why it is no column."""


def make_resource(
    document: Document, family: Family, families: Sequence[Family], tables: Mapping[str, str]
) -> tuple[Resource, list[LeftOut]]:
    """The table of a family, its tools, and its operations that become none.

    Args:
        document: Resolves references.
        family: The family.
        families: All families of the document.
        tables: Name of one row → table, for every table of the document.
    """
    shape = resource_shape(document, family)
    rows = {one.schema: one for one in families if one.schema and one is not family}
    reading = read_fields(document, shape, {name: one.one for name, one in rows.items()})
    out = list(reading.left_out)
    creating = family.operations.get("create") or (family.operations["replace"] if family.puts else None)
    fields = list(reading.fields)
    if creating is not None:
        fields = _with_body(
            document, fields, body_shape(document, creating), {name: one.one for name, one in rows.items()}
        )

    target = lent_by(family, families)
    key, minted = choose_key(family, fields)
    if family.kind == "single" and family.parent is not None:
        key, minted = f"{family.parent.one}_id", False
    minted = minted and target is None
    key_field = _key_field(family, key, minted, target, fields)
    parent = family.parent if family.kind == "collection" else None
    nests = any(one.parent is family for one in families if one.kind == "collection")
    named = parent is not None and not minted and target is None
    assumptions = []
    if named and nests and parent is not None:
        assumptions.append(same_key(family.table, parent.table, key_field.name))
    fields = [one for one in fields if one.name != key]
    parent_field = None
    if parent is not None:
        column = f"{parent.one}_id"
        column = f"parent_{column}" if column == key else column
        fields = [one for one in fields if one.name != column]
        parent_field = Field(
            column, "(path)", "text", f"The {words(parent.one)} it belongs to.",
            required=True, role="parent", references=parent.table, fixed=True,
        )  # fmt: skip

    at_creation = {one.name for one in fields if not one.server}
    later = _changed_later(document, family)
    moved = moved_columns(family.actions, fields)
    kept: list[Field] = []
    for one in fields:
        if one.server and one.role == "plain" and one.name in later:
            one = replace(one, server=False, required=False)
        found = _judge(one, family, tables, target, known=creating is None or one.name in moved)
        if isinstance(found, str):
            out.append((one.source, found))
        else:
            kept.append(found)
    kept = _without_changes(document, family, kept, out)
    kept = _unique(document, family, kept)
    taken = {key_argument(family, key, target), key} | ({parent_field.name} if parent_field else set())
    out += [(one.name, "has the name of the row's own key argument") for one in kept if one.name in taken]
    kept = [one for one in kept if one.name not in taken]
    if creating is not None and not any(one.required for one in kept) and (minted or target):
        essential = _essential([one for one in kept if one.name in at_creation])
        kept = [replace(one, required=True) if one in essential else one for one in kept]
        if essential:
            listed = " and ".join(f"`{one.name}`" for one in essential)
            assumptions.append(f"Creating {a(words(family.one))} needs {listed}: the document requires nothing.")
    if family.puts:
        assumptions.append(
            f"{family.operations['replace'].name} creates {a(words(family.one))} that is not there and replaces one "
            "that is: there is a tool for each."
        )
    kept, beyond = keep_most_telling(kept)
    out += beyond
    resource = Resource(
        table=family.table,
        one=family.one,
        description=said(shape.get("description")) or f"{words(family.table).capitalize()}.",
        fields=(key_field, *([parent_field] if parent_field else []), *_ordered(kept)),
        key=key,
        minted=minted,
        parent=parent.table if parent else None,
        scoped=named and not nests,
        left_out=tuple(out),
        assumptions=tuple(assumptions),
    )
    return plan_tools(document, family, resource, at_creation | {key})


def _with_body(document: Document, fields: list[Field], body: Shape, rows: Mapping[str, str]) -> list[Field]:
    """The fields with what the creating body says: which it needs, and which only the server sets."""
    sendable = {one.name: one for one in read_fields(document, body, rows).fields}
    if not sendable:
        return fields
    demanded = {identifier(str(one)) for one in body.get("required") or ()}
    known = {one.name for one in fields}
    done = []
    for one in fields:
        if one.name not in sendable:
            done.append(replace(one, server=True, required=False))
            continue
        sent = sendable[one.name]
        needed = one.name in demanded or sent.required
        done.append(replace(one, required=needed, server=one.server or sent.server))
    return done + [one for name, one in sendable.items() if name not in known and name in demanded]


def _key_field(family: Family, key: str, minted: bool, target: str | None, fields: Sequence[Field]) -> Field:
    told = f"Identifier of the {words(family.one)}."
    if family.kind == "single" and family.parent is not None:
        told = f"The {words(family.parent.one)} it belongs to."
    found = next((one for one in fields if one.name == key), None) or Field(key, key, "text", told)
    return replace(
        found,
        role="key",
        server=minted,
        required=not minted,
        secret=False,
        nullable=False,
        enum=(),
        references=target,
        kind="integer" if found.kind == "integer" else "text",
        long=False,
        description=found.description or told,
    )


def _changed_later(document: Document, family: Family) -> set[str]:
    """Fields that creating does not take and an update does: `state`, once a run is there."""
    operations = [family.operations[verb] for verb in ("update", "replace") if verb in family.operations]
    return {
        one.name
        for operation in operations
        for one in read_fields(document, body_shape(document, operation)).fields
        if not one.server
    }


def _judge(one: Field, family: Family, tables: Mapping[str, str], lender: str | None, *, known: bool) -> Field | str:
    """The column that a field makes, or why it makes none; `known` where it is told what else sets it."""
    target = target_of(one, family.one, tables) if one.role == "plain" else None
    if one.kind == "json" and one.name in tables.values() and one.name != family.table:
        return "holds rows that have a table of their own"
    if one.secret and not one.required:
        return "is a secret that is only sent, never read"
    if one.name in ("deleted", "is_deleted"):
        return "is told by the row's absence"
    if one.name == family.one and one.kind == "text" and not one.required:
        return "holds the whole row in another format"
    if target == family.table and one.name == f"{family.one}_id":
        return "repeats the row's own key"
    if one.server and one.role == "plain" and not known:
        return "is set by the service in ways the document does not say"
    if target is not None:
        return refer(one, target)
    if one.role == "plain" and is_reference_name(one):
        return "refers to something that this environment does not hold"
    if lender is not None and one.server:
        return f"repeats what {lender} holds"
    return one


def _without_changes(document: Document, family: Family, kept: list[Field], out: list[LeftField]) -> list[Field]:
    for verb in ("create", "update", "replace"):
        operation = family.operations.get(verb)
        if operation and (found := is_change_list(document, body_shape(document, operation))):
            kept = [one for one in kept if one.source != found]
            if (found, "is a list of changes, not a field") not in out:
                out.append((found, "is a list of changes, not a field"))
    return kept


def _essential(fields: list[Field]) -> list[Field]:
    """What a row cannot do without where the document requires nothing: its label, what kind it is, or whose."""
    open_ = [one for one in fields if one.role == "plain" and not one.server]
    texts = [one for one in open_ if one.kind == "text" and not one.long and not one.references]
    choices = [
        [one for one in texts if one.label],
        [one for one in texts if one.name == "email"],
        [one for one in open_ if one.enum and one.name.rstrip("_").endswith(_TELLING)],
        [one for one in open_ if one.references],
        [one for one in texts if not one.enum],
        [one for one in open_ if one.enum],
    ]
    return next((found[:1] for found in choices if found), [])


_TELLING = ("type", "kind", "category", "role", "status", "state", "priority", "method")
"""Ends of the names of enums that say what a row is."""


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
