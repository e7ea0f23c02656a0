"""A turn as it is being planned: the goal's calls over sources, and gold's with values, side by side.

Every argument goes in as a pair, its value and where a solver has it from, so that goal and gold
cannot disagree.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Source = dict[str, Any]
"""A source expression in its JSON form."""

Known = tuple[Any, Source]
"""A value, and where a solver can get it."""


def derived(op: str, sources: list[Source], **options: Any) -> Source:
    """A derivation of the closed list."""
    return {"kind": "derived", "op": op, "sources": sources, "options": options}


def result(call: str, path: str) -> Source:
    """Part of an earlier result."""
    return {"kind": "result", "call": call, "path": path}


@dataclass
class Plan:
    """What one turn does.

    Attributes:
        turn: Its number.
        goal: Calls over sources.
        gold: Steps: calls with values, and what is said between them.
        referents: Descriptions of rows, each with SQL that denotes the one row.
    """

    turn: int
    goal: list[dict[str, Any]] = field(default_factory=list)
    gold: list[dict[str, Any]] = field(default_factory=list)
    referents: list[dict[str, Any]] = field(default_factory=list)

    def call(self, tool: str, arguments: dict[str, Known], *, wish: bool = False) -> str:
        """Add a call. Returns its id."""
        made = f"{tool}-{self.turn + 1}.{len(self.goal) + 1}"
        goal = {"id": made, "tool": tool, "arguments": {key: source for key, (_, source) in arguments.items()}}
        self.goal.append({**goal, "wish": True} if wish else goal)
        literal = {key: value for key, (value, _) in arguments.items()}
        self.gold.append({"calls": [{"id": made, "tool": tool, "arguments": literal}]})
        return made

    def confirm(self, text: str) -> None:
        """Ask before what comes next."""
        self.gold.append({"say": text, "expect": "affirms"})

    def decline(self, rule: str, explanation: str) -> None:
        """Decline by a rule of the policy."""
        arguments = {"rule": rule, "explanation": explanation}
        self.gold.append({"calls": [{"id": "decline", "tool": "decline_request", "arguments": arguments}]})

    def refer(self, phrase: str, sql: str, column: str) -> None:
        """Note that a phrase of the request denotes one row."""
        self.referents.append({"phrase": phrase, "sql": sql, "column": column})

    def said(self, span: str) -> Source:
        """Words of this turn's request."""
        return {"kind": "said", "turn": self.turn, "span": span}
