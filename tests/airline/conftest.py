"""The airline, and a fresh world of it for each test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from envfactory_gym.environment import Package, Setup, ToolError
from envfactory_gym.world import LiveWorld, Template


@pytest.fixture(scope="session")
def airline(checkout: Path) -> Package:
    return Package.load(checkout / "generated_servers" / "airline", trusted=True)


@pytest.fixture(scope="session")
def template(airline: Package) -> Template:
    return Template.of(airline)


@pytest.fixture
def world(template: Template) -> Iterator[LiveWorld]:
    live = template.acquire()
    yield live
    template.release(live)


@pytest.fixture
def world_with(template: Template) -> Iterator[Callable[..., LiveWorld]]:
    """A world in which rows were changed before: `world_with((table, key, values), ..., now=...)`."""
    borrowed: list[LiveWorld] = []

    def make(*rows: tuple[str, dict[str, Any], dict[str, Any]], now: str | None = None) -> LiveWorld:
        setup = Setup.model_validate(
            {"now": now, "rows": [{"table": table, "key": key, "values": values} for table, key, values in rows]}
        )
        borrowed.append(template.acquire(setup))
        return borrowed[-1]

    yield make
    for live in borrowed:
        template.release(live)


@pytest.fixture
def refusal() -> Callable[..., tuple[str, str | None, str | None]]:
    """Code, field and reason of the refusal that a call must meet."""

    def meet(world: LiveWorld, tool: str, **arguments: Any) -> tuple[str, str | None, str | None]:
        with pytest.raises(ToolError) as met:
            world.call(tool, arguments)
        assert world.changes() == {}, "a refused call leaves no trace"
        return met.value.code, met.value.field, met.value.reason

    return meet
