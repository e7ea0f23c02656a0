"""What an adversary has seen in an episode, and which arguments can be made of it.

Every live value comes from the user's words or a tool's result, as it would for a model; schemas
add enums, bounds and the examples in their descriptions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import islice
from typing import Any

from ...episode.prose import plain
from ...episode.values import find, parse
from .public import Public, PublicTool

Message = dict[str, Any]

_EMAIL = r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
_CODE = r"\b(?=[A-Z0-9-]*\d)[A-Z0-9]+(?:-[A-Z0-9]+)*\b"
_PHONE = r"\+\d[\d ]{6,}\d"
_NAMES = r"\b[A-Z][\w'’]+(?:[ -][A-Z][\w'’]+)*"
_NO_NAMES = frozenset({"I", "I'm", "I'd", "I'll", "My", "The", "It", "Yes", "No", "Hi", "Hello", "Please", "Done"})
_NOW = re.compile(r"\((\d{4}-\d\d-\d\dT[\d:.]+Z)\)")
_EXAMPLE = re.compile(r"[\"“]([^\"”]{1,60})[\"”]")


class Seen:
    """The requests, results and errors of an episode so far.

    Attributes:
        said: Values in the user's words, the latest message first.
        columns: `table.column` → values that results showed for it, in order.
        keys: Key of a result → values that stood under it, in order.
        leaves: (key, value) of everything results told, in order, each once.
        words: Everything the user said.
        refused: Whether the latest call was refused.
    """

    def __init__(self, public: Public, messages: Sequence[Message]) -> None:
        self.public = public
        self.said: list[Any] = []
        self.columns: dict[str, dict[Any, None]] = {}
        self.keys: dict[str, dict[Any, None]] = {}
        self.leaves: dict[tuple[str, Any], None] = {}
        self.words: list[str] = []
        self.refused = False
        self._outputs = {tool.name: tool.outputs for tool in (*public.tools, *public.user_tools)}
        system = next((message["content"] for message in messages if message["role"] == "system"), "")
        match = _NOW.search(system)
        self.now = match[1] if match else None
        self.learn(messages)

    def learn(self, messages: Sequence[Message]) -> None:
        """Take in new messages."""
        for message in messages:
            if message["role"] == "user":
                self.words.append(message["content"])
                self.said[:0] = [value for value in self._values(message["content"]) if value not in self.said]
            elif message["role"] == "tool":
                payload = json.loads(message["content"])
                self.refused = isinstance(payload, dict) and "error" in payload
                if not self.refused:
                    self._walk(payload, "", "", self._outputs.get(message["name"], {}))

    def _values(self, text: str) -> Iterator[Any]:
        """Codes, addresses, numbers, days and names in a text."""
        for pattern in (_EMAIL, _CODE, _PHONE):
            yield from re.findall(pattern, text)
        words = plain(text)
        for mention in find("date", words):
            if (day := parse("date", words[mention.start : mention.end], now=self.now)) is not None:
                yield day
        for mention in find("number", words):
            if mention.value.denominator == 1:
                yield int(mention.value)
        for names in re.findall(_NAMES, text):
            yield from (name for name in dict.fromkeys((names, *names.split(" "))) if name not in _NO_NAMES)

    def _walk(self, node: Any, path: str, key: str, outputs: Mapping[str, str]) -> None:
        if isinstance(node, dict):
            for name, child in node.items():
                self._walk(child, f"{path}.{name}" if path else name, name, outputs)
        elif isinstance(node, list):
            for child in node:
                self._walk(child, f"{path}[]", key, outputs)
        elif node is not None:
            self.leaves[key, node] = None
            self.keys.setdefault(key, {})[node] = None
            if path in outputs:
                self.columns.setdefault(outputs[path], {})[node] = None

    # ------------------------------------------------------------ arguments

    def values(self, tool: PublicTool, name: str) -> list[Any]:
        """Values for one argument, likeliest first: enums, what was said, what results showed, examples, bounds."""
        schema = tool.arguments[name]
        options = [option for option in (schema, *schema.get("anyOf", ())) if option.get("type") != "null"]
        for option in options:
            if "enum" in option:
                return list(option["enum"])
            if option.get("type") == "boolean":
                return [True, False]
            if option.get("type") == "array":
                parts = [value for value in self._pool(tool, name) if fits(option.get("items", {}), value)]
                return [[value] for value in parts] or [[]]
        known = [value for value in self._pool(tool, name) if any(fits(option, value) for option in options)]
        return _distinct(known)

    def _pool(self, tool: PublicTool, name: str) -> Iterator[Any]:
        known = self.columns.get(tool.references.get(name, ""), {})
        examples = _EXAMPLE.findall(tool.arguments[name].get("description", ""))
        shapes = {shape(value) for value in (*known, *examples)}
        likely = [value for value in self.said if value in known]
        fitting = [value for value in self.said if shape(value) in shapes or not shapes]
        likely += sorted(fitting, key=lambda value: shape(value) == "words")
        likely += [*known, *self.keys.get(name, ())]
        yield from likely
        if name not in tool.references:
            # An example may be a live value of somebody else: it is used where nothing better is known.
            yield from examples
            yield from (1, 2, 3)
            yield from self.said
            yield from (self.now[:10], self.now) if self.now else ()
            yield from reversed(self.words)
        elif not likely:
            yield from examples

    def arguments(self, tool: PublicTool, limit: int, *, optional: bool = False) -> list[dict[str, Any]]:
        """Up to `limit` argument objects, likeliest first; with `optional`, every argument is given."""
        names = list(tool.arguments) if optional else list(tool.required)
        if not names:
            return [{}]
        most = {1: 60, 2: 12, 3: 6}.get(len(names), 4)
        lists = [self.values(tool, name)[:most] for name in names]
        return [dict(zip(names, combination, strict=True)) for combination in islice(likeliest(lists), limit)]


def likeliest(lists: Sequence[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
    """Every combination of one value per list, those of likely (early) values before those with an unlikely one.

    They are made one by one: a tool of twelve arguments has millions.
    """
    if not all(lists):
        return
    waiting = [(0, (0,) * len(lists))]
    while waiting:
        total, ranks = heappop(waiting)
        yield tuple(values[rank] for values, rank in zip(lists, ranks, strict=True))
        # Each combination comes from one other alone: the one whose last raised rank is lower by one.
        last = max((at for at, rank in enumerate(ranks) if rank), default=0)
        for at in range(last, len(lists)):
            if ranks[at] + 1 < len(lists[at]):
                heappush(waiting, (total + 1, (*ranks[:at], ranks[at] + 1, *ranks[at + 1 :])))


def _distinct(values: Sequence[Any]) -> list[Any]:
    """Each value once, in order; 1 and true differ."""
    return [value for _, value in dict.fromkeys((type(value), value) for value in values)]


def shape(value: Any) -> str:
    """What a value looks like: an address, a day, a code of letters and digits, a number, words."""
    if not isinstance(value, str):
        return "number"
    if "@" in value:
        return "address"
    if re.match(r"\d{4}-\d\d-\d\d", value):
        return "day"
    if re.search(r"\d", value):
        return "code" if re.search(r"[A-Za-z]", value) else "digits"
    return "words"


def fits(schema: Mapping[str, Any], value: Any) -> bool:
    """Whether a scalar may be worth sending where a schema stands: its type, pattern and bounds."""
    match schema.get("type"):
        case "string":
            return (
                isinstance(value, str)
                and len(value) <= schema.get("maxLength", 10_000)
                and re.search(schema.get("pattern", ""), value) is not None
                and (schema.get("format") != "date" or re.fullmatch(r"\d{4}-\d\d-\d\d", value) is not None)
            )
        case "integer" | "number" as kind:
            allowed = (int,) if kind == "integer" else (int, float)
            return (
                isinstance(value, allowed)
                and not isinstance(value, bool)
                and schema.get("minimum", value) <= value <= schema.get("maximum", value)
            )
        case None:
            return "anyOf" not in schema
        case _:
            return False
