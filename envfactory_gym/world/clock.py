"""The clock of a world: a time that stands still until the episode moves it.

Tools, SQL's own date functions and column defaults all read this clock, so nothing in a world
depends on when it ran. Times are UTC, whole seconds, written `2026-05-14T09:00:00Z`.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

FORMAT = "%Y-%m-%dT%H:%M:%SZ"


def parse(now: str) -> datetime:
    """A time written `2026-05-14T09:00:00Z`.

    Raises:
        ValueError: The text has another form; the message shows the right one.
    """
    try:
        moment = datetime.strptime(now, FORMAT)
    except (ValueError, TypeError):
        raise ValueError(f"{now!r} is not a time of a world; write it in UTC like 2026-05-14T09:00:00Z") from None
    if moment.strftime(FORMAT) != now and f"{moment.year:04d}{moment.strftime(FORMAT[2:])}" != now:
        raise ValueError(f"{now!r} is not a time of a world; write all digits, like 2026-05-14T09:00:00Z")
    return moment.replace(tzinfo=UTC)


class Clock:
    """The time of one world.

    Attributes:
        now: The time, such as `2026-05-14T09:00:00Z`.
        today: Its date, such as `2026-05-14`.
    """

    __slots__ = ("now", "today")

    def __init__(self, now: str) -> None:
        parse(now)
        self.now = now
        self.today = now[:10]

    def set(self, now: str) -> None:
        """Move to a time.

        Raises:
            ValueError: The text is not a time.
        """
        if now != self.now:
            parse(now)
            self.now = now
            self.today = now[:10]

    def advance(self, seconds: int) -> None:
        """Move forward.

        Raises:
            ValueError: `seconds` is negative.
        """
        if seconds < 0:
            raise ValueError(f"a clock runs forward; cannot advance by {seconds} seconds")
        if not seconds:
            return
        later = parse(self.now) + timedelta(seconds=int(seconds))
        self.set(f"{later.year:04d}{later.strftime(FORMAT[2:])}")
