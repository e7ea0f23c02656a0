"""Actions such as `/orders/{id}/cancel`: which column they set, where enums and names tell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..model import Field, Transition
from ..naming import snake

_RESULTS = {
    "cancel": ("cancelled", "canceled"),
    "approve": ("approved", "accepted", "live", "active"),
    "reject": ("rejected", "declined"),
    "decline": ("declined", "rejected"),
    "accept": ("accepted",),
    "close": ("closed",),
    "reopen": ("open", "reopened"),
    "open": ("open", "opened"),
    "complete": ("completed", "complete", "done"),
    "finish": ("finished", "completed"),
    "archive": ("archived",),
    "activate": ("active", "activated"),
    "deactivate": ("inactive", "deactivated"),
    "enable": ("enabled", "active"),
    "disable": ("disabled", "inactive"),
    "suspend": ("suspended",),
    "resume": ("active", "resumed", "running"),
    "pause": ("paused",),
    "publish": ("published", "live"),
    "lock": ("locked",),
    "start": ("started", "running", "in_progress"),
    "stop": ("stopped",),
    "ship": ("shipped",),
    "refund": ("refunded",),
    "spam": ("spam",),
    "submit": ("submitted",),
    "confirm": ("confirmed",),
    "expire": ("expired",),
    "revoke": ("revoked",),
    "void": ("voided", "void"),
    "pay": ("paid",),
    "resolve": ("resolved",),
}
_UNDONE = {
    "unarchive": "archived",
    "unlock": "locked",
    "unpublish": "published",
    "disable": "enabled",
    "deactivate": "active",
}
_FINAL = frozenset(
    {
        "cancelled", "canceled", "completed", "complete", "done", "closed", "refunded", "rejected", "expired",
        "voided", "revoked", "finished",
    }
)  # fmt: skip
_STATE_NAMES = ("status", "state", "stage", "phase")


def read_transition(word: str, fields: Sequence[Field]) -> Transition | None:
    """The column and value that an action's word stands for; None where nothing tells.

    A state column whose enum holds the word's result is set to it, and refused from final states;
    else a boolean of that name is set (or cleared, for `unlock` and the like).
    """
    verb = snake(word)
    results = _RESULTS.get(verb, ())
    states = [one for one in fields if one.enum and one.kind == "text" and one.role == "plain"]
    for one in sorted(states, key=lambda one: one.name.rstrip("_") not in _STATE_NAMES):
        spelled = {snake(str(value)): value for value in one.enum}
        value = next((spelled[result] for result in results if result in spelled), None)
        if value is not None:
            final = tuple(other for other in one.enum if snake(str(other)) in _FINAL and other != value)
            return Transition(verb, one.name, value, () if verb in ("reopen", "archive", "refund") else final)
    flags = {one.name: one for one in fields if one.kind == "boolean"}
    for result in results:
        if result in flags:
            return Transition(verb, result, True)
    if (flag := _UNDONE.get(verb)) in flags and flag is not None:
        return Transition(verb, flag, False)
    return None


def moved_columns(words: Iterable[str], fields: Sequence[Field]) -> set[str]:
    """Columns that some action sets, whoever else may write them."""
    found = (read_transition(word, fields) for word in words)
    return {one.column for one in found if one is not None}


_VERBS = frozenset(
    {
        "add", "assign", "attach", "book", "change", "configure", "convert", "copy", "detach", "grant", "invite",
        "mark", "merge", "modify", "move", "notify", "patch", "record", "register", "remove", "rename", "reschedule",
        "reset", "resize", "restart", "restore", "retry", "rotate", "run", "schedule", "send", "set", "share", "sync",
        "transfer", "trigger", "unassign", "update", "upgrade",
    }
)  # fmt: skip


def is_verb(word: str) -> bool:
    """Whether an action's word says what is done (`assign`), rather than what it is done to (`metadata`)."""
    first = snake(word).partition("_")[0]
    return first in _RESULTS or first in _UNDONE or first in _VERBS
