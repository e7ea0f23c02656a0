"""The plain alternative: the same state as dicts of rows, copied whole for every episode."""

from __future__ import annotations

import copy
import gc
from pathlib import Path
from typing import Any

from .. import process_memory, shop_package
from ..clock import timed


def measure(folder: Path, copies: int) -> dict[str, Any]:
    """Time of one copy, and memory per live copy."""
    package = shop_package.load(folder)
    state = {
        table.name: {tuple(row[name] for name in table.key): row for row in package.rows(table.name)}
        for table in package.schema.tables.values()
    }
    gc.collect()
    before = process_memory.read()
    kept: list[Any] = []
    time = timed(lambda: kept.append(copy.deepcopy(state)), samples=copies, warm=0)
    return {"time": time, "memory": process_memory.per(before, process_memory.read(), copies), "copies": copies}
