"""`--only`: the part of a document that was asked for, and the rows without which it makes no sense."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..model import LeftOut
from ..problem import BuildError
from .document import Operation
from .families import Family

_NEEDED = ("list", "get", "create")
"""What stays of a resource that was not asked for but that others are nested under."""


def matches(operation: Operation, wanted: str) -> bool:
    """Whether a tag, a path (its beginning), an operation's id, or `GET /path` means this operation."""
    wanted = wanted.strip()
    tags = operation.raw.get("tags")
    named = {str(tag).casefold() for tag in tags} if isinstance(tags, list) else set()
    named |= {str(operation.raw.get("operationId") or "").casefold(), operation.name.casefold()}
    if wanted.startswith("/"):
        path = wanted.rstrip("/*")
        return operation.path == path or operation.path.startswith(f"{path}/")
    return wanted.casefold() in named


def select(
    operations: Sequence[Operation],
    families: list[Family],
    left_out: list[LeftOut],
    only: Sequence[str],
    file: str,
) -> tuple[list[Family], list[LeftOut], int]:
    """The families of what was asked for, with those they are nested under.

    Args:
        operations: Every operation of the document.
        families: Every family, parents before children.
        left_out: Operations of no family.
        only: Tags, paths and operations; an operation is meant if any of them means it.
        file: Name used in error messages.

    Returns:
        Families with the operations that are meant, what of the part belongs to no family, and
        how many operations the part has.

    Raises:
        BuildError: One of them means nothing.
    """
    for wanted in only:
        if not any(matches(one, wanted) for one in operations):
            tags = sorted({str(tag) for one in operations for tag in one.raw.get("tags") or ()})
            known = f"tags: {', '.join(tags[:20])}" if tags else f"paths such as {operations[0].path}"
            raise BuildError(f"no operation has the tag, path or id {wanted!r}", file=file, remedy=f"it has {known}")
    meant = {one.name for one in operations if any(matches(one, wanted) for wanted in only)}
    asked = {id(one) for one in families if any(each.name in meant for each in one.every())}
    nesting: set[int] = set()
    for family in families:
        above = family.parent if id(family) in asked else None
        while above is not None:
            nesting.add(id(above))
            above = above.parent
    chosen: dict[int, Family] = {}
    for family in families:
        needed = _NEEDED if id(family) in nesting and id(family) not in asked else ()
        if id(family) in asked | nesting:
            kept = {verb: one for verb, one in family.operations.items() if one.name in meant or verb in needed}
            actions = {word: one for word, one in family.actions.items() if one.name in meant}
            parent = chosen[id(family.parent)] if family.parent is not None else None
            chosen[id(family)] = replace(family, operations=kept, actions=actions, parent=parent)
    part = meant | {one.name for family in chosen.values() for one in family.every()}
    return list(chosen.values()), [one for one in left_out if one.operation in meant], len(part)
