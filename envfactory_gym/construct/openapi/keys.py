"""What identifies a row: which column, who makes its values, and whether another table lends it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..model import Field, Resource
from ..naming import snake
from .document import Operation
from .families import Family

_RESOURCE_NAME = re.compile(r"(?:the |unique )*resource name\b", re.I)
"""How Google's documents describe a name that the service gives, such as `orders/7`."""
_MADE = re.compile(r"(^|_)(id|uuid|guid|arn|identifier)$")
"""Names of keys that nobody would choose."""


def choose_key(family: Family, fields: Sequence[Field]) -> tuple[str, bool]:
    """The column that the item's path parameter names, and whether the server makes its values.

    Args:
        family: Whose key it is; its creating operation may ask the client for it.
        fields: The columns its schema gives.
    """
    by_name = {one.name: one for one in fields if one.kind in ("text", "integer")}
    key, minted = _column(family, by_name)
    if family.puts or _asked_for(family, key):
        return key, False
    if "create" not in family.operations and (key in ("id", "uuid") or key.endswith("_id")):
        return key, True  # nobody but the service can have made it
    return key, minted


def _column(family: Family, by_name: dict[str, Field]) -> tuple[str, bool]:
    parameter = snake(family.parameter or "id")
    stems = {family.one, family.table, snake(family.schema) if family.schema else family.one}
    stems |= {family.one.rpartition("_")[2]}
    stripped = [parameter.removeprefix(f"{stem}_") for stem in sorted(stems)]
    named = [one for one in stripped if one not in (parameter, "id")]
    for candidate in [parameter, *stripped, "id", f"{family.one}_id", parameter.rpartition("_")[2], "name", "key"]:
        if candidate == "id" and candidate not in by_name and named:
            return named[0], _MADE.search(named[0]) is not None
        if candidate in by_name:
            one = by_name[candidate]
            natural = _MADE.search(candidate) is None and _RESOURCE_NAME.match(one.description) is None
            return candidate, (one.server or not natural) and not (one.required and not one.server)
        if candidate in ("id", parameter) and f"{candidate}_" in by_name:
            return f"{candidate}_", True
    return "id", True


def _asked_for(family: Family, key: str) -> bool:
    """Whether creating asks for the key beside the body, as `POST /instances?instanceId=...` does."""
    operation: Operation | None = family.operations.get("create")
    if operation is None:
        return False
    wanted = {snake(family.parameter), f"{family.one}_id", f"{family.one}_{key}"}
    return any(one.get("in") == "query" and snake(str(one.get("name"))) in wanted for one in operation.parameters)


def key_argument(family: Family, key: str, target: str | None) -> str:
    """How tools will call the key; no other argument may have that name."""
    field = Field(key, key, "text", role="key", references=target)
    return Resource(family.table, family.one, "", (field,), key, minted=True).key_argument


def lent_by(family: Family, families: Sequence[Family]) -> str | None:
    """The table whose rows share their key with this one: its parent's, or the one its item parameter names."""
    if family.kind == "single":
        return family.parent.table if family.parent else None
    for other in families:
        if other is not family and other.parameter == family.parameter and snake(family.parameter) not in ("", "id"):
            stem = snake(family.parameter).removesuffix("_id")
            own = family.one.endswith(stem)  # a balance transaction has a key of its own
            if stem == other.one and not own and other.parent is None and other.kind == "collection":
                return other.table
    return None
