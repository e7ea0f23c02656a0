"""Easy one-turn tasks for a model that starts from nothing, on copies of two shipped environments.

One task of each environment, many times over: add a note of some title to the CRM (one write), and say
how many points a customer of the airline has (one lookup, one number to tell). Titles occur once, and each
customer is added for one task, so that what the test split asks for was never seen. Each test task is certified
as every shipped one is: `verify.certify` executes its proof, and one that fails (a number that is often the
answer, and could be guessed) is left out. Of the tasks of SFT, only that the reference solution succeeds is checked.
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

from envfactory_gym import load_package
from envfactory_gym.environment import Package, TaskPrivate
from envfactory_gym.verify import certify

TOOLS = {"crm": ("create_note", "create_contact", "create_lead"), "airline": ("find_customer", "get_wallet")}
"""The tools that the model is shown: a subset, which makes the tasks easier than the shipped ones."""

FIRST = """
Amber Atlas Birch Cedar Cobalt Copper Coral Delta Ember Falcon Garnet Harbour Indigo Juniper Keystone Lantern
Maple Meridian Nimbus Onyx Orchid Pioneer Quartz Raven Saffron Sierra Summit Timber Umbra Velvet Willow Zephyr
""".split()
SECOND = """
agenda audit brief budget call checklist delivery design draft forecast handover hiring launch list memo notes
outline plan pricing release renewal report review risk sales schedule security staffing summary supplier
training travel update vendor
""".split()
ADD = (
    'Could you add a note "{}"?',
    'Please create a note "{}".',
    'I need a new note "{}".',
    'Add a note "{}" for me, please.',
)
ASK = (
    "How many points do I have? My number is {}.",
    "{} here. What is my balance of points?",
    "Please tell me my points. Customer {}.",
)


def easy_package(name: str, folder: Path, *, train: int, test: int, seed: int) -> Package:
    """A copy of a shipped environment whose tasks are easy ones; its code is the shipped code.

    Args:
        name: `crm` or `airline`.
        folder: Where the copy goes.
        train: Number of tasks of the split train.
        test: Number of tasks of the split test.
        seed: Chooses their words.
    """
    shipped = load_package(name)
    target = folder / name
    if target.exists():
        shutil.rmtree(target)
    shutil.copytree(shipped.path, target, ignore=shutil.ignore_patterns("__pycache__", "report.json", "authoring"))
    made = _notes(shipped, train, test, seed) if name == "crm" else _points(shipped, train, test, seed)
    kept = [task for task in made if task.split == "train" or certify(shipped, task).passed]
    if len(kept) < 0.9 * (train + test):
        raise RuntimeError(f"only {len(kept)} of {train + test} easy tasks of {name} are certified")
    (target / "tasks.jsonl").write_text("".join(task.model_dump_json(exclude_unset=True) + "\n" for task in kept))
    return load_package(target, trusted=True)


def _task(package: Package, data: dict[str, object]) -> TaskPrivate:
    return TaskPrivate.model_validate(
        {"environment": package.id, "world_hash": package.world_hash, "rules_hash": package.rules_hash, **data}
    )


def _notes(package: Package, train: int, test: int, seed: int) -> Iterator[TaskPrivate]:
    dice = random.Random(f"notes {seed}")
    titles = [f"{one} {two}" for one in FIRST for two in SECOND]
    dice.shuffle(titles)
    for number, title in enumerate(titles[: train + test]):
        arguments = {"title": {"kind": "said", "turn": 0, "span": title}}
        goal = {"calls": [{"id": "add", "tool": "create_note", "arguments": arguments, "wish": True}]}
        gold = [
            {"calls": [{"id": "add", "tool": "create_note", "arguments": {"title": title}}]},
            {"say": f'The note "{title}" is there.', "expect": "ends"},
        ]
        yield _task(package, {
            "id": f"note-{number}", "split": "train" if number < train else "test", "seed": number,
            "user": {"name": "Rania Hansen"}, "kinds": ["action"], "wording": "script",
            "turns": [{"request": dice.choice(ADD).format(title), "goal": goal, "gold": gold}],
        })  # fmt: skip


def _points(package: Package, train: int, test: int, seed: int) -> Iterator[TaskPrivate]:
    dice = random.Random(f"points {seed}")
    taken = {row["customer_id"] for row in package.rows("customers")}
    fresh = [name for name in (f"E{number}" for number in range(100000, 1000000)) if name not in taken]
    for number, customer in enumerate(dice.sample(fresh, train + test)):
        split = "train" if number < train else "test"
        points = dice.randrange(100, 999) * 100
        goal = {
            "calls": [{"id": "wallet", "tool": "get_wallet",
                       "arguments": {"customer_id": {"kind": "said", "turn": 0, "span": customer}}}],
            "answers": [{"subject": "points", "kind": "number", "column": "loyalty.points",
                         "source": {"kind": "result", "call": "wallet", "path": "points"}}],
        }  # fmt: skip
        gold = [
            {"calls": [{"id": "wallet", "tool": "get_wallet", "arguments": {"customer_id": customer}}]},
            {"say": "You have {points} points.", "expect": "ends"},
        ]
        key = {"customer_id": customer}
        contact = {
            "first_name": "Kim",
            "last_name": "Lund",
            "email": f"{customer.lower()}@example.org",
            "phone": "+4532000000",
        }
        rows = [
            {"table": "customers", "key": key, "values": contact},
            {"table": "loyalty", "key": key, "values": {"tier": "member", "points": points}},
        ]
        yield _task(package, {
            "id": f"points-{number}", "split": split, "seed": number, "user": {"name": "a customer"},
            "kinds": ["question"], "wording": "script", "setup": {"rows": rows},
            "turns": [
                {"request": dice.choice(ASK).format(customer), "goal": goal, "gold": gold, "max_other_values": 0}
            ],
        })  # fmt: skip


if __name__ == "__main__":
    for environment in TOOLS:
        package = easy_package(environment, Path("easy"), train=20, test=5, seed=0)
        print(environment, len(package.tasks), "tasks;", json.dumps(package.tasks[0].turns[0].request))
