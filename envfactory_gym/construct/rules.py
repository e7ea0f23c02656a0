"""The rules of a compiled environment: each follows from the resource model, and the tools enforce it.

A rule's id is the `reason` of the error that refuses by it, so that the policy, the tools, the
examples and the tasks speak of the same rule.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .dependants import tables_going, tables_using
from .model import Field, Model, Resource, ToolPlan
from .naming import a, words
from .rows.data import order_pairs

CONFIRM = "confirm-deletions"
"""The rule that asks for the user's yes before anything is deleted; the agent alone keeps it."""

SERVER_SET = "set-by-the-system"
"""The rule about what nobody can choose."""


@dataclass(frozen=True)
class Rule:
    """One rule of `policy.md`."""

    id: str
    text: str


def rules_of(model: Model) -> list[Rule]:
    """Every rule, those about the whole first, then table by table."""
    rules: list[Rule] = []
    if any(resource.tool("delete") for resource in model.resources):
        rules.append(
            Rule(
                CONFIRM,
                "Before you delete anything, name it with its identifier, say what goes with it, and wait for yes.",
            )
        )
    rules += _server_set(model)
    for resource in model.resources:
        rules += _of(model, resource)
    return rules


def _server_set(model: Model) -> list[Rule]:
    minted = [words(one.table) for one in model.resources if one.minted and one.tool("create")]
    stamped = any(field.role in ("created", "updated") for one in model.resources for field in one.fields)
    if not minted and not stamped:
        return []
    parts = [f"Identifiers of {listed(minted)} are given by the system and cannot be chosen."] if minted else []
    parts += ["Times of creation and change are set by the system."] if stamped else []
    return [Rule(SERVER_SET, " ".join(parts))]


def _of(model: Model, resource: Resource) -> list[Rule]:
    thing, found = a(words(resource.one)), []
    if resource.tool("delete"):
        if going := tables_going(model, resource.table):
            found.append(
                Rule(going_rule(resource), f"Deleting {thing} deletes its {listed(map(words, going))} as well.")
            )
        if using := tables_using(model, resource):
            users = listed(spoken_users(resource, using), "or")
            found.append(Rule(used_rule(resource), f"{_capital(thing)} cannot be deleted while {users} refer to it."))
    changes = resource.tool("create") or resource.tool("update") or resource.tool("replace")
    if changes:
        taken = [field for field in resource.fields if field.unique or (field.role == "key" and chosen(resource))]
        for field in taken:
            many = words(resource.table) + (
                f" of one {words(model.resource(resource.parent).one)}" if resource.parent else ""
            )
            found.append(Rule(unique_rule(resource, field), f"Two {many} cannot have the same {words(field.name)}."))
        if order_pairs(resource):
            found.append(Rule(order_rule(resource), _order_text(resource, thing)))
    for tool in resource.tools:
        if tool.transition is not None and tool.transition.refused_from:
            states = listed([words(str(value)).lower() for value in tool.transition.refused_from], "or")
            verb = words(tool.transition.word).lower()
            found.append(
                Rule(final_rule(resource, tool), f"The action `{verb}` is refused for {thing} that is {states}.")
            )
    return found


def _order_text(resource: Resource, thing: str) -> str:
    """Which dates come first; in the words of the columns where the source's own rule puts them in order."""
    told = [
        f"The {words(end.name)} of {thing} cannot lie before its {words(start.name)}."
        for start, end in order_pairs(resource)
        if end.after
    ]
    return " ".join(told) or f"{_capital(thing)} cannot end before it starts."


def spoken_users(resource: Resource, tables: Iterable[str]) -> list[str]:
    """Tables that refer to a row, as one says it: its own as `other tickets`."""
    return [f"other {words(table)}" if table == resource.table else words(table) for table in tables]


def chosen(resource: Resource) -> bool:
    """Whether clients choose the key when they create a row."""
    return resource.tool("create") is not None and not resource.minted and not resource.key_field.references


def used_rule(resource: Resource) -> str:
    """Id of the rule that keeps rows which others refer to."""
    return f"keep-used-{_dashed(resource.table)}"


def going_rule(resource: Resource) -> str:
    """Id of the rule that says what a deletion takes along."""
    return f"delete-{_dashed(resource.table)}"


def unique_rule(resource: Resource, field: Field) -> str:
    """Id of the rule that forbids two rows with one value."""
    return f"unique-{_dashed(resource.one)}-{_dashed(field.name)}"


def order_rule(resource: Resource) -> str:
    """Id of the rule that puts dates in order."""
    return f"dates-{_dashed(resource.table)}"


def final_rule(resource: Resource, tool: ToolPlan) -> str:
    """Id of the rule that forbids an action from certain states."""
    return f"final-{_dashed(tool.name)}"


def listed(names: Iterable[str], word: str = "and") -> str:
    """Names as a sentence lists them, each once."""
    found = list(dict.fromkeys(names))
    return found[0] if len(found) == 1 else ", ".join(found[:-1]) + f" {word} " + found[-1]


def _dashed(name: str) -> str:
    return name.strip("_").replace("_", "-")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
