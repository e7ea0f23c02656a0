"""Sentences to read: `python -m envfactory_gym.synthesize.wording.sample airline --count 50`.

Draws wishes from a package's own rows and candidates, words them, and prints the requests, so that
a change of templates can be judged by eye. What is drawn need not be a good task; it only has to be
said well.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from ...environment import EnvironmentFault, Language, Package, Parameter, Tool, ToolError
from ...environment.files import read_yaml_as
from ...environment.registry import load_package
from ...verify.arguments import candidate_arguments
from ...world import LiveWorld, Template
from ..grounding.questions import answer_kind
from ..referring import Relation, references
from ..referring.said import sayable, ways
from .person import person
from .request import Speech, request
from .wish import Ask, Wish

MOST_ITEMS = 40


class Sampler:
    """Draws turns of wishes in one environment.

    Args:
        package: The environment.
        random: Draws.
        language: Instead of the package's own, to try words out.
    """

    def __init__(self, package: Package, random: Random, language: Language | None = None) -> None:
        self.package, self.random = package, random
        self.language = language or package.language
        self.world: LiveWorld = Template.of(package).acquire()
        self.speech = Speech(self.language, package.tools, package.schema)
        self._arguments: dict[str, list[dict[str, Any]]] = {}
        self._columns = self._relations()
        self.slots = [slot for slot in self.language.slots if self._table_of(slot)]

    def close(self) -> None:
        """Give the world back."""
        Template.of(self.package).release(self.world)

    def turns(self) -> Iterator[list[list[Wish]]]:
        """Conversations without end: each a list of turns, each a list of wishes."""
        tools = [tool for tool in self.package.tools.values() if tool.actor == "agent"]
        while True:
            tool = tools[int(self.random.random() * len(tools))]
            drawn = self.wish(tool)
            if drawn is None:
                continue
            wish, arguments = drawn
            conversation = [[wish]]
            if self.random.random() < 0.4:
                further = self._further(wish, arguments)
                if further is not None:
                    conversation.append([further])
            if self.random.random() < 0.25:
                other = self.wish(tools[int(self.random.random() * len(tools))])
                if other is not None and not set(other[0].literal) & set(wish.literal):
                    conversation[0].append(replace(other[0], told={}))
            yield conversation

    def wish(self, tool: Tool, again: Mapping[str, Any] | None = None) -> tuple[Wish, dict[str, Any]] | None:
        """A wish for a tool; None where some argument has no words.

        Args:
            tool: The tool.
            again: Column → value of rows spoken of before; they are not said again.
        """
        if tool.name not in self._arguments:
            self._arguments[tool.name] = list(candidate_arguments(self.world, tool, 400))
        known = self._arguments[tool.name]
        fitting = [
            one
            for one in known
            if not again or any(again.get(p.ref or "") == one.get(p.name) for p in tool.parameters if p.ref in again)
        ]
        if not fitting:
            return None
        arguments = fitting[int(self.random.random() * len(fitting))]
        words: dict[str, str] = {}
        repeated: list[str] = []
        told: dict[str, str] = {}
        for parameter in tool.parameters:
            value = arguments.get(parameter.name)
            if value is None or parameter.name in ("page", "limit", "offset"):
                continue
            column = (parameter.ref or "").partition(".")[2]
            if column in self.slots or parameter.name in self.slots:
                told["email" if "@" in str(value) else column if column in self.slots else parameter.name] = str(value)
            elif again and parameter.ref in again:
                repeated.append(parameter.name)
            else:
                said = self._say(tool, parameter, value)
                if said is None:
                    return None
                words[parameter.name] = said
        if told and not (self.random.random() < 0.4 and not again):
            told = {}
        asks = self._asks(tool, arguments, words, repeated)
        if tool.read_only and not asks:
            return None
        kind = "question" if tool.read_only else "action"
        if kind == "question" and asks and asks[0].row:
            words = {name: text for name, text in words.items() if text != asks[0].row}
        return Wish(kind, tool.name, words, tuple(repeated), asks=asks, told=told), arguments  # type: ignore[arg-type]

    def _further(self, wish: Wish, arguments: Mapping[str, Any]) -> Wish | None:
        """A later wish about the same row."""
        tool = self.package.tools[wish.tool]
        rows = {
            one.ref: arguments[one.name]
            for one in tool.parameters
            if one.ref and one.name in arguments and one.ref.partition(".")[2] not in self.slots
        }
        others = [
            other
            for other in self.package.tools.values()
            if other.actor == "agent" and other is not tool and any(one.ref in rows for one in other.parameters)
        ]
        if not rows or not others:
            return None
        drawn = self.wish(others[int(self.random.random() * len(others))], rows)
        return drawn[0] if drawn else None

    # ------------------------------------------------------------ words for values

    def _say(self, tool: Tool, parameter: Parameter, value: Any) -> str | None:
        target = parameter.ref
        if target is not None and "." in target:
            table, _, column = target.partition(".")
            found = self._reference(table, column, value)
            if found is not None:
                return found
        if isinstance(value, list):
            plain = all(isinstance(one, str) for one in value)
            return " and ".join(value) if value and plain else None
        spoken = self._phrases(tool, parameter.name, value)
        if spoken is not None:
            phrases = sayable(self.language.phrases[spoken][str(value)])
            return phrases[int(self.random.random() * len(phrases))]
        said = ways(parameter.name, value, self.language, self.world.now)
        return said[int(self.random.random() ** 2 * len(said))].words if said else None

    def _phrases(self, tool: Tool, name: str, value: Any) -> str | None:
        tables = self.language.phrases
        schema = next(one.schema for one in tool.parameters if one.name == name)
        admitted = {str(one) for one in schema.get("enum", ())}
        fits = [table for table, known in tables.items() if admitted and admitted <= set(known)]
        near = [table for table in tables if table.endswith(f"_{name}") or table == name]
        return next((table for table in (*near, *fits) if tables[table].get(str(value))), None)

    def _reference(self, table: str, column: str, value: Any) -> str | None:
        named = [name for name in self.language.nouns if column in self._columns.get(name, ())]
        relation = (named or [table])[0]
        rows = self.world.rows(f'SELECT * FROM "{relation}" WHERE "{column}" IS ? LIMIT 2', (value,))
        if len(rows) != 1:
            return None
        row = rows[0]
        scope: dict[str, Any] = {}
        details: dict[str, str] = {}
        for slot in self.slots:
            if slot in row and slot != column:
                scope[slot] = row[slot]
                break
        for name in ("origin_city", "destination_city"):
            if name in row:
                scope[name] = details[name] = row[name]
        where = " AND ".join(f'"{name}" IS ?' for name in scope) or "1"
        items = self.world.rows(
            f'SELECT * FROM "{relation}" WHERE {where} ORDER BY "{column}" IS NOT ?, 1 LIMIT {MOST_ITEMS}',
            (*scope.values(), value),
        )
        found = references(
            items,
            next(place for place, item in enumerate(items) if item[column] == value),
            relation=Relation(relation, column, f"{table}.{column}", {name: name for name in row}, scope),
            language=self.language, schema=self.package.schema, now=self.world.now, random=self.random, details=details,
        )  # fmt: skip
        good = [one for one in found if one.implicit >= 1] or found
        return good[int(self.random.random() * len(good))].words if good else None

    def _asks(
        self, tool: Tool, arguments: Mapping[str, Any], words: Mapping[str, str], repeated: Sequence[str]
    ) -> tuple[Ask, ...]:
        if not tool.read_only and self.random.random() < 0.6:
            return ()
        try:
            with self.world.trial():
                result = json.loads(self.world.call(tool.name, dict(arguments)))
        except (ToolError, EnvironmentFault):
            return ()
        properties = tool.output_schema.get("properties", {})
        options = []
        for name, schema in properties.items():
            value = result.get(name, 1 if schema.get("type") == "integer" else None)
            kind = answer_kind(name, value, schema) if value is not None else None
            if (
                kind is not None
                and not name.endswith("id")
                and name not in ("deleted", "page", "pages", "total", "position")
            ):
                options.append((name, kind))
        if not options:
            return ()
        name, kind = options[int(self.random.random() * len(options))]
        refs = {one.name: one.ref for one in tool.parameters}
        key = next((one for one in words if refs[one] and "." in (refs[one] or "")), None)
        table = (refs[key] or "").partition(".")[0] if key else None
        if not tool.read_only:
            return (Ask(name, kind, name, table, row=None, about="result"),)
        if key is not None:
            return (Ask(name, kind, name, table, row=words[key]),)
        return (Ask(name, kind, name, table, row=None, about="again" if repeated else "none"),)

    # ------------------------------------------------------------ schema

    def _relations(self) -> dict[str, tuple[str, ...]]:
        found = {name: table.names for name, table in self.package.schema.tables.items()}
        for name in self.language.nouns:
            if name not in found:
                rows = self.world.rows(f'SELECT * FROM "{name}" LIMIT 1')
                found[name] = tuple(rows[0]) if rows else ()
        return found

    def _table_of(self, slot: str) -> bool:
        return any(table.key == (slot,) for table in self.package.schema.tables.values()) or slot == "email"


def requests(
    package: Package, count: int, seed: int = 0, language: Language | None = None
) -> Iterator[tuple[str, list[str], tuple[str, ...]]]:
    """Worded conversations: the style, the requests, and the spans that had to stand in them."""
    random = Random(seed)
    sampler = Sampler(package, random, language)
    names = ["Imogen Clarke", "Antti Laine", "Carmen Torres", "Jamal Sullivan", "Priya Shaw", "Lena Schneider"]
    try:
        for _, conversation in zip(range(count), sampler.turns(), strict=False):
            who = person(random, names[int(random.random() * len(names))])
            texts = [
                request(wishes, speech=sampler.speech, person=who, random=random, turn=turn).text
                for turn, wishes in enumerate(conversation)
            ]
            literal = tuple(span for wishes in conversation for wish in wishes for span in wish.literal)
            yield who.style.name, texts, literal
    finally:
        sampler.close()


def main(arguments: Sequence[str] | None = None) -> None:
    """Print requests of a package."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("environment", help="a registered name, or a package folder")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--language", type=Path, help="another language.yaml, to try words out")
    parser.add_argument("--trusted", action="store_true", help="the folder's code may run here unverified")
    given = parser.parse_args(arguments)
    package = load_package(given.environment, trusted=given.trusted)
    language = read_yaml_as(given.language, Language) if given.language else None
    for style, texts, _ in requests(package, given.count, given.seed, language):
        sys.stdout.write(f"[{style}] " + "\n    || ".join(texts) + "\n\n")


if __name__ == "__main__":
    main()
