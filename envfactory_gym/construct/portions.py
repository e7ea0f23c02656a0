"""Models of a size that one agent can use: the most telling part of a large one, or all of it in several.

Works on resource models, whatever their source. A part holds the tables its rows belong to; what
points across parts is left out with its reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from .model import Field, LeftOut, Model, Resource
from .naming import words

MAX_TOOLS = 40
"""Most tools of one environment."""

BEYOND = f"beyond the {MAX_TOOLS} tools of one environment"
"""Why an operation is left out that would be a tool in a package of its own."""

_WIDEST = 20
"""Letters that the name of an environment may have."""

_SMALL = 12
"""Parts with fewer tools are put together where there is room."""


def fit(model: Model, limit: int = MAX_TOOLS) -> Model:
    """The model as it is, or its most telling part where it has more tools than `limit`.

    Tables that belong to no other come first, those that can be written in more ways before others, those with
    more relations before others; a table brings those it belongs to and those it has to refer to.
    """
    if sum(len(one.tools) for one in model.resources) <= limit:
        return model
    by_table = {one.table: one for one in model.resources}
    order = {one.table: number for number, one in enumerate(model.resources)}

    pointed = Counter(field.references for one in model.resources for field in one.fields if field.references)

    def rank(one: Resource) -> tuple[bool, int, int, int]:
        writes = {tool.verb for tool in one.tools} - {"list", "get"}
        relations = pointed[one.table] + sum(field.references is not None for field in one.fields)
        return one.parent is not None, -len(writes), -relations, order[one.table]

    chosen: dict[str, Resource] = {}
    budget = limit
    for resource in sorted(model.resources, key=rank):
        bundle = [one for one in _needed(resource, by_table) if one.table not in chosen]
        cost = sum(len(one.tools) for one in bundle)
        if cost <= budget:
            chosen |= {one.table: one for one in bundle}
            budget -= cost
    if not chosen:  # one resource alone is beyond the limit: its first tools
        resource = min(model.resources, key=rank)
        kept = resource.with_(tools=resource.tools[:limit])
        return _cut(replace(model, resources=(kept,)), {kept.table}, model.resources, BEYOND)
    return _cut(model, set(chosen), model.resources, BEYOND)


def split(model: Model, limit: int = MAX_TOOLS) -> list[Model]:
    """Parts that together hold every table, none with more tools than `limit` where its tables allow.

    Tables that belong together stay together; parts that refer to each other are joined first.
    An operation that is left out is accounted for in the part whose paths are nearest.
    """
    groups = _joined([one for root in _roots(model) for one in _divided(model, root, limit)], model, limit)
    if len(groups) == 1:
        return [model]
    homes = _homes(model, groups)
    parts = []
    taken: set[str] = set()
    for group, left_out in zip(groups, homes, strict=True):
        name = _part_name(model, group, taken)
        taken.add(name)
        whole = replace(model, name=name, left_out=tuple(left_out), title=_title(model, group))
        part = _cut(whole, set(group), (), "")
        tools = {tool.operation for one in part.resources for tool in one.tools}
        parts.append(replace(part, operations=len(tools) + len(part.left_out)))
    return [part for part in parts if _changes(part.resources)]


def _changes(resources: Iterable[Resource]) -> bool:
    return any(tool.verb not in ("list", "get") for one in resources for tool in one.tools)


def _needed(resource: Resource, by_table: Mapping[str, Resource]) -> list[Resource]:
    """A resource after all it belongs to or has to refer to."""
    found: dict[str, Resource] = {}
    waiting = [resource.table]
    while waiting:
        one = by_table[waiting.pop()]
        if one.table in found:
            continue
        found[one.table] = one
        waiting += [field.references for field in one.fields if field.references and field.required]
    return list(found.values())


def _cut(model: Model, kept: set[str], every: Sequence[Resource], reason: str) -> Model:
    """The model with some of its tables only; fields that refer to others are left out."""
    cut = [_without_references(one, kept) for one in model.resources if one.table in kept]
    resources, empty = without_idle(cut)
    told = {tool.operation for one in resources for tool in one.tools}
    gone = [LeftOut(tool.operation, reason) for one in every for tool in one.tools if reason]
    reasons = {one.operation: one for one in reversed([*model.left_out, *empty, *gone])}
    left_out = [one for operation, one in reasons.items() if operation not in told]
    return replace(
        model,
        resources=tuple(resources),
        left_out=tuple(sorted(left_out, key=lambda one: one.operation.partition(" ")[::-1])),
    )


def without_idle(resources: Iterable[Resource]) -> tuple[list[Resource], list[LeftOut]]:
    """Drop tools that write fields and have none left to write."""
    kept, left_out = [], []
    for resource in resources:
        idle = [tool for tool in resource.tools if tool.verb in ("update", "replace") and not tool.arguments]
        left_out += [LeftOut(tool.operation, "no field that is modelled could be changed by it") for tool in idle]
        kept.append(
            resource.with_(tools=tuple(tool for tool in resource.tools if tool not in idle)) if idle else resource
        )
    return kept, left_out


def _without_references(resource: Resource, kept: set[str]) -> Resource:
    gone = [one for one in resource.fields if one.references and one.references not in kept]
    if not gone:
        return resource
    lent = {one.name for one in gone if one.role == "key"}
    names = {one.name for one in gone} - lent

    def freed(one: Field) -> Field:
        return replace(one, references=None) if one.name in lent else one

    return resource.with_(
        rows=tuple({name: value for name, value in row.items() if name not in names} for row in resource.rows),
        fields=tuple(freed(one) for one in resource.fields if one.name not in names),
        listing=resource.listing.over({one.name for one in resource.fields} - names),
        tools=tuple(
            replace(tool, arguments=tuple(freed(one) for one in tool.arguments if one.name not in names))
            for tool in resource.tools
        ),
        left_out=(
            *resource.left_out,
            *((one.source, f"refers to {one.references}, which this environment does not hold") for one in gone),
        ),
    )


def _above(resource: Resource) -> str | None:
    """The table it belongs to, or lends its key from."""
    return resource.parent or resource.key_field.references


def _roots(model: Model) -> list[Resource]:
    return [one for one in model.resources if _above(one) is None]


def _below(model: Model, resource: Resource) -> list[Resource]:
    return [one for one in model.resources if _above(one) == resource.table]


def _family(model: Model, resource: Resource) -> list[str]:
    found = [resource.table]
    for child in _below(model, resource):
        found += _family(model, child)
    return found


def _size(model: Model, tables: Iterable[str]) -> int:
    return sum(len(model.resource(table).tools) for table in tables)


def _divided(model: Model, resource: Resource, limit: int) -> list[list[str]]:
    """A table with all that belongs to it; in several groups, each with the table itself, where it is too large."""
    whole = _family(model, resource)
    if _size(model, whole) <= limit or len(whole) == 1:
        return [whole]
    room = max(limit - len(resource.tools), 1)
    groups: list[list[str]] = []
    for child in _below(model, resource):
        for part in _divided(model, child, room):
            last = groups[-1] if groups else None
            if last is not None and _size(model, {*last, *part}) <= room:
                last += [table for table in part if table not in last]
            else:
                groups.append(list(part))
    return [[resource.table, *group] for group in groups]


def _joined(groups: list[list[str]], model: Model, limit: int) -> list[list[str]]:
    """Groups put together: first those that refer to each other most, then small neighbours."""
    homes: dict[str, int] = {}
    for number, group in enumerate(groups):
        for table in group:
            homes.setdefault(table, number)
    links: dict[tuple[int, int], int] = {}
    for number, group in enumerate(groups):
        for table in group:
            for field in model.resource(table).fields:
                other = homes.get(field.references or "")
                if other is not None and other != number and field.references not in group:
                    pair = (min(number, other), max(number, other))
                    links[pair] = links.get(pair, 0) + (2 if field.required else 1)
    place = list(range(len(groups)))
    merged: dict[int, list[str]] = dict(enumerate(groups))

    def join(first: int, second: int) -> bool:
        together = list(dict.fromkeys([*merged[first], *merged[second]]))
        if _size(model, together) > limit:
            return False
        merged[first] = together
        del merged[second]
        for number, home in enumerate(place):
            if home == second:
                place[number] = first
        return True

    for (first, second), _ in sorted(links.items(), key=lambda item: (-item[1], item[0])):
        if place[first] != place[second]:
            join(min(place[first], place[second]), max(place[first], place[second]))
    last: int | None = None
    for number in sorted(merged):
        small = _size(model, merged[number]) < _SMALL
        if last is not None and (small or _size(model, merged[last]) < _SMALL) and join(last, number):
            continue
        last = number
    return [sorted(merged[number], key=[one.table for one in model.resources].index) for number in sorted(merged)]


def _homes(model: Model, groups: Sequence[Sequence[str]]) -> list[list[LeftOut]]:
    """For each group, the operations that are left out and whose paths are nearest to its tools'."""
    nearest: dict[tuple[str, ...], int] = {}
    for number, group in enumerate(groups):
        for operation in sorted({tool.operation for table in group for tool in model.resource(table).tools}):
            path = _path(operation)
            for end in range(len(path) + 1):
                nearest.setdefault(path[:end], number)
    homes: list[list[LeftOut]] = [[] for _ in groups]
    for one in model.left_out:
        path = _path(one.operation)
        homes[next(nearest[path[:end]] for end in range(len(path), -1, -1) if path[:end] in nearest)].append(one)
    return homes


