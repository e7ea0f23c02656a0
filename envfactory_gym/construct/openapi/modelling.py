"""From families to the resource model: tables, relations, tools, and everything that is left out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ..model import LeftOut, Model, Resource
from ..naming import one_line, sentence
from ..portions import MAX_TOOLS, fit, without_idle
from ..problem import BuildError
from .document import Document
from .families import Family, find_families, resource_shape, tenant_parameters
from .resources import make_resource
from .selection import select
from .settling import in_order, uniquely_named, without_circles, without_copies, without_deep, without_unused

_SERVICE_WORK = re.compile(r"(?:^|[a-z0-9])(?:Operation|LongrunningOperation)$")


def build_model(document: Document, name: str, only: Sequence[str] = ()) -> Model:
    """What a document says, as a resource model of at most `MAX_TOOLS` tools.

    Args:
        document: The document.
        name: Name of the environment.
        only: Tags, paths or operations to which the model is limited.

    Raises:
        BuildError: No path of the document is a resource that keeps state, or nothing matches `only`.
    """
    return fit(whole_model(document, name, only), MAX_TOOLS)


def whole_model(document: Document, name: str, only: Sequence[str] = ()) -> Model:
    """Everything a document says, as a resource model of any size; arguments and errors as `build_model`."""
    families, left_out = find_families(document)
    every = list(document.operations())
    assumptions: list[str] = []
    total = len(every)
    if only:
        families, left_out, total = select(every, families, left_out, only, document.file)
        assumptions.append(f"Only a part was asked for: {total} of the document's {len(every)} operations.")
    families, dropped = _usable(document, families)
    left_out += dropped
    tables = {family.one: family.table for family in families}
    resources = []
    for family in families:
        resource, missing = make_resource(document, family, families, tables)
        left_out += missing
        if family.kind == "single" and len(resource.fields) == 1:
            left_out += [LeftOut(tool.operation, "none of its fields can be a column") for tool in resource.tools]
        else:
            resources.append(resource)
    resources, unreachable = without_deep(resources)
    left_out += unreachable
    resources, idle = without_idle(without_circles(without_copies(uniquely_named(resources))))
    resources, unused = without_unused(resources)
    left_out += idle + unused
    if not any(tool.verb not in ("list", "get") for resource in resources for tool in resource.tools):
        raise BuildError(
            "no resource of this document can be changed, so an environment of it would have no state",
            file=document.file,
            remedy="choose a document with POST, PUT, PATCH or DELETE on resources",
        )
    kept = {resource.table for resource in resources}
    for parameter in tenant_parameters([family for family in families if family.table in kept]):
        assumptions.append(f"`{parameter}` is one and the same everywhere: the document has no resource for it.")
    info = document.info
    title = one_line(str(info.get("title") or name))
    return Model(
        name=name,
        title=title,
        summary=_summary(str(info.get("description") or "")) or f"{title}, as its API document describes it.",
        domain=_domain(info.get("x-apisguru-categories")),
        sources=(_source(info, title),),
        resources=tuple(in_order(resources)),
        left_out=tuple(sorted(_once(left_out, resources), key=lambda one: one.operation.partition(" ")[::-1])),
        operations=total,
        assumptions=tuple(assumptions),
        kind=document.kind,
    )


def _usable(document: Document, families: list[Family]) -> tuple[list[Family], list[LeftOut]]:
    """Families that can be tables, parents before children."""
    kept: list[Family] = []
    left_out: list[LeftOut] = []
    nesting = {id(family.parent) for family in families}
    for family in families:
        reason = None
        if family.parent is not None and family.parent not in kept:
            reason = "the resource it is nested under is left out"
        elif not resource_shape(document, family).get("properties"):
            reason = "the document does not describe what it returns or takes"
        elif _SERVICE_WORK.search(family.schema) and family.one.endswith("operation") and not _writes(family):
            reason = "tracks work that only the service starts"
        elif family.kind == "collection" and not (
            family.operations.keys() & {"list", "create"} or family.puts or id(family) in nesting
        ):
            reason = "rows can neither be listed nor created, so nobody could know their keys"
        if reason is None:
            kept.append(family)
        else:
            left_out += [LeftOut(one.name, reason) for one in family.every()]
    return kept, left_out


def _writes(family: Family) -> bool:
    return bool(family.operations.keys() & {"create", "update", "replace"})


def _once(left_out: list[LeftOut], resources: list[Resource]) -> list[LeftOut]:
    """Each operation that became no tool, with its first reason."""
    told = {tool.operation for one in resources for tool in one.tools}
    return list({one.operation: one for one in reversed(left_out) if one.operation not in told}.values())


def _domain(categories: Any) -> str:
    known = [one for one in categories if isinstance(one, str)] if isinstance(categories, list) else []
    return known[0].replace("_", " ") if known else "general"


def _source(info: Any, title: str) -> dict[str, str]:
    licence = info.get("license") if isinstance(info.get("license"), dict) else {}
    source = {"title": title, "licence": str((licence or {}).get("name") or "not stated")}
    origins = info.get("x-origin") if isinstance(info.get("x-origin"), list) else []
    found = [one.get("url") for one in origins if isinstance(one, dict) and one.get("url")]
    if found:
        source["url"] = str(found[0])
    return source


def _summary(description: str) -> str:
    text = re.sub(r"^\W*(?:#.*\n|welcome[^.\n]*[.\n])\s*", "", description, flags=re.I)
    return sentence(re.split(r"\n\s*\n|\n#|\s##\s", text)[0])
