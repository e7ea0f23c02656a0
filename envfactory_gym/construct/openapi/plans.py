"""One plan for each tool: what a client may give, and what actions below an item do."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from envfactory_gym.environment.tool import RESERVED_NAMES

from ..model import Field, LeftOut, Listing, Resource, ToolPlan, Verb
from ..naming import identifier, sentence, snake
from .document import Document, Operation
from .families import Family, body_shape
from .fields import is_change_list, read_fields
from .listing import read_listing
from .transitions import is_verb, read_transition

MAX_TOOL_NAME = 30
"""Longest tool name here: 40 with the prefix `<environment>__` of episodes over several worlds."""

_ONLY_FIELDS = re.compile(
    r"only (?:the )?fields[^:.]*(?:can be|are|may be)[^:.]*(?:modified|changed|updated|editable)[^:]*:\s*([^.]+)\.",
    re.I,
)
_READS = re.compile(
    r"^(?:get|list|search|query|find|fetch|lookup|check|test|validate|verify|preview|export|download|compute|"
    r"calculate|estimate|generate|watch|analy[sz]e|evaluate|diff|compare|count|batch)(?:_|$)"
)
"""Words of actions that answer something and change nothing of the row."""

_CHANGES_LISTED = "its body lists changes (`{}`), whose effects the document does not define"


def plan_tools(
    document: Document, family: Family, resource: Resource, taken: Collection[str]
) -> tuple[Resource, list[LeftOut]]:
    """The resource with its tools and listing, and the operations that become none.

    Args:
        document: Resolves references.
        family: Its operations.
        resource: The table, without tools.
        taken: Fields that creating takes; the others are only ever changed.
    """
    settable = tuple(one for one in resource.fields if not one.server and one.role != "parent")
    if family.kind == "single":
        settable = tuple(one for one in settable if one.role != "key") if not family.puts else settable
    tools: list[ToolPlan] = []
    left_out: list[LeftOut] = []
    listing = Listing()
    verbs: tuple[Verb, ...] = ("list", "get", "create", "update", "replace", "delete")
    for verb in verbs:
        operation = family.operations.get(verb)
        if operation is None and verb == "create" and family.puts:
            operation = family.operations["replace"]
        if operation is None:
            continue
        arguments: tuple[Field, ...] = ()
        if verb == "list":
            listing = read_listing(document, operation, {one.name: one for one in resource.fields}, resource.one)
        elif verb == "create":
            arguments = tuple(one for one in settable if one.name in taken)
            if not arguments:
                left_out.append(LeftOut(operation.name, "no field of the row could be given to it"))
                continue
        elif verb in ("update", "replace"):
            found = _changeable(document, operation, settable, verb)
            if isinstance(found, str):
                if not (family.puts and verb == "replace"):  # else it is a tool already: it creates
                    left_out.append(LeftOut(operation.name, found))
                continue
            arguments = found
        noun = resource.table if verb == "list" else resource.one
        tools.append(ToolPlan(verb, tool_name(verb, noun), operation.name, sentence(operation.text), arguments))
    for word, operation in family.actions.items():
        plan = _action(document, word, operation, resource, settable)
        if isinstance(plan, str):
            left_out.append(LeftOut(operation.name, plan))
        elif plan.name in {tool.name for tool in tools}:
            left_out.append(LeftOut(operation.name, f"does what {plan.name} does"))
        else:
            tools.append(plan)
    return resource.with_(listing=listing, tools=tuple(tools)), left_out


def _changeable(
    document: Document, operation: Operation, settable: Iterable[Field], verb: Verb
) -> tuple[Field, ...] | str:
    """The fields that an update may give, or why there are none."""
    body = body_shape(document, operation)
    if verb == "update" and (changes := is_change_list(document, body)):
        return _CHANGES_LISTED.format(changes)
    sendable = {one.name for one in read_fields(document, body).fields}
    arguments = tuple(
        one
        for one in settable
        if one.role != "key" and not one.fixed and not one.server and (not sendable or one.name in sendable)
    )
    if match := _ONLY_FIELDS.search(operation.text):
        named = {identifier(part) for part in re.split(r",\s*(?:and\s+)?|\s+and\s+", match.group(1))}
        arguments = tuple(one for one in arguments if one.name in named) or arguments
    return arguments or "no field of the row could be changed by it"


def _action(
    document: Document, word: str, operation: Operation, resource: Resource, settable: tuple[Field, ...]
) -> ToolPlan | str:
    """What an action does to its row: a state it sets, or fields it changes; else why it is no tool."""
    verb = snake(word)
    text = sentence(operation.text)
    if transition := read_transition(word, resource.fields):
        return ToolPlan("action", tool_name(verb, resource.one), operation.name, text, transition=transition)
    if _READS.match(verb):
        return "answers something that the service computes"
    body = body_shape(document, operation)
    sent = read_fields(document, body).fields
    if not sent:
        return "the document does not say what this action changes"
    changeable = {one.name: one for one in settable if one.role != "key" and not one.fixed}
    arguments = tuple(changeable[one.name] for one in sent if one.name in changeable)
    needed = {one.name for one in sent if one.required}
    if not arguments or not needed <= changeable.keys() or 2 * len(arguments) < len(sent):
        return "the document does not say what this action changes"
    name = tool_name(verb, resource.one) if is_verb(verb) else tool_name(f"update_{resource.one}", verb)
    return ToolPlan("update", name, operation.name, text, arguments, deed=True)


def tool_name(verb: str, noun: str) -> str:
    """`list_companies`; a noun that is too long loses its first words, and `get_reward`, which trainers call, is
    `get_one_reward`.
    """
    name = f"{verb}_{noun}"
    while len(name) > MAX_TOOL_NAME and "_" in noun:
        noun = noun.partition("_")[2]
        name = f"{verb}_{noun}"
    if name in RESERVED_NAMES:
        name = f"{verb}_one_{noun}"
    return name[:40].rstrip("_")
