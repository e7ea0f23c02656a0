"""`environment.yaml`, `policy.md` and `language.yaml` of a model."""

from __future__ import annotations

import re
import textwrap
from typing import Any

import yaml

from ..domains import domain_of
from ..model import Model, Resource
from ..naming import a, snake, words
from ..rules import listed, rules_of
from .render import render


class _Plain(yaml.SafeDumper):
    """Writes everything out: no anchors where a value stands twice."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def to_yaml(value: Any) -> str:
    """YAML in the order given, with readable text."""
    return yaml.dump(value, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=110)


def emit_manifest(model: Model) -> str:
    """The package's `environment.yaml`."""
    return to_yaml(
        {
            "name": model.name,
            "title": model.title,
            "domain": domain_of(model),
            "version": "0.1.0",
            "summary": _summary(model),
            "users": f"People who work with {model.title} and let an assistant look things up and change them.",
            "clock": model.clock,
            "sources": [dict(one) for one in model.sources],
        }
    )


_EMPTY = re.compile(r"API endpoints|as its API document describes|describes the .*specification|Developers? API", re.I)
"""Summaries that say nothing."""


def _summary(model: Model) -> str:
    """What the source says of itself, or what there is where that says nothing."""
    if not _EMPTY.search(model.summary) and not model.summary.endswith("..."):
        return model.summary
    tables = [words(one.table) for one in model.resources]
    return f"{model.title}: {listed(tables[:8])}{' and more' if len(tables) > 8 else ''}."


def emit_policy(model: Model) -> str:
    """The rules an agent needs to know; each follows from the model, and all but the confirmation the tools enforce."""
    tables = listed(words(one.table) for one in model.resources)
    opening = (
        f"You work with {model.title} on behalf of its users: {tables}. Look up identifiers with the tools: people "
        "describe things by name and rarely know them. Change what was asked for and nothing else. Where a rule below "
        "forbids a request, decline it and name the rule."
    )
    rules = [f"- [{rule.id}] {rule.text}" for rule in rules_of(model)]
    return render(
        "policy.md.j2",
        model=model,
        opening=textwrap.fill(opening, 120, break_long_words=False, break_on_hyphens=False),
        rules=[
            textwrap.fill(rule, 120, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
            for rule in rules
        ],
    )


def phrase_table(resource: Resource, field: str) -> str:
    """Name of the phrase table of an enum column."""
    return f"{resource.table}_{field.rstrip('_')}"


def fields_table(resource: Resource) -> str:
    """Name of the phrase table of the fields that can be cleared."""
    return f"{resource.table}_cleared"


def spoken(value: object) -> str:
    """How people say an enum's value: `freeBusyReader` → `free busy reader`."""
    text = str(value)
    return text if text.isupper() and len(text) <= 4 else snake(text).replace("_", " ")


def emit_language(model: Model) -> str:
    """How people ask for each tool, say each enum's value, and refer to a row."""
    phrases: dict[str, dict[str, list[str]]] = {}
    tools: dict[str, list[str]] = {}
    rows: dict[str, list[str]] = {}
    for resource in model.resources:
        thing = words(resource.one)
        for field in resource.fields:
            if field.enum and field.kind == "text":
                phrases[phrase_table(resource, field.name)] = {str(value): [spoken(value)] for value in field.enum}
        if (update := resource.tool("update")) and update.clearable:
            phrases[fields_table(resource)] = {field.name: [words(field.name)] for field in update.clearable}
        for tool in resource.tools:
            tools[tool.name] = {
                "list": [f"list the {words(resource.table)}", f"which {words(resource.table)} are there"],
                "get": [f"look up the {thing}", f"show me the {thing}"],
                "create": [f"create {a(thing)}", f"add a new {thing}"],
                "update": [f"change the {thing}", f"update the {thing}"],
                "replace": [f"set the {thing} anew", f"replace what the {thing} says"],
                "delete": [f"delete the {thing}", f"remove the {thing}"],
                "action": [f"{words(tool.name)}"],
            }[tool.verb]
        label = resource.label
        rows[resource.table] = [f"the {thing} {{{label.name}}}" if label else f"the {thing} {{{resource.key}}}"]
    return to_yaml({"slots": {}, "phrases": phrases, "tools": tools, "rows": rows})
