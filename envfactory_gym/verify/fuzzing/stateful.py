"""The same fuzz as a state machine for hypothesis: it shrinks, and explores what a sampler would not.

Needs hypothesis, which the tests of a package use and `verify` does not:

    from hypothesis.stateful import run_state_machine_as_test
    run_state_machine_as_test(state_machine(package))
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from ...environment import Package, Parameter, Tool
from .session import Failure, Session
from .sources import LARGEST, ODD_TEXTS


class FuzzFailure(AssertionError):
    """Something happened that must never happen; its text is the problem and the calls that lead there."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(str(failure))
        self.failure = failure


def state_machine(package: Package, session: Session | None = None) -> type[RuleBasedStateMachine]:
    """A state machine whose one rule calls any tool with candidates, refusals, live values or odd ones.

    Args:
        package: The environment.
        session: Where to play; its tallies grow. By default a new one.
    """
    playing = session or Session(package, check_every=4)
    names = list(package.tools)

    class Calls(RuleBasedStateMachine):
        """One sequence of calls from the base world."""

        def __init__(self) -> None:
            super().__init__()
            playing.begin()

        @rule(data=st.data())
        def call(self, data: Any) -> None:
            """Call a tool."""
            tool = package.tools[data.draw(st.sampled_from(names))]
            _raise(playing.play(tool.name, data.draw(arguments(playing, tool))))

        def teardown(self) -> None:
            """Invariants hold at the end of every sequence."""
            _raise(playing.check())

    return Calls


def _raise(failure: Failure | None) -> None:
    if failure is not None:
        raise FuzzFailure(failure)


def arguments(session: Session, tool: Tool) -> st.SearchStrategy[dict[str, Any]]:
    """Arguments for one tool in the state a session is in."""
    rows = session.sources.candidates[tool.name]
    refused = [row for found in session.sources.refused[tool.name].values() for row in found]
    needed = {item.name: _live(session, item) for item in tool.parameters if item.required}
    others = {item.name: _live(session, item) for item in tool.parameters if not item.required}
    choices: list[st.SearchStrategy[dict[str, Any]]] = [st.fixed_dictionaries(needed, optional=others)]
    if rows:
        changed = {**needed, **others}
        choices = [st.sampled_from(rows), *choices]
        if changed:
            one = st.sampled_from(sorted(changed)).flatmap(lambda name: st.fixed_dictionaries({name: changed[name]}))
            choices.append(st.builds(lambda row, other: {**row, **other}, st.sampled_from(rows), one))
    if refused:
        choices.append(st.sampled_from(refused))
    return st.one_of(choices)


def _live(session: Session, parameter: Parameter) -> st.SearchStrategy[Any]:
    table, _, column = (parameter.ref or "").partition(".")
    found = list(session.heard.get(parameter.ref or "", ()))
    if table in session.world.schema.tables and column in session.world.schema.tables[table].names:
        found += [
            row[0]
            for row in session.world.query(f'SELECT DISTINCT "{column}" FROM "{table}" ORDER BY 1 LIMIT 100')
            if row[0] is not None
        ]
    by_schema = admitted(parameter.schema)
    return st.one_of(st.sampled_from(found), by_schema) if found else by_schema


def admitted(schema: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    """Values that a JSON schema admits."""
    if schema.get("enum"):
        return st.sampled_from(schema["enum"])
    if "anyOf" in schema:
        return st.one_of([admitted(option) for option in schema["anyOf"]])
    match schema.get("type"):
        case "integer":
            return st.integers(schema.get("minimum", -LARGEST), schema.get("maximum", LARGEST))
        case "number":
            return st.floats(schema.get("minimum"), schema.get("maximum"), allow_nan=False, allow_infinity=False)
        case "boolean":
            return st.booleans()
        case "null":
            return st.none()
        case "array":
            inside = admitted(schema.get("items", {}))
            return st.lists(inside, min_size=schema.get("minItems", 0), max_size=min(4, schema.get("maxItems", 4)))
        case "object":
            children = {name: admitted(child) for name, child in schema.get("properties", {}).items()}
            needed = {name: children.pop(name) for name in schema.get("required", ())}
            return st.fixed_dictionaries(needed, optional=children)
        case _:
            if "pattern" in schema:
                return st.from_regex(schema["pattern"], fullmatch=True)
            low, high = schema.get("minLength", 0), min(40, schema.get("maxLength", 40))
            odd = [text for text in ODD_TEXTS if low <= len(text) <= high]
            plain = st.text(st.characters(codec="utf-8"), min_size=low, max_size=max(low, high))
            return st.one_of(st.sampled_from(odd), plain) if odd else plain
