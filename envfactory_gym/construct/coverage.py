"""What became of a document: operations in, tools out, and every omission with its reason."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from .model import Model
from .portions import BEYOND

GENERATOR = "envfactory build"
"""Written into `coverage.json`; a folder that carries it was made by a build and may be rebuilt."""

_SHOWN = 12
"""Operations that the text lists for one reason."""


@dataclass(frozen=True)
class Coverage:
    """The account of one build.

    Attributes:
        operations: Operations in the source.
        tools: Tool → operation it models.
        left_out: Operation → reason.
        fields_left_out: `table.property` → reason.
        assumptions: What the model adds to the document, and why.
        rows, tasks, behaviours: How much the package holds.
    """

    source: str
    operations: int
    tools: dict[str, str]
    left_out: dict[str, str]
    fields_left_out: dict[str, str]
    assumptions: tuple[str, ...]
    rows: int
    behaviours: int
    tasks: int

    @classmethod
    def of(cls, model: Model, source: str, *, rows: int, behaviours: int, tasks: int) -> Coverage:
        """The account of a model and what was made from it."""
        return cls(
            source=source,
            operations=model.operations,
            tools={tool.name: tool.operation for one in model.resources for tool in one.tools},
            left_out={one.operation: one.reason for one in model.left_out},
            fields_left_out={f"{one.table}.{name}": why for one in model.resources for name, why in one.left_out},
            assumptions=(*model.assumptions, *(text for one in model.resources for text in one.assumptions)),
            rows=rows,
            behaviours=behaviours,
            tasks=tasks,
        )

    @property
    def beyond(self) -> int:
        """How many operations were left out only because an environment has so many tools already."""
        return sum(reason == BEYOND for reason in self.left_out.values())

    def payload(self) -> dict[str, Any]:
        """As `coverage.json` holds it."""
        return {"generator": GENERATOR, **{name: getattr(self, name) for name in self.__dataclass_fields__}}

    def text(self) -> str:
        """For people: the counts, then each reason with the first of its operations."""
        lines = [
            f"{self.operations} operations in {self.source}: {len(self.tools)} tools, {len(self.left_out)} left out; "
            f"{self.rows} rows, {self.behaviours} behaviours, {self.tasks} tasks."
        ]
        for reason, count in sorted(Counter(self.left_out.values()).items(), key=lambda item: (-item[1], item[0])):
            lines.append(f"  {count} x {reason}")
            found = [operation for operation, why in self.left_out.items() if why == reason]
            lines += [f"      {operation}" for operation in found[:_SHOWN]]
            if len(found) > _SHOWN:
                lines.append(f"      ... and {len(found) - _SHOWN} more, in coverage.json")
        lines += [f"  assumed: {text}" for text in self.assumptions]
        return "\n".join(lines)
