"""What anybody may know about an environment before an episode: its public files, as plain data.

An adversary is handed this and nothing else of a package, so no goal, gold or task can reach it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...environment import Package, Tool
from ...environment.columns import Column

GUESSES = 3
"""Most frequent values kept per column: as many as an answer may name (the right one and two others)."""

LEAST_SHARE = 0.05
"""A column is worth guessing where its most frequent values hold at least this share of its rows."""


@dataclass(frozen=True)
class PublicTool:
    """A tool as its schema and annotations show it.

    Attributes:
        arguments: Its parameters' schemas, by name; `required` names those that must be given.
        references: Parameter → `table.column` its values come from.
        outputs: Path in the result → `table.column`.
        phrases: How a user is told to use it, for a user's tool.
    """

    name: str
    arguments: Mapping[str, Mapping[str, Any]]
    required: tuple[str, ...]
    references: Mapping[str, str]
    outputs: Mapping[str, str]
    writes: bool
    destructive: bool
    confirm: bool = False
    phrases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Public:
    """The public side of an environment.

    Attributes:
        tools: The agent's tools, in listed order.
        user_tools: The user's tools, with the phrases by which users are told to use them.
        rules: Ids of the policy's rules.
        asked: One phrase per thing a user may know, by which it is asked for.
        frequent: `table.column` → its most frequent values in the base data, where they are frequent at all.
    """

    tools: tuple[PublicTool, ...]
    user_tools: tuple[PublicTool, ...] = ()
    rules: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    frequent: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, package: Package) -> Public:
        """The public side of a package."""
        tools, phrases = package.tools.values(), package.language.tools
        return cls(
            tools=tuple(_public(tool) for tool in tools if tool.actor == "agent"),
            user_tools=tuple(_public(tool, phrases.get(tool.name, ())) for tool in tools if tool.actor == "user"),
            rules=tuple(package.policy.rules),
            asked=tuple((slot.asked or (name,))[0] for name, slot in package.language.slots.items()),
            frequent=_frequent(package),
        )


def _public(tool: Tool, phrases: tuple[str, ...] = ()) -> PublicTool:
    return PublicTool(
        name=tool.name,
        arguments={parameter.name: parameter.schema for parameter in tool.parameters},
        required=tuple(parameter.name for parameter in tool.parameters if parameter.required),
        references={parameter.name: parameter.ref for parameter in tool.parameters if parameter.ref},
        outputs=tool.outputs,
        writes=bool(tool.writes),
        destructive=tool.destructive,
        confirm=bool(tool.confirm),
        phrases=phrases,
    )


def _frequent(package: Package) -> dict[str, tuple[Any, ...]]:
    found = {}
    for table in package.schema.tables.values():
        rows = package.rows(table.name)
        for column in table.columns:
            if guesses := _most_frequent(rows, column):
                found[f"{table.name}.{column.name}"] = guesses
    return found


def _most_frequent(rows: list[dict[str, Any]], column: Column) -> tuple[Any, ...]:
    values = [row[column.name] for row in rows if row.get(column.name) is not None]
    counted = sorted(Counter(values).items(), key=lambda item: (-item[1], str(item[0])))[:GUESSES]
    share = sum(number for _, number in counted) / len(values) if values else 0.0
    return tuple(value for value, _ in counted) if share >= LEAST_SHARE else ()
