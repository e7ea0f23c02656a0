"""How a solver finds a row that a user only describes: the calls, the sources, and the words.

A lookup lists a table (its parent first, where it is nested), page after page, until the row of
that label stands on a page. Every argument of every call has a source: the user's words, an
earlier result, or nothing at all.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..emit.render import literal, quoted
from ..model import Field, Filter, Model, Resource, Row
from ..naming import words
from ..rows.data import Data

Source = dict[str, Any]
"""A source expression in its JSON form."""

MAX_PAGES = 3
"""A row that stands further back is not asked for."""


@dataclass
class Plan:
    """Calls of one turn: the goal's, over sources, and gold's, with values."""

    turn: int
    goal: list[dict[str, Any]] = field(default_factory=list)
    gold: list[dict[str, Any]] = field(default_factory=list)
    referents: list[dict[str, Any]] = field(default_factory=list)

    def call(
        self, tool: str, arguments: dict[str, tuple[Any, Source]], *, wish: bool = False, name: str | None = None
    ) -> str:
        """Add a call; each argument is its value and its source. Returns the call's id."""
        made = name or f"{tool}-{self.turn + 1}.{len(self.goal) + 1}"
        goal = {"id": made, "tool": tool, "arguments": {key: source for key, (_, source) in arguments.items()}}
        self.goal.append({**goal, "wish": True} if wish else goal)
        self.gold.append({"id": made, "tool": tool, "arguments": {key: value for key, (value, _) in arguments.items()}})
        return made

    def said(self, span: str) -> Source:
        """Words of this turn's request."""
        return {"kind": "said", "turn": self.turn, "span": span}


@dataclass(frozen=True)
class Found:
    """A row that a lookup has found.

    Attributes:
        words: How the request refers to it; spans stand in it literally.
        item: The listed row, as a source.
    """

    resource: Resource
    row: Row
    words: str
    item: Source

    def value(self, column: str) -> tuple[Any, Source]:
        """A column's value and its source."""
        return self.row[column], derived("field", [self.item], path=column)


def derived(op: str, sources: list[Source], **options: Any) -> Source:
    """A derivation of the closed list."""
    return {"kind": "derived", "op": op, "sources": sources, "options": options}


def result(call: str, path: str) -> Source:
    """Part of an earlier result."""
    return {"kind": "result", "call": call, "path": path}


class Finder:
    """Finds rows of a model's base world by their labels."""

    def __init__(self, model: Model, data: Data) -> None:
        self.model, self.data = model, data

    def findable(self, resource: Resource, row: Row) -> bool:
        """Whether a solver can find the row from its label, within a few pages."""
        label = resource.label
        if label is None or resource.tool("list") is None or not row.get(label.name):
            return False
        text = str(row[label.name])
        if not text.isascii() or '"' in text:
            return False
        alike = [other for other in self._siblings(resource, row) if str(other[label.name]).lower() == text.lower()]
        if len(alike) != 1:
            return False
        if self._by_label(resource) is None and self._place(resource, row) // self._page(resource) >= MAX_PAGES:
            return False
        return self._parent(resource, row) is None or self._parent_named(resource, row) is not None

    def find(self, plan: Plan, resource: Resource, row: Row) -> Found:
        """Add the calls that find a findable row to a plan."""
        label = resource.label
        tool = resource.tool("list")
        if label is None or tool is None:
            raise ValueError(f"no lookup of {resource.table}")
        text = str(row[label.name])
        scope, inside = self.scope(plan, resource, row)
        by = self._by_label(resource)
        rows = f"{resource.table}"
        if by is not None:
            call = plan.call(tool.name, {**scope, by.argument: (text, plan.said(text))})
        else:
            call = plan.call(tool.name, scope)
            size = self._page(resource)
            for page in range(1, self._place(resource, row) // size + 1):
                listing = resource.listing
                following = (
                    ("cursor", str(page * size), "next_cursor")
                    if listing.cursor
                    else ("offset", page * size, "next_offset")
                )
                argument, value, path = following
                call = plan.call(tool.name, {**scope, argument: (value, result(call, path))})
        item = derived(
            "first",
            [derived("filter", [result(call, rows), plan.said(text)], where=[[label.name, "==", {"source": 1}]])],
        )
        phrase = f'the {words(resource.one)} "{text}"{inside}'
        where = f"{quoted(label.name)} = {literal(text)}"
        if (parent := resource.parent_field) is not None:
            where += f" AND {quoted(parent.name)} = {literal(row[parent.name])}"
        plan.referents.append(
            {
                "phrase": phrase,
                "sql": f"SELECT {quoted(resource.key)} FROM {quoted(resource.table)} WHERE {where}",
                "column": f"{resource.table}.{resource.key}",
            }
        )
        return Found(resource, row, phrase, item)

    def scope(self, plan: Plan, resource: Resource, row: Row) -> tuple[dict[str, tuple[Any, Source]], str]:
        """The parent's argument, and the words that name the parent; both empty without one."""
        parent = resource.parent_field
        owner = self._parent(resource, row)
        if parent is None or owner is None:
            return {}, ""
        above = self.model.resource(parent.references or "")
        if self.findable(above, owner):
            found = self.find(plan, above, owner)
            return {parent.name: found.value(above.key)}, f" of {found.words}"
        value = str(row[parent.name])
        phrase = f"{words(above.one)} {value}"
        return {parent.name: (row[parent.name], plan.said(value))}, f" in {phrase}"

    def _parent(self, resource: Resource, row: Row) -> Row | None:
        parent = resource.parent_field
        if parent is None:
            return None
        above = self.model.resource(parent.references or "")
        return next(other for other in self.data[above.table] if other[above.key] == row[parent.name])

    def _parent_named(self, resource: Resource, row: Row) -> str | None:
        """How a request can name the parent: by label, or by an identifier that is text."""
        parent = resource.parent_field
        owner = self._parent(resource, row)
        if parent is None or owner is None:
            return None
        above = self.model.resource(parent.references or "")
        if self.findable(above, owner):
            return "label"
        by_key = above.key_field.kind == "text" and above.parent is None
        return "key" if by_key else None

    def scopeable(self, resource: Resource, row: Row) -> bool:
        """Whether a request can name the row's parent (true without one)."""
        return self._parent(resource, row) is None or self._parent_named(resource, row) is not None

    def _siblings(self, resource: Resource, row: Row) -> list[Row]:
        """Rows of one list, in its order."""
        parent = resource.parent_field
        rows = [
            other for other in self.data[resource.table] if parent is None or other[parent.name] == row[parent.name]
        ]
        return sorted(rows, key=lambda other: other[resource.key])

    def _place(self, resource: Resource, row: Row) -> int:
        return self._siblings(resource, row).index(row)

    def _page(self, resource: Resource) -> int:
        return resource.listing.default_limit

    def _by_label(self, resource: Resource) -> Filter | None:
        label = resource.label
        return next(
            (
                one
                for one in resource.listing.filters
                if label is not None and one.op == "=" and one.column == label.name
            ),
            None,
        )


def reference_words(one: Field) -> str:
    """How people call a reference: `owner_id` → `owner`."""
    return words(one.name.removesuffix("_id"))
