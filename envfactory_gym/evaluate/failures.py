"""Why an episode failed, in one word: for tables, so that the first thing to look at is clear.

The word is taken from the first turn that did not pass. One failure may have many causes; the order
below says which is named. Omissions of an episode whose messages were broken count as `format`.
"""

from __future__ import annotations

from ..episode import RunRecord, TurnOutcome

FAILURES = {
    "infra": "the harness or an endpoint broke; not counted",
    "user": "the user's side broke; not counted",
    "format": "messages were cut off, empty or unreadable, and something is missing",
    "out of steps": "steps, tokens or context ran out",
    "policy": "declined wrongly or not at all, or wrote without a confirmation",
    "wrong value": "the right row, with other values than wanted",
    "wrong row": "a wanted change is missing, and another one was made",
    "missing write": "a wanted change is missing",
    "collateral": "everything wanted was done, and something else",
    "missing answer": "something asked for was not told, or hidden among others",
    "gave up": "the turn was ended without a single call",
    "other": "none of these",
}
"""Failure → what it means, in the order in which tables show them."""

_OMISSIONS = frozenset({"out of steps", "missing write", "missing answer", "gave up"})


def failure_of(record: RunRecord) -> str | None:
    """The kind of failure of an episode; None for a success, or where nothing was graded."""
    outcome = record.outcome
    if outcome is None or outcome.kind == "success":
        return None
    if outcome.kind in ("infra", "user_error"):
        return "infra" if outcome.kind == "infra" else "user"
    index = next((number for number, turn in enumerate(outcome.turns) if not turn.passed), None)
    if index is None:
        found = "out of steps" if outcome.kind == "out_of_steps" else "other"
    else:
        called = any(call.turn == index and call.actor == "agent" for call in record.calls)
        found = _of_turn(outcome.turns[index], called=called)
    broken = record.agent_model is not None and any(record.agent_model.problems.values())
    return "format" if broken and found in _OMISSIONS else found


def _of_turn(turn: TurnOutcome, *, called: bool) -> str:
    def told(what: str) -> bool:
        return any(reason.startswith(what) for reason in turn.reasons)

    missing, unwanted = told("missing change") or turn.effects < 1.0, turn.collateral > 0 or told("unwanted change")
    if not turn.decline or not turn.policy:
        return "policy" if called or turn.collateral else "gave up"
    if told("wrong change") and not told("missing change"):
        return "wrong value"
    if missing and unwanted:
        return "wrong row"
    if unwanted or told("the table"):
        return "collateral"
    if not called:
        return "gave up"
    if missing:
        return "missing write"
    return "missing answer" if turn.answers < 1.0 or turn.reasons else "other"