def _path(operation: str) -> tuple[str, ...]:
    return tuple(operation.partition(" ")[2].split("/"))


def _part_name(model: Model, group: Sequence[str], taken: set[str]) -> str:
    """`shop_orders`: the model's name and the part's first table, within the 20 letters a name may have."""
    parts = _main(model, group).table.split("_")
    while len(parts) > 1 and len(model.name) + 1 + len("_".join(parts)) > _WIDEST:
        parts = parts[1:]
    table = "_".join(parts)
    base = model.name[: max(4, _WIDEST - 1 - len(table))].rstrip("_")
    name = f"{base}_{table}"[:_WIDEST].rstrip("_")
    number = 2
    while name in taken:
        name = f"{name[:17].rstrip('_0123456789')}_{number}"
        number += 1
    return name


def _main(model: Model, group: Sequence[str]) -> Resource:
    """The table a part is named after: the one with most tools, among those that belong to no other."""
    tables = [model.resource(table) for table in group]
    return max(tables, key=lambda one: (_above(one) is None, len(one.tools)))


def _title(model: Model, group: Sequence[str]) -> str:
    names = [words(table) for table in group if _above(model.resource(table)) is None]
    told = ", ".join(names[:3]) + (" and more" if len(names) > 3 else "")
    return f"{model.title}: {told}"
