"""How a solver finds a row that a user only describes: the calls, the sources, and the words.

People name a row in the best way it offers: by the key where the key is a name that people chose,
by its label, by another value that no other row has, and by its identifier only where nothing else
tells it apart. What is named by its key needs no lookup; the rest is looked up in a list, page
after page, until the row stands on a page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..emit.render import literal, quoted
from ..model import Field, Filter, Model, Resource, Row
from ..naming import words
from ..rows.data import Data
from .plan import Known, Plan, Source, derived, result

MAX_PAGES = 3
"""A row that stands further back is not asked for."""

_TELLING = re.compile(r"mail|user_?name|phone|number|code|sku|slug|url|address|domain|host|^ip|path|alias")
"""Columns by which people tell rows apart that have no label."""


@dataclass(frozen=True)
class Found:
    """A row that the solver knows.

    Attributes:
        words: How the request refers to it; spans stand in it literally.
        key: Its key, and where that comes from.
        scope: The argument that names its parent; empty without one.
        item: The listed row, as a source; None where the key was said.
    """

    resource: Resource
    row: Row
    words: str
    key: Known
    scope: dict[str, Known]
    item: Source | None

    @property
    def named(self) -> dict[str, Known]:
        """The arguments that name it."""
        return {**self.scope, self.resource.key_argument: self.key}


class Finder:
    """Finds rows of a model's base world by what people call them."""

    def __init__(self, model: Model, data: Data) -> None:
        self.model, self.data = model, data

    # ------------------------------------------------------------ what can be named

    def findable(self, resource: Resource, row: Row) -> bool:
        """Whether a request can name the row, and a solver find it within a few pages."""
        return self._way(resource, row) is not None and self.scopeable(resource, row)

    def scopeable(self, resource: Resource, row: Row) -> bool:
        """Whether a request can name the row's parent (true without one)."""
        owner = self._owner(resource, row)
        return owner is None or self.findable(*owner)

    def plainly_named(self, resource: Resource, row: Row) -> bool:
        """Whether people have a name for the row, so that no identifier stands in the request."""
        way = self._way(resource, row)
        owner = self._owner(resource, row)
        return way in ("key", "label", "value") and (owner is None or self.plainly_named(*owner))

    def _way(self, resource: Resource, row: Row) -> str | None:
        """`key`, `label`, `value` or `identifier`; None where the row cannot be named at all."""
        key = resource.key_field
        if key.references:
            above = self.model.resource(key.references)
            owner = next((one for one in self.data[above.table] if one[above.key] == row[resource.key]), None)
            return "owner" if owner is not None and self.findable(above, owner) else None
        speakable = _speakable(row[resource.key])
        if not resource.minted and key.kind == "text" and speakable:
            return "key"
        if (column := self._column(resource, row)) is not None:
            return "label" if column.label else "value"
        return "identifier" if speakable else None

    def _column(self, resource: Resource, row: Row) -> Field | None:
        """The column whose value tells the row apart in its list: the label, else another telling one."""
        if resource.tool("list") is None:
            return None
        return next((one for one in self._telling(resource) if self._tells(resource, row, one)), None)

    def _telling(self, resource: Resource) -> Iterator[Field]:
        label = resource.label
        if label is not None:
            yield label
        for one in resource.shown:
            open_ = one.role == "plain" and one.kind == "text" and not (one.long or one.enum or one.references)
            if open_ and one is not label and (one.unique or _TELLING.search(one.name)):
                yield one

    def _tells(self, resource: Resource, row: Row, column: Field) -> bool:
        text = str(row.get(column.name) or "")
        if not text or not _speakable(text):
            return False
        siblings = self._siblings(resource, row)
        if sum(str(other[column.name]).lower() == text.lower() for other in siblings) != 1:
            return False
        near = siblings.index(row) // resource.listing.default_limit < MAX_PAGES
        return near or self._filter(resource, column) is not None

    # ------------------------------------------------------------ finding

    def find(self, plan: Plan, resource: Resource, row: Row, *, key_only: bool = False) -> Found:
        """Add the calls that find a findable row to a plan.

        Args:
            plan: Where the calls go.
            resource: The row's table.
            row: A row of the base world.
            key_only: Whether no tool will be called about the row itself: a key that says all by itself then needs
                no parent beside it.
        """
        way = self._way(resource, row)
        alone = key_only and way in ("key", "identifier") and not resource.scoped
        scope, inside = ({}, "") if alone else self.scope(plan, resource, row)
        key, thing = row[resource.key], words(resource.one)
        if way == "owner":
            above = self.model.resource(resource.key_field.references or "")
            owner = next(one for one in self.data[above.table] if one[above.key] == key)
            found = self.find(plan, above, owner, key_only=True)
            return Found(resource, row, f"the {thing} of {found.words}", found.key, scope, None)
        if way in ("key", "identifier"):
            text = str(key)
            phrase = f'the {thing} "{text}"{inside}' if way == "key" else f"the {thing} {text}{inside}"
            source = plan.said(text) if isinstance(key, str) else derived("number", [plan.said(text)])
            self._refer(plan, phrase, resource, row, resource.key_field)
            return Found(resource, row, phrase, (key, source), scope, None)
        column = self._column(resource, row)
        if column is None:
            raise ValueError(f"no lookup of {resource.table}")
        text = str(row[column.name])
        named = f'"{text}"' if column.label else f'with the {words(column.name)} "{text}"'
        phrase = f"the {thing} {named}{inside}"
        item = self._listed(plan, resource, row, column, scope)
        self._refer(plan, phrase, resource, row, column)
        return Found(resource, row, phrase, (key, derived("field", [item], path=resource.key)), scope, item)

    def scope(self, plan: Plan, resource: Resource, row: Row) -> tuple[dict[str, Known], str]:
        """The parent's argument, and the words that name the parent; both empty without one."""
        owner = self._owner(resource, row)
        if owner is None or resource.parent_field is None:
            return {}, ""
        found = self.find(plan, *owner, key_only=True)
        return {resource.parent_field.name: found.key}, f" of {found.words}"

    def value(self, plan: Plan, found: Found, column: str) -> Known | None:
        """A column of a found row: from the list, from its key, or looked up; None where no tool shows it."""
        resource = found.resource
        value = found.row[column]
        if column == resource.key:
            return found.key
        if found.item is not None:
            return value, derived("field", [found.item], path=column)
        tool = resource.tool("get")
        if tool is None:
            return None
        arguments = {name: source for name, (_, source) in found.named.items()}
        known = next((one for one in plan.goal if one["tool"] == tool.name and one["arguments"] == arguments), None)
        call = known["id"] if known else plan.call(tool.name, found.named)
        return value, result(call, column)

    def _listed(self, plan: Plan, resource: Resource, row: Row, column: Field, scope: dict[str, Known]) -> Source:
        """List until the row stands on a page; the row there, as a source."""
        tool = resource.tool("list")
        assert tool is not None
        text = str(row[column.name])
        by = self._filter(resource, column)
        if by is not None:
            call = plan.call(tool.name, {**scope, by.argument: (text, plan.said(text))})
        else:
            call = plan.call(tool.name, scope)
            listing = resource.listing
            size = listing.default_limit
            for page in range(1, self._siblings(resource, row).index(row) // size + 1):
                if listing.cursor:
                    call = plan.call(tool.name, {**scope, "cursor": (str(page * size), result(call, "next_cursor"))})
                else:
                    call = plan.call(tool.name, {**scope, "offset": (page * size, result(call, "next_offset"))})
        where = [[column.name, "==", {"source": 1}]]
        return derived("first", [derived("filter", [result(call, resource.table), plan.said(text)], where=where)])

    def _refer(self, plan: Plan, phrase: str, resource: Resource, row: Row, column: Field) -> None:
        where = f"{quoted(column.name)} = {literal(row[column.name])}"
        if (parent := resource.parent_field) is not None:
            where += f" AND {quoted(parent.name)} = {literal(row[parent.name])}"
        sql = f"SELECT {quoted(resource.key)} FROM {quoted(resource.table)} WHERE {where}"
        plan.refer(phrase, sql, f"{resource.table}.{resource.key}")

    # ------------------------------------------------------------ the base world

    def _owner(self, resource: Resource, row: Row) -> tuple[Resource, Row] | None:
        """The row's parent, with its table."""
        parent = resource.parent_field
        if parent is None:
            return None
        above = self.model.resource(parent.references or "")
        return above, next(other for other in self.data[above.table] if other[above.key] == row[parent.name])

    def _siblings(self, resource: Resource, row: Row) -> list[Row]:
        """Rows of one list, in its order."""
        parent = resource.parent_field
        rows = [
            other for other in self.data[resource.table] if parent is None or other[parent.name] == row[parent.name]
        ]
        return sorted(rows, key=lambda other: other[resource.key])

    def _filter(self, resource: Resource, column: Field) -> Filter | None:
        return next((one for one in resource.listing.filters if one.op == "=" and one.column == column.name), None)


def _speakable(value: Any) -> bool:
    text = str(value)
    return text.isascii() and text.isprintable() and '"' not in text and 0 < len(text) <= 80


def reference_words(one: Field) -> str:
    """How people call a reference: `owner_id` → `owner`."""
    return words(one.name.removesuffix("_id"))
