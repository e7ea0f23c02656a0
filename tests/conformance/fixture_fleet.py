"""Fleets that the official tools are pointed at."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

from benchmarks.serving import running
from envfactory_gym.serve.client import FleetClient


@contextlib.contextmanager
def shipped_fleet(names: Sequence[str]) -> Iterator[dict[str, dict[str, str]]]:
    """The shipped environments as `envfactory serve --http` serves them: by name, an episode's address and the shared one."""
    with running.fleet(*names, environment={}) as server, FleetClient(server.address) as control:
        yield {name: {"episode": control.create(name).url, "shared": f"{server.address}/{name}/mcp"} for name in names}
