"""What all measurements share: the written packages, the variables of a fleet that serves them, its episodes."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from . import desk_package, messages, running
from .load import Connection

DESK = "bench_desk"
MANY = 300
"""Environments of a large fleet."""


@dataclass(frozen=True)
class Place:
    """Where the measured packages lie.

    Attributes:
        desk: Folder of the help desk.
        names: Names of the `MANY` that differ in name alone.
        variables: Of a fleet that finds and may import all of them, with a cache of images of its own.
    """

    desk: Path
    names: tuple[str, ...]
    variables: dict[str, str]

    @contextlib.contextmanager
    def fleet(self, *options: str) -> Iterator[running.Server]:
        """A fleet that serves the help desk."""
        with running.fleet(DESK, *options, environment=self.variables) as server:
            yield server


def prepare(folder: Path) -> Place:
    """Write the packages into a new folder."""
    packages, home = folder / "packages", folder / "home"
    home.mkdir(parents=True)
    known = [desk_package.write(packages / DESK)]
    known += [desk_package.write(packages / name, name) for name in desk_package.names(MANY)]
    variables = running.trusting(home, packages, known)
    return Place(
        packages / DESK, tuple(desk_package.names(MANY)), {**variables, "ENVFACTORY_CACHE": str(folder / "cache")}
    )


@dataclass(frozen=True)
class Episode:
    """An episode of a running fleet: the path of its MCP address, and its id."""

    path: str
    id: str


async def create(connection: Connection, port: int, environment: str = DESK) -> Episode:
    """Create an episode over the control plane.

    Raises:
        RuntimeError: The fleet did not.
    """
    response = await connection.ask(messages.http("POST", "/v1/episodes", port, {"environment": environment}))
    if response.status != 201:
        raise RuntimeError(f"no episode was created: {response.status} {response.body[:500]!r}")
    found = json.loads(response.body)
    return Episode(found["url"].partition(f":{port}")[2], found["id"])


async def create_many(port: int, count: int) -> list[Episode]:
    """Create episodes, one after the other."""
    connection = await Connection.open(port)
    episodes = [await create(connection, port) for _ in range(count)]
    connection.close()
    return episodes
