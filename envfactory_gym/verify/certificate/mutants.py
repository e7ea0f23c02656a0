"""Row `mutants`: gold with one argument of one write wrong scores 0.

For each argument of each write of gold: another row (near misses first), another value, and the
write made on one more row as well. A mutant counts if the tool accepts it and what it changes
differs from what gold's call changes, under the task's column policies. An argument whose
accepted mutants all change the same is not graded (more than a fifth of them: reject); one of which the
tool accepts no other value is forced: nobody can get it wrong, so it is only listed.

Where alternatives name other rows or values, those are wanted and no mutants, unless a referent says that
gold's row is the only one meant; then an accepted end with another row is an ambiguity.
Every loosened column has a mutant outside its bound; `ignore` and `text(ignored)` have no outside.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any

from ...environment import EnvironmentFault, Schema, ToolError
from ...environment.columns import ColumnPolicy
from ...environment.task import Referent
from ...environment.tool import Parameter
from ...episode.grade import Made, row_satisfies
from ...world import Changes, LiveWorld, compare
from ...world.roles import near
from ..finding import Finding, finding
from .context import TaskContext, made_in
from .near_misses import ABSENT, near_rows, slips
from .referents import ReferentError, denotes

ENOUGH = 2
"""Mutants that count, per argument."""

TRIES = 8
"""Wrong values tried per argument."""

UNGRADED = 0.2
"""Share of arguments that may be not graded."""

Mutant = tuple[dict[str, Any], str]
"""Wrong arguments, and the kind of the mistake."""

ROW = "another row"


@dataclass
class _Tally:
    """What was executed so far.

    `written` are the columns that writes of gold change, `reached` those of them that some
    mutant changed to a value outside the column's bound.
    """

    evidence: list[str] = field(default_factory=list)
    mutants: int = 0
    arguments: int = 0
    ungraded: list[str] = field(default_factory=list)
    forced: list[str] = field(default_factory=list)
    written: set[str] = field(default_factory=set)
    reached: set[str] = field(default_factory=set)


def check(context: TaskContext) -> Finding:
    """Play every mutant of every write argument, and see that each loosened column still has an outside."""
    tally = _Tally()
    for index, placed in enumerate(context.gold):
        for number, call in enumerate(placed.step.calls):
            if context.writes(call.tool):
                _Write(context, tally, index, number).run()
    notes = _bounds(context, tally)
    ungraded = f"{len(tally.ungraded)} of {tally.arguments} write arguments are not graded: {', '.join(tally.ungraded)}"
    if len(tally.ungraded) > UNGRADED * tally.arguments:
        tally.evidence.append(ungraded)
    elif tally.ungraded:
        notes.append(ungraded)
    if tally.forced:
        notes.append(f"no other value is accepted for: {', '.join(tally.forced)}")
    return finding(
        "mutants", tally.evidence, notes=notes,
        figures={"mutants": tally.mutants, "arguments": tally.arguments, "not graded": len(tally.ungraded)},
        remedy="compare the column that this argument decides, tighten what is loosened, or drop the alternative",
    )  # fmt: skip


class _Write:
    """One write of gold, and its mutants."""

    def __init__(self, context: TaskContext, tally: _Tally, index: int, number: int) -> None:
        self.context, self.tally, self.index, self.number = context, tally, index, number
        self.placed = context.gold[index]
        self.call = self.placed.step.calls[number]
        self.tool = context.package.tools[self.call.tool]
        self.schema = context.episode.plan.schema
        self.gold_end = context.gold_end

    def run(self) -> None:
        """Make every mutant alone, where gold makes its call; then play those that count."""
        with self.context.before(self.index) as episode:
            world = episode.world
            for earlier in self.placed.step.calls[: self.number]:
                if earlier.tool in self.context.package.tools:
                    world.call(earlier.tool, earlier.arguments)
            gold = self.effect(world, self.call.arguments)
            if gold is None:
                return  # the row `gold` says that this call fails
            self.tally.written |= set(written(self.schema, gold.changes))
            found = {
                parameter.name: self.mutants(world, gold, parameter)
                for parameter in self.tool.parameters
                if parameter.name in self.call.arguments
            }
            late = self.late(world, gold)
        for name, (mutants, executed) in found.items():
            self.tally.arguments += 1
            if not executed:
                self.tally.forced.append(f"{self.call.id}.{name}")
            elif not sum([self.play(name, mutant, broad=mutant is mutants[0]) for mutant in mutants]):
                self.tally.ungraded.append(f"{self.call.id}.{name}")
        if late:
            self.judge(self.placed.message, f"{self.call.tool} made {late} seconds late", late=late)

    # ------------------------------------------------------------ which mutants count

    def mutants(self, world: LiveWorld, gold: Made, parameter: Parameter) -> tuple[list[Mutant], int]:
        """Up to `ENOUGH` mutants of one argument that count, and how many the tool accepted."""
        found: list[Mutant] = []
        executed = 0
        for attempts in (self.wrong(world, parameter), self.elsewhere(parameter)):
            for arguments, kind in islice(attempts, TRIES):
                made = self.effect(world, arguments, gold)
                executed += made is not None
                if made is not None and made is not gold:
                    found.append((arguments, kind))
                    if len(found) == ENOUGH:
                        return found, executed
            if executed:
                break
        return found, executed

    def wrong(self, world: LiveWorld, parameter: Parameter) -> Iterator[Mutant]:
        """Gold's arguments with a wrong value of one of them, each with the kind of the mistake."""
        name, value = parameter.name, self.call.arguments[parameter.name]
        wanted = self.accepted(parameter)
        if self.is_key(parameter) and not isinstance(value, list):
            turns = self.context.task.turns[: self.placed.turn + 1]
            referents = [one for turn in turns for one in turn.goal.referents if one.column == parameter.ref]
            if any(_denoted(world, referent) == value for referent in referents):
                # Only this row is meant: the others that alternatives name are tried first.
                others = [other for other in wanted if other is not ABSENT and other != value]
                yield from (({**self.call.arguments, name: other}, ROW) for other in others)
                wanted = others
            listed = self.context.episode.plan.results
            results = [listed[call.id] for turn in turns for call in turn.goal.calls if call.id in listed]
            rows = near_rows(world, parameter.ref or "", value, [referent.sql for referent in referents], results)
            yield from (({**self.call.arguments, name: other}, ROW) for other in rows if other not in wanted)
        else:
            values = (other for other in slips(parameter.schema, value) if other not in wanted)
            yield from (({**self.call.arguments, name: other}, "another value") for other in values)
        if not parameter.required and ABSENT not in wanted:
            yield {key: other for key, other in self.call.arguments.items() if key != name}, "no value"

    def elsewhere(self, parameter: Parameter) -> Iterator[Mutant]:
        """Where an argument cannot be wrong alone: known arguments with another value of it, the most similar first."""
        mine = self.call.arguments
        wanted = [mine[parameter.name], *self.accepted(parameter)]
        others = [known for known in self.context.candidates.of(self.tool) if known.get(parameter.name) not in wanted]
        kind = ROW if self.is_key(parameter) else "another value"
        for known in sorted(others, key=lambda known: -sum(known.get(name) == mine[name] for name in mine)):
            yield {name: known.get(name, value) for name, value in mine.items()}, kind

    def is_key(self, parameter: Parameter) -> bool:
        """Whether an argument names rows of a table."""
        table, _, column = (parameter.ref or "").partition(".")
        return table in self.schema.tables and column in self.schema.tables[table].names

    def accepted(self, parameter: Parameter) -> list[Any]:
        """Values of an argument that alternatives of the turn name."""
        ends = self.context.episode.plan.turns[self.placed.turn].accepted[1:]
        calls = [call for end in ends for call in end.calls if call.tool == self.call.tool]
        return [call.arguments.get(parameter.name, ABSENT) for call in calls]

    def effect(self, world: LiveWorld, arguments: dict[str, Any], gold: Made | None = None) -> Made | None:
        """What the call changes: None where it is refused, and `gold` itself where that is the same change."""
        before = set(world.minted)
        with world.trial():
            mark = world.mark()
            try:
                world.call(self.call.tool, arguments)
            except (ToolError, EnvironmentFault):
                return None
            made = Made(world.changes(mark), frozenset(world.minted - before))
            if gold is None:
                return made
            if self.same(world, gold, made):
                return gold
            self.tally.reached |= set(beyond(world, self.schema, gold.changes, made.changes))
            return made

    def same(self, world: LiveWorld, gold: Made, made: Made) -> bool:
        """Whether two changes are one under the task's policies; `world` is as the second left it."""
        return compare(
            self.schema, gold.changes, made.changes, minted_expected=gold.minted, minted_actual=made.minted,
            holds=partial(row_satisfies, world),
        ).equal  # fmt: skip

    def late(self, world: LiveWorld, gold: Made) -> int:
        """Seconds after which the same call writes times outside their window; 0 where it writes none."""
        columns = [self.schema.column(ref) for ref in written(self.schema, gold.changes)]
        windows = [column.policy.window for column in columns if column.policy.window is not None]
        if not windows:
            return 0
        seconds = max(windows) + 60
        with world.trial():
            world.advance(seconds)
            made = self.effect(world, self.call.arguments, gold)
        return seconds if made is not None and made is not gold else 0

    # ------------------------------------------------------------ playing them

    def play(self, name: str, mutant: Mutant, *, broad: bool) -> bool:
        """Play a mutant, and if `broad` gold with that write made as well; whether the mutant led elsewhere."""
        arguments, kind = mutant
        calls = list(self.placed.message["tool_calls"])
        wrong = {"name": self.call.tool, "arguments": arguments}
        before, gold, after = calls[: self.number], calls[self.number], calls[self.number + 1 :]
        shown = f"{self.call.tool}{arguments}"
        message = {**self.placed.message, "tool_calls": [*before, wrong, *after]}
        counts = self.judge(message, f"{kind} for {name}, {shown}", ambiguous=kind == ROW)
        if broad and kind == ROW:
            message = {**self.placed.message, "tool_calls": [*before, gold, wrong, *after]}
            self.judge(message, f"{shown} made as well")
        return counts

    def judge(self, message: dict[str, Any], what: str, *, ambiguous: bool = False, late: int = 0) -> bool:
        """Play a changed step and the rest of gold; whether that led elsewhere than gold does."""
        context = self.context
        with context.before(self.index) as episode:
            if late:
                episode.world.advance(late)
            pays = context.succeeds([message, *context.rest(self.index + 1)])
            if pays and self.same(episode.world, self.gold_end, made_in(episode.world)):
                return False  # refused this time, or a later step of gold made it good again
        if pays:
            why = "; the request is ambiguous" if ambiguous else ""
            self.tally.evidence.append(f"turn {self.placed.turn}: still pays with {what}{why}")
        self.tally.mutants += 1
        return True


