"""Fleets that the official tools are pointed at."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

from benchmarks.serving import running
from envfactory_gym.environment import Registry
from envfactory_gym.serve.client import FleetClient
from envfactory_gym.serve.fleet import Settings
from envfactory_gym.serve.fleet.app import Fleet
from envfactory_gym.serve.fleet.running import running as serving

from . import fixture_server


def proved() -> list[str]:
    """The names of the shipped environments that passed their proofs; the code of a draft is not served."""
    return sorted(entry.name for entry in Registry.installed().entries if entry.tier != "draft")


@contextlib.contextmanager
def shipped_fleet(names: Sequence[str]) -> Iterator[dict[str, dict[str, str]]]:
    """The shipped environments as `envfactory serve --http` serves them: by name, an episode's address and the shared one."""
    with running.fleet(*names, environment={}) as server, FleetClient(server.address) as control:
        yield {name: {"episode": control.create(name).url, "shared": f"{server.address}/{name}/mcp"} for name in names}


@contextlib.contextmanager
def fixture_fleet() -> Iterator[dict[str, str]]:
    """The suite's fixtures in a fleet: at one address with sessions and streams, at another without."""
    servers = {"interactive": fixture_server.build, "plain": fixture_server.build}
    fleet = Fleet({}, Settings(port=0), servers=servers, stateless=["plain"])
    with serving(fleet) as address:
        yield {name: f"{address}/{name}/mcp" for name in servers}
