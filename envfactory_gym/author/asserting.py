"""Whether behaviours could ever fail: what an example expects, of whom, and on whose word.

An example that holds whatever the tools do is worth nothing, however many there are: one that
expects an empty part of a result, or a refusal of anything by anyone, or the recorded past.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from ..environment import Behaviour, Package


def aims(
    package: Package, *, passages: Collection[str] = (), enforced: Mapping[str, Collection[str]] | None = None
) -> list[str]:
    """What is wrong with the examples of a package, before any is executed.

    Args:
        package: Its tools are imported already.
        passages: Ids and titles that an origin of the kind `source` may name, and words that it may repeat.
        enforced: Rule → tools that are to refuse by it.
    """
    found = [
        f"{behaviour.name}: {problem}"
        for behaviour in package.behaviours
        for problem in _problems(package, behaviour, passages)
    ]
    names = [behaviour.name for behaviour in package.behaviours]
    found += [f"two behaviours are called {name!r}" for name in sorted({one for one in names if names.count(one) > 1})]
    counted = [behaviour for behaviour in package.behaviours if behaviour.origin.kind != "recorded"]
    succeeding = {call.tool for one in counted for call in one.calls if says(call.expect.result)}
    found += [f"no example expects a result of {tool}" for tool in package.tools if tool not in succeeding]
    refused = {
        (call.tool, call.expect.error.reason)
        for one in counted
        for call in one.calls
        if call.expect.error is not None and call.expect.error.reason
    }
    for rule, tools in sorted((enforced or {}).items()):
        found += [
            f"no example has {tool} refuse by the rule [{rule}] (expect: {{error: {{reason: {rule}}}}})"
            for tool in tools
            if tool in package.tools and (tool, rule) not in refused
        ]
    return found


def _problems(package: Package, behaviour: Behaviour, passages: Collection[str]) -> Iterator[str]:
    if not any(says(call.expect.result) or call.expect.error for call in behaviour.calls) and not _changes_say(
        package, behaviour
    ):
        yield "it asserts nothing: it holds whatever the tools do"
    if behaviour.origin.kind == "recorded":
        yield "its origin is `recorded`, which proves nothing; expect what a rule, a source or an invariant says"
    if behaviour.origin.kind == "source" and not _stands(behaviour.origin.ref, passages):
        yield f"its origin {behaviour.origin.ref!r} stands in no source; name a passage (S1), or repeat its words"
    for call in behaviour.calls:
        tool = package.tools.get(call.tool)
        if tool is None:
            yield f"it calls {call.tool}, which is no tool"
            continue
        if call.expect.error is None:  # a wrong argument may be what an example is about
            known = {parameter.name for parameter in tool.parameters}
            for name in sorted(set(call.arguments) - known):
                yield f"{call.tool} has no argument {name!r}; it takes {', '.join(sorted(known)) or 'none'}"
            for one in tool.parameters:
                if one.required and one.name not in call.arguments:
                    yield f"{call.tool} needs the argument {one.name!r}"
        if call.expect.result is not None and call.expect.error is not None:
            yield f"it expects both a result and an error of {call.tool}"


def says(expected: Any) -> bool:
    """Whether an expected part of a result says anything: some value, or how many there are."""
    if isinstance(expected, dict):
        return any(says(child) for child in expected.values())
    return expected is not None


def _changes_say(package: Package, behaviour: Behaviour) -> bool:
    """Whether the expected changes could come out otherwise: not where none are expected of look-ups alone."""
    if behaviour.changes is None:
        return False
    writing = any(package.tools[call.tool].writes for call in behaviour.calls if call.tool in package.tools)
    return bool(behaviour.changes) or writing


def _stands(reference: str, passages: Collection[str]) -> bool:
    """Whether a reference names a passage; `passages` holds their ids, titles and words, folded."""
    named = re.fullmatch(r"\[?(S\d+)\]?", reference.strip())
    if named:
        return named[1] in passages
    from .passages import plain

    wanted = plain(reference)
    return len(wanted) > 2 and any(wanted in one for one in passages)
