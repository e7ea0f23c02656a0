"""Row `referents`: whatever the user refers to by description denotes exactly one row, the one gold uses.

Each referent's phrase stands in the request; its SQL, run in the state in which gold starts the
turn, gives one value of its column; and the goal uses that value in the same turn. The other way
round, a wish may depend on a choice among several rows (the cheapest, the first) only where a
referent says which row that is, or where alternatives accept others too: a look-up that leaves a
single row needs no referent, a choice without one is a guess.

The states are those of the conversation, so of the one-ticket form only the phrases are checked;
such a task is always certified as a conversation too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ...environment import EnvFactoryError, EnvironmentFault, Goal
from ...environment.task import Derived, Referent, Result, Source
from ...episode.sources import Knowledge, evaluate, user_knows
from ...world import LiveWorld
from ..finding import Finding, finding
from .context import TaskContext


def check(context: TaskContext) -> Finding:
    """Resolve every referent where its turn starts, and follow every choice that a wish depends on."""
    evidence: list[str] = []
    referents = 0
    denoted: list[Any] = []
    for index, turn in enumerate(context.task.turns):
        referents += len(turn.goal.referents)
        for referent in turn.goal.referents:
            if referent.phrase.casefold() not in turn.request.casefold():
                evidence.append(f"turn {index}: the phrase {referent.phrase!r} does not stand in the request")
        if context.user == "solo":
            continue
        with context.before(context.first_step(index)) as episode:
            world = episode.world
            known = context.known(index, world.now)
            used = list(_used(turn.goal, known))
            for referent in turn.goal.referents:
                try:
                    value = denotes(world, referent)
                except ReferentError as error:
                    evidence.append(f"turn {index}: {error}")
                    continue
                denoted.append(value)
                if not any(_holds(part, value) for part in used):
                    evidence.append(
                        f"turn {index}: {referent.phrase!r} denotes {value!r}, which the goal uses nowhere in this turn"
                    )
        if not turn.alternatives:
            evidence += [f"turn {index}: {problem}" for problem in _guesses(context, index, known, denoted)]
    return finding(
        "referents", evidence, figures={"referents": referents},
        remedy="add the referent (phrase, sql, column) that denotes this one row, or correct its SQL or the goal",
    )  # fmt: skip


_LIMIT = re.compile(r"\bLIMIT\b", re.IGNORECASE)


class ReferentError(EnvFactoryError):
    """A referent that does not denote exactly one row; the message says why."""


def denotes(world: LiveWorld, referent: Referent) -> Any:
    """The value that a referent denotes in the present state.

    Raises:
        ReferentError: It denotes no row, several, or a value that its column does not hold.
    """
    table, _, column = referent.column.partition(".")
    if table not in world.schema.tables or column not in world.schema.tables[table].names:
        raise ReferentError(f"{referent.phrase!r} names the column {referent.column!r}, which does not exist")
    if _LIMIT.search(referent.sql):
        raise ReferentError(
            f"the SQL of {referent.phrase!r} has a LIMIT, which would hide that it denotes several rows"
        )
    try:
        rows = world.query(referent.sql)
    except EnvironmentFault as error:
        raise ReferentError(f"the SQL of {referent.phrase!r} does not run: {error}") from error
    if len(rows) != 1 or len(rows[0]) != 1:
        shown = ", ".join(str(row[0]) for row in rows[:4]) or "none"
        raise ReferentError(f"{referent.phrase!r} denotes {len(rows)} rows, not one value of one row ({shown})")
    value = rows[0][0]
    if not world.query(f'SELECT 1 FROM "{table}" WHERE "{column}" IS ?', (value,)):
        raise ReferentError(f"{referent.phrase!r} denotes {value!r}, which no row has in {referent.column}")
    return value


def _used(goal: Goal, known: Knowledge) -> Iterator[Any]:
    """Values of all parts of all source expressions of a goal."""
    sources = [source for call in goal.calls for source in call.arguments.values()]
    for source in (*sources, *(answer.source for answer in goal.answers)):
        for part in _parts(source):
            yield evaluate(part, known)


def _parts(source: Source) -> Iterator[Source]:
    yield source
    if isinstance(source, Derived):
        for child in source.sources:
            yield from _parts(child)


def _holds(value: Any, wanted: Any) -> bool:
    """Whether a value is the wanted one, or a single row or a list of plain values that holds it."""
    if isinstance(value, dict):
        return any(not isinstance(part, (dict, list)) and part == wanted for part in value.values())
    if isinstance(value, list):
        if len(value) == 1:
            return _holds(value[0], wanted)
        return any(not isinstance(part, (dict, list)) and part == wanted for part in value)
    return bool(value == wanted)


def _guesses(context: TaskContext, index: int, known: Knowledge, denoted: list[Any]) -> Iterator[str]:
    """Choices among several rows that a wish of this turn depends on and no referent makes."""
    tools = context.package.tools
    made = {call.id: call for turn in context.task.turns[: index + 1] for call in turn.goal.calls}
    seen: set[str] = set()
    for call in context.task.turns[index].goal.calls:
        if not call.wish:
            continue
        refs = {parameter.name for parameter in tools[call.tool].parameters if parameter.ref}
        waiting = [(f"{call.tool}.{name}", source) for name, source in call.arguments.items() if name in refs]
        while waiting:
            where, source = waiting.pop()
            if user_knows(source):
                continue
            for part in _parts(source):
                if isinstance(part, Result) and part.call not in seen:
                    seen.add(part.call)
                    waiting += [(where, origin) for origin in made[part.call].arguments.values()]
                for chosen, count in _choices(part, known):
                    if not any(_holds(chosen, value) for value in denoted):
                        yield f"{where} rests on a choice among {count} rows that no referent makes: {_short(chosen)}"


def _choices(source: Source, known: Knowledge) -> Iterator[tuple[Any, int]]:
    """What an expression picks out of a list of several rows, and of how many."""
    if isinstance(source, Derived) and source.op in ("first", "last", "arg_min", "arg_max"):
        options = evaluate(source.sources[0], known)
        if isinstance(options, list) and len(options) > 1:
            yield evaluate(source, known), len(options)
    elif isinstance(source, Result):
        value = known.results[source.call]
        for part in source.path.split(".") if source.path else ():
            several = isinstance(value, list) and len(value) > 1 and isinstance(value[0], dict)
            count = len(value) if several else 0
            value = value[int(part)] if isinstance(value, list) else value[part]
            if several:
                yield value, count


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 120 else text[:117] + "..."
