"""How often `classify` is right, measured on labelled sentences that ship with the library.

The sentences of many registers and domains stand in `phrase_bank.jsonl`. Those marked `held_out`
were written after the patterns were frozen and have not been used to change them since, so that
their figure is the honest one.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from .classify import MoveKind, classify

SLOTS: dict[str, tuple[str, ...]] = {
    "customer_id": ("customer number", "customer id", "account number"),
    "date_of_birth": ("date of birth", "birthday", "birth date"),
    "reservation": ("reservation code", "booking reference", "confirmation number", "reservation number"),
    "reason": ("reason for", "your reason"),
    "email": ("email address", "email", "e-mail"),
    "phone": ("phone number", "telephone number", "mobile number"),
    "address": ("delivery address", "shipping address", "postal address", "home address"),
    "payment": ("payment method", "form of payment", "means of payment"),
    "seat": ("seat preference", "preferred seat"),
}
"""The slots that the bank's user knows."""

RULES = {"basic-fare": "Basic fares cannot be changed or refunded.", "one-bag": "Every passenger has one free bag."}
"""The rules that the bank's agent may decline by."""


@dataclass(frozen=True)
class Phrase:
    """One message of an agent and what it does; `slots` belong to the label `asks`."""

    text: str
    label: MoveKind
    slots: tuple[str, ...] = ()
    held_out: bool = False


@dataclass(frozen=True)
class Accuracy:
    """How many phrases of one label were classified right, slots included."""

    right: int
    total: int

    @property
    def share(self) -> float:
        """From 0 to 1."""
        return self.right / self.total if self.total else 1.0


@lru_cache(maxsize=1)
def phrases() -> tuple[Phrase, ...]:
    """All phrases of the bank."""
    text = resources.files(__package__).joinpath("phrase_bank.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines() if line]
    return tuple(
        Phrase(row["text"], row["label"], tuple(row.get("slots", ())), row.get("held_out", False)) for row in rows
    )


def right(phrase: Phrase) -> bool:
    """Whether a phrase is classified as labelled."""
    move = classify(phrase.text, slots=SLOTS, rules=RULES)
    return move.kind == phrase.label and set(move.slots) == set(phrase.slots)


def accuracy(*, held_out: bool | None = None) -> dict[str, Accuracy]:
    """Label → accuracy, and `all` for all of them.

    Args:
        held_out: True or False for that part of the bank only; None for the whole.
    """
    chosen = [phrase for phrase in phrases() if held_out is None or phrase.held_out == held_out]
    result = {}
    for label in ("asks", "asks_confirmation", "declines", "other"):
        verdicts = [right(phrase) for phrase in chosen if phrase.label == label]
        result[label] = Accuracy(sum(verdicts), len(verdicts))
    result["all"] = Accuracy(sum(a.right for a in result.values()), sum(a.total for a in result.values()))
    return result