def _denoted(world: LiveWorld, referent: Referent) -> Any:
    """What a referent denotes in this state; None where it denotes no single row any more."""
    try:
        return denotes(world, referent)
    except ReferentError:
        return None


# ---------------------------------------------------------------- bounds of loosened columns


def _bounds(context: TaskContext, tally: _Tally) -> list[str]:
    """Evidence against bounds of the task that nothing lies outside of; notes on those of the schema."""
    notes = []
    schema = context.episode.plan.schema
    loosened = dict.fromkeys(context.task.loosen)
    others = [ref for ref in sorted(tally.written) if ref not in loosened and bounded(schema.column(ref).policy)]
    for ref in (*loosened, *others):
        policy = schema.column(ref).policy
        if ref in tally.reached:
            continue
        if ref not in tally.written:
            notes.append(f"{ref} is loosened, and gold does not write it")
        elif not bounded(policy):
            notes.append(f"{ref} is {policy}: nothing lies outside of that")
        elif ref in loosened:
            tally.evidence.append(f"no executed mutant lies outside of {policy}, to which the task loosens {ref}")
        else:
            notes.append(f"no executed mutant lies outside of {policy} in {ref}")
    return notes


def bounded(policy: ColumnPolicy) -> bool:
    """Whether a loose policy still excludes something."""
    return policy.kind in ("number", "time", "one_of", "where")


def written(schema: Schema, changes: Changes) -> Iterator[str]:
    """Columns (`table.column`) to which a change gives values."""
    for (table, _), (old, new) in changes.items():
        for at, name in enumerate(schema.tables[table].names):
            if new is not None and (old is None or old[at] != new[at]):
                yield f"{table}.{name}"


def beyond(world: LiveWorld, schema: Schema, gold: Changes, made: Changes) -> Iterator[str]:
    """Bounded columns to which a change gives a value that their policy would not take for any of gold's."""
    for ref in set(written(schema, gold)):
        policy = schema.column(ref).policy
        if not bounded(policy):
            continue
        table, _, name = ref.partition(".")
        at = schema.tables[table].names.index(name)
        right = [new[at] for (where, _), (_, new) in gold.items() if where == table and new is not None]
        for (where, key), (_, new) in made.items():
            if where != table or new is None:
                continue
            if policy.kind == "where":
                inside = row_satisfies(world, table, key, policy.sql or "")
            elif policy.kind == "number":
                inside = policy.canonical(new[at]) in [policy.canonical(value) for value in right]
            else:
                inside = any(near(policy, value, new[at]) for value in right)
            if not inside:
                yield ref
                break
