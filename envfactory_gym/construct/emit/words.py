"""`environment.yaml`, `policy.md` and `language.yaml` of a model."""

from __future__ import annotations

from typing import Any

import yaml

from ..model import Model, Resource
from ..naming import a, snake, words
from ..rows.data import order_pairs
from .ownership import owned, uses
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
            "domain": model.domain,
            "version": "0.1.0",
            "summary": model.summary,
            "users": f"People who work with {model.title} and let an assistant look things up and change them.",
            "clock": model.clock,
            "sources": [dict(one) for one in model.sources],
        }
    )


def emit_policy(model: Model) -> str:
    """The rules an agent needs to know; each follows from the model, and the tools enforce it."""
    rules: list[tuple[str, str]] = []
    minted = [words(one.table) for one in model.resources if one.minted and one.tool("create")]
    stamped = any(field.role in ("created", "updated") for one in model.resources for field in one.fields)
    if minted:
        stamps = " Times of creation and change are set by the system." if stamped else ""
        rules.append(
            ("server-set", f"Identifiers of {_list(minted)} are given by the system and cannot be chosen.{stamps}")
        )
    for resource in model.resources:
        if not resource.tool("delete"):
            continue
        name = resource.table.replace("_", "-")
        thing = words(resource.one)
        if going := list(dict.fromkeys(words(one.resource.table) for one in owned(model, resource))):
            rules.append((f"delete-{name}", f"Deleting {a(thing)} deletes its {_list(going)} as well."))
        if using := [words(one.resource.table) for one in uses(model, resource)]:
            rules.append(
                (
                    f"keep-used-{name}",
                    f"{a(thing).capitalize()} cannot be deleted while {_list(using, 'or')} refer to it.",
                )
            )
    for resource in model.resources:
        for field in resource.fields:
            if field.unique:
                rules.append(
                    (
                        f"unique-{resource.table.replace('_', '-')}-{field.name.replace('_', '-')}",
                        f"Two {words(resource.table)} cannot share a {words(field.name)}.",
                    )
                )
        if order_pairs(resource) and (resource.tool("create") or resource.tool("update")):
            rules.append(
                (
                    f"order-{resource.table.replace('_', '-')}",
                    f"{a(words(resource.one)).capitalize()} cannot end before it starts.",
                )
            )
    rules.append(("as-asked", "Change what was asked for and nothing else; leave every other field as it is."))
    return render("policy.md.j2", model=model, rules=rules, tables=[words(one.table) for one in model.resources])


def _list(names: list[str], word: str = "and") -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + f" {word} " + names[-1]


def phrase_table(resource: Resource, field: str) -> str:
    """Name of the phrase table of an enum column."""
    return f"{resource.table}_{field.rstrip('_')}"


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
