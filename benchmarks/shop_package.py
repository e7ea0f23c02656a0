"""Writing the measured shop as a package of a chosen size."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from envfactory_gym.environment import Package

from . import shop_play, shop_rows

ORDERS = {"100 KB": 125, "500 KB": 880, "5 MB": 9_200, "20 MB": 36_300}
"""Image size → orders that give about that many bytes."""

_FILES = ("environment.yaml", "policy.md", "schema.sql", "server.py")


def write(folder: Path, image: str) -> Path:
    """Write the package whose image is about as large as `image` says; its folder."""
    orders = ORDERS[image]
    (folder / "data").mkdir(parents=True)
    for name in _FILES:
        shutil.copyfile(Path(__file__).parent / "shop" / name, folder / name)
    for table, rows in shop_rows.rows(orders).items():
        with (folder / "data" / f"{table}.jsonl").open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)
    (folder / "tasks.jsonl").write_text(shop_play.task(orders).model_dump_json() + "\n", encoding="utf-8")
    return folder


def load(folder: Path) -> Package:
    """The written package. Its code is this project's own."""
    return Package(folder, trusted=True)
