"""Which inputs a user can provide, decided by rules: what people know, and what only a system knows.

A person knows what `language.yaml` lists as a slot, choices, dates, amounts, names and labels. A person does
not know a key of the database, unless its values read like words. What a user tool returns is told after
using it, hence comes from a call. A callable (a model) may be asked where only the name decided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ...environment import Package, Tool
from .flatten import Leaf, leaves
from .records import InputNode, Source
from .words import PAGING, says_clock, says_identifier

Judge = Callable[[Sequence[InputNode]], Mapping[tuple[str, str], bool]]
"""Asked about inputs that no declaration decided: can a user say them? Others than the asked are ignored."""

WEAK = frozenset({"text", "number", "identifier"})
"""Rules that look at a name only; a judge may overrule these and no others."""

_LOOKED_AT = 60


class Sayable:
    """The rules, over one package or bundle.

    Args:
        package: It is asked for slots, keys and values of columns.
    """

    def __init__(self, package: Package) -> None:
        self._slots = frozenset(package.language.slots)
        self._schema = package.schema
        self._package = package
        self._readable: dict[str, bool] = {}
        self._told = {
            path.rpartition(".")[2].removesuffix("[]"): tool.name
            for tool in package.tools.values()
            if tool.actor == "user"
            for path in _names(tool.output_schema)
        }

    def decide(self, tool: Tool, leaf: Leaf, ref: str | None, *, required: bool) -> tuple[Source, str]:
        """Where an input comes from by itself, and the rule that says so."""
        name, schema = leaf.name, leaf.schema
        if "const" in schema or len(schema.get("enum", ())) == 1:
            return "schema", "the only value"
        if name in PAGING:
            return ("user", "number") if required else ("schema", "paging")
        if says_clock(name):
            return "clock", "the present time"
        if slot := self._slot(tool, name, ref):
            return "user", f"slot {slot}"
        if schema.get("enum") or _inner(schema).get("enum") or leaf.type == "boolean":
            return "user", "choice"
        if (teller := self._told.get(name)) and teller != tool.name:
            return "call", f"told by {teller}"
        if ref is not None:
            return self._by_ref(ref)
        if leaf.type in ("date", "date-time"):
            return "user", "date"
        if says_identifier(name):
            return "call", "identifier"
        return ("user", "number") if leaf.type in ("integer", "number") else ("user", "text")

    def _slot(self, tool: Tool, name: str, ref: str | None) -> str | None:
        column = ref.rpartition(".")[2] if ref else None
        for plain in (name, f"new_{name}", column):
            for slot in (plain, f"{tool.prefix}{plain}"):
                if plain is not None and slot in self._slots:
                    return slot
        return None

    def _by_ref(self, ref: str) -> tuple[Source, str]:
        table, _, column = ref.partition(".")
        found = self._schema.tables.get(table)
        if found is None or column not in found.names:
            return "call", "shared key"
        if found.column(column).primary_key or found.column(column).references or says_identifier(column):
            return ("user", "readable") if self._reads_like_words(table, column) else ("call", "key")
        return "user", "label"

    def _reads_like_words(self, table: str, column: str) -> bool:
        """Whether the values of a column are words that people say: `London`, `gold`, not `K7Q2MD`."""
        key = f"{table}.{column}"
        if key not in self._readable:
            values = [row.get(column) for row in self._package.rows(table)[:_LOOKED_AT]]
            self._readable[key] = bool(values) and all(_wordlike(value) for value in values)
        return self._readable[key]


def judged(inputs: Iterable[InputNode], judge: Judge | None) -> list[InputNode]:
    """Inputs after a judge was asked about those that only a name decided."""
    found = list(inputs)
    if judge is None:
        return found
    asked = [node for node in found if node.why in WEAK]
    verdicts = judge(asked) if asked else {}
    open_to = {node.key for node in asked}
    return [
        node.model_copy(update={"source": "user" if verdicts[node.key] else "call", "why": "judged"})
        if node.key in open_to and node.key in verdicts
        else node
        for node in found
    ]


def _wordlike(value: object) -> bool:
    if not isinstance(value, str) or len(value) < 3 or any(sign.isdigit() for sign in value):
        return False
    return any(sign.islower() for sign in value)


def _inner(schema: Mapping[str, object]) -> Mapping[str, object]:
    items = schema.get("items")
    return items if isinstance(items, Mapping) else {}


def _names(schema: Mapping[str, object]) -> list[str]:
    return [leaf.path for leaf in leaves(schema)]


__all__ = ["Judge", "Sayable", "judged"]
