"""What lasts of an episode: its journal always, its session while somebody uses it.

A session can be dropped at any time and is played again from the journal: that is how an episode
sleeps, how it survives a restart, and how a call that was cancelled halfway is undone. Going back to a
snapshot is the same with less of the journal.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from ...environment import EnvFactoryError, Package
from ..session import ServeError, Session, SessionFault
from .journal import Header, Journal, JournalError, Marked
from .pace import Pace
from .replaying import Kept, Replayed, fresh, played
from .shelf import Shelf
from .turns import Turns

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from .face import Seat
    from .metrics import Metrics

logger = logging.getLogger("envfactory.fleet")

Result = TypeVar("Result")

MAX_SNAPSHOTS = 1_000

SHORT = 8
"""Entries of a journal that are played again on the loop; longer ones in a thread."""


class Conflict(ServeError):
    """What was asked is not possible as things stand."""


class Deleted(Conflict):
    """The episode was deleted while somebody waited for it."""


class NoSnapshot(ServeError):
    """A snapshot that the episode does not have."""


@dataclass(frozen=True)
class Means:
    """What all episodes of a fleet share."""

    shelf: Shelf
    threads: Executor
    metrics: Metrics
    max_calls: int
    awake: Callable[[Any], None]


@dataclass(eq=False)
class Lasting:
    """One episode.

    Attributes:
        id: Names it in addresses.
        journal: What was put into it.
        used_at: When somebody last asked for it, in seconds since 1970.
        calls: Tool calls so far.
        broken: Why it cannot be played any more.
        client: Which program plays it.
        seats: Where its addresses lead, as far as they were used.
    """

    id: str
    journal: Journal
    means: Means
    used_at: float = field(default_factory=time.time)
    calls: int = 0
    broken: str | None = None
    client: str | None = None
    deleted: bool = False
    seats: dict[str, Seat] = field(default_factory=dict)
    _session: Session | None = None
    _steps: int = 0
    _over: bool = False
    _turns: Turns = field(default_factory=Turns)
    _pace: Pace = field(default_factory=Pace)
    _environments: tuple[str, ...] = ()
    _graded: bool = False
    _keys: dict[str, Kept] = field(default_factory=dict)
    _marks: dict[str, int] | None = None

    @property
    def header(self) -> Header:
        """What it began with."""
        return self.journal.header

    @property
    def is_live(self) -> bool:
        """Whether it has a world in memory."""
        return self._session is not None

    def peek(self) -> Session | None:
        """The session, if there is one in memory."""
        return self._session

    @property
    def steps(self) -> int:
        """Agent messages so far; while it sleeps, as many as there were."""
        if self._session is not None:
            self._steps = self._session.steps
        return self._steps

    @property
    def over(self) -> bool:
        """Whether it has ended; while it sleeps, whether it had."""
        if self._session is not None:
            self._over = self._session.outcome is not None
        return self._over

    @property
    def is_busy(self) -> bool:
        """Whether somebody is using it this moment."""
        return not self._turns.idle

    # ------------------------------------------------------------ waking and sleeping

    async def _awake(self) -> Session:
        """The session; played again where there is none. Call it in a turn."""
        self._check()
        if self._session is not None:
            return self._session
        if self.broken is not None:
            raise SessionFault(f"the episode cannot be played on: {self.broken}")
        try:
            header = self.header
            package = self.means.shelf.opened(header.environments)
            if package is None:
                package = await self.means.shelf.open(header.environments)
            if len(self.journal) > SHORT:
                again = await self._in_thread(played, self.journal, package)
            else:
                again = played(self.journal, package)
        except EnvFactoryError as error:
            # What the system refuses now (another open file, say) it may give later.
            if not isinstance(error.__cause__, OSError):
                self.broken = str(error)
            raise SessionFault(f"the episode cannot be played on: {error}") from error
        self._keys, self.calls = again.keys, max(again.calls, self.calls)
        session = self._introduced(again.session)
        self._take(session)
        self.means.awake(self)
        return session

    def _check(self) -> None:
        """Let nothing more happen in an episode that was deleted: what is written then would be found again."""
        if self.deleted:
            raise Deleted("the episode was deleted meanwhile")

    def _introduced(self, session: Session) -> Session:
        session.client = self.client
        return session

    def _take(self, session: Session) -> None:
        self._session, self._pace = session, self.means.shelf.pace(session.package)
        self._environments, self._graded = self.header.environments, self.header.task is not None

    def begin(self, package: Package) -> None:
        """Start it, on an environment that is open.

        Raises:
            EnvFactoryError: Its task cannot be played.
        """
        self._take(self._introduced(fresh(self.header, package)))

    def sleep(self) -> None:
        """Give the world back; the journal stays. Only for an episode that nobody is using."""
        self._steps, self._over = self.steps, self.over
        session, self._session = self._session, None
        if session is not None:
            session.close()
            self._keys = {}
            self.journal.sleep()

    async def delete(self) -> None:
        """End it for good.

        Raises:
            JournalError: Its file could not be removed; it is at an end all the same.
        """
        self.deleted = True
        try:
            self.journal.delete()
        finally:
            async with self._turns:
                self.sleep()

    async def _in_thread(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """Run something beside the loop. Whoever is cancelled meanwhile leaves an episode that is as it was before."""
        work = asyncio.get_running_loop().run_in_executor(self.means.threads, function, *arguments)
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            # A thread cannot be stopped, and nobody else may have the world until it is done.
            while not work.done():
                try:
                    await asyncio.wait([work])
                except asyncio.CancelledError:
                    continue
            result: object = None if work.exception() is not None else work.result()
            if isinstance(result, Replayed):
                result.session.close()
            self.sleep()
            raise

    def introduce(self, client: str) -> None:
        """Remember which program plays it, for its record."""
        self.client = client
        if self._session is not None:
            self._session.client = client

    async def session(self) -> Session:
        """The session, to look at."""
        if self._session is not None:
            return self._session
        async with self._turns:
            return await self._awake()

    def _enter(self, op: str, key: str | None, **fields: Any) -> None:
        """Write an entry. Where it cannot be written, what it tells of must not have happened either."""
        if key is not None:
            fields["key"] = key
        if self.deleted:
            return
        try:
            self.journal.append(op, **fields)
        except JournalError as error:
            self.sleep()
            logger.error("a journal cannot be written", extra={"episode": self.id[:8], "reason": str(error.__cause__)})
            raise

    # ------------------------------------------------------------ going back

    async def reset(self) -> Session:
        """Back to right after the setup: nothing was called, nothing was said."""
        async with self._turns:
            self._check()
            self.journal.cut(0)
            self._forget()
            session = await self._awake()
            session.reset()
            self.calls = 0
            return session

    def _forget(self) -> None:
        self._keys, self._marks, self.broken = {}, None, None

    def _marks_now(self) -> dict[str, int]:
        if self._marks is None:
            entries = enumerate(self.journal.entries(), start=1)
            self._marks = {entry.name: number for number, entry in entries if isinstance(entry, Marked)}
        return self._marks

    async def snapshots(self) -> list[str]:
        """Names of its snapshots, in order."""
        if self._marks is not None:
            return list(self._marks)
        async with self._turns:
            self._check()
            found = list(self._marks_now())
            if self._session is None:
                self.journal.sleep()
            return found

    async def snapshot(self) -> str:
        """A point to come back to."""
        async with self._turns:
            self._check()
            marks = self._marks_now()
            if len(marks) >= MAX_SNAPSHOTS:
                raise Conflict(f"an episode takes {MAX_SNAPSHOTS:,} snapshots at most; restore an early one, or fork")
            name = f"s{len(marks) + 1}"
            self.journal.append("mark", name=name)
            marks[name] = len(self.journal)
            return name

    async def restore(self, name: str) -> None:
        """Back to a snapshot, which stays; what came after it is gone, later snapshots too.

        Raises:
            NoSnapshot: There is no such snapshot.
        """
        async with self._turns:
            self._check()
            place = self._place(name)
            if place == len(self.journal):
                return
            self.journal.cut(place)
            self.sleep()
            self._forget()
            self.calls = 0
            await self._awake()

    async def place(self, name: str | None) -> int:
        """How much of the journal leads to a snapshot; all of it without one."""
        async with self._turns:
            self._check()
            return len(self.journal) if name is None else self._place(name)

    def _place(self, name: str) -> int:
        try:
            return self._marks_now()[name]
        except KeyError:
            known = ", ".join(self._marks_now()) or "none"
            raise NoSnapshot(f"the episode has no snapshot {name!r}; it has {known}") from None
