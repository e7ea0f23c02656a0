"""What to call next: every tool often enough, in sequences that build on each other."""

from __future__ import annotations

from dataclasses import dataclass

from .session import Failure, Session
from .shrinking import shrink
from .sources import Dice


@dataclass(frozen=True, slots=True)
class Profile:
    """How much to play.

    Attributes:
        successes: Successful calls that every tool should have.
        calls: Calls in all; None for as many as it takes, at most `per_tool` for each tool.
        per_tool: Calls per tool after which a tool that seldom succeeds is left at that.
        length: Calls of one sequence.
        failures: Failures after which to stop.
    """

    successes: int = 100
    calls: int | None = None
    per_tool: int = 500
    length: int = 24
    failures: int = 3


def explore(session: Session, profile: Profile, *, seed: int = 0) -> list[Failure]:
    """Play sequences until every tool succeeded often enough; what went wrong, each as small as it gets.

    A tool that failed is not called again, so that it does not hide the others.

    Args:
        session: Where to play; its tallies grow.
        profile: How much.
        seed: Decides the calls.
    """
    dice = Dice(seed)
    tools = list(session.package.tools)
    limit = profile.calls if profile.calls is not None else profile.per_tool * len(tools)
    failures: dict[str, Failure] = {}
    played = 0
    while tools and played < limit and len(failures) < profile.failures:
        poor = [name for name in tools if session.tallies[name].succeeded < profile.successes]
        if not poor and profile.calls is None:
            break
        session.begin()
        failure = None
        for _ in range(min(profile.length, limit - played)):
            name = dice.pick(poor) if poor and dice.chance(0.6) else dice.pick(tools)
            tool = session.package.tools[name]
            arguments = session.sources.draw(dice, session.world, tool, session.heard, session.unseen(name))
            played += 1
            if (failure := session.play(name, arguments)) is not None:
                break
        failure = failure or session.check()
        if failure is not None:
            tools = [name for name in tools if name != failure.steps[-1][0]]
            failures.setdefault(failure.kind, failure)
    return [shrink(session.package, failure) for failure in failures.values()]
