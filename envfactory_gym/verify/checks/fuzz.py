"""Check `fuzz`: long seeded sequences of calls never break the environment, and every tool gets through.

The invariants are checked after every few writes and at the end of every sequence; the figures say
how often.
"""

from __future__ import annotations

from ...environment import Package, ToolError
from ..arguments import HintError
from ..finding import Finding, finding
from ..fuzzing import Profile, Session, explore

CHECK_EVERY = 8
"""Writing calls between two looks at the invariants."""


def check(package: Package, *, calls: int | None = None, seed: int = 0) -> Finding:
    """Play calls from schemas, live values, candidates and refusals.

    Args:
        package: The environment.
        calls: How many, for a long run such as 20,000; by default as many as it takes for 100 successful calls
            of every tool.
        seed: Decides the calls.
    """
    profile = Profile(calls=calls)
    try:
        session = Session(package, check_every=CHECK_EVERY, seed=seed)
    except HintError as error:
        return finding("fuzz", [str(error)], remedy="correct the hint")
    try:
        failures = explore(session, profile, seed=seed)
        evidence = [str(failure) for failure in failures]
        evidence += _missing(session) if not failures else []
        tallies = session.tallies.values()
        succeeded, refused = sum(tally.succeeded for tally in tallies), sum(tally.refused for tally in tallies)
        figures = {
            "calls": succeeded + refused,
            "succeeded": round(succeeded / max(1, succeeded + refused), 3),
            "least_per_tool": min((tally.succeeded for tally in tallies), default=0),
            "invariants_checked": session.invariant_checks,
            "checked_every": CHECK_EVERY,
        }
        notes = [
            f"{name}: only {tally.succeeded} of {tally.succeeded + tally.refused} calls succeeded"
            for name, tally in session.tallies.items()
            if tally.succeeded < profile.successes
        ]
        remedy = "refuse what cannot be done with a ToolError; keep every write inside the invariants"
        return finding("fuzz", evidence, figures=figures, remedy=remedy, notes=notes)
    finally:
        session.close()


def _missing(session: Session) -> list[str]:
    """Tools that never succeeded, and declared refusals never met, also not when called for in the base world."""
    evidence = []
    for name, tool in session.package.tools.items():
        if not session.tallies[name].succeeded:
            evidence.append(f"{name}: none of {session.tallies[name].refused} calls succeeded")
        for reason in session.unseen(name):
            if not any(
                _refuses(session, name, arguments, reason) for arguments in session.sources.refused[name][reason]
            ):
                evidence.append(f"{name}: never refused for {reason!r}, which refused={sorted(tool.refused)} declares")
    return evidence


def _refuses(session: Session, tool: str, arguments: dict[str, object], reason: str) -> bool:
    session.begin()
    try:
        session.world.call(tool, arguments, actor=session.package.tools[tool].actor)
    except ToolError as error:
        return reason in (error.reason, error.code)
    return False
