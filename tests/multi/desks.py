"""Two lending desks and the tasks that span them.

The second desk is a copy of the first under another name, with a later clock: every tool, table,
slot, phrase table, rule and even every row id stands twice, so nothing works unless prefixes tell them apart.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from envfactory_gym import Package
from envfactory_gym.environment import Bundle, TaskPrivate
from tests.support import LENDING

IDS = ["EnvFactory/lending-v0", "EnvFactory/workshop-v0"]
CLOCK = "2026-03-12T09:00:00Z"


def workshop(folder: Path) -> Path:
    """A copy of the lending package as another environment."""
    target = folder / "workshop"
    shutil.copytree(LENDING, target, ignore=shutil.ignore_patterns("__pycache__", "tasks.jsonl"))
    manifest = target / "environment.yaml"
    text = manifest.read_text().replace("name: lending", "name: workshop")
    text = text.replace("Harbour Street Lending Desk", "Mill Lane Workshop").replace("2026-03-10T09", "2026-03-12T09")
    manifest.write_text(text)
    return target


def write_tasks(folder: Path, tasks: list[dict[str, Any]] | None = None) -> Path:
    """The folder `multi` with tasks; a bundle's."""
    target = folder / "multi"
    target.mkdir()
    (target / "tasks.jsonl").write_text("".join(json.dumps(task) + "\n" for task in tasks or TASKS))
    return target


def bundle(folder: Path) -> Bundle:
    """Both desks as one, with all tasks."""
    other = workshop(folder)
    packages = [Package(other, trusted=True), Package(LENDING, trusted=True)]
    return Bundle(packages, folder=write_tasks(folder))


# ---------------------------------------------------------------- parts of tasks


def said(span: str, turn: int = 0) -> dict[str, Any]:
    return {"kind": "said", "turn": turn, "span": span}


def answered(slot: str) -> dict[str, Any]:
    return {"kind": "answered", "slot": slot}


def titled(call: str, span: str, field: str, turn: int = 0, part: str = "loans") -> dict[str, Any]:
    """A field of the only row of a listing whose title contains the user's words."""
    rows = {"kind": "result", "call": call, "path": part}
    where = {"where": [["title", "contains", {"source": 1}]]}
    found = {"kind": "derived", "op": "filter", "sources": [rows, said(span, turn)], "options": where}
    first = {"kind": "derived", "op": "first", "sources": [found]}
    return {"kind": "derived", "op": "field", "sources": [first], "options": {"path": field}}


def loan_of(desk: str, member: str, title: str) -> str:
    """SQL for a member's open loan of a thing."""
    return (
        f"SELECT loan_id FROM {desk}__loans JOIN {desk}__items USING (item_id) "
        f"WHERE member_id = '{member}' AND state = 'open' AND title LIKE '%{title}%'"
    )


def slot(desk: str, member: str) -> dict[str, Any]:
    place = {"lending": "Harbour Street", "workshop": "Mill Lane"}[desk]
    return {"name": f"{desk}__member_id", "value": member, "say": f"At {place} my member number is {{value}}."}


def call(identifier: str, tool: str, wish: bool = False, **arguments: Any) -> dict[str, Any]:
    return {"id": identifier, "tool": tool, "arguments": arguments, "wish": wish}


def does(*calls: dict[str, Any]) -> dict[str, Any]:
    return {"calls": [{key: value for key, value in one.items() if key != "wish"} for one in calls]}


def ends(say: str) -> dict[str, Any]:
    return {"say": say, "expect": "ends"}


