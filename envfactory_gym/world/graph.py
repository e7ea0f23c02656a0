"""A change of a world as a graph: rows are nodes, quoted ids are edges.

The surrogate ids of inserted rows, and whatever else was minted, disappear from the values and
become edges, wherever they stand: in foreign keys, in other columns, inside text or JSON. What is
left of a row is its base, which must be equal. Rows that existed before are nodes whose base holds
their key, so that they pair with themselves only.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from .matching import Graph
from .roles import Roles, Row

SHORTEST_NAME = 4
"""Ids shorter than this are not looked for inside text: they would be confused with words."""

SMALLEST_NUMBER = 1000
"""Minted integers below this are not looked for outside foreign keys: they would be confused with quantities."""

_COMPOUND = re.compile(r"[A-Za-z0-9]+(?:[-_.:/][A-Za-z0-9]+)*")
_SIMPLE = re.compile(r"[A-Za-z0-9]+")
_POSITION = 1 << 20
_NODE, _OWN = object(), object()
_UNUSED = -1


class Entry(NamedTuple):
    """One row of a change; `idle` where this side left alone what the other side changed."""

    table: str
    key: tuple[Any, ...]
    old: Row | None
    new: Row | None
    idle: bool = False

    @property
    def kind(self) -> str:
        """`insert`, `update` or `delete`."""
        return "insert" if self.old is None else "delete" if self.new is None else "update"


class Side:
    """One of the two changes, as a graph. Node n is entry n; minted ids that no row owns follow.

    Args:
        roles: Table name → roles of its columns.
        entries: The rows of this change.
        minted: Ids and codes made during the change.
    """

    def __init__(self, roles: dict[str, Roles], entries: Sequence[Entry], minted: Collection[Any]) -> None:
        self.roles, self.entries, self.minted = roles, entries, frozenset(minted)
        self.graph = Graph()
        self._ids: dict[str, dict[Any, int]] = {}
        self._names: dict[Any, int | None] = {}
        self._loose = 0
        for node, entry in enumerate(entries):
            if entry.old is None and entry.new is not None:
                self._register(node, entry.new, roles[entry.table])
        for value in self.minted:
            if value not in self._names and _is_name(value):
                self._names[value] = _UNUSED
        self._numbers = any(isinstance(value, int) for value in self._names)
        for node, entry in enumerate(entries):
            self._add(node, entry)
        for _ in range(self._loose):
            self.graph.base.append("minted")
            self.graph.out.append(())
            self.graph.labels.append(())

    def _loose_node(self) -> int:
        self._loose += 1
        return len(self.entries) + self._loose - 1

    def _register(self, node: int, row: Row, roles: Roles) -> None:
        for index, _, ref in roles.generated:
            self._own(ref, row[index], node)
        if self.minted:
            for index, _, ref in roles.keys:
                if row[index] in self.minted:
                    self._own(ref, row[index], node)

    def _own(self, ref: str, value: Any, node: int) -> None:
        if value is None:
            return
        domain = self._ids.get(ref)
        if domain is None:
            domain = self._ids[ref] = {}
        if value in domain:
            # Several rows carry this value: it is a thing of its own, to which they all refer.
            if domain[value] < len(self.entries):
                domain[value] = self._loose_node()
            node = domain[value]
        else:
            domain[value] = node
        if (isinstance(value, str) or value in self.minted) and _is_name(value):
            known = self._names.get(value, node)
            shared = domain[value] >= len(self.entries)
            self._names[value] = node if known == node or shared else None

    def target(self, ref: str, value: Any) -> int | None:
        """The node of this side that a reference to `ref` with this value leads to."""
        domain = self._ids.get(ref)
        if domain is not None and (node := domain.get(value)) is not None:
            return node
        return self._named(value) if self._names else None

    def split(self, value: Any) -> tuple[Any, list[int]]:
        """A text without the ids it quotes, and the nodes they lead to, in order."""
        if not isinstance(value, str):
            return value, []
        whole = self._named(value)
        if whole is not None:
            return _NODE, [whole]
        if len(value) <= SHORTEST_NAME:
            return value, []
        nodes: list[int] = []

        def replace(match: re.Match[str]) -> str:
            node = self._quoted(match.group())
            if node is None:
                return _SIMPLE.sub(replace_part, match.group())
            nodes.append(node)
            return "\0"

        def replace_part(match: re.Match[str]) -> str:
            node = self._quoted(match.group())
            if node is None:
                return match.group()
            nodes.append(node)
            return "\0"

        return _COMPOUND.sub(replace, value), nodes

    def _named(self, value: Any) -> int | None:
        node = self._names.get(value)
        if node == _UNUSED:
            # Made during the change, but not as the id of a row: a thing of its own.
            node = self._names[value] = self._loose_node()
        return node

    def _quoted(self, token: str) -> int | None:
        node = self._named(token)
        if node is None and self._numbers and token.isdecimal():
            node = self._named(int(token))
        return node

    def integer(self, value: Any) -> int | None:
        """The node of a minted number that stands in an integer column."""
        return self._named(value) if self._numbers and value is not None else None

    def generated(self, node: int, index: int, ref: str) -> tuple[Any, int | None]:
        """What stands for a surrogate id in the row's base, and the node it leads to, if any."""
        entry = self.entries[node]
        if entry.new is None or (value := entry.new[index]) is None:
            return None, None
        if entry.old is not None and entry.old[index] == value:
            return value, None
        found = self.target(ref, value)
        if found is None:
            return value, None
        return (_OWN, None) if found == node else (_NODE, found)

    def _add(self, node: int, entry: Entry) -> None:
        roles, row = self.roles[entry.table], entry.new
        if row is None:
            self.graph.base.append(("delete", entry.table, entry.key))
            self.graph.out.append(())
            self.graph.labels.append(())
            return
        targets: list[int] = []
        labels: list[int] = []
        base: list[Any] = [entry.table, None if entry.old is None else entry.key]
        names, constants = self._names, row
        if self._numbers:
            constants = tuple(row)
            for index, label in roles.integers:
                if (found := self.integer(row[index])) is not None:
                    constants = (*constants[:index], _NODE, *constants[index + 1 :])
                    targets.append(found)
                    labels.append(label)
        base.append(roles.constants(constants))
        for index, policy in roles.numbers:
            base.append(policy.canonical(row[index]))
        for index, label, ref in roles.references:
            found = self.target(ref, row[index])
            if found is None:
                base.append(row[index])
            else:
                base.append(_NODE)
                targets.append(found)
                labels.append(label)
        for index, label, ref in roles.generated:
            part, found = self.generated(node, index, ref)
            base.append(part)
            if found is not None:
                targets.append(found)
                labels.append(label)
        for index, label, ref in roles.keys:
            if entry.old is None:
                part, found = self.generated(node, index, ref)
                base.append(part)
                if found is not None:
                    targets.append(found)
                    labels.append(label)
        for index, label in roles.texts:
            if not names:
                base.append(row[index])
                continue
            part, nodes = self.split(row[index])
            base.append(part)
            for position, found in enumerate(nodes):
                targets.append(found)
                labels.append(label + position * _POSITION)
        self.graph.base.append(tuple(base))
        self.graph.out.append(targets)
        self.graph.labels.append(labels)
        if roles.checked:
            self.graph.checked.add(node)


def _is_name(value: Any) -> bool:
    """Whether an id is long enough to be recognised wherever it stands."""
    if isinstance(value, str):
        return len(value) >= SHORTEST_NAME
    return isinstance(value, int) and value >= SMALLEST_NUMBER
