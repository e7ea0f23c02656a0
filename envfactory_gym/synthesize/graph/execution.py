"""What execution says about a graph: real results given as inputs to real calls.

A lookup's results are held against calls that succeed: where the lookup can be asked about the same things
(`get_reservation` about the reservation that is changed), it is; else all its results count. A write is made
first, and the call after it, in the state that it left. Every call is undone, and all is bounded: a
few calls a tool, a few tries a link.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

from ...environment import EnvironmentFault, Package, Tool, ToolError
from ...verify.arguments import HintError, candidate_arguments, hinted_arguments
from ...world import LiveWorld
from .behind import Behind
from .flatten import put_at, values_at
from .records import InputNode, Link, OutputNode

STATEFUL = frozenset({"conflict", "forbidden", "limit"})
"""Codes of refusals that another state could lift."""


@dataclass(frozen=True)
class Budget:
    """How much is executed.

    Attributes:
        calls: Calls a tool is asked for, to learn what it accepts and returns.
        looks: Accepted calls of a consumer that a link is held against.
        tries: Calls made for one link, and examples looked at for one refusal.
        writes: Calls of a write that are followed by others.
    """

    calls: int = 40
    looks: int = 12
    tries: int = 3
    writes: int = 4


@dataclass(frozen=True)
class Played:
    """A call that succeeded: what it was given and what it returned."""

    arguments: dict[str, Any]
    result: Any


class Trials:
    """Calls made in a world, and what they showed.

    Args:
        package: Whose tools.
        world: A world as it begins; it is left as it was.
        inputs, outputs: Tool → what it takes and returns.
        budget: How much is executed.
        seed: Arguments are drawn from it where a tool gives no candidates.
    """

    def __init__(
        self,
        package: Package,
        world: LiveWorld,
        inputs: Mapping[str, Sequence[InputNode]],
        outputs: Mapping[str, Sequence[OutputNode]],
        *,
        budget: Budget = Budget(),
        seed: int = 0,
    ) -> None:
        self.world, self.budget = world, budget
        self.tools: dict[str, Tool] = dict(package.tools)
        self.inputs, self.outputs = inputs, outputs
        self.accepted: dict[str, list[Played]] = {}
        self.refused: dict[str, list[tuple[str, dict[str, Any]]]] = {}
        self._behind = Behind(package, world)
        self._asked: dict[tuple[str, str], Any] = {}
        self._returned: dict[tuple[str, str], set[str]] = {}
        self._given: dict[tuple[str, str], set[str]] = {}
        self._anything: dict[tuple[str, str], bool] = {}
        for tool in self.tools.values():
            self.accepted[tool.name], self.refused[tool.name] = self._play(tool, seed)

    # ------------------------------------------------------------ single calls

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Any:
        """The result of a call, whose effects stay.

        Raises:
            ToolError: It is refused.
        """
        return json.loads(self.world.call(tool, arguments, actor=self.tools[tool].actor))

    def tried(self, tool: str, arguments: Mapping[str, Any]) -> Played | None:
        """A call without lasting effects; None where it is refused or fails."""
        with self.world.trial():
            try:
                return Played(dict(arguments), self.call(tool, arguments))
            except (ToolError, EnvironmentFault):
                return None

    def _play(self, tool: Tool, seed: int) -> tuple[list[Played], list[tuple[str, dict[str, Any]]]]:
        accepted, refused = [], []
        for arguments in candidate_arguments(self.world, tool, self.budget.calls, seed=seed):
            with self.world.trial():
                try:
                    accepted.append(Played(arguments, self.call(tool.name, arguments)))
                except ToolError as error:
                    if error.code in STATEFUL:
                        refused.append((error.reason or error.code, arguments))
                except EnvironmentFault:
                    continue  # the report of the environment says so; a graph can do without this call
        for reason, sql in tool.refused.items():
            try:
                examples = list(islice(hinted_arguments(self.world, tool, sql), 200))
            except HintError:
                continue  # as above
            refused.extend((reason, arguments) for arguments in spread(examples, self.budget.tries))
        return accepted, refused

    # ------------------------------------------------------------ what is repeated, and what is new

    def echo(self, output: OutputNode) -> str | None:
        """The tool's own input whose value an output only repeats, in every call that succeeded.

        Where an output was never seen, an input of the same name and meaning is taken to be repeated.
        """
        for node in self.inputs[output.tool]:
            same = node.ref == output.ref
            if not ((node.ref and same) or output.name == node.path):
                continue
            pairs = [
                (given_at(played.arguments, node), values_at(played.result, output.path))
                for played in self.accepted[output.tool]
            ]
            seen = [(given, found) for given, found in pairs if found]
            if not seen and same and output.name == node.path:
                return node.path
            if seen and all(set(map(as_text, given)) == set(map(as_text, found)) for given, found in seen):
                return node.path
        return None

    def fresh(self, tool: str) -> set[str]:
        """Places in a write's result that hold what the write made: ids minted, and keys that were not there before."""
        counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        for played in spread(self.accepted[tool], self.budget.writes):
            before = self.world.minted
            for output in self.outputs[tool]:
                for value in values_at(played.result, output.path)[:1]:
                    counts[output.path][0] += 1
                    if output.ref:
                        counts[output.path][1] += not self._behind.row(output.ref, value) and tells(value)
            with self.world.trial():
                try:
                    result = self.call(tool, played.arguments)
                except (ToolError, EnvironmentFault):
                    continue
                minted = self.world.minted - before
                for output in self.outputs[tool]:
                    if (
                        not output.ref
                        and minted
                        and set(map(as_text, values_at(result, output.path))) & set(map(as_text, minted))
                    ):
                        counts[output.path][1] += 1
        return {path for path, (seen, new) in counts.items() if seen and new >= seen}

    # ------------------------------------------------------------ links

    def returned(self, output: OutputNode) -> set[str]:
        """Every value seen at an output, as JSON text."""
        found = self._returned.get(output.key)
        if found is None:
            found = {
                as_text(value)
                for played in self.accepted[output.tool]
                for value in values_at(played.result, output.path)
            }
            self._returned[output.key] = found
        return found

    def about(self, tool: str, known: Mapping[str, Any]) -> dict[str, Any] | None:
        """Arguments that ask a tool about known things (ref → value); None where a required one is not known."""
        arguments: dict[str, Any] = {}
        for node in self.inputs[tool]:
            if not node.required:
                continue
            if node.ref is None or node.ref not in known or node.path != node.argument:
                return None
            arguments[node.path] = known[node.ref]
        return arguments or None

    def known(self, tool: str, arguments: Mapping[str, Any], without: str = "") -> dict[str, Any]:
        """What a call is about: ref → value of each input but one."""
        found: dict[str, Any] = {}
        for node in self.inputs[tool]:
            values = values_at(arguments, node.path)
            if node.ref and node.path != without and len(values) == 1 and node.ref not in found:
                found[node.ref] = values[0]
        return found

    def lookup(self, link: Link, output: OutputNode, wanted: InputNode) -> Link:
        """A link from a tool that only reads, with what execution says about it."""
        tried = accepted = 0
        offered: list[tuple[dict[str, Any], Any]] = []
        everything = self.returned(output)
        for played in spread(self.accepted[link.consumer], self.budget.looks):
            given = given_at(played.arguments, wanted)
            known = self.known(link.consumer, played.arguments, wanted.path)
            found, asked = everything, self._asked_about(link.producer, known)
            if asked is not None:
                values = values_at(asked, output.path)
                found = {as_text(value) for value in values}
                offered.extend((played.arguments, value) for value in values[:1])
            if given:
                tried += 1
                hit = all(as_text(value) in found for value in given)
                if not hit and asked is None:
                    hit = self._found_by_row(link, output, wanted, given, known)
                accepted += hit and (link.declared or all(map(tells, given)))
        if not accepted:
            more, accepted = self._substituted(link, output, wanted, offered)
            tried += more
        return link.model_copy(update={"tried": tried, "accepted": accepted})

    def _asked_about(self, tool: str, known: Mapping[str, Any]) -> Any:
        """What a tool returns about known things; None where it cannot be asked about just them."""
        arguments = self.about(tool, known)
        return None if arguments is None else self._ask(tool, arguments)

    def _found_by_row(
        self, link: Link, output: OutputNode, wanted: InputNode, given: Sequence[Any], known: Mapping[str, Any]
    ) -> bool:
        """Whether the producer returns a given value when it is asked about the row that the value names."""
        ref = wanted.ref
        pool = self.accepted[link.producer]
        if ref is None or not pool:
            return False
        for value in given:
            arguments = self._behind.arguments(self.inputs[link.producer], ref, value, known, pool[0].arguments)
            result = None if arguments is None else self._ask(link.producer, arguments)
            if as_text(value) not in map(as_text, values_at(result, output.path)):
                return False
        return True

    def _ask(self, tool: str, arguments: Mapping[str, Any]) -> Any:
        key = tool, as_text(arguments)
        if key not in self._asked:
            played = self.tried(tool, arguments)
            self._asked[key] = None if played is None else played.result
        return self._asked[key]

    def _substituted(
        self, link: Link, output: OutputNode, wanted: InputNode, offered: Sequence[tuple[dict[str, Any], Any]]
    ) -> tuple[int, int]:
        """Calls with a really returned value in the place of another: how many, and how many were accepted."""
        calls = spread(offered, self.budget.tries)
        if not calls:
            pool = spread(self.accepted[link.consumer], self.budget.tries)
            values = spread(sorted(self.returned(output)), self.budget.tries)
            calls = [(played.arguments, json.loads(value)) for played, value in zip(pool, values, strict=False)]
        tried = accepted = 0
        telling = link.declared or not self.takes_anything(wanted)
        for arguments, value in calls:
            tried += 1
            if link.declared or (telling and tells(value)):
                accepted += self.tried(link.consumer, put_at(arguments, wanted.path, value)) is not None
        return tried, accepted

    def after_write(self, producer: str, links: Iterable[Link]) -> Iterator[Link]:
        """The links from one write, with what execution says: the write is made, and the others called after it."""
        counts: dict[tuple[str, str, str, str], list[int]] = defaultdict(lambda: [0, 0])
        links = list(links)
        for played in spread(self.accepted[producer], self.budget.writes):
            with self.world.trial():
                try:
                    result = self.call(producer, played.arguments)
                except (ToolError, EnvironmentFault):
                    continue
                context = self.known(producer, played.arguments)
                for output in self.outputs[producer]:
                    if output.ref and len(found := values_at(result, output.path)) == 1:
                        context.setdefault(output.ref, found[0])
                for link in links:
                    count = counts[link.key]
                    if count[1] >= 2 or count[0] >= self.budget.tries:
                        continue
                    for value in values_at(result, link.output)[:1]:
                        count[0] += 1
                        count[1] += self._accepts(link, value, context)
        for link in links:
            tried, accepted = counts[link.key]
            yield link.model_copy(update={"tried": tried, "accepted": accepted})

    def _accepts(self, link: Link, value: Any, context: Mapping[str, Any]) -> bool:
        """Whether the consumer accepts a value now, other inputs being about the same things where they can."""
        pool = self.accepted[link.consumer]
        same = [played for played in pool if as_text(value) in map(as_text, values_at(played.arguments, link.input))]
        for played in [*same[:1], *pool[:1]]:
            plain = put_at(played.arguments, link.input, value)
            bound = dict(plain)
            for node in self.inputs[link.consumer]:
                if node.path in plain and node.path != link.input and node.ref is not None:
                    bound[node.path] = context.get(node.ref, plain[node.path])
            if self.tried(link.consumer, bound) or (bound != plain and self.tried(link.consumer, plain)):
                return True
        return False

    # ------------------------------------------------------------ discovery

    def shared_values(self, output: OutputNode, wanted: InputNode) -> int:
        """How many different keys (by their looks) are both returned at an output and accepted as an input."""
        if wanted.key not in self._given:
            self._given[wanted.key] = {
                as_text(value)
                for played in self.accepted[wanted.tool]
                for value in given_at(played.arguments, wanted)
                if identifies(value)
            }
        given = self._given[wanted.key]
        return len(given & self.returned(output)) if given else 0

    def takes_anything(self, wanted: InputNode) -> bool:
        """Whether an input accepts a made-up value of the same shape, so that being accepted there proves nothing."""
        if wanted.key not in self._anything:
            self._anything[wanted.key] = any(
                self.tried(wanted.tool, put_at(played.arguments, wanted.path, made_up(given[0])))
                for played in spread(self.accepted[wanted.tool], self.budget.tries)
                if (given := given_at(played.arguments, wanted))
            )
        return self._anything[wanted.key]


