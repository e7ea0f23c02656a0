"""When and how soon to ask again: what may pass with time is tried again, what will not is not.

Waiting doubles with each attempt and is scattered, so that many who failed together do not come
back together (exponential backoff with jitter); `Retry-After` is honoured (RFC 9110, 10.2.3).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from random import Random

AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
"""HTTP statuses that may pass with time."""


@dataclass(frozen=True)
class Retries:
    """How persistent to be.

    Attributes:
        attempts: Requests for one completion, at most.
        first: Seconds to wait before the second attempt, on average.
        longest: Seconds to wait at most, whatever the endpoint asks for.
    """

    attempts: int = 6
    first: float = 0.5
    longest: float = 60.0

    def wait(self, attempt: int, chance: Random, asked: float | None = None) -> float:
        """Seconds to wait after a failed attempt.

        Args:
            attempt: Which one failed, from 1.
            chance: Scatters the waiting.
            asked: Seconds that the endpoint asks for.
        """
        backoff: float = self.first * 2.0 ** (attempt - 1) * (0.5 + chance.random())
        return min(self.longest, backoff if asked is None else asked + 0.1 * backoff)


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds that an answer asks to wait: a number, or a date; None where it asks for nothing that makes sense."""
    told, unit = headers.get("retry-after-ms"), 1e-3
    if told is None:
        told, unit = headers.get("retry-after"), 1.0
    if told is None:
        return None
    try:
        return max(0.0, float(told) * unit)
    except ValueError:
        return _until(told, now or datetime.now(UTC))


def _until(date: str, now: datetime) -> float | None:
    try:
        return max(0.0, (parsedate_to_datetime(date) - now).total_seconds())
    except (ValueError, TypeError):  # no date, or one without a time zone
        return None
