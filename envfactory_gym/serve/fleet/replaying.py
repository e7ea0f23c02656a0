"""Playing an episode again from its journal, and holding each answer against what it was."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from ...environment import Package
from ...episode import Step
from ..free import FreeSession
from ..graded import GradedSession
from ..session import Reply, ServeError, Session
from ..state import task_hash
from .journal import Called, Failed, Header, Journal, Marked, SaidToUser, checksum


class Kept(NamedTuple):
    """What a keyed request was and what it got."""

    asked: str
    answer: Reply | Step


class Replayed(NamedTuple):
    """A session in which everything in a journal has happened again.

    Attributes:
        session: Where it stands now.
        keys: What was asked with an idempotency key.
        calls: How many tool calls there were.
    """

    session: Session
    keys: dict[str, Kept]
    calls: int


def fresh(header: Header, package: Package) -> Session:
    """A session at the very beginning of an episode.

    Raises:
        ServeError: The environment or the task has changed since it began.
        TaskError: The task cannot be played.
    """
    session: Session
    if header.task is None:
        session = FreeSession(package, seed=header.seed, transcript=False)
    else:
        task = package.task(header.task)
        if header.task_hash is not None and task_hash(task) != header.task_hash:
            raise ServeError(f"the task {task.id} has changed since the episode began")
        session = GradedSession(package, task, user=header.user, answer=header.answer, max_steps=header.max_steps)
    if (session.package.world_hash, session.package.rules_hash) != (header.world_hash, header.rules_hash):
        session.close()
        raise ServeError(f"{package.name} has changed since the episode began")
    return session


def played(journal: Journal, package: Package) -> Replayed:
    """Everything in a journal once more.

    Raises:
        ServeError: It leads elsewhere now.
        SessionFault: The environment fails where it did not.
    """
    session = fresh(journal.header, package)
    keys: dict[str, Kept] = {}
    calls = 0
    try:
        for number, entry in enumerate(journal.entries(), start=1):
            match entry:
                case Called():
                    calls += 1
                    reply = session.call(entry.tool, entry.arguments)
                    _compare(number, entry.tool, reply.text, entry.sum)
                    if entry.key is not None:
                        keys[entry.key] = Kept(call_text(entry.tool, entry.arguments), reply)
                case SaidToUser():
                    step = session.say(entry.text)
                    _compare(number, "a message to the user", step_text(step), entry.sum)
                    if entry.key is not None:
                        keys[entry.key] = Kept(say_text(entry.text), step)
                case Failed():
                    session.fail(entry.reason)
                case Marked():
                    pass
    except BaseException:
        session.close()
        raise
    return Replayed(session, keys, calls)


def _compare(number: int, what: str, text: str, expected: str) -> None:
    if checksum(text) != expected:
        raise ServeError(f"entry {number} of its journal ({what}) leads elsewhere when played again")


def call_text(name: str, arguments: Mapping[str, Any]) -> str:
    """A call as a text, equal for equal calls."""
    return "call " + json.dumps([name, arguments], sort_keys=True)


def say_text(text: str) -> str:
    """A message to the user as a text that is no call's."""
    return "say " + text


def step_text(step: Step) -> str:
    """What came back from the user, as a text."""
    return json.dumps([step.messages, step.reward])