def spread(found: Sequence[Any], limit: int) -> list[Any]:
    """Up to `limit` items, evenly spread over all."""
    if len(found) <= limit:
        return list(found)
    step = len(found) / limit
    return [found[int(number * step)] for number in range(limit)]


def given_at(arguments: Mapping[str, Any], wanted: InputNode) -> list[Any]:
    """The values that arguments give for an input; those of a list of plain values one by one."""
    found = values_at(arguments, wanted.path)
    return [value for one in found for value in (one if isinstance(one, list) else [one])]


def as_text(value: Any) -> str:
    """A value as JSON text, by which values are compared."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def tells(value: Any) -> bool:
    """Whether it is unlikely that a value is equal to another by chance: a name, a code; no small number, no day."""
    if isinstance(value, str):
        return len(value) >= 3 and not _DAY.match(value)
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10_000


def made_up(value: Any) -> Any:
    """Another value of the same shape: each letter and digit is replaced by the next one."""
    if isinstance(value, str):
        return value.translate(_NEXT)
    return value + 1 if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def identifies(value: Any) -> bool:
    """Whether a value looks like a key: it tells something, and text has a digit or an @ in it."""
    return tells(value) and (isinstance(value, int) or any(sign.isdigit() or sign == "@" for sign in value))


_CHARACTERS = "abcdefghijklmnopqrstuvwxyza ABCDEFGHIJKLMNOPQRSTUVWXYZA 01234567890"
_NEXT = {ord(one): ord(after) for one, after in pairwise(_CHARACTERS) if one != " " and after != " "}
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
