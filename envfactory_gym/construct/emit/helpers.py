"""Functions that an emitted server shares between its tools; only those it calls are written."""

from __future__ import annotations

import re

from ..model import Model

HELPERS = {
    "flag": '''
def flag(value: int | None) -> bool | None:
    """A stored 0 or 1 as a truth value."""
    return None if value is None else bool(value)''',
    "parsed": '''
def parsed(value: str | None) -> Any:
    """A stored JSON text as what it says."""
    return None if value is None else json.loads(value)''',
    "packed": '''
def packed(value: Any) -> str | None:
    """A list or object as JSON text, written the same way every time."""
    return None if value is None else json.dumps(value, sort_keys=True)''',
    "refuse_backwards": '''
def refuse_backwards(start: str | None, end: str | None, field: str, rule: str) -> None:
    """Refuse an end before its start; either may be missing."""
    if start is not None and end is not None and end < start:
        message = f"The end, {end}, lies before the start, {start}."
        raise ToolError("invalid", message, field=field, reason=rule)''',
    "refuse_while_used": '''
def refuse_while_used(world: World, key: str | int, field: str, rule: str, queries: dict[str, str]) -> None:
    """Refuse a deletion while other rows refer to the row; each query counts those of one table."""
    for table, query in queries.items():
        count = world.value(query, key=key)
        if count:
            message = f"{key} cannot be deleted: it is still referred to ({count} of {table})."
            raise ToolError("conflict", message, field=field, reason=rule)''',
}


ALWAYS_THERE = {
    "flag": '''
def flag(value: int) -> bool:
    """A stored 0 or 1 as a truth value."""
    return bool(value)''',
    "parsed": '''
def parsed(value: str) -> Any:
    """A stored JSON text as what it says."""
    return json.loads(value)''',
    "packed": '''
def packed(value: Any) -> str:
    """A list or object as JSON text, written the same way every time."""
    return json.dumps(value, sort_keys=True)''',
}
"""The same helpers where no value can be missing: a branch that nothing reaches is none."""


def helpers_for(code: str, model: Model) -> list[str]:
    """The helpers that a piece of code calls, in their fixed order.

    Args:
        code: The emitted tools.
        model: Tells whether values that a helper takes can be missing.
    """
    missing = _missing(model)
    return [
        (source if name in missing else ALWAYS_THERE.get(name, source)).strip()
        for name, source in HELPERS.items()
        if re.search(rf"\b{name}\(", code)
    ]


def _missing(model: Model) -> set[str]:
    """Helpers of values that can be missing: columns that may be null, arguments that need not be given."""
    found = set()
    for resource in model.resources:
        for field in resource.shown:
            if not field.required and field.kind in ("boolean", "json"):
                found.add("flag" if field.kind == "boolean" else "parsed")
        for tool in resource.tools:
            if any(one.kind == "json" and (tool.verb == "update" or not one.required) for one in tool.arguments):
                found.add("packed")
    return found
