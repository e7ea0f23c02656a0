"""Opening a package: building the image once, and taking it from the cache afterwards."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from envfactory_gym.world import Template

from .. import shop_package


def measure(folder: Path) -> dict[str, Any]:
    """Bytes and rows of the image; milliseconds of CPU to open the package and its template."""
    start = time.process_time()
    package = shop_package.load(folder)
    template = Template.of(package)
    spent = time.process_time() - start
    rows = sum(len(package.rows(table)) for table in package.schema.tables)
    template.close()
    return {"bytes": template.size, "rows": rows, "open_ms": spent * 1e3}
