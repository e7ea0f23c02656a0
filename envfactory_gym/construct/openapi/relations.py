"""Which columns hold the key of another table: told by nesting of paths and by names such as `customer_id`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from ..model import Field
from ..naming import singular

_PEOPLE = (
    "owner",
    "assignee",
    "manager",
    "creator",
    "author",
    "user",
    "agent",
    "employee",
    "member",
    "requester",
    "approver",
)
_PEOPLE_TABLES = ("users", "employees", "people", "members", "persons")


def target_of(field: Field, one: str, tables: Mapping[str, str]) -> str | None:
    """The table whose key a field holds, told by its name.

    Args:
        field: A plain text or integer field.
        one: Name of one row of the field's own table.
        tables: Name of one row → table, for every table of the document.
    """
    name = field.name.rstrip("_")
    if field.kind not in ("text", "integer") or field.enum:
        return None
    if name in tables and name != one and _SAYS_KEY.search(field.description):
        return tables[name]  # `customer`: "The ID of the customer this invoice is for."
    if not name.endswith("_id"):
        return _other_spelling(name, one, tables)
    stem = name.removesuffix("_id")
    if stem == "parent":
        return tables.get(one)
    parts = stem.split("_")
    for start in range(len(parts)):
        candidate = "_".join(parts[start:])
        if candidate in tables or singular(candidate) in tables:
            found = candidate if candidate in tables else singular(candidate)
            # Another row of the same table has a part in this one; `client_assigned_message_id` is a name of its own.
            if found == one and start and not _KINSHIP & set(parts[:start]):
                return None
            return tables[found]
    if parts[-1] in _PEOPLE:
        return next((table for table in _PEOPLE_TABLES if table in tables.values()), None)
    return None


_KINSHIP = frozenset(
    {
        "parent", "previous", "next", "original", "recurring", "root", "related", "reply", "replied", "quoted",
        "forked", "source", "target", "duplicate", "merged", "linked", "superseded", "replaces", "replaced", "transfer",
        "matched", "first", "last", "main", "primary", "master", "base", "template", "owner", "manager", "reports",
        "from", "to", "sub", "child", "preceding", "following", "depends", "blocking", "blocked",
    }
)  # fmt: skip
"""Words that make another row of the same table out of a name."""
_SAYS_KEY = re.compile(r"\b(?:IDs?|identifiers?)\b", re.I)
_KEY_WORDS = ("_arn", "_identifier", "_uuid", "_guid", "_uid", "_sid")


def _other_spelling(name: str, one: str, tables: Mapping[str, str]) -> str | None:
    """`service_network_identifier` holds a key where service networks have a table, however that is spelled."""
    stem = next((name.removesuffix(word) for word in _KEY_WORDS if name.endswith(word)), None)
    if stem is None or stem == one:
        return None
    joined = stem.replace("_", "")
    return next((table for other, table in tables.items() if other.replace("_", "") == joined and other != one), None)


def is_reference_name(field: Field) -> bool:
    """Whether a field's name says that it holds a key, or a list of keys, of something."""
    return re.search(r"(^|_)ids?$", field.name) is not None and (field.kind in ("text", "integer", "json"))


def copies_a_column(field: Field, fields: Mapping[str, Field], labels: Mapping[str, str]) -> str | None:
    """`table.column` that a field such as `company_name` would repeat, where `company_id` is there too.

    Args:
        field: The field that may be a copy.
        fields: All fields of its table, by name.
        labels: Table → its label column.
    """
    if field.kind != "text" or field.enum:
        return None
    for other in fields.values():
        if other.references is None or other.name == field.name:
            continue
        stem = other.name.removesuffix("_id")
        label = labels.get(other.references)
        if label and field.name == f"{stem}_{label}":
            return f"{other.references}.{label}"
    return None


def refer(field: Field, table: str) -> Field:
    """The same field as a reference to a table."""
    return replace(field, references=table, enum=(), long=False)
