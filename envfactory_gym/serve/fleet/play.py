"""One episode of the fleet: its journal always, its session while somebody uses it.

Everything that touches it waits for its turn, so what clients send at once happens one after the other.
A session can be dropped at any time and is played again from the journal: that is how an episode
sleeps, how it survives a restart, and how a call that was cancelled halfway is undone.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic_core import to_json

from ...environment import EnvFactoryError, Package, ToolError
from ...episode import Outcome, Step
from ..graded import CLOSING, GradedSession
from ..session import Reply, ServeError, Session, SessionFault, only_reads
from .journal import Header, Journal, JournalError, Marked, checksum
from .leaving import Gone, unless
from .pace import Pace, Spent
from .replaying import Kept, Replayed, call_text, fresh, played, say_text, step_text
from .shelf import Shelf
from .turns import Turns

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ...episode import RunRecord
    from ...world import Changes
    from .face import Seat
    from .metrics import Metrics

logger = logging.getLogger("envfactory.fleet")

Result = TypeVar("Result")
MAX_KEYS = 10_000
"""Idempotency keys of one episode: a key must not be forgotten while the episode lasts."""

MAX_SNAPSHOTS = 1_000

SHORT = 8
"""Entries of a journal that are played again on the loop; longer ones in a thread."""


class Conflict(ServeError):
    """What was asked is not possible as things stand."""


class KeyReused(Conflict):
    """The same idempotency key came with another request."""


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
    awake: Callable[[Play], None]


@dataclass(eq=False)
class Play:
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

    # ------------------------------------------------------------ one after the other

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

    async def call(
        self, name: str, arguments: Mapping[str, Any], *, key: str | None = None, gone: Gone | None = None
    ) -> Reply:
        """Call a tool.

        Args:
            name: A tool that is listed.
            arguments: Its arguments.
            key: Idempotency key: the same one gets the same reply, and nothing happens again.
            gone: Tells when the client has left; a call that has not happened by then never does.

        Raises:
            SessionFault: The environment failed, or the episode cannot be played on or written down.
            KeyReused: The key came with another call before.
            Deleted: The episode was, meanwhile.
            ClientLeft: The client left, and nothing happened.
        """
        reply = self.call_now(name, arguments, key)
        if reply is not None:
            return reply
        with self._turns.expected():
            if gone is None:
                return await self._call(name, arguments, key)
            return await unless(gone, self._call(name, arguments, key))

    def call_now(self, name: str, arguments: Mapping[str, Any], key: str | None = None) -> Reply | None:
        """Call a tool without waiting for anything; None where that is not possible, and then nothing has happened.

        Raises:
            SessionFault: As `call`.
            KeyReused: As `call`.
        """
        session = self._session
        if session is None or not self._turns.idle or not self._pace.needs_no_clock(name):
            return None
        known = self._answer_without(name, arguments, key)
        if known is not None:
            return known
        over, began = session.outcome is not None, time.perf_counter()
        try:
            reply = session.call(name, arguments)
        except SessionFault as fault:
            self._failed(session, fault, over=over)
            self._count("failed", time.perf_counter() - began)
            raise
        seconds = time.perf_counter() - began
        self._pace.seemed(name, seconds)
        self._count("refused" if reply.refused else "ok", seconds)
        self._note(session, name, arguments, key, reply, over=over)
        return reply

    async def _call(self, name: str, arguments: Mapping[str, Any], key: str | None) -> Reply:
        async with self._turns:
            session = await self._awake()
            known = self._answer_without(name, arguments, key)
            if known is not None:
                return known
            over, spent = session.outcome is not None, Spent()
            try:
                if self._pace.is_quick(name):
                    reply = spent.on(session.call, name, arguments)
                else:
                    reply = await self._in_thread(spent.on, session.call, name, arguments)
            except SessionFault as fault:
                self._failed(session, fault, over=over)
                self._count("failed", spent.seconds)
                raise
            finally:
                self._pace.took(name, spent.seconds)
            self._count("refused" if reply.refused else "ok", spent.seconds)
            self._note(session, name, arguments, key, reply, over=over)
            return reply

    def _answer_without(self, name: str, arguments: Mapping[str, Any], key: str | None) -> Reply | None:
        """The answer of a call that must not happen: its key is known, or there were enough calls."""
        if key is not None and (kept := self._known(key, call_text(name, arguments))) is not None:
            assert isinstance(kept, Reply)  # the text that was compared begins with the kind
            return kept
        if self.calls >= self.means.max_calls:
            error = ToolError("limit", f"An episode takes {self.means.max_calls:,} calls at most here.")
            return Reply(to_json(error.payload()).decode(), refused=True)
        return None

    def _count(self, result: str, seconds: float) -> None:
        self.means.metrics.called(self._environments, result, seconds)

    def _failed(self, session: Session, fault: SessionFault, *, over: bool) -> None:
        """Remember that the environment's failure has ended the episode."""
        if not over and session.outcome is not None:
            self._enter_call("fail", None, reason=session.outcome.reason or str(fault))

    def _note(
        self, session: Session, name: str, arguments: Mapping[str, Any], key: str | None, reply: Reply, *, over: bool
    ) -> None:
        """Remember a call that has happened."""
        # What only reads leaves nothing to be played again in a world that nobody grades.
        if not over and (key is not None or self._graded or not only_reads(session.tools[name])):
            self._enter_call("call", key, tool=name, arguments=arguments, sum=checksum(reply.text))
        self.calls += 1
        if key is not None:
            self._keys[key] = Kept(call_text(name, arguments), reply)

    async def say(self, text: str, *, key: str | None = None) -> Step:
        """Say something to the user.

        Raises:
            NotGraded: There is no user.
            Conflict: The episode is over.
        """
        async with self._turns:
            session = await self._awake()
            if key is not None and (kept := self._known(key, say_text(text))) is not None:
                assert isinstance(kept, Step)  # the text that was compared begins with the kind
                return kept
            step = self._say(session, text, key)
            if key is not None:
                self._keys[key] = Kept(say_text(text), step)
            return step

    def _say(self, session: Session, text: str, key: str | None = None) -> Step:
        if session.outcome is not None:
            raise Conflict(f"the episode is over: {session.outcome.reason}; reset it, or create another")
        step = session.say(text)
        self._enter("say", key, text=text, sum=checksum(step_text(step)))
        return step

    def _enter_call(self, op: str, key: str | None, **fields: Any) -> None:
        """Write the entry of a call, for which a journal that cannot be written is the environment's failure."""
        try:
            self._enter(op, key, **fields)
        except JournalError as error:
            raise SessionFault(str(error)) from error

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

    def _known(self, key: str, asked: str) -> Reply | Step | None:
        """What a key got before.

        Raises:
            KeyReused: It came with another request, or there are too many.
        """
        kept = self._keys.get(key)
        if kept is None:
            if len(self._keys) >= MAX_KEYS:
                raise KeyReused(f"an episode takes {MAX_KEYS:,} idempotency keys at most; go on without")
            return None
        if kept.asked != asked:
            raise KeyReused("this idempotency key came with another request before; use a new one for a new request")
        return kept.answer

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

    # ------------------------------------------------------------ looking and grading

    async def digest(self) -> str:
        """Digest of the state."""
        async with self._turns:
            return (await self._awake()).world.digest()

    async def changes(self) -> tuple[Session, Changes]:
        """Every row changed since the setup, and the session whose tables they are of."""
        async with self._turns:
            session = await self._awake()
            return session, session.changes()

    async def score(self, message: str | None = None, *, end: bool = True) -> Outcome:
        """Grade it.

        Args:
            message: The agent's last word.
            end: Whether that is the end; else it stays where it is, and the message is not said.

        Raises:
            NotGraded: There is nothing to grade.
        """
        async with self._turns:
            try:
                session = await self._awake()
            except SessionFault as fault:
                return Outcome(kind="infra", reward=0.0, reward_valid=False, reason=str(fault))
            outcome = session.outcome
            if not end or outcome is not None:
                return outcome or session.score()
            outcome = self._say(session, CLOSING if message is None else message).outcome
            while outcome is None:
                outcome = self._say(session, CLOSING).outcome
            self.means.metrics.scored(session.package.name, outcome.kind)
            return outcome

    async def record(self) -> RunRecord:
        """Transcript, calls and outcome as far as it has come.

        Raises:
            NotGraded: There is no transcript of a base world.
        """
        async with self._turns:
            session = await self._awake()
            if not isinstance(session, GradedSession):
                raise Conflict("a base world without a task keeps no transcript; create the episode with a task")
            return session.record()
