"""Tasks on a compiled environment: one or two turns, each with goal, gold and natural words.

Rows are described as people name them and found by lookups; new values stand in the request. Kinds
of tasks take turns over tables, so that a limit cuts all alike. Whether a task holds is not decided
here: `verify` executes it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ..model import Model
from ..rows import lexicon
from ..rows.data import Data
from ..rows.dice import Dice
from . import asking, changing, refusing
from .desk import Desk, Draft, Kind

MAX_TASKS = 36
"""Most tasks of one package; a refusal and its twin come together or not at all."""

ENOUGH = 20
"""With fewer tasks than this, each kind is tried again on other rows."""

ROUNDS = 6
"""How often, at most."""

SPLITS = ("train", "train", "dev", "train", "test")
"""Splits in turn, so that every kind of task comes into each."""

KINDS: dict[str, Kind] = {
    "update": changing.update,
    "question": asking.question,
    "create": changing.create,
    "ask-then-update": asking.ask_then_update,
    "delete": changing.delete,
    "refuse-to-delete": refusing.delete_used,
    "relink": changing.relink,
    "extreme": asking.extreme,
    "action": changing.action,
    "refuse-action": refusing.act_too_late,
    "create-both": changing.create_both,
    "clear": changing.clear,
    "refuse-taken": refusing.create_taken,
    "update-extreme": asking.update_extreme,
    "refuse-order": refusing.end_before_start,
    "delete-two": changing.delete_two,
}
"""Kind of task → what writes it; those first that most environments offer."""


def make_tasks(model: Model, data: Data, seed: int) -> list[dict[str, Any]]:
    """Tasks in the form of `tasks.jsonl`: kinds in turn, tables in turn, at most `MAX_TASKS`."""
    made: list[dict[str, Any]] = []
    said: set[str] = set()
    for name, drafts, dice in _drafts(model, Desk(model, data), seed):
        if len(made) >= MAX_TASKS or (len(made) >= ENOUGH and not name.startswith("0-")):
            break
        if len(made) + len(drafts) > MAX_TASKS:
            continue
        words = json.dumps([one["request"] for one in drafts[0].turns])
        if words in said:
            continue
        said.add(words)
        known = {task["id"] for task in made}
        own = name.partition("-")[2]
        while own in known:
            own = f"{own}-more"  # another kind's name with another table's can be the same
        split = SPLITS[len(made) % len(SPLITS)]
        made += _tasks(model, own, drafts, dice, split)
    return made


def _drafts(model: Model, desk: Desk, seed: int) -> Iterator[tuple[str, list[Draft], Dice]]:
    """Every draft there is, by round, named `round-kind-table`."""
    size = max(len(KINDS), len(model.resources))
    for repeat in range(ROUNDS):
        for shift in range(size):
            for place, (kind, write) in enumerate(KINDS.items()):
                at = (place + shift) % size
                if at >= len(model.resources):
                    continue
                resource = model.resources[at]
                dice = Dice(seed, "task", kind, resource.table, repeat)
                if drafts := write(desk, resource, dice):
                    name = f"{kind}-{resource.table.strip('_').replace('_', '-')}" + (
                        f"-{repeat + 1}" if repeat else ""
                    )
                    yield f"{repeat}-{name}", drafts, dice


def _tasks(model: Model, name: str, drafts: list[Draft], dice: Dice, split: str) -> Iterator[dict[str, Any]]:
    """Whole tasks around their turns; two drafts are each other's twin."""
    user = f"{dice.pick(lexicon.FIRST_NAMES)} {dice.pick(lexicon.LAST_NAMES)}"
    names = [name, f"{name}-allowed"][: len(drafts)]
    seed = dice.below(10_000)
    for number, (own, draft) in enumerate(zip(names, drafts, strict=True)):
        task: dict[str, Any] = {
            "id": own,
            "environment": f"EnvFactory/{model.name}-v0",
            "split": split,
            "seed": seed if draft.seed is None else draft.seed,
            "user": {"name": user},
        }
        if draft.patches:
            task["setup"] = {"rows": list(draft.patches)}
        task["turns"] = draft.turns
        if len(drafts) == 2:
            task["twin"] = names[1 - number]
        yield {**task, "kinds": list(draft.kinds), "wording": "script"}
