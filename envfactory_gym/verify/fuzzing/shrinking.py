"""Making a found sequence small: fewer calls, then plainer arguments, as long as it fails in the same way."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

from ...environment import Package
from .session import Failure, Session, Step

TRIES = 600
"""Sequences that are tried."""

SECONDS = 5.0
"""Seconds after which the smallest one so far will do; slow failures are shown less small."""


def shrink(package: Package, failure: Failure) -> Failure:
    """The same failure by fewer and plainer calls."""
    session = Session(package, check_every=1)
    try:
        return _Shrinker(session, failure).smallest()
    finally:
        session.close()


class _Shrinker:
    def __init__(self, session: Session, failure: Failure) -> None:
        self.session, self.best = session, failure
        self.tries = TRIES
        self.deadline = time.monotonic() + SECONDS

    def smallest(self) -> Failure:
        """Try what is smaller until nothing is."""
        before = None
        while self.best != before and self._time_left():
            before = self.best
            self._without_calls()
            for number in range(len(self.best.steps)):
                self._plainer(number)
        return self.best

    def _time_left(self) -> bool:
        return self.tries > 0 and time.monotonic() < self.deadline

    def _fails(self, steps: Sequence[Step]) -> bool:
        if not self._time_left():
            return False
        self.tries -= 1
        failure = self.session.replay(steps)
        if failure is None or failure.kind != self.best.kind:
            return False
        self.best = failure
        return True

    def _without_calls(self) -> None:
        size = max(1, len(self.best.steps) // 2)
        while size:
            at = 0
            while at < len(self.best.steps):
                steps = self.best.steps[:at] + self.best.steps[at + size :]
                if not (steps and self._fails(steps)):
                    at += size
            size //= 2

    def _plainer(self, number: int) -> None:
        """Leave out arguments of one call, and make texts shorter and numbers smaller."""
        changed = True
        while changed and number < len(self.best.steps):
            tool, arguments = self.best.steps[number]
            changed = any(
                self._fails((*self.best.steps[:number], (tool, plainer), *self.best.steps[number + 1 :]))
                for plainer in _plainer_objects(arguments)
            )


def _plainer_objects(arguments: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for name, value in arguments.items():
        yield {key: other for key, other in arguments.items() if key != name}
        for plainer in _plainer_values(value):
            yield {**arguments, name: plainer}


def _plainer_values(value: Any) -> Iterator[Any]:
    if isinstance(value, str):
        half = len(value) // 2
        yield from (
            text for text in dict.fromkeys((value[:half], value[half:], value[1:], value[:-1])) if text != value
        )
    elif isinstance(value, int) and not isinstance(value, bool):
        yield from (number for number in dict.fromkeys((0, 1, value // 2)) if abs(number) < abs(value))
    elif isinstance(value, list):
        yield from (value[:at] + value[at + 1 :] for at in range(len(value)))
