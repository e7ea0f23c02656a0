"""All mutants of a server, their names, and the sample that is run.

A mutant's id is made of what changes, not of where: it stays the same when lines above it move,
so that a reason written down for it stays with it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from ...environment import Package
from . import sql_operators
from .python_operators import PythonOperators
from .source import MODULE, Edit, ServerText
from .views import readers_of, views
from .vocabulary import Vocabulary

SERVER, SCHEMA = "server.py", "schema.sql"

OPERATORS = (
    "comparison", "boundary", "dropped-conjunct", "dropped-statement", "swapped", "constant", "removed-check",
    "negated-condition",
)  # fmt: skip
"""The fixed list, as reports name them."""

LEAST = 5
"""Mutants that every tool should have."""

MOST = 40
"""Mutants that are run per tool; of more, a seeded sample."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A server, or a schema, with one small fault.

    Attributes:
        id: Such as `borrow_item.boundary.3fa91c0d`.
        operator: One of `OPERATORS`.
        file: `server.py`, or `schema.sql` for a fault in a view.
        function: The function or view that is changed, or `<module>`.
        functions: The functions whose doing it may change.
        tools: The tools that reach one of those.
        start, end, replacement: The edit.
    """

    id: str
    operator: str
    file: str
    function: str
    functions: tuple[str, ...]
    tools: tuple[str, ...]
    start: int
    end: int
    replacement: str

    def apply(self, source: str) -> str:
        """The whole text of its file with the fault in it."""
        return source[: self.start] + self.replacement + source[self.end :]

    def diff(self, source: str, context: int = 1) -> str:
        """The fault as a unified diff."""
        lines = difflib.unified_diff(
            source.splitlines(), self.apply(source).splitlines(), self.file, f"{self.file} ({self.operator})",
            n=context, lineterm="",
        )  # fmt: skip
        return "\n".join(lines)


def all_mutants(package: Package) -> list[Mutant]:
    """Every mutant of everything that the tools reach, in the order of the texts."""
    text, vocabulary = ServerText(package.server_source), Vocabulary(package)
    operators = PythonOperators(text, vocabulary)
    reached = {tool: text.reached_by(tool) for tool in text.tools}
    places: list[tuple[str, tuple[str, ...], list[Edit]]] = []
    for name, value in text.constants.items():
        if users := text.users_of(name):
            places.append((MODULE, users, list(operators.of_constant(value))))
    for name, node in text.functions.items():
        places.append((name, (name,), list(operators.of_function(node))))
    queries = views(package.schema.ddl)
    viewed = [
        (name, readers_of(name, queries, text), list(sql_operators.edits(query, vocabulary)))
        for name, query in queries.items()
    ]
    found: list[Mutant] = []
    seen: dict[str, int] = {}
    for file, source, parts in ((SERVER, text.source, places), (SCHEMA, package.schema.ddl, viewed)):
        for function, functions, edits in parts:
            tools = tuple(tool for tool, names in reached.items() if set(names) & set(functions))
            if tools:
                for edit in _distinct(source, edits):
                    found.append(_named(file, source, edit, function, functions, tools, seen))
    return sorted(found, key=lambda mutant: (mutant.file, mutant.start, mutant.end, mutant.id))


def text_of(package: Package, file: str) -> str:
    """The sound text of the file that a mutant changes."""
    return package.schema.ddl if file == SCHEMA else package.server_source


def _distinct(source: str, edits: list[Edit]) -> Iterator[Edit]:
    """Edits that change something, each text once."""
    seen: set[tuple[int, int, str]] = set()
    for edit in edits:
        place = (edit.start, edit.end, edit.replacement)
        if place not in seen and source[edit.start : edit.end] != edit.replacement:
            seen.add(place)
            yield edit


def _named(
    file: str,
    source: str,
    edit: Edit,
    function: str,
    functions: tuple[str, ...],
    tools: tuple[str, ...],
    seen: dict[str, int],
) -> Mutant:
    first, last = source.rfind("\n", 0, edit.start) + 1, source.find("\n", edit.end)
    last = len(source) if last < 0 else last
    before = " ".join(source[first:last].split())
    after = " ".join((source[first : edit.start] + edit.replacement + source[edit.end : last]).split())
    stem = f"{function}\n{edit.operator}\n{before}\n{after}"
    count = seen[stem] = seen.get(stem, -1) + 1
    digest = blake2b(f"{stem}\n{count}".encode(), digest_size=4).hexdigest()
    where = "module" if function == MODULE else function
    return Mutant(
        id=f"{where}.{edit.operator}.{digest}",
        operator=edit.operator,
        file=file,
        function=function,
        functions=functions,
        tools=tools,
        start=edit.start,
        end=edit.end,
        replacement=edit.replacement,
    )


def sample(mutants: Sequence[Mutant], *, most: int = MOST, seed: int = 0) -> list[Mutant]:
    """Up to `most` mutants of every tool, evenly over the operators.

    Args:
        mutants: All of them.
        most: How many per tool.
        seed: Decides which.
    """
    chosen: dict[str, Mutant] = {}
    for tool in dict.fromkeys(tool for mutant in mutants for tool in mutant.tools):
        queues: dict[str, list[Mutant]] = {operator: [] for operator in OPERATORS}
        for mutant in mutants:
            if tool in mutant.tools:
                queues[mutant.operator].append(mutant)
        for queue in queues.values():
            queue.sort(key=lambda mutant: blake2b(f"{seed}\n{mutant.id}".encode(), digest_size=8).digest())
        taken = 0
        while taken < most and any(queues.values()):
            for queue in queues.values():
                if queue and taken < most:
                    mutant = queue.pop(0)
                    chosen[mutant.id] = mutant
                    taken += 1
    return [mutant for mutant in mutants if mutant.id in chosen]
