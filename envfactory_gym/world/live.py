"""A live world: one episode's state, from right after its setup.

Tools change it through `call`, each call in a savepoint: an error leaves no trace, ids and chance
included. Everything that happened is known from two small things, the change log (which rows,
since when) and the list of successful calls (how to get here again).
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

from ..environment.errors import EnvironmentFault, ToolError
from ..environment.task import Setup
from . import faults
from . import setup as setups
from .budget import Expired, watchdog
from .connection import CLOSED, Bind, Connection
from .facade import World
from .ids import Ids
from .journal import Journal, JournalCall, as_text
from .log import Changes, Happened, Row
from .moments import Call, Checkpoint, Mark

if TYPE_CHECKING:
    from ..environment.columns import Schema
    from .template import Template


RESETS_PER_LOOK = 8
"""A shared world looks at its file when it is taken and at every eighth reset: looking costs a third of a reset."""


class LiveWorld:
    """One world being played. Taken from `Template.acquire`, never made directly.

    One thread uses it at a time; it may move between threads, not between processes.

    Attributes:
        template: Where it came from.
        schema: Its tables.
        view: What tools see; outside a call it only reads.
        setup, seed: What the episode began with.
    """

    __slots__ = (
        "__weakref__", "_broken", "_calls", "_checkpoints", "_core", "_lock", "_marks", "_serial", "_watchdog",
        "schema", "seed", "setup", "template", "view",
    )  # fmt: skip

    def __init__(self, template: Template, core: Connection, setup: Setup, seed: int) -> None:
        self.template, self.setup, self.seed = template, setup, seed
        self.schema: Schema = template.schema
        self._core: Connection = core
        self.view = World(core)
        self._lock = threading.Lock()
        self._calls: list[Call] = []
        self._marks: dict[int, Mark] = {}
        self._checkpoints: list[Checkpoint] = []
        self._serial = 0
        self._broken: str | None = None
        self._watchdog = watchdog()

    # ------------------------------------------------------------ calls

    def call(self, tool: str, arguments: Mapping[str, Any] | str | bytes, *, actor: str = "agent") -> str:
        """Call a tool.

        Args:
            tool: Its name.
            arguments: An object, or JSON text.
            actor: Who calls; tools of the user are unknown to the agent.

        Returns:
            The result as compact JSON text.

        Raises:
            ToolError: The tool refuses; the world is as before.
            EnvironmentFault: The tool is broken (anything else it raised); the world is as before.
            BudgetExceeded: It used too much SQL or time; the world is as before.
        """
        self._enter()
        try:
            return self._call(tool, arguments, actor)
        finally:
            self._lock.release()

    def _call(self, name: str, arguments: Mapping[str, Any] | str | bytes, actor: str) -> str:
        core, tool = self._core, self.template.tools.get(name)
        if tool is None or (tool.actor == "user" and actor == "agent"):
            raise faults.unknown(self.template.tools, name, actor)
        text = arguments if isinstance(arguments, (str, bytes)) else as_text(arguments)
        kwargs = tool.validate(arguments if text is None else text)
        ids, sqlite, budget = core.nature.ids, core.sqlite, core.budget
        draws, changes = ids.position, sqlite.total_changes
        error: BaseException | None = None
        result = ""
        core.calling = True
        core.control("SAVEPOINT call")
        try:
            budget.start(self._watchdog)
            result = tool.encode(tool.function(self.view, **kwargs))
        except BaseException as caught:  # noqa: BLE001 - nothing is swallowed: `faults` says what is raised
            error = caught
        try:
            budget.stop(self._watchdog)
        except Expired:
            budget.stop(self._watchdog)
        lost = not sqlite.in_transaction
        if error is not None or lost or core.guard.denied is not None or budget.spent or budget.expired:
            try:
                reason = faults.reason(core, name, error, lost=lost)
                self._undo(draws)
                if isinstance(reason, EnvironmentFault):
                    raise reason from error
                raise reason
            finally:
                error = None  # else this frame and its exception hold each other
        core.control("RELEASE call")
        trace = sqlite.total_changes != changes or ids.position != draws
        self._calls.append(Call(name, text or b"", actor, core.clock.now, result, trace))
        core.calling = False
        return result

    def _undo(self, draws: tuple[int, int]) -> None:
        core = self._core
        if core.alive:
            core.control("ROLLBACK TO call")
            core.control("RELEASE call")
            core.ids.back_to(draws)
            core.calling = False
        elif core.setup_key is not None:
            self._recover()
        # else a call of the setup ended it; the setup fails, and whoever comes next begins anew

    # ------------------------------------------------------------ beginning, going back

    def _begin(self, key: str) -> None:
        """Apply the setup on a connection that has none, or another."""
        core = self._core
        self._broken = "its setup could not be applied; reset it, or close it"
        core.begin()
        core.nature.ids = Ids(self.seed)
        core.clock.set(self.setup.now or self.template.now)
        setups.apply(self, self.setup)
        self._calls.clear()
        core.base(key)
        self._broken = None

    def _resume(self) -> None:
        """Take over a connection on which this setup stands."""
        if self._core.ids.seed != self.seed:
            self._core.nature.ids = Ids(self.seed)

    def reset(self) -> None:
        """Go back to right after the setup. Marks and checkpoints are gone."""
        self._enter(mend=False)
        try:
            core = self._core
            if core.shared:
                core.resets += 1
                if not core.resets % RESETS_PER_LOOK:
                    self.template.check_untouched()
            if core.setup_key is not None and core.alive:
                core.back_to_base()
            else:
                self._begin(setups.key(self.setup))
            self._calls.clear()
            if self._serial:
                self._marks.clear()
                self._checkpoints.clear()
            self._broken = None
        finally:
            self._lock.release()

    def _recover(self) -> None:
        """The transaction is lost: begin anew and make the successful calls again."""
        core, calls, checkpoints, now = self._core, self._calls, self._checkpoints, self._core.clock.now
        self._calls, self._checkpoints = [], []
        self._begin(setups.key(self.setup))
        self._broken = "its transaction was lost and could not be rebuilt; reset it"
        for number in range(len(calls) + 1):
            for checkpoint in checkpoints:
                if checkpoint.calls == number:
                    core.control(f"SAVEPOINT point{checkpoint.depth}")
                    self._checkpoints.append(checkpoint)
            if number < len(calls):
                self._repeat(calls[number])
        core.clock.set(now)
        self._broken = None

    def _repeat(self, call: Call) -> None:
        self._core.clock.set(call.now)
        try:
            result = self._call(call.tool, call.arguments, call.actor)
        except ToolError as error:
            raise EnvironmentFault(
                f"{call.tool} succeeded before and fails when made again: {error}", tool=call.tool
            ) from error
        if result != call.result:
            raise EnvironmentFault(
                f"{call.tool} gives another result when made again: it is not deterministic", tool=call.tool
            )

    def checkpoint(self) -> Checkpoint:
        """Remember the state; `restore` comes back to it. Checkpoints nest."""
        self._enter()
        try:
            core = self._core
            self._serial += 1
            point = Checkpoint(
                len(self._checkpoints), self._serial, core.ids.position, len(self._calls), core.clock.now
            )
            core.control(f"SAVEPOINT point{point.depth}")
            self._checkpoints.append(point)
            return point
        finally:
            self._lock.release()

    def restore(self, token: Checkpoint) -> None:
        """Go back to a checkpoint, which stays; those made after it are gone, and marks too.

        Raises:
            EnvironmentFault: The checkpoint is gone, or belongs to another world.
        """
        self._enter()
        try:
            if token.depth >= len(self._checkpoints) or self._checkpoints[token.depth] is not token:
                raise EnvironmentFault(
                    "this checkpoint is gone (a reset, or a restore to an earlier one), or of another world"
                )
            core, name = self._core, f"point{token.depth}"
            core.control(f"ROLLBACK TO {name}")
            core.control(f"RELEASE {name}")
            core.control(f"SAVEPOINT {name}")
            del self._checkpoints[token.depth + 1 :]
            del self._calls[token.calls :]
            core.ids.back_to(token.draws)
            core.clock.set(token.now)
            self._marks = {serial: mark for serial, mark in self._marks.items() if serial < token.serial}
        finally:
            self._lock.release()

    @contextmanager
    def trial(self) -> Iterator[None]:
        """A block whose effects are undone at its end: try a call, look, and be where one was."""
        point = self.checkpoint()
        try:
            yield
        finally:
            self.restore(point)
            self._core.control(f"RELEASE point{point.depth}")
            self._checkpoints.remove(point)

    def fork(self) -> LiveWorld:
        """Another world in the same state: taken from the pool, the calls made again.

        Raises:
            EnvironmentFault: A tool is not deterministic, so the state cannot be reached again.
        """
        self._enter()
        try:
            other = self.template.acquire(self.setup, seed=self.seed, shared=self._core.shared)
            try:
                for call in self._calls:
                    if call.left_trace:
                        other._repeat(call)
                    else:
                        other._calls.append(call)
                other._core.clock.set(self._core.clock.now)
                if other._digest() != self._digest():
                    raise EnvironmentFault("a fork does not reach the state of its origin: a tool is not deterministic")
            except BaseException:
                other.close()
                raise
            return other
        finally:
            self._lock.release()

    # ------------------------------------------------------------ what happened

    def mark(self) -> Mark:
        """Remember this moment, for `changes` and its relatives."""
        self._enter()
        try:
            self._serial += 1
            mark = Mark(self.template._plan.position(self._core.fetch), self._serial)
            self._marks[mark.serial] = mark
            return mark
        finally:
            self._lock.release()

    def changes(self, since: Mark | None = None) -> Changes:
        """The net change since a mark, by default since the setup."""
        return self.happened(since).changes

    def transient(self, since: Mark | None = None) -> int:
        """How many rows were changed and restored since a mark, by default since the setup."""
        return self.happened(since).transient

    def touched(self, since: Mark | None = None) -> set[str]:
        """Tables changed since a mark (by default the setup), even if they were restored."""
        return self.happened(since).touched

    def happened(self, since: Mark | None = None) -> Happened:
        """All three of the above for the price of one."""
        self._enter()
        try:
            if since is not None and self._marks.get(since.serial) is not since:
                raise EnvironmentFault("this mark is gone (a reset, or a restore to before it), or of another world")
            position = self._core.base_log if since is None else since.position
            return self.template._plan.happened(self._core.fetch, position)
        except sqlite3.Error as error:
            raise EnvironmentFault(f"the changes of this world cannot be read: {error}") from error
        finally:
            self._lock.release()

    @contextmanager
    def reads(self) -> Iterator[set[str]]:
        """Collects the tables that the calls of a block read; complete when the block has ended."""
        with self._core.reads() as found:
            yield found

    def digest(self) -> str:
        """Digest of all rows, as the difference to the template: equal states have equal digests."""
        self._enter()
        try:
            return self._digest()
        finally:
            self._lock.release()

    def _digest(self) -> str:
        try:
            return self.template._plan.digest(self._core.fetch)
        except sqlite3.Error as error:
            raise EnvironmentFault(f"the digest of this world cannot be computed: {error}") from error

    @property
    def minted(self) -> set[int | str]:
        """Every id and code minted in this episode."""
        return self._core.ids.minted(self._core.base_ids)

    def journal(self) -> Journal:
        """What is needed to play this world again, in any process."""
        return Journal(
            world_hash=self.template.world_hash,
            setup=self.setup,
            seed=self.seed,
            now=self.now,
            calls=tuple(
                JournalCall(
                    tool=call.tool, arguments=json.loads(call.arguments or b"{}"), actor=call.actor, now=call.now
                )
                for call in self._calls
            ),
            digest=self.digest(),
        )

    # ------------------------------------------------------------ time and queries

    @property
    def now(self) -> str:
        """The time, such as `2026-05-14T09:00:00Z`."""
        return self._core.clock.now

    def advance(self, seconds: int) -> None:
        """Move the clock forward."""
        self._core.clock.advance(seconds)

    def set_now(self, iso: str) -> None:
        """Set the clock to a time such as `2026-05-14T09:00:00Z`."""
        self._core.clock.set(iso)

    def query(self, sql: str, params: Bind = ()) -> list[Row]:
        """Read with SQL, from outside the tools. Without positional values, `:now` and `:today` are given.

        Raises:
            EnvironmentFault: The query fails, or tries to write.
        """
        return self._query(sql, params)[0]

    def rows(self, sql: str, params: Bind = ()) -> list[dict[str, Any]]:
        """As `query`, with each row as a dict."""
        rows, names = self._query(sql, params)
        return [dict(zip(names, row, strict=True)) for row in rows]

    def _query(self, sql: str, params: Bind) -> tuple[list[Row], tuple[str, ...]]:
        self._enter()
        try:
            if isinstance(params, Mapping) or not params:
                clock = self._core.clock
                params = {"now": clock.now, "today": clock.today, **dict(params)}
            return self._core.peek(sql, params)
        finally:
            self._lock.release()

    # ------------------------------------------------------------ the end

    def close(self) -> None:
        """Close for good. To let another episode have it, use `Template.release`."""
        core = self._core
        if isinstance(core, Connection):
            self._shut()
            core.close()

    def _give_up(self) -> Connection | None:
        """Hand the connection back to the pool, clean; None where it is not fit for it."""
        core = self._core
        if not isinstance(core, Connection):
            raise EnvironmentFault("this world was closed or released before")
        try:
            self.reset()
        except EnvironmentFault:
            self._shut()
            core.close()
            raise
        self._shut()
        return core

    def _shut(self) -> None:
        self._core = self.view._core = CLOSED  # type: ignore[assignment]

    def _enter(self, *, mend: bool = True) -> None:
        """Take the world for one operation."""
        if not self._lock.acquire(False):
            raise EnvironmentFault("this world is in use by another thread; one thread uses a world at a time")
        try:
            core = self._core
            core.check_process()
            if mend and (core.calling or self._broken is not None or not core.sqlite.in_transaction):
                if self._broken is not None:
                    raise EnvironmentFault(f"this world cannot be used: {self._broken}")
                self._recover()  # the last call was cut off between two lines of this file (Ctrl-C)
        except BaseException:
            self._lock.release()
            raise

    def __reduce__(self) -> NoReturn:
        raise TypeError("a live world does not pickle; pickle its journal() and call Template.replay(journal)")
