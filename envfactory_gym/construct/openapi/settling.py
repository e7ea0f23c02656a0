"""Settling a document's resources together: what repeats, hangs too deep or serves nobody goes; the rest is ordered."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..model import Field, Kind, LeftOut, Resource
from ..naming import a, singular, words
from .relations import copies_a_column


def without_copies(resources: list[Resource]) -> list[Resource]:
    """Drop fields that repeat a column of a row they refer to, and settle kinds of references."""
    resources = _widened(resources)
    labels = {resource.table: resource.label.name for resource in resources if resource.label}
    keys = _key_kinds(resources)
    scoped = {resource.table for resource in resources if resource.scoped}
    done = []
    for resource in resources:
        by_name = {one.name: one for one in resource.fields}
        kept, out = [], list(resource.left_out)
        for one in resource.fields:
            if original := copies_a_column(one, by_name, labels):
                out.append((one.source, f"repeats {original}"))
            elif one.role == "plain" and one.references in _ancestors(resource, resources):
                out.append((one.source, f"is told by its {words(singular(resource.parent or ''))}"))
            elif one.references in scoped and one.role == "plain":  # a link between two rows is not pointed at
                out.append((one.source, f"would need two columns to refer to {one.references}"))
            elif one.references is not None:
                kept.append(replace(one, kind=keys[one.references]))
            else:
                kept.append(one)
        names = {one.name for one in kept}
        tools = tuple(
            replace(
                tool,
                arguments=tuple(next(k for k in kept if k.name == a.name) for a in tool.arguments if a.name in names),
            )
            for tool in resource.tools
        )
        listing = resource.listing.over(names)
        done.append(resource.with_(fields=tuple(kept), left_out=tuple(out), listing=listing, tools=tools))
    return done


def _key_kinds(resources: list[Resource]) -> dict[str, Kind]:
    """Table → kind of its key; a key that is borrowed has the kind of the first one in the row."""
    keys = {resource.table: resource.key_field for resource in resources}

    def owned(key: Field, passed: int = 0) -> Field:
        above = keys.get(key.references or "")
        return key if above is None or passed > len(keys) else owned(above, passed + 1)

    return {table: owned(key).kind for table, key in keys.items()}


def _widened(resources: list[Resource]) -> list[Resource]:
    """Where others point at keys that are unique in their parent only, the keys are unique everywhere."""
    pointed = {
        one.references for resource in resources for one in resource.fields if one.references and one.role == "plain"
    }
    return [
        one.with_(scoped=False, assumptions=(*one.assumptions, same_key(one.table, one.parent, one.key)))
        if one.scoped and one.table in pointed and one.key_field.references is None
        else one
        for one in resources
    ]


def same_key(table: str, parent: str | None, key: str) -> str:
    """The assumption that a key is unique beyond its parent."""
    return f"No two {words(table)} of any {words(singular(parent or ''))} have the same {words(key)}."


def without_deep(resources: list[Resource]) -> tuple[list[Resource], list[LeftOut]]:
    """Drop what is nested under rows that need two columns to be named."""
    scoped = {one.table for one in resources if one.scoped}
    gone: set[str] = set()
    kept, left_out = [], []
    for resource in resources:  # parents come before their children
        if resource.parent in scoped | gone:
            gone.add(resource.table)
            left_out += [
                LeftOut(tool.operation, "its parent is named by more than one column") for tool in resource.tools
            ]
        else:
            kept.append(resource)
    return kept, left_out


def _ancestors(resource: Resource, resources: list[Resource]) -> set[str]:
    """Tables above a resource's parent."""
    parents = {one.table: one.parent for one in resources}
    found: set[str] = set()
    current = parents.get(resource.parent or "")
    while current is not None:
        found.add(current)
        current = parents.get(current)
    return found


def without_unused(resources: list[Resource]) -> tuple[list[Resource], list[LeftOut]]:
    """Drop what can only be read and nothing else refers to: its rows would be invented for nobody."""
    needed = {one.references for resource in resources for one in resource.fields if one.references}
    kept, left_out = [], []
    for resource in resources:
        reads_only = all(tool.verb in ("list", "get") for tool in resource.tools)
        if reads_only and resource.table not in needed:
            left_out += [
                LeftOut(tool.operation, "only reads rows that no other operation makes or uses")
                for tool in resource.tools
            ]
        else:
            kept.append(resource)
    return kept, left_out


def uniquely_named(resources: list[Resource]) -> list[Resource]:
    """Number tools that would share a name once their nouns were shortened."""
    taken: set[str] = set()
    done = []
    for resource in resources:
        tools = []
        for tool in resource.tools:
            name, number = tool.name, 2
            while name in taken:
                name, number = f"{tool.name}_{number}", number + 1
            taken.add(name)
            tools.append(replace(tool, name=name))
        done.append(resource.with_(tools=tuple(tools)))
    return done


def without_circles(resources: list[Resource]) -> list[Resource]:
    """Make optional what closes a circle of required references: some row has to be the first."""
    needs: dict[str, set[str]] = {
        one.table: {field.references for field in one.fields if field.references and field.role in ("parent", "key")}
        for one in resources
    }

    def reaches(start: str, goal: str) -> bool:
        seen: set[str] = set()
        waiting = [start]
        while waiting:
            table = waiting.pop()
            if table == goal:
                return True
            if table not in seen:
                seen.add(table)
                waiting += needs.get(table, ())
        return False

    done = []
    for resource in resources:
        freed: dict[str, Field] = {}
        for one in resource.fields:
            if one.references is None or not one.required or one.role != "plain":
                continue
            if reaches(one.references, resource.table):
                freed[one.name] = replace(one, required=False)
            else:
                needs[resource.table].add(one.references)
        if freed:
            tools = tuple(
                replace(tool, arguments=tuple(freed.get(one.name, one) for one in tool.arguments))
                for tool in resource.tools
            )
            fields = tuple(freed.get(one.name, one) for one in resource.fields)
            listed = " and ".join(f"`{name}`" for name in freed)
            one_row = a(words(resource.one)).capitalize()
            told = f"{one_row} may be without {listed}, though it is required: some row has to be the first."
            resource = resource.with_(fields=fields, tools=tools, assumptions=(*resource.assumptions, told))
        done.append(resource)
    return done


def in_order(resources: Iterable[Resource]) -> list[Resource]:
    """Tables after those they refer to, otherwise as the document has them; what they must refer to counts most.

    Rows can then be made from the first table on and deleted from the last.
    """
    waiting = {one.table: one for one in resources}
    pointed = {one.table: {field.references for field in one.fields} & waiting.keys() for one in waiting.values()}
    needed = {
        one.table: {field.references for field in one.fields if field.required} & waiting.keys()
        for one in waiting.values()
    }
    done: list[Resource] = []
    placed: set[str | None] = set()
    while waiting:
        free = next((table for table in waiting if pointed[table] <= placed | {table}), None)
        table = free or next((table for table in waiting if needed[table] <= placed | {table}), next(iter(waiting)))
        placed.add(table)
        done.append(waiting.pop(table))
    return done
