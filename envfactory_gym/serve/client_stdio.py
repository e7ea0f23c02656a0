"""A small client: make some calls over real standard input and output, and get the graded record.

It starts the package's own server.py, so use it only for code that you would run anyway.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..environment import Bundle, Package

if TYPE_CHECKING:
    from mcp import StdioServerParameters

    from ..episode import RunRecord

Call = tuple[str, Mapping[str, Any]]
"""A tool's name and its arguments."""


class Played(NamedTuple):
    """What came of it.

    Attributes:
        results: The text of each result, refusals included, in the order of the calls.
        record: The record that the server wrote when the client left.
    """

    results: list[str]
    record: RunRecord


def server_parameters(package: Package, *arguments: str) -> StdioServerParameters:
    """How to start a package's server.py, or `envfactory serve` for a bundle, with this interpreter and library."""
    from mcp import StdioServerParameters

    library = str(Path(__file__).resolve().parents[2])
    path = os.pathsep.join(part for part in (library, os.environ.get("PYTHONPATH", "")) if part)
    return StdioServerParameters(
        command=sys.executable,
        args=[*_program(package), *arguments],
        env={**os.environ, "PYTHONPATH": path},
    )


def _program(package: Package) -> list[str]:
    """What to run; a bundle has no server.py, and is found by its folder."""
    if isinstance(package, Bundle):
        return ["-m", "envfactory_gym.cli", "serve", str(package.path)]
    return [str(package.path / "server.py")]


async def play(package: Package, task: str, calls: Sequence[Call], *, mode: str = "auto") -> Played:
    """Play a task's solo form through the official client.

    Args:
        package: The environment.
        task: Id of the task.
        calls: What to call, in order, one after the other.
        mode: As in `mcp.Client`: `auto` for the newest revision, `legacy` for the handshake before it.

    Raises:
        MCPError: A tool is unknown, or the environment failed.
    """
    from mcp import Client

    from ..episode import read_run

    with tempfile.TemporaryDirectory(prefix="envfactory-") as folder:
        file = Path(folder) / "RUN.jsonl"
        results = []
        async with Client(server_parameters(package, "--task", task, "--record", str(file)), mode=mode) as client:
            for name, arguments in calls:
                result = await client.call_tool(name, dict(arguments))
                results.append("".join(block.text for block in result.content if block.type == "text"))
        (record,) = read_run(file)
        return Played(results, record)


def play_over_stdio(package: Package, task: str, calls: Sequence[Call], *, mode: str = "auto") -> Played:
    """As `play`, where no event loop is running."""
    return asyncio.run(play(package, task, calls, mode=mode))