def task(identifier: str, slots: list[dict[str, Any]], turns: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    user = {"name": "Ada Brook", "slots": slots}
    base = {"id": identifier, "environment": "EnvFactory/multi-v0", "environments": IDS, "split": "train"}
    return {**base, "user": user, "turns": turns, **more}


# ---------------------------------------------------------------- the tasks

SANDER_AND_TRIMMER = task(
    "sander-here-trimmer-there",
    [slot("lending", "M-101"), slot("workshop", "M-103")],
    [
        {
            "request": "I am bringing the sander back to Harbour Street, close that loan please. And extend my hedge "
            "trimmer from Mill Lane.",
            "goal": {
                "calls": [
                    call("here", "lending__list_loans", member_id=answered("lending__member_id")),
                    call("there", "workshop__list_loans", member_id=answered("workshop__member_id")),
                    call("back", "lending__return_item", wish=True, loan_id=titled("here", "sander", "loan_id")),
                    call(
                        "longer", "workshop__extend_loan", wish=True,
                        loan_id=titled("there", "hedge trimmer", "loan_id"),
                    ),
                ],
                "referents": [
                    {
                        "phrase": "the sander",
                        "sql": loan_of("lending", "M-101", "sander"),
                        "column": "lending__loans.loan_id",
                    },
                    {
                        "phrase": "hedge trimmer",
                        "sql": loan_of("workshop", "M-103", "trimmer"),
                        "column": "workshop__loans.loan_id",
                    },
                ],
            },
            "gold": [
                {
                    "say": "Sure. What are your member numbers?",
                    "slots": ["lending__member_id", "workshop__member_id"],
                    "expect": "tells",
                },
                does(
                    call("here", "lending__list_loans", member_id="M-101"),
                    call("there", "workshop__list_loans", member_id="M-103"),
                ),
                does(call("back", "lending__return_item", loan_id="H2MZP")),
                {
                    "say": "I would extend loan Z3PLQ of the hedge trimmer to 25 March. Shall I go ahead?",
                    "expect": "affirms",
                },
                does(call("longer", "workshop__extend_loan", loan_id="Z3PLQ")),
                ends("Both are done."),
            ],
        }
    ],
    kinds=["action"],
)  # fmt: skip

DUE_THERE_RETURN_HERE = task(
    "due-there-return-here",
    [],
    [
        {
            "request": "When does my pasta machine have to be back at Mill Lane? I am member M-103 there.",
            "max_other_values": 0,
            "goal": {
                "calls": [call("there", "workshop__list_loans", member_id=said("M-103"))],
                "answers": [
                    {
                        "subject": "due date",
                        "kind": "date",
                        "column": "workshop__loans.due_on",
                        "source": titled("there", "pasta machine", "due_on"),
                    }
                ],
            },
            "gold": [
                does(call("there", "workshop__list_loans", member_id="M-103")),
                ends("Your pasta machine is due on {due date}."),
            ],
        },
        {
            "request": "Then take my sander back at Harbour Street. There I am M-101.",
            "advance": 3600,
            "goal": {
                "calls": [
                    call("here", "lending__list_loans", member_id=said("M-101", 1)),
                    call("back", "lending__return_item", wish=True, loan_id=titled("here", "sander", "loan_id", 1)),
                ],
                "referents": [
                    {
                        "phrase": "my sander",
                        "sql": loan_of("lending", "M-101", "sander"),
                        "column": "lending__loans.loan_id",
                    }
                ],
            },
            "gold": [
                does(call("here", "lending__list_loans", member_id="M-101")),
                does(call("back", "lending__return_item", loan_id="H2MZP")),
                ends("It is back."),
            ],
        },
    ],
    kinds=["question", "action"],
    split="dev",
)


def _tent(identifier: str, twin: str, refused: bool, **more: Any) -> dict[str, Any]:
    """Borrow here, and extend there: refused by the other desk's rule, or not."""
    goal_calls = [
        call("find", "lending__search_items"),
        call("there", "workshop__list_loans", member_id=said("M-102")),
        call(
            "take", "lending__borrow_item", wish=True,
            member_id=said("M-104"), item_id=titled("find", "jam pot", "item_id", part="items"),
        ),
    ]  # fmt: skip
    gold = [
        does(
            call("find", "lending__search_items"),
            call("there", "workshop__list_loans", member_id="M-102"),
        ),
        does(call("take", "lending__borrow_item", member_id="M-104", item_id=7)),
    ]
    goal: dict[str, Any] = {
        "referents": [
            {
                "phrase": "the jam pot",
                "sql": "SELECT item_id FROM lending__items WHERE title = 'Jam pot'",
                "column": "lending__items.item_id",
            }
        ]
    }
    if refused:
        goal["decline"] = "workshop/extend-once"
        gold += [
            does(call("no", "decline_request", rule="workshop/extend-once", explanation="It was extended before.")),
            ends("The jam pot is yours. The tent was extended before, so I cannot extend it again."),
        ]
    else:
        goal_calls.append(
            call("longer", "workshop__extend_loan", wish=True, loan_id=titled("there", "family tent", "loan_id"))
        )
        gold += [
            {
                "say": "The family tent, loan T9XWA, would then be due on 19 March. Shall I extend it?",
                "expect": "affirms",
            },
            does(call("longer", "workshop__extend_loan", loan_id="T9XWA")),
            ends("All set."),
        ]
    request = (
        "Please lend me the jam pot from Harbour Street, where I am M-104, and give us another week with "
        "the family tent from Mill Lane, where we are M-102."
    )
    turn = {"request": request, "goal": {**goal, "calls": goal_calls}, "gold": gold}
    return task(identifier, [], [turn], twin=twin, **more)


TENT_REFUSED = _tent("tent-refused", "tent-extended", refused=True, kinds=["refusal", "action"])
TENT_EXTENDED = _tent(
    "tent-extended",
    "tent-refused",
    refused=False,
    kinds=["action"],
    setup={
        "rows": [{"table": "workshop__loans", "key": {"loan_id": "T9XWA"}, "values": {"extended": 0}}],
        "calls": [{"tool": "lending__borrow_item", "arguments": {"member_id": "M-104", "item_id": 2}}],
    },
)

BORROW_TWICE = task(
    "borrow-at-both",
    [],
    [
        {
            "request": "I am M-104 at both desks. Lend me the tile cutter at Mill Lane and the jam pot at Harbour Street.",
            "goal": {
                "calls": [
                    call("there", "workshop__search_items"),
                    call("here", "lending__search_items"),
                    call(
                        "cutter", "workshop__borrow_item", wish=True,
                        member_id=said("M-104"), item_id=titled("there", "tile cutter", "item_id", part="items"),
                    ),
                    call(
                        "pot", "lending__borrow_item", wish=True,
                        member_id=said("M-104"), item_id=titled("here", "jam pot", "item_id", part="items"),
                    ),
                ],
            },
            "gold": [
                does(call("there", "workshop__search_items"), call("here", "lending__search_items")),
                does(
                    call("cutter", "workshop__borrow_item", member_id="M-104", item_id=8),
                    call("pot", "lending__borrow_item", member_id="M-104", item_id=7),
                ),
                ends("Both are yours."),
            ],
        }
    ],
    kinds=["action"],
    split="test",
    seed=7,
)  # fmt: skip

JUST_THERE = task(
    "just-there",
    [],
    [
        {
            "request": "Take back the ladder of M-104.",
            "goal": {
                "calls": [
                    call("there", "workshop__list_loans", member_id=said("M-104")),
                    call("back", "workshop__return_item", wish=True, loan_id=titled("there", "ladder", "loan_id")),
                ],
            },
            "gold": [
                does(call("there", "workshop__list_loans", member_id="M-104")),
                does(call("back", "workshop__return_item", loan_id="W6TGD")),
                ends("It is back."),
            ],
        }
    ],
    environments=[IDS[1]],
)

TASKS = [SANDER_AND_TRIMMER, DUE_THERE_RETURN_HERE, TENT_REFUSED, TENT_EXTENDED, BORROW_TWICE, JUST_THERE]


def private(content: dict[str, Any]) -> TaskPrivate:
    """A task as the library reads it."""
    return TaskPrivate.model_validate(content)
