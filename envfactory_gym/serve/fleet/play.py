"""One episode of the fleet, being played: tools are called, the user is talked to, it is looked at and graded.

Everything that touches it waits for its turn, so what clients send at once happens one after the other.
How it sleeps, wakes and goes back is told in `lasting`.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic_core import to_json

from ...environment import ToolError
from ...episode import Outcome, Step
from ..graded import CLOSING, GradedSession
from ..session import Reply, Session, SessionFault, only_reads
from .journal import JournalError, checksum
from .lasting import Conflict, Lasting
from .leaving import Gone, unless
from .pace import Spent
from .replaying import Kept, call_text, say_text, step_text

if TYPE_CHECKING:
    from ...episode import RunRecord
    from ...world import Changes

MAX_KEYS = 10_000
"""Idempotency keys of one episode: a key must not be forgotten while the episode lasts."""


class KeyReused(Conflict):
    """The same idempotency key came with another request."""


class Play(Lasting):
    """One episode."""

    # ------------------------------------------------------------ calling and talking

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
