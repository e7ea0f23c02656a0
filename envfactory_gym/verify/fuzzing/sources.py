"""Arguments for a call: candidates, live values, refusals, and what a schema admits but nobody expects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Any, TypeVar

from ...environment import Package, Parameter, Tool
from ...world import LiveWorld
from ..arguments import hinted_arguments

Item = TypeVar("Item")

MOST_HINTS = 400
"""Rows kept of each `candidates` and `refused`."""

ODD_TEXTS = (
    "'", '"', "%", "_", "a'b", "x' OR '1'='1", "; DROP TABLE x; --", "\\", "{x}", "é", "İ", "🙂", "\x00", " ", "NULL",
    "0", "-1", "[]", "\n", "%s", "?", ":now", "ß" * 20,
)  # fmt: skip
"""Texts that go wrong where SQL is built by formatting, or where text is taken for a pattern."""

LARGEST = 2**63 - 1
"""The largest integer that SQLite keeps."""


class Dice:
    """Seeded draws that are the same on every version of Python."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def below(self, limit: int) -> int:
        """A number from 0, less than `limit`."""
        return int(self._random.random() * limit)

    def chance(self, share: float) -> bool:
        """True in that share of draws."""
        return self._random.random() < share

    def pick(self, items: Sequence[Item]) -> Item:
        """One of the items."""
        return items[self.below(len(items))]


class Sources:
    """Where arguments come from.

    Args:
        package: The environment.
        world: Its base world, in which hints are evaluated once.
    """

    def __init__(self, package: Package, world: LiveWorld) -> None:
        self.candidates: dict[str, list[dict[str, Any]]] = {}
        self.refused: dict[str, dict[str, list[dict[str, Any]]]] = {}
        for name, tool in package.tools.items():
            hint = tool.candidates
            self.candidates[name] = _spread(list(hinted_arguments(world, tool, hint))) if hint else []
            self.refused[name] = {
                reason: _spread(list(hinted_arguments(world, tool, sql))) for reason, sql in tool.refused.items()
            }

    def draw(
        self,
        dice: Dice,
        world: LiveWorld,
        tool: Tool,
        heard: Mapping[str, Sequence[Any]],
        unseen: Sequence[str] = (),
    ) -> dict[str, Any]:
        """One argument object.

        Args:
            dice: The draws.
            world: Gives live values.
            tool: What will be called.
            heard: `Ref` target → values that earlier results gave.
            unseen: Reasons for which the tool should still be refused.
        """
        rows, refusals = self.candidates[tool.name], self.refused[tool.name]
        roll = dice.below(100)
        if roll < 12 and any(refusals.values()):
            wanted = [reason for reason in unseen if refusals.get(reason)] or [key for key in refusals if refusals[key]]
            return dict(dice.pick(refusals[dice.pick(wanted)]))
        if roll < 60 and rows:
            arguments = dict(dice.pick(rows))
            for parameter in tool.parameters:
                if not parameter.required and parameter.name not in arguments and dice.chance(0.3):
                    arguments[parameter.name] = self._live(dice, world, parameter, heard)
            return arguments
        if roll < 78 and rows:
            arguments = dict(dice.pick(rows))
            for changed in [dice.pick(tool.parameters)] if tool.parameters else []:
                arguments[changed.name] = self._live(dice, world, changed, heard)
            return arguments
        wild = roll >= 92
        return {
            parameter.name: odd_value(dice, parameter.schema) if wild else self._live(dice, world, parameter, heard)
            for parameter in tool.parameters
            if parameter.required or dice.chance(0.4)
        }

    def _live(self, dice: Dice, world: LiveWorld, parameter: Parameter, heard: Mapping[str, Sequence[Any]]) -> Any:
        """A value of the column that the argument refers to, or one the schema admits."""
        ref = parameter.ref or ""
        if heard.get(ref) and dice.chance(0.5):
            return dice.pick(heard[ref])
        table, _, column = ref.partition(".")
        if table in world.schema.tables and column in world.schema.tables[table].names and dice.chance(0.9):
            (size,) = world.query(f'SELECT count(*) FROM "{table}"')[0]
            if size:
                found = world.query(f'SELECT "{column}" FROM "{table}" LIMIT 1 OFFSET {dice.below(size)}')
                if found and found[0][0] is not None:
                    return found[0][0]
        return odd_value(dice, parameter.schema)


def _spread(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    if len(rows) <= MOST_HINTS:
        return rows
    step = len(rows) / MOST_HINTS
    return [rows[int(number * step)] for number in range(MOST_HINTS)]


def odd_value(dice: Dice, schema: Mapping[str, Any]) -> Any:
    """A value that a schema admits (a pattern apart), at its edges more often than not."""
    if schema.get("enum"):
        return dice.pick(schema["enum"])
    if "anyOf" in schema:
        return odd_value(dice, dice.pick(schema["anyOf"]))
    match schema.get("type"):
        case "integer":
            low = schema.get("minimum", schema.get("exclusiveMinimum", -2) + 1)
            high = schema.get("maximum", schema.get("exclusiveMaximum", LARGEST + 1) - 1)
            return dice.pick([low, low + 1, min(high, low + dice.below(12)), high])
        case "number":
            low, high = schema.get("minimum", -1.5), schema.get("maximum", 1e9)
            return dice.pick([low, high, min(high, max(low, 0.1 + dice.below(1000) / 8))])
        case "boolean":
            return dice.chance(0.5)
        case "null":
            return None
        case "array":
            size = schema.get("minItems", 0) + dice.below(min(4, schema.get("maxItems", 4)) + 1)
            size = min(size, schema.get("maxItems", size))
            return [odd_value(dice, schema.get("items", {})) for _ in range(size)]
        case "object":
            needed = set(schema.get("required", ()))
            return {
                name: odd_value(dice, child)
                for name, child in schema.get("properties", {}).items()
                if name in needed or dice.chance(0.5)
            }
        case _:
            return _odd_text(dice, schema)


def _odd_text(dice: Dice, schema: Mapping[str, Any]) -> str:
    low: int = schema.get("minLength", 0)
    high: int = max(low, schema.get("maxLength", 200))
    if dice.chance(0.3):
        day = f"20{24 + dice.below(5)}-{1 + dice.below(12):02}-{1 + dice.below(31):02}"
        text = f"{day}T{dice.below(24):02}:00:00Z" if dice.chance(0.3) else day
    elif dice.chance(0.2):
        text = "x" * high
    else:
        text = "".join(dice.pick(ODD_TEXTS) for _ in range(1 + dice.below(3)))
    return (text + "a" * max(0, low - len(text)))[:high]


def values_at(result: Any, path: str) -> list[Any]:
    """The values at a path such as `loans[].loan_id`."""
    found = [result]
    for part in path.split("."):
        name, listed = part.removesuffix("[]"), part.endswith("[]")
        with suppress(KeyError, TypeError):
            found = [value[name] if name else value for value in found if value is not None]
            found = [item for value in found for item in value] if listed else found
    return [value for value in found if isinstance(value, (str, int)) and not isinstance(value, bool)]
