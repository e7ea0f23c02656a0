"""What grounding knows about an environment before it looks at a chain; found once, by execution.

Whose rows there are (the *principal*: the table of the people who ask, known from a slot of
language.yaml that is a key), which tools list which keys, and which arguments are likely to work.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...environment import EnvironmentFault, Package, Tool, ToolError
from ...episode.sources import SourceError, walk
from ...verify.arguments import Candidates, candidate_arguments, hinted_arguments
from ...world import LiveWorld, Template
from .cures import Cures
from .relations import Fit, Relations
from .widening import widened

MAX_CANDIDATES = 3000
"""Argument tuples of one tool that are looked at, spread over all it gives."""


ENOUGH_OWNERS = 4
"""People who must have rows for some tools before anybody is thought to wish for all of them."""

SAMPLED_CALLS, SAMPLED_LISTS = 60, 4
"""Calls made to see what a tool lists, and lists that are enough."""


_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+\Z")


@dataclass(frozen=True)
class Producer:
    """A place in the result of a reading tool where values of a column stand.

    Attributes:
        tool: The tool.
        items: Path of the list; None where the result itself is the item.
        field: Path of the value within an item.
    """

    tool: Tool
    items: str | None
    field: str

    @property
    def needs(self) -> tuple[str, ...]:
        """Arguments that the tool cannot do without."""
        return tuple(parameter.name for parameter in self.tool.parameters if parameter.required)


class Landscape:
    """Facts about one environment, shared by all its tasks.

    Args:
        package: The environment.
        world: A world in base state, which is only read.
    """

    def __init__(self, package: Package, world: LiveWorld) -> None:
        self.package, self.world = package, world
        self.relations = Relations(package, world)
        self.references = {
            f"{table.name}.{column.name}": column.references
            for table in package.schema.tables.values()
            for column in table.columns
            if column.references
        }
        self._cured_owners: dict[str, frozenset[Any]] = {}
        self._curable: dict[tuple[str, Any], list[dict[str, Any]]] = {}
        self._refused: dict[tuple[str, str], list[dict[str, Any]]] = {}
        self.cures = Cures(self)
        self._shown: dict[tuple[str, Any], list[tuple[str, dict[str, Any]]]] = {}
        self._parts: dict[str, list[tuple[str, Any, Any]]] = {}
        self._fits: dict[tuple[str, str, str, str], Fit | None] = {}
        self.bindings: dict[tuple[str, str, str], dict[str, str] | None] = {}
        self.varieties: dict[tuple[str, str], bool] = {}
        self._arguments: dict[str, list[tuple[dict[str, Any], Any]]] = {}
        self._by_owner: dict[str, dict[Any, list[dict[str, Any]]]] = {}
        self._owners: dict[tuple[str, Any], Any] = {}

    @classmethod
    def of(cls, package: Package) -> Landscape:
        """The landscape of a package, on a world of its own."""
        return cls(package, Template.of(package).acquire())

    # ------------------------------------------------------------ who asks

    @cached_property
    def principal(self) -> str | None:
        """The key (`table.column`) of the people who ask; None where staff asks, about everybody's rows."""
        for slot in self.package.language.slots:
            for table in self.package.schema.tables.values():
                if table.key == (slot,) and any(
                    parameter.ref == f"{table.name}.{slot}"
                    for tool in self.package.tools.values()
                    for parameter in tool.parameters
                ):
                    return f"{table.name}.{slot}"
        return None

    def person(self, owner: Any) -> Mapping[str, Any]:
        """The row of the one who asks."""
        if self.principal is None:
            return {}
        table, _, key = self.principal.partition(".")
        rows = self.relations.rows(table, key, owner)
        return rows[0] if rows else {}

    @cached_property
    def addresses(self) -> Mapping[str, Any]:
        """E-mail address to owner, of everybody who could ask: how a person is known in other environments."""
        if self.principal is None:
            return {}
        table, _, key = self.principal.partition(".")
        found: dict[str, Any] = {}
        for owner in sorted(self.relations.values(table, key)):
            for value in self.person(owner).values():
                if isinstance(value, str) and _ADDRESS.match(value):
                    found.setdefault(value.lower(), owner)
        return found

    @cached_property
    def identities(self) -> tuple[str, ...]:
        """Slots by which the principal is known: columns of its table that language.yaml says people know."""
        if self.principal is None:
            return ()
        columns = self.package.schema.tables[self.principal.partition(".")[0]].names
        return tuple(slot for slot in self.package.language.slots if slot in columns)

    def _identified(self, value: Any) -> Any:
        """The principal's key that goes with one of its identities."""
        table, _, key = (self.principal or "").partition(".")
        for slot in self.identities:
            rows = self.relations.rows(table, slot, value)
            if len(rows) == 1:
                return rows[0][key]
        return None

    def owner(self, target: str, value: Any) -> Any:
        """Whose row a value names; None where it is nobody's."""
        if self.principal is None:
            return None
        known = (target, value)
        if known not in self._owners:
            self._owners[known] = (
                self._identified(value) if target == self.principal else self._find_owner(target, value)
            )
        return self._owners[known]

    def _find_owner(self, target: str, value: Any) -> Any:
        table, _, column = target.partition(".")
        path = self._path_to_principal(table) if table in self.package.schema.tables else None
        if path is None:
            return None
        for via, above in path:
            rows = self.world.query(f'SELECT DISTINCT "{via}" FROM "{table}" WHERE "{column}" IS ? LIMIT 2', (value,))
            if len(rows) != 1 or rows[0][0] is None:
                return None
            value = rows[0][0]
            table, _, column = above.partition(".")
        return value

    def _path_to_principal(self, table: str) -> list[tuple[str, str]] | None:
        """Columns to follow from a table to the principal, the shortest way; empty at the principal itself."""
        if self.principal is None:
            return None
        if table == self.principal.partition(".")[0]:
            return [(self.principal.partition(".")[2], self.principal)]
        seen = {table}
        ways: list[tuple[str, list[tuple[str, str]]]] = [(table, [])]
        while ways:
            here, way = ways.pop(0)
            for column in self.package.schema.tables[here].columns:
                if column.references is None:
                    continue
                if column.references == self.principal:
                    return [*way, (column.name, column.references)]
                above = column.references.partition(".")[0]
                if above not in seen:
                    seen.add(above)
                    ways.append((above, [*way, (column.name, column.references)]))
        return None

    def shown(self, target: str, value: Any) -> list[tuple[str, dict[str, Any]]]:
        """The row that a key names, in its table and in every view that shows it once, of the base world."""
        known = (target, value)
        if known not in self._shown:
            table, _, column = target.partition(".")
            names = [table, *(name for name in self.relations.having(column) if name != table)]
            found = []
            for name in names:
                rows = (
                    self.relations.rows(name, column, value) if column in self.relations.columns.get(name, ()) else []
                )
                if len(rows) == 1:
                    found.append((name, rows[0]))
            self._shown[known] = found
        return self._shown[known]

    # ------------------------------------------------------------ what can be called with what

    def arguments(self, tool: Tool) -> list[tuple[dict[str, Any], Any]]:
        """Arguments likely to work in the base world, each with the owner of the rows it names.

        Arguments that name rows of two owners are left out; nobody could ask for that.
        """
        if tool.name not in self._arguments:
            found = []
            for arguments in candidate_arguments(self.world, tool, MAX_CANDIDATES):
                owners = {owner for owner in self._owners_of(tool, arguments) if owner is not None}
                if len(owners) <= 1:
                    found.append((arguments, next(iter(owners), None)))
            self._arguments[tool.name] = widened(self.world, tool, found, self._keys, self.owner)
        return self._arguments[tool.name]

    def _keys(self, target: str) -> list[Any]:
        """All values of a column, in order; none of a column that is no table's."""
        table, _, column = target.partition(".")
        return sorted(self.relations.values(table, column)) if table in self.package.schema.tables else []

    def owners(self, tool: Tool) -> frozenset[Any]:
        """Everybody who has rows that the tool is likely to work on; empty where they are nobody's."""
        if tool.name not in self._by_owner:
            self._index(tool)
        return frozenset(owner for owner in self._by_owner[tool.name] if owner is not None) | self._cured(tool)

    def together(self, tools: frozenset[str]) -> bool:
        """Whether a few people each have rows that all these tools are likely to work on."""
        able: frozenset[Any] | None = None
        for name in sorted(tools):
            tool = self.package.tools[name]
            owners = self.owners(tool) if tool.actor == "agent" else frozenset()
            if owners:
                able = owners if able is None else able & owners
        return able is None or len(able) >= ENOUGH_OWNERS

    def owned(self, tool: Tool, owner: Any) -> list[dict[str, Any]]:
        """Arguments likely to work on rows of an owner, or on rows that are nobody's."""
        if tool.name not in self._by_owner:
            self._index(tool)
        found = self._by_owner[tool.name]
        return found.get(None, []) + (found.get(owner, []) if owner is not None else [])

    def curable(self, tool: Tool, owner: Any) -> list[dict[str, Any]]:
        """Arguments of an owner that a policy rule refuses: something else may have to be done first."""
        known = (tool.name, owner)
        if known not in self._curable:
            rules = [reason for reason in sorted(tool.refused) if reason in self.package.policy.rules]
            refused = [
                arguments
                for rule in rules
                for arguments in self.refused(tool, rule)
                if {one for one in self._owners_of(tool, arguments) if one is not None} <= {owner}
            ]
            self._curable[known] = [*refused, *(self._lent(tool, arguments) for arguments in refused)]
        return self._curable[known]

    def _lent(self, tool: Tool, arguments: dict[str, Any]) -> dict[str, Any]:
        """Arguments with the values, other than keys, of a call that works: a refused one may have none that matter."""
        working = self.arguments(tool)
        if not working:
            return arguments
        lent = working[sum(map(ord, repr(sorted(arguments.items())))) % len(working)][0]
        own = {one.name for one in tool.parameters if one.ref}
        return {
            **{name: value for name, value in arguments.items() if name in own},
            **{name: value for name, value in lent.items() if name not in own},
        }

    def _cured(self, tool: Tool) -> frozenset[Any]:
        """Everybody for whom the tool works once a cure has been made."""
        if tool.name not in self._cured_owners:
            owners: set[Any] = set()
            for rule in sorted(tool.refused):
                tuples = self.refused(tool, rule) if rule in self.package.policy.rules else []
                if tuples and self.cures.of(self.world, tool, tuples[0], rule) is not None:
                    owners.update(owner for one in tuples for owner in self._owners_of(tool, one) if owner is not None)
            self._cured_owners[tool.name] = frozenset(owners)
        return self._cured_owners[tool.name]

    def refused(self, tool: Tool, reason: str) -> list[dict[str, Any]]:
        """Arguments that the tool refuses for a reason, as its hint gives them."""
        known = (tool.name, reason)
        if known not in self._refused:
            self._refused[known] = list(hinted_arguments(self.world, tool, tool.refused[reason]))[:MAX_CANDIDATES]
        return self._refused[known]

    def is_known(self, target: str, value: Any) -> bool:
        """Whether a value stands in a column of the base world."""
        table, _, column = target.partition(".")
        return table in self.package.schema.tables and value in self.relations.values(table, column)

    def owner_of(self, tool: Tool, arguments: Mapping[str, Any]) -> Any:
        """Whose rows a call names; None where they are nobody's."""
        return next((owner for owner in self._owners_of(tool, arguments) if owner is not None), None)

    def _index(self, tool: Tool) -> None:
        found: dict[Any, list[dict[str, Any]]] = {}
        for arguments, owner in self.arguments(tool):
            found.setdefault(owner, []).append(arguments)
        self._by_owner[tool.name] = found

    def _owners_of(self, tool: Tool, arguments: Mapping[str, Any]) -> Iterator[Any]:
        for parameter in tool.parameters:
            value = arguments.get(parameter.name)
            if parameter.ref and isinstance(value, (str, int)):
                yield self.owner(parameter.ref, value)

    @cached_property
    def candidates(self) -> Candidates:
        """Arguments and base rates, as certificates use them."""
        return Candidates(self.package)

    # ------------------------------------------------------------ where values are listed

    @cached_property
    def producers(self) -> dict[str, list[Producer]]:
        """Column (`table.column`) → places in results of reading tools where its values stand."""
        found: dict[str, list[Producer]] = {}
        for tool in self.package.tools.values():
            if not tool.read_only or tool.actor != "agent":
                continue
            for path, target in tool.outputs.items():
                items, _, field = path.rpartition("[].")
                if "[]" in items or "[]" in field:
                    continue  # lists within lists are reached through the outer item's own tool
                found.setdefault(target, []).append(Producer(tool, items if "[]." in path else None, field))
        return found

    def fit(self, tool: Tool, path: str, field: str, key: str, given: Mapping[str, Any]) -> Fit | None:
        """The table or view behind a listed result, within what the call asked for; None where none fits.

        Which relation it is depends on the tool alone: it is found on lists of the base world.

        Args:
            tool: The tool.
            path: Where its result has the list.
            field: Field of the items that holds the key.
            key: The key's column.
            given: What was asked for, by argument and by column.
        """
        known = (tool.name, path, field, key)
        if known not in self._fits:
            self._fits[known] = self.relations.behind(self._lists(tool, path), field, key, self.world)
        found = self._fits[known]
        if found is None:
            return None
        return self.relations.scoped(found, given)

    def _lists(self, tool: Tool, path: str) -> list[tuple[list[Any], dict[str, Any]]]:
        """A few lists that a tool gives in the base world, with the arguments it was called with."""
        found: list[tuple[list[Any], dict[str, Any]]] = []
        for arguments, _ in self.arguments(tool)[:SAMPLED_CALLS]:
            try:
                result = json.loads(self.world.call(tool.name, arguments, actor=tool.actor))
                items = walk(result, path)
            except (ToolError, EnvironmentFault, SourceError):
                continue
            if isinstance(items, list) and items and all(isinstance(item, dict) for item in items):
                found.append((items, arguments))
            if len(found) == SAMPLED_LISTS:
                break
        return found

    def table_of_parts(self, producer: Producer) -> str | None:
        """The table behind a list of parts, by the list's name."""
        name = (producer.items or "").rpartition(".")[2]
        table = self.package.schema.tables.get(name)
        return name if table is not None and producer.field in table.names else None

    def parts_named(self, name: str) -> list[tuple[str, Any, Any]]:
        """Lists and objects that rows are shown with under a name: column of the key, key, and the part itself.

        Nobody dictates such a part, but a row that has it can be pointed at.
        """
        if name not in self._parts:
            found: list[tuple[str, Any, Any]] = []
            for target, places in sorted(self.producers.items()):
                table, _, column = target.partition(".")
                definition = self.package.schema.tables.get(table)
                if definition is None or definition.key != (column,):
                    continue
                for producer in places:
                    if producer.items is None or producer.field != column:
                        continue
                    for items, _given in self._lists(producer.tool, producer.items):
                        found += [(target, one[column], one[name]) for one in items if one.get(name) and column in one]
            self._parts[name] = found
        return self._parts[name]

    # ------------------------------------------------------------ how values are said

    def phrase_table(self, tool: Tool, parameter: str, value: Any) -> str | None:
        """The phrase table of language.yaml that says a value of an argument; the narrowest that fits."""
        tables = self.package.language.phrases
        named = [name for name in tables if name in (parameter, f"{tool.name}_{parameter}")]
        schema = next((one.schema for one in tool.parameters if one.name == parameter), {})
        admitted = set(map(str, enum_of(schema)))
        fitting = [name for name, table in tables.items() if admitted and admitted <= set(table)]
        ending = [name for name in tables if name.endswith(f"_{parameter}")]
        for name in (*named, *sorted(fitting, key=lambda one: (len(tables[one]), one)), *ending):
            if tables[name].get(str(value)):
                return name
        return None


def enum_of(schema: Mapping[str, Any]) -> list[Any]:
    """The values that a schema lists, null left out."""
    for option in (schema, *schema.get("anyOf", ())):
        if option.get("enum"):
            return [value for value in option["enum"] if value is not None]
    return []
