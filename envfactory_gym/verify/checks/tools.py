"""Check `tools`: names and schemas that every client takes, documented arguments, references that exist."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...environment import Package, Tool
from .. import places
from ..finding import Finding, finding

MAX_TOOLS = 128
"""Tools that hosts show at once."""


def check(package: Package) -> Finding:
    """Hold every tool to the portable subset of JSON schema and to its own declarations."""
    evidence: list[str] = []
    tools = package.tools
    if len([tool for tool in tools.values() if tool.actor == "agent"]) > MAX_TOOLS:
        evidence.append(f"{len(tools)} tools; hosts show at most {MAX_TOOLS}")
    for tool in tools.values():
        evidence += [f"{places.of_tool(tool)}: {problem}" for problem in _problems(package, tool)]
    return finding(
        "tools", evidence, figures={"tools": len(tools)}, remedy="docs/packages.md says what a tool declares"
    )


def _problems(package: Package, tool: Tool) -> Iterator[str]:
    for parameter in tool.parameters:
        if not parameter.description:
            yield f"the argument {parameter.name!r} is not described under Args"
        if parameter.ref and not _exists(package, parameter.ref):
            yield f"the argument {parameter.name!r} refers to {parameter.ref!r}, which is no column"
    for path, ref in tool.outputs.items():
        if not _exists(package, ref):
            yield f"the result's {path} refers to {ref!r}, which is no column"
    for table in tool.writes:
        if table not in package.schema.tables:
            yield f"writes={table!r} is no table"
    for where, schema in (("arguments", tool.input_schema), ("result", tool.output_schema)):
        for path, problem in portability(schema, where):
            yield f"{path}: {problem}"
    if tool.output_schema.get("type") != "object":
        yield "the result must be an object: return a TypedDict, with lists under a name"


def _exists(package: Package, ref: str) -> bool:
    if ref.startswith("universe."):
        return True
    try:
        package.schema.column(ref)
    except KeyError:
        return False
    return True


def portability(schema: Any, path: str) -> Iterator[tuple[str, str]]:
    """Places in a schema that some client or provider refuses."""
    if isinstance(schema, bool) or schema == {}:
        yield path, "a bare schema says nothing; give a type"
    if not isinstance(schema, Mapping):
        return
    for word in ("$ref", "$defs", "allOf", "not", "if", "patternProperties"):
        if word in schema:
            yield path, f"{word} is not portable"
    if isinstance(schema.get("type"), list):
        yield path, "a list of types is not portable; use anyOf"
    for name, child in schema.get("properties", {}).items():
        yield from portability(child, f"{path}.{name}")
    for word in ("anyOf", "oneOf"):
        for number, child in enumerate(schema.get(word, ())):
            yield from portability(child, f"{path}.{word}[{number}]")
    if "items" in schema:
        yield from portability(schema["items"], f"{path}[]")
