"""Tasks across environments that know the same people: one person asks, under a number of their own in each."""

from __future__ import annotations

import json
import shutil
from itertools import islice
from pathlib import Path

import pytest

from envfactory_gym.environment import Bundle, Package, load_package
from envfactory_gym.synthesize.pipeline import Recipe, chains_of
from envfactory_gym.synthesize.spanning import SpanningMaker
from envfactory_gym.synthesize.turns import Rejected


@pytest.fixture(scope="module")
def sister(tmp_path_factory: pytest.TempPathFactory) -> Package:
    """A second airline: the same people, who have other customer numbers there."""
    folder = tmp_path_factory.mktemp("sister") / "sister"
    shutil.copytree(load_package("airline").path, folder, ignore=shutil.ignore_patterns("__pycache__", "authoring"))
    manifest = folder / "environment.yaml"
    manifest.write_text(manifest.read_text().replace("name: airline", "name: sister", 1))
    (folder / "tasks.jsonl").write_text("")
    for file in sorted((folder / "data").glob("*.jsonl")):
        rows = [json.loads(line) for line in file.read_text().splitlines()]
        for row in rows:
            if "customer_id" in row:
                row["customer_id"] = "E" + row["customer_id"][:0:-1]
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return Package(folder, trusted=True)


def test_one_person_asks_in_all_environments(sister: Package, tmp_path: Path) -> None:
    airline = load_package("airline")
    bundle = Bundle([airline, sister], folder=tmp_path)
    recipe = Recipe(("airline", "sister"), 5, "medium")
    maker = SpanningMaker(bundle, seed=5, preset="medium")
    seen = 0
    for number, chain in enumerate(islice(chains_of(bundle, recipe), 40)):
        try:
            slots = {slot.name: slot.value for slot in maker.make(chain, number).task.user.slots}
        except Rejected:
            continue
        here, there = slots.get("airline__customer_id"), slots.get("sister__customer_id")
        if here and there:
            seen += 1
            assert str(there) == "E" + str(here)[:0:-1]
        if seen == 4:
            break
    assert seen == 4
